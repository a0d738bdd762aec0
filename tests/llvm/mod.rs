//! The LLVM releases that tests run. Not a test itself.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An installed LLVM.
pub(crate) struct Llvm {
    pub(crate) major: u32,
    directory: PathBuf,
}

/// The releases that everything is tested with. Panics where one is missing: a test is never skipped.
pub(crate) fn releases() -> [Llvm; 2] {
    [Llvm::find(19), Llvm::find(22)]
}

impl Llvm {
    /// Debian's place for that release, unless `LLVM<major>_PREFIX` says where it is.
    pub(crate) fn find(major: u32) -> Llvm {
        let directory = std::env::var_os(format!("LLVM{major}_PREFIX"))
            .map_or_else(|| PathBuf::from(format!("/usr/lib/llvm-{major}")), PathBuf::from);
        let clang = directory.join("bin/clang++");
        assert!(clang.exists(), "no `{}`: run ci/setup", clang.display());
        Llvm { major, directory }
    }

    /// One of its programs, by the name without version.
    pub(crate) fn tool(&self, name: &str) -> Command {
        Command::new(self.directory.join("bin").join(name))
    }

    /// `clang++` for device code of `arch` alone: no HIP headers, no device libraries, `headers/` on the include path.
    pub(crate) fn device_clang(&self, arch: &str) -> Command {
        let mut clang = self.tool("clang++");
        clang
            .args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-cuid=0"])
            .args([&format!("--offload-arch={arch}"), "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .arg(include_flag());
        clang
    }

    /// The instructions of a linked code object: mnemonic and operands, without addresses, `s_nop` or padding.
    pub(crate) fn instructions(&self, code_object: &Path) -> Vec<String> {
        let output = success(self.tool("llvm-objdump").args(["-d", "--no-show-raw-insn"]).arg(code_object));
        let text = String::from_utf8(output.stdout).expect("objdump writes UTF-8");
        let instruction = |line: &str| line.strip_prefix('\t')?.split("//").next().map(|code| code.trim().to_owned());
        text.lines()
            .filter_map(instruction)
            .filter(|code| !code.starts_with("s_nop") && !code.starts_with("s_code_end"))
            .collect()
    }
}

/// `-I` of the directory that holds `markers.hpp`.
pub(crate) fn include_flag() -> String {
    format!("-I{}/headers", env!("CARGO_MANIFEST_DIR"))
}

/// Runs `command`, which must succeed.
pub(crate) fn success(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs `command`, which must fail, and gives what it said on stderr.
pub(crate) fn failure(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(!output.status.success(), "{command:?} succeeded");
    String::from_utf8_lossy(&output.stderr).into_owned()
}
