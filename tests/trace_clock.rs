//! Correction of times by the packed shader clock: the vectors of the design note, and what is left alone.

#![allow(clippy::unwrap_used)]

mod trace_support;

use sqtt_hipcc::trace::{Kind, Record};
use trace_support::{EXIT, Told, Trace, enter, packed, point};

/// Points 3 and 4, whose words are 12 and 16, with a clock of 12 bits from bit 4 up.
const MAP: &str = "P:3:a\nP:4:b\nU:5:scope\nM:shader_clock_bits=12;shader_clock_shift=4\n";

const A: u32 = point(3);
const B: u32 = point(4);
const SLOT: [u8; 3] = [0, 0, 0];

/// One wave of code object 7 from the beginning, in each of `slots`.
fn trace(map: &str, slots: &[[u8; 3]]) -> Trace {
    let trace = Trace::new().map(7, map).kernel(1, "7 / 0x100");
    slots.iter().fold(trace, |trace, slot| trace.wave(0, *slot, [0, 0x1000], 1))
}

fn one(map: &str, values: &[(i64, u32)]) -> Told {
    trace(map, &[SLOT]).values(0, SLOT, values).write().read()
}

#[test]
fn a_header_that_arrived_late_is_moved_to_the_end_of_its_bucket() {
    // The wave retired at 0x1000: its headers still count.
    let told = one(MAP, &[(0x1010, packed(A, 0x100)), (0x1080, packed(B, 0x101))]);
    assert_eq!(told.values(), [(0x1010, A), (0x102F, B)]);
    assert_eq!(told.totals.corrected, 1);
    assert!(told.diagnostics.is_empty());
}

#[test]
fn a_later_header_can_correct_an_earlier_one() {
    let told = one(MAP, &[(0x101D0, packed(A, 0)), (0x10DFC, packed(B, 0x100))]);
    assert_eq!(told.values(), [(0xFE0B, A), (0x10DFC, B)]);
}

#[test]
fn each_simd_has_a_phase_of_its_own() {
    let slots = [[0, 0, 0], [0, 1, 0]];
    let values = |start| [(start, packed(A, 0x100)), (start + 0x80, packed(B, 0x101))];
    let trace = trace(MAP, &slots).values(0, slots[0], &values(0x1000)).values(0, slots[1], &values(0x3000));
    assert_eq!(trace.write().read().values(), [(0x1000, A), (0x101F, B), (0x3000, A), (0x301F, B)]);
}

#[test]
fn a_bare_exit_carries_a_clock_too() {
    let told = one(MAP, &[(0x1000, packed(enter(5), 0x100)), (0x1080, packed(EXIT, 0x101))]);
    assert_eq!(told.values(), [(0x1000, enter(5)), (0x101F, EXIT)]);
    assert_eq!(told.folded(), [format!("code_object_7;7 / 0x100;scope {}", 0x1F)]);
}

#[test]
fn code_objects_with_different_layouts_are_not_compared() {
    let other = MAP.replace("bits=12", "bits=11").replace("shift=4", "shift=5");
    let trace = Trace::new().map(7, MAP).map(8, &other).kernel(1, "7 / 0x100").kernel(2, "8 / 0x100");
    let trace = trace.wave(0, SLOT, [0, 0x1030], 1).wave(0, SLOT, [0x1040, 0x2000], 2);
    let told = trace.values(0, SLOT, &[(0x1020, packed(A, 0x100)), (0x1080, 0x101 << 21 | B)]).write().read();
    assert_eq!(told.values(), [(0x1020, A), (0x1080, B)]);
}

#[test]
fn a_clock_that_never_runs_moves_nothing() {
    let told = one(MAP, &[(0x1000, packed(A, 0x100)), (0x1080, packed(B, 0x100))]);
    assert_eq!((told.values(), told.totals.corrected), (vec![(0x1000, A), (0x1080, B)], 0));
}

#[test]
fn immediates_trap_records_and_numeric_markers_are_left_alone() {
    let record = |cycles, value, flags| Record { cycles, value, cu: 0, simd: 0, slot: 0, flags };
    let numeric = packed(point(9), 0x200);
    let records = [
        record(0x1000, packed(A, 0x100), 0),
        record(0x1040, A, Record::IMMEDIATE),
        record(0x1050, packed(B, 0x101), Record::PRIVILEGED),
        record(0x1060, numeric, 0),
        record(0x1080, packed(B, 0x101), 0),
    ];
    let told = trace(MAP, &[SLOT]).records(0, &records).write().read();
    // The last one is moved before the three that are not.
    let privileged = packed(B, 0x101);
    assert_eq!(told.values(), [(0x1000, A), (0x101F, B), (0x1040, A), (0x1050, privileged), (0x1060, numeric)]);
    assert_eq!(told.of(Kind::UnknownId), 1);
}

#[test]
fn a_wave_whose_code_object_is_not_known_is_left_alone() {
    let values = [(0x1000, packed(A, 0x100)), (0x1080, packed(B, 0x101))];
    let trace = Trace::new().map(7, MAP).map(8, "U:1:x\n").kernel(1, "9 / 0x100").wave(0, SLOT, [0, 0x2000], 1);
    assert_eq!(trace.values(0, SLOT, &values).write().read().values(), values);
}

#[test]
fn a_code_object_with_payload_loses_the_clock_only() {
    let map = format!("{MAP}R:4:extra_payload_count=1\n");
    let payload = packed(A, 0x105);
    let told = one(&map, &[(0x1000, packed(A, 0x100)), (0x1080, packed(B, 0x101)), (0x1090, payload)]);
    assert_eq!(told.values(), [(0x1000, A), (0x1080, B), (0x1090, payload)]);
    assert_eq!(told.events[1], format!("0/0/0/0#0 {} block b [{payload}] in []", 0x1080));
}

#[test]
fn the_widest_window_and_the_ends_of_time_do_not_overflow() {
    for (bits, shift) in [(1, 31), (29, 3), (12, 4)] {
        let map = format!("P:1:a\nM:shader_clock_bits={bits};shader_clock_shift={shift}\n");
        let word = |clock: u32| clock << (32 - bits) | 4;
        let told = one(&map, &[(i64::MIN, word(0)), (0, word(1)), (i64::MAX, word(1))]);
        assert_eq!(told.records.len(), 3);
        assert!(told.values().iter().all(|(_, value)| *value == 4), "{:?}", told.values());
    }
}
