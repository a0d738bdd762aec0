//! One cargo run that builds the plugin, in an environment of its own.
//!
//! The plugin is built in the middle of someone else's build: under `make`, with `CXX` set to this driver, with flags
//! for a GPU program in `CXXFLAGS`. None of that may reach cargo, rustc or the C++ compiler of the plugin's shim, so
//! they get the variables that say where things are (`PASSED`) and nothing that says how to compile.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sqtt_contract::variables;

use super::crates;
use super::error::ToolchainError;
use super::find::in_path;
use super::host::Linkage;
use super::llvm::Llvm;
use super::plugin::FILE_NAME;
use crate::environment::Environment;

/// Variables that the build inherits. Proxies are spelled both ways.
const PASSED: [&str; 19] = [
    "ALL_PROXY",
    "CARGO_HOME",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "NO_PROXY",
    "PATH",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "USER",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// Starts of variables that the build inherits: which toolchain, and where crates come from.
const PASSED_STARTS: [&str; 5] = ["CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_SOURCE_", "RUSTUP_"];

/// What makes clang take libc++.
const LIBCXX_FLAG: &str = "-stdlib=libc++";

/// How many lines of the log an error shows.
const SHOWN_LINES: usize = 25;

/// What to build, from what, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build<'a> {
    /// The LLVM that the plugin is for.
    pub(super) llvm: &'a Llvm,
    /// The user's environment, not yet scrubbed.
    pub(super) environment: &'a Environment,
    /// The materialised workspace.
    pub(super) sources: &'a Path,
    /// The crates to build it with; cargo gets them otherwise.
    pub(super) crates: Option<&'a Path>,
    /// Cargo's target directory.
    pub(super) target: &'a Path,
    /// Gets all that cargo says.
    pub(super) log: &'a Path,
}

/// The programs that a build for `llvm` would run: cargo and a C++ compiler. Fails as the build would for want of one.
pub fn check_build_tools(llvm: &Llvm, environment: &Environment) -> Result<[PathBuf; 2], ToolchainError> {
    let nowhere = Path::new("");
    let build = Build { llvm, environment, sources: nowhere, crates: None, target: nowhere, log: nowhere };
    let (cargo, cxx) = (find(environment)?, build.cxx()?);
    build.check_version(&cargo, &build.variables(&cxx), Path::new("/"))?;
    Ok([cargo, cxx])
}

impl Build<'_> {
    /// Runs cargo and gives the path of the shared object. Fails when a tool is missing or cargo fails.
    pub(super) fn run(&self) -> Result<PathBuf, ToolchainError> {
        let cargo = find(self.environment)?;
        let cxx = self.cxx()?;
        let environment = self.variables(&cxx);
        self.check_version(&cargo, &environment, self.sources)?;
        self.mark_as_changed()?;

        let arguments = self.arguments();
        let log = self.start_log(&cargo, &arguments)?;
        let output = duct::cmd(&cargo, &arguments)
            .dir(self.sources)
            .full_env(environment)
            .stdin_null()
            .stdout_capture()
            .stderr_file(log)
            .unchecked()
            .run()
            .map_err(|error| self.failure(format!("cannot run `{}`: {error}", cargo.display())))?;
        if !output.status.success() {
            return Err(self.failure(format!("cargo failed ({})", output.status)));
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        messages.lines().find_map(built_file).ok_or_else(|| self.failure(format!("cargo made no `{FILE_NAME}`")))
    }

    /// The target is named, if only as the host's: a `build.target` in the user's cargo configuration has no say then,
    /// and its rustflags do not reach build scripts.
    fn arguments(&self) -> Vec<OsString> {
        let feature = format!("llvm{}", self.llvm.major);
        let words = ["build", "--release", "--locked", "--package", "sqtt-instrument-pass", "--features", &feature];
        let rest = ["--target", "host-tuple", "--message-format", "json-render-diagnostics"];
        let offline = self.crates.and_then(crates::offline).unwrap_or_default();
        words.iter().chain(&rest).map(OsString::from).chain(offline).collect()
    }

    /// The whole environment of the build.
    fn variables(&self, cxx: &Path) -> Vec<(OsString, OsString)> {
        let passed = self.environment.iter().filter(|(name, _)| is_passed(name));
        let host = self.llvm.host;
        let own: [(&str, &OsStr); 10] = [
            // Should the C++ compiler be this driver in disguise, it does not wait for the plugin it is building.
            (variables::DRIVER_ACTIVE, OsStr::new("1")),
            (variables::LLVM_PREFIX, self.llvm.prefix.as_os_str()),
            ("CARGO_TARGET_DIR", self.target.as_os_str()),
            ("CXX", cxx.as_os_str()),
            // Set to nothing they outrank the user's cargo configuration.
            ("CARGO_ENCODED_RUSTFLAGS", OsStr::new("")),
            ("CXXFLAGS", OsStr::new(if host.libcxx { LIBCXX_FLAG } else { "" })),
            // Crate cc's: what to link the shim with. Set to nothing it stands for nothing.
            ("CXXSTDLIB", OsStr::new(if host.libcxx { "c++" } else { "stdc++" })),
            (variables::LLVM_STATIC, OsStr::new(if host.linkage == Linkage::Static { "1" } else { "" })),
            ("RUSTC_WRAPPER", OsStr::new("")),
            ("RUSTC_WORKSPACE_WRAPPER", OsStr::new("")),
        ];
        passed
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .chain(own.into_iter().map(|(name, value)| (OsString::from(name), value.to_owned())))
            .collect()
    }

    /// The C++ compiler for the shim: any, but one that has libc++ when the host has.
    fn cxx(&self) -> Result<PathBuf, ToolchainError> {
        let first =
            |tools: [&str; 2]| tools.into_iter().find_map(|name| in_path(self.environment, OsStr::new(name)).next());
        let advice = "install one (Debian: `g++`) and see that it is in PATH";
        if first(["cc", "gcc"]).is_none() {
            return Err(no_tool("there is no C compiler to link with".to_owned(), advice));
        }
        if self.llvm.host.libcxx {
            return self.libcxx_compiler();
        }
        first(["c++", "g++"]).ok_or_else(|| no_tool("there is no C++ compiler".to_owned(), advice))
    }

    /// A clang++ that has libc++: the one of that LLVM, else one in PATH.
    fn libcxx_compiler(&self) -> Result<PathBuf, ToolchainError> {
        let own = self.llvm.prefix.join("bin/clang++");
        let works = |clang: &PathBuf| {
            let words = ["-x", "c++", LIBCXX_FLAG, "-fsyntax-only", "-"];
            let check = duct::cmd(clang, words).full_env(self.environment.iter().filter(|(name, _)| is_passed(name)));
            let check = check.stdin_bytes("#include <string>\n").stdout_null().stderr_null().unchecked().run();
            check.is_ok_and(|output| output.status.success())
        };
        let others = in_path(self.environment, OsStr::new("clang++"));
        std::iter::once(own).filter(|own| own.is_file()).chain(others).find(works).ok_or_else(|| {
            let problem =
                format!("the compiler of LLVM {} uses libc++, and no clang++ here has its headers", self.llvm.version);
            no_tool(problem, &format!("install them (Debian: `libc++-{}-dev`)", self.llvm.major))
        })
    }

    fn check_version(
        &self,
        cargo: &Path,
        environment: &[(OsString, OsString)],
        directory: &Path,
    ) -> Result<(), ToolchainError> {
        let output = duct::cmd(cargo, ["--version"])
            .dir(directory)
            .full_env(environment.iter().cloned())
            .stdin_null()
            .stdout_capture()
            .stderr_capture()
            .unchecked()
            .run()
            .map_err(|error| no_tool(format!("cannot run `{}`: {error}", cargo.display()), &rust_advice()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let required = parse_version(env!("CARGO_PKG_RUST_VERSION"));
        match said.strip_prefix("cargo ").and_then(parse_version) {
            Some(version) if Some(version) >= required => Ok(()),
            Some(_) => Err(no_tool(format!("`{}` is too old ({})", cargo.display(), said.trim()), &rust_advice())),
            None => {
                let why = String::from_utf8_lossy(&output.stderr);
                let why = why.trim().lines().next().unwrap_or("it names no version");
                Err(no_tool(format!("`{} --version`: {why}", cargo.display()), &rust_advice()))
            }
        }
    }

    /// Makes cargo build our own package anew: the target directory is shared, and cargo does not see that the headers
    /// below one prefix were replaced.
    fn mark_as_changed(&self) -> Result<(), ToolchainError> {
        File::options()
            .write(true)
            .open(self.sources.join("plugin/build.rs"))
            .and_then(|file| file.set_modified(SystemTime::now()))
            .map_err(|cause| ToolchainError::CacheNotWritable { cause })
    }

    fn start_log(&self, cargo: &Path, arguments: &[OsString]) -> Result<File, ToolchainError> {
        let write = || -> std::io::Result<File> {
            fs_err::create_dir_all(self.log.parent().unwrap_or(Path::new("/")))?;
            let mut log = File::create(self.log)?;
            write!(log, "{}={:?} {}", variables::LLVM_PREFIX, self.llvm.prefix, cargo.display())?;
            arguments.iter().try_for_each(|argument| write!(log, " {}", argument.display()))?;
            writeln!(log)?;
            Ok(log)
        };
        write().map_err(|cause| ToolchainError::CacheNotWritable { cause })
    }

    fn failure(&self, problem: String) -> ToolchainError {
        let said = std::fs::read(self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().collect();
        let last_lines = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
        ToolchainError::BuildFailed {
            version: self.llvm.version.clone(),
            problem,
            last_lines,
            log: self.log.to_owned(),
        }
    }
}

/// cargo from PATH, else from where rustup puts it: a `make` may run with a bare PATH.
pub(super) fn find(environment: &Environment) -> Result<PathBuf, ToolchainError> {
    let variable = |name| environment.get_non_empty(name).map(PathBuf::from);
    let homes = [variable("CARGO_HOME"), variable("HOME").map(|home| home.join(".cargo"))];
    in_path(environment, OsStr::new("cargo"))
        .chain(homes.into_iter().flatten().map(|home| home.join("bin/cargo")).filter(|cargo| cargo.is_file()))
        .next()
        .ok_or_else(|| no_tool("there is no `cargo`".to_owned(), &rust_advice()))
}

/// Whether the build inherits that variable.
pub(super) fn is_passed(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| PASSED.contains(&name) || PASSED_STARTS.iter().any(|start| name.starts_with(start)))
}

/// The shared object that one of cargo's messages says was built.
fn built_file(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    let files = message.get("filenames")?.as_array()?;
    files.iter().filter_map(|file| file.as_str()).map(PathBuf::from).find(|file| file.ends_with(FILE_NAME))
}

/// Major and minor of `1.95.0 (abc 2026-01-01)`.
fn parse_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split_whitespace().next()?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn rust_advice() -> String {
    format!("install Rust {} or newer (https://rustup.rs)", env!("CARGO_PKG_RUST_VERSION"))
}

fn no_tool(problem: String, advice: &str) -> ToolchainError {
    ToolchainError::NoBuildTool { problem, advice: advice.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_to_compile_is_not_passed_on() {
        let hostile = "CC CXX CPP LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS CARGO_MAKEFLAGS RUSTFLAGS \
            RUSTDOCFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR CARGO_PROFILE_RELEASE_PANIC \
            CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER RUSTC RUSTC_WRAPPER RUSTC_BOOTSTRAP CARGO_INCREMENTAL \
            CXX_x86_64_unknown_linux_gnu HOST_CXX TARGET_CXX CPATH CPLUS_INCLUDE_PATH LIBRARY_PATH GCC_EXEC_PREFIX \
            HIPCC_COMPILE_FLAGS_APPEND LLVM_SYS_221_PREFIX LD_PRELOAD CARGO CARGO_MANIFEST_DIR OUT_DIR TARGET PROFILE";
        for name in hostile.split_whitespace() {
            assert!(!is_passed(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "HOME", "https_proxy", "RUSTUP_TOOLCHAIN", "CARGO_NET_OFFLINE", "CARGO_HOME"] {
            assert!(is_passed(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn the_version_of_cargo_is_compared_by_number() {
        assert_eq!(parse_version("1.95.0 (f2d3ce0bd 2026-03-21)"), Some((1, 95)));
        assert_eq!(parse_version("1.95"), Some((1, 95)));
        assert!(parse_version("1.100.0-nightly") > parse_version("1.95"));
        assert_eq!(parse_version("nonsense"), None);
    }

    #[test]
    fn only_the_message_that_names_the_plugin_gives_it() {
        let named = |file: &str| format!(r#"{{"reason":"compiler-artifact","filenames":["/t/libx.rlib","{file}"]}}"#);
        assert_eq!(built_file(&named(&format!("/t/{FILE_NAME}"))), Some(PathBuf::from("/t").join(FILE_NAME)));
        for other in ["", "text", "[]", r#"{"reason":"build-finished"}"#, &named("/t/libinkwell.so")] {
            assert_eq!(built_file(other), None, "{other}");
        }
    }
}
