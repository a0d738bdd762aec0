//! One LLVM to test with: where its programs are and the plugin that is built for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};
use sqtt_contract::variables;

/// The versions that the pass tests run on: what Debian 12 has headers for.
pub(crate) const MAJORS: [u32; 2] = [19, 22];

/// Programs of LLVM that tests start. A missing one fails the tests.
const PROGRAMS: [&str; 12] = [
    "FileCheck",
    "clang",
    "ld.lld",
    "llc",
    "llvm-as",
    "llvm-link",
    "llvm-objcopy",
    "llvm-objdump",
    "llvm-readelf",
    "llvm-strip",
    "not",
    "opt",
];

/// An installed LLVM and, once a test has asked for it, our plugin for it.
pub(crate) struct Llvm {
    pub(crate) major: u32,
    /// `LLVM22_PREFIX` or `/usr/lib/llvm-22`.
    pub(crate) prefix: PathBuf,
    /// From `PASS_PLUGIN_LLVM22`, when set.
    given_plugin: Option<PathBuf>,
    /// Whether the plugin is the one that can leave points of correctness out.
    has_faults: bool,
    plugin: OnceLock<Result<PathBuf, String>>,
}

impl Llvm {
    /// The LLVM of version `major` as the environment describes it; nothing is looked up yet.
    pub(crate) fn new(major: u32) -> Self {
        let prefix = std::env::var_os(format!("LLVM{major}_PREFIX")).map(PathBuf::from);
        Self {
            major,
            prefix: prefix.unwrap_or_else(|| PathBuf::from(format!("/usr/lib/llvm-{major}"))),
            given_plugin: std::env::var_os(format!("PASS_PLUGIN_LLVM{major}")).map(PathBuf::from),
            has_faults: false,
            plugin: OnceLock::new(),
        }
    }

    /// The same with a plugin whose points of correctness can be left out, which is always built.
    #[allow(dead_code, reason = "one of the two test programs with this module uses it")]
    pub(crate) fn with_faults(major: u32) -> Self {
        Self { given_plugin: None, has_faults: true, ..Self::new(major) }
    }

    /// Path of one of its programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    /// The plugin, built at the first call. Also fails when a program that the tests need is missing.
    pub(crate) fn plugin(&self) -> Result<&Path> {
        let made = self.plugin.get_or_init(|| {
            self.require_programs().and_then(|()| self.find_plugin()).map_err(|error| format!("{error:#}"))
        });
        match made {
            Ok(path) => Ok(path),
            Err(message) => bail!("{message}"),
        }
    }

    fn require_programs(&self) -> Result<()> {
        let missing: Vec<_> = PROGRAMS.iter().map(|name| self.program(name)).filter(|path| !path.is_file()).collect();
        let major = self.major;
        ensure!(
            missing.is_empty(),
            "missing: {missing:?}\ninstall clang-{major}, lld-{major}, llvm-{major} and llvm-{major}-tools, or set `LLVM{major}_PREFIX`"
        );
        Ok(())
    }

    fn find_plugin(&self) -> Result<PathBuf> {
        if let Some(path) = &self.given_plugin {
            ensure!(path.is_file(), "`PASS_PLUGIN_LLVM{}` names `{}`, which is no file", self.major, path.display());
            return std::path::absolute(path).context("cannot make the plugin's path absolute");
        }
        let (suffix, feature) = if self.has_faults { ("-faults", ",faults") } else { ("", "") };
        let target = root().join("target").join(format!("pass-llvm{}{suffix}", self.major));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--release", "--quiet", "--locked", "--package", "sqtt-instrument-pass", "--features"]);
        cargo.arg(format!("llvm{}{feature}", self.major)).arg("--target-dir").arg(&target);
        cargo.current_dir(root()).stdin(Stdio::null());
        without_settings(&mut cargo);
        cargo.env(variables::LLVM_PREFIX, &self.prefix);
        let output = cargo.output().context("cannot start cargo")?;
        ensure!(output.status.success(), "cannot build the plugin:\n{}", String::from_utf8_lossy(&output.stderr));
        let library = target.join("release").join("libsqttinstrumentpass.so");
        ensure!(library.is_file(), "cargo made no `{}`", library.display());
        Ok(library)
    }
}

/// The workspace's directory.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Takes every variable of the contract from the environment of `command`.
fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(variables::PREFIX.as_bytes()) {
            command.env_remove(name);
        }
    }
}
