//! What the driver prints itself: the plan, its version and help, errors and warnings; and where.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Output;

use sqtt_contract::variables;

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{Fake, stderr};

/// The plan of a call, with what differs from run to run named.
fn plan(fake: &Fake, words: &[&str]) -> String {
    let hide_stamp = |line: &str| match line.split_once("-include/") {
        Some((before, after)) => {
            let rest = after.split_once(".h").map_or("", |(_, rest)| rest);
            format!("{}-include[STAMP]{}", before.trim_end_matches('\''), rest.trim_start_matches('\''))
        }
        None => line.to_owned(),
    };
    let output = fake.driver().arg("--sqtt-print-plan").args(words).output().unwrap();
    assert!(output.status.success() && fake.records().is_empty(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let text = String::from_utf8(output.stdout).unwrap();
    let root = fake.compiler.parent().unwrap().to_str().unwrap();
    let hide_headers = |line: &str| match line.trim_start().split_once("-I/") {
        // In quotes where the repository's own path needs them.
        Some((before, after)) => {
            let (before, rest) = match before.strip_suffix('\'') {
                Some(before) => (before, after.split_once('\'').map_or("", |(_, rest)| rest)),
                None => (before, after.find(' ').map_or("", |end| &after[end..])),
            };
            format!("  {before}-I[HEADERS]{rest}")
        }
        None => line.to_owned(),
    };
    text.replace(root, "[ROOT]").lines().map(|line| hide_stamp(&hide_headers(line)) + "\n").collect()
}

#[test]
fn plan_of_an_instrumented_compile() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("sqtt.toml"), "[scope]\ncu = 0x8\n").unwrap();
    let words = ["--sqtt-functions=cost:50", "-c", "a b.hip", "c.hip", "-DX=\"y z\"", "--offload-arch=gfx942"];
    snapbox::assert_data_eq!(plan(&fake, &words), snapbox::file!["fixtures/driver/plan_instrument.txt"].raw());
}

#[test]
fn plan_of_a_call_that_passes_through() {
    let fake = Fake::named("clang++");
    let text = plan(&fake, &["--sqtt-validate=warn", "a.o", "-o", "x"]);
    snapbox::assert_data_eq!(text, snapbox::file!["fixtures/driver/plan_pass.txt"].raw());
}

#[test]
fn version_is_ours_and_help_is_on_stdout() {
    let fake = Fake::hipcc();
    let print = |flag: &str| {
        let output = fake.driver().args([flag, "-c", "a.hip"]).output().unwrap();
        assert!(output.status.success() && fake.records().is_empty(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(print("--sqtt-version"), format!("sqtt-hipcc {}\n", env!("CARGO_PKG_VERSION")));
    assert!(print("--sqtt-help").contains("--sqtt-functions=<"));
}

/// Runs a call that must fail without the compiler being started.
fn refused(fake: &Fake, words: &[&str], environment: &[(&str, &str)]) -> String {
    let output = fake.driver().envs(environment.iter().copied()).args(words).output().unwrap();
    assert_eq!((output.status.code(), fake.records().len()), (Some(125), 0), "{}", stderr(&output));
    assert_eq!(output.stdout, b"");
    let text = stderr(&output);
    assert!(text.starts_with("sqtt-hipcc: error: "), "{text}");
    assert!(text.lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{text}");
    text
}

#[test]
fn wrong_setting_of_any_source_compiles_nothing() {
    let fake = Fake::hipcc();
    for words in [["-c", "a.hip"], ["a.o", "b.o"]] {
        let text = refused(&fake, &["--sqtt-functions=ten", words[0], words[1]], &[]);
        assert!(text.contains("`--sqtt-functions=`: `ten`"), "{text}");
        let text = refused(&fake, &words, &[(variables::MEM_BARRIER, "strong")]);
        assert!(text.contains(&format!("`{}`: `strong`", variables::MEM_BARRIER)), "{text}");
        std::fs::write(fake.work().join("sqtt.toml"), "[scope]\ncu = 'x'\n").unwrap();
        assert!(refused(&fake, &words, &[]).contains("`sqtt.toml:2`: `x`"));
        std::fs::remove_file(fake.work().join("sqtt.toml")).unwrap();
    }
    assert!(refused(&fake, &["--sqtt-nonsense", "-c", "a.hip"], &[]).contains("unknown flag `--sqtt-nonsense`"));
    assert!(refused(&fake, &["--sqtt-plugin=none.so", "-c", "a.hip"], &[]).contains("none.so"));
    assert!(refused(&fake, &["-c", "a.hip"], &[(variables::LOG, "=x=")]).contains(variables::LOG));
}

#[test]
fn settings_file_of_the_source_is_found() {
    let fake = Fake::hipcc();
    std::fs::create_dir_all(fake.compiler.with_file_name("elsewhere/src")).unwrap();
    std::fs::write(fake.compiler.with_file_name("elsewhere/sqtt.toml"), "instrument.functions = 'x'").unwrap();
    let text = refused(&fake, &["-c", "../elsewhere/src/a.hip"], &[]);
    assert!(text.contains("elsewhere/sqtt.toml:1`: `x`"), "{text}");
}

#[test]
fn flag_of_ours_in_a_response_file_is_an_error() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("args"), "-c --sqtt-functions=10 a.hip").unwrap();
    let text = refused(&fake, &["@args"], &[]);
    assert!(text.contains("`--sqtt-functions=10`") && text.contains("move it to the command line"), "{text}");
}

fn stderr_of(fake: &Fake, words: &[&str], environment: &[(&str, &str)]) -> String {
    let output: Output = fake.driver().envs(environment.iter().copied()).args(words).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice(), fake.records().len()), (Some(0), b"".as_slice(), 1));
    stderr(&output)
}

#[test]
fn unknown_variable_is_a_warning_of_instrumented_calls_alone() {
    let fake = Fake::hipcc();
    let unknown = [("SQTT_INSTRUMENT_FUNCTION", "10")];
    let warning = "sqtt-hipcc: warning: nothing reads the variable `SQTT_INSTRUMENT_FUNCTION`; did you mean `SQTT_INSTRUMENT_FUNCTIONS`?\n";
    assert_eq!(stderr_of(&fake, &["-c", "a.hip"], &unknown), warning);
    for words in [["-c", "a.c"], ["--version", "-v"], ["-E", "a.c"]] {
        assert_eq!(stderr_of(&fake, &words, &unknown), "");
    }
}

#[test]
fn log_is_silent_until_asked_for_and_goes_to_stderr() {
    let fake = Fake::hipcc();
    assert_eq!(stderr_of(&fake, &["-c", "a.hip"], &[]), "");
    let text = stderr_of(&fake, &["-c", "a.hip"], &[(variables::LOG, "debug")]);
    assert!(text.contains("instrument: `a.hip` is read as HIP"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{text}");
}

/// `sqtt-hipcc --sqtt-help | head -1` is no failure worth a message of its own kind.
#[test]
fn printing_into_a_closed_pipe_fails_quietly_enough() {
    let fake = Fake::hipcc();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = fake.driver().arg("--sqtt-help").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).starts_with("sqtt-hipcc: error: cannot write: "), "{}", stderr(&output));
}
