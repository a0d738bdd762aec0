//! Which files belong to a trace, and what happens when they are missing, malformed or cut off.

#![allow(clippy::unwrap_used)]

mod trace_support;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sqtt_hipcc::export::stacks::Stacks;
use sqtt_hipcc::trace::{self, Diagnostics, Kind, Options, shaderdata};
use trace_support::{EXIT, Told, Trace, enter, read};

const SLOT: [u8; 3] = [0, 0, 0];
const SAMPLES: [&str; 3] = ["gfx942", "gfx1100", "gfx1201"];

fn sample(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/trace").join(format!("e2e_{target}"))
}

/// A copy of a sample that can be spoilt.
fn copy(target: &str) -> (tempfile::TempDir, PathBuf) {
    let to = tempfile::tempdir().unwrap();
    let ui = "ui_output_agent_1_dispatch_1";
    std::fs::create_dir(to.path().join(ui)).unwrap();
    for below in [PathBuf::new(), PathBuf::from(ui)] {
        for entry in std::fs::read_dir(sample(target).join(&below)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), to.path().join(&below).join(entry.file_name())).unwrap();
            }
        }
    }
    let path = to.path().join(ui);
    (to, path)
}

fn told(path: &Path) -> Told {
    read(path, &Options::default())
}

#[test]
fn the_samples_give_the_stacks_of_their_kernel() {
    let demangled = Options { demangle: true, ..Options::default() };
    for (target, cycles) in [("gfx942", [96, 240, 128]), ("gfx1100", [108, 220, 188]), ("gfx1201", [124, 268, 208])] {
        let told = read(&sample(target), &demangled);
        let mut folded = told.folded();
        // Raw words at the end of each wave are no markers; some look like one.
        folded.retain(|line| !line.contains("unknown#"));
        let [compute, helper, load] = cycles;
        let expected = [
            format!("code_object_2;k2;compute {compute}"),
            format!("code_object_2;k2;compute;helper(unsigned int, unsigned int) {helper}"),
            format!("code_object_2;k2;load {load}"),
        ];
        assert_eq!(folded, expected, "{target}");
        assert!(told.diagnostics.messages().is_empty(), "{:?}", told.diagnostics);
        assert_eq!((told.of(Kind::CutBlock), told.of(Kind::OrphanExit)), (0, 0));
        let blocks = told.events.iter().filter(|event| event.contains("block addr_trace_store"));
        assert_eq!(blocks.count(), if target == "gfx942" { 2 } else { 4 }, "{target}");
    }
}

#[test]
fn directories_are_found_below_others_in_the_order_of_their_numbers() {
    let outer = tempfile::tempdir().unwrap();
    for dispatch in [10, 9, 1] {
        let path = outer.path().join(format!("host/ui_output_agent_3_dispatch_{dispatch}"));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("shaderdata_0_0.json"), "{\"records\": []}").unwrap();
    }
    let mut diagnostics = Diagnostics::default();
    let named = [outer.path().to_owned(), outer.path().join("host")];
    let found = trace::discover(&named, &mut diagnostics).unwrap();
    let numbers: Vec<_> = found.iter().map(|directory| (directory.agent, directory.dispatch)).collect();
    assert_eq!(numbers, [(Some(3), Some(1)), (Some(3), Some(9)), (Some(3), Some(10))]);
    assert!(trace::discover(&[outer.path().join("none")], &mut diagnostics).is_err());
}

#[test]
fn files_without_a_list_are_taken_in_the_order_of_their_numbers() {
    let mut trace = Trace::new().map(7, "U:1:a\n");
    // Eleven files: by name, the last one would come second.
    for part in 0..11 {
        trace = trace.values(0, SLOT, &[(part * 10, if part % 2 == 0 { enter(1) } else { EXIT })]);
    }
    let told = trace.write().read();
    assert_eq!((told.folded(), told.of(Kind::Unsorted), told.of(Kind::OpenScope)), (vec!["a 50".to_owned()], 0, 1));
}

#[test]
fn a_listed_file_that_is_missing_is_told_and_the_rest_is_read() {
    let (_keep, path) = copy("gfx942");
    let list = r#"{"shaderdata_filenames": {"0": [["shaderdata_0_0.json", 1, 2], ["shaderdata_0_1.json", 2, 3]]}}"#;
    std::fs::write(path.join("filenames.json"), list).unwrap();
    let told = told(&path);
    assert_eq!(told.folded().len(), 3);
    let message = &told.diagnostics.messages()[0];
    assert!(message.contains("shaderdata_0_1.json` is listed in `filenames.json` and is not there"), "{message}");
}

#[test]
fn a_file_that_is_listed_twice_is_read_once() {
    let (_keep, path) = copy("gfx942");
    let file = r#"["shaderdata_0_0.json", 1, 2]"#;
    for list in [format!(r#""0": [{file}, {file}]"#), format!(r#""0": [{file}], "1": [{file}]"#)] {
        std::fs::write(path.join("filenames.json"), format!(r#"{{"shaderdata_filenames": {{{list}}}}}"#)).unwrap();
        let told = told(&path);
        assert_eq!(told.folded(), self::told(&sample("gfx942")).folded(), "{list}");
        assert_eq!(told.diagnostics.messages().len(), 1);
        let message = &told.diagnostics.messages()[0];
        assert!(message.contains("shaderdata_0_0.json` is listed twice in `filenames.json`"), "{message}");
    }
}

#[test]
fn a_file_that_is_not_listed_is_told_and_left_out() {
    let (_keep, path) = copy("gfx942");
    std::fs::copy(path.join("shaderdata_0_0.json"), path.join("shaderdata_1_0.json")).unwrap();
    let told = told(&path);
    assert_eq!(told.folded(), self::told(&sample("gfx942")).folded());
    let message = &told.diagnostics.messages()[0];
    assert!(message.contains("shaderdata_1_0.json` is there and not listed in `filenames.json`"), "{message}");
}

#[test]
fn a_list_without_a_file_is_as_none() {
    let (_keep, path) = copy("gfx942");
    for list in [r#"{"0": []}"#, r#"{"0": ["shaderdata_0_0.json"]}"#, r#"{"SE0": [["shaderdata_0_0.json", 1, 2]]}"#] {
        std::fs::write(path.join("filenames.json"), format!(r#"{{"shaderdata_filenames": {list}}}"#)).unwrap();
        assert_eq!(told(&path).folded(), told(&sample("gfx942")).folded(), "{list}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn directories_may_have_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let outer = tempfile::tempdir().unwrap();
    let (from, _) = copy("gfx942");
    std::fs::rename(from.path(), outer.path().join(std::ffi::OsStr::from_bytes(b"run-\xff\n"))).unwrap();
    assert_eq!(told(outer.path()).folded(), told(&sample("gfx942")).folded());
}

#[cfg(unix)]
#[test]
fn behind_a_link_code_objects_lie_beside_what_it_leads_to() {
    let (outer, path) = copy("gfx942");
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("ui_output_agent_1_dispatch_1");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(told(elsewhere.path()).folded(), told(&sample("gfx942")).folded());
    // Those that lie beside the link are meant.
    let name = "4242_gfx942_code_object_id_2.out";
    std::fs::copy(outer.path().join(name), elsewhere.path().join(name)).unwrap();
    std::fs::remove_file(outer.path().join(name)).unwrap();
    assert_eq!(told(elsewhere.path()).folded(), told(&sample("gfx942")).folded());
}

#[test]
fn a_kernel_that_none_of_several_code_objects_has_is_told() {
    let trace = Trace::new().map(7, "U:1:a\n").map(8, "U:1:b\n").kernel(1, "k").wave(0, SLOT, [0, 9], 1);
    let told = trace.values(0, SLOT, &[(1, enter(1)), (5, EXIT)]).write().read();
    assert_eq!(told.folded(), ["k;unknown#1 4"]);
    let message = &told.diagnostics.messages()[0];
    assert!(message.ends_with("kernel `k` is in none of several code objects; its ids stay unknown"), "{message}");
}

#[test]
fn a_gap_in_the_numbers_of_files_is_told() {
    let mut trace = Trace::new();
    for engine in [0, 1] {
        trace = (0..3).fold(trace, |trace, part| trace.values(engine, SLOT, &[(part, 0)]));
    }
    let trace = trace.write();
    assert_eq!(trace.read().diagnostics.messages().len(), 0);
    std::fs::remove_file(trace.path().join("shaderdata_0_1.json")).unwrap();
    std::fs::remove_file(trace.path().join("shaderdata_1_0.json")).unwrap();
    let told = trace.read();
    for (at, missing) in ["shaderdata_0_1.json", "shaderdata_1_0.json"].iter().enumerate() {
        assert!(told.diagnostics.messages()[at].contains(missing), "{:?}", told.diagnostics);
    }
}

#[test]
fn a_list_never_leads_out_of_its_directory() {
    let trace = Trace::new().values(0, SLOT, &[(1, enter(1)), (2, EXIT)]).write();
    std::fs::write(trace.parent().join("secret.json"), "{\"records\": [[1,6,0,0,0,0],[9,1,0,0,0,0]]}").unwrap();
    let list = r#"{"shaderdata_filenames": {"0": [["../secret.json", 1, 2]]}}"#;
    std::fs::write(trace.path().join("filenames.json"), list).unwrap();
    assert_eq!(trace.read().records, []);
}

#[test]
fn code_objects_are_those_of_the_process_that_was_traced() {
    let (outer, path) = copy("gfx942");
    let other = "17_gfx942_code_object_id_2.out";
    std::fs::copy(sample("gfx1100").join("4242_gfx1100_code_object_id_2.out"), outer.path().join(other)).unwrap();
    let found = told(&path);
    assert_eq!((found.folded(), found.diagnostics.messages().len()), (told(&sample("gfx942")).folded(), 0));
    // Nothing says it any more: maps that differ are not guessed.
    std::fs::remove_file(outer.path().join("4242_1_shader_engine_0_1.att")).unwrap();
    let found = told(&path);
    assert!(found.diagnostics.messages()[0].contains("code objects of 2 processes"), "{:?}", found.diagnostics);
    assert!(found.folded().iter().all(|line| line.contains("unknown#")), "{:?}", found.folded());
}

#[test]
fn a_code_object_that_is_broken_is_told_and_code_json_serves_for_it() {
    let (outer, path) = copy("gfx942");
    let file = outer.path().join("4242_gfx942_code_object_id_2.out");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(told(&path).folded().iter().all(|line| line.starts_with("k2;unknown#")));
    let table = r#"{"sqtt_funcmap": [[2, 1, "U", "from the table", "", 0]]}"#;
    std::fs::write(path.join("code.json"), table).unwrap();
    let found = told(&path);
    assert!(found.folded().iter().any(|line| line.contains("k2;from the table")), "{:?}", found.folded());
    assert!(found.diagnostics.messages()[0].contains("code_object_id_2.out"), "{:?}", found.diagnostics);
}

#[test]
fn a_map_that_contradicts_itself_is_told() {
    let map = "W:32\nU:1:a\nU:1:b\nP:2:addr_trace_load\nR:2:extra_payload_count=3\n";
    let told = Trace::new().map(7, map).values(0, SLOT, &[(1, enter(1)), (9, EXIT)]).write().read();
    assert_eq!(told.folded(), ["b 8"]);
    assert!(told.diagnostics.messages()[0].contains("id 1 in lines 1 and 2"), "{:?}", told.diagnostics);
}

/// A sink whose output is full at once.
struct Full;

impl trace::Sink for Full {
    fn enter(&mut self, _: &trace::Moment<'_>, _: &trace::Marker) -> std::io::Result<()> {
        Err(std::io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn reading_ends_when_the_sink_fails() {
    let trace =
        (0..20).fold(Trace::new(), |trace, engine| trace.values(engine, SLOT, &[(1, enter(1)), (2, EXIT)])).write();
    let error = trace::read_path(&trace.path(), &mut Full, &mut Diagnostics::default()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn how_far_reading_is_ends_with_all_bytes() {
    let (mut diagnostics, mut told) = (Diagnostics::default(), Vec::new());
    let found = trace::discover(&[sample("gfx942")], &mut diagnostics).unwrap();
    let progress = &mut |done, all| told.push((done, all));
    trace::read(&found, &Options::default(), &mut Stacks::default(), &mut diagnostics, progress).unwrap();
    let size = std::fs::metadata(&found[0].shaderdata[&0][0]).unwrap().len();
    assert_eq!(told.last(), Some(&(size, size)));
    assert!(told.is_sorted());
}

#[test]
fn a_file_that_holds_less_than_it_says_is_told() {
    let (_keep, path) = copy("gfx942");
    let file = path.join("shaderdata_0_0.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"records_count\": 276", "\"records_count\": 280")).unwrap();
    assert_eq!(told(&path).of(Kind::MissingRecord), 4);
}

#[test]
fn every_truncation_of_the_records_gives_those_before_it() {
    for target in SAMPLES {
        let bytes = std::fs::read(sample(target).join("ui_output_agent_1_dispatch_1/shaderdata_0_0.json")).unwrap();
        let records = |bytes: &[u8]| {
            let mut records = Vec::new();
            let summary = shaderdata::read(bytes, |record| {
                records.push(record);
                ControlFlow::Continue(())
            });
            (records, summary)
        };
        let (all, _) = records(&bytes);
        for length in 0..bytes.len() {
            let (found, summary) = records(&bytes[..length]);
            assert!(all.starts_with(&found), "{target} cut to {length}");
            let offset = summary.malformed.unwrap().offset;
            assert!(offset <= length, "{target} cut to {length}: {offset}");
        }
    }
}

#[test]
fn every_truncation_of_the_other_files_ends_cleanly() {
    let (outer, path) = copy("gfx1201");
    let code_object = outer.path().join("4242_gfx1201_code_object_id_2.out");
    for (file, step) in [(path.join("occupancy.json"), 1), (path.join("filenames.json"), 1), (code_object, 61)] {
        let bytes = std::fs::read(&file).unwrap();
        for length in (0..bytes.len()).step_by(step) {
            std::fs::write(&file, &bytes[..length]).unwrap();
            let found = told(&path);
            assert_eq!(found.totals.records, 300, "{} cut to {length}", file.display());
            assert!(!found.diagnostics.is_empty());
        }
        std::fs::write(&file, &bytes).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Bytes of every file changed at random: it ends, and no event is told out of order.
    #[test]
    fn spoilt_files_end_cleanly(
        at in any::<prop::sample::Index>(), byte in any::<u8>(), also in any::<prop::sample::Index>(), which in 0..3usize,
    ) {
        let (outer, path) = copy("gfx942");
        let code_object = outer.path().join("4242_gfx942_code_object_id_2.out");
        let file = [path.join("occupancy.json"), path.join("shaderdata_0_0.json"), code_object][which].clone();
        let mut bytes = std::fs::read(&file).unwrap();
        let (at, also) = (at.index(bytes.len()), also.index(bytes.len()));
        bytes[at] = byte;
        bytes[also] = b'9';
        std::fs::write(&file, &bytes).unwrap();
        told(&path);
    }
}
