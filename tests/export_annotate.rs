//! `sqtt annotate`: what it writes gives a reader what the code objects and the packed records gave.

#![allow(clippy::unwrap_used)]

mod export_support;
mod reader_support;
mod trace_support;

use std::path::{Path, PathBuf};

use export_support::{Ended, copy_of, json, sample, sqtt};
use reader_support::Workshop;
use serde_json::{Value, json};
use sqtt_hipcc::trace::Options;
use trace_support::{EXIT, Trace, enter, packed, point, read};

/// Points, a scope, the sample's kernel and its function, and a packed clock.
const MAP: &str = "K:k2@k.hip:1\nF:2:_Z6helperjj@k.hip:2\nP:3:a%40b@k.hip:3\nU:5:scope\n\
                   M:shader_clock_bits=12;shader_clock_shift=4\n";

const SLOT: [u8; 3] = [0, 0, 0];

/// Two files of records of one wave; the last two records arrived late, the last one later than it was issued by a file.
const FILES: [&[(i64, u32)]; 2] = [
    &[(0x1000, packed(enter(5), 0x100)), (0x1010, packed(point(3), 0x101))],
    &[(0x1080, packed(enter(2), 0x101)), (0x1090, packed(EXIT, 0x102)), (0x1100, packed(EXIT, 0x110))],
];

/// A `ui_` directory with a code object that has `map`, and no `code.json`.
fn trace(map: &str, files: &[&[(i64, u32)]]) -> Trace {
    let trace = Trace::new().kernel(1, "k2").wave(0, SLOT, [0, 0x2000], 1);
    let trace = files.iter().fold(trace, |trace, values| trace.values(0, SLOT, values)).write();
    put_code_object(&trace, "4242_gfx1201_code_object_id_2.out", map);
    trace
}

/// The sample's code object with another map.
fn put_code_object(trace: &Trace, name: &str, map: &str) {
    let workshop = Workshop::new(22);
    let text = workshop.write("map", format!("{map}\0"));
    let add = format!("--add-section=.sqtt_funcmap={}", text.display());
    let from = sample("e2e_gfx1201").join("4242_gfx1201_code_object_id_2.out");
    let bare = workshop.path("bare");
    workshop.tool("llvm-objcopy", ["--remove-section=.sqtt_funcmap".as_ref(), from.as_os_str(), bare.as_os_str()]);
    workshop.tool("llvm-objcopy", [add.as_ref(), bare.as_os_str(), trace.parent().join(name).as_os_str()]);
}

fn annotate(path: &Path, more: &[&str]) -> Ended {
    sqtt(["annotate", path.to_str().unwrap()].into_iter().chain(more.iter().copied()))
}

fn annotated(path: &Path, more: &[&str]) -> Vec<PathBuf> {
    let ended = annotate(path, more);
    assert_eq!((ended.status, ended.messages.as_str()), (0, ""));
    ended.out.lines().map(PathBuf::from).collect()
}

/// Everything below a directory.
fn contents(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn the_samples_get_the_tables_that_they_ever_got() {
    for name in ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"] {
        let (_directory, ui) = copy_of(name);
        // No clock is packed, so the records are as they should be.
        assert_eq!(annotated(&ui, &[]), [ui.join("code.annotated.json")]);
        let golden = sample("golden").join(format!("{name}.code.json"));
        let text = std::fs::read_to_string(ui.join("code.annotated.json")).unwrap();
        snapbox::assert_data_eq!(text, snapbox::Data::read_from(&golden, None).raw());
    }
}

#[test]
fn tables_are_those_of_the_map() {
    let trace = trace(MAP, &FILES);
    annotated(&trace.path(), &["--raw"]);
    let document = json(trace.path().join("code.annotated.json"));
    let rows = document["sqtt_funcmap"].as_array().unwrap();
    assert_eq!(rows[2], json!([2, 3, "P", "a@b", "k.hip:3", 0]));
    assert_eq!(rows[3], json!([2, 5, "U", "scope", "", 0]));
    for (row, start) in
        [(&rows[0], json!([2, 0, "K", "k2", "k.hip:1"])), (&rows[1], json!([2, 2, "F", "_Z6helperjj", "k.hip:2"]))]
    {
        assert_eq!(&row.as_array().unwrap()[..5], start.as_array().unwrap());
        assert!(row[5].as_u64().unwrap() > 0, "no address: {row}");
    }
    assert_eq!(document["sqtt_funcmap_layout"], json!([[2, 12, 4]]));
    assert_eq!(document["sqtt_funcmap_payloads"], json!([]));
}

#[test]
fn corrected_records_are_those_that_the_reader_sees() {
    let trace = trace(MAP, &FILES);
    let seen = trace.read().values();
    let before = contents(&trace.path());
    let files = annotated(&trace.path(), &[]);
    let names = ["shaderdata_0_0.annotated.json", "shaderdata_0_1.annotated.json", "code.annotated.json"];
    assert_eq!(files, names.map(|name| trace.path().join(name)));
    let written: Vec<Value> = files[..2].iter().map(json).collect();
    let rows: Vec<(i64, u32)> = written
        .iter()
        .flat_map(|document| document["records"].as_array().unwrap())
        .map(|row| (row[0].as_i64().unwrap(), row[1].as_u64().unwrap() as u32))
        .collect();
    assert_eq!(rows, seen);
    // Late by a bucket more than a bucket can hide.
    assert!(rows.contains(&(0x101F, enter(2))) && rows.contains(&(0x1000, enter(5))), "{rows:x?}");
    let counts: Vec<&Value> = written.iter().map(|document| &document["records_count"]).collect();
    assert_eq!(counts, [&json!(2), &json!(3)]);
    assert_eq!((&written[0]["begin_time"], &written[0]["type"]), (&json!(rows[0].0), &json!("shaderdata")));
    // The originals are as they were, and what is new is not taken for more of the trace.
    let after = contents(&trace.path());
    assert!(before.iter().all(|file| after.contains(file)) && after.len() == before.len() + 3);
    assert_eq!(trace.read().values(), seen);
}

#[test]
fn originals_are_replaced_on_request_and_then_mean_the_same() {
    let trace = trace(MAP, &FILES);
    let path = trace.path();
    let listing = json!({"gfxip": 12, "shaderdata_filenames": {"0": [["shaderdata_0_0.json", 1, 2], ["shaderdata_0_1.json", 2, 3]]}});
    std::fs::write(path.join("filenames.json"), listing.to_string()).unwrap();
    std::fs::write(path.join("code.json"), r#"{"code": [["s_nop", 1.50]], "sqtt_funcmap": [], "version": "3.1.0"}"#)
        .unwrap();
    let seen = trace.read();
    annotated(&path, &["--in-place"]);
    let text = std::fs::read_to_string(path.join("code.json")).unwrap();
    assert!(text.starts_with("{\"code\": [[\"s_nop\", 1.50]],\n\"sqtt_funcmap\": [["), "{text}");
    let listed = &json(path.join("filenames.json"))["shaderdata_filenames"]["0"];
    assert_eq!((&listed[0][1], &listed[1][2]), (&json!(seen.values()[0].0), &json!(seen.values()[4].0)));
    // Without the code object there is no other map than that of code.json.
    std::fs::remove_file(trace.parent().join("4242_gfx1201_code_object_id_2.out")).unwrap();
    let again = read(&path, &Options::default());
    assert_eq!((again.values(), again.stacks), (seen.values(), seen.stacks));
    let names = contents(&path).into_iter().map(|(path, _)| path.file_name().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(names, ["code.json", "filenames.json", "occupancy.json", "shaderdata_0_0.json", "shaderdata_0_1.json"]);
}

#[test]
fn raw_leaves_the_records_alone() {
    let trace = trace(MAP, &FILES);
    let before = contents(&trace.path());
    assert_eq!(annotated(&trace.path(), &["--raw", "--in-place"]), [trace.path().join("code.json")]);
    let after = contents(&trace.path());
    assert!(before.iter().all(|file| after.contains(file)) && after.len() == before.len() + 1);
}

/// Runs with `--in-place` on a trace that must be refused, and stay as it is.
fn refused(trace: &Trace, why: &str) {
    let before = contents(&trace.path());
    let ended = annotate(&trace.path(), &["--in-place"]);
    assert_eq!((ended.status, ended.out.as_str()), (1, ""), "{ended:?}");
    assert!(ended.messages.contains(why), "{}", ended.messages);
    assert_eq!(contents(&trace.path()), before);
}

#[test]
fn what_would_lose_something_is_refused_and_changes_nothing() {
    let damaged = trace(MAP, &FILES);
    let file = damaged.path().join("shaderdata_0_1.json");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 9]).unwrap();
    refused(&damaged, "shaderdata_0_1.json` is damaged");
    let wide = trace(MAP, &FILES);
    let schema = json!({"records_schema": ["time", "value", "cu", "simd", "wave_id", "flags", "stall"], "records": [[4096, 14, 0, 0, 0, 0, 7]]});
    std::fs::write(wide.path().join("shaderdata_0_1.json"), schema.to_string()).unwrap();
    refused(&wide, "a column `stall`, which would be lost");
    let no_json = trace(MAP, &FILES);
    std::fs::write(no_json.path().join("code.json"), "{\"code\": [").unwrap();
    refused(&no_json, "code.json`: byte 10:");
    let two = trace(MAP, &FILES);
    put_code_object(&two, "4243_gfx1201_code_object_id_2.out", MAP);
    refused(&two, "have the same number");
    std::fs::remove_file(two.parent().join("4242_gfx1201_code_object_id_2.out")).unwrap();
    std::fs::remove_file(two.parent().join("4243_gfx1201_code_object_id_2.out")).unwrap();
    refused(&two, "no code object beside it has a map");
}

#[test]
fn a_file_that_is_listed_twice_is_written_once() {
    let trace = trace(MAP, &FILES[..1]);
    let seen = trace.read();
    let listing =
        json!({"shaderdata_filenames": {"0": [["shaderdata_0_0.json", 1, 2], ["shaderdata_0_0.json", 1, 2]]}});
    std::fs::write(trace.path().join("filenames.json"), listing.to_string()).unwrap();
    assert_eq!(annotate(&trace.path(), &["--in-place"]).status, 0);
    let listed = &json(trace.path().join("filenames.json"))["shaderdata_filenames"]["0"];
    assert_eq!((&listed[0], &listed[0][1]), (&listed[1], &json!(seen.values()[0].0)));
    let again = trace.read();
    assert_eq!((again.values(), again.stacks), (seen.values(), seen.stacks));
}

#[test]
fn a_code_object_that_cannot_be_read_is_said() {
    let trace = trace(MAP, &FILES);
    std::fs::write(trace.parent().join("4242_gfx1201_code_object_id_3.out"), b"\x7fELF\x02\x01\x01").unwrap();
    for more in [&[][..], &["--raw"]] {
        let ended = annotate(&trace.path(), more);
        assert_eq!(ended.status, 0, "{ended:?}");
        assert_eq!(ended.messages.matches("code_object_id_3.out`").count(), 1, "{}", ended.messages);
    }
}

#[test]
fn every_truncation_of_code_json_is_refused_or_taken_whole() {
    let trace = trace(MAP, &FILES);
    let text = r#"{"code": [["a", [1, {"b": "\u00e9"}]]], "version": "3"}"#;
    for length in 0..text.len() {
        std::fs::write(trace.path().join("code.json"), &text[..length]).unwrap();
        let ended = annotate(&trace.path(), &["--raw"]);
        assert_eq!((ended.status, ended.out.as_str()), (1, ""), "{length}: {ended:?}");
    }
}
