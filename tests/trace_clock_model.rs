//! Random headers with packed clocks are moved as the specification's formula says, reckoned slowly and with wide numbers.

#![allow(clippy::unwrap_used)]

mod trace_support;

use proptest::collection::vec;
use proptest::prelude::*;
use sqtt_hipcc::trace::Record;
use trace_support::{EXIT, Trace, enter, point};

const IDS: [u32; 2] = [1, 2];

/// A header that was issued at `issued` and arrived `delay` cycles later.
#[derive(Clone, Copy, Debug)]
struct Header {
    issued: i64,
    delay: i64,
    word: u32,
    simd: u8,
    slot: u8,
    /// Numeric markers have no clock.
    is_numeric: bool,
}

#[derive(Clone, Copy, Debug)]
struct Layout {
    bits: u32,
    shift: u32,
}

fn header() -> impl Strategy<Value = Header> {
    let word = prop_oneof![Just(enter(1)), Just(EXIT), Just(point(2)), Just(enter(2))];
    let delay = prop_oneof![3 => 0..40i64, 1 => 0..3000i64];
    (0..20_000i64, delay, word, 0..2u8, 0..2u8, prop::bool::weighted(0.1)).prop_map(
        |(issued, delay, word, simd, slot, is_numeric)| Header { issued, delay, word, simd, slot, is_numeric },
    )
}

/// The record of a header; the shader clock of a SIMD is ahead of the trace's by a number of its own.
fn record(header: &Header, layout: Layout) -> Record {
    let phase = 100_000 + 7777 * i64::from(header.simd);
    let field = (header.issued + phase) >> layout.shift & ((1 << layout.bits) - 1);
    let packed = (field as u32) << (32 - layout.bits) | header.word;
    // An id that no map has, in the plain layout.
    let value = if header.is_numeric { point(3) } else { packed };
    Record { cycles: header.issued + header.delay, value, cu: 1, simd: header.simd, slot: header.slot, flags: 0 }
}

/// Times after correction, in the order of time.
fn model(records: &[Record], layout: Layout) -> Vec<(i64, u32)> {
    let mut all: Vec<(i64, u32)> = Vec::new();
    for simd in 0..2 {
        let own: Vec<&Record> = records.iter().filter(|record| record.simd == simd).collect();
        let mask = (1u32 << (32 - layout.bits)) - 1;
        let is_header = |record: &Record| {
            let word = record.value & mask;
            word == EXIT || IDS.contains(&(word >> 2))
        };
        let headers: Vec<&&Record> = own.iter().filter(|record| is_header(record)).collect();
        let clock = |record: &Record| i128::from(record.value >> (32 - layout.bits)) << layout.shift;
        let window = 1i128 << (layout.bits + layout.shift);
        let relative = |record: &Record| {
            let origin = headers[0];
            let late = i128::from(record.cycles - origin.cycles) - (clock(record) - clock(origin));
            (late + window / 2).rem_euclid(window) - window / 2
        };
        let least = headers.iter().map(|record| relative(record)).min().unwrap_or(0);
        let is_running = headers.iter().any(|record| clock(record) != clock(headers[0]));
        for record in &own {
            if !is_header(record) {
                all.push((record.cycles, record.value));
                continue;
            }
            let shift = (relative(record) - least - ((1 << layout.shift) - 1)).max(0);
            let shift = if is_running { shift as i64 } else { 0 };
            all.push((record.cycles - shift, record.value & mask));
        }
    }
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn headers_are_moved_as_the_formula_says(
        headers in vec(header(), 1..40),
        layout in prop_oneof![Just((12, 4)), Just((8, 8)), Just((20, 0)), Just((10, 5))],
    ) {
        let layout = Layout { bits: layout.0, shift: layout.1 };
        let mut records: Vec<Record> = headers.iter().map(|header| record(header, layout)).collect();
        records.sort_by_key(|record| record.cycles);
        let map = format!("U:1:a\nP:2:b\nM:shader_clock_bits={};shader_clock_shift={}\n", layout.bits, layout.shift);
        let slots = [[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]];
        let trace = Trace::new().map(7, &map).kernel(1, "7 / 0x100");
        let trace = slots.iter().fold(trace, |trace, slot| trace.wave(0, *slot, [0, 30_000], 1));
        let told = trace.records(0, &records).write().read();
        let mut found = told.values();
        prop_assert!(found.is_sorted_by_key(|(cycles, _)| *cycles));
        found.sort();
        prop_assert_eq!(found, model(&records, layout));
    }
}
