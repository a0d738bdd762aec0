//! `sqtt extract`, as it is called.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use reader_support::{LLVMS, TWO_ARCHS, Workshop, file_of, fixture};

fn sqtt<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqtt")).arg("extract").args(arguments).output().unwrap()
}

/// The files of a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn the_code_objects_of_a_program_are_what_llvm_takes_out() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for compress in ["", "--offload-compress"] {
            let name = format!("a{compress}.out");
            let path =
                workshop.hip(&name, &format!("{TWO_ARCHS} --no-offload-new-driver -fuse-cuid=none -DMAIN {compress}"));
            let directory = tempfile::tempdir().unwrap();
            let output = sqtt([path.as_os_str(), OsStr::new("-o"), directory.path().as_os_str()]);
            assert!(output.status.success(), "{output:?}");
            let written = files(directory.path());
            let names = [format!("{name}.0.gfx1100.co"), format!("{name}.1.gfx942.co")];
            assert_eq!(written.keys().collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
            let listed = String::from_utf8(output.stdout).unwrap();
            assert!(listed.contains("\t.hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942\n"), "{listed}");
            for arch in ["gfx942", "gfx1100"] {
                let alone = workshop.hip(
                    "alone.co",
                    &format!("--offload-arch={arch} --cuda-device-only --no-gpu-bundle-output -fuse-cuid=none -DMAIN"),
                );
                let ours = written.iter().find(|(name, _)| name.contains(arch)).unwrap().1;
                assert!(ours == &std::fs::read(alone).unwrap(), "LLVM {llvm}, {arch} {compress}");
            }
        }
    }
}

#[test]
fn one_target_is_chosen_and_keeps_its_number() {
    let workshop = Workshop::new(22);
    let path = workshop.hip("a.hipfb", &format!("{TWO_ARCHS} --cuda-device-only"));
    let directory = workshop.path("not/yet/there");
    let call = |arch: &str| sqtt([path.to_str().unwrap(), "-o", directory.to_str().unwrap(), arch]);
    assert_eq!(call("--arch=gfx942").status.code(), Some(0));
    assert_eq!(files(&directory).keys().collect::<Vec<_>>(), ["a.hipfb.1.gfx942.co"]);
    // Again, and nothing changes.
    assert_eq!(call("--arch=gfx942").status.code(), Some(0));
    let none = call("--arch=gfx90a");
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8(none.stderr).unwrap().contains("no code object for gfx90a"));
}

#[test]
fn what_is_there_already_is_never_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let taken = directory.path().join("gfx942.co.0.gfx942.co");
    std::fs::write(&taken, "mine").unwrap();
    let output = sqtt([fixture("gfx942.co").as_os_str(), OsStr::new("-o"), directory.path().as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("there already with other contents"));
    assert_eq!(std::fs::read(taken).unwrap(), b"mine");
}

#[test]
fn a_damaged_file_gives_what_can_be_read_and_status_2() {
    let workshop = Workshop::new(22);
    let path = workshop.hip("a.hipfb", &format!("{TWO_ARCHS} --cuda-device-only"));
    let bytes = std::fs::read(path).unwrap();
    let file = file_of(&bytes[..bytes.len() - 8]);
    let directory = tempfile::tempdir().unwrap();
    let output = sqtt([file.path().as_os_str(), OsStr::new("-o"), directory.path().as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("sqtt: error: "));
    assert_eq!(files(directory.path()).len(), 1);
    let none = sqtt(["no/such/file", "-o", directory.path().to_str().unwrap()]);
    assert_eq!(none.status.code(), Some(2));
}
