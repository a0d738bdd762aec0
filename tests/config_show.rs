//! `sqtt config show|schema`, `sqtt.toml.example`, and hints about masks.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod config_support;

use std::process::{Command, Output};

use config_support::Case;
use serde_json::Value;
use sqtt_contract::settings::{Settings, Validation};
use sqtt_contract::variables::{self, Kind, TABLE};

const EXAMPLE: &str = include_str!("../sqtt.toml.example");

fn sqtt(case: &Case, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    command.arg("config").args(words).current_dir(case.cwd()).env_clear().envs(case.environment.iter().cloned());
    command.output().unwrap()
}

fn shown(case: &Case, words: &[&str]) -> String {
    let output = sqtt(case, words);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The value and the origin of a setting in the table.
fn row<'a>(page: &'a str, key: &str) -> (&'a str, &'a str) {
    let line = page.lines().find(|line| line.split("  ").next() == Some(key)).expect(key);
    let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).skip(1);
    (columns.next().unwrap(), columns.next().unwrap())
}

const FILE: &str = "\
instrument.functions = 10
[profile.fast]
scope.cu = 0xF0
[[override]]
files = ['third_party/**']
off = true
";

#[test]
fn show_prints_every_setting_with_its_origin() {
    let case = Case::toml(FILE).variable(variables::MEM_BARRIER, "asm");
    let page = shown(&case, &["show", "--profile", "fast"]);
    assert!(page.starts_with(&format!("settings file: {}\nprofile: fast\n", case.cwd().join("sqtt.toml").display())));
    assert_eq!(row(&page, "instrument.functions"), ("10", "sqtt.toml:1"));
    assert_eq!(row(&page, "scope.cu"), ("0xF0", "sqtt.toml:3"));
    assert_eq!(row(&page, "instrument.mem_barrier"), ("asm", variables::MEM_BARRIER));
    assert_eq!(row(&page, variables::PROFILE), ("fast", "--sqtt-profile="));
    assert_eq!(row(&page, "off"), ("0", "default"));
    assert_eq!(row(&page, "build.plugin"), ("-", "default"));
    for variable in TABLE.iter().filter(|variable| variable.flag.is_some()) {
        row(&page, variable.key.unwrap_or(variable.name));
    }
    assert!(page.ends_with("\noverride sqtt.toml:4 for third_party/**:\n  off = true\n"), "{page}");
}

#[test]
fn show_for_a_source_applies_its_overrides() {
    let case = Case::toml(FILE);
    assert_eq!(row(&shown(&case, &["show", "third_party/a.hip"]), "off"), ("true", "sqtt.toml:6"));
    assert_eq!(row(&shown(&case, &["show", "a.hip"]), "off"), ("0", "default"));
    std::fs::rename(case.cwd().join("sqtt.toml"), case.cwd().join("x.toml")).unwrap();
    assert_eq!(row(&shown(&case, &["show", "--config=x.toml"]), "instrument.functions"), ("10", "x.toml:1"));
}

#[test]
fn show_as_json_says_the_same() {
    let case = Case::toml(FILE).variable("SQTT_INSTRUMENT_FUNCTION", "1");
    let document: Value = serde_json::from_str(&shown(&case, &["show", "--json"])).unwrap();
    let settings = document["settings"].as_array().unwrap();
    let functions = settings.iter().find(|setting| setting["key"] == "instrument.functions").unwrap();
    assert_eq!((functions["value"].as_str(), functions["origin"].as_str()), (Some("10"), Some("sqtt.toml:1")));
    assert_eq!(functions["flag"], "--sqtt-functions");
    assert_eq!(document["overrides"][0]["settings"]["off"], "true");
    assert!(document["warnings"][0].as_str().unwrap().contains("did you mean"));
}

#[test]
fn show_fails_as_the_driver_does() {
    let output = sqtt(&Case::toml("scope.cuu = 1"), &["show"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("sqtt: error: `sqtt.toml:1:7`: unknown key `scope.cuu`\n"), "{said}");
    assert!(said.ends_with("sqtt: did you mean `scope.cu`?\n"), "{said}");
}

#[test]
fn a_mask_that_looks_like_an_index_gets_a_hint() {
    let hints = |text: &str| Case::toml(text).resolve().unwrap().hints;
    assert_eq!(
        hints("scope.cu = 3"),
        [
            "`sqtt.toml:1`: 3 is a mask and lets numbers 0 and 1 emit; write `0x8` for number 3 alone, or `0x3` for this mask"
        ]
    );
    assert!(hints("scope.simd = 0")[0].contains("0 is a mask and lets none emit; write `0x1` for number 0"));
    assert!(hints("scope.wg = '7'")[0].contains("lets numbers 0, 1 and 2 emit; write `0x80` for number 7"));
    assert!(hints("scope.wave = 1")[0].contains("lets number 0 emit; write `0x2` for number 1"));
    for text in [
        "scope.cu = 0x3",
        "scope.cu = 0b11",
        "scope.cu = 0o3",
        "scope.cu = '0x3'",
        "scope.cu = '03'",
        "scope.cu = -1",
        "scope.cu = 32",
        "scope.cu = 65535",
        "instrument.functions = 3",
        "clock.bits = 3",
        "",
    ] {
        assert_eq!(hints(text), Vec::<String>::new(), "{text}");
    }
    let flag = Case::toml("scope.cu = 3").flag("--sqtt-scope-cu=0x3");
    assert_eq!(flag.resolve().unwrap().hints, Vec::<String>::new(), "only what is in force");
}

#[test]
fn example_file_lists_every_key_with_its_default() {
    let config = Case::toml(EXAMPLE).resolve().unwrap();
    assert_eq!(config.plugin_settings(), Settings::default());
    assert_eq!((config.validation(), config.off(), config.hints.len()), (Validation::Error, None, 0));
    let table: toml::Table = EXAMPLE.parse().unwrap();
    for (variable, key) in TABLE.iter().filter_map(|variable| Some((variable, variable.key?))) {
        let value = key.split('.').try_fold(&toml::Value::Table(table.clone()), |value, name| value.get(name)).cloned();
        let value = value.unwrap_or_else(|| panic!("{key} is missing from sqtt.toml.example"));
        let is_default = match (&value, variable.kind) {
            (toml::Value::Boolean(on), _) => *on == (variable.default == "1"),
            (toml::Value::Integer(mask), Kind::Mask) => format!("0x{mask:X}") == variable.default,
            (toml::Value::Array(items), _) => items.is_empty() && ["", "off"].contains(&variable.default),
            (toml::Value::Integer(number), _) => number.to_string() == variable.default,
            (value, _) => value.as_str() == Some(variable.default),
        };
        assert!(is_default, "{key} = {value} is not the default `{}`", variable.default);
    }
}

/// Profile and override stand in the example as comments without a blank behind the `#`.
#[test]
fn what_the_example_shows_in_comments_can_be_used() {
    let text: String = EXAMPLE
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| rest.starts_with(|c: char| c != ' ')).unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert!(text.contains("\n[profile.deep]\n") && text.contains("\n[[override]]\n"), "{text}");
    let case = Case::toml(&text).flag("--sqtt-profile=deep");
    assert_ne!(case.settings(), Settings::default());
    assert!(case.for_sources(&["third_party/x/a.hip"]).unwrap().off().is_some());
    assert!(schema().is_valid(&json(&text)));
}

/// The printed schema; it is checked against the schema of schemas when it is compiled.
struct Schema(boon::Schemas, boon::SchemaIndex);

impl Schema {
    fn is_valid(&self, value: &Value) -> bool {
        self.0.validate(value, self.1).is_ok()
    }
}

fn schema() -> Schema {
    let schema: Value = serde_json::from_str(&shown(&Case::new(), &["schema"])).unwrap();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("sqtt.json", schema).unwrap();
    let index = compiler.compile("sqtt.json", &mut schemas).unwrap();
    Schema(schemas, index)
}

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn schema_takes_what_the_driver_takes() {
    let schema = schema();
    for text in [
        EXAMPLE,
        FILE,
        "",
        "off = 1",
        "scope = { cu = -1, wave = '0x0F', simd = 0, wg = 4294967295 }",
        "instrument = { functions = 'cost:10', mem_barrier = 1, barriers = 'on', m0_nop = 15, memory = 0 }",
        "instrument = { trace_addresses = ['lds'], functions_include = ['a*'], functions_exclude = 'b' }",
        "[profile.a]\n[profile.b.clock]\nbits = '4'\n[[override]]\nfiles = 'x'\nbuild.validate = 'WARN'",
    ] {
        Case::toml(text).resolve().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(schema.is_valid(&json(text)), "{text}");
    }
}

#[test]
fn schema_refuses_what_the_driver_refuses() {
    let schema = schema();
    for text in [
        "scope.cuu = 1",
        "cu = 1",
        "scope.cu = 4294967296",
        "scope.cu = -2",
        "scope.cu = true",
        "scope.cu = [1]",
        "scope = 1",
        "instrument.functions = -1",
        "instrument.m0_nop = 16",
        "instrument.mem_barrier = 3",
        "instrument.trace_addresses = ['vram']",
        "build.compiler = 1",
        "profile.a = 1",
        "[profile.a]\nfiles = 'x'",
        "[override]\nfiles = 'x'",
        "[[override]]\noff = true",
        "[[override]]\nfiles = []",
        "[[override]]\nfiles = 'x'\nbuild.plugin = 'p'",
    ] {
        assert!(Case::toml(text).resolve().is_err(), "{text}");
        assert!(!schema.is_valid(&json(text)), "{text}");
    }
}
