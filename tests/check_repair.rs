//! `--repair` of the subcommands that show scopes, on traces of compiled kernels of which records are missing.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod check_support;
mod export_support;
mod machine_support;

use std::collections::BTreeMap;
use std::io;

use check_support::bench::{Bench, SOURCE, WAVES, Words};
use check_support::random::Random;
use export_support::without_kernel;
use serde_json::{Value, json};
use sqtt_contract::marker::Marker as Header;
use sqtt_hipcc::check::{Checker, Repaired};
use sqtt_hipcc::code_object::CodeObject;
use sqtt_hipcc::trace::{self, Close, Diagnostics, Domain, Marker, Moment, Options, Payload, Repairs, Sink, Wave};

/// Loses the entry of `helper` and the last exit of the second wave.
fn lose(slot: usize, words: &mut Words) {
    if slot == 1 {
        words.pop();
        words.remove(1);
    }
}

/// What `sqtt summary --json` has in `scopes`: calls, cut, inferred, by scope.
fn summary(bench: &Bench, arguments: &[&str]) -> BTreeMap<String, [Option<u64>; 3]> {
    let arguments = [arguments, &["--json"]].concat();
    let (status, out, messages) = bench.sqtt("summary", &arguments);
    assert_eq!(status, Some(0), "{messages}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let row = |scope: &Value| {
        let numbers = ["calls", "cut", "inferred"].map(|name| scope[name].as_u64());
        (scope["scope"].as_str().unwrap().to_owned(), numbers)
    };
    document["scopes"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn a_summary_has_the_calls_that_were_made() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, |_, _| {});
    let whole = summary(&bench, &["--repair"]);
    assert!(whole.values().all(|[_, cut, inferred]| (*cut, *inferred) == (Some(0), Some(0))), "{whole:?}");
    bench.trace(&WAVES, true, lose);
    let repaired = summary(&bench, &["--repair"]);
    let calls = |of: &BTreeMap<String, [Option<u64>; 3]>| -> Vec<(String, Option<u64>)> {
        of.iter().map(|(scope, [calls, ..])| (scope.clone(), *calls)).collect()
    };
    assert_eq!(calls(&repaired), calls(&whole));
    let inferred = |scope: &str| (repaired[scope][1], repaired[scope][2]);
    assert_eq!(
        [inferred("all"), inferred("helper"), inferred("step")],
        [(Some(0), Some(1)), (Some(0), Some(1)), (Some(0), Some(0))]
    );
    // As it is, the exit that is left over closes another scope.
    bench.trace(&WAVES, true, lose);
    let (_, out, messages) = bench.sqtt("summary", &["--repair"]);
    assert!(out.contains("     calls    cut inferred    self cycles"), "{out}");
    assert!(
        messages.contains("warning: repaired 1 of 3 waves: 2 inferred markers put in, 0 records left out"),
        "{messages}"
    );
}

#[test]
fn a_flame_graph_has_inferred_time_apart() {
    let bench = Bench::new(SOURCE);
    let folded = |arguments: &[&str]| -> BTreeMap<String, u64> {
        let (status, out, messages) = bench.sqtt("flamegraph", arguments);
        assert_eq!(status, Some(0), "{messages}");
        out.lines()
            .map(|line| line.rsplit_once(' ').unwrap())
            .map(|(stack, n)| (stack.to_owned(), n.parse().unwrap()))
            .collect()
    };
    bench.trace(&WAVES, true, |_, _| {});
    let whole = folded(&["--repair"]);
    assert!(whole.keys().all(|stack| !stack.contains("[inferred]")), "{whole:?}");
    bench.trace(&WAVES, true, lose);
    let repaired = folded(&["--repair"]);
    // The scopes of the kernel without what stands around them.
    let scopes = |stacks: &BTreeMap<String, u64>| -> BTreeMap<String, u64> {
        stacks.iter().map(|(stack, n)| (stack.splitn(3, ';').last().unwrap().to_owned(), *n)).collect()
    };
    let (whole, repaired) = (scopes(&whole), scopes(&repaired));
    let changed: Vec<(&str, u64)> = repaired
        .iter()
        .filter(|(stack, n)| whole.get(*stack) != Some(n))
        .map(|(stack, n)| (stack.as_str(), *n))
        .collect();
    // A record each 10 cycles: in front of each of the two that are lost, and between it and the next.
    let (all, helper) = (whole["all"], whole["all;helper"]);
    assert_eq!(changed, [("all", all - 20), ("all;[inferred]", 40), ("all;helper", helper - 10)]);
}

#[test]
fn a_timeline_says_what_is_inferred() {
    let bench = Bench::new(SOURCE);
    let slices = |harm: fn(usize, &mut Words)| -> Vec<Value> {
        bench.trace(&WAVES, true, harm);
        let (status, out, messages) = bench.sqtt("perfetto", &["--repair"]);
        assert_eq!(status, Some(0), "{messages}");
        let text = fs_err::read_to_string(bench.directory.path().join(out.trim_end())).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        document["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] != "M").cloned().collect()
    };
    let what = |events: &[Value]| -> Vec<(Value, Value, Value)> {
        let mut all: Vec<&Value> = events.iter().collect();
        all.sort_by_key(|event| event["tid"].as_u64());
        all.iter().map(|event| (event["tid"].clone(), event["ph"].clone(), event["name"].clone())).collect()
    };
    let (whole, repaired) = (slices(|_, _| {}), slices(lose));
    assert_eq!(what(&repaired), what(&whole));
    let of = |name: &str| -> Vec<&Value> { repaired.iter().filter(|event| !event["args"][name].is_null()).collect() };
    assert_eq!((of("inferred_since").len(), of("end_inferred_since").len(), of("cut").len()), (1, 1, 0));
    let [begin, end] = [of("inferred_since")[0], of("end_inferred_since")[0]];
    assert_eq!(
        (&begin["name"], &begin["args"]["inferred_since"], &begin["args"]["cycles"]),
        (&json!("helper"), &json!(2010), &json!(2030))
    );
    let cycles = |name: &str| end["args"][name].as_i64().unwrap();
    assert_eq!(cycles("end_cycles") - cycles("end_inferred_since"), 20);
    // Perfetto's own format says the same.
    let drawn = |format: &str| {
        let (status, out, messages) = bench.sqtt("perfetto", &["--repair", format]);
        assert_eq!(status, Some(0), "{messages}");
        bench.directory.path().join(out.trim_end())
    };
    let events = export_support::events(&export_support::json(drawn("--format=json")));
    let (_, _, native) = export_support::decoded(&drawn("--format=pftrace"));
    assert_eq!(without_kernel(&native), without_kernel(&events));
}

#[test]
fn what_cannot_be_repaired_is_told_and_drawn_as_it_is() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, lose);
    let (_, as_it_is, _) = bench.sqtt("summary", &["--repair", "--csv", "--kernel=tile"]);
    assert!(as_it_is.lines().next().unwrap().contains(",cut,inferred,self_cycles,"), "{as_it_is}");
    let (status, _, messages) = bench.sqtt("summary", &["--repair", "--strict"]);
    assert_eq!(status, Some(1));
    assert!(messages.contains("sqtt: error: repaired 1 of 3 waves: "), "{messages}");
    fs_err::remove_file(bench.directory.path().join("1_gfx1100_code_object_id_1.out")).unwrap();
    let (status, _, messages) = bench.sqtt("summary", &["--repair"]);
    assert_eq!(status, Some(0));
    assert!(messages.contains("not repaired, as what they can trace is not known: 3 of 3 waves"), "{messages}");
    assert_eq!(bench.sqtt("summary", &["--repair", "--strict"]).0, Some(1));
}

#[test]
fn what_is_repaired_in_part_is_told() {
    let bench = Bench::new(SOURCE);
    // Another program's: no path is near it.
    bench.trace(&WAVES, true, |slot, words| {
        if slot == 0 {
            *words = (0..9000).map(|at| (1001 + at, 0xFF0)).collect();
        }
    });
    let (status, _, messages) = bench.sqtt("summary", &["--repair"]);
    assert_eq!(status, Some(0), "{messages}");
    assert!(messages.contains("sqtt: warning: too much is wrong to repair all of 1 of these waves\n"), "{messages}");
}

#[test]
fn cost_and_repair_exclude_each_other() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, |_, _| {});
    let (status, _, messages) = bench.sqtt("summary", &["--repair", "--cost"]);
    assert_eq!(status, Some(2));
    assert!(messages.contains("cannot be used with"), "{messages}");
    // What is for one of them alone is nothing without.
    for command in ["summary", "flamegraph", "perfetto"] {
        let (status, _, messages) = bench.sqtt(command, &[]);
        assert_eq!(status, Some(2));
        assert!(messages.contains("required"), "{messages}");
    }
}

/// What happened in a wave: cycles, what, id, whether it is inferred.
type Event = (i64, &'static str, u32, bool);

/// Writes down the events of each wave.
#[derive(Default)]
struct Events(BTreeMap<u32, Vec<Event>>);

impl Events {
    fn add(&mut self, at: &Moment<'_>, what: &'static str, id: u32) -> io::Result<()> {
        self.0.entry(at.wave.index).or_default().push((at.cycles, what, id, at.is_inferred()));
        Ok(())
    }
}

impl Sink for Events {
    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        self.add(at, "enter", scope.id)
    }

    fn exit(&mut self, at: &Moment<'_>, scope: &Marker, close: Close) -> io::Result<()> {
        if close == Close::Cut { Ok(()) } else { self.add(at, "exit", scope.id) }
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, _: Payload<'_>) -> io::Result<()> {
        self.add(at, "point", marker.id)
    }
}

/// The events of headers.
fn events(headers: &[Repaired]) -> Vec<Event> {
    let (mut stack, mut events) = (Vec::new(), Vec::new());
    for Repaired { cycles, marker: Header { id, enter, exit }, is_inferred } in headers {
        if *exit {
            events.extend(stack.pop().map(|scope| (*cycles, "exit", scope, *is_inferred)));
        }
        if *enter {
            stack.push(*id);
            events.push((*cycles, "enter", *id, *is_inferred));
        } else if !exit {
            events.push((*cycles, "point", *id, *is_inferred));
        }
    }
    events
}

/// Loses, doubles and swaps records here and there.
fn disturb(random: &mut Random, words: &mut Words) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        match random.below(3) {
            0 => _ = words.remove(at),
            1 => words.insert(at, words[at]),
            _ => {
                let other = words[random.below(words.len())].1;
                words[at].1 = other;
            }
        }
    }
}

/// The reader does the same repairs as the list of headers has, and what comes out is what the program can trace.
#[test]
fn the_reader_repairs_as_the_check_does() {
    let bench = Bench::new(SOURCE);
    let mut repaired_waves = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        bench.trace(&WAVES, seed % 3 > 0, |_, words| disturb(&mut random, words));
        let directories = trace::discover(&[bench.path()], &mut Diagnostics::default()).unwrap();
        let mut lists: BTreeMap<u32, Vec<Repaired>> = BTreeMap::new();
        let mut take = |_: &Domain, wave: &Wave, headers: &[Repaired]| {
            lists.insert(wave.index, headers.to_vec());
            Ok(())
        };
        let mut read = |_: &CodeObject<'_>| Ok(bench.machine.program.clone());
        let mut checker = Checker::new(&directories, &mut read, Some(&mut take), usize::MAX);
        let mut diagnostics = Diagnostics::default();
        let options = Options { repairs: Repairs::from_launch(), ..Options::default() };
        trace::read(&directories, &options, &mut checker, &mut diagnostics, &mut |_, _| {}).unwrap();
        let (report, repairs) = checker.finish();
        assert_eq!((report.total().waves, report.total().unjudged), (3, 0));
        let mut read = Events::default();
        let options = Options { repairs, ..Options::default() };
        trace::read(&directories, &options, &mut read, &mut diagnostics, &mut |_, _| {}).unwrap();
        for (wave, headers) in lists {
            assert_eq!(read.0[&wave], events(&headers), "seed {seed}, wave {wave}");
            repaired_waves += usize::from(headers.iter().any(|header| header.is_inferred));
        }
    }
    assert!(repaired_waves > 60, "{repaired_waves}");
}
