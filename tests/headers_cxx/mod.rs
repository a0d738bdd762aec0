//! Building programs with the C++ headers, by every compiler that they are meant for. Not a test itself.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::llvm::{include_flag, releases, success};

/// Where the C++ sources of the tests are.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers_cxx")
}

/// The code objects that were made for the reader's tests; all have a map and a kernel.
pub(crate) fn code_objects() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/reader");
    ["gfx942.co", "gfx1100.co", "gfx1201.co"].map(|name| fixtures.join(name)).into()
}

/// A C++ compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compiler {
    Gcc,
    Clang(u32),
}

pub(crate) const COMPILERS: [Compiler; 3] = [Compiler::Gcc, Compiler::Clang(19), Compiler::Clang(22)];

/// What the headers must be clean of.
const STRICT: [&str; 11] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wold-style-cast",
    "-Wundef",
    "-Wnon-virtual-dtor",
    "-Woverloaded-virtual",
    "-Werror",
];

impl Compiler {
    /// The compiler with strict warnings and the headers.
    pub(crate) fn strict(self) -> Command {
        let mut command = match self {
            Compiler::Gcc => Command::new("g++"),
            Compiler::Clang(major) => {
                let llvm = releases().into_iter().find(|llvm| llvm.major == major);
                llvm.expect("that release is tested with").tool("clang++")
            }
        };
        command.args(STRICT).arg(include_flag());
        command
    }

    /// A program out of sources of the tests.
    pub(crate) fn build(self, names: &[&str], flags: &[&str], program: &Path) {
        let mut command = self.strict();
        command.arg("-std=c++17").args(flags).args(names.iter().map(|name| sources().join(name)));
        success(command.arg("-o").arg(program));
    }
}
