//! Random traces mean the same to the reader and to the slow model of `trace_support/model.rs`.

#![allow(clippy::unwrap_used)]

mod trace_support;

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use sqtt_hipcc::trace::{Kind, Record};
use trace_support::model::{Launch, Maps, Meaning, Model, judge};
use trace_support::{EXIT, Trace, enter, exit_enter, point};

const MAPS: [(u64, &str); 2] = [
    (
        7,
        "U:1:a\nU:2:b\nF:3:f\nP:4:point\nP:5:data\nR:5:extra_payload_count=1\nP:70000:block\nR:70000:extra_payload_count=3\n",
    ),
    (8, "U:1:x\nU:2:a\nP:3:point\nF:4:f\n"),
];

fn maps() -> Maps {
    let scope = Meaning::Scope;
    let first = [(1, scope("a")), (2, scope("b")), (3, scope("f")), (4, Meaning::Point(0)), (5, Meaning::Point(1))];
    let second = [(1, scope("x")), (2, scope("a")), (3, Meaning::Point(0)), (4, scope("f"))];
    let all = first.map(|(id, meaning)| ((7, id), meaning)).into_iter();
    let all = all.chain([((7, 70_000), Meaning::Point(3))]);
    all.chain(second.map(|(id, meaning)| ((8, id), meaning))).collect()
}

fn value() -> impl Strategy<Value = u32> {
    let id = prop_oneof![6 => 1..=5u32, 1 => Just(6u32), 1 => Just(70_000u32)];
    prop_oneof![
        4 => id.clone().prop_map(enter),
        4 => Just(EXIT),
        2 => id.clone().prop_map(exit_enter),
        2 => id.clone().prop_map(point),
        1 => id.prop_map(|id| id << 2 | 1),
        1 => 0..4u32,
        1 => any::<u32>(),
    ]
}

fn slot() -> impl Strategy<Value = [u8; 3]> {
    // Some that no GPU has, too.
    prop_oneof![4 => Just([0, 0, 0]), 2 => Just([0, 0, 1]), 1 => Just([130, 3, 31]), 1 => Just([0, 4, 200])]
}

fn record() -> impl Strategy<Value = (u32, Record)> {
    let flags = prop_oneof![8 => Just(0u8), 1 => Just(2u8), 1 => Just(1u8)];
    (0..2u32, 0..400i64, value(), slot(), flags).prop_map(|(engine, cycles, value, [cu, simd, slot], flags)| {
        (engine, Record { cycles, value, cu, simd, slot, flags })
    })
}

fn launch() -> impl Strategy<Value = Launch> {
    (0..2u32, slot(), 0..400i64, proptest::option::weighted(0.8, 1..100i64), 7..=8u64).prop_map(
        |(engine, slot, begin, length, code_object)| {
            let end = length.map(|length| begin + length);
            Launch { engine, slot, begin, end, code_object }
        },
    )
}

/// Waves of one slot that follow each other, as slots have them.
fn follow(mut launches: Vec<Launch>) -> Vec<Launch> {
    launches.sort_by_key(|launch| (launch.engine, launch.slot, launch.begin));
    launches.dedup_by_key(|launch| (launch.engine, launch.slot, launch.begin));
    for at in 1..launches.len() {
        let next = launches[at];
        let before = &mut launches[at - 1];
        if (before.engine, before.slot) == (next.engine, next.slot) {
            before.end = before.end.map(|end| end.min(next.begin));
        }
    }
    launches
}

fn read(records: &[(u32, Record)], launches: &[Launch], cut: usize) -> Model {
    let mut trace = MAPS.iter().fold(Trace::new(), |trace, (id, rows)| trace.map(*id, rows));
    trace = trace.kernel(7, "7 / 0x100").kernel(8, "8 / 0x100");
    // Both code objects are known in any case, so that a wave without a launch has none.
    for launch in launches {
        trace = match launch.end {
            Some(end) => trace.wave(launch.engine, launch.slot, [launch.begin, end], launch.code_object),
            None => trace.begin(launch.engine, launch.slot, launch.begin, launch.code_object),
        };
    }
    for engine in 0..2 {
        let own: Vec<Record> = records.iter().filter(|(e, _)| *e == engine).map(|(_, record)| *record).collect();
        let (first, second) = own.split_at(cut.min(own.len()));
        trace = trace.records(engine, first).records(engine, second);
    }
    let told = trace.write().read();
    let stacks: BTreeMap<String, (u64, u64)> = told.stacks.clone();
    Model {
        stacks,
        orphan_exits: told.of(Kind::OrphanExit),
        open_scopes: told.of(Kind::OpenScope),
        unknown_ids: told.of(Kind::UnknownId),
        cut_blocks: told.of(Kind::CutBlock),
        no_wave: told.of(Kind::NoWave),
        points: told.totals.points,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_reader_sees_what_the_model_sees(
        records in vec(record(), 1..60),
        launches in vec(launch(), 0..12),
        is_sorted in any::<bool>(),
        cut in 0..40usize,
    ) {
        let mut records = records;
        if is_sorted {
            records.sort_by_key(|(_, record)| record.cycles);
        }
        let launches = follow(launches);
        prop_assert_eq!(read(&records, &launches, cut), judge(&records, &launches, &maps()));
    }
}
