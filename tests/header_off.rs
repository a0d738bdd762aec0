//! Calls of `markers.hpp` cost nothing while markers are off.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;

use std::path::Path;

use llvm::{Llvm, releases, success};

/// One source in two: `MARK(...)` is a statement or nothing.
const SOURCE: &str = r#"
#include "markers.hpp"
#ifdef CALLS
#define MARK(...) __VA_ARGS__
#else
#define MARK(...)
#endif
__attribute__((device)) static unsigned twice(unsigned x) {
  MARK(sqtt_marker_point("twice");)
  return 2 * x;
}
__attribute__((global)) void kernel(unsigned *out, unsigned count) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  MARK(SQTT_SCOPE("whole");)
  MARK(sqtt_marker_enter("outer");)
  MARK(sqtt_marker_enter(count);)
  for (unsigned i = 0; i < count; i++) {
    MARK(sqtt_marker_data("payload", out[i]);)
    MARK(::sqtt_marker_point(3);)
    MARK(SQTT_SCOPE(lane);)
    if (lane > i) { MARK(sqtt_marker_point("a");) out[i] = twice(lane); }
    else { MARK(sqtt_marker_point("b");) out[i + 1] = lane; }
    MARK(lane & 1 ? sqtt_marker_enter(1) : sqtt_marker_exit("x");)
  }
  MARK((void)sqtt_marker_exit(0);)
  MARK(sqtt_marker_exit("outer");)
}
"#;

const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

fn compile(llvm: &Llvm, arch: &str, source: &str, directory: &Path, flags: &[&str]) -> Vec<u8> {
    let input = directory.join("kernel.hip");
    let output = directory.join("kernel.co");
    std::fs::write(&input, source).expect("the temporary directory is writable");
    success(llvm.device_clang(arch).args(flags).arg(&input).arg("-o").arg(&output));
    std::fs::read(&output).expect("clang wrote the code object")
}

#[test]
fn the_code_object_is_that_of_code_without_calls() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for llvm in &releases() {
        for arch in ["gfx942", "gfx1201"] {
            for level in LEVELS {
                let without = compile(llvm, arch, SOURCE, directory.path(), &[level]);
                for off in ["-USQTT_ENABLED", "-DSQTT_ENABLED=0", "-DSQTT_ENABLED="] {
                    let with = compile(llvm, arch, SOURCE, directory.path(), &[level, off, "-DCALLS"]);
                    assert!(with == without, "LLVM {} {arch} {level} {off}", llvm.major);
                }
            }
        }
    }
}

#[test]
fn debug_information_does_not_change_that() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for llvm in &releases() {
        for level in LEVELS {
            let without = compile(llvm, "gfx1100", SOURCE, directory.path(), &[level, "-g"]);
            let with = compile(llvm, "gfx1100", SOURCE, directory.path(), &[level, "-g", "-DCALLS"]);
            assert!(with == without, "LLVM {} {level}", llvm.major);
        }
    }
}

/// The documented trap: as with assert(), a side effect in an argument is there only while markers are on.
#[test]
fn arguments_are_not_evaluated() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = |argument: &str| {
        format!(
            "#include \"markers.hpp\"\n__attribute__((global)) void kernel(unsigned *out) {{ (void)out; sqtt_marker_point({argument}); }}"
        )
    };
    for llvm in &releases() {
        let compile = |argument: &str, flags: &[&str]| {
            let bytes = compile(llvm, "gfx1100", &source(argument), directory.path(), flags);
            let writes = |code: &String| code.starts_with("global_store") || code.starts_with("flat_store");
            (bytes, llvm.instructions(&directory.path().join("kernel.co")).iter().any(writes))
        };
        let (plain, _) = compile("0", &["-O2"]);
        let (effect, writes) = compile("(*out)++", &["-O2"]);
        assert!(plain == effect && !writes, "LLVM {}", llvm.major);
        let (_, writes) = compile("(*out)++", &["-O2", "-DSQTT_ENABLED=1"]);
        assert!(writes, "LLVM {}", llvm.major);
    }
}
