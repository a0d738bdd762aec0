//! `sqtt perfetto`: what the trace processor of Perfetto's own UI makes of timelines of both formats.

#![allow(clippy::unwrap_used)]

mod export_support;
mod trace_support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use export_support::imported::{Imported, Slice, imported};
use export_support::{Event, events, json, sample, sqtt};
use serde_json::Value;
use trace_support::{EXIT, Trace, enter, exit_enter, point};

const MAP: &str = "U:1:outer\nF:2:_Z5innerv@k.hip:7\nP:3:\u{b1}\"\\%0A\nP:4:data\nR:4:extra_payload_count=2\n\
                   P:5:addr_trace_lds_load@k.hip:9\nR:5:extra_payload_count=34\n";

const SLOT: [u8; 3] = [1, 2, 3];

/// Where a trace is, and what keeps it there.
type Place = (PathBuf, Option<Trace>);

fn written(trace: Trace) -> Place {
    (trace.path(), Some(trace.write()))
}

/// The timeline of a trace in a format, written beside `out`.
fn draw(place: &Place, format: &str, out: &tempfile::TempDir) -> PathBuf {
    let (path, format) = (place.0.to_str().unwrap(), format!("--format={format}"));
    let ended = sqtt(["perfetto", path, &format, "-o", out.path().to_str().unwrap()]);
    assert_eq!(ended.status, 0, "{ended:?}");
    PathBuf::from(ended.out.trim_end())
}

/// What a viewer has to show of the events of our own JSON.
fn expected(events: &[Event]) -> Vec<Slice> {
    let (mut slices, mut open) = (Vec::<Slice>::new(), BTreeMap::<i64, Vec<usize>>::new());
    for event in events {
        let open = open.entry(event.tid).or_default();
        if event.phase == "E" {
            let slice = &mut slices[open.pop().unwrap()];
            slice.dur = i64::try_from(event.ns - slice.ts).unwrap();
            flatten("", &event.arguments, &mut slice.arguments);
            continue;
        }
        let mut arguments = BTreeMap::new();
        flatten("", &event.arguments, &mut arguments);
        let (category, name) = (event.category.clone().unwrap(), event.name.clone().unwrap());
        let depth = open.len() as u64;
        if event.phase == "B" {
            open.push(slices.len());
        }
        slices.push(Slice { tid: event.tid, ts: event.ns, dur: 0, depth, category, name, arguments });
    }
    slices
}

/// Adds the leaves of `value` under keys as the trace processor has them: `payload[0]`, `addresses.1`.
fn flatten(key: &str, value: &Value, flat: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                flatten(&if key.is_empty() { name.clone() } else { format!("{key}.{name}") }, member, flat);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| flatten(&format!("{key}[{at}]"), item, flat));
        }
        Value::String(text) => drop(flat.insert(key.to_owned(), text.clone())),
        other => drop(flat.insert(key.to_owned(), other.to_string())),
    }
}

/// Slices in an order of their own, without the kernel's name, which JSON has in outermost events only.
fn comparable(slices: &[Slice]) -> Vec<Slice> {
    let mut slices = slices.to_vec();
    for slice in &mut slices {
        slice.arguments.remove("kernel");
    }
    slices.sort();
    slices
}

/// Holds what was imported of both formats to the events of the JSON.
fn assert_shown(document: &Value, from: [&Imported; 2]) {
    let events = events(document);
    let expected = comparable(&expected(&events));
    let metadata = document["traceEvents"].as_array().unwrap();
    let process = &metadata.iter().find(|event| event["name"] == "process_name").unwrap()["args"]["name"];
    let mut threads: BTreeMap<i64, &str> = BTreeMap::new();
    threads.extend(events.iter().map(|event| (event.tid, event.thread.as_str())));
    for imported in from {
        assert_eq!(imported.errors, []);
        assert_eq!(comparable(&imported.slices), expected);
        let shown: BTreeMap<i64, &str> =
            imported.threads.iter().map(|thread| (thread.tid, thread.thread.as_str())).collect();
        assert_eq!((&shown, imported.threads.len()), (&threads, threads.len()));
        for thread in &imported.threads {
            assert_eq!((thread.pid, thread.process.as_str()), (events[0].pid, process.as_str().unwrap()));
        }
    }
}

/// Payloads, addresses, names of any kind, times far apart and before the start, and scopes that the trace cuts.
fn of_everything() -> Trace {
    let mut values = vec![(-5, enter(1)), (0, point(4)), (1, 7), (2, u32::MAX), (3, exit_enter(2)), (10, point(5))];
    values.extend([(11, 0b101), (12, 0)]);
    values.extend((0..32).map(|lane| (13 + i64::from(lane), 64 * lane)));
    values.extend([(60, point(3)), (61, EXIT), (1 << 40, enter(1)), (1 << 50, enter(2))]);
    Trace::new().map(7, MAP).kernel(1, "7 / 0x100").wave(0, SLOT, [0, 1 << 51], 1).values(0, SLOT, &values)
}

/// Shader engines with waves in the slots whose numbers are those of no thread; the later slot is the first to trace.
fn of_many_waves(engines: u32) -> Trace {
    let mut trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100");
    for engine in 0..engines {
        for (wave, launch) in [(0, 10), (0, 100), (0, 200), (0, 300), (1, 0)] {
            let slot = [0, 0, wave];
            trace = trace.wave(engine, slot, [launch, launch + 50], 1);
            trace =
                trace.values(engine, slot, &[(launch + 10, enter(1)), (launch + 20, point(3)), (launch + 40, EXIT)]);
        }
    }
    trace
}

/// Two waves of compute unit 0 were one thread, another one came first, and the waves of two engines were mixed.
#[test]
fn perfetto_shows_what_the_timelines_say() {
    let mut places: Vec<Place> = ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"].map(|name| (sample(name), None)).into();
    places.extend([of_everything(), of_many_waves(1), of_many_waves(7), of_many_waves(8)].map(written));
    let outs: Vec<tempfile::TempDir> = places.iter().map(|_| tempfile::tempdir().unwrap()).collect();
    let files: Vec<PathBuf> = places
        .iter()
        .zip(&outs)
        .flat_map(|(place, out)| ["json", "pftrace"].map(|format| draw(place, format, out)))
        .collect();
    let imported = imported(&files);
    for (files, imported) in files.chunks(2).zip(imported.chunks(2)) {
        assert_shown(&json(&files[0]), [&imported[0], &imported[1]]);
        // The UI draws them in the order of their numbers, and the main thread first.
        let names: Vec<&str> = imported[0].threads.iter().map(|thread| thread.thread.as_str()).collect();
        let is_main = imported[0].threads.iter().any(|thread| thread.tid == thread.pid);
        assert!(names.is_sorted() && !is_main, "{names:?}");
    }
}

#[test]
fn what_the_import_leaves_out_is_seen() {
    let out = tempfile::tempdir().unwrap();
    let place = written(of_everything());
    let files = ["json", "pftrace"].map(|format| draw(&place, format, &out));
    // An event without a time.
    let mut document = json(&files[0]);
    let events = document["traceEvents"].as_array_mut().unwrap();
    events.iter_mut().find(|event| event["ph"] == "B").unwrap().as_object_mut().unwrap().remove("ts");
    fs_err::write(&files[0], document.to_string()).unwrap();
    // All but the first packet, which says that a sequence begins.
    let packets = fs_err::read(&files[1]).unwrap();
    let mut first = &packets[1..];
    let length = prost::decode_length_delimiter(&mut first).unwrap();
    fs_err::write(&files[1], &first[length..]).unwrap();
    for imported in imported(&files) {
        assert!(!imported.errors.is_empty(), "{imported:?}");
    }
}
