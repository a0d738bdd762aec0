//! `sqtt perfetto`: both formats of timelines, held to their definitions and to each other.

#![allow(clippy::unwrap_used)]

mod export_support;
mod trace_support;

use std::path::{Path, PathBuf};

use export_support::{Ended, Event, copy_of, decoded, events, json, sample, sqtt, without_kernel};
use proptest::prelude::{ProptestConfig, any, prop, prop_assert_eq, proptest};
use serde_json::{Value, json};
use sqtt_hipcc::export::perfetto::{Options, Perfetto};
use sqtt_hipcc::trace::{self, Diagnostics, Record};
use trace_support::{EXIT, Trace, enter, exit_enter, point};

/// Scope 1, function 2, point 3, data point 4 with two words, LDS loads 5 of 32 lanes.
const MAP: &str = "U:1:outer\nF:2:_Z5innerv@k.hip:7\nP:3:barrier\nP:4:data\nR:4:extra_payload_count=2\n\
                   P:5:addr_trace_lds_load@k.hip:9\nR:5:extra_payload_count=34\n";

const SLOT: [u8; 3] = [1, 2, 3];

/// One wave with `values`, from 0 to 1000.
fn one_wave(values: &[(i64, u32)]) -> Trace {
    Trace::new().map(7, MAP).kernel(1, "7 / 0x100").wave(0, SLOT, [0, 1000], 1).values(0, SLOT, values).write()
}

/// Runs the command, with `more` arguments, and returns the one file.
fn draw(trace: &Trace, more: &[&str]) -> (PathBuf, Ended) {
    let path = trace.path();
    let ended = sqtt(["perfetto", path.to_str().unwrap()].into_iter().chain(more.iter().copied()));
    assert_eq!(ended.status, 0, "{ended:?}");
    (PathBuf::from(ended.out.trim_end()), ended)
}

fn draw_json(trace: &Trace, more: &[&str]) -> (Value, Vec<Event>) {
    let document = json(draw(trace, more).0);
    let events = events(&document);
    (document, events)
}

#[test]
fn the_samples_are_drawn_as_ever() {
    for name in ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"] {
        let out = tempfile::tempdir().unwrap();
        let ended = sqtt([Path::new("perfetto"), &sample(name), Path::new("-o"), out.path()]);
        assert_eq!(ended.status, 0, "{ended:?}");
        let file = out.path().join("ui_output_agent_1_dispatch_1.perfetto.json");
        assert_eq!(ended.out, format!("{}\n", file.display()));
        let golden = sample("golden").join(format!("{name}.perfetto.json"));
        let version = concat!("sqtt ", env!("CARGO_PKG_VERSION"));
        let text = std::fs::read_to_string(file).unwrap().replace(version, "sqtt [VERSION]");
        snapbox::assert_data_eq!(text, snapbox::Data::read_from(&golden, None).raw());
    }
}

#[test]
fn both_formats_say_the_same() {
    let extremes = one_wave(&[(-5, enter(1)), (0, point(4)), (1, 7), (1 << 40, u32::MAX), (1 << 52, enter(2))]);
    let paths = ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"].map(sample);
    for path in paths.into_iter().chain([extremes.path()]) {
        let out = tempfile::tempdir().unwrap();
        let write = |format: &str| {
            let format = format!("--format={format}");
            let ended = sqtt(["perfetto", path.to_str().unwrap(), &format, "-o", out.path().to_str().unwrap()]);
            assert_eq!(ended.status, 0, "{ended:?}");
            PathBuf::from(ended.out.trim_end())
        };
        let document = json(write("json"));
        let events = events(&document);
        let (process, labels, native) = decoded(&write("pftrace"));
        assert!(events.len() > 3);
        assert_eq!(without_kernel(&native), without_kernel(&events));
        let outermost = events.iter().filter(|event| event.arguments.get("kernel").is_some()).count();
        assert!(
            outermost > 0
                && native
                    .iter()
                    .filter(|event| event.phase != "E")
                    .all(|event| event.arguments.get("kernel").is_some())
        );
        let named = |name: &str| {
            let all = document["traceEvents"].as_array().unwrap();
            all.iter().find(|event| event["name"] == name).unwrap()["args"].clone()
        };
        assert_eq!(named("process_name")["name"], process);
        assert_eq!(named("process_labels")["labels"], labels[0]);
    }
}

#[test]
fn scopes_are_slices_and_points_are_instants() {
    let trace =
        one_wave(&[(10, enter(1)), (20, point(3)), (30, enter(2)), (40, EXIT), (50, exit_enter(2)), (60, EXIT)]);
    let (document, events) = draw_json(&trace, &["--demangle"]);
    let line = |event: &Event| {
        let (category, name) = (event.category.as_deref().unwrap_or("-"), event.name.as_deref().unwrap_or("-"));
        format!("{} {} {category} {name}", event.ns, event.phase)
    };
    let lines: Vec<String> = events.iter().map(line).collect();
    let expected = [
        "10 B sqtt.user outer",
        "20 i sqtt.point barrier",
        "30 B sqtt.function inner()",
        "40 E - -",
        "50 E - -",
        "50 B sqtt.function inner()",
        "60 E - -",
    ];
    assert_eq!(lines, expected);
    let wave = json!({"se": 0, "cu": 1, "simd": 2, "wave": 3, "instance": 0, "kernel_id": 1});
    let mut arguments = json!({"id": 2, "code_object": 7, "source": "k.hip:7", "cycles": 30});
    arguments.as_object_mut().unwrap().extend(wave.as_object().unwrap().clone());
    assert_eq!(events[2].arguments, arguments);
    assert_eq!((events[2].pid, events[2].tid), (2, 1 << 20 | 2 << 16 | 3 << 8));
    assert_eq!(events[2].thread, "CU1/SIMD2/W3#0");
    assert_eq!(document["otherData"]["kernels"], json!({"1": "7 / 0x100"}));
    assert_eq!(document["otherData"]["dispatch"], 2);
}

#[test]
fn times_are_microseconds_of_the_rate_that_is_known() {
    let trace = one_wave(&[(2100, enter(1)), (4200, EXIT)]);
    let times = |more: &[&str]| {
        let (document, _) = draw_json(&trace, more);
        let events = document["traceEvents"].as_array().unwrap();
        let begin = events.iter().find(|event| event["ph"] == "B").unwrap()["ts"].as_f64().unwrap();
        (
            begin,
            document["otherData"]["clock"].as_str().unwrap().to_owned(),
            document["otherData"]["clock_rate_ghz"].clone(),
        )
    };
    let (begin, clock, rate) = times(&[]);
    assert_eq!((begin, rate), (2.1, Value::Null));
    assert!(clock.contains("1 ns is 1 cycle"), "{clock}");
    // 3000 cycles in 100 ticks of 100 MHz: 3 GHz.
    let realtime = json!({"metadata": {"frequency": 100_000_000}, "SE0": [[1000, 5], [4000, 105]]});
    std::fs::write(trace.path().join("realtime.json"), realtime.to_string()).unwrap();
    assert_eq!(times(&[]), (0.7, "3 GHz, measured in realtime.json".to_owned(), json!(3.0)));
    assert_eq!(times(&["--clock-rate-ghz=2.1"]), (1.0, "2.1 GHz, given by the user".to_owned(), json!(2.1)));
}

#[test]
fn scopes_that_the_trace_cuts_are_marked() {
    let (_, events) = draw_json(&one_wave(&[(10, enter(1)), (20, enter(2)), (30, EXIT)]), &[]);
    let ends: Vec<&Value> = events.iter().filter(|event| event.phase == "E").map(|event| &event.arguments).collect();
    assert_eq!(ends, [&json!({"end_cycles": 30}), &json!({"end_cycles": 1000, "cut": true})]);
}

#[test]
fn payload_and_addresses_are_arguments() {
    let mut values = vec![(10, point(4)), (11, 1), (12, u32::MAX), (20, point(5)), (21, 0b11), (22, 0)];
    values.extend((0..32).map(|lane| (23 + lane, 64 * lane as u32)));
    values.extend([(100, point(5)), (101, 0b1001), (102, 0), (103, 0xFF00), (200, point(4))]);
    let mut trace = one_wave(&values);
    let (_, events) = draw_json(&trace, &[]);
    let argument = |at: usize, name: &str| events[at].arguments[name].clone();
    assert_eq!(argument(0, "payload"), json!([1, u32::MAX]));
    assert_eq!((argument(1, "exec"), argument(1, "addresses")), (json!("0x3"), json!({"0": "0x0", "1": "0x40"})));
    // The second block has three records and then the end: the header at 200 is one of them.
    assert_eq!((argument(2, "addresses"), argument(2, "cut")), (json!({"0": "0xff00"}), json!(true)));
    assert_eq!(events.len(), 3);
    // Cut before EXEC is there: the words themselves.
    trace = one_wave(&[(10, point(5)), (20, 9)]);
    let (_, events) = draw_json(&trace, &[]);
    assert_eq!((&events[0].arguments["payload"], &events[0].arguments["cut"]), (&json!([9]), &json!(true)));
}

#[test]
fn waves_of_several_engines_and_of_many_launches_are_threads_of_their_own() {
    let mut trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100");
    for engine in [0, 3] {
        trace = trace.wave(engine, SLOT, [0, 100], 1).values(engine, SLOT, &[(10, point(3))]);
    }
    let (_, events) = draw_json(&trace.write(), &[]);
    let threads: Vec<(i64, &str)> = events.iter().map(|event| (event.tid, event.thread.as_str())).collect();
    let tid = 1 << 20 | 2 << 16 | 3 << 8;
    assert_eq!(threads, [(tid, "SE0/CU1/SIMD2/W3#0"), (1 << 28 | tid, "SE3/CU1/SIMD2/W3#0")]);
    let mut trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100");
    let mut values = Vec::new();
    for instance in 0..300 {
        trace = trace.wave(0, SLOT, [10 * instance, 10 * instance + 9], 1);
        values.push((10 * instance + 5, point(3)));
    }
    // Checks that no two threads have one number.
    let (_, events) = draw_json(&trace.values(0, SLOT, &values).write(), &[]);
    assert_eq!((events.len(), events[299].thread.as_str()), (300, "CU1/SIMD2/W3#299"));
}

#[test]
fn what_is_before_the_start_is_drawn_at_it_and_said() {
    let trace = one_wave(&[(-30, enter(1)), (-10, point(3)), (5, EXIT)]);
    let (path, ended) = draw(&trace, &[]);
    assert!(ended.messages.contains("2 events are before the start of the trace"), "{}", ended.messages);
    let document = json(path);
    let found = events(&document);
    assert_eq!((found[0].ns, &found[0].arguments["cycles"]), (0, &json!(-30)));
    assert_eq!(document["otherData"]["events_before_the_start"], 2);
}

#[test]
fn names_of_any_kind_are_text() {
    let map = "U:1:a\"b\\c%0A%07</script>\u{202e}\nP:3:%FF%FE\n";
    let trace = Trace::new().map(7, map).kernel(1, "k\"\\\u{1}").wave(0, SLOT, [0, 99], 1);
    let trace = trace.values(0, SLOT, &[(1, enter(1)), (2, point(3)), (3, EXIT)]).write();
    let (_, found) = draw_json(&trace, &[]);
    assert!(found[0].name.as_ref().unwrap().contains("a\"b\\c"), "{found:?}");
    assert_eq!(found[0].arguments["kernel"], "k\"\\\u{1}");
    let (_, _, native) = decoded(&draw(&trace, &["--format=pftrace"]).0);
    assert_eq!(without_kernel(&native), without_kernel(&found));
}

#[test]
fn files_lie_beside_their_directories_and_nothing_else_does() {
    let (directory, ui) = copy_of("e2e_gfx942");
    let names = || {
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let before = names();
    let ended = sqtt([Path::new("perfetto"), directory.path()]);
    assert_eq!(ended.out, format!("{}.perfetto.json\n", ui.display()));
    assert_eq!(names().len(), before.len() + 1);
}

#[test]
fn nothing_is_written_when_there_is_nothing_to_draw() {
    let trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100").wave(0, SLOT, [0, 9], 1).values(0, SLOT, &[]).write();
    let ended = sqtt([Path::new("perfetto"), &trace.path()]);
    assert_eq!((ended.status, ended.out.as_str()), (1, ""));
    assert!(ended.messages.contains("the files hold no records"), "{}", ended.messages);
    assert_eq!(std::fs::read_dir(trace.parent()).unwrap().count(), 1);
    // An exit without a scope is a record, and nothing to draw either.
    let ended = sqtt([Path::new("perfetto"), &one_wave(&[(1, EXIT)]).path()]);
    assert_eq!((ended.status, ended.out.as_str()), (1, ""));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
    let trace = one_wave(&[(1, point(3))]);
    let blocked = trace.parent().join("file");
    std::fs::write(&blocked, "").unwrap();
    let ended = sqtt([Path::new("perfetto"), &trace.path(), Path::new("-o"), &blocked]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""));
    assert!(ended.messages.contains("cannot write") && ended.messages.contains("file"), "{}", ended.messages);
}

#[test]
fn every_truncation_of_a_sample_gives_a_sound_timeline_or_none() {
    let (directory, ui) = copy_of("e2e_gfx942");
    let file = ui.join("shaderdata_0_0.json");
    let whole = std::fs::read(&file).unwrap();
    for length in (0..whole.len()).step_by(97) {
        std::fs::write(&file, &whole[..length]).unwrap();
        let options = Options { output: Some(directory.path().join("out")), ..Options::default() };
        for path in written(&ui, options) {
            events(&json(path));
        }
    }
}

/// Draws what is at `path` and returns the files.
fn written(path: &Path, options: Options) -> Vec<PathBuf> {
    let mut perfetto = Perfetto::new(options);
    trace::read_path(path, &mut perfetto, &mut Diagnostics::default()).unwrap();
    perfetto.written().to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Records of any kind make timelines that keep to the format, with a begin for each end.
    #[test]
    fn any_records_make_a_sound_timeline(
        records in prop::collection::vec((any::<i64>(), 0..40u32, 0..2u8, 0..2u8, any::<bool>()), 0..80),
        launches in prop::collection::vec((0..1000i64, 0..1000i64), 0..6),
    ) {
        let record = |(cycles, value, simd, slot, near): (i64, u32, u8, u8, bool)| Record {
            cycles: if near { cycles & 1023 } else { cycles }, value, cu: 1, simd, slot, flags: 0,
        };
        let records: Vec<Record> = records.into_iter().map(record).collect();
        let mut trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100").records(0, &records);
        for (begin, end) in launches {
            trace = trace.wave(0, [1, 0, 0], [begin, end], 1);
        }
        let trace = trace.write();
        for path in written(&trace.path(), Options::default()) {
            let found = events(&json(path));
            let count = |phase: &str| found.iter().filter(|event| event.phase == phase).count();
            prop_assert_eq!(count("B"), count("E"));
        }
    }
}
