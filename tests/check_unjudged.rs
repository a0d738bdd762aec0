//! `sqtt check` on waves that are as they must be, where something about them is not known: none is called wrong.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod check_support;
mod machine_support;

use check_support::bench::{Bench, WAVES, Words, compile_for};
use check_support::{Scope, run};
use serde_json::{Value, json};
use sqtt_hipcc::machine::{Entry, Program};

/// The words that a wave of the kernel whose symbol contains `name` traces.
fn words(program: &Program, name: &str) -> Vec<u32> {
    let is_it =
        |function: &sqtt_hipcc::machine::Function| function.entry == Entry::Kernel && function.name.contains(name);
    let kernel = program.functions.iter().position(is_it).unwrap();
    run(program, kernel, Scope::Inside, WAVES[0]).unwrap().words
}

/// Words a record each 10 cycles behind `begin`.
fn spaced(begin: i64, words: &[u32]) -> Words {
    (1..).map(|n| begin + 10 * n).zip(words.iter().copied()).collect()
}

/// Puts down one wave a slot, each from 1000 to its end, of a kernel of that name.
fn put(bench: &Bench, kernel: &str, waves: &[Words]) {
    let (mut records, mut occupancy) = (Vec::new(), Vec::new());
    for (slot, words) in waves.iter().enumerate() {
        records.extend(words.iter().map(|(cycles, value)| json!([cycles, value, 1, 2, slot, 0])));
        occupancy
            .extend([[1000, 1], [words.last().unwrap().0 + 10, 0]].map(|[at, what]| json!([at, 1, 2, slot, what, 5])));
    }
    bench.put(&records, &occupancy, kernel);
}

/// Exit status, and of all waves how many there are, fit, and were not looked at.
fn checked(bench: &Bench) -> (Option<i32>, [u64; 3], String) {
    let (status, out, messages) = bench.check(&["--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let numbers = ["waves", "conforming", "unjudged"].map(|name| document["total"][name].as_u64().unwrap());
    (status, numbers, format!("{out}{messages}"))
}

const LOOP: &str = "#include \"device.h\"\n\
    KERNEL void tile(volatile u32 *p, u32 n) {\n\
      enter(\"all\");\n\
      for (u32 i = 0; i < n; i++) { enter(\"step\"); p[i] = p[i] * 3u; leave(\"step\"); }\n\
      leave(\"all\");\n\
    }\n";
/// The same kernel with the same map, and another order of its markers.
const NESTED: &str = "#include \"device.h\"\n\
    KERNEL void tile(volatile u32 *p, u32 n) {\n\
      enter(\"all\"); p[0] = n; enter(\"step\"); p[1] = n; enter(\"step\"); p[2] = n;\n\
      leave(\"step\"); p[3] = n; leave(\"step\"); p[4] = n; leave(\"all\");\n\
    }\n";

/// All waves were held against the code object with the lower number.
#[test]
fn a_kernel_that_two_code_objects_have_can_be_either() {
    let (bench, other) = (Bench::new(LOOP), Bench::new(NESTED));
    bench.put_code_object(&bench.code_object);
    fs_err::write(bench.directory.path().join("1_gfx1100_code_object_id_2.out"), &other.code_object).unwrap();
    let [one, two] = [&bench, &other].map(|bench| spaced(1000, &words(&bench.machine.program, "tile")));
    put(&bench, "_Z4tilePVjj", &[one.clone(), two.clone()]);
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers), (Some(0), [2, 2, 0]), "{told}");
    let (_, out, messages) = bench.sqtt("summary", &["--repair"]);
    assert!(!messages.contains("repaired"), "{out}{messages}");
    // What neither traces is a fault.
    put(&bench, "_Z4tilePVjj", &[one, two[1..].to_vec()]);
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers), (Some(1), [2, 1, 0]), "{told}");
    // With one of them missing, it can be of that.
    bench.put_code_object(b"no code object");
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers[0]), (Some(1), 2), "{told}");
}

/// The only map there was taken for theirs, and its kernels for what they run.
#[test]
fn a_wave_of_a_kernel_in_no_file_is_not_looked_at() {
    let (bench, other) = (Bench::new(LOOP), Bench::new(NESTED));
    bench.put_code_object(&bench.code_object);
    let strange = spaced(1000, &words(&other.machine.program, "tile"));
    for name in ["_Z5otherPj", "7 / 0x1600", "0 / 0x0"] {
        put(&bench, name, std::slice::from_ref(&strange));
        let (status, numbers, told) = checked(&bench);
        assert_eq!((status, numbers), (Some(2), [1, 0, 1]), "{name}: {told}");
    }
    // A kernel without a name in a code object that is there is one of its kernels.
    put(&bench, "1 / 0x1600", std::slice::from_ref(&strange));
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers), (Some(1), [1, 0, 0]), "{told}");
}

/// Waves of a kernel whose name the files have in another way were held against all kernels.
#[test]
fn a_kernel_is_known_by_each_way_to_write_its_name() {
    let bench = Bench::new(
        "#include \"device.h\"\n\
        KERNEL void alpha(volatile u32 *p, u32 n) { enter(\"a\"); p[0] = n; leave(\"a\"); }\n\
        KERNEL void beta(volatile u32 *p, u32 n) {\n\
          enter(\"a\"); p[0] = n; leave(\"a\"); p[1] = n; enter(\"a\"); p[2] = n; leave(\"a\");\n\
        }\n",
    );
    bench.put_code_object(&bench.code_object);
    let beta = words(&bench.machine.program, "beta");
    for name in [
        "_Z4betaPVjj",
        "_Z4betaPVjj.kd",
        "beta(unsigned int volatile*, unsigned int)",
        "beta(unsigned int volatile *,unsigned int)",
    ] {
        for (lost, expected) in [(0, Some(0)), (2, Some(1))] {
            put(&bench, name, &[spaced(1000, &beta[lost..])]);
            let (status, _, told) = checked(&bench);
            assert_eq!(status, expected, "{name}, {lost} lost: {told}");
        }
    }
}

/// It was told that a record of the payload was lost.
#[test]
fn what_unknown_code_traces_need_not_be_a_header_with_payload() {
    let source = "#include \"device.h\"\n\
        KERNEL void calls(volatile u32 *p, void (*f)(volatile u32 *)) {\n\
          enter(\"a\"); point(\"b\"); __sqtt_named_marker_data(\"word\", p[3]); p[0] = 1;\n\
          if (p[0] > 90) f(p);\n\
          point(\"c\"); leave(\"a\");\n\
        }\n";
    let bench = Bench::with_scope(source, "-1");
    bench.put_code_object(&bench.code_object);
    let words = words(&bench.machine.program, "calls");
    let ended = [&words[..4], &words[2..3]].concat();
    put(&bench, "_Z5callsPVjPFvS0_E", &[spaced(1000, &ended)]);
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers), (Some(0), [1, 1, 0]), "{told}");
    // In front of the call it is one.
    put(&bench, "_Z5callsPVjPFvS0_E", &[spaced(1000, &words[..3])]);
    assert_eq!(checked(&bench).0, Some(1));
}

/// Its first records were taken for the payload of the wave before, and its scopes stood in those of that wave.
#[test]
fn what_a_wave_from_before_the_trace_has_open_is_none_of_the_next() {
    let bench = Bench::new(
        "#include \"device.h\"\n\
        KERNEL void pay(volatile u32 *p) {\n\
          enter(\"a\"); __sqtt_named_marker_data(\"word\", p[3]); p[0] = 1; leave(\"a\");\n\
        }\n",
    );
    bench.put_code_object(&bench.code_object);
    let words = words(&bench.machine.program, "pay");
    let early = [(900, words[0]), (910, words[1])];
    put(&bench, "_Z3payPVj", &[[&early[..], &spaced(1000, &words)].concat()]);
    let (status, numbers, told) = checked(&bench);
    assert_eq!((status, numbers), (Some(0), [1, 1, 0]), "{told}");
    let (_, out, messages) = bench.sqtt("summary", &["--repair", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let scope = &document["scopes"][0];
    let numbers = ["calls", "cut", "total_cycles", "max_cycles"].map(|name| scope[name].as_u64().unwrap());
    // 100 cycles before the launch, and 30 of its own.
    assert_eq!(numbers, [2, 1, 130, 30], "{out}{messages}");
}

/// With packed clocks, a marker by number came to stand behind one that was traced later.
#[test]
fn headers_whose_order_is_not_certain_are_not_called_wrong() {
    let bench = Bench::new(LOOP);
    let source = "#include \"device.h\"\n\
        KERNEL void num(volatile u32 *p, u32 n) {\n\
          enter(\"a\"); p[0] = n; number(1200); p[1] = 1; enter(\"b\"); p[n] = 1; leave(\"b\"); p[2] = 1; leave(\"a\");\n\
        }\n";
    let other = tempfile::tempdir().unwrap();
    let variables = [("SQTT_SCOPE_CU", "-1"), ("SQTT_SHADER_CLOCK_BITS", "12")];
    bench.put_code_object(&compile_for(&bench.llvm, other.path(), source, "gfx1201", &variables));
    let header = |issued: i64, late: i64, word: u32| (issued + late, (issued as u32 >> 4 & 0xFFF) << 20 | word);
    let wave = |late: i64| -> Words {
        let [enter_a, enter_b, exit] = [4 | 2, 8 | 2, 1];
        vec![
            header(10_010, 1, enter_a),
            (10_060 + late, 1200),
            header(10_070, late, enter_b),
            header(10_150, 1, exit),
            header(10_200, 1, exit),
        ]
    };
    for (late, expected) in [(1, (Some(0), [1, 1, 0])), (40, (Some(2), [1, 0, 1]))] {
        put(&bench, "_Z3numPVjj", &[wave(late)]);
        let (status, numbers, told) = checked(&bench);
        assert_eq!((status, numbers), expected, "{late}: {told}");
    }
    // Without a marker by number it is certain.
    let mut lost = wave(1);
    lost.remove(3);
    lost.remove(1);
    put(&bench, "_Z3numPVjj", &[lost]);
    assert_eq!(checked(&bench).0, Some(1));
}
