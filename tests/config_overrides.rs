//! `[[override]]`: which sources it is for, what it wins over, and several sources in one command.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod config_support;
#[path = "fixtures/driver/support.rs"]
mod support;

use config_support::Case;
use sqtt_contract::settings::Threshold;
use sqtt_contract::variables;
use support::{Fake, stderr};

const THREE: &str = "\
instrument.functions = 1

[profile.deep]
instrument.functions = 2

[[override]]
files = ['src/**']
instrument.functions = 3

[[override]]
files = 'src/hot/*.hip'
instrument.functions = 4

[[override]]
files = ['*_test.hip', 'third party/**']
off = true
build.validate = 'warn'
";

fn functions(case: &Case, source: &str) -> Threshold {
    case.for_sources(&[source]).unwrap_or_else(|error| panic!("{error}")).plugin_settings().functions
}

#[test]
fn later_overrides_win_over_earlier_ones_and_all_over_the_profile() {
    let case = Case::toml(THREE);
    let of = |source| functions(&case, source);
    assert_eq!((of("a.hip"), of("src/a.hip")), (Threshold::Instructions(1), Threshold::Instructions(3)));
    assert_eq!((of("src/hot/a.hip"), of("src/hot/a.cpp")), (Threshold::Instructions(4), Threshold::Instructions(3)));
    let deep = Case::toml(THREE).flag("--sqtt-profile=deep");
    assert_eq!(functions(&deep, "a.hip"), Threshold::Instructions(2));
    assert_eq!(functions(&deep, "src/a.hip"), Threshold::Instructions(3));
    let config = deep.for_sources(&["src/a.hip"]).unwrap();
    assert_eq!(config.origin(variables::INSTRUMENT_FUNCTIONS).to_string(), "sqtt.toml:8");
}

#[test]
fn environment_and_flags_win_over_overrides() {
    let case = Case::toml(THREE).variable(variables::INSTRUMENT_FUNCTIONS, "7");
    assert_eq!(functions(&case, "src/a.hip"), Threshold::Instructions(7));
    assert_eq!(functions(&case.flag("--sqtt-functions=8"), "src/a.hip"), Threshold::Instructions(8));
    let off = Case::toml(THREE).flag("--sqtt-off=0").for_sources(&["a_test.hip"]).unwrap();
    assert_eq!(off.off(), None);
}

#[test]
fn sources_are_seen_from_the_directory_of_the_file() {
    let case =
        Case::new().file("project/sqtt.toml", "[[override]]\nfiles = ['build/x.hip']\ninstrument.functions = 5\n");
    assert_eq!(functions(&case, "x.hip"), Threshold::Instructions(5));
    assert_eq!(functions(&case, case.cwd().join("x.hip").to_str().unwrap()), Threshold::Instructions(5));
    assert_eq!(functions(&case, "../x.hip"), Threshold::Off);
    assert_eq!(case.for_sources(&[]).unwrap().plugin_settings().functions, Threshold::Off);
}

#[test]
fn sources_with_different_settings_are_divided_and_say_by_what() {
    let case = Case::toml(THREE);
    let divided = |sources: &[&str]| case.for_sources(sources).unwrap().divided.map(|divided| divided.to_string());
    assert_eq!(divided(&["a.hip", "b.hip"]), None);
    assert_eq!(divided(&["src/a.hip", "src/b.hip"]), None);
    assert_eq!(
        divided(&["a.hip", "src/b.hip"]).unwrap(),
        "`a.hip` and `src/b.hip` are in one command, and the override `sqtt.toml:6` is for one of them only\n\
         a command has one set of settings: compile them one by one, or let the globs match both"
    );
    let same = Case::toml(THREE).flag("--sqtt-functions=1");
    assert_eq!(same.for_sources(&["a.hip", "src/b.hip"]).unwrap().divided, None, "they have the same settings");
}

#[test]
fn what_is_wrong_with_an_override_is_shown() {
    let error = |text: &str| Case::toml(text).error();
    assert!(error("[[override]]\noff = true").starts_with("`sqtt.toml:1:1`: an override without `files`\n"));
    assert!(error("[override]\nfiles = 'a'").contains("write `[[override]]`"));
    assert!(error("[[override]]\nfiles = []").contains("`files` names no file"));
    assert!(error("[[override]]\nfiles = ['a', 3]").starts_with("`sqtt.toml:2:15`: a glob is text"));
    assert!(error("[[override]]\nfiles = ['a[']").contains("`a[` is no glob: "));
    assert!(
        error("[[override]]\nfiles = 'a'\nbuild.plugin = 'p'").contains("`build.plugin` cannot differ between sources")
    );
    assert!(error("[[override]]\nfile = 'a'").contains("an override without `files`"));
    assert!(error("[[override]]\nfiles = 'a'\nof = 1").contains("unknown key `override.of`"));
    assert!(error("[[override]]\nfiles = 'a'\nscop.cu = 1").ends_with("did you mean `override.scope`?"));
    assert!(error("[[override]]\nfiles = 'a'\nscope.cu = 'x'").starts_with("`sqtt.toml:3`: `x`"));
    assert!(error("[[overide]]\nfiles = 'a'").ends_with("did you mean `override`?"));
}

/// The fake compiler with a settings file in the working directory.
fn fake(text: &str) -> Fake {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("sqtt.toml"), text).unwrap();
    fake
}

#[test]
fn a_source_that_is_off_reaches_the_compiler_untouched() {
    let fake = fake(THREE);
    let off = fake.record(fake.driver().args(["-c", "a_test.hip"]));
    // Only a compiler cache's header is there: it must not serve that object when the source is on again.
    assert!(off.argv[1].to_string_lossy().starts_with("-include"), "{off:?}");
    assert_eq!(off.argv[2..], ["-c", "a_test.hip"]);
    let on = fake.record(fake.driver().args(["-c", "src/a.hip"]));
    assert!(on.environment[variables::INSTRUMENT_FUNCTIONS.as_ref() as &std::ffi::OsStr] == "3", "{on:?}");
    let response = fake.work().join("words");
    std::fs::write(&response, "-c 'third party/a.hip'").unwrap();
    assert_eq!(fake.record(fake.driver().arg("@words")).argv[2..], ["@words"]);
}

#[test]
fn a_divided_command_is_refused_only_where_it_would_be_instrumented() {
    let fake = fake(THREE);
    for words in [["-c", "a.hip", "src/b.hip"], ["-c", "a_test.hip", "b.hip"], ["-c", "b.hip", "a_test.hip"]] {
        let output = fake.driver().args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{words:?}");
        let said = stderr(&output);
        assert!(said.starts_with("sqtt-hipcc: error: `") && said.contains(" are in one command, "), "{said}");
        assert!(fake.records().is_empty());
    }
    for words in [["-MM", "a.hip", "src/b.hip"], ["-c", "a_test.hip", "b_test.hip"], ["-c", "a.c", "src/b.hip"]] {
        assert!(fake.driver().args(words).output().unwrap().status.success(), "{words:?}");
        assert_eq!(fake.records().len(), 1, "{words:?}");
    }
    let off = fake.record(fake.driver().args(["--sqtt-off", "-c", "a.hip", "src/b.hip"]));
    assert_eq!(off.argv[1..], ["-c", "a.hip", "src/b.hip"]);
}
