//! A real hipcc, the driver in front of it, and an independent way to the maps in what they make. Not a test itself.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use sqtt_contract::{funcmap, variables};

use crate::llvm::{Llvm, success};

/// Where tests keep what they can share between runs; made by cargo, emptied with `target`.
const SHARED: &str = env!("CARGO_TARGET_TMPDIR");
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Debian's hipcc with the given LLVM, made by ci/toolchain once per run.
pub(crate) fn hipcc(llvm: &Llvm) -> PathBuf {
    static MADE: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
    let slot = usize::from(llvm.major != 19);
    MADE[slot].get_or_init(|| make_hipcc(llvm.major)).clone()
}

/// In `target`, unless hipcc could not work there: it needs a path without blanks.
fn make_hipcc(major: u32) -> PathBuf {
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._+-".contains(character);
    let parent =
        if SHARED.chars().all(plain) { PathBuf::from(SHARED) } else { std::env::temp_dir().join("sqtt-tests") };
    let prefix = parent.join(format!("toolchain-{major}"));
    success(Command::new("bash").arg(format!("{ROOT}/ci/toolchain")).arg(&prefix).arg(major.to_string()));
    prefix.join("bin/hipcc")
}

/// The driver in front of `hipcc`. Settings of the person who runs the tests do not reach it; the plugins it builds
/// are shared by all tests.
pub(crate) fn driver(hipcc: &Path) -> Command {
    let mut driver = Command::new(env!("CARGO_BIN_EXE_sqtt-hipcc"));
    clean(&mut driver);
    driver.env(variables::HIPCC, hipcc).env(variables::CACHE_DIR, Path::new(SHARED).join("cache"));
    driver
}

/// `hipcc` without the driver, in the same environment.
pub(crate) fn bare(hipcc: &Path) -> Command {
    let mut bare = Command::new(hipcc);
    clean(&mut bare);
    bare
}

fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with(variables::PREFIX)
            || text.starts_with("HIP")
            || ["CXX", "CC", "ROCM_PATH"].contains(&text.as_ref())
        {
            command.env_remove(&name);
        }
    }
}

/// Runs a compile, which must succeed and leave stdout alone.
pub(crate) fn compile(command: &mut Command) {
    let output = success(command);
    assert!(output.stdout.is_empty(), "{command:?} wrote {:?}", String::from_utf8_lossy(&output.stdout));
}

/// The example `name` of the repository.
pub(crate) fn example(name: &str) -> PathBuf {
    Path::new(ROOT).join("examples").join(name)
}

/// The rows of the map in the code object for `arch` inside `file` (an object, a program, a shared library), taken out
/// with LLVM's own tools, in the form they have there. Panics where there is no such code object, no map, or a line that
/// is no row.
pub(crate) fn map(llvm: &Llvm, file: &Path, arch: &str) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [bundle, object, section, rest] =
        ["bundle", "object", "section", "rest"].map(|name| directory.path().join(name));
    let option = |name: &str, value: &Path| {
        let mut option = std::ffi::OsString::from(name);
        option.push(value);
        option
    };
    success(llvm.tool("llvm-objcopy").arg(option("--dump-section=.hip_fatbin=", &bundle)).arg(file).arg(&rest));
    let target = format!("-targets=hipv4-amdgcn-amd-amdhsa--{arch}");
    let mut unbundle = llvm.tool("clang-offload-bundler");
    unbundle.args(["-type=o", "-unbundle", &target]);
    success(unbundle.arg(option("-input=", &bundle)).arg(option("-output=", &object)));
    success(llvm.tool("llvm-objcopy").arg(option("--dump-section=.sqtt_funcmap=", &section)).arg(&object).arg(&rest));
    let parsed = funcmap::parse(&std::fs::read(&section).expect("llvm-objcopy wrote the section"));
    assert!(parsed.problems.is_empty(), "{arch} in {}: {:?}", file.display(), parsed.problems);
    parsed.rows().map(ToString::to_string).collect()
}

/// PATH with the driver's directory in front.
pub(crate) fn path_with_driver() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_sqtt-hipcc")).parent().unwrap_or(Path::new("/")).to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own).chain(std::env::split_paths(OsStr::new(&path)));
    std::env::join_paths(all).expect("no directory of PATH has a colon")
}
