//! What calls of `markers.hpp` become in device code while markers are on.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;

use std::path::{Path, PathBuf};

use llvm::{Llvm, failure, releases, success};

const ARCHS: [&str; 3] = ["gfx942", "gfx1100", "gfx1201"];

const NUMERIC: &str = r#"
#include "markers.hpp"
__attribute__((global)) void kernel(unsigned *out, unsigned count) {
  sqtt_marker_enter(5);
  sqtt_marker_point(1000u);
  out[count] = 1;
  sqtt_marker_exit(5);
}
"#;

const NAMED: &str = r#"
#include "markers.hpp"
__attribute__((global)) void kernel(unsigned *out, unsigned count) {
  sqtt_marker_enter("load");
  sqtt_marker_point("half");
  sqtt_marker_data("rows", count);
  out[count] = 1;
  sqtt_marker_exit("load");
}
"#;

fn write(directory: &Path, source: &str) -> PathBuf {
    let path = directory.join("kernel.hip");
    std::fs::write(&path, source).expect("the temporary directory is writable");
    path
}

/// Runs `test` on every release and arch with the path of `source` and a path for the output.
fn everywhere(source: &str, test: impl Fn(&Llvm, &str, &Path, &Path)) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let input = write(directory.path(), source);
    let output = directory.path().join("kernel.out");
    for llvm in &releases() {
        for arch in ARCHS {
            test(llvm, arch, &input, &output);
        }
    }
}

fn code_object(llvm: &Llvm, arch: &str, input: &Path, output: &Path, flags: &[&str]) -> Vec<String> {
    let mut clang = llvm.device_clang(arch);
    success(clang.args(["-O2", "-DSQTT_ENABLED=1"]).args(flags).arg(input).arg("-o").arg(output));
    llvm.instructions(output)
}

fn ir(llvm: &Llvm, arch: &str, input: &Path) -> String {
    let mut clang = llvm.device_clang(arch);
    let output =
        success(clang.args(["-O2", "-DSQTT_ENABLED=1", "-S", "-emit-llvm"]).arg(input).arg("-o").arg("/dev/stdout"));
    String::from_utf8(output.stdout).expect("clang writes UTF-8")
}

/// What was moved to M0 before each `s_ttracedata`.
fn traced(instructions: &[String]) -> Vec<&str> {
    let mut m0 = "";
    let mut words = Vec::new();
    for instruction in instructions {
        if let Some(("s_mov_b32" | "s_movk_i32", source)) = instruction.split_once(" m0, ") {
            m0 = source;
        } else if instruction == "s_ttracedata" {
            words.push(m0);
        }
    }
    words
}

#[test]
fn numbers_write_the_documented_words_without_the_plugin() {
    everywhere(NUMERIC, |llvm, arch, input, output| {
        let code = code_object(llvm, arch, input, output, &[]);
        assert_eq!(traced(&code), ["22", "0xfa0", "1"], "LLVM {} {arch}", llvm.major);
    });
}

#[test]
fn numbers_work_at_o0() {
    everywhere(NUMERIC, |llvm, arch, input, output| {
        let code = code_object(llvm, arch, input, output, &["-O0"]);
        let traces = code.iter().filter(|code| *code == "s_ttracedata").count();
        assert_eq!(traces, 3, "LLVM {} {arch}", llvm.major);
    });
}

#[test]
fn a_number_that_differs_between_lanes_is_read_from_the_first_one() {
    let source = NUMERIC.replace("1000u", "__builtin_amdgcn_workitem_id_x()");
    everywhere(&source, |llvm, arch, input, output| {
        let code = code_object(llvm, arch, input, output, &[]);
        let read = code.iter().position(|code| code.starts_with("v_readfirstlane_b32"));
        let moved = code.iter().position(|code| code.starts_with("s_mov_b32 m0, s"));
        assert!(read.is_some() && read < moved, "LLVM {} {arch}: {code:#?}", llvm.major);
        assert_eq!(traced(&code).len(), 3, "LLVM {} {arch}", llvm.major);
    });
}

#[test]
fn numbers_are_between_scheduling_barriers() {
    everywhere(NUMERIC, |llvm, arch, input, _| {
        let ir = ir(llvm, arch, input);
        let calls: Vec<&str> = ir.lines().filter(|line| line.contains("call void @llvm.amdgcn.s")).collect();
        let is_barrier = |line: &str| line.contains("sched.barrier(i32 0)");
        let traces: Vec<usize> = (0..calls.len()).filter(|&at| calls[at].contains("s.ttracedata")).collect();
        assert_eq!(traces.len(), 3, "LLVM {} {arch}: {calls:#?}", llvm.major);
        for at in traces {
            assert!(is_barrier(calls[at - 1]) && is_barrier(calls[at + 1]), "LLVM {} {arch}: {calls:#?}", llvm.major);
        }
    });
}

#[test]
fn a_marker_belongs_to_the_line_of_its_call() {
    everywhere(NUMERIC, |llvm, arch, input, output| {
        code_object(llvm, arch, input, output, &["-g"]);
        let listing = success(llvm.tool("llvm-objdump").args(["-d", "-l"]).arg(output));
        let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
        assert!(!listing.contains("markers.hpp"), "LLVM {} {arch}: {listing}", llvm.major);
        assert!(listing.contains("kernel.hip:4\n"), "LLVM {} {arch}: {listing}", llvm.major);
    });
}

#[test]
fn names_are_calls_of_sentinels_with_the_literal() {
    everywhere(NAMED, |llvm, arch, input, _| {
        let ir = ir(llvm, arch, input);
        for (at, sentinel) in ["enter", "point", "data", "exit"].into_iter().enumerate() {
            let label = ["@.str ", "@.str.1 ", "@.str.2 ", "@.str "][at];
            let call = format!("call void @__sqtt_named_marker_{sentinel}(ptr noundef addrspacecast");
            let line = ir.lines().find(|line| line.contains(&call));
            assert!(line.is_some_and(|line| line.contains(label)), "LLVM {} {arch} {sentinel}: {ir}", llvm.major);
        }
        assert!(!ir.contains("s.ttracedata"), "LLVM {} {arch}: {ir}", llvm.major);
    });
}

#[test]
fn a_name_without_the_plugin_is_a_link_error_that_names_the_sentinel() {
    everywhere(NAMED, |llvm, arch, input, output| {
        let mut clang = llvm.device_clang(arch);
        let said = failure(clang.args(["-O2", "-DSQTT_ENABLED=1"]).arg(input).arg("-o").arg(output));
        for sentinel in ["enter", "exit", "point", "data"] {
            let symbol = format!("symbol: __sqtt_named_marker_{sentinel}\n");
            assert!(said.contains("undefined") && said.contains(&symbol), "LLVM {} {arch}: {said}", llvm.major);
        }
    });
}

/// Equal calls at the ends of both arms would otherwise become one call whose label is no literal.
#[test]
fn names_in_two_arms_of_a_branch_stay_two_calls() {
    let source = r#"
#include "markers.hpp"
__attribute__((global)) void kernel(unsigned *out, unsigned count) {
  if (count > 3) { sqtt_marker_enter("a"); out[0] = 1; sqtt_marker_exit("a"); }
  else           { sqtt_marker_enter("b"); out[0] = 2; sqtt_marker_exit("b"); }
}
"#;
    everywhere(source, |llvm, arch, input, _| {
        let ir = ir(llvm, arch, input);
        let literals = ir.lines().filter(|line| line.contains("call void @__sqtt") && line.contains("@.str")).count();
        assert_eq!(literals, 4, "LLVM {} {arch}: {ir}", llvm.major);
    });
}
