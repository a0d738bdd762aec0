//! What is not GPU code leaves the driver as the bare compiler makes it, to the last byte.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{releases, success};
use real::{bare, driver, hipcc};
use sqtt_hipcc::plan::INCLUDE_PATH;

const C: &str = "#include <stdio.h>\nint twice(int x) { return 2 * x; }\nint main(void) { return printf(\"%d\\n\", twice(21)) < 0; }\n";
const CPP: &str = "#include <vector>\n#include <cstdio>\nint main() { std::vector<int> v(3, 14); std::printf(\"%d\\n\", v[0] * 3); }\n";

/// Runs both in `directory` with the same arguments and gives what each wrote to `output`.
fn both(hipcc: &Path, directory: &Path, arguments: &[&str], output: &str, cxx_as_hip: &str) -> [Vec<u8>; 2] {
    [driver(hipcc), bare(hipcc)].map(|mut command| {
        let path = directory.join(output);
        success(command.current_dir(directory).env("HIP_COMPILE_CXX_AS_HIP", cxx_as_hip).args(arguments));
        let bytes = std::fs::read(&path).expect("the compiler wrote its output");
        std::fs::remove_file(&path).expect("the output can go");
        bytes
    })
}

#[test]
fn plain_c_and_cpp_are_the_same_bytes() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join("plain.c"), C).expect("the temporary directory is writable");
        std::fs::write(directory.path().join("plain.cpp"), CPP).expect("the temporary directory is writable");
        let calls: [(&[&str], &str); 6] = [
            (&["-c", "plain.c", "-o", "plain.o"], "plain.o"),
            (&["-O2", "-g", "-c", "plain.c"], "plain.o"),
            (&["plain.c", "-o", "plain"], "plain"),
            (&["-c", "plain.cpp", "-o", "plain.o"], "plain.o"),
            (&["-O2", "-fPIC", "-shared", "plain.cpp", "-o", "plain.so"], "plain.so"),
            (&["-S", "-c", "plain.cpp", "-o", "plain.s"], "plain.s"),
        ];
        for (arguments, output) in calls {
            let [ours, theirs] = both(&hipcc(llvm), directory.path(), arguments, output, "0");
            assert!(ours == theirs, "LLVM {} {arguments:?}", llvm.major);
        }
    }
}

/// hipcc takes a `.cpp` for HIP unless told otherwise; one without device code has no map to check. The `-cuid` is given
/// since clang otherwise makes up the name of a symbol from all its arguments.
#[test]
fn cpp_that_is_compiled_as_hip_is_the_same_bytes() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join("plain.cpp"), CPP).expect("the temporary directory is writable");
        let arguments = ["--offload-arch=gfx942", "-cuid=0", "-c", "plain.cpp", "-o", "plain.o"];
        let [ours, theirs] = both(&hipcc(llvm), directory.path(), &arguments, "plain.o", "1");
        assert!(ours == theirs, "LLVM {}", llvm.major);
    }
}

const MARKED: &str = "#include <hip/hip_runtime.h>\n#include \"markers.hpp\"\n#include \"own.h\"\n\
    static __device__ int counter;\n\
    __global__ void k(int *p) { SQTT_SCOPE(\"all\"); *p = counter + OWN; }\n";

/// To compare with a build without markers, sources that have some must compile. Symbols of HIP are named after the words
/// of the command line, which stay as they are.
#[test]
fn what_is_switched_off_finds_the_headers_and_is_the_same_bytes() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let own = directory.path().join("own");
        std::fs::create_dir(&own).expect("the temporary directory is writable");
        std::fs::write(own.join("own.h"), "#define OWN 7\n").expect("the directory is writable");
        std::fs::write(directory.path().join("marked.hip"), MARKED).expect("the temporary directory is writable");
        let headers = Path::new(real::ROOT).join("headers");
        let found = std::env::join_paths([&own, &headers]).expect("no directory has a colon");
        let arguments = ["--offload-arch=gfx942", "-O2", "-c", "marked.hip", "-o", "marked.o"];
        let calls = [(driver(&hipcc(llvm)), own.into_os_string()), (bare(&hipcc(llvm)), found)];
        let [ours, theirs] = calls.map(|(mut command, include_path)| {
            command.env(INCLUDE_PATH, include_path).current_dir(directory.path()).args(arguments);
            if command.get_program() == env!("CARGO_BIN_EXE_sqtt-hipcc") {
                command.arg("--sqtt-off");
            }
            success(&mut command);
            std::fs::read(directory.path().join("marked.o")).expect("the compiler wrote its output")
        });
        assert!(ours == theirs, "LLVM {}", llvm.major);
    }
}

#[test]
fn queries_print_what_hipcc_prints() {
    for llvm in &releases() {
        let queries: [&[&str]; 6] = [
            &["--version"],
            &["--short-version"],
            &["--cxxflags", "--offload-arch=gfx942"],
            &["--ldflags"],
            &["-print-file-name=libc.so", "-x", "c", "--offload-arch=gfx942", "/dev/null"],
            &["-E", "-dM", "-x", "c++", "--offload-arch=gfx942", "/dev/null"],
        ];
        for query in queries {
            let [ours, theirs] = [driver(&hipcc(llvm)), bare(&hipcc(llvm))].map(|mut command| {
                let output = command.args(query).output().expect("the compiler starts");
                (output.status.code(), output.stdout, output.stderr)
            });
            assert!(ours == theirs, "LLVM {} {query:?}: {ours:?} {theirs:?}", llvm.major);
        }
    }
}

#[test]
fn any_of_the_compilers_can_be_the_real_one() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("plain.cpp"), CPP).expect("the temporary directory is writable");
    let compile = |command: &mut Command| -> Vec<u8> {
        let output: PathBuf = directory.path().join("plain.o");
        success(command.current_dir(directory.path()).args(["-c", "plain.cpp", "-o"]).arg(&output));
        std::fs::read(&output).expect("the compiler wrote its output")
    };
    let clang = llvm.tool("clang++").get_program().to_owned();
    let ours = compile(driver(Path::new("/nonexistent")).arg(format!("--sqtt-compiler={}", clang.to_string_lossy())));
    assert!(ours == compile(&mut llvm.tool("clang++")));
}
