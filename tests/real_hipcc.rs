//! The driver in front of a real hipcc, on programs that include HIP's own headers.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::path::Path;
use std::process::Command;

use llvm::{Llvm, failure, releases, success};
use real::{bare, compile, driver, example, hipcc, map};

const ARCHS: [&str; 2] = ["gfx942", "gfx1100"];

/// `--offload-arch=` of every arch.
fn arch_flags() -> [String; 2] {
    ARCHS.map(|arch| format!("--offload-arch={arch}"))
}

/// Fails unless `file` holds, for every arch, a map of examples/reduction.hip with functions.
fn holds_reduction(llvm: &Llvm, file: &Path) {
    for arch in ARCHS {
        let rows = map(llvm, file, arch);
        let count =
            |start: &str, end: &str| rows.iter().filter(|row| row.starts_with(start) && row.ends_with(end)).count();
        let context = format!("LLVM {} {arch} in {}: {rows:#?}", llvm.major, file.display());
        assert_eq!(count("K:_Z9reductionPKfPfj", ""), 1, "{context}");
        for function in ["_Z9block_sumPff", "_Z4sinef"] {
            let named =
                rows.iter().filter(|row| row.starts_with("F:") && row.contains(&format!(":{function}"))).count();
            assert_eq!(named, 1, "{function}: {context}");
        }
        for scope in ["reduction", "gather", "step"] {
            assert_eq!(count("U:", &format!(":{scope}")), 1, "{scope}: {context}");
        }
        assert_eq!(count("P:", ":reduced"), 1, "{context}");
    }
}

/// What the program prints where there is no GPU.
fn says_no_device(program: &Path) {
    let said = success(&mut Command::new(program)).stdout;
    assert!(said.starts_with(b"no device"), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn an_executable_for_two_archs_has_a_map_in_each_and_runs() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let program = directory.path().join("reduction");
        let mut driver = driver(&hipcc(llvm));
        compile(
            driver.arg("--sqtt-functions=10").args(arch_flags()).arg(example("reduction.hip")).arg("-o").arg(&program),
        );
        holds_reduction(llvm, &program);
        says_no_device(&program);
    }
}

#[test]
fn an_object_has_maps_and_links() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (object, program) = (directory.path().join("reduction.o"), directory.path().join("reduction"));
        let mut first = driver(&hipcc(llvm));
        first.arg("--sqtt-functions=10").args(arch_flags()).arg("-c").arg(example("reduction.hip"));
        compile(first.arg("-o").arg(&object));
        holds_reduction(llvm, &object);
        compile(driver(&hipcc(llvm)).arg("--sqtt-functions=10").arg(&object).arg("-o").arg(&program));
        holds_reduction(llvm, &program);
        says_no_device(&program);
    }
}

#[test]
fn a_shared_library_has_maps() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let library = directory.path().join("libreduction.so");
        let mut driver = driver(&hipcc(llvm));
        driver.arg("--sqtt-functions=10").args(arch_flags()).args(["-shared", "-fPIC"]);
        compile(driver.arg(example("reduction.hip")).arg("-o").arg(&library));
        holds_reduction(llvm, &library);
    }
}

#[test]
fn objects_of_both_examples_link_into_one_program() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut objects = Vec::new();
    for name in ["vector_add", "reduction"] {
        let object = directory.path().join(name).with_extension("o");
        let rename = format!("-Dmain={name}_main");
        let mut driver = driver(&hipcc(llvm));
        driver.args(["--offload-arch=gfx1100", "-c", &rename]).arg(example(name).with_extension("hip"));
        compile(driver.arg("-o").arg(&object));
        objects.push(object);
    }
    let main = directory.path().join("main.c");
    std::fs::write(&main, "int main(void) { return 0; }\n").expect("the temporary directory is writable");
    objects.push(directory.path().join("main.o"));
    compile(driver(&hipcc(llvm)).arg("-c").arg(&main).arg("-o").arg(&objects[2]));
    let program = directory.path().join("both");
    compile(driver(&hipcc(llvm)).args(&objects).arg("-o").arg(&program));
    success(&mut Command::new(&program));
    let reader = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["funcmap"]).arg(&program).output();
    let table = String::from_utf8(reader.expect("the reader starts").stdout).expect("the table is UTF-8");
    for name in ["_Z10vector_addPKfS0_Pfj", "_Z9reductionPKfPfj", "gather", "loaded"] {
        assert!(table.contains(name), "{name}: {table}");
    }
}

#[test]
fn a_warning_of_the_plugin_fails_no_build_with_werror() {
    const SOURCE: &str = "#include <hip/hip_runtime.h>\n#include \"markers.hpp\"\n\
        __global__ void early(unsigned *p) {\n  sqtt_marker_enter(\"work\");\n  if (*p)\n    return;\n  *p = 1;\n  \
        sqtt_marker_exit(\"work\");\n}\n";
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (input, object) = (directory.path().join("early.hip"), directory.path().join("early.o"));
        std::fs::write(&input, SOURCE).expect("the temporary directory is writable");
        let mut driver = driver(&hipcc(llvm));
        driver.args(["--offload-arch=gfx1100", "-O2", "-g", "-Werror", "-c"]).arg(&input).arg("-o").arg(&object);
        let said = String::from_utf8(success(&mut driver).stderr).expect("messages are UTF-8");
        assert!(
            said.contains("early.hip:5:") && said.contains("leaves scope `work` (opened at line 4) open"),
            "{said}"
        );
        let quiet = success(driver.arg("--sqtt-balance=off")).stderr;
        assert!(quiet.is_empty(), "{}", String::from_utf8_lossy(&quiet));
    }
}

#[test]
fn a_file_name_with_blanks_and_quotes_is_one_argument() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let input = directory.path().join("a \"b\" c.hip");
    let text = std::fs::read_to_string(example("reduction.hip")).expect("the example is there");
    std::fs::write(&input, text).expect("the temporary directory is writable");
    let output = directory.path().join("reduction.o");
    let mut driver = driver(&hipcc(llvm));
    driver.arg("--sqtt-functions=10").args(arch_flags()).arg("-c").arg(&input).arg("-o").arg(&output);
    compile(driver.arg(format!("-I{}/examples", real::ROOT)));
    holds_reduction(llvm, &output);
}

#[test]
fn an_error_of_the_compiler_is_passed_on_and_leaves_nothing() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let input = directory.path().join("wrong.hip");
    std::fs::write(&input, "#include <hip/hip_runtime.h>\n__global__ void k() { undeclared(); }\n")
        .expect("the temporary directory is writable");
    let output = directory.path().join("wrong.o");
    let run = |command: &mut Command| {
        command.args(["--offload-arch=gfx942", "-c"]).arg(&input).arg("-o").arg(&output);
        command.output().expect("the compiler starts")
    };
    let (ours, theirs) = (run(&mut driver(&hipcc(llvm))), run(&mut bare(&hipcc(llvm))));
    assert_eq!(ours.status.code(), theirs.status.code());
    assert_eq!(String::from_utf8_lossy(&ours.stderr), String::from_utf8_lossy(&theirs.stderr));
    assert!(!ours.status.success() && !output.exists());
}

/// Without the driver the same source does not link: its names need the plugin.
#[test]
fn the_bare_compiler_with_markers_on_does_not_link() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut bare = bare(&hipcc(llvm));
    bare.args(["--offload-arch=gfx942", "-DSQTT_ENABLED=1"]).arg(llvm::include_flag()).arg(example("reduction.hip"));
    let said = failure(bare.arg("-o").arg(directory.path().join("reduction")));
    assert!(said.contains("__sqtt_named_marker_enter"), "{said}");
}
