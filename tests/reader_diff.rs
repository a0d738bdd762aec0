//! `sqtt diff` on two builds of what the real compilers and the pass plugin make, and on machine code written by hand.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use machine_support::assembly::{GPUS, Gpu, Kernel};
use machine_support::llvm::{Llvm, MAJORS};
use machine_support::{clang, hip, output_of};
use serde_json::Value;

/// A kernel with a scope around its load, or around its store, and with more of them where macros say so.
const SOURCE: &str = r#"#include "device.h"
NOINLINE u32 mixed(u32 x) {
  for (int i = 0; i < 9; ++i) x = (x ^ (x >> 3)) * 0x9e3779b1u + (x << 7) - (x % 11);
  return x;
}
SHARED u32 shared[64];
extern "C" KERNEL void k(volatile u32 *p, u32 n) {
#ifndef MOVED
  enter("work");
#endif
  u32 x = p[lane()];
#ifndef MOVED
  leave("work");
#endif
#ifdef MORE
  enter("mix");
#endif
  x = mixed(x);
#ifdef MORE
  leave("mix");
#endif
  shared[lane()] = x;
#if defined(INSIDE)
  for (u32 i = 0; i < n; ++i) { point("turn"); p[i] = shared[i]; }
#else
  point("turn");
  for (u32 i = 0; i < n; ++i) p[i] = shared[i];
#endif
#ifdef MOVED
  enter("work");
#endif
  p[lane() + 64] = x;
#ifdef MOVED
  leave("work");
#endif
}
"#;

struct Workshop {
    llvm: Llvm,
    directory: tempfile::TempDir,
}

impl Workshop {
    fn new(major: u32) -> Workshop {
        Workshop { llvm: Llvm::new(major), directory: tempfile::tempdir().unwrap() }
    }

    /// One of each LLVM.
    fn each() -> [Workshop; 2] {
        MAJORS.map(Workshop::new)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// [`SOURCE`] with the plugin to `name`.
    fn build(&self, name: &str, gpu: &str, settings: &[(&str, &str)], flags: &[&str]) -> PathBuf {
        let source = self.path("k.hip");
        fs_err::write(&source, SOURCE).unwrap();
        let mut command = hip(&self.llvm, gpu, self.directory.path());
        let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
        plugin.push(self.llvm.plugin().unwrap());
        command.envs(settings.iter().copied()).args(["-O2", "-gline-tables-only"]).args(flags).arg(plugin).arg(source);
        output_of(&mut command, &self.path(name)).unwrap();
        self.path(name)
    }

    /// A program of these kernels and map, written by hand, to `name`.
    fn assemble(&self, name: &str, gpu: Gpu, rows: &[&str], kernels: &[(&str, &str)]) -> PathBuf {
        let kernels: Vec<Kernel<'_>> =
            kernels.iter().map(|(name, body)| Kernel { name, body, functions: &[] }).collect();
        let source = self.path("program.s");
        fs_err::write(&source, gpu.program(rows, &kernels)).unwrap();
        let mut command = clang(&self.llvm, self.directory.path());
        command.args(["-target", "amdgcn-amd-amdhsa", &format!("-mcpu={}", gpu.name), "-x", "assembler"]).arg(&source);
        output_of(&mut command, &self.path(name)).unwrap();
        self.path(name)
    }

    /// What `sqtt diff` says, with the objdump of this LLVM.
    fn diff(&self, a: &Path, b: &Path, flags: &[&str]) -> (Option<i32>, String) {
        let mut objdump = std::ffi::OsString::from("--objdump=");
        objdump.push(self.llvm.program("llvm-objdump"));
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.arg("diff").arg(a).arg(b).args(flags);
        if !flags.contains(&"--maps-only") {
            sqtt.arg(objdump);
        }
        let output = sqtt.output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }

    /// The lines of changes, without the last one; that one apart.
    fn changes(&self, a: &Path, b: &Path, flags: &[&str]) -> (Option<i32>, Vec<String>, String) {
        let (status, text) = self.diff(a, b, flags);
        let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        let summary = lines.pop().unwrap();
        let changes = ["added", "lost", "moved", "renumbered", "altered"];
        lines.retain(|line| changes.iter().any(|change| line.starts_with(&format!("{change} "))));
        (status, lines, summary)
    }
}

/// The start of each line up to its places.
fn heads(lines: &[String]) -> Vec<String> {
    let head = |line: &String| line.split(": ").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    lines.iter().map(head).collect()
}

const ALL: &[(&str, &str)] = &[("SQTT_SCOPE_CU", "-1")];

#[test]
fn builds_of_the_same_source_with_the_same_settings_are_the_same() {
    for workshop in Workshop::each() {
        for (gpu, settings) in
            [("gfx942", &[][..]), ("gfx1201", ALL), ("gfx90a", &[("SQTT_TRACE_ADDRESSES", "memory,lds")])]
        {
            let a = workshop.build("a.co", gpu, settings, &["-DMORE"]);
            let b = workshop.build("b.co", gpu, settings, &["-DMORE"]);
            let (status, changes, summary) = workshop.changes(&a, &b, &[]);
            assert_eq!((status, changes), (Some(0), Vec::new()), "LLVM {}, {gpu}", workshop.llvm.major);
            assert!(summary.ends_with("1 code object, 0 added, 0 lost, 0 moved, 0 renumbered, 0 altered"), "{summary}");
        }
    }
}

#[test]
fn what_does_not_place_markers_is_no_difference() {
    for workshop in Workshop::each() {
        let a = workshop.build("a.co", "gfx1100", ALL, &[]);
        for settings in [&[][..], &[("SQTT_SCOPE_WAVE", "0x5"), ("SQTT_SCOPE_CU", "3")]] {
            let b = workshop.build("b.co", "gfx1100", settings, &[]);
            let (status, text) = workshop.diff(&a, &b, &[]);
            assert_eq!(status, Some(0), "LLVM {}, {settings:?}: {text}", workshop.llvm.major);
        }
    }
}

#[test]
fn functions_that_are_instrumented_in_one_build_only_are_added() {
    for workshop in Workshop::each() {
        let a = workshop.build("a.co", "gfx942", ALL, &[]);
        let with = [ALL, &[("SQTT_INSTRUMENT_FUNCTIONS", "10")]].concat();
        let b = workshop.build("b.co", "gfx942", &with, &[]);
        let (status, changes, _) = workshop.changes(&a, &b, &["--ignore=renumbered"]);
        assert_eq!((status, changes.len()), (Some(1), 3), "LLVM {}: {changes:#?}", workshop.llvm.major);
        for (line, start) in changes.iter().zip([
            "added       function `_Z5mixedj`, at ",
            "added       enter function `_Z5mixedj`: block 0 of ",
            "added       exit function `_Z5mixedj`: block ",
        ]) {
            assert!(line.starts_with(start), "{changes:#?}");
        }
        // The other way round it is lost; and what is ignored does not count.
        let (status, changes, _) = workshop.changes(&b, &a, &["--ignore=renumbered"]);
        assert_eq!(
            (status, changes.iter().filter(|line| line.starts_with("lost ")).count()),
            (Some(1), 3),
            "{changes:#?}"
        );
        assert_eq!(workshop.diff(&b, &a, &["--ignore=renumbered,lost"]).0, Some(0));
    }
}

/// The loops over the lanes are the markers' own, so they are no places of the program.
#[test]
fn traced_addresses_are_added_and_move_nothing() {
    let workshop = Workshop::new(22);
    let a = workshop.build("a.co", "gfx942", ALL, &[]);
    let addresses = [ALL, &[("SQTT_TRACE_ADDRESSES", "memory,lds")]].concat();
    let b = workshop.build("b.co", "gfx942", &addresses, &[]);
    let (status, changes, _) = workshop.changes(&a, &b, &["--ignore=renumbered"]);
    assert_eq!(status, Some(1));
    assert!(changes.iter().all(|line| line.starts_with("added ")), "{changes:#?}");
    let in_code: Vec<&String> = changes.iter().filter(|line| line.contains("`: block ")).collect();
    let in_map = changes.iter().filter(|line| line.contains("`addr_trace_") && line.contains(", id ")).count();
    assert_eq!(in_code.len(), in_map, "one marker for each row: {changes:#?}");
    // What stands around a store that is traced in a loop is what is read and stored there.
    let stores: Vec<&&String> = in_code.iter().filter(|line| line.contains("`addr_trace_store`")).collect();
    assert!(stores.iter().all(|line| !line.contains("between the end of a loop and the end")), "{stores:#?}");
}

#[test]
fn a_scope_more_is_added_and_what_it_renumbers_is_told_apart() {
    for workshop in Workshop::each() {
        let a = workshop.build("a.co", "gfx1100", ALL, &[]);
        let b = workshop.build("b.co", "gfx1100", ALL, &["-DMORE"]);
        let (status, changes, _) = workshop.changes(&a, &b, &[]);
        let heads = heads(&changes);
        let added: Vec<&String> = heads.iter().filter(|head| !head.starts_with("renumbered ")).collect();
        assert_eq!(status, Some(1));
        assert_eq!(added.len(), 3, "LLVM {}: {changes:#?}", workshop.llvm.major);
        assert!(added[0].starts_with("added scope `mix`, id "), "{changes:#?}");
        assert_eq!(added[1..], ["added enter scope `mix`", "added exit scope `mix`"], "{changes:#?}");
        // At the lines of the source.
        assert!(changes.iter().any(|line| line.contains("k.hip:17") || line.contains("k.hip:16")), "{changes:#?}");
    }
}

#[test]
fn a_scope_that_is_moved_is_told_with_both_places() {
    for workshop in Workshop::each() {
        for gpu in ["gfx942", "gfx1201"] {
            let a = workshop.build("a.co", gpu, ALL, &[]);
            let b = workshop.build("b.co", gpu, ALL, &["-DMOVED"]);
            let (status, changes, _) = workshop.changes(&a, &b, &["--ignore=renumbered"]);
            let heads = heads(&changes);
            assert_eq!(status, Some(1));
            assert!(heads.contains(&"moved enter scope `work`".to_owned()), "{gpu}: {changes:#?}");
            assert!(heads.contains(&"moved exit scope `work`".to_owned()), "{gpu}: {changes:#?}");
            assert!(heads.iter().all(|head| head.starts_with("moved ")), "{gpu}: {changes:#?}");
            let exit = changes.iter().find(|line| line.contains("exit scope `work`")).unwrap();
            assert!(exit.contains(" -> block "), "{exit}");
        }
    }
}

#[test]
fn a_point_that_goes_into_a_loop_has_moved() {
    for workshop in Workshop::each() {
        let a = workshop.build("a.co", "gfx1100", ALL, &["-fno-unroll-loops"]);
        let b = workshop.build("b.co", "gfx1100", ALL, &["-fno-unroll-loops", "-DINSIDE"]);
        let (status, changes, _) = workshop.changes(&a, &b, &["--ignore=renumbered"]);
        assert_eq!((status, heads(&changes)), (Some(1), vec!["moved point `turn`".to_owned()]), "{changes:#?}");
    }
}

#[test]
fn a_packed_clock_is_told_once_and_markers_are_matched_through_it() {
    for workshop in Workshop::each() {
        let a = workshop.build("a.co", "gfx1201", ALL, &[]);
        let clock = [ALL, &[("SQTT_SHADER_CLOCK_BITS", "12")]].concat();
        let b = workshop.build("b.co", "gfx1201", &clock, &[]);
        let (status, changes, _) = workshop.changes(&a, &b, &[]);
        assert_eq!(status, Some(1));
        assert_eq!(changes.len(), 1, "LLVM {}: {changes:#?}", workshop.llvm.major);
        assert!(changes[0].ends_with("packed clock, 12 bits of the clock from bit 4"), "{changes:#?}");
    }
}

#[test]
fn maps_alone_can_be_compared() {
    let workshop = Workshop::new(22);
    let a = workshop.build("a.co", "gfx942", ALL, &[]);
    let moved = workshop.build("b.co", "gfx942", ALL, &["-DMOVED"]);
    assert_eq!(workshop.diff(&a, &moved, &["--maps-only", "--ignore=renumbered"]).0, Some(0));
    let text = workshop.build("b.s", "gfx942", ALL, &["-S"]);
    let (status, said) = workshop.diff(&a, &text, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("only the map was compared: ") && said.contains("it is assembly text"), "{said}");
}

const ROWS: &[&str] = &["U:1:s", "P:2:p", "K:k"];

/// What must be told of a kernel that is written by hand, before and after, on every GPU.
fn by_hand(cases: &[(&str, &str, &[&str])]) {
    for workshop in Workshop::each() {
        for gpu in GPUS.into_iter().filter(|gpu| gpu.since <= workshop.llvm.major) {
            let names: Vec<String> = (0..cases.len()).map(|number| format!("k{number}")).collect();
            let named = names.iter().map(String::as_str);
            let before: Vec<(&str, &str)> = named.clone().zip(cases.iter().map(|case| case.0)).collect();
            let after: Vec<(&str, &str)> = named.zip(cases.iter().map(|case| case.1)).collect();
            let a = workshop.assemble("a.co", gpu, ROWS, &before);
            let b = workshop.assemble("b.co", gpu, ROWS, &after);
            let (status, text) = workshop.diff(&a, &b, &[]);
            assert_eq!(status, Some(1), "{}: {text}", gpu.name);
            for (name, (before, after, expected)) in names.iter().zip(cases) {
                let below = text.split(&format!("  kernel `{name}`\n")).nth(1).unwrap_or_default();
                let lines = below.lines().take_while(|line| line.starts_with("    "));
                let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
                assert_eq!(heads(&lines), *expected, "{}: {before} / {after}: {text}", gpu.name);
            }
        }
    }
}

#[test]
fn a_marker_moves_when_it_crosses_what_it_times() {
    by_hand(&[
        ("@mark 6\n ds_append v1\n @mark 1", "@mark 6\n v_mov_b32 v2, v3\n ds_append v1\n @mark 1", &[]),
        ("@mark 8\n s_cbranch_scc0 @L\n s_nop 0\n @L:", "v_mov_b32 v2, v3\n @mark 8\n s_nop 0", &[]),
        (
            "@mark 8\n global_load_ubyte v1, v[2:3], off",
            "global_load_ubyte v1, v[2:3], off\n @mark 8",
            &["moved point `p`"],
        ),
        ("@mark 6\n @mark 1\n @mark 8", "@mark 8\n @mark 6\n @mark 1", &["moved point `p`"]),
        ("@mark 8\n s_and_@b @exec, @exec, @vcc", "s_and_@b @exec, @exec, @vcc\n @mark 8", &["moved point `p`"]),
        ("@mark 8\n @L:\n s_cbranch_scc0 @L", "@L:\n @mark 8\n s_cbranch_scc0 @L", &["moved point `p`"]),
        (
            "@mark 8\n s_cbranch_scc0 @L\n ds_append v1\n @L:",
            "s_cbranch_scc0 @L\n @mark 8\n ds_append v1\n @L:",
            &["moved point `p`"],
        ),
        (
            "s_cbranch_scc0 @L\n ds_append v1\n @mark 8\n @L:",
            "s_cbranch_scc0 @L\n ds_append v1\n @L:\n @mark 8",
            &["moved point `p`"],
        ),
        // Reads of LDS around it, and one that was in front of it.
        ("ds_append v1\n @mark 8", "ds_append v1\n ds_append v1\n @mark 8\n ds_append v1", &[]),
    ]);
}

#[test]
fn markers_come_and_go_by_name_and_by_number() {
    by_hand(&[
        ("@mark 6\n @mark 1", "@mark 6\n @mark 1\n @mark 8", &["added point `p`"]),
        ("@mark 6\n @mark 8\n @mark 1", "@mark 8", &["lost enter scope `s`", "lost exit scope `s`"]),
        ("@mark 28\n @mark 1", "@m0 36\n @mark 1", &["added point 9", "lost point 7"]),
        ("@m0 s0", "@m0 s1", &[]),
        // An exit and enter in one is both.
        ("@mark 6\n @mark 1\n @mark 6\n @mark 1", "@mark 6\n @mark 7\n @mark 1", &[]),
    ]);
}

#[test]
fn code_objects_of_one_build_only_are_told() {
    let workshop = Workshop::new(22);
    for name in ["one", "two"] {
        let archs: &[&str] = if name == "one" { &["gfx942"] } else { &["gfx942", "gfx1100"] };
        let parts: Vec<PathBuf> =
            archs.iter().map(|arch| workshop.build(&format!("{arch}.co"), arch, ALL, &[])).collect();
        let mut ar = Command::new(workshop.llvm.prefix.join("bin/llvm-ar"));
        assert!(ar.arg("rc").arg(workshop.path(name)).args(parts).status().unwrap().success());
    }
    let (one, two) = (workshop.path("one"), workshop.path("two"));
    let (status, text) = workshop.diff(&one, &two, &[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with("amdgcn-amd-amdhsa--gfx1100: added: "), "{text}");
    assert!(text.contains("added       scope `work`, id ") && !text.contains("lost  "), "{text}");
    assert_eq!(workshop.diff(&one, &two, &["--arch=gfx942"]).0, Some(0));
    assert_eq!(workshop.diff(&two, &one, &["--ignore=lost"]).0, Some(0));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let workshop = Workshop::new(22);
    let a = workshop.build("a.co", "gfx942", ALL, &[]);
    fs_err::write(workshop.path("text"), "text").unwrap();
    for (other, flags) in [("none", &[][..]), ("text", &[]), ("a.co", &["--arch=gfx1100"])] {
        let (status, text) = workshop.diff(&a, &workshop.path(other), flags);
        assert_eq!((status, text.contains("sqtt: error: ")), (Some(2), true), "{text}");
    }
    let cut = fs_err::read(&a).unwrap();
    fs_err::write(workshop.path("cut"), &cut[..cut.len() / 2]).unwrap();
    let (status, text) = workshop.diff(&a, &workshop.path("cut"), &[]);
    assert_eq!((status, text.contains("sqtt: error: ")), (Some(2), true), "{text}");
}

#[test]
fn names_out_of_a_file_cannot_act_on_the_terminal() {
    let workshop = Workshop::new(22);
    let gpu = GPUS[2];
    let a = workshop.assemble("a.co", gpu, ROWS, &[("k", "@mark 8")]);
    let b = workshop.assemble("b.co", gpu, &["U:1:%1B[2Js", "P:2:p", "K:k"], &[("k", "@mark 8\n @mark 6\n @mark 1")]);
    let (status, text) = workshop.diff(&a, &b, &[]);
    assert_eq!((status, text.contains('\u{1b}')), (Some(1), false), "{text:?}");
}

#[test]
fn the_json_document_has_every_field() {
    let workshop = Workshop::new(22);
    let a = workshop.build("a.co", "gfx942", ALL, &[]);
    let b = workshop.build("b.co", "gfx942", ALL, &["-DMORE", "-DMOVED"]);
    let (status, text) = workshop.diff(&a, &b, &["--json"]);
    assert_eq!(status, Some(1));
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&document["version"], &document["errors"]), (&1.into(), &Value::Array(Vec::new())));
    let object = &document["code_objects"][0];
    assert_eq!((&object["target"], &object["presence"]), (&"amdgcn-amd-amdhsa--gfx942".into(), &Value::Null));
    assert_eq!(object["a"]["maps_only"], Value::Null);
    let find = |list: &Value, name: &str, change: &str| -> Value {
        let list = list.as_array().unwrap();
        list.iter().find(|one| one["name"] == name && one["change"] == change).unwrap().clone()
    };
    let row = find(&object["rows"], "mix", "added");
    assert_eq!((&row["row"], &row["a"]), (&"U".into(), &Value::Null));
    assert!(row["b"]["id"].as_u64().unwrap() > 0);
    let function = &object["functions"][0];
    assert_eq!((&function["name"], &function["kernel"]), (&"k".into(), &true.into()));
    let marker = find(&function["markers"], "work", "moved");
    assert_eq!((&marker["action"], &marker["row"], &marker["number"]), (&"enter".into(), &"U".into(), &Value::Null));
    assert_eq!(marker["a"]["function"], "k");
    assert!(marker["b"]["address"].as_u64().unwrap() > marker["a"]["address"].as_u64().unwrap());
    assert!(marker["b"]["source"]["line"].as_u64().unwrap() > marker["a"]["source"]["line"].as_u64().unwrap());
    let counted = |change: &str| document["counts"][change].as_u64().unwrap();
    assert_eq!((counted("added"), counted("lost"), counted("altered")), (3, 0, 0), "{text}");
    assert!(counted("moved") >= 2);
}

#[test]
fn other_compilers_of_the_same_source_place_the_same_markers() {
    let [old, new] = Workshop::each();
    let a = old.build("a.co", "gfx1100", ALL, &["-DMORE"]);
    let b = new.build("b.co", "gfx1100", ALL, &["-DMORE"]);
    let (status, text) = new.diff(&a, &b, &["--ignore=renumbered,moved"]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(text.lines().count(), 1, "{}", OsStr::new(&text).display());
}
