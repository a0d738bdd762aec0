//! The predicted outputs, against what clang 19 and 22 really write.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sqtt_hipcc::invocation::{CommandLine, Origin, Output, Reading, Rules, predict};

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
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942:xnack-:sramecc+",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --no-offload-arch=gfx942 --offload-arch=gfx942",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942 --no-offload-arch=all",
        "--cuda-device-only --no-gpu-bundle-output ../a.hip --offload-arch=gfx942 --no-offload-arch=all --offload-arch=gfx90a",
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

/// Of each output: what it must have code for, and where that comes from.
fn wanted(line: &str, rules: Rules) -> Vec<(String, Origin)> {
    let arguments: Vec<OsString> = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
    let outputs = predict(&Reading::new(&CommandLine::read(&arguments, Path::new("/w"), "--sqtt-"), rules));
    outputs.into_iter().map(|output| (output.targets.join(" "), output.origin)).collect()
}

#[test]
fn targets_are_those_that_are_asked_for_and_not_taken_back() {
    use Origin::{Device, Host, Libraries};
    const HIPCC: Rules = Rules::Hipcc { cxx_is_hip: true };
    let two = "--offload-arch=gfx942 --amdgpu-target=gfx1100";
    for (line, targets, origin) in [
        ("-c a.hip".to_owned(), "", Host),
        (format!("-c a.hip {two}"), "gfx1100 gfx942", Host),
        (format!("-c a.hip {two} --no-offload-arch=gfx942"), "gfx1100", Host),
        (format!("-c a.hip {two} --no-offload-arch=gfx1100,gfx942"), "", Host),
        (format!("-c a.hip {two} --no-cuda-gpu-arch=all"), "", Host),
        ("-c a.hip --offload-arch=native,gfx90a:xnack-:sramecc+".to_owned(), "gfx90a:sramecc+:xnack-", Host),
        (format!("--cuda-device-only a.hip {two}"), "gfx1100 gfx942", Device),
        (format!("a.hip {two}"), "gfx1100 gfx942", Host),
        (format!("a.hip {two} -lm"), "gfx1100 gfx942", Libraries),
        (format!("a.hip {two} -Wl,-rpath,x"), "gfx1100 gfx942", Libraries),
        (format!("-c a.hip {two} -lm"), "gfx1100 gfx942", Host),
        (format!("-fgpu-rdc --hip-link a.o {two}"), "", Host),
    ] {
        for rules in [Rules::Clang, HIPCC] {
            assert_eq!(wanted(&line, rules), [(targets.to_owned(), origin)], "{line}");
        }
    }
    let each = wanted(&format!("--cuda-device-only --no-gpu-bundle-output a.hip {two}"), Rules::Clang);
    assert_eq!(each, [("gfx1100".to_owned(), Device), ("gfx942".to_owned(), Device)]);
    // hipcc collects architectures in front of what takes them back.
    let line = "-c a.hip --no-offload-arch=gfx942 --offload-arch=gfx942,gfx1100";
    assert_eq!(wanted(line, Rules::Clang), [("gfx1100 gfx942".to_owned(), Host)]);
    assert_eq!(wanted(line, HIPCC), [("gfx1100".to_owned(), Host)]);
}
