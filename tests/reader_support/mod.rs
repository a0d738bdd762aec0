//! Inputs for the reader's tests, made by the real compilers.
//!
//! Nothing here skips: a compiler that is missing fails the test that needs it.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)] // Helpers of tests; each test program uses a part of them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The LLVM versions that are tested with.
pub const LLVMS: [u32; 2] = [19, 22];

/// A map of every kind of row that `kernel.hip` is given when no other is asked for.
pub const MAP: &str = "F:1:_Z6helperi@kernel.hip:44\\nK:_Z6kernelPi@kernel.hip:47\\nU:2:load\\n\\0";

/// A directory of inputs made by one LLVM.
pub struct Workshop {
    pub llvm: u32,
    directory: TempDir,
}

impl Workshop {
    pub fn new(llvm: u32) -> Workshop {
        Workshop { llvm, directory: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs a tool of this LLVM in the directory.
    pub fn tool<A: AsRef<OsStr>>(&self, tool: &str, arguments: impl IntoIterator<Item = A>) {
        let program = format!("/usr/lib/llvm-{}/bin/{tool}", self.llvm);
        let output = Command::new(&program)
            .args(arguments)
            .current_dir(self.directory.path())
            .output()
            .unwrap_or_else(|error| panic!("cannot run {program}: {error}; run ci/setup"));
        assert!(output.status.success(), "{program} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Compiles `kernel.hip` to `name` with the blank-separated `flags`, after the flags that every compile needs.
    pub fn hip(&self, name: &str, flags: &str) -> PathBuf {
        self.hip_with_map(name, Some(MAP), flags)
    }

    /// The same with another map, as the text of a C string, or none.
    pub fn hip_with_map(&self, name: &str, map: Option<&str>, flags: &str) -> PathBuf {
        let mut arguments: Vec<String> = ["-nogpuinc", "-nogpulib", "-O1"].map(str::to_owned).into();
        // Once more quoted, as the map goes through the assembler's strings too.
        arguments.extend(map.map(|map| format!("-DMAP=\"{}\"", map.replace('\\', "\\\\"))));
        arguments.extend(flags.split_ascii_whitespace().map(str::to_owned));
        arguments.extend(["-x", "hip", fixture("kernel.hip").to_str().unwrap(), "-o", name].map(str::to_owned));
        self.tool("clang++", arguments);
        self.path(name)
    }

    /// A bare code object for `arch`.
    pub fn code_object(&self, name: &str, arch: &str, flags: &str) -> PathBuf {
        self.hip(name, &format!("--cuda-device-only --no-gpu-bundle-output --offload-arch={arch} {flags}"))
    }
}

/// A file of tests/fixtures/reader.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/reader").join(name)
}

/// A file of these bytes for the time of a test.
pub fn file_of(bytes: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}
