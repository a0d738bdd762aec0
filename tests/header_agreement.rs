//! The C++ headers and this project's own reader make the same of any map, word and code object.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod headers_cxx;
mod llvm;

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use headers_cxx::{Compiler, code_objects};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestRunner};
use sqtt_contract::funcmap::{Funcmap, Row, Text, parse};
use sqtt_hipcc::code_object::read;

/// The C++ reader, which answers one case after the other.
struct Reader {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _directory: tempfile::TempDir,
}

impl Reader {
    fn start() -> Reader {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let program = directory.path().join("decode");
        Compiler::Clang(22).build(&["decode.cc"], &["-O1"], &program);
        let mut command = Command::new(&program);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the reader starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Reader { child, input, output, _directory: directory }
    }

    /// The lines of its answer, sorted.
    fn ask(&mut self, kind: &str, bytes: &[u8], words: &[u32]) -> Vec<String> {
        let mut case = format!("{kind} {}", if bytes.is_empty() { "-" } else { "" });
        bytes.iter().for_each(|byte| write!(case, "{byte:02x}").expect("a string takes all"));
        words.iter().for_each(|word| write!(case, " {word}").expect("a string takes all"));
        writeln!(self.input, "{case}").expect("the reader reads");
        let lines = (&mut self.output).lines().map(|line| line.expect("the reader is alive and writes UTF-8"));
        let mut answer: Vec<String> = lines.take_while(|line| line != ".").collect();
        assert!(!answer.is_empty(), "the reader ended");
        answer.sort();
        answer
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hex(text: Option<&Text>) -> String {
    let bytes = text.map_or(&b""[..], Text::as_bytes);
    bytes.iter().fold("x".to_owned(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// The answer that our own reader gives, sorted.
fn own(map: &Funcmap, words: &[u32]) -> Vec<String> {
    let index = map.index();
    let mut lines = Vec::new();
    for row in map.rows() {
        if let Some(name) = row.name() {
            let id = row.marker_id().unwrap_or(0);
            lines.push(format!("row {} {id} {} {}", row.letter(), hex(Some(name)), hex(row.location())));
        }
    }
    let ids: std::collections::BTreeSet<u32> = map.rows().filter_map(Row::marker_id).collect();
    for id in ids {
        lines.push(format!("known {id} {}", hex(index.find(id).and_then(Row::name))));
    }
    lines.extend(index.payloads().map(|(id, count)| format!("payload {id} {count}")));
    lines.push(format!("wave {}", index.wave_size().unwrap_or(0)));
    lines.push(format!("layout {} {}", map.encoding().clock_bits(), map.encoding().clock_shift()));
    lines.push(format!("terminated {}", u8::from(map.terminated)));
    for problem in &map.problems {
        let reason = problem.reason.to_string();
        lines.push(format!("line {}: {}", problem.line, reason.split(" (").next().unwrap_or(&reason)));
    }
    for duplicate in index.duplicates() {
        let (id, earlier, later) = (duplicate.id, duplicate.earlier, duplicate.later);
        lines.push(format!("line {later}: id {id} was named by line {earlier} already"));
    }
    for word in words {
        let of_word = map.encoding().decode_among(*word, |id| index.contains(id)).marker;
        let of_header = map.encoding().decode(*word);
        for (how, marker) in [("word", of_word), ("header", of_header.marker)] {
            lines.push(format!("{how} {} {} {}", marker.id, u8::from(marker.enter), u8::from(marker.exit)));
        }
        lines.push(format!("clock {}", of_header.clock.unwrap_or(0)));
    }
    lines.sort();
    lines
}

fn check<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(&mut Reader, S::Value) -> TestCaseResult) {
    let reader = RefCell::new(Reader::start());
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    let outcome = TestRunner::new(config).run(strategy, |case| test(&mut reader.borrow_mut(), case));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Rows that are right, nearly right and wrong, with ids that meet.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let text = |pattern: &'static str| pattern.prop_map(String::into_bytes);
    prop_oneof![
        6 => text("[FUP]:[0-9]{1,2}:[a-z@:% ]{0,6}(@[a-z.]{1,4}:[0-9]{1,2})?"),
        2 => text("[FUP]:[0-9]{1,2}:(%[0-9a-fA-F]{1,2}|[a-z%])+"),
        1 => text("[FUPR]:(4294967295|4294967296|[0-9]{9,22}|[+-][0-9])(:[a-z]+)?"),
        2 => text("K:[a-z@%0-9]{0,8}"),
        1 => text("W:(32|64|[0-9]{0,3})"),
        2 => text("R:[0-9]{1,2}:extra_payload_count=[0-9]{0,11}(;[a-z_=0-9]{0,4})?"),
        2 => text("M:shader_clock_bits=[0-9]{1,2};shader_clock_shift=[0-9]{1,2};?"),
        1 => text("M:(shader_clock_shift=[0-9]{0,2};)?(shader_clock_bits=[0-9]{0,2})?"),
        1 => text("[ \t\r\x0B\x0C]{0,2}[A-Z]{0,2}:?[0-9:@;=]{0,6}[ \t\r\x0B\x0C]{0,2}"),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ]
}

fn section() -> impl Strategy<Value = Vec<u8>> {
    let end =
        prop_oneof![8 => Just(&b"\n"[..]), 1 => Just(&b"\r\n"[..]), 1 => Just(&b"\0"[..]), 1 => Just(&b"\n\n\0"[..])];
    prop::collection::vec((line(), end), 0..12).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| line.into_iter().chain(end.iter().copied())).collect()
    })
}

/// Words whose ids the maps may know, in any layout, and any others.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let near = (0..100_u32, 0..4_u32, any::<u32>(), 0..30_u32)
        .prop_map(|(id, flags, clock, bits)| id << 2 | flags | if bits == 0 { 0 } else { clock << (32 - bits) });
    prop::collection::vec(prop_oneof![3 => near, 1 => any::<u32>(), 1 => 0..8_u32], 0..8)
}

#[test]
fn any_map_and_any_word_decode_the_same() {
    check(3000, &(section(), words()), |reader, (section, words)| {
        let (ours, theirs) = (own(&parse(&section), &words), reader.ask("map", &section, &words));
        prop_assert_eq!(ours, theirs, "{:?}", String::from_utf8_lossy(&section));
        Ok(())
    });
}

#[test]
fn any_bytes_are_the_same_map() {
    check(2000, &prop::collection::vec(any::<u8>(), 0..300), |reader, section| {
        prop_assert_eq!(own(&parse(&section), &[]), reader.ask("map", &section, &[]));
        Ok(())
    });
}

#[test]
fn real_code_objects_have_the_same_map() {
    let mut reader = Reader::start();
    for path in code_objects() {
        let bytes = std::fs::read(&path).expect("the code object is there");
        let map = read(&bytes).code_objects[0].funcmap().expect("it has a map");
        let words: Vec<u32> = (0..4096).collect();
        assert_eq!(own(&map, &words), reader.ask("elf", &bytes, &words), "{}", path.display());
    }
}

/// Where both can read a damaged code object they read the same; that they do is no exception.
#[test]
fn changed_code_objects_have_the_same_map() {
    let samples: Vec<Vec<u8>> =
        code_objects().iter().map(|path| std::fs::read(path).expect("the code object is there")).collect();
    let words = vec![1, 4, 0x1000_000C];
    let change = (any::<prop::sample::Index>(), any::<u8>());
    let strategy = (0..samples.len(), prop::collection::vec(change, 1..5));
    let both = std::cell::Cell::new(0);
    check(1500, &strategy, |reader, (sample, changes)| {
        let mut bytes = samples[sample].clone();
        for (at, byte) in &changes {
            *at.get_mut(&mut bytes) = *byte;
        }
        let theirs = reader.ask("elf", &bytes, &words);
        let contents = read(&bytes);
        let map = contents.code_objects.first().map(|object| object.funcmap().unwrap_or_else(|| parse(b"")));
        if let Some(map) = map.filter(|_| theirs != ["error"]) {
            both.set(both.get() + 1);
            prop_assert_eq!(own(&map, &words), theirs);
        }
        Ok(())
    });
    assert!(both.get() > 500, "only {} of 1500 were read by both", both.get());
}
