//! Repairs of records: what is put in and left out, and that every event of it says so.

#![allow(clippy::unwrap_used)]

mod trace_support;

use sqtt_contract::marker::Marker;
use sqtt_hipcc::trace::{Kind, Options, Placed, Record, Repair, Repairs, Selection};
use trace_support::{EXIT, Told, Trace, enter, exit_enter, point, read};

/// Scopes 1 and 2, point 3, data point 4 with two words.
const MAP: &str = "U:1:outer\nU:2:inner\nP:3:barrier\nP:4:data\nR:4:extra_payload_count=2\n";

const SLOT: [u8; 3] = [1, 2, 3];

const LOST_EXIT: Repair = Repair::Insert(Marker::EXIT);

const fn lost_enter(id: u32) -> Repair {
    Repair::Insert(Marker { id, enter: true, exit: false })
}

const fn lost_point(id: u32) -> Repair {
    Repair::Insert(Marker { id, enter: false, exit: false })
}

fn repairs(placed: &[Placed]) -> Options {
    let mut repairs = Repairs::default();
    repairs.add(0, placed.to_vec());
    Options { repairs, ..Options::default() }
}

/// One wave from 0 to 1000 with `values`, in which `placed` is done.
fn repaired(values: &[(i64, u32)], placed: &[Placed]) -> Told {
    let trace = Trace::new().map(7, MAP).wave(0, SLOT, [0, 1000], 0).values(0, SLOT, values).write();
    read(&trace.path(), &repairs(placed))
}

fn events(expected: &[&str]) -> Vec<String> {
    expected.iter().map(|event| format!("0/1/2/3#0 {event}")).collect()
}

#[test]
fn a_lost_exit_closes_its_scope_in_front_of_the_next_header() {
    let values = [(10, enter(1)), (20, enter(2)), (40, point(3)), (50, EXIT)];
    let told = repaired(&values, &[(2, LOST_EXIT)]);
    let expected = [
        "10 enter outer in []",
        "20 enter inner in [outer]",
        "40 Exit inner in [outer], inferred since 20",
        "40 point barrier in [outer]",
        "50 Exit outer in []",
    ];
    assert_eq!(told.events, events(&expected));
    assert_eq!((told.totals.inferred, told.totals.dropped, told.diagnostics.is_empty()), (1, 0, true));
    // The trace has no more records than it had.
    assert_eq!(told.values(), values);
}

#[test]
fn time_in_front_of_an_inferred_event_is_apart() {
    let values = [(10, enter(1)), (20, enter(2)), (40, point(3)), (50, EXIT)];
    let told = repaired(&values, &[(2, LOST_EXIT)]);
    assert_eq!(told.folded(), ["outer 20", "outer;inner;[inferred] 20"]);
    // Of two in one place all time is in front of the first.
    let told = repaired(&[(10, enter(1)), (30, EXIT), (35, EXIT)], &[(1, lost_enter(2)), (1, lost_point(3))]);
    assert_eq!(told.folded(), ["outer 5", "outer;[inferred] 20"]);
}

#[test]
fn what_is_lost_behind_the_last_header_is_put_in_at_the_end() {
    let told = repaired(&[(10, enter(1)), (20, enter(2))], &[(2, LOST_EXIT), (2, LOST_EXIT)]);
    let last = ["1000 Exit inner in [outer], inferred since 20", "1000 Exit outer in [], inferred since 20"];
    assert_eq!(told.events[2..], events(&last));
    assert_eq!(told.of(Kind::OpenScope), 0);
    // What is open beyond that is cut, and not inferred.
    let told = repaired(&[(10, enter(1)), (20, enter(2))], &[(2, LOST_EXIT)]);
    assert_eq!(told.events[3..], events(&["1000 Cut outer in []"]));
}

#[test]
fn what_is_left_out_goes_with_its_payload() {
    let values = [(10, enter(1)), (20, point(4)), (21, 7), (22, enter(2)), (30, exit_enter(2)), (40, EXIT)];
    let told = repaired(&values, &[(1, Repair::Drop)]);
    let expected = ["10 enter outer in []", "30 Fused outer in []", "30 enter inner in []", "40 Exit inner in []"];
    assert_eq!(told.events, events(&expected));
    assert_eq!((told.totals.dropped, told.totals.payload_words, told.records.len()), (3, 0, 3));
}

#[test]
fn what_is_wrong_is_replaced_at_its_own_time() {
    let told = repaired(
        &[(10, enter(1)), (20, 0xFF0), (30, EXIT), (40, EXIT)],
        &[(1, Repair::Replace(Marker { id: 2, enter: true, exit: false }))],
    );
    let expected = [
        "10 enter outer in []",
        "20 enter inner in [outer], inferred since 20",
        "30 Exit inner in [outer]",
        "40 Exit outer in []",
    ];
    assert_eq!((told.events, told.diagnostics.is_empty()), (events(&expected), true));
}

#[test]
fn a_lost_header_with_payload_has_none() {
    let told = repaired(&[(10, enter(1)), (30, EXIT)], &[(1, lost_point(4))]);
    assert_eq!(told.events[1], "0/1/2/3#0 30 block data [] cut in [outer], inferred since 10");
    // The records behind it are headers, and so is the end of a block that is no repair.
    assert_eq!(told.events[2], "0/1/2/3#0 30 Exit outer in []");
    let told = repaired(&[(10, point(3)), (20, point(4)), (21, 7), (22, 8)], &[(1, lost_point(3))]);
    assert_eq!(told.events[2], "0/1/2/3#0 20 block data [7, 8] in []");
}

#[test]
fn payload_and_the_trap_handler_are_no_headers() {
    let record = |cycles, value, flags| Record { cycles, value, cu: 1, simd: 2, slot: 3, flags };
    let privileged = 2;
    let records = [
        record(10, point(4), 0),
        record(11, enter(1), 0),
        record(12, enter(1), privileged),
        record(13, enter(1), 0),
        record(20, enter(1), 0),
        record(30, EXIT, 0),
    ];
    let trace = Trace::new().map(7, MAP).wave(0, SLOT, [0, 1000], 0).records(0, &records).write();
    let told = read(&trace.path(), &repairs(&[(2, lost_enter(2)), (2, LOST_EXIT)]));
    let inferred: Vec<&String> = told.events.iter().filter(|event| event.contains("inferred")).collect();
    assert_eq!(
        inferred,
        [
            "0/1/2/3#0 30 enter inner in [outer], inferred since 20",
            "0/1/2/3#0 30 Exit inner in [outer], inferred since 20"
        ]
    );
    assert_eq!(told.totals.privileged, 1);
}

#[test]
fn only_the_wave_that_they_are_of_is_changed() {
    let other = [1, 2, 4];
    let values = [(10, enter(1)), (20, enter(2)), (40, EXIT)];
    let trace = Trace::new().map(7, MAP).wave(0, SLOT, [0, 500], 0).wave(0, SLOT, [500, 900], 0);
    let later = [(510, enter(1)), (520, enter(2)), (540, EXIT)];
    let trace = trace.wave(0, other, [0, 900], 0).values(0, SLOT, &values).values(0, SLOT, &later);
    let trace = trace.values(0, other, &[(5, enter(1)), (45, EXIT)]).write();
    let mut of_second = Repairs::default();
    // Waves are counted as their first records stand in the files.
    of_second.add(1, vec![(3, LOST_EXIT)]);
    of_second.add(0, Vec::new());
    let told = read(&trace.path(), &Options { repairs: of_second, ..Options::default() });
    let inferred: Vec<&String> = told.events.iter().filter(|event| event.contains("inferred")).collect();
    assert_eq!(inferred, ["0/1/2/3#1 900 Exit outer in [], inferred since 540"]);
    assert_eq!(told.of(Kind::OpenScope), 1);
    // A selection counts its own waves.
    let mut of_first = Repairs::default();
    of_first.add(0, vec![(2, lost_point(3))]);
    let selection = Selection { waves: vec![4..=4], ..Selection::default() };
    let told = read(&trace.path(), &Options { selection, repairs: of_first, ..Options::default() });
    assert_eq!(told.events.last().unwrap(), "0/1/2/4#0 900 point barrier in [], inferred since 45");
}
