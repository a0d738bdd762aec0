//! `sqtt memory`: addresses by lane and sums by line of source, on traces whose answers are worked out by hand.

#![allow(clippy::unwrap_used)]

mod export_support;
mod trace_support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use export_support::{copy_of, json, sample, sqtt};
use proptest::prelude::{prop, prop_assert_eq, proptest};
use serde_json::{Value, json};
use sqtt_hipcc::export::memory::banks::Passes;
use sqtt_hipcc::export::memory::lines::Lines;
use trace_support::{Trace, enter, exit_enter, point};

/// Scopes 1 and 2; a load, an LDS store, buffer operations, a permutation, and an address trace of the future, all of waves
/// of 32 lanes. Loads 3 and 4 are of one line.
const MAP: &str = "U:1:outer\nF:2:_Z5innerv@k.hip:2\n\
    P:3:addr_trace_load@k.hip:30\nR:3:extra_payload_count=66\n\
    P:4:addr_trace_load@k.hip:30\nR:4:extra_payload_count=66\n\
    P:5:addr_trace_lds_store@k.hip:50 -> k.hip:51\nR:5:extra_payload_count=34\n\
    P:6:addr_trace_struct_buffer_load\nR:6:extra_payload_count=69\n\
    P:7:addr_trace_ds_bpermute@k.hip:70\nR:7:extra_payload_count=34\n\
    P:8:addr_trace_new@k.hip:80\nR:8:extra_payload_count=3\n\
    P:9:data\nR:9:extra_payload_count=1\n";

const SLOT: [u8; 3] = [1, 2, 3];

/// A trace in the making: words of one wave, a cycle each.
#[derive(Default)]
struct Wave(Vec<(i64, u32)>);

impl Wave {
    fn word(mut self, word: u32) -> Wave {
        self.0.push((self.0.len() as i64, word));
        self
    }

    /// The header of an address trace, EXEC, and a word for each of 32 lanes.
    fn words(self, id: u32, exec: u32, word: impl Fn(u32) -> u32) -> Wave {
        let wave = self.word(point(id)).word(exec).word(0);
        (0..32).fold(wave, |wave, lane| wave.word(word(lane)))
    }

    /// The same with 64-bit addresses.
    fn pointers(self, id: u32, exec: u32, address: impl Fn(u32) -> u64) -> Wave {
        let wave = self.word(point(id)).word(exec).word(0);
        (0..32).fold(wave, |wave, lane| wave.word(address(lane) as u32).word((address(lane) >> 32) as u32))
    }

    fn write(self) -> Trace {
        let trace = Trace::new().map(7, MAP).kernel(1, "7 / 0x100").wave(0, SLOT, [0, 5000], 1);
        trace.values(0, SLOT, &self.0).write()
    }
}

fn run(trace: &Trace, more: &[&str]) -> Value {
    let path = trace.path();
    let ended = sqtt(["memory", path.to_str().unwrap()].into_iter().chain(more.iter().copied()));
    assert_eq!(ended.status, 0, "{ended:?}");
    serde_json::from_str(&ended.out).unwrap()
}

#[test]
fn the_samples_are_as_ever() {
    for name in ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"] {
        let ended = sqtt([Path::new("memory"), &sample(name)]);
        assert_eq!(ended.status, 0, "{ended:?}");
        let golden = sample("golden").join(format!("{name}.memory.json"));
        snapbox::assert_data_eq!(ended.out, snapbox::Data::read_from(&golden, None).raw());
    }
    let ended = sqtt([Path::new("memory"), &sample(""), Path::new("--summary")]);
    let golden = sample("golden").join("memory.txt");
    snapbox::assert_data_eq!(ended.out, snapbox::Data::read_from(&golden, None).raw());
}

#[test]
fn an_operation_has_the_addresses_of_its_lanes_and_its_place() {
    let wave = Wave::default()
        .word(enter(1))
        .word(enter(2))
        .pointers(3, 0x8000_0001, |lane| 0x7F_0000_1000 + 4 * u64::from(lane));
    let document = run(&wave.word(exit_enter(2)).write(), &["--demangle"]);
    let operation = json!({
        "dispatch": 2, "kernel": "7 / 0x100", "se": 0, "cu": 1, "simd": 2, "wave": 3, "instance": 0, "cycles": 2,
        "kind": "load", "space": "global", "id": 3, "code_object": 7, "source": "k.hip:30", "scopes": ["outer", "inner()"],
        "wave_size": 32, "exec": "0x80000001", "lanes": [0, 31], "addresses": ["0x7f00001000", "0x7f0000107c"],
    });
    assert_eq!(document["operations"], json!([operation]));
}

#[test]
fn addresses_in_records_of_a_buffer_are_put_together() {
    // Base 0x0001_0000_2000, stride 16, offset of the wave 0x40; lane n: offset 4, index 2n.
    let wave = Wave::default().word(point(6)).word(0b110).word(0).word(0x2000).word(16 << 16 | 1).word(0x40);
    let wave = (0..32).fold(wave, |wave, _| wave.word(4));
    let wave = (0..32).fold(wave, |wave, lane| wave.word(2 * lane));
    let document = run(&wave.write(), &[]);
    let operation = &document["operations"][0];
    assert_eq!(operation["addresses"], json!(["0x100002064", "0x100002084"]));
    let fields = ["space", "base", "stride", "swizzle", "soffset"].map(|name| operation[name].clone());
    assert_eq!(fields, [json!("buffer"), json!("0x100002000"), json!(16), json!(0), json!(0x40)]);
    let line = &document["lines"][0];
    assert_eq!((&line["source"], &line["id"], &line["code_object"]), (&Value::Null, &json!(6), &json!(7)));
}

#[test]
fn cache_lines_and_strides_are_summed_by_line_of_source() {
    // 32 words side by side, aligned: 1 line of 128 bytes, 2 of 64. Then a word in each 256 bytes: 32 lines of each, of
    // which 1 and 2 would do.
    let wave = Wave::default().pointers(3, u32::MAX, |lane| 0x1000 + 4 * u64::from(lane));
    let wave = wave.pointers(4, u32::MAX, |lane| 0x1_0000 + 256 * u64::from(lane)).pointers(3, 0, |_| 0);
    let document = run(&wave.write(), &[]);
    let expected = json!([{
        "source": "k.hip:30", "kind": "load", "space": "global", "operations": 3, "lanes": 64, "cut": 0,
        "strides": [
            {"stride": "idle", "operations": 1},
            {"stride": "unit", "operations": 1},
            {"stride": "constant", "bytes": 256, "operations": 1},
        ],
        "cache_lines": [
            {"bytes": 64, "touched": 34, "needed": 4, "efficiency": 0.1176},
            {"bytes": 128, "touched": 33, "needed": 2, "efficiency": 0.0606},
        ],
    }]);
    assert_eq!(document["lines"], expected);
}

#[test]
fn bank_conflicts_are_those_of_lds_operations() {
    // A column of a 32x32 matrix: 32 passes with 32 banks, 16 with 64. Then the permutation that looks the same.
    let wave = Wave::default().words(5, u32::MAX, |lane| 128 * lane).words(7, u32::MAX, |lane| 128 * lane);
    let document = run(&wave.write(), &[]);
    let banks = json!([
        {"banks": 32, "passes": 32, "conflicts": 31, "worst": 32},
        {"banks": 64, "passes": 16, "conflicts": 15, "worst": 16},
    ]);
    let [store, permute] = [&document["lines"][0], &document["lines"][1]];
    assert_eq!((&store["source"], &store["banks"]), (&json!("k.hip:50 -> k.hip:51"), &banks));
    assert_eq!(store.get("cache_lines"), None);
    assert_eq!((&permute["space"], permute.get("banks")), (&json!("permute"), None));
}

#[test]
fn the_width_of_an_access_is_an_option() {
    let wave = || Wave::default().pointers(3, u32::MAX, |lane| 0x1000 + 16 * u64::from(lane)).write();
    let line = |more: &[&str]| run(&wave(), more)["lines"][0].clone();
    let of_words = line(&[]);
    assert_eq!(of_words["strides"][0], json!({"stride": "constant", "bytes": 16, "operations": 1}));
    assert_eq!(of_words["cache_lines"][1], json!({"bytes": 128, "touched": 4, "needed": 1, "efficiency": 0.25}));
    let of_vectors = line(&["--element-bytes=16"]);
    assert_eq!(of_vectors["strides"][0], json!({"stride": "unit", "operations": 1}));
    assert_eq!(of_vectors["cache_lines"][1], json!({"bytes": 128, "touched": 4, "needed": 4, "efficiency": 1.0}));
    for wrong in ["0", "17", "x"] {
        assert_eq!(sqtt(["memory", "x", &format!("--element-bytes={wrong}")]).status, 2);
    }
}

#[test]
fn the_table_has_the_worst_line_first() {
    let wave = Wave::default().pointers(3, u32::MAX, |lane| 0x1000 + 4 * u64::from(lane));
    let trace = wave.words(5, u32::MAX, |lane| 128 * lane).write();
    let ended = sqtt([Path::new("memory"), &trace.path(), Path::new("--summary")]);
    let rows: Vec<Vec<&str>> = ended.out.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let lds = ["1", "32.0", "-", "-", "-", "-", "32.0", "16.0", "128", "B", "lds_store", "k.hip:50", "->", "k.hip:51"];
    let load = ["1", "32.0", "2.0", "100%", "1.0", "100%", "-", "-", "unit", "load", "k.hip:30"];
    assert_eq!(rows, [lds.as_slice(), load.as_slice()]);
}

#[test]
fn blocks_that_are_cut_or_not_known_are_counted() {
    let wave = Wave::default().word(point(8)).word(1).word(2).word(3).word(point(9)).word(5);
    // The wave ends behind the third lane.
    let trace = wave.word(point(5)).word(u32::MAX).word(0).word(0).word(4).word(8).write();
    let ended = sqtt([Path::new("memory"), &trace.path()]);
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(ended.status, 0);
    assert!(ended.messages.contains("1 address trace of which no lane can be read"), "{}", ended.messages);
    assert_eq!(document["operations"].as_array().unwrap().len(), 1);
    let operation = &document["operations"][0];
    assert_eq!((&operation["lanes"], &operation["cut"]), (&json!([0, 1, 2]), &json!(true)));
    assert_eq!(document["lines"][0]["cut"], 1);
    assert_eq!(sqtt([Path::new("memory"), &trace.path(), Path::new("--strict")]).status, 1);
}

#[test]
fn a_trace_without_addresses_says_how_to_get_them() {
    let trace = Wave::default().word(enter(1)).word(point(9)).word(5).write();
    let out = trace.parent().join("out.json");
    let ended = sqtt([Path::new("memory"), &trace.path(), Path::new("-o"), &out]);
    assert_eq!(ended.status, 1);
    assert!(ended.messages.contains("there are no address traces"), "{}", ended.messages);
    assert!(ended.messages.contains("`--sqtt-trace-addresses=memory,lds`"), "{}", ended.messages);
}

#[test]
fn output_and_table_can_be_had_at_once() {
    let trace = Wave::default().pointers(3, 1, |_| 64).write();
    let out = trace.parent().join("out.json");
    let ended = sqtt([Path::new("memory"), &trace.path(), Path::new("-o"), &out, Path::new("--summary")]);
    assert!(ended.status == 0 && ended.out.contains("k.hip:30"), "{ended:?}");
    assert_eq!(json(out)["operations"][0]["addresses"], json!(["0x40"]));
}

#[test]
fn every_truncation_of_a_sample_gives_a_document() {
    let (_directory, ui) = copy_of("e2e_gfx942");
    let file = ui.join("shaderdata_0_0.json");
    let whole = std::fs::read(&file).unwrap();
    let mut counts = Vec::new();
    for length in (200..whole.len()).step_by(701) {
        std::fs::write(&file, &whole[..length]).unwrap();
        let ended = sqtt([Path::new("memory"), &ui]);
        assert!(ended.status < 2, "{ended:?}");
        let document: Value = serde_json::from_str(&ended.out).unwrap();
        counts.push(document["operations"].as_array().unwrap().len());
    }
    assert!(counts.is_sorted() && counts.last() == Some(&2), "{counts:?}");
}

proptest! {
    /// Counted byte by byte.
    #[test]
    fn cache_lines_are_those_of_the_bytes(
        mut addresses in prop::collection::vec(0..600u64, 0..40),
        element_bytes in 1..17u64,
        line_bytes in prop::sample::select(vec![16, 64, 128u64]),
    ) {
        addresses.sort_unstable();
        let bytes: BTreeSet<u64> = addresses.iter().flat_map(|first| *first..first + element_bytes).collect();
        let touched: BTreeSet<u64> = bytes.iter().map(|byte| byte / line_bytes).collect();
        let expected = Lines { touched: touched.len() as u64, needed: (bytes.len() as u64).div_ceil(line_bytes) };
        prop_assert_eq!(Lines::of(&addresses, element_bytes, line_bytes), expected);
    }

    /// Counted word by word, bank by bank, for the lanes that go together.
    #[test]
    fn passes_are_those_of_the_fullest_bank(
        lanes in prop::collection::btree_map(0..64u32, 0..2000u64, 0..64),
        element_words in 1..5u64,
        banks in prop::sample::select(vec![32, 64u64]),
    ) {
        let mut groups: BTreeMap<u64, BTreeMap<u64, BTreeSet<u64>>> = BTreeMap::new();
        for (lane, address) in &lanes {
            let group = groups.entry(u64::from(*lane) / (banks / element_words)).or_default();
            for byte in *address..address + 4 * element_words {
                group.entry(byte / 4 % banks).or_default().insert(byte / 4);
            }
        }
        let fullest = groups.values().map(|group| group.values().map(BTreeSet::len).max().unwrap() as u64);
        let expected = Passes {
            taken: fullest.clone().sum(),
            least: groups.len() as u64,
            worst: fullest.max().unwrap_or(0),
        };
        let lanes: Vec<(u32, u64)> = lanes.into_iter().collect();
        prop_assert_eq!(Passes::of(&lanes, 4 * element_words, banks), expected);
    }
}
