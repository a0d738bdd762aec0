//! `sqtt check` on traces of compiled kernels: of waves that were run, and of waves to which something was done.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod check_support;
mod machine_support;

use std::process::Command;

use check_support::bench::{Bench, Harm, SOURCE, WAVES, compile};
use check_support::headers;
use machine_support::llvm;
use serde_json::{Value, json};

#[test]
fn what_an_emulator_traced_conforms() {
    let bench = Bench::new(SOURCE);
    for gpu in ["gfx1100", "gfx1201", "gfx942"] {
        let directory = llvm::root().join(format!("tests/fixtures/trace/e2e_{gpu}"));
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.arg("check").arg("--objdump").arg(bench.llvm.program("llvm-objdump")).arg(directory);
        let output = sqtt.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{gpu}: {text}");
        assert!(text.contains("none against its program") && !text.contains("not looked at"), "{gpu}: {text}");
    }
}

#[test]
fn waves_as_they_are_conform() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, |_, _| {});
    let (status, out, messages) = bench.check(&["--strict"]);
    assert_eq!((status, messages.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("3 waves, 3 as the program traces\n"), "{out}");
}

#[test]
fn a_wave_that_the_trace_cuts_off_is_no_fault() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, false, |_, records| records.truncate(3));
    let (status, out, _) = bench.check(&[]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("3 as the program traces, 3 cut off by the end of the trace"), "{out}");
    // With an end it is one.
    bench.trace(&WAVES, true, |_, records| records.truncate(3));
    let (status, out, _) = bench.check(&[]);
    assert_eq!(status, Some(1), "{out}");
}

#[test]
fn each_kind_of_fault_is_told_where_it_is() {
    let bench = Bench::new(SOURCE);
    let cases: [(Harm, &str, &str); 4] = [
        // Behind `enter all`: the function's own scope.
        (|slot, records| _ = (slot == 1).then(|| records.remove(1)), "lost", "`enter helper`"),
        (|slot, records| _ = (slot == 1).then(|| records.insert(1, records[0])), "extra", "`enter all`"),
        (|slot, records| _ = (slot == 1).then(|| records[1].1 = 0xFF0), "changed", "`enter helper`"),
        (|slot, records| _ = (slot == 1).then(|| records.pop()), "lost", "`exit`"),
    ];
    for (harm, kind, marker) in cases {
        bench.trace(&WAVES, true, harm);
        let document = bench.json();
        let total = &document["total"];
        let numbers = ["waves", "conforming", "at_least"].map(|name| total[name].as_u64().unwrap());
        assert_eq!(numbers, [3, 2, 1], "{kind}: {document:#}");
        let wave = &document["kernels"][0]["waves"][0];
        assert_eq!((&wave["wave"], &wave["explained"]), (&json!(1), &json!(true)), "{document:#}");
        let [fault] = wave["faults"].as_array().unwrap().as_slice() else { panic!("{document:#}") };
        assert_eq!((fault["kind"].as_str(), fault["marker"].as_str()), (Some(kind), Some(marker)), "{document:#}");
        assert_eq!(fault["foreign"], json!(kind == "changed"), "{document:#}");
        let cycles = fault["cycles"].as_i64().unwrap();
        assert!((2010..=2030).contains(&cycles) || marker == "`exit`", "{document:#}");
        assert_eq!(fault["address"].is_null(), kind == "extra", "{document:#}");
    }
}

#[test]
fn a_payload_that_the_wave_ends_in_is_told() {
    let bench = Bench::new(SOURCE);
    // All behind the header of the data marker is gone.
    bench.trace(&WAVES, true, |slot, records| _ = (slot == 0).then(|| records.truncate(records.len() - 2)));
    let document = bench.json();
    assert_eq!(document["total"]["short"], 1, "{document:#}");
    assert_eq!(bench.check(&[]).0, Some(1));
}

#[test]
fn many_faulty_waves_are_counted_and_the_first_are_shown() {
    let bench = Bench::new(SOURCE);
    let seeds: Vec<u64> = WAVES.iter().copied().cycle().take(13).collect();
    bench.trace(&seeds, true, |_, records| _ = records.remove(1));
    let (_, out, _) = bench.check(&[]);
    assert_eq!(out.matches("    lost `enter helper`").count(), 10, "{out}");
    assert!(
        out.contains("\n  3 more waves; `--json` has all\n") && out.contains("\n  lost 13 times: `enter helper`"),
        "{out}"
    );
    let document = bench.json();
    assert_eq!(document["kernels"][0]["waves"].as_array().unwrap().len(), 13);
    assert_eq!((&document["total"]["lost"], &document["total"]["unexplained"]), (&json!(13), &json!(0)));
}

#[test]
fn another_build_is_suspected() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, |_, _| {});
    let many =
        SOURCE.replace("enter(\"all\")", "point(\"a\"); point(\"b\"); point(\"c\"); point(\"a\"); enter(\"all\")");
    let other = tempfile::tempdir().unwrap();
    bench.put_code_object(&compile(&bench.llvm, other.path(), &many, "0x3"));
    let (status, out, _) = bench.check(&[]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("0 as the program traces, 3 not"), "{out}");
}

#[test]
fn without_code_objects_nothing_can_be_said() {
    let bench = Bench::new(SOURCE);
    bench.trace(&WAVES, true, |_, _| {});
    fs_err::remove_file(bench.directory.path().join("1_gfx1100_code_object_id_1.out")).unwrap();
    let (status, out, messages) = bench.check(&[]);
    assert_eq!(status, Some(2), "{out}");
    assert!(out.contains("3 not looked at"), "{out}");
    assert!(messages.contains("sqtt: error: no wave could be looked at: "), "{messages}");
    let (status, _, messages) = bench.check(&["--kernel=no such kernel"]);
    assert_eq!(status, Some(2), "{messages}");
    assert!(messages.contains("sqtt: error: every record is of a wave that was not asked for"), "{messages}");
    // Nor with one that cannot be disassembled.
    bench.put_code_object(&bench.code_object);
    let (status, _, messages) = bench.check(&["--objdump=no-such-program"]);
    assert_ne!(status, Some(0), "{messages}");
}

#[test]
fn unknown_code_is_never_called_wrong() {
    let source = "#include \"device.h\"\n\
        KERNEL void calls(volatile u32 *p, void (*f)(volatile u32 *)) {\n\
          enter(\"a\"); point(\"b\"); point(\"b\"); point(\"b\"); point(\"b\"); point(\"b\"); point(\"b\");\n\
          if (p[0] > 90) f(p);\n\
          point(\"c\"); leave(\"a\");\n\
        }\n";
    let bench = Bench::new(source);
    bench.trace(&[1, 2, 3], true, |slot, records| _ = (slot == 1).then(|| records.truncate(8)));
    let (status, out, _) = bench.check(&[]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("3 only up to unknown code"), "{out}");
    // In front of the call it is. With a scope filter not even that: a wave outside of it comes to the call first.
    let bench = Bench::with_scope(source, "-1");
    bench.trace(&[1, 2, 3], true, |slot, records| _ = (slot == 1).then(|| records.remove(3)));
    assert_eq!(bench.check(&[]).0, Some(1));
}

#[test]
fn a_repaired_wave_is_what_it_was() {
    let bench = Bench::new(SOURCE);
    let words = bench.trace(&WAVES, true, |slot, records| {
        if slot == 2 {
            records.remove(records.len() - 1);
            records.remove(1);
        }
    });
    let (status, _, messages) = bench.check(&["--repair=repaired.jsonl"]);
    assert_eq!(status, Some(1), "{messages}");
    let text = fs_err::read_to_string(bench.directory.path().join("repaired.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (slot, words) in words.iter().enumerate() {
        let of_wave: Vec<&Value> = lines.iter().filter(|line| line["wave"] == slot).collect();
        let headers = headers(words, &bench.machine.map);
        let expected = headers.iter().map(|marker| json!([marker.id, marker.enter, marker.exit]));
        let repaired = of_wave.iter().map(|line| json!([line["id"], line["enter"], line["exit"]]));
        assert_eq!(repaired.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "wave {slot}");
        let inferred = of_wave.iter().filter(|line| line["inferred"] == true).count();
        assert_eq!(inferred, if slot == 2 { 2 } else { 0 });
    }
}

/// The block of `docs/check.md` that begins with three backticks and `kind`.
fn block(kind: &str) -> String {
    let page = fs_err::read_to_string(llvm::root().join("docs/check.md")).unwrap();
    let after = page.split_once(&format!("```{kind}\n")).unwrap().1;
    after.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_example_of_the_documentation_prints_what_it_says() {
    let names =
        ["enter", "exit"].map(|name| format!("#define sqtt_marker_{name}(name) __sqtt_named_marker_{name}(name)\n"));
    let example = block("cpp").replace("#include \"markers.hpp\"", "").replace("__global__", "KERNEL");
    let bench = Bench::new(&format!("#include \"device.h\"\n{}{example}", names.concat()));
    bench.trace(&[3, 4], true, |slot, records| _ = (slot == 1).then(|| records.remove(4)));
    let (status, out, _) = bench.check(&[]);
    assert_eq!(status, Some(1));
    snapbox::assert_data_eq!(out, snapbox::IntoData::raw(snapbox::Data::text(block("text"))));
}
