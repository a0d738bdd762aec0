//! A version of LLVM and the prefix with its headers.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::error::ToolchainError;
use super::host::Host;
use crate::environment::Environment;

/// Major versions of LLVM that the plugin can be built for.
pub const SUPPORTED: RangeInclusive<u32> = 19..=23;

/// Where an LLVM is below the root of a ROCm.
pub(super) const LLVM_IN_ROCM: [&str; 2] = ["lib/llvm", "llvm"];

/// The header that says which LLVM a prefix holds.
const CONFIG_HEADER: &str = "include/llvm/Config/llvm-config.h";

/// The LLVM that a compiler is built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// As the compiler says it: `22.1.8`, or `19.0.0git` for a vendor's own.
    pub version: String,
    /// The number before the first dot.
    pub major: u32,
    /// Has `include/llvm` when the headers are installed.
    pub prefix: PathBuf,
    /// How it is in the compiler.
    pub host: Host,
}

impl Llvm {
    /// The LLVM whose headers are below `prefix`. Fails when there are none.
    pub fn in_prefix(prefix: &Path) -> Result<Llvm, ToolchainError> {
        let none = || ToolchainError::NotAPrefix { prefix: prefix.to_owned() };
        let version = header_version(prefix).ok_or_else(none)?;
        let major = major(&version).ok_or_else(none)?;
        let prefix = prefix.canonicalize().map_err(|_| none())?;
        Ok(Llvm { version, major, host: Host::of(&prefix.join("bin/clang++")), prefix })
    }

    /// The LLVM of a compiler that says it is `version`, with its clang in `bin`; `host` is for the caller to know.
    pub(super) fn of_compiler(
        (version, major): (&str, u32),
        bin: &Path,
        host: Host,
        environment: &Environment,
    ) -> Llvm {
        let bin = bin.canonicalize().unwrap_or_else(|_| bin.to_owned());
        let own = bin.parent().unwrap_or(&bin).to_owned();
        // Clang and its headers can be in different trees: Debian's clang 15 says `/usr/bin`.
        let elsewhere = ["/usr/lib/llvm-", "/usr/lib64/llvm", "/usr/lib/llvm/"].map(|start| format!("{start}{major}"));
        let rocm = rocm_root(environment);
        let in_rocm = LLVM_IN_ROCM.map(|llvm| rocm.join(llvm));
        let prefix = std::iter::once(own.clone())
            .chain(elsewhere.map(PathBuf::from))
            .chain(in_rocm)
            .find(|prefix| header_version(prefix).is_some_and(|header| is_compatible(&header, version)));
        let prefix = prefix.and_then(|prefix| prefix.canonicalize().ok()).unwrap_or(own);
        Llvm { version: version.to_owned(), major, prefix, host }
    }

    /// `llvm-config.h`, which is there when the headers are installed.
    pub fn config_header(&self) -> PathBuf {
        self.prefix.join(CONFIG_HEADER)
    }

    /// The archive with LLVM's C interface, which a compiler that LLVM is linked into does not export.
    pub fn c_interface(&self) -> PathBuf {
        self.prefix.join("lib/libLLVMCore.a")
    }

    /// The package with the headers, as its own distribution calls it.
    pub fn headers_package(&self) -> String {
        let is_rocm = self.prefix.iter().any(|name| name.to_string_lossy().starts_with("rocm"));
        if is_rocm || self.version.ends_with("git") {
            "rocm-llvm-dev".to_owned()
        } else {
            format!("llvm-{}-dev", self.major)
        }
    }
}

/// Where ROCm is: where the user says, else where its installer puts it.
pub(super) fn rocm_root(environment: &Environment) -> PathBuf {
    environment.get_non_empty("ROCM_PATH").unwrap_or(OsStr::new("/opt/rocm")).into()
}

/// The number before the first dot of a version.
pub(super) fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

/// `LLVM_VERSION_STRING` of the headers below `prefix`.
fn header_version(prefix: &Path) -> Option<String> {
    let header = std::fs::read_to_string(prefix.join(CONFIG_HEADER)).ok()?;
    let line = header.lines().find_map(|line| line.trim().strip_prefix("#define LLVM_VERSION_STRING"))?;
    Some(line.trim().trim_matches('"').to_owned())
}

/// Whether headers of one version serve a compiler of the other: patch releases keep the ABI, a vendor's `git` versions
/// keep nothing.
fn is_compatible(header: &str, compiler: &str) -> bool {
    let minor = |version: &str| version.split('.').take(2).map(str::to_owned).collect::<Vec<_>>();
    minor(header) == minor(compiler) && header.ends_with("git") == compiler.ends_with("git")
}
