//! Inputs for the reader's tests, made by the real compilers.
//!
//! Nothing here skips: a compiler that is missing fails the test that needs it.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)] // Helpers of tests; each test program uses a part of them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use sqtt_hipcc::code_object::{CodeObject, Contents, FileBytes, read};
use tempfile::TempDir;

pub mod make;
pub mod samples;

/// The LLVM versions that are tested with.
pub const LLVMS: [u32; 2] = [19, 22];

/// A map of every kind of row that `kernel.hip` is given when no other is asked for.
pub const MAP: &str = "F:1:_Z6helperi@kernel.hip:44\\nK:_Z6kernelPi@kernel.hip:47\\nU:2:load\\n\\0";

/// Flags for two architectures.
pub const TWO_ARCHS: &str = "--offload-arch=gfx942 --offload-arch=gfx1100";

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

/// What is in the file, as one line for each code object, unread piece and problem.
pub fn contents(path: &Path) -> Vec<String> {
    let file = FileBytes::open(path).unwrap();
    lines(&read(file.bytes()), file.bytes())
}

/// The same for what was read from `file`.
pub fn lines(contents: &Contents<'_>, file: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = contents.code_objects.iter().map(|found| describe(found, file)).collect();
    lines.extend(contents.unverified.iter().map(|(place, what)| format!("{place}: {what}")));
    lines.extend(contents.problems.iter().map(|problem| format!("{}: problem: {}", problem.place, problem.malformed)));
    lines
}

/// Place, whether it was unpacked, rows of the map and kernels with their wave sizes; checks that what was not unpacked
/// is the bytes at the offset.
fn describe(code_object: &CodeObject<'_>, file: &[u8]) -> String {
    let inside = file.as_ptr_range().contains(&code_object.bytes().as_ptr());
    let unpacked = match code_object.offset() {
        Some(offset) => {
            let start = usize::try_from(offset).unwrap();
            assert!(std::ptr::eq(code_object.bytes(), &file[start..start + code_object.bytes().len()]), "not borrowed");
            ""
        }
        None => {
            assert!(!inside, "unpacked, and yet in the file");
            "unpacked, "
        }
    };
    let rows = code_object.funcmap().map_or(0, |map| map.rows().count());
    let kernels = code_object.kernel_descriptors().unwrap();
    let kernels: Vec<String> = kernels
        .iter()
        .map(|kernel| format!("{}/{}", String::from_utf8_lossy(kernel.kernel), kernel.wave_size.unwrap_or(0)))
        .collect();
    format!("{} [{}] {unpacked}{rows} rows, {}", code_object.place(), code_object.target(), kernels.join(" "))
}

/// The two code objects of a [`TWO_ARCHS`] compile in the order that the old driver puts them in.
pub fn both(place: &str, kind: &str) -> Vec<String> {
    let line = |arch: &str, lanes: u32| {
        format!("{place}, {kind}-amdgcn-amd-amdhsa--{arch} [amdgcn-amd-amdhsa--{arch}] 3 rows, _Z6kernelPi/{lanes}")
    };
    vec![line("gfx1100", 32), line("gfx942", 64)]
}

/// The same where they were unpacked.
pub fn both_unpacked(place: &str, kind: &str) -> Vec<String> {
    both(place, kind).iter().map(|line| line.replace("] 3 rows", "] unpacked, 3 rows")).collect()
}
