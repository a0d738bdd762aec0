//! Output paths of any bytes behind the real hipcc and the real clang, and the shell of hipcc that must not see some.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;
#[path = "fixtures/driver/support.rs"]
mod support;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use llvm::{Llvm, success};
use support::{Fake, stderr};

const KERNEL: &str = "struct dim3 { unsigned x, y, z; };\n\
    extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);\n\
    #include \"markers.hpp\"\n\
    __attribute__((global)) void k(int *p) { sqtt_marker_enter(\"load\"); *p = 1; sqtt_marker_exit(\"load\"); }\n";

/// Names that the real hipcc can write to.
fn odd_names() -> Vec<OsString> {
    let texts =
        ["a b.o", " .o", "it's.o", "a;touch pwned;.o", "a&b|c.o", "(a) <b>.o", "*?[a].o", "~.o", "#.o", "a\nb.o"];
    let mut names: Vec<OsString> = texts.map(OsString::from).into();
    names.push(OsString::from_vec(b"\xff\xfe\x01.o".to_vec()));
    names
}

/// Names that hipcc's shell would take apart.
const REFUSED: [&str; 5] = ["$(touch pwned).o", "`touch pwned`.o", "\";touch pwned;\".o", "$HOME.o", "a\\b.o"];

fn kernel_in(directory: &Path) {
    std::fs::write(directory.join("k.hip"), KERNEL).expect("the directory is writable");
}

/// Compiles to `name` with `compiler` behind the driver and looks at what is there afterwards.
fn writes(llvm: &Llvm, compiler: &Path, name: &OsStr) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    kernel_in(directory.path());
    let mut driver = real::driver(compiler);
    driver.current_dir(directory.path()).args(["--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-c", "k.hip", "-o"]);
    success(driver.arg(name));
    let there = std::fs::read_dir(directory.path()).expect("the directory is readable");
    let mut there: Vec<OsString> = there.map(|entry| entry.expect("it is readable").file_name()).collect();
    there.sort();
    let mut expected = vec![OsString::from("k.hip"), name.to_owned()];
    expected.sort();
    assert_eq!(there, expected, "{}", compiler.display());
    std::fs::rename(directory.path().join(name), directory.path().join("plain.o")).expect("it can be renamed");
    let rows = real::map(llvm, &directory.path().join("plain.o"), "gfx942");
    assert!(rows.iter().any(|row| row.ends_with(":load")), "{name:?}: {rows:?}");
}

#[test]
fn an_output_may_have_any_name_that_the_real_hipcc_can_write() {
    let llvm = Llvm::find(22);
    let hipcc = real::hipcc(&llvm);
    for name in odd_names() {
        writes(&llvm, &hipcc, &name);
    }
}

#[test]
fn an_output_of_clang_may_have_any_name() {
    let llvm = Llvm::find(22);
    let clang = llvm.tool("clang++").get_program().to_owned();
    for name in odd_names().into_iter().chain(REFUSED.map(OsString::from)) {
        writes(&llvm, Path::new(&clang), &name);
    }
}

/// What is refused here is what the bare hipcc does.
#[test]
fn a_path_cannot_run_a_command_in_hipccs_shell() {
    let llvm = Llvm::find(22);
    let hipcc = real::hipcc(&llvm);
    let directory = tempfile::tempdir().expect("a temporary directory");
    kernel_in(directory.path());
    let pwned = directory.path().join("pwned");
    let run = |mut command: std::process::Command, start: &[&str], path: &str| {
        command.current_dir(directory.path()).args(start).arg(path);
        command.output().expect("the compiler starts")
    };
    run(real::bare(&hipcc), &["-c", "k.hip", "-o"], REFUSED[0]);
    assert!(pwned.exists(), "hipcc is no danger any more");
    std::fs::remove_file(&pwned).expect("it can go");
    for path in REFUSED {
        for start in [&["-c", "k.hip", "-o"][..], &["k.o", "-o"], &["--version", "-o"], &["-Xlinker", "-o"]] {
            let output = run(real::driver(&hipcc), start, path);
            assert_eq!(output.status.code(), Some(125), "{start:?} {path}");
            assert!(stderr(&output).contains("to a shell between double quotes"), "{}", stderr(&output));
            assert!(!pwned.exists(), "{start:?} {path}");
        }
    }
}

#[test]
fn what_hipcc_quotes_or_does_not_read_so_is_not_refused() {
    let fake = Fake::hipcc();
    for words in [&["-c", "a.hip", "-o$(x)"][..], &["-c", "$(x).hip"], &["-c", "a.hip", "-o", "a.o", "-DX=$(x)"]] {
        assert!(
            fake.record(fake.driver().args(words))
                .arguments()
                .ends_with(&words.iter().map(OsString::from).collect::<Vec<_>>())
        );
    }
    // The second is the first one's value.
    fake.record(fake.driver().args(["-c", "a.hip", "-o", "-o", "$(x)"]));
    let clang = Fake::named("clang++");
    clang.record(clang.driver().args(["-c", "a.hip", "-o", "$(x)"]));
}
