//! What is said about a `sqtt.toml` that cannot be read, and the help text.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use sqtt_contract::variables::TABLE;
use sqtt_hipcc::config::{Config, OwnFlags, Sources, help};
use sqtt_hipcc::environment::Environment;

fn error(text: impl AsRef<[u8]>) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("sqtt.toml"), text).unwrap();
    let (flags, environment) = (OwnFlags::default(), Environment::default());
    let sources = Sources { flags: &flags, environment: &environment, cwd: dir.path(), source_directory: None };
    Config::resolve(&sources).expect_err("no error").to_string()
}

#[test]
fn unknown_key_shows_line_caret_and_nearest_key() {
    let expected = "\
`sqtt.toml:3:2`: unknown key `instrument.function`
3 | \tfunction = 10
  | \t^^^^^^^^
did you mean `instrument.functions`?";
    assert_eq!(error("# settings\n[instrument]\n\tfunction = 10\n"), expected);
}

#[test]
fn key_in_the_wrong_table_is_told_the_right_one() {
    assert!(error("functions = 10").ends_with("did you mean `instrument.functions`?"));
    assert!(error("[scop]\ncu = 1").ends_with("did you mean `scope`?"));
    assert!(error("[scope.cu.more]\nx = 1").contains("cannot be of the type table"));
    assert!(error("zzzz = 1").ends_with("remove it; sqtt.toml.example lists all keys"));
    assert!(error("scope = 3").contains("`scope` is a table, not a value"));
}

#[test]
fn caret_counts_characters_not_bytes() {
    let expected = "\
`sqtt.toml:1:20`: unknown key `scope.qqqqqqqq`
1 | scope = { 'é' = 1, qqqqqqqq = 2 }
  |                    ^^^^^^^^
remove it; sqtt.toml.example lists all keys";
    assert_eq!(error("scope = { 'é' = 1, qqqqqqqq = 2 }"), expected);
}

#[test]
fn text_that_is_no_toml_shows_the_line() {
    let error = error("[scope]\ncu = = 1\n");
    assert!(error.starts_with("`sqtt.toml:2:6`: ") && error.contains("\n2 | cu = = 1\n  |      ^"), "{error}");
    assert!(self::error("cu = 'open").starts_with("`sqtt.toml:1:"));
}

#[test]
fn key_given_twice_is_an_error() {
    assert!(error("scope.cu = 1\nscope.cu = 2\n").starts_with("`sqtt.toml:2:"));
}

#[test]
fn file_that_is_not_utf8_is_an_error() {
    assert!(error(b"scope.cu = '\xff'").contains("sqtt.toml"));
}

#[test]
fn values_of_types_that_say_nothing_are_errors() {
    for (text, kind) in [
        ("scope.cu = 1.5", "float"),
        ("scope.cu = [0, 1]", "array"),
        ("scope.cu = {}", "table"),
        ("instrument.trace_addresses = [1]", "array"),
        ("instrument.functions = 1979-05-27", "datetime"),
        ("build.compiler = 5", "integer"),
    ] {
        let error = error(text);
        assert!(error.contains(&format!("cannot be of the type {kind}")), "{text}: {error}");
        assert!(error.contains("\naccepted: "), "{error}");
    }
}

#[test]
fn native_values_that_the_setting_does_not_take_are_errors() {
    for text in
        ["scope.cu = true", "instrument.functions = -1", "scope.cu = 99999999999", "scope.cu = 0xFFFFFFFFFFFFFFFFF"]
    {
        assert!(error(text).starts_with("`sqtt.toml:1"), "{text}");
    }
}

#[test]
fn help_lists_every_flag_with_its_other_names_and_default() {
    let help = help::text();
    for variable in TABLE.iter().filter(|variable| variable.flag.is_some()) {
        let start = help.find(&format!("--sqtt-{}", variable.flag.unwrap())).expect(variable.name);
        let entry = help[start..].split("\n\n").next().unwrap();
        assert!(entry.contains(&format!("[env: {}]", variable.name)), "{entry}");
        assert!(entry.contains(variable.doc) && entry.contains(variable.accepts), "{entry}");
        assert!(variable.key.is_none_or(|key| entry.contains(&format!("[sqtt.toml: {key}]"))), "{entry}");
        assert!(variable.default.is_empty() || entry.contains(&format!("[default: {}]", variable.default)), "{entry}");
    }
    for flag in ["--sqtt-print-plan", "--sqtt-help", "--sqtt-version"] {
        assert!(help.contains(flag), "{flag}");
    }
}
