//! The device API under its other names: AMD's newer header in C and C++, and the path of AMD's decoder headers.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;

use std::path::Path;
use std::process::Command;

use llvm::{failure, include_flag, releases, success};

const CALLS: &str = r#"
#include <amd_sqtt_marker/sqtt_marker.h>
#include <amd_sqtt_marker/sqtt_marker.h>
void use(unsigned id);
void use(unsigned id) {
  sqtt_marker_enter("scope");
  sqtt_marker_point("point");
  sqtt_marker_data("data", id);
  sqtt_marker_point_id(7);
  sqtt_marker_enter_id(9);
  sqtt_marker_exit_id(id);
  sqtt_marker_exit((const char *)0);
}
"#;

const STATES: [&str; 6] = [
    "-USQTT_ENABLED",
    "-DSQTT_ENABLED=0",
    "-DSQTT_ENABLED=1",
    "-DAMD_SQTT_MARKER_ENABLE=0",
    "-DAMD_SQTT_MARKER_ENABLE",
    "-DAMD_SQTT_MARKER_ENABLE=1",
];

fn host_compilers() -> Vec<Command> {
    let mut compilers: Vec<Command> = releases().iter().map(|llvm| llvm.tool("clang")).collect();
    compilers.push(Command::new("gcc"));
    compilers
}

fn write(directory: &Path, name: &str, text: &str) -> std::path::PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, text).expect("the temporary directory is writable");
    path
}

#[test]
fn host_code_in_c_and_cpp_takes_the_newer_header_on_and_off() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = write(directory.path(), "calls.c", CALLS);
    for (language, standards) in
        [("c", ["-std=c99", "-std=c11", "-std=gnu17"]), ("c++", ["-std=c++11", "-std=c++17", "-std=c++20"])]
    {
        for standard in standards {
            for state in STATES {
                for mut compiler in host_compilers() {
                    compiler.args(["-x", language, standard, state, "-fsyntax-only", &include_flag()]).arg(&path);
                    success(compiler.args(["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror"]));
                }
            }
        }
    }
}

/// Side effects stand in the arguments: off, nothing of them is left, and for the host they are all that is.
#[test]
fn calls_that_are_off_leave_nothing_and_calls_of_the_host_only_their_arguments() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let object = directory.path().join("calls.o");
    let path = write(
        directory.path(),
        "effects.c",
        "#include <amd_sqtt_marker/sqtt_marker.h>\nextern unsigned effect(void);\nvoid use(void);\n\
         void use(void) { sqtt_marker_point_id(effect()); sqtt_marker_data(\"data\", effect()); }\n",
    );
    for (state, effects) in [("-USQTT_ENABLED", 0), ("-DAMD_SQTT_MARKER_ENABLE=1", 2)] {
        for language in ["c", "c++"] {
            for mut compiler in host_compilers() {
                compiler.args(["-x", language, "-O1", state, "-c", &include_flag()]).arg(&path).arg("-o").arg(&object);
                success(&mut compiler);
                let listing = success(releases()[1].tool("llvm-objdump").args(["-dr"]).arg(&object)).stdout;
                let listing = String::from_utf8_lossy(&listing).into_owned();
                let calls = listing.lines().filter(|line| line.contains("R_X86_64") || line.contains("R_AARCH64"));
                assert_eq!(
                    calls.filter(|line| line.contains("effect")).count(),
                    effects,
                    "{state} {language}: {listing}"
                );
            }
        }
    }
}

/// As with `markers.hpp`: readers ignore the reserved id, and the exit behind it closed another scope.
#[test]
fn a_constant_that_is_the_reserved_id_is_refused_in_every_language() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, calls: &str| {
        let text =
            "#include <amd_sqtt_marker/sqtt_marker.h>\nvoid use(unsigned n);\nvoid use(unsigned n) {\n(void)n;\n";
        write(directory.path(), name, &format!("{text}{calls}\n}}\n"))
    };
    let refused = file(
        "refused",
        "sqtt_marker_enter_id(0);\nsqtt_marker_point_id(0);\nsqtt_marker_enter_id(1u << 30);\nsqtt_marker_point_id(1u << 31);",
    );
    let taken = file("taken", "sqtt_marker_exit_id(0);\nsqtt_marker_enter_id(1);\nsqtt_marker_point_id(n);");
    for llvm in &releases() {
        for language in ["c", "cl", "c++"] {
            let clang = |state: &str, path: &Path| {
                let mut clang = llvm.tool("clang");
                clang.args(["-x", language, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", state]);
                clang.args(["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror", &include_flag()]);
                clang.arg(path);
                clang
            };
            let said = failure(&mut clang("-DSQTT_ENABLED=1", &refused));
            for line in 5..9 {
                assert!(said.contains(&format!("refused:{line}:")), "{language}: {said}");
            }
            assert_eq!(said.matches("use 1 to 0x3fffffff").count(), 4, "{language}: {said}");
            success(&mut clang("-USQTT_ENABLED", &refused));
            success(&mut clang("-DSQTT_ENABLED=1", &taken));
        }
    }
}

#[test]
fn both_headers_go_together_in_either_order() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let headers = ["amd_sqtt_marker/sqtt_marker.h", "markers.hpp", "rocprof_trace_decoder/cxx/markers.hpp"];
    for first in headers {
        for second in headers {
            let text = format!(
                "#include <{first}>\n#include <{second}>\n__attribute__((global)) void kernel(unsigned *p) {{\n  \
                 SQTT_SCOPE(\"a\"); ::sqtt_marker_enter(5); *p = 1; ::sqtt_marker_exit(5);\n}}\n"
            );
            let path = write(directory.path(), "both.hip", &text);
            for llvm in &releases() {
                for state in STATES {
                    success(llvm.device_clang("gfx1201").args([state, "-fsyntax-only"]).arg(&path));
                }
            }
        }
    }
}

/// What AMD's documentation says to write.
#[test]
fn the_include_path_of_the_decoder_headers_has_the_device_api() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = write(
        directory.path(),
        "kernel.hip",
        "#include \"markers.hpp\"\n__attribute__((device)) void f() { sqtt_marker_point(1); }\n",
    );
    for llvm in &releases() {
        let mut clang = llvm.tool("clang++");
        clang.args([
            "-x",
            "hip",
            "--cuda-device-only",
            "-nogpuinc",
            "-nogpulib",
            "-fsyntax-only",
            "--offload-arch=gfx942",
        ]);
        success(clang.arg(format!("{}/rocprof_trace_decoder/cxx", include_flag())).arg(&path));
    }
}

/// The code in a header's first comment: the statements that stand in front of what they do.
fn documented(header: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("headers").join(header);
    let text = std::fs::read_to_string(path).expect("the header is there");
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    let statement = |line: &str| Some(format!("{};", line.strip_prefix("   ")?.split_once(';')?.0));
    lines.filter_map(statement).collect()
}

#[test]
fn what_the_headers_document_compiles_on_and_off() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (header, least) in [("markers.hpp", 5), ("amd_sqtt_marker/sqtt_marker.h", 7)] {
        let statements = documented(header);
        assert!(statements.len() >= least, "{header}: {statements:?}");
        let text = format!(
            "#include <{header}>\n__attribute__((global)) void kernel(unsigned count) {{\n{}\nstatic_cast<void>(count);\n}}\n",
            statements.join("\n")
        );
        let path = write(directory.path(), "documented.hip", &text);
        for llvm in &releases() {
            for state in STATES {
                success(llvm.device_clang("gfx942").args([state, "-fsyntax-only"]).arg(&path));
            }
        }
    }
}
