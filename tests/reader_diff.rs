//! `sqtt diff` on two builds of what the real compilers and the pass plugin make, and on machine code written by hand.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod diff_support;
mod machine_support;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use diff_support::{Workshop, heads};
use machine_support::assembly::GPUS;
use serde_json::Value;

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

/// Where the compiler puts blocks changes with the scope check; what it schedules, with the boundary.
#[test]
fn settings_that_place_no_markers_move_none_in_any_case() {
    let workshop = Workshop::new(22);
    let mut compared = 0;
    for entry in fs_err::read_dir(machine_support::llvm::root().join("tests/cases")).unwrap() {
        let source = entry.unwrap().path();
        if source.extension() != Some(OsStr::new("hip")) {
            continue;
        }
        let build = |name: &str, own: &[(&str, &str)]| {
            let all = [&[("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_BARRIERS", "1")], own].concat();
            workshop.compile(&source, name, "gfx1100", &all, &[])
        };
        // Some are for other GPUs, or are refused on purpose.
        let Some(a) = build("a.co", ALL) else { continue };
        for own in [&[][..], &[ALL[0], ("SQTT_MEM_BARRIER", "asm")]] {
            let b = build("b.co", own).unwrap();
            let (status, text) = workshop.diff(&a, &b, &[]);
            assert_eq!(status, Some(0), "{}, {own:?}: {text}", source.display());
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
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
