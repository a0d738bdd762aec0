//! What tests of exporters share: running `sqtt`, and judging timelines.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)] // Helpers of tests; each test program uses a part of them.

pub mod imported;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The samples: `e2e_gfx942`, `e2e_gfx1100`, `e2e_gfx1201`.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/trace").join(name)
}

/// A copy of a sample that can be written to, and the directory around it.
pub fn copy_of(name: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let ui = "ui_output_agent_1_dispatch_1";
    for from in [sample(name), sample(name).join(ui)] {
        let to = if from.ends_with(ui) { directory.path().join(ui) } else { directory.path().to_owned() };
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            std::fs::write(to.join(entry.file_name()), std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    let ui = directory.path().join(ui);
    (directory, ui)
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub messages: String,
}

/// Runs `sqtt` in an empty environment.
pub fn sqtt<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).env_clear().args(arguments).output().unwrap();
    Ended {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        messages: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file as JSON.
pub fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// An event of a timeline of either format.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub phase: String,
    pub pid: i64,
    pub tid: i64,
    pub thread: String,
    pub ns: u64,
    pub category: Option<String>,
    pub name: Option<String>,
    pub arguments: Value,
}

/// The events of a JSON timeline, which is held to the format: required members by phase, one name for each thread and one
/// thread for each name, times that do not run backwards, every slice ended in its thread.
pub fn events(document: &Value) -> Vec<Event> {
    let (mut threads, mut open, mut last) = (BTreeMap::new(), BTreeMap::<_, usize>::new(), BTreeMap::new());
    let mut found = Vec::new();
    let mut pids = BTreeSet::new();
    for event in document["traceEvents"].as_array().unwrap() {
        let (phase, pid) = (event["ph"].as_str().unwrap(), event["pid"].as_i64().unwrap());
        let tid = event["tid"].as_i64().unwrap();
        assert!(i32::try_from(tid).is_ok() && i32::try_from(pid).is_ok(), "{event}");
        pids.insert(pid);
        let name = event["name"].as_str();
        if phase == "M" {
            if name == Some("thread_name") {
                let thread = event["args"]["name"].as_str().unwrap().to_owned();
                assert!(threads.insert(tid, thread).is_none(), "two names for {tid}");
            }
            continue;
        }
        let us = event["ts"].as_f64().unwrap();
        let ns = (us * 1000.0).round() as u64;
        assert!(us >= 0.0 && last.insert(tid, ns).is_none_or(|last| last <= ns), "time runs backwards: {event}");
        let depth = open.entry(tid).or_default();
        match phase {
            "B" => *depth += 1,
            "E" => *depth = depth.checked_sub(1).unwrap(),
            "i" => assert_eq!(event["s"], "t"),
            other => panic!("phase {other}"),
        }
        let category = event["cat"].as_str().map(str::to_owned);
        assert_eq!((category.is_some(), name.is_some()), (phase != "E", phase != "E"), "{event}");
        let (thread, name) = (threads[&tid].clone(), name.map(str::to_owned));
        let (phase, arguments) = (phase.to_owned(), event["args"].clone());
        found.push(Event { phase, pid, tid, thread, ns, category, name, arguments });
    }
    assert!(open.values().all(|depth| *depth == 0), "slices are left open: {open:?}");
    assert_eq!(threads.values().collect::<BTreeSet<_>>().len(), threads.len(), "two threads of one name");
    assert_eq!(pids.len(), 1);
    found
}

/// What ci/setup fetched under this name.
pub fn tools(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools").join(name);
    assert!(directory.exists(), "no `{}`: run ci/setup", directory.display());
    directory
}

/// A timeline in Perfetto's own format, decoded by Perfetto's message definitions: process, labels and events.
pub fn decoded(path: &Path) -> (String, Vec<String>, Vec<Event>) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_support/decode.py");
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", tools("perfetto")).env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(path);
    let output = command.output().unwrap_or_else(|error| panic!("cannot run python3: {error}; run ci/setup"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let event = |event: &Value| Event {
        phase: text(&event["ph"]).unwrap(),
        pid: event["pid"].as_i64().unwrap(),
        tid: event["tid"].as_i64().unwrap(),
        thread: text(&event["thread"]).unwrap(),
        ns: event["ts"].as_u64().unwrap(),
        category: text(&event["cat"][0]),
        name: text(&event["name"]),
        arguments: event["args"].clone(),
    };
    let labels = document["labels"].as_array().unwrap().iter().map(|label| text(label).unwrap()).collect();
    let events = document["events"].as_array().unwrap().iter().map(event).collect();
    (text(&document["process"]).unwrap(), labels, events)
}

/// Events without the kernel's name, which JSON has in outermost events only.
pub fn without_kernel(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.arguments.as_object_mut().unwrap().remove("kernel");
    }
    events
}
