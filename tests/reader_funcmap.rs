//! `sqtt funcmap`, as it is called.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use reader_support::{LLVMS, Workshop, file_of, fixture};
use serde_json::{Value, json};

fn sqtt<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqtt")).arg("funcmap").args(arguments).output().unwrap()
}

/// Standard output of a call that has nothing to complain about.
fn table<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> String {
    let output = sqtt(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// Status and standard error.
fn complaint<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> (i32, String) {
    let output = sqtt(arguments);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

const GFX942: &str = "  Type        ID               Vaddr  Name
  ----       ---               -----  ----
  wave_size: 64
kernel         -  0x0000000000001700  k2  @ k2.hip:14
  user         1                   -  load
  user         2                   -  compute
 point         3                   -  barrier
  func         7  0x0000000000001600  _Z6helperjj  @ k2.hip:13
 point       900                   -  addr_trace_store  @ k2.hip:40  (130 payload records)
";

#[test]
fn a_code_object_prints_the_specs_table() {
    assert_eq!(table([fixture("gfx942.co")]), GFX942);
}

#[test]
fn demangle_changes_names_and_nothing_else() {
    let expected = GFX942.replace("_Z6helperjj", "helper(unsigned int, unsigned int)");
    assert_eq!(table([fixture("gfx942.co").as_os_str(), OsStr::new("--demangle")]), expected);
}

#[test]
fn each_code_object_of_a_program_is_headed_by_its_place_and_target() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.hip("a.out", "--offload-arch=gfx942 --offload-arch=gfx1100 --no-offload-new-driver -DMAIN");
        let text = table([&path]);
        let parts: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(parts.len(), 2, "{text}");
        for (part, arch) in parts.iter().zip(["gfx1100", "gfx942"]) {
            let lines: Vec<&str> = part.lines().collect();
            let heading = format!("{}: .hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--{arch}:", path.display());
            assert_eq!(lines[0], heading);
            assert!(lines[1].starts_with("  Type "), "{part}");
            assert!(lines[3].starts_with("kernel         -  0x0000000000"), "{part}");
            assert!(lines[3].ends_with("  _Z6kernelPi  @ kernel.hip:47"), "{part}");
            assert!(lines[4].starts_with("  func         1  0x0000000000"), "{part}");
            assert_eq!(lines[5], "  user         2                   -  load");
        }
    }
}

#[test]
fn headings_name_the_target_where_no_container_does() {
    let files = [fixture("gfx1100.co"), fixture("gfx942.co")];
    let text = table(&files);
    let headings: Vec<&str> = text.lines().filter(|line| line.ends_with(':')).collect();
    let expected = [(&files[0], "gfx1100"), (&files[1], "gfx942")]
        .map(|(path, arch)| format!("{}, amdgcn-amd-amdhsa--{arch}:", path.display()));
    assert_eq!(headings, expected);
}

/// The lines of the table of a gfx942 code object with this map, without its two head lines.
fn rows(map: &str, flags: &str) -> (Vec<String>, String) {
    let workshop = Workshop::new(22);
    let arch = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";
    let output = sqtt([workshop.hip_with_map("a.co", Some(map), &format!("{arch} {flags}"))]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().skip(2).map(str::to_owned).collect(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_function_without_a_symbol_is_inlined() {
    let (lines, _) = rows("F:1:_Z6inlinei@a.hip:3\\nF:2:_Z6helperi\\nK:_Z4nonev\\n\\0", "");
    assert_eq!(lines[0], "kernel         -                   -  _Z4nonev");
    assert_eq!(lines[1], "  func         1                   -  _Z6inlinei  @ a.hip:3  (inlined)");
    assert!(lines[2].starts_with("  func         2  0x") && lines[2].ends_with("  _Z6helperi"), "{lines:?}");
}

#[test]
fn without_a_symbol_table_nothing_is_said_to_be_inlined() {
    let workshop = Workshop::new(22);
    workshop.code_object("a.co", "gfx942", "");
    workshop.tool("llvm-strip", ["-s", "a.co", "-o", "stripped.co"]);
    let text = table([workshop.path("stripped.co")]);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert!(lines[0].starts_with("kernel         -  0x0"), "{text}");
    assert_eq!(lines[1], "  func         1                   -  _Z6helperi  @ kernel.hip:44");
}

#[test]
fn an_object_that_is_not_linked_has_no_addresses() {
    let workshop = Workshop::new(22);
    workshop.code_object("a.s", "gfx942", "-S");
    let target = ["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942"];
    workshop.tool("clang", target.iter().chain(&["-c", "a.s", "-o", "a.o"]));
    let text = table([workshop.path("a.o")]);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(lines[0], "kernel         -                   -  _Z6kernelPi  @ kernel.hip:47");
    assert_eq!(lines[1], "  func         1                   -  _Z6helperi  @ kernel.hip:44");
}

#[test]
fn rows_are_in_the_order_of_their_ids_after_the_kernels() {
    let (lines, _) = rows("P:9:p\\nU:2:u\\nW:32\\nK:b\\nK:a\\nM:shader_clock_bits=12;shader_clock_shift=4\\n\\0", "");
    let first_words: Vec<Vec<&str>> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        vec!["wave_size:", "32"],
        vec!["shader_clock:", "12", "bits,", "shift", "4"],
        vec!["kernel", "-", "-", "b"],
        vec!["kernel", "-", "-", "a"],
        vec!["user", "2", "-", "u"],
        vec!["point", "9", "-", "p"],
    ];
    assert_eq!(first_words, expected);
}

#[test]
fn names_are_decoded_and_cannot_act_on_the_terminal() {
    let (lines, _) = rows("U:1:%1B[2Jgr\\303\\266%C3%9F%20e%40\\nP:2:%FF@a%0Ab:1\\n\\0", "");
    assert_eq!(lines[0], "  user         1                   -  \\u{1b}[2Jgröß e@");
    assert_eq!(lines[1], " point         2                   -  %FF  @ a\\u{a}b:1");
}

#[test]
fn malformed_rows_are_warned_of_and_passed_over() {
    let (lines, messages) = rows("U:1:u\\nQ:%1B\\nU:1:again\\n\\0", "");
    assert_eq!(lines, ["  user         1                   -  u", "  user         1                   -  again"]);
    let messages: Vec<&str> = messages.lines().collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].starts_with("sqtt: warning: ") && messages[0].contains(".co: line 2: "), "{messages:?}");
    assert!(messages[1].ends_with("id 1 is named by lines 1 and 3; readers take the last"), "{messages:?}");
}

#[test]
fn the_maps_of_several_units_are_told_apart() {
    let (lines, _) = rows("U:1:u\\n\\0\\0U:1:v\\n\\0", "");
    let user = |name: &str| format!("  user         1                   -  {name}");
    assert_eq!(lines, ["  unit 1 of 2:".to_owned(), user("u"), "  unit 2 of 2:".to_owned(), user("v")]);
}

#[test]
fn an_empty_map_prints_no_rows_and_a_warning() {
    let (lines, messages) = rows("\\0", "");
    assert_eq!(lines, [""; 0]);
    assert!(messages.ends_with("the `.sqtt_funcmap` section is empty\n"), "{messages}");
}

#[test]
fn json_is_one_document_for_all_files() {
    let missing = Path::new("/nonexistent/file");
    let output =
        sqtt([OsStr::new("--json"), OsStr::new("--demangle"), fixture("gfx942.co").as_os_str(), missing.as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["version"], 1);
    let code_object = &document["files"][0]["code_objects"][0];
    assert_eq!(document["files"][0]["path"], fixture("gfx942.co").to_str().unwrap());
    assert_eq!(
        [
            &code_object["container"],
            &code_object["target"],
            &code_object["processor"],
            &code_object["offset"],
            &code_object["size"]
        ],
        [&json!(""), &json!("amdgcn-amd-amdhsa--gfx942"), &json!("gfx942"), &json!(0), &json!(5232)]
    );
    let unit = &code_object["funcmap"]["units"][0];
    assert_eq!((&unit["wave_size"], &unit["shader_clock"]), (&json!(64), &Value::Null));
    assert_eq!(
        unit["rows"][4],
        json!({"type": "func", "id": 7, "vaddr": 0x1600, "name": "_Z6helperjj",
               "demangled": "helper(unsigned int, unsigned int)", "location": "k2.hip:13",
               "inlined": false, "payload_records": 0})
    );
    assert_eq!(unit["rows"][0]["id"], Value::Null);
    assert_eq!(unit["rows"][5]["payload_records"], 130);
    let second = &document["files"][1];
    assert_eq!(second["code_objects"], json!([]));
    assert!(second["errors"][0].as_str().unwrap().contains("/nonexistent/file"), "{second}");
}

#[test]
fn json_tells_maps_that_are_not_there_and_what_was_not_read() {
    let workshop = Workshop::new(22);
    let arch = "--offload-arch=gfx942 --no-offload-new-driver -c";
    let without = workshop.hip_with_map("a.o", None, arch);
    let rdc = workshop.hip("b.o", &format!("{arch} -fgpu-rdc"));
    let output = sqtt([OsStr::new("--json"), without.as_os_str(), rdc.as_os_str()]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let code_object = &document["files"][0]["code_objects"][0];
    assert_eq!(code_object["funcmap"], Value::Null);
    assert_eq!(code_object["container"], ".hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942");
    let unread = &document["files"][1]["unread"][0];
    assert!(unread["reason"].as_str().unwrap().contains("bitcode"), "{document}");
}

#[test]
fn a_file_without_a_map_ends_with_status_1() {
    let workshop = Workshop::new(22);
    let path = workshop.hip_with_map("a.o", None, "--offload-arch=gfx942 -c");
    let (status, messages) = complaint([&path]);
    assert_eq!(status, 1);
    assert!(messages.starts_with("sqtt: error: no code object with a `.sqtt_funcmap` section\n"), "{messages}");
    // One map among the files is enough.
    assert_eq!(complaint([path, fixture("gfx942.co")]).0, 0);
}

#[test]
fn unusable_input_ends_with_status_2_and_the_rest_is_printed() {
    let text = file_of("no container");
    let broken = file_of(&std::fs::read(fixture("gfx942.co")).unwrap()[..3000]);
    let good = fixture("gfx942.co");
    for bad in [text.path(), broken.path(), Path::new("/nonexistent")] {
        let output = sqtt([bad, &good]);
        assert_eq!(output.status.code(), Some(2));
        let messages = String::from_utf8(output.stderr).unwrap();
        assert!(messages.starts_with("sqtt: error: ") && messages.contains(bad.to_str().unwrap()), "{messages}");
        assert!(String::from_utf8(output.stdout).unwrap().ends_with(GFX942));
    }
    assert_eq!(complaint(["--no-such-flag"]).0, 2);
    assert_eq!(complaint([""; 0]).0, 2);
}

#[test]
fn a_path_of_any_bytes_can_be_read_and_is_printed_safely() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(OsStr::from_bytes(b"\xff\x1b.co"));
    std::fs::copy(fixture("gfx942.co"), &path).unwrap();
    let text = table([&path, &path]);
    assert!(text.contains("/\u{fffd}\\u{1b}.co, amdgcn-amd-amdhsa--gfx942:\n"), "{text}");
}

#[test]
fn a_pipe_can_be_read() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqtt"))
        .args(["funcmap", "/dev/stdin"])
        .stdin(Stdio::from(
            std::process::Command::new("cat")
                .arg(fixture("gfx942.co"))
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
                .stdout
                .unwrap(),
        ))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(text, GFX942);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    // More output than a pipe holds, so that the write fails whenever the reader goes.
    let files = vec![fixture("gfx942.co"); 500];
    let mut child = Command::new(env!("CARGO_BIN_EXE_sqtt"))
        .arg("funcmap")
        .args(files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn version_and_help_go_to_standard_output() {
    for (argument, expected) in [("--version", "sqtt "), ("--help", "funcmap")] {
        let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).arg(argument).output().unwrap();
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains(expected));
    }
}
