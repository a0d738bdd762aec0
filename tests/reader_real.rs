//! What a real hipcc writes behind the driver is read, and its maps are those that LLVM's own tools take out.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::path::Path;

use llvm::{releases, success};
use real::{driver, example, hipcc, map};
use sqtt_hipcc::code_object::{Contents, FileBytes, read};
use sqtt_hipcc::validate::{Expected, validate};

const ARCHS: [&str; 2] = ["gfx942", "gfx1100"];

/// The rows for `arch` as the reader finds them.
fn rows(contents: &Contents<'_>, arch: &str) -> Vec<String> {
    let mut found = contents.code_objects.iter().filter(|found| found.target().processor == arch);
    let funcmap = found.next().and_then(|found| found.funcmap()).expect("a map for each arch");
    assert!(found.next().is_none(), "two code objects for {arch}");
    funcmap.rows().map(ToString::to_string).collect()
}

/// Reads `file`, in which the validator must have nothing to say of any of the two code objects.
fn checked<T>(file: &Path, look: impl FnOnce(&Contents<'_>) -> T) -> T {
    let file_bytes = FileBytes::open(file).expect("the driver wrote it");
    let contents = read(file_bytes.bytes());
    let report = validate(file, &contents, &Expected::default());
    assert_eq!((report.code_objects, report.findings), (2, vec![]), "{}", file.display());
    look(&contents)
}

#[test]
fn every_form_of_one_program_has_the_same_maps() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let forms = [
            ("packed.o", vec!["-c", "--offload-compress"]),
            ("packed", vec!["--offload-compress"]),
            ("device.hipfb", vec!["--genco"]),
            ("linked", vec!["-fgpu-rdc"]),
        ];
        let mut seen = Vec::new();
        for (name, flags) in &forms {
            let file = directory.path().join(name);
            let mut driver = driver(&hipcc(llvm));
            driver.args(["--sqtt-functions=10", "-O2"]).args(ARCHS.map(|arch| format!("--offload-arch={arch}")));
            let output = success(driver.args(flags).arg(example("reduction.hip")).arg("-o").arg(&file));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!said.contains("sqtt-hipcc: warning"), "{name}: {said}");
            let found = checked(&file, |contents| {
                let packed = flags.contains(&"--offload-compress");
                assert!(contents.code_objects.iter().all(|found| found.offset().is_none() == packed), "{name}");
                ARCHS.map(|arch| rows(contents, arch))
            });
            if name.ends_with(".o") {
                assert_eq!(found, ARCHS.map(|arch| map(llvm, &file, arch)), "LLVM {} {name}", llvm.major);
            }
            seen.push(found);
        }
        // A link of device code inlines across units, so its map has rows of its own.
        let linked = seen.pop().expect("the last form");
        assert!(linked.iter().all(|rows| rows.iter().any(|row| row.starts_with("K:_Z9reduction"))), "{linked:?}");
        for (found, (name, _)) in seen.iter().zip(&forms) {
            assert_eq!(found, &seen[0], "LLVM {} {name}", llvm.major);
        }
    }
}
