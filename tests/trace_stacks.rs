//! Records to stacks: what each record does to the scopes of its wave, and which wave that is.

#![allow(clippy::unwrap_used)]

mod trace_support;

use sqtt_hipcc::trace::{Kind, Options, Record, Role, Selection};
use trace_support::{EXIT, Trace, enter, exit_enter, point, read};

/// Scopes 1 and 2, point 3, data point 4 with two words, function 5.
const MAP: &str = "U:1:outer\nU:2:inner\nP:3:barrier\nP:4:data\nR:4:extra_payload_count=2\nF:5:_Z1fi@f.hip:1\n";

const SLOT: [u8; 3] = [1, 2, 3];

/// One wave from 0 to 1000 with `values`.
fn one_wave(values: &[(i64, u32)]) -> Trace {
    Trace::new().map(7, MAP).wave(0, SLOT, [0, 1000], 0).values(0, SLOT, values).write()
}

#[test]
fn an_exit_without_a_scope_is_counted_and_time_goes_to_the_innermost_scope() {
    let values = [(160, EXIT), (191, enter(1)), (207, enter(2)), (223, EXIT), (239, EXIT)];
    let told = Trace::new().map(7, MAP).wave(0, SLOT, [100, 240], 0).values(0, SLOT, &values).write().read();
    assert_eq!(told.stacks["outer"], (32, 2));
    assert_eq!(told.stacks["outer;inner"], (16, 1));
    assert_eq!((told.stacks.len(), told.of(Kind::OrphanExit)), (2, 1));
    assert_eq!(told.diagnostics.counts().collect::<Vec<_>>(), [(Kind::OrphanExit, 1), (Kind::SuspectedLoss, 1)]);
}

#[test]
fn a_wave_that_was_there_before_the_trace_may_close_what_nobody_saw_open() {
    let told = Trace::new().map(7, MAP).begin(0, SLOT, 50, 0).values(0, SLOT, &[(10, EXIT), (20, EXIT)]).write().read();
    assert_eq!((told.of(Kind::OrphanExit), told.of(Kind::SuspectedLoss)), (2, 0));
    // So may one that the occupancy does not have.
    let told = Trace::new().map(7, MAP).values(0, SLOT, &[(10, EXIT)]).write().read();
    assert_eq!((told.of(Kind::OrphanExit), told.of(Kind::SuspectedLoss)), (1, 0));
}

#[test]
fn nested_scopes_have_their_own_time() {
    let told = one_wave(&[(10, enter(1)), (20, enter(2)), (30, EXIT), (40, EXIT)]).read();
    assert_eq!(told.folded(), ["outer 20", "outer;inner 10"]);
    assert!(told.diagnostics.is_empty());
}

#[test]
fn exit_and_enter_in_one_record_closes_and_opens_at_once() {
    let told = one_wave(&[(10, enter(1)), (20, exit_enter(2)), (35, EXIT)]).read();
    assert_eq!(told.folded(), ["inner 15", "outer 10"]);
    let events = ["10 enter outer in []", "20 Fused outer in []", "20 enter inner in []", "35 Exit inner in []"];
    assert_eq!(told.events, events.map(|event| format!("0/1/2/3#0 {event}")));
}

#[test]
fn the_reserved_id_does_nothing_but_the_bare_exit() {
    let told = one_wave(&[(10, enter(1)), (12, 0), (14, 2), (16, 3), (20, EXIT)]).read();
    assert_eq!((told.folded(), told.totals.no_ops), (vec!["outer 10".to_owned()], 3));
    assert!(told.diagnostics.is_empty());
}

#[test]
fn a_point_never_touches_the_stack_whatever_its_flags() {
    let told =
        one_wave(&[(10, enter(1)), (12, point(3)), (14, enter(3)), (16, exit_enter(3)), (18, 13), (20, EXIT)]).read();
    assert_eq!(told.folded(), ["outer 10"]);
    let points: Vec<&String> = told.events.iter().filter(|event| event.contains("point barrier in [outer]")).collect();
    assert_eq!(points.len(), 4);
}

#[test]
fn records_of_the_trap_handler_are_no_markers() {
    let record = |cycles, value, flags| Record { cycles, value, cu: 1, simd: 2, slot: 3, flags };
    let records = [record(10, enter(1), 0), record(15, EXIT, Record::PRIVILEGED), record(30, EXIT, 0)];
    let told = Trace::new().map(7, MAP).wave(0, SLOT, [0, 99], 0).records(0, &records).write().read();
    assert_eq!((told.folded(), told.totals.privileged), (vec!["outer 20".to_owned()], 1));
    assert_eq!(told.records[1].2, Role::Privileged);
}

#[test]
fn an_unknown_id_opens_a_scope_of_its_own_name() {
    let told = one_wave(&[(10, enter(1)), (20, enter(77)), (30, EXIT), (40, EXIT)]).read();
    assert_eq!(
        (told.folded(), told.of(Kind::UnknownId)),
        (vec!["outer 20".to_owned(), "outer;unknown#77 10".to_owned()], 1)
    );
}

#[test]
fn an_unknown_id_that_only_exits_is_ignored_and_counted() {
    let told = one_wave(&[(10, enter(1)), (20, 77 << 2 | 1), (40, EXIT)]).read();
    assert_eq!((told.folded(), told.of(Kind::UnknownId)), (vec!["outer 30".to_owned()], 1));
}

#[test]
fn a_known_scope_that_exits_closes_the_innermost_one() {
    let told = one_wave(&[(10, enter(1)), (20, enter(2)), (30, 2 << 2 | 1), (40, EXIT)]).read();
    assert_eq!(told.folded(), ["outer 20", "outer;inner 10"]);
}

#[test]
fn payload_is_never_taken_for_markers() {
    let values = [(10, enter(1)), (20, point(4)), (21, EXIT), (22, enter(2)), (30, EXIT)];
    let told = one_wave(&values).read();
    assert_eq!(told.folded(), ["outer 20"]);
    assert_eq!(told.events[1], format!("0/1/2/3#0 20 block data [1, {}] in [outer]", enter(2)));
    assert!(told.diagnostics.is_empty());
}

#[test]
fn payload_is_that_of_its_own_wave() {
    let record = |cycles, value, slot| Record { cycles, value, cu: 1, simd: 0, slot, flags: 0 };
    let records = [
        record(10, point(4), 0),
        record(11, point(4), 1),
        record(12, 100, 0),
        record(13, 200, 1),
        record(14, 201, 1),
        record(15, 101, 0),
    ];
    let told = Trace::new().map(7, MAP).records(0, &records).write().read();
    assert_eq!(told.events, ["0/1/0/1#0 11 block data [200, 201] in []", "0/1/0/0#0 10 block data [100, 101] in []"]);
}

#[test]
fn a_block_that_the_trace_cuts_is_counted_and_told_with_what_there_is() {
    let told = one_wave(&[(10, point(4)), (11, 5)]).read();
    assert_eq!(
        (told.events.as_slice(), told.of(Kind::CutBlock)),
        (["0/1/2/3#0 10 block data [5] cut in []".to_owned()].as_slice(), 1)
    );
}

#[test]
fn a_block_that_the_next_launch_cuts_takes_nothing_from_the_next_wave() {
    let values = [(10, point(4)), (11, 5), (110, enter(1)), (120, EXIT)];
    let trace = Trace::new().map(7, MAP).wave(0, SLOT, [0, 90], 0).wave(0, SLOT, [100, 200], 0);
    let told = trace.values(0, SLOT, &values).write().read();
    assert_eq!((told.folded(), told.of(Kind::CutBlock)), (vec!["outer 10".to_owned()], 1));
    assert_eq!(told.events[0], "0/1/2/3#0 10 block data [5] cut in []");
}

#[test]
fn an_open_scope_ends_with_its_wave() {
    let told = one_wave(&[(10, enter(1)), (20, enter(2))]).read();
    assert_eq!(
        (told.folded(), told.of(Kind::OpenScope)),
        (vec!["outer 10".to_owned(), "outer;inner 980".to_owned()], 2)
    );
    assert_eq!(told.events[2..], ["0/1/2/3#0 1000 Cut inner in [outer]", "0/1/2/3#0 1000 Cut outer in []"]);
}

#[test]
fn an_open_scope_of_a_wave_without_end_ends_with_the_next_launch_or_the_trace() {
    let trace = Trace::new().map(7, MAP).begin(0, SLOT, 0, 0).begin(0, SLOT, 100, 0);
    let told =
        trace.values(0, SLOT, &[(10, enter(1)), (110, enter(2))]).values(0, [0, 0, 0], &[(500, EXIT)]).write().read();
    assert_eq!(told.folded(), ["inner 390", "outer 90"]);
    // Without occupancy nobody knows how long the wave ran on.
    let told = Trace::new().map(7, MAP).values(0, SLOT, &[(10, enter(1)), (60, point(3))]).values(
        0,
        [0, 0, 0],
        &[(500, EXIT)],
    );
    let told = told.write().read();
    assert_eq!((told.folded(), told.of(Kind::NoWave)), (vec!["outer 50".to_owned()], 3));
}

#[test]
fn a_late_exit_belongs_to_the_wave_until_the_next_launch() {
    let trace = Trace::new().map(7, MAP).wave(0, SLOT, [100, 200], 0).wave(0, SLOT, [300, 400], 0);
    // The first record is before the first launch: of the first wave, too.
    let values = [(90, enter(1)), (210, EXIT), (300, enter(2)), (310, EXIT)];
    let told = trace.values(0, SLOT, &values).write().read();
    let events =
        ["#0 90 enter outer in []", "#0 210 Exit outer in []", "#1 300 enter inner in []", "#1 310 Exit inner in []"];
    assert_eq!(told.events, events.map(|event| format!("0/1/2/3{event}")));
    assert!(told.diagnostics.is_empty());
}

#[test]
fn a_scope_is_never_closed_by_another_wave() {
    let values = [(10, enter(1)), (10, EXIT)];
    let trace = Trace::new().map(7, MAP).values(0, SLOT, &values[..1]).values(0, [1, 2, 4], &values[1..]).values(
        1,
        SLOT,
        &values[1..],
    );
    let told = trace.write().read();
    assert_eq!((told.of(Kind::OrphanExit), told.of(Kind::OpenScope)), (2, 1));
}

#[test]
fn an_id_means_what_its_own_code_object_says() {
    let trace =
        Trace::new().map(7, "U:1:load\n").map(8, "U:1:store\nK:k8\n").kernel(1, "7 / 0x100").kernel(2, "8 / 0x200");
    let trace = trace.wave(0, SLOT, [0, 90], 1).wave(0, SLOT, [100, 190], 2);
    let told = trace.values(0, SLOT, &[(10, enter(1)), (20, EXIT), (110, enter(1)), (140, EXIT)]).write().read();
    assert_eq!(told.folded(), ["code_object_7;7 / 0x100;load 10", "code_object_8;8 / 0x200;store 30"]);
    assert!(told.diagnostics.is_empty());
}

#[test]
fn a_kernel_is_found_in_the_code_object_that_has_it() {
    let trace = Trace::new()
        .map(7, "U:1:load\nK:_Z2k7i\n")
        .map(8, "U:1:store\nK:k8\n")
        .kernel(1, "k8")
        .kernel(2, "k7(int)")
        .kernel(3, "k9");
    let trace = trace.wave(0, SLOT, [0, 90], 1).wave(0, SLOT, [100, 190], 2).wave(0, SLOT, [200, 290], 3);
    let values = [(10, enter(1)), (20, EXIT), (110, enter(1)), (140, EXIT), (210, enter(1)), (215, EXIT)];
    let told = trace.values(0, SLOT, &values).write().read();
    // What nobody has is not guessed among several.
    let folded = ["code_object_7;k7(int);load 30", "code_object_8;k8;store 10", "k9;unknown#1 5"];
    assert_eq!((told.folded(), told.of(Kind::UnknownId)), (folded.map(str::to_owned).to_vec(), 1));
}

#[test]
fn a_kernel_in_two_code_objects_with_different_maps_is_not_guessed() {
    let trace =
        Trace::new().map(7, "U:1:load\nK:k\n").map(8, "U:1:store\nK:k\n").kernel(1, "k").wave(0, SLOT, [0, 90], 1);
    let told = trace.values(0, SLOT, &[(10, enter(1)), (20, EXIT)]).write().read();
    assert_eq!(told.folded(), ["k;unknown#1 10"]);
    assert!(told.diagnostics.messages()[0].contains("kernel `k` is in 2 code objects"), "{:?}", told.diagnostics);
}

#[test]
fn records_out_of_order_are_put_in_order_and_counted() {
    let sorted = [(10, enter(1)), (20, enter(2)), (30, EXIT), (40, EXIT)];
    let mut mixed = sorted;
    mixed.reverse();
    let told = one_wave(&mixed).read();
    assert_eq!((told.folded(), told.of(Kind::Unsorted)), (vec!["outer 20".to_owned(), "outer;inner 10".to_owned()], 3));
    // In several files, too.
    let trace = Trace::new().map(7, MAP).values(0, SLOT, &sorted[2..]).values(0, SLOT, &sorted[..2]).write();
    assert_eq!(trace.read().folded(), ["outer 20", "outer;inner 10"]);
}

#[test]
fn records_of_one_cycle_keep_their_order() {
    let told = one_wave(&[(10, enter(1)), (10, enter(2)), (10, EXIT), (10, EXIT), (10, enter(1)), (11, EXIT)]).read();
    assert_eq!(told.folded(), ["outer 1"]);
    assert!(told.diagnostics.is_empty());
}

#[test]
fn times_at_the_ends_of_64_bits_do_not_overflow() {
    let values = [(i64::MIN, enter(1)), (i64::MAX, EXIT), (i64::MAX, enter(1)), (i64::MIN, enter(2))];
    let told = one_wave(&values).read();
    assert_eq!(told.stacks["outer;inner"].0, u64::MAX);
    assert_eq!(told.of(Kind::Unsorted), 1);
}

#[test]
fn duplicated_records_unbalance_a_wave_and_nothing_else() {
    let values = [(10, enter(1)), (10, enter(1)), (20, EXIT), (20, EXIT), (20, EXIT)];
    let told = one_wave(&values).read();
    assert_eq!((told.folded(), told.of(Kind::OrphanExit)), (vec!["outer;outer 10".to_owned()], 1));
}

#[test]
fn a_function_is_shown_as_it_is_written_if_asked_for() {
    let trace = one_wave(&[(10, enter(5)), (20, EXIT)]);
    assert_eq!(trace.read().folded(), ["_Z1fi 10"]);
    let told = read(&trace.path(), &Options { demangle: true, ..Options::default() });
    assert_eq!(told.folded(), ["f(int) 10"]);
}

#[test]
fn only_what_is_selected_is_told_of() {
    let mut trace = Trace::new().map(7, MAP).kernel(1, "first").kernel(2, "_Z6seconds");
    for (engine, slot, kernel) in [(0, [0, 0, 0], 1), (1, [1, 1, 1], 2), (1, [2, 1, 1], 1)] {
        trace = trace.wave(engine, slot, [0, 100], kernel).values(engine, slot, &[(10, enter(1)), (20, EXIT)]);
    }
    let trace = trace.write();
    let places = |selection| {
        let told = read(&trace.path(), &Options { selection, ..Options::default() });
        let entered = told.events.iter().filter(|event| event.contains("enter"));
        entered.map(|event| event.split('#').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = Selection::default();
    assert_eq!(places(all.clone()), ["0/0/0/0", "1/1/1/1", "1/2/1/1"]);
    assert_eq!(places(Selection { engines: vec![1..=1], ..all.clone() }), ["1/1/1/1", "1/2/1/1"]);
    assert_eq!(places(Selection { cus: vec![2..=9, 0..=0], ..all.clone() }), ["0/0/0/0", "1/2/1/1"]);
    assert_eq!(places(Selection { simds: vec![0..=0], ..all.clone() }), ["0/0/0/0"]);
    assert_eq!(places(Selection { waves: vec![1..=1], ..all.clone() }), ["1/1/1/1", "1/2/1/1"]);
    assert_eq!(places(Selection { kernel: Some("second".to_owned()), ..all.clone() }), ["1/1/1/1"]);
    assert_eq!(places(Selection { dispatches: vec![2..=2], ..all.clone() }).len(), 3);
    assert_eq!(places(Selection { dispatches: vec![3..=3], ..all }).len(), 0);
}

#[test]
fn stacks_without_end_are_cut_at_a_depth() {
    let values: Vec<(i64, u32)> = (0..2000).map(|cycles| (cycles, enter(1))).collect();
    let told = one_wave(&values).read();
    let deepest = told.stacks.keys().map(|stack| stack.split(';').count()).max();
    // No cycle is lost: from the first enter to the last record, after the wave's end.
    assert_eq!((deepest, told.stacks.values().map(|(cycles, _)| cycles).sum::<u64>()), (Some(256), 1999));
}
