//! `sqtt flamegraph`, `summary` and `records`, as they are called.

#![allow(clippy::unwrap_used)]

mod support;
mod trace_support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use support::Sandbox;
use trace_support::{EXIT, Trace, enter};

const SLOT: [u8; 3] = [1, 0, 0];
const MAP: &str = "U:1:outer\nU:2:inner\n";

fn sample(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/trace").join(format!("e2e_{target}"))
}

/// Runs `sqtt` in an empty directory of its own.
fn sqtt<A: AsRef<OsStr>>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = A>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    command.args(arguments).current_dir(sandbox.path("")).env("PATH", sandbox.path("bin")).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Status, standard output and standard error.
fn call(sandbox: &Sandbox, command: &str, path: &Path, flags: &[&str]) -> (i32, String, String) {
    let arguments = [OsStr::new(command), path.as_os_str()].into_iter().chain(flags.iter().map(OsStr::new));
    let output = sqtt(sandbox, arguments);
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn trace(values: &[(i64, u32)]) -> Trace {
    Trace::new().map(7, MAP).kernel(1, "7 / 0x100").wave(0, SLOT, [0, 1000], 1).values(0, SLOT, values).write()
}

const NESTED: [(i64, u32); 4] = [(10, enter(1)), (20, enter(2)), (30, EXIT), (40, EXIT)];
const FOLDED: &str = "code_object_7;7 / 0x100;outer 20\ncode_object_7;7 / 0x100;outer;inner 10\n";

#[test]
fn flamegraph_prints_folded_stacks_and_draws_them() {
    let sandbox = Sandbox::new();
    let folded = "code_object_2;k2;compute 96\ncode_object_2;k2;compute;helper(unsigned int, unsigned int) 240\n\
                  code_object_2;k2;load 128\n";
    let (status, out, errors) = call(&sandbox, "flamegraph", &sample("gfx942"), &["--demangle"]);
    assert_eq!((status, out.as_str(), errors.as_str()), (0, folded, ""));
    let picture = std::fs::read_to_string(sandbox.path("sqtt_flamegraph.svg")).unwrap();
    assert!(picture.contains("helper(unsigned int, unsigned int) (240 cycles, 51.72%)"), "{picture}");
    assert!(picture.trim_end().ends_with("</svg>"));
    let (status, ..) = call(&sandbox, "flamegraph", &sample("gfx942"), &["-o", "other.svg"]);
    assert_eq!((status, sandbox.path("other.svg").is_file()), (0, true));
}

#[test]
fn a_number_at_the_end_of_a_name_is_no_count() {
    let sandbox = Sandbox::new();
    let values = [(10, enter(1)), (20, EXIT), (30, enter(2)), (45, EXIT)];
    let trace = Trace::new().map(7, "U:1:phase 1\nU:2:phase 2\n").values(0, SLOT, &values).write();
    assert_eq!(call(&sandbox, "flamegraph", &trace.path(), &["-o", "a.svg"]).0, 0);
    let picture = std::fs::read_to_string(sandbox.path("a.svg")).unwrap();
    for frame in ["phase\u{a0}1 (10 cycles, 40.00%)", "phase\u{a0}2 (15 cycles, 60.00%)"] {
        assert!(picture.contains(frame), "{picture}");
    }
    let output = text(&sqtt(&sandbox, ["flamegraph".into(), "--diff".into(), trace.path(), trace.path()]).stdout);
    assert_eq!(output, "phase\u{a0}1 10 10\nphase\u{a0}2 15 15\n");
}

#[test]
fn several_directories_are_summed() {
    let sandbox = Sandbox::new();
    let (one, other) = (trace(&NESTED), trace(&NESTED));
    let output = sqtt(&sandbox, [OsStr::new("flamegraph"), one.path().as_os_str(), other.path().as_os_str()]);
    assert_eq!(text(&output.stdout), FOLDED.replace(" 20\n", " 40\n").replace(" 10\n", " 20\n"));
}

#[test]
fn a_difference_has_both_counts() {
    let sandbox = Sandbox::new();
    let (one, other) = (trace(&NESTED), trace(&[(10, enter(1)), (45, EXIT)]));
    let (before, after) = (one.path(), other.path());
    let words = [OsStr::new("flamegraph"), OsStr::new("--diff"), before.as_os_str(), after.as_os_str()];
    let output = sqtt(&sandbox, words);
    let expected = "code_object_7;7 / 0x100;outer 20 35\ncode_object_7;7 / 0x100;outer;inner 10 0\n";
    assert_eq!((text(&output.stdout).as_str(), text(&output.stderr).as_str()), (expected, ""));
    let picture = std::fs::read_to_string(sandbox.path("sqtt_flamegraph.svg")).unwrap();
    assert!(picture.contains("difference"), "{picture}");
    let (status, _, errors) = call(&sandbox, "flamegraph", &one.path(), &["--diff"]);
    assert_eq!((status, errors.contains("two directories")), (2, true), "{errors}");
}

#[test]
fn speedscope_gets_the_same_stacks() {
    let sandbox = Sandbox::new();
    let trace = trace(&NESTED);
    let (status, ..) = call(&sandbox, "flamegraph", &trace.path(), &["--speedscope=x.json"]);
    assert_eq!(status, 0);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(sandbox.path("x.json")).unwrap()).unwrap();
    let names = ["code_object_7", "7 / 0x100", "outer", "inner"].map(|name| json!({ "name": name }));
    assert_eq!(document["shared"]["frames"], json!(names));
    let profile = &document["profiles"][0];
    assert_eq!(profile["samples"], json!([[0, 1, 2], [0, 1, 2, 3]]));
    assert_eq!((&profile["weights"], &profile["endValue"]), (&json!([20, 10]), &json!(30)));
}

#[test]
fn show_opens_the_picture_with_what_the_desktop_has() {
    let sandbox = Sandbox::new();
    let trace = trace(&NESTED);
    let (status, out, errors) = call(&sandbox, "flamegraph", &trace.path(), &["--show"]);
    assert_eq!((status, out.as_str()), (2, FOLDED));
    assert!(errors.contains("no `xdg-open` on PATH\nsqtt: install xdg-utils"), "{errors}");
    let log = sandbox.path("log");
    sandbox.script("bin/xdg-open", &format!("echo \"$1\" > '{}'", log.display()));
    assert_eq!(call(&sandbox, "flamegraph", &trace.path(), &["--show", "-o", "a.svg"]).0, 0);
    assert_eq!(std::fs::read_to_string(log).unwrap(), "a.svg\n");
}

/// The status of the opener stood there twice, the second time behind what to do.
#[test]
fn an_opener_that_fails_is_told_once() {
    let sandbox = Sandbox::new();
    sandbox.script("bin/xdg-open", "exit 3");
    let (status, _, errors) = call(&sandbox, "flamegraph", &trace(&NESTED).path(), &["--show", "-o", "a.svg"]);
    assert_eq!(status, 2);
    let expected = "sqtt: error: cannot open `a.svg`: `xdg-open`: exit status: 3\nsqtt: open the file in a browser\n";
    assert!(errors.ends_with(expected), "{errors}");
}

/// Payloads were drawn as scopes, and nothing said why.
#[test]
fn a_trace_without_maps_says_what_is_missing() {
    let sandbox = Sandbox::new();
    let (status, _, errors) = call(&sandbox, "flamegraph", &Trace::new().values(0, SLOT, &NESTED).write().path(), &[]);
    assert_eq!(status, 0, "{errors}");
    let hint =
        "sqtt: without a map names are unknown, and payloads are taken for markers\nsqtt: put the `*_code_object_id_";
    assert!(errors.contains(hint), "{errors}");
    let (.., errors) = call(&sandbox, "flamegraph", &trace(&NESTED).path(), &[]);
    assert!(!errors.contains("without a map"), "{errors}");
}

#[test]
fn an_empty_trace_says_why_and_draws_nothing() {
    let sandbox = Sandbox::new();
    let privileged = sqtt_hipcc::trace::Record { flags: 2, value: 6, ..Default::default() };
    let cases: [(Trace, &[&str], &str); 8] = [
        (
            Trace::new().wave(0, [4, 0, 0], [0, 9], 0).values(0, SLOT, &[]),
            &[],
            "the files hold no records; waves ran on compute unit 4",
        ),
        (Trace::new().values(0, SLOT, &[]), &[], "the files hold no records, and no wave was seen"),
        (Trace::new().values(0, SLOT, &[(1, 400)]), &[], "no code object has a map"),
        (Trace::new().map(7, MAP).values(0, SLOT, &[(1, 400)]), &[], "no scope was entered; there are 1 points"),
        (Trace::new().map(7, MAP).records(0, &[privileged]), &[], "all records are those of the trap handler"),
        (Trace::new().values(0, SLOT, &NESTED), &["--cu=9"], "every record is of a wave that was not asked for"),
        (Trace::new().values(0, SLOT, &NESTED), &["--se=1"], "no record is of a shader engine that was asked for"),
        (Trace::new().values(0, SLOT, &NESTED), &["--dispatch=9"], "no directory is of a dispatch that was asked for"),
    ];
    for (trace, flags, why) in cases {
        let trace = trace.write();
        for command in ["flamegraph", "summary"] {
            let (status, out, errors) = call(&sandbox, command, &trace.path(), flags);
            assert_eq!((status, out.as_str()), (1, ""), "{why}");
            assert!(errors.contains(&format!("sqtt: error: {why}")), "{why}: {errors}");
        }
        assert!(!sandbox.path("sqtt_flamegraph.svg").exists(), "{why}");
        // A script that reads the document need not ask first.
        let (status, out, _) = call(&sandbox, "summary", &trace.path(), &[flags, &["--json"]].concat());
        assert_eq!((status, serde_json::from_str(&out).ok()), (1, Some(json!({ "scopes": [] }))), "{why}: {out}");
    }
    let (status, _, errors) = call(&sandbox, "flamegraph", &sandbox.path(""), &[]);
    assert_eq!((status, errors.contains("no `shaderdata_*.json` in")), (2, true), "{errors}");
    let (status, _, errors) = call(&sandbox, "flamegraph", &sandbox.path("none"), &[]);
    let is_told = errors.contains("none`") && errors.contains("\nsqtt: pass the directory that");
    assert_eq!((status, is_told), (2, true), "{errors}");
}

#[test]
fn what_is_wrong_is_counted_and_strict_makes_it_an_error() {
    let sandbox = Sandbox::new();
    let trace = trace(&[(1, EXIT), (2, EXIT), (10, enter(1))]);
    for command in ["flamegraph", "summary", "records"] {
        let (status, _, errors) = call(&sandbox, command, &trace.path(), &[]);
        let warnings = "sqtt: warning: 2 exit markers without an open scope\n\
                        sqtt: warning: 1 scope cut at the end of its wave\n\
                        sqtt: warning: 1 wave that closes more than it opens, so that records may be lost\n";
        assert_eq!((status, errors.as_str()), (0, warnings), "{command}");
        let (status, out, errors) = call(&sandbox, command, &trace.path(), &["--strict"]);
        assert_eq!((status, errors), (1, warnings.replace("warning", "error")), "{command}");
        assert!(!out.is_empty());
    }
}

#[test]
fn summary_counts_calls_and_their_times() {
    let sandbox = Sandbox::new();
    // Outer within itself, and one that the wave's end cuts at 1000.
    let values = [(10, enter(1)), (20, enter(1)), (25, EXIT), (30, enter(2)), (60, EXIT), (110, EXIT), (990, enter(2))];
    let trace = trace(&values);
    let (status, out, _) = call(&sandbox, "summary", &trace.path(), &["--json", "--per-cu"]);
    assert_eq!(status, 0);
    let document: Value = serde_json::from_str(&out).unwrap();
    let row = |name: &str, calls: u32, cut: u32, times: [u32; 6]| {
        json!({ "kernel": "7 / 0x100", "se": 0, "cu": 1, "scope": name, "kind": "user", "location": null,
                "calls": calls, "cut": cut, "self_cycles": times[0], "total_cycles": times[1], "min_cycles": times[2],
                "p50_cycles": times[3], "p99_cycles": times[4], "max_cycles": times[5] })
    };
    let rows = [row("outer", 2, 0, [70, 100, 5, 5, 100, 100]), row("inner", 2, 1, [40, 40, 30, 30, 30, 30])];
    assert_eq!(document["scopes"], json!(rows));
    let (_, out, _) = call(&sandbox, "summary", &trace.path(), &["--csv"]);
    let csv = "kernel,se,cu,scope,kind,location,calls,cut,self_cycles,total_cycles,min_cycles,p50_cycles,p99_cycles,max_cycles\n\
               7 / 0x100,,,outer,user,,2,0,70,100,5,5,100,100\n7 / 0x100,,,inner,user,,2,1,40,40,30,30,30,30\n";
    assert_eq!(out, csv);
}

#[test]
fn a_kernel_that_is_not_known_has_no_name_in_a_summary() {
    let sandbox = Sandbox::new();
    let trace = Trace::new().map(7, MAP).values(0, SLOT, &NESTED).write();
    let (_, out, _) = call(&sandbox, "summary", &trace.path(), &["--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["scopes"][0].get("kernel"), Some(&Value::Null), "{document:#}");
    let (_, out, _) = call(&sandbox, "summary", &trace.path(), &["--csv"]);
    assert!(out.lines().nth(1).unwrap().starts_with(",,,"), "{out}");
    let (_, out, _) = call(&sandbox, "summary", &trace.path(), &[]);
    assert!(out.starts_with("unknown kernel\n"), "{out}");
}

#[test]
fn summary_is_a_table_each_kernel() {
    let sandbox = Sandbox::new();
    let (_, out, _) = call(&sandbox, "summary", &sample("gfx942"), &["--demangle"]);
    let table = "\
k2
     calls    cut    self cycles   total cycles        min        p50        p99        max  scope
         2      0            240            240        120        120        120        120  helper(unsigned int, unsigned int)  @ k2.hip:13
         2      0            128            128         64         64         64         64  load
         2      0             96            336        168        168        168        168  compute
";
    assert_eq!(out, table);
    let (_, out, _) = call(&sandbox, "summary", &sample("gfx942"), &["--per-cu"]);
    assert!(out.starts_with("k2, SE 0, CU 1\n"), "{out}");
}

#[test]
fn records_are_json_lines() {
    let sandbox = Sandbox::new();
    let (status, out, _) = call(&sandbox, "records", &sample("gfx942"), &[]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((status, lines.len()), (0, 276));
    let first = json!({ "dispatch": 1, "cycles": 140, "se": 0, "cu": 1, "simd": 0, "wave": 0, "instance": 0, "kernel": "k2",
                        "value": 6, "flags": 0, "role": "marker", "id": 1, "enter": true, "exit": false, "kind": "user",
                        "name": "load", "depth": 0 });
    assert_eq!(lines[0], first);
    let payload = lines.iter().filter(|line| line["role"] == "payload" && line["name"] == "addr_trace_store");
    assert_eq!(payload.count(), 2 * 130);
}

#[test]
fn without_a_record_that_was_asked_for_records_say_so() {
    let sandbox = Sandbox::new();
    for (flag, why) in [("--cu=9", "every record is of a wave that was not asked for"), ("--se=1", "no record is of a")]
    {
        let (status, out, errors) = call(&sandbox, "records", &trace(&NESTED).path(), &[flag]);
        assert_eq!((status, out.as_str()), (1, ""));
        assert!(errors.starts_with(&format!("sqtt: error: {why}")), "{errors}");
    }
    let (status, _, errors) = call(&sandbox, "records", &trace(&NESTED).path(), &["--cu=7-4"]);
    assert_eq!((status, errors.contains("`7-4` holds no number; write `4-7`")), (2, true), "{errors}");
}

#[test]
fn files_are_replaced_whole_or_stay() {
    let sandbox = Sandbox::new();
    let trace = trace(&NESTED);
    // Who has the earlier file open still reads that.
    for (name, flags) in [("a.svg", ["-o", "a.svg"]), ("a.json", ["-o=b.svg", "--speedscope=a.json"])] {
        std::fs::write(sandbox.path(name), "earlier").unwrap();
        std::fs::hard_link(sandbox.path(name), sandbox.path("earlier").with_extension(name)).unwrap();
        assert_eq!(call(&sandbox, "flamegraph", &trace.path(), &flags).0, 0);
        assert!(std::fs::read_to_string(sandbox.path(name)).unwrap().len() > 100);
        assert_eq!(std::fs::read_to_string(sandbox.path("earlier").with_extension(name)).unwrap(), "earlier");
    }
    // Nothing was read, so nothing is written.
    std::fs::write(sandbox.path("headers"), "earlier").unwrap();
    let (status, _, errors) = call(&sandbox, "check", &sandbox.path(""), &["--repair=headers"]);
    assert_eq!(
        (status, std::fs::read_to_string(sandbox.path("headers")).unwrap().as_str()),
        (2, "earlier"),
        "{errors}"
    );
    let (status, _, errors) = call(&sandbox, "check", &trace.path(), &["--repair=."]);
    assert_eq!((status, errors.as_str()), (2, "sqtt: error: cannot write: `.`: is a directory\n"));
    for command in ["check", "annotate"] {
        let (status, _, errors) = call(&sandbox, command, Path::new("esc\u{1b}[2J"), &[]);
        let is_told = errors.contains("\\u{1b}[2J`") && errors.contains("\nsqtt: pass the directory that");
        assert_eq!((status, is_told, errors.contains('\u{1b}')), (2, true, false), "{errors}");
    }
}

#[test]
fn a_code_object_that_ends_early_is_not_disassembled() {
    let sandbox = Sandbox::new();
    let ran = sandbox.path("ran");
    let objdump = sandbox.script("objdump", &format!("#!/bin/sh\ntouch '{}'\n", ran.display()));
    let mut bytes = std::fs::read(sample("gfx942").join("4242_gfx942_code_object_id_2.out")).unwrap();
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (table, rows) = (word(&bytes, 40), usize::from(bytes[60]));
    // The header of the symbol table, type 2; at 32 is its size.
    let row = (0..rows).map(|row| table + row * 64).find(|row| bytes[row + 4..row + 8] == [2, 0, 0, 0]).unwrap();
    bytes[row + 32 + 4] = 0x9f;
    std::fs::write(sandbox.path("a.co"), bytes).unwrap();
    let flag = format!("--objdump={}", objdump.display());
    for (command, more) in [("verify", None), ("cost", None), ("diff", Some("a.co"))] {
        let flags: Vec<&str> = [flag.as_str()].into_iter().chain(more).collect();
        let (status, out, errors) = call(&sandbox, command, Path::new("a.co"), &flags);
        assert!(status > 0, "{command}: {out}{errors}");
        assert!(
            (out + &errors).contains("section `.symtab` reaches beyond the end of the file"),
            "{command}: {errors}"
        );
        assert!(!ran.exists(), "{command}");
    }
}

#[test]
fn every_message_is_explained() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/traces.md");
    let document = std::fs::read_to_string(document).unwrap();
    for kind in sqtt_hipcc::trace::Kind::ALL {
        let (_, several) = kind.words();
        assert!(document.contains(&format!("| {several} |")), "docs/traces.md does not explain `{several}`");
    }
}
