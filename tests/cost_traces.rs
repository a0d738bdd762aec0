//! `--cost` of `sqtt summary` and `sqtt flamegraph`: what markers issued is taken out of traces, as anyone can reckon from the
//! machine code and `src/cost/issue.rs`.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::process::Command;

use machine_support::llvm::Llvm;
use machine_support::{Machine, hip, output_of};
use serde_json::{Value, json};
use sqtt_hipcc::cost::Prices;

const SOURCE: &str = "#include \"device.h\"\n\
    KERNEL void k(volatile u32 *p) {\n\
      enter(\"a\"); p[0] = 1;\n\
      enter(\"b\"); p[1] = 2; leave(\"b\");\n\
      __sqtt_named_marker_data(\"word\", 7);\n\
      leave(\"a\");\n\
    }\n";
const DIRECTORY: &str = "ui_output_agent_1_dispatch_1";
const FILE: &str = "1_gfx_code_object_id_1.out";

const A: u32 = 1 << 2 | 2;
const B: u32 = 2 << 2 | 2;
const WORD: u32 = 3 << 2;
const EXIT: u32 = 1;
/// One wave of [`SOURCE`]: `a` lasts 160 cycles, 50 of which are those of `b`.
const WAVE: [(i64, u32); 6] = [(100, A), (150, B), (200, EXIT), (210, WORD), (214, 7), (260, EXIT)];

struct Bench {
    llvm: Llvm,
    directory: tempfile::TempDir,
}

impl Bench {
    /// A trace of [`SOURCE`] for `gpu`, with `mask` as the scope filter; wave slots hold `waves`.
    fn new(gpu: &str, mask: &str, waves: &[&[(i64, u32)]]) -> Bench {
        Bench::of(SOURCE, "_Z1kPVj", gpu, mask, waves)
    }

    /// The same of `kernel` in another `source`.
    fn of(source: &str, kernel: &str, gpu: &str, mask: &str, waves: &[&[(i64, u32)]]) -> Bench {
        let (llvm, directory) = (Llvm::new(22), tempfile::tempdir().unwrap());
        fs_err::write(directory.path().join("source.hip"), source).unwrap();
        let mut clang = hip(&llvm, gpu, directory.path());
        clang.args(["-O2", &format!("-fpass-plugin={}", llvm.plugin().unwrap().display())]);
        clang.envs([("SQTT_SCOPE_CU", mask), ("SQTT_MEM_BARRIER", "none")]).arg(directory.path().join("source.hip"));
        output_of(&mut clang, &directory.path().join(FILE)).unwrap();
        let path = directory.path().join(DIRECTORY);
        fs_err::create_dir(&path).unwrap();
        let (mut records, mut occupancy) = (Vec::new(), Vec::new());
        for (slot, wave) in waves.iter().enumerate() {
            records.extend(wave.iter().map(|(cycles, value)| json!([cycles, value, 1, 2, slot, 0])));
            occupancy.extend([json!([50, 1, 2, slot, 1, 5]), json!([300, 1, 2, slot, 0, 5])]);
        }
        let put = |name: &str, value: Value| fs_err::write(path.join(name), value.to_string()).unwrap();
        put("shaderdata_0_0.json", json!({ "records": records }));
        put("occupancy.json", json!({ "0": occupancy, "dispatches": { "5": kernel } }));
        Bench { llvm, directory }
    }

    /// Status, standard output and standard error.
    fn sqtt(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.args(arguments).arg(DIRECTORY).current_dir(self.directory.path());
        if arguments.contains(&"--cost") && !arguments.iter().any(|argument| argument.starts_with("--objdump")) {
            sqtt.arg("--objdump").arg(self.llvm.program("llvm-objdump"));
        }
        let output = sqtt.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// Of each scope its own cycles, in all and as bounds, and with the scopes inside.
    fn bounds(&self) -> Vec<(String, [u64; 3], [u64; 3])> {
        let (status, out, messages) = self.sqtt(&["summary", "--cost", "--json"]);
        assert_eq!((status, messages.as_str()), (Some(0), ""), "{out}");
        let document: Value = serde_json::from_str(&out).unwrap();
        let row = |scope: &Value| {
            let of = |kind: &str| {
                ["", "lower_", "upper_"].map(|bound| scope[format!("{kind}_{bound}cycles")].as_u64().unwrap())
            };
            (scope["scope"].as_str().unwrap().to_owned(), of("self"), of("total"))
        };
        document["scopes"].as_array().unwrap().iter().map(row).collect()
    }
}

fn row(scope: &str, own: [u64; 3], total: [u64; 3]) -> (String, [u64; 3], [u64; 3]) {
    (scope.to_owned(), own, total)
}

/// gfx1030 without a scope check. A marker is one trace, 1 to 8 cycles behind its record; `word` is a trace, a move (1 to 2),
/// a wait state and a trace: 4 to 19. In `a` alone: `a`, the exit of `b` and `word`, 6 to 35.
#[test]
fn short_markers_are_taken_out_of_the_scopes_around_them() {
    let bench = Bench::new("gfx1030", "-1", &[&WAVE]);
    let expected = [row("a", [110, 110 - 35, 110 - 6], [160, 160 - 43, 160 - 7]), row("b", [50, 42, 49], [50, 42, 49])];
    assert_eq!(bench.bounds(), expected);
}

/// With a scope check `b` and the exits can have a guard in front of them: a comparison (2) and a branch (32), at most. The
/// check itself and the guard of `a` come before `a` opens.
#[test]
fn guards_count_at_most() {
    let bench = Bench::new("gfx1030", "0x3", &[&WAVE]);
    let (a, b) = (35 + 2 * 34, 8 + 34);
    let expected =
        [row("a", [110, 110 - a, 110 - 6], [160, 160 - a - b, 160 - 7]), row("b", [50, 50 - b, 49], [50, 50 - b, 49])];
    assert_eq!(bench.bounds(), expected);
}

/// gfx942: a write of M0 and a wait state, four cycles each, in front of each trace of 4 to 16 cycles, and one more wait state
/// where markers follow each other.
#[test]
fn long_markers_are_taken_out_of_the_scopes_around_them() {
    let bench = Bench::new("gfx942", "-1", &[&WAVE]);
    let (exit, word) = ([8, 12], 12);
    // Behind `a` up to `b`; behind the exit up to `word`; behind `word`, two traces and three others, up to the exit.
    let a = [4 + 8 + 4 + word + 20 + exit[0], 16 + 8 + 16 + word + 44 + exit[1]];
    let b = [4 + exit[0], 16 + exit[1]];
    let own = [50, 50 - b[1], 50 - b[0]];
    let expected =
        [row("a", [110, 110 - a[1], 110 - a[0]], [160, 160 - a[1] - b[1], 160 - a[0] - b[0]]), row("b", own, own)];
    assert_eq!(bench.bounds(), expected);
}

/// `b` lasts 3 cycles and its marker up to 8: nothing is left, not less.
#[test]
fn nothing_is_left_below_zero_and_a_cut_scope_has_what_its_last_marker_issued() {
    let bench = Bench::new("gfx1030", "-1", &[&[(100, A), (150, B), (153, EXIT), (200, B)]]);
    let expected = [
        row("b", [3 + 100, 103 - 16, 103 - 2], [103, 103 - 16, 103 - 2]),
        row("a", [50 + 47, 97 - 16, 97 - 2], [200, 200 - 32, 200 - 4]),
    ];
    let (status, out, _) = bench.sqtt(&["summary", "--cost", "--csv"]);
    let header = out.lines().next().unwrap();
    assert!(
        status == Some(0)
            && header.ends_with("self_lower_cycles,self_upper_cycles,total_lower_cycles,total_upper_cycles")
    );
    let (_, out, _) = bench.sqtt(&["summary", "--cost", "--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let found = ["self", "total"].map(|kind| document["scopes"][0][format!("{kind}_lower_cycles")].as_u64().unwrap());
    assert_eq!((found, bench_rows(&bench)), ([87, 87], expected.to_vec()));
    let bench = Bench::new("gfx1030", "-1", &[&[(100, A), (150, B), (153, EXIT), (200, EXIT)]]);
    assert_eq!(bench.bounds()[1], row("b", [3, 0, 2], [3, 0, 2]));
}

/// The rows of a trace with a message.
fn bench_rows(bench: &Bench) -> Vec<(String, [u64; 3], [u64; 3])> {
    let (_, out, _) = bench.sqtt(&["summary", "--cost", "--csv"]);
    let number = |cell: &str| cell.parse().unwrap();
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let at = |columns: [usize; 3]| columns.map(|column| number(cells[column]));
        (cells[3].to_owned(), at([8, 14, 15]), at([9, 16, 17]))
    };
    out.lines().skip(1).map(line).collect()
}

/// The loop that traces the address of each lane runs once for every lane: two reads, two writes of M0 with their wait
/// states, two traces, and what counts and branches, each a cycle at least.
#[test]
fn a_payload_of_lanes_costs_its_loop_for_every_lane() {
    let (llvm, directory) = (Llvm::new(22), tempfile::tempdir().unwrap());
    let path = |name: &str| directory.path().join(name);
    fs_err::write(path("source.hip"), "#include \"device.h\"\nKERNEL void k(volatile u32 *p) { p[lane()] = 1; }\n")
        .unwrap();
    let mut clang = hip(&llvm, "gfx1100", directory.path());
    clang.args(["-O2", &format!("-fpass-plugin={}", llvm.plugin().unwrap().display())]);
    clang.envs([("SQTT_SCOPE_CU", "-1"), ("SQTT_TRACE_ADDRESSES", "memory")]).arg(path("source.hip"));
    let machine = Machine::read(&llvm, &output_of(&mut clang, &path("k.co")).unwrap());
    let prices = Prices::of(&machine.program, &machine.map, &machine.target);
    let price = prices.get(1).unwrap();
    assert!((32 * 10..32 * 16).contains(&price.after.least), "{price:?}");
    assert!(price.after.most >= 32 * (2 * 8 + 32), "{price:?}");
    assert_eq!((prices.get(0), prices.get(2)), (None, None));
}

#[test]
fn a_table_has_both_bounds_and_what_they_take_for_granted() {
    let bench = Bench::new("gfx1030", "-1", &[&WAVE]);
    let (status, out, messages) = bench.sqtt(&["summary", "--cost"]);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    assert!(out.contains("self without markers") && out.contains(" 75..104 ") && out.contains(" 117..153 "), "{out}");
    let assumed = out.split_once("\n\ncycles without markers take for granted:\n").unwrap().1;
    assert!(assumed.contains("  gfx10 and later: trace 1 to 8 cycles (assumed: "), "{out}");
    assert!(!assumed.contains("  gfx9: ") && assumed.contains("a record has the time at which"), "{out}");
    // Without the flag all is as it was.
    let (_, out, _) = bench.sqtt(&["summary"]);
    assert!(!out.contains("markers") && out.lines().count() == 4, "{out}");
    let (_, out, _) = bench.sqtt(&["summary", "--json"]);
    assert!(!out.contains("lower") && !out.contains("assumptions"), "{out}");
}

#[test]
fn a_flame_graph_has_what_markers_took_apart() {
    let lines = |rows: &[(&str, u32)]| -> String {
        rows.iter().map(|(scopes, cycles)| format!("code_object_1;_Z1kPVj;{scopes} {cycles}\n")).collect()
    };
    let bench = Bench::new("gfx1030", "-1", &[&WAVE, &WAVE]);
    let (status, out, messages) = bench.sqtt(&["flamegraph", "--cost", "--speedscope"]);
    // Of each wave those of `short_markers_are_taken_out_of_the_scopes_around_them`.
    let a = [("a", 150), ("a;[markers?]", 58), ("a;[markers]", 12)];
    let b = [("a;b", 84), ("a;b;[markers?]", 14), ("a;b;[markers]", 2)];
    let mut expected = [a, b].concat();
    expected.sort_unstable();
    let mut found: Vec<String> = out.lines().map(|line| format!("{line}\n")).collect();
    found.sort_unstable();
    assert_eq!((status, found.concat()), (Some(0), lines(&expected)), "{messages}");
    assert!(
        messages.contains("sqtt: cycles without markers take for granted:\nsqtt:   gfx10 and later: "),
        "{messages}"
    );
    let read = |name: &str| fs_err::read_to_string(bench.directory.path().join(name)).unwrap();
    assert!(read("sqtt_flamegraph.svg").contains("Cycles by scope, markers apart"));
    assert!(read("sqtt_flamegraph.speedscope.json").contains("[markers?]"));
    // In all it is what was measured.
    let (_, out, messages) = bench.sqtt(&["flamegraph"]);
    assert_eq!((out, messages.as_str()), (lines(&[("a", 220), ("a;b", 100)]), ""));
    // Where markers can account for all, nothing is the program's own for certain.
    let bench = Bench::new("gfx1030", "-1", &[&[(100, A), (108, EXIT)]]);
    let (status, out, _) = bench.sqtt(&["flamegraph", "--cost"]);
    assert_eq!((status, out), (Some(0), lines(&[("a;[markers?]", 7), ("a;[markers]", 1)])));
}

/// `b` is in no loop of the code, but two waves enter it three times: what was traced counts, not what the code looks like.
#[test]
fn advice_goes_by_what_was_traced() {
    let again: Vec<(i64, u32)> = WAVE.iter().copied().chain([(261, B), (262, EXIT)]).collect();
    let advice = |waves: &[&[(i64, u32)]]| {
        let bench = Bench::new("gfx942", "-1", waves);
        let trace = format!("--trace={DIRECTORY}");
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.args(["cost", FILE, "--advise", "--json", &trace, "--objdump"]).arg(bench.llvm.program("llvm-objdump"));
        let output = sqtt.current_dir(bench.directory.path()).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let advice = document["code_objects"][0]["advice"].as_array().unwrap();
        let reasons: Vec<String> = advice.iter().map(|advice| advice["reason"].as_str().unwrap().to_owned()).collect();
        (output.status.code(), reasons, String::from_utf8(output.stderr).unwrap())
    };
    // Its markers, a wait state among them, are six; the program's own are two moves, a store, and what waits for that.
    let (status, reasons, messages) = advice(&[&WAVE, &again]);
    let [only] = reasons.as_slice() else { panic!("{reasons:?}") };
    assert!(only.starts_with("scope `b`: 6 instructions of markers for "), "{only}");
    assert!(only.ends_with(" of its own, entered 3 times by 2 waves: open it outside of the loop"), "{only}");
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let (status, reasons, _) = advice(&[&WAVE, &WAVE]);
    assert_eq!((status, reasons), (Some(0), Vec::new()));
    let (status, reasons, messages) = advice(&[]);
    assert_eq!((status, reasons), (Some(2), Vec::new()));
    assert!(messages.contains("no wave of the trace ran this code object, so advice goes by loops\n"), "{messages}");
}

#[test]
fn what_is_not_known_is_said_and_left_in() {
    // No machine code has this id.
    let bench = Bench::new("gfx1030", "-1", &[&[(100, A), (120, 9 << 2 | 2), (130, EXIT), (150, EXIT)]]);
    let (status, out, messages) = bench.sqtt(&["summary", "--cost"]);
    assert_eq!(status, Some(0));
    assert!(messages.contains("sqtt: warning: the cost of 1 of 4 markers is not known and is left in\n"), "{messages}");
    assert!(out.contains(" 10..10 "), "{out}");
    // No objdump; no code object.
    let bench = Bench::new("gfx1030", "-1", &[&WAVE]);
    for objdump in ["no-such-program".as_ref(), bench.llvm.program("llvm-objdump").as_path()] {
        let flag = format!("--objdump={}", objdump.display());
        let (status, out, messages) = bench.sqtt(&["summary", "--cost", &flag]);
        assert_eq!(status, Some(0), "{messages}");
        assert!(messages.contains(" markers is not known and is left in"), "{messages}");
        assert!(messages.matches("sqtt: warning: ").count() >= 2, "{messages}");
        assert!(out.contains("  nothing was taken out: the cost of no marker is known\n"), "{out}");
        assert!(out.contains(" 160..160 ") && out.contains(" 50..50 "), "{out}");
        fs_err::write(bench.directory.path().join(FILE), "text").unwrap();
    }
}

/// The blocks of `docs/cost.md` that begin with three backticks and `kind`.
fn blocks(kind: &str) -> Vec<String> {
    let page = fs_err::read_to_string(machine_support::llvm::root().join("docs/cost.md")).unwrap();
    let fence = format!("```{kind}\n");
    page.split(&fence).skip(1).map(|after| after.split_once("```").unwrap().0.to_owned()).collect()
}

#[test]
fn the_example_of_the_documentation_prints_what_it_says() {
    let names =
        ["enter", "exit"].map(|name| format!("#define sqtt_marker_{name}(name) __sqtt_named_marker_{name}(name)\n"));
    let example = blocks("cpp")[0].replace("#include \"markers.hpp\"", "").replace("__global__", "KERNEL");
    let source = format!("#include \"device.h\"\n{}{example}", names.concat());
    let wave = [(100, A), (140, B), (180, EXIT), (190, B), (226, EXIT), (240, EXIT)];
    let bench = Bench::of(&source, "_Z5scalePVii", "gfx1100", "-1", &[&wave]);
    let (status, out, messages) = bench.sqtt(&["summary", "--cost"]);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    let printed = out.split_once("  gfx10").unwrap().0.to_owned();
    snapbox::assert_data_eq!(printed, snapbox::IntoData::raw(snapbox::Data::text(blocks("text")[1].clone())));
}
