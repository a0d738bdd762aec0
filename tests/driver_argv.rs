//! What reaches the compiler is what was typed, without `--sqtt-*` and with one block right after argv[0].

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use proptest::collection::vec;
use proptest::prelude::*;
use sqtt_hipcc::invocation::{Answer, Circumstances, CommandLine, Reading, Rules, classify};

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{Fake, Record, stderr};

/// The words that are the compiler's.
fn forwarded(words: &[OsString]) -> Vec<OsString> {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let is_ours = |(index, word): &(usize, &OsString)| *index < end && word.as_bytes().starts_with(b"--sqtt-");
    words.iter().enumerate().filter(|word| !is_ours(word)).map(|(_, word)| word.clone()).collect()
}

/// What a call is for, as far as it gets a block.
#[derive(Clone, Copy, Debug, Default)]
struct For {
    compiles: bool,
    links: bool,
}

const COMPILES: For = For { compiles: true, links: false };
const OTHER: For = For { compiles: false, links: false };

/// What the driver does with `words`.
fn answer(fake: &Fake, words: &[OsString]) -> Answer {
    let line = CommandLine::read(&forwarded(words), &fake.work(), "--sqtt-");
    let reading = Reading::new(&line, Rules::Hipcc { cxx_is_hip: true });
    classify(&reading, &Circumstances::default())
}

fn assert_faithful(fake: &Fake, words: &[OsString], record: &Record, work: For) {
    assert_eq!(record.argv[0], fake.compiler.as_os_str(), "argv[0] of {words:?}");
    let cacheable = work.compiles && matches!(answer(fake, words), Answer::Instrument(work) if work.cacheable);
    let block = fake.block(record, work.compiles, work.links, cacheable);
    let expected: Vec<OsString> = block.into_iter().chain(forwarded(words)).collect();
    assert_eq!(record.arguments(), expected, "{words:?}");
}

fn check(fake: &Fake, words: &[OsString], work: For) {
    let record = fake.record(fake.driver().args(words));
    assert_faithful(fake, words, &record, work);
}

/// The corpus: what is done with a call, and its words.
fn corpus() -> Vec<(String, Vec<OsString>)> {
    let mut lines = Vec::new();
    let mut text = include_str!("fixtures/driver/command_lines.txt").lines();
    while let Some(line) = text.next() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut line = line.to_owned();
        // A quoted newline.
        while shlex::split(&line).is_none() {
            line = format!("{line}\n{}", text.next().expect("an open quote"));
        }
        let mut words = shlex::split(&line).unwrap().into_iter();
        lines.push((words.next().unwrap(), words.map(OsString::from).collect()));
    }
    lines
}

#[test]
fn real_command_lines_arrive_as_typed() {
    let fake = Fake::hipcc();
    let corpus = corpus();
    assert!(corpus.len() > 60, "only {} lines", corpus.len());
    for (class, words) in corpus {
        let (compiles, links) = (["instrument", "both"], ["link", "both"]);
        let is_in = |classes: [&str; 2]| classes.contains(&class.as_str());
        check(&fake, &words, For { compiles: is_in(compiles), links: is_in(links) });
    }
}

#[test]
fn words_may_be_any_bytes() {
    let bytes = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let words =
        ["-c".into(), bytes(b"-DX=\xff\xfe"), bytes(b"\xc3(.hip"), "-o".into(), bytes(b"\n\t\x01.o"), "".into()];
    check(&Fake::hipcc(), &words, COMPILES);
    check(&Fake::hipcc(), &[bytes(b"-\xff"), bytes(b"\xff.o")], OTHER);
}

#[test]
fn thousands_of_words() {
    let mut words: Vec<OsString> = (0..20_000).map(|index| format!("-DN{index}={index}").into()).collect();
    words.extend(["-c".into(), "a.hip".into()]);
    check(&Fake::hipcc(), &words, COMPILES);
}

#[test]
fn after_the_double_dash_everything_is_the_compilers() {
    let words = ["-c", "--sqtt-functions=1", "--", "--sqtt-functions=abc", "a.hip"].map(OsString::from);
    check(&Fake::hipcc(), &words, COMPILES);
}

#[test]
fn response_files_arrive_as_names_and_unchanged() {
    let fake = Fake::hipcc();
    let text = "-c 'a b.hip' -DX=\\\"y\\\" @nested\n";
    std::fs::write(fake.work().join("args"), text).unwrap();
    std::fs::write(fake.work().join("nested"), "-O2").unwrap();
    check(&fake, &["-g".into(), "@args".into()], COMPILES);
    assert_eq!(std::fs::read_to_string(fake.work().join("args")).unwrap(), text);
    check(&fake, &["@missing".into(), "-c".into(), "a.hip".into()], COMPILES);
    std::fs::write(fake.work().join("objects"), "a.o b.o -o x").unwrap();
    check(&fake, &["@objects".into()], OTHER);
}

/// A response file that is a pipe must not be read by us: its contents are there once.
#[test]
fn response_file_that_is_a_pipe_is_left_to_the_compiler() {
    let fake = Fake::hipcc();
    let script = format!("exec '{}' -c a.hip @/dev/fd/5 5<<END\n-O2\nEND", support::DRIVER);
    let mut shell = fake.driver();
    shell.env("FAKE_SHELL", "cat <&5 > seen");
    let mut through_shell = std::process::Command::new("sh");
    through_shell.arg("-c").arg(script).current_dir(fake.work()).env_clear();
    through_shell.envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))));
    assert!(through_shell.status().unwrap().success());
    assert_eq!(std::fs::read_to_string(fake.work().join("seen")).unwrap(), "-O2\n");
}

#[test]
fn preprocessed_hip_gets_the_plugin_alone() {
    let fake = Fake::hipcc();
    let record = fake.record(fake.driver().args(["-c", "a.hipi"]));
    let mut plugin = OsString::from("-fpass-plugin=");
    plugin.push(&fake.plugin);
    assert_eq!(record.arguments(), [plugin, "-Wno-error=pass-failed".into(), "-c".into(), "a.hipi".into()]);
}

/// Whether hipcc's shell would take apart what is behind a `-o`; each takes the word behind it, were it another.
fn is_refused(words: &[OsString]) -> bool {
    let Some(at) = words.iter().position(|word| word == "-o") else { return false };
    let Some(value) = words.get(at + 1) else { return false };
    value.as_bytes().iter().any(|byte| b"\"$`\\".contains(byte)) || is_refused(&words[at + 2..])
}

/// Words that mean something, or nearly, and others.
fn word() -> impl Strategy<Value = OsString> {
    let known = prop::sample::select(vec![
        "-c",
        "-o",
        "x.o",
        "a.hip",
        "b.cpp",
        "c.c",
        "-x",
        "hip",
        "-xc++",
        "--",
        "-Xclang",
        "-E",
        "-S",
        "--genco",
        "-",
        "-D",
        "-DX=\"a b\"",
        "-I",
        "-MF",
        "a.d",
        "@none",
        "",
        "--version",
        "-###",
        "-shared",
        "a.o",
        "-lm",
        "-l",
        "-O2",
        "--sqtt-functions=10",
        "--sqtt-scope-cu=0x3",
        "--sqtt-mem-barrier=asm",
        "--sqtt-validate=off",
        "-fgpu-rdc",
    ])
    .prop_map(OsString::from);
    let bytes = vec(1..=255u8, 0..12).prop_map(OsString::from_vec);
    prop_oneof![4 => known, 1 => bytes].prop_filter("an unknown flag of ours is an error", |word| {
        let bytes = word.as_bytes();
        !bytes.starts_with(b"--sqtt-") || bytes.contains(&b'=')
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_command_line_arrives_as_typed(words in vec(word(), 0..12)) {
        let fake = Fake::hipcc();
        if is_refused(&forwarded(&words)) {
            prop_assert_eq!(fake.driver().args(&words).output().unwrap().status.code(), Some(125));
            prop_assert!(fake.records().is_empty());
            return Ok(());
        }
        let record = fake.record(fake.driver().args(&words));
        let work = match answer(&fake, &words) {
            Answer::Instrument(work) => For { compiles: !work.inputs.is_empty(), links: work.links },
            _ => OTHER,
        };
        assert_faithful(&fake, &words, &record, work);
    }
}

#[test]
fn headers_of_the_users_own_take_the_place_of_ours() {
    let fake = Fake::hipcc();
    std::fs::create_dir(fake.work().join("own")).unwrap();
    let words = ["--sqtt-headers=own", "-c", "a.hip"];
    let output = fake.driver().args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    let said = stderr(&output);
    assert!(said.contains("there is no `markers.hpp` in `") && said.contains("/own` (--sqtt-headers=)\n"), "{said}");
    std::fs::write(fake.work().join("own/markers.hpp"), "").unwrap();
    let mut include = std::ffi::OsString::from("-I");
    include.push(fake.work().join("own"));
    let record = fake.record(fake.driver().args(words));
    assert_eq!(record.arguments().iter().find(|word| word.as_bytes().starts_with(b"-I")), Some(&include));
}
