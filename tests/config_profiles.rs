//! `[profile.NAME]`: which one, and what it wins over.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod config_support;

use config_support::Case;
use sqtt_contract::settings::{Settings, Threshold};
use sqtt_contract::variables;

const TWO: &str = "\
[instrument]
functions = 1
barriers = true

[profile.deep]
instrument.functions = 2

[profile.deep.scope]
cu = -1

[profile.plain]
off = true
";

#[test]
fn the_chosen_profile_wins_over_the_top_level_only() {
    let none = Case::toml(TWO);
    assert_eq!((none.settings().functions, none.resolve().unwrap().profile), (Threshold::Instructions(1), None));
    let deep = Case::toml(TWO).flag("--sqtt-profile=deep");
    let settings = deep.settings();
    assert_eq!(
        (settings.functions, settings.barriers, settings.scope.cu),
        (Threshold::Instructions(2), true, u32::MAX)
    );
    assert_eq!((deep.origin().as_str(), deep.resolve().unwrap().profile.as_deref()), ("sqtt.toml:6", Some("deep")));
    let environment = deep.variable(variables::INSTRUMENT_FUNCTIONS, "3");
    assert_eq!(environment.settings().functions, Threshold::Instructions(3));
}

#[test]
fn a_flag_chooses_before_the_environment() {
    let plain = Case::toml(TWO).variable(variables::PROFILE, "plain");
    assert_eq!(plain.resolve().unwrap().off().unwrap().to_string(), "sqtt.toml:12");
    assert_eq!(plain.flag("--sqtt-profile=deep").settings().functions, Threshold::Instructions(2));
    let reset = Case::toml(TWO).variable(variables::PROFILE, "plain").flag("--sqtt-profile=");
    assert_eq!((reset.settings().functions, reset.resolve().unwrap().off()), (Threshold::Instructions(1), None));
}

#[test]
fn an_unknown_profile_names_the_nearest_or_all() {
    let error = |case: Case, name: &str| case.flag(&format!("--sqtt-profile={name}")).error();
    assert_eq!(
        error(Case::toml(TWO), "depe"),
        "`--sqtt-profile=`: there is no profile `depe` in `sqtt.toml`; did you mean `deep`?"
    );
    assert!(error(Case::toml(TWO), "xyzzy").ends_with("; it has `deep`, `plain`"));
    assert!(error(Case::toml(""), "deep").ends_with("; write it below `[profile.deep]`, or choose none"));
    assert!(error(Case::new(), "deep").contains("there is no sqtt.toml"));
}

#[test]
fn profiles_that_are_not_chosen_are_checked_too() {
    assert!(Case::toml("[profile.a]\nscope.cu = 'zzz'").error().starts_with("`sqtt.toml:2`: `zzz`"));
    let error = Case::toml("[profile.a.instrument]\nfunction = 1").error();
    assert!(error.starts_with("`sqtt.toml:2:1`: unknown key `profile.a.instrument.function`\n"), "{error}");
    assert!(error.ends_with("did you mean `profile.a.instrument.functions`?"), "{error}");
    assert!(Case::toml("[profile.a]\nfiles = ['x']").error().contains("unknown key `profile.a.files`"));
    assert!(Case::toml("[profile]\na = 1").error().contains("`profile.a` is a table, not a value"));
    assert!(Case::toml("profile = 'a'").error().contains("`profile` is a table"));
    assert!(Case::toml("[profil.a]\noff = true").error().ends_with("did you mean `profile`?"));
}

#[test]
fn only_the_merged_settings_must_go_together() {
    let text = "instrument.memory = '2:5'\n[profile.addresses]\ninstrument = { memory = 'off', trace_addresses = ['lds'] }\n\
                [profile.both]\ninstrument.trace_addresses = 'lds'";
    assert_ne!(Case::toml(text).flag("--sqtt-profile=addresses").settings(), Settings::default());
    let error = Case::toml(text).flag("--sqtt-profile=both").error();
    assert!(error.starts_with("`sqtt.toml:1` and `sqtt.toml:5`: "), "{error}");
}
