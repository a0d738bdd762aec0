//! Which calls of `markers.hpp` compile: on and off, host and device, every C++ standard, with and without HIP.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;

use std::path::PathBuf;
use std::process::Command;

use llvm::{failure, include_flag, releases, success};
use tempfile::TempDir;

/// Every kind of argument, from `__host__ __device__` code and from a kernel. No HIP header is included; the three
/// declarations are what clang itself wants of one for the host side of a kernel.
const ACCEPTED: &str = r#"
#include "markers.hpp"
#include "markers.hpp"
#define DEVICE __attribute__((device))
#define BOTH __attribute__((host, device))
typedef struct ihipStream_t *hipStream_t;
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, __SIZE_TYPE__, hipStream_t);
enum Plain { ONE = 1 };
enum class Strong : unsigned char { TWO = 2 };
struct Coordinate { BOTH operator unsigned() const { return 6; } };
struct Constants { static const int ID = 7; };
template <int A, int B> BOTH static inline int pick() { return A + B; }
BOTH static inline void both(unsigned n) {
  sqtt_marker_enter("both");
  sqtt_marker_enter(2);
  sqtt_marker_point(n);
  sqtt_marker_point(-1);
  sqtt_marker_point(1ull << 40 | 5);
  sqtt_marker_point(static_cast<short>(9));
  sqtt_marker_point('c');
  sqtt_marker_point(true);
  sqtt_marker_point(ONE);
  sqtt_marker_point(Strong::TWO);
  sqtt_marker_point(Coordinate());
  sqtt_marker_point(Constants::ID);
  sqtt_marker_point(pick<1, 2>());
  char buffer[2] = {'x', 0};
  sqtt_marker_point(buffer);
  sqtt_marker_data("data", 3);
  sqtt_marker_data("data", 1ull << 40);
  sqtt_marker_data("data", Strong::TWO);
  ::sqtt_marker_exit(0);
  SQTT_SCOPE("scope");
  SQTT_SCOPE(buffer);
  {
    SQTT_SCOPE(n);
    if (n) SQTT_SCOPE(ONE);
    SQTT_SCOPE(Strong::TWO);
  }
  SQTT_SCOPE(Coordinate());
  SQTT_SCOPE(pick<1, 2>());
  n ? sqtt_marker_exit("both") : sqtt_marker_exit(1u);
}
__attribute__((global)) void kernel(unsigned *out, unsigned count) {
  both(count);
  *out = count;
}
int main() { both(1); }
"#;

const STATES: [&str; 5] =
    ["-USQTT_ENABLED", "-DSQTT_ENABLED=0", "-DSQTT_ENABLED=", "-DSQTT_ENABLED", "-DSQTT_ENABLED=1"];
const STRICT: [&str; 7] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wundef", "-Wold-style-cast", "-Wunreachable-code"];

fn source(name: &str, text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("the temporary directory is writable");
    (directory, path)
}

/// Host compilers that see the header as plain C++.
fn host_compilers() -> Vec<Command> {
    let mut compilers: Vec<Command> = releases().iter().map(|llvm| llvm.tool("clang++")).collect();
    compilers.push(Command::new("g++"));
    compilers
}

#[test]
fn every_kind_of_argument_compiles_for_host_and_device() {
    let (_directory, path) = source("accepted.hip", ACCEPTED);
    for llvm in &releases() {
        for standard in ["-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20", "-std=c++23"] {
            for state in STATES {
                let mut clang = llvm.tool("clang++");
                clang.args(["-x", "hip", "-nogpuinc", "-nogpulib", "-fsyntax-only", standard, state]).args(STRICT);
                clang.args(["--offload-arch=gfx942", "--offload-arch=gfx1100", &include_flag()]).arg(&path);
                success(&mut clang);
            }
        }
    }
}

#[test]
fn device_code_is_generated_for_every_kind_of_argument() {
    let (directory, path) = source("accepted.hip", ACCEPTED);
    for llvm in &releases() {
        for level in ["-O0", "-O3"] {
            let mut clang = llvm.device_clang("gfx1100");
            let output = directory.path().join("accepted.o");
            success(clang.args(["-c", "-fgpu-rdc", "-DSQTT_ENABLED=1", level]).arg(&path).arg("-o").arg(&output));
        }
    }
}

#[test]
fn plain_cpp_compilers_take_the_header() {
    let (_directory, path) = source(
        "host.cpp",
        &ACCEPTED.replace("__attribute__((global))", "").replace("__attribute__((host, device))", ""),
    );
    for state in STATES {
        for mut compiler in host_compilers() {
            success(compiler.args(["-std=c++11", "-fsyntax-only", state, &include_flag()]).args(STRICT).arg(&path));
        }
    }
}

#[test]
fn what_is_neither_name_nor_number_is_rejected_on_and_off() {
    let text = "#include <string>\n#include \"markers.hpp\"\nvoid f() { CALL(ARGUMENT); }\n";
    let (_directory, path) = source("rejected.cpp", text);
    for argument in ["std::string(\"x\")", "static_cast<void *>(nullptr)", "L\"wide\"", "f"] {
        for state in ["-USQTT_ENABLED", "-DSQTT_ENABLED=1"] {
            for call in ["-DCALL=sqtt_marker_point", "-DCALL=SQTT_SCOPE"] {
                for mut compiler in host_compilers() {
                    let define = format!("-DARGUMENT={argument}");
                    compiler.args(["-std=c++11", "-fsyntax-only", state, call, &define, &include_flag()]).arg(&path);
                    let said = failure(&mut compiler);
                    assert!(said.contains("no matching function for call to"), "{argument} {state} {call}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_zero_is_a_number_and_no_null_name() {
    let (_directory, path) = source(
        "zero.hip",
        "#include \"markers.hpp\"\n__attribute__((device)) void f() { unsigned zero = 0; sqtt_marker_enter(zero);\n\
         sqtt_marker_point(zero); sqtt_marker_exit(0); }\n",
    );
    for llvm in &releases() {
        let mut clang = llvm.device_clang("gfx942");
        clang.args(["-DSQTT_ENABLED=1", "-O2", "-S", "-emit-llvm", "-fgpu-rdc"]).arg(&path).args(["-o", "/dev/stdout"]);
        let ir = String::from_utf8(success(&mut clang).stdout).expect("clang writes UTF-8");
        let words: Vec<&str> =
            ir.lines().filter_map(|line| line.split_once("s.ttracedata(i32 ")).map(|(_, rest)| rest).collect();
        assert!(words[0].starts_with("2)") && words[1].starts_with("0)") && words[2].starts_with("1)"), "{ir}");
        assert!(!ir.contains("__sqtt"), "{ir}");
    }
}

/// Statements, from line 6 on, of a template whose ID is 0.
fn in_a_template(statements: &[String]) -> String {
    format!(
        "#include \"markers.hpp\"\nenum Plain {{ NOTHING }};\n\
         struct Nothing {{ __attribute__((device)) constexpr operator unsigned() const {{ return 0; }} }};\n\
         const unsigned CONSTANT = 0;\ntemplate <unsigned ID> __attribute__((device)) void f() {{\n{}\n  (void)CONSTANT;\n}}\n\
         __attribute__((device)) void use() {{ f<0>(); }}\n",
        statements.join("\n")
    )
}

/// A scope with the reserved id opened nothing for a reader, and its exit closed the scope around it.
#[test]
fn a_constant_that_is_the_reserved_id_is_refused_where_it_would_be_traced() {
    let ids = ["0", "0ull", "1u << 30", "~0ull << 30", "false", "'\\0'", "NOTHING", "Nothing()", "CONSTANT", "ID"];
    let calls = ["sqtt_marker_enter", "::sqtt_marker_point", "SQTT_SCOPE"];
    let statements: Vec<String> =
        calls.iter().flat_map(|call| ids.iter().map(move |id| format!("{call}({id});"))).collect();
    let (_directory, path) = source("reserved.hip", &in_a_template(&statements));
    for llvm in &releases() {
        let mut clang = llvm.device_clang("gfx942");
        let said = failure(clang.args(["-fsyntax-only", "-DSQTT_ENABLED=1", "-ferror-limit=0"]).arg(&path));
        let errors: Vec<&str> = said.lines().filter(|line| line.contains(": error: ")).collect();
        for (index, statement) in statements.iter().enumerate() {
            let here: Vec<&&str> =
                errors.iter().filter(|error| error.contains(&format!("reserved.hip:{}:", index + 6))).collect();
            let [error] = here[..] else { panic!("{statement} with LLVM {}: {said}", llvm.major) };
            assert!(error.contains("use 1 to 0x3fffffff"), "{error}");
        }
        assert_eq!(errors.len(), statements.len(), "{said}");
        success(llvm.device_clang("gfx942").args(["-fsyntax-only", "-USQTT_ENABLED"]).arg(&path));
        let mut host = llvm.tool("clang++");
        host.args(["-x", "hip", "--cuda-host-only", "-nogpuinc", "-fsyntax-only", "-DSQTT_ENABLED=1"]);
        success(host.arg(include_flag()).arg(&path));
    }
}

#[test]
fn what_is_not_the_reserved_id_or_is_not_known_is_no_error() {
    let calls = [
        "sqtt_marker_exit(0);",
        "sqtt_marker_exit(ID);",
        "sqtt_marker_enter(1u << 30 | 1);",
        "sqtt_marker_point(0x3fffffff);",
        "sqtt_marker_enter(-1);",
        "SQTT_SCOPE(ID + 1);",
        "sqtt_marker_point(__builtin_amdgcn_workitem_id_x());",
    ];
    let (_directory, path) = source("free.hip", &in_a_template(&calls.map(str::to_owned)));
    for llvm in &releases() {
        success(llvm.device_clang("gfx942").args(["-fsyntax-only", "-DSQTT_ENABLED=1"]).arg(&path));
    }
}

#[test]
fn helper_macros_do_not_leave_the_header() {
    let (_directory, path) = source("macros.hip", "#include \"markers.hpp\"\n");
    for llvm in &releases() {
        for (state, left) in [
            (
                "-DSQTT_ENABLED=1",
                &["SQTT_ENABLED", "SQTT_MARKERS_HPP", "SQTT_SCOPE", "SQTT_SCOPE_JOIN_", "SQTT_SCOPE_NAME_"][..],
            ),
            (
                "-USQTT_ENABLED",
                &[
                    "SQTT_MARKERS_HPP",
                    "SQTT_SCOPE",
                    "sqtt_marker_data",
                    "sqtt_marker_enter",
                    "sqtt_marker_exit",
                    "sqtt_marker_point",
                ],
            ),
        ] {
            let output = success(llvm.device_clang("gfx942").args(["-E", "-dM", state]).arg(&path));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let name = |line: &str| line.split([' ', '(']).nth(1).map(str::to_owned);
            let mut names: Vec<String> =
                text.lines().filter_map(name).filter(|name| name.to_lowercase().contains("sqtt")).collect();
            names.sort();
            assert_eq!(names, left, "LLVM {} {state}", llvm.major);
        }
    }
}

#[test]
fn c_is_told_that_the_header_is_cpp() {
    let (_directory, path) = source("plain.c", "#include \"markers.hpp\"\n");
    for llvm in &releases() {
        let said = failure(llvm.tool("clang").args(["-fsyntax-only", &include_flag()]).arg(&path));
        assert!(said.contains("markers.hpp needs C++"), "{said}");
    }
}
