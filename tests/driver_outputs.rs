//! The predicted outputs, against what clang 19 and 22 really write.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sqtt_hipcc::invocation::{CommandLine, Output, Reading, Rules, predict};

mod llvm;

use llvm::Llvm;

/// A device function; a kernel would want the HIP headers.
const SOURCE: &str = "extern \"C\" __attribute__((device, used)) void f(int *p) { *p = 1; }\n";

fn predicted(line: &str) -> Vec<Output> {
    let arguments: Vec<OsString> = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
    predict(&Reading::new(&CommandLine::read(&arguments, Path::new("/w"), "--sqtt-"), Rules::Clang))
}

fn names(line: &str) -> Vec<PathBuf> {
    predicted(line).into_iter().map(|output| output.path).collect()
}

/// The files that `clang++ LINE` leaves in an empty directory whose parent holds the sources.
fn written(llvm: &Llvm, line: &str) -> BTreeSet<PathBuf> {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().join("cwd");
    fs_err::create_dir_all(dir.path().join("sub")).unwrap();
    fs_err::create_dir(&cwd).unwrap();
    for source in ["a.hip", "b.hip", "x.y.hip", "sub/c.hip", "plain", ".hidden.hip"] {
        fs_err::write(dir.path().join(source), SOURCE).unwrap();
    }
    let mut clang = llvm.tool("clang++");
    clang.args(["-nogpulib", "-nogpuinc", "-nostdlib", "-w"]).args(shlex::split(line).unwrap());
    llvm::success(clang.current_dir(&cwd));
    let entries = fs_err::read_dir(&cwd).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name()));
    entries.collect()
}

#[test]
fn prediction_is_what_clang_writes() {
    for line in [
        "-c ../a.hip ../b.hip",
        "-c ../x.y.hip ../sub/c.hip",
        "-c -x hip ../plain",
        "-c ../.hidden.hip",
        "-c ../a.hip -o 'x y.o'",
        "-c ../a.hip -ox.o",
        "-c ../a.hip --output=x.o",
        "-c ../a.hip -o first.o -o last.o",
        "-shared -fPIC ../a.hip",
        "-shared -fPIC ../a.hip ../b.hip -o libx.so",
        "-r ../a.hip",
        "--emit-static-lib ../a.hip",
        "--cuda-device-only ../a.hip ../x.y.hip",
        "--cuda-device-only -c ../a.hip --offload-arch=gfx942 --offload-arch=gfx1100",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942,gfx90a",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942:sramecc+:xnack- -c",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942,gfx90a --no-offload-arch=gfx90a",
        "--cuda-device-only -fgpu-rdc ../a.hip",
        "--cuda-device-only ../a.hip -o x.co",
    ] {
        for llvm in &llvm::releases() {
            let ours = predicted(line).into_iter().map(|output| output.path).collect();
            assert_eq!(written(llvm, line), ours, "LLVM {}: {line}", llvm.major);
        }
    }
}

#[test]
fn text_and_ir_and_host_code_are_not_looked_into() {
    for line in [
        "-S a.hip",
        "-S -emit-llvm a.hip",
        "-c -emit-llvm a.hip",
        "--cuda-device-only -S a.hip",
        "--cuda-device-only -c -fgpu-rdc a.hip",
        "-c -fgpu-rdc a.hip",
        "-fgpu-rdc --emit-static-lib a.hip -o liba.a",
        "-c -flto=thin a.hip",
        "-c --cuda-host-only a.hip",
        "-E a.hip",
        "-c a.hip -o -",
    ] {
        assert_eq!(names(line), Vec::<PathBuf>::new(), "{line}");
    }
}

#[test]
fn outputs_without_a_name_are_in_the_working_directory() {
    assert_eq!(names("-c sub/a.hip"), [Path::new("a.o")]);
    assert_eq!(names("a.hip"), [Path::new("a.out")]);
    assert_eq!(names("-flto a.hip"), [Path::new("a.out")]);
    assert_eq!(names("a.hip -o /elsewhere/x"), [Path::new("/elsewhere/x")]);
    assert_eq!(names("-c -x hip -"), [Path::new("-.o")]);
}

#[test]
fn only_hip_inputs_have_outputs_to_look_into() {
    assert_eq!(names("-c a.hip b.c"), [Path::new("a.o")]);
}

#[test]
fn a_link_with_other_objects_is_mixed() {
    let mixed = |line: &str| predicted(line)[0].mixed;
    assert!(mixed("b.o a.hip -o x"));
    assert!(mixed("a.hip libb.a"));
    assert!(!mixed("a.hip -lm -o x"));
    assert!(!mixed("b.o a.hip -c"));
}
