//! Where settings come from, which one wins, and what is said about a wrong one.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod config_support;

use std::path::Path;

use config_support::Case;
use sqtt_contract::settings::{Scope, Settings, Threshold, Validation};
use sqtt_contract::variables;
use sqtt_hipcc::config::{Config, Origin};

#[test]
fn nothing_set_is_the_contracts_default() {
    let config = Case::new().resolve().unwrap();
    assert_eq!(config.plugin_settings(), Settings::default());
    assert_eq!(config, Config::default());
    assert_eq!(config.validation(), Validation::Error);
    assert_eq!(config.off(), None);
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let file = Case::toml("[instrument]\nfunctions = 1\n");
    assert_eq!((file.settings().functions, file.origin().as_str()), (Threshold::Instructions(1), "sqtt.toml:2"));
    let environment = file.variable(variables::INSTRUMENT_FUNCTIONS, "2");
    assert_eq!(environment.settings().functions, Threshold::Instructions(2));
    assert_eq!(environment.origin(), variables::INSTRUMENT_FUNCTIONS);
    let flag = environment.flag("--sqtt-functions=cost:3");
    assert_eq!((flag.settings().functions, flag.origin().as_str()), (Threshold::Cost(3), "--sqtt-functions="));
}

#[test]
fn last_of_a_repeated_flag_wins() {
    let case = Case::new().flag("--sqtt-functions=1").flag("--sqtt-scope-cu=1").flag("--sqtt-functions=2");
    assert_eq!(case.settings().functions, Threshold::Instructions(2));
}

#[test]
fn empty_variable_is_not_set_and_empty_flag_is_the_default() {
    let case = Case::toml("instrument.functions = 1").variable(variables::INSTRUMENT_FUNCTIONS, "");
    assert_eq!(case.settings().functions, Threshold::Instructions(1));
    assert_eq!(case.flag("--sqtt-functions=").settings().functions, Threshold::Off);
}

#[test]
fn native_values_of_the_file() {
    let case = Case::toml(
        "[instrument]\nfunctions = 10\nbarriers = false\nmem_barrier = 1\nm0_nop = 3\ntrace_addresses = []\n\
         [scope]\ncu = 0x8\nsimd = 0b11\nwave = -1\nwg = 1_0\n[clock]\nbits = 0\n",
    );
    let scope = Scope { wave: u32::MAX, simd: 3, cu: 8, wg: 10 };
    let settings = case.settings();
    assert_eq!((settings.functions, settings.scope, settings.m0_nop), (Threshold::Instructions(10), scope, Some(3)));
    let text = Case::toml("instrument.functions = \"cost:50\"\nscope.cu = \"0x8\"");
    assert_eq!((text.settings().functions, text.settings().scope.cu), (Threshold::Cost(50), 8));
}

#[test]
fn file_is_found_upwards_from_the_working_directory_then_from_the_source() {
    let mut case = Case::new().file("project/sqtt.toml", "instrument.functions = 1");
    assert_eq!(case.settings().functions, Threshold::Instructions(1));
    assert_eq!(case.origin(), format!("{}:1", case.root.path().join("project/sqtt.toml").display()));
    fs_err::create_dir_all(case.root.path().join("other/sub")).unwrap();
    case = case.file("other/sqtt.toml", "instrument.functions = 2");
    case.sources = Some(case.root.path().join("other/sub"));
    assert_eq!(case.settings().functions, Threshold::Instructions(1));
    fs_err::remove_file(case.root.path().join("project/sqtt.toml")).unwrap();
    assert_eq!(case.settings().functions, Threshold::Instructions(2));
}

#[test]
fn named_file_is_read_instead_of_the_found_one() {
    let case = Case::toml("instrument.functions = 1").file("project/build/x.toml", "instrument.functions = 2");
    let named = case.variable(variables::CONFIG, "x.toml");
    assert_eq!(named.settings().functions, Threshold::Instructions(2));
    assert_eq!(named.flag("--sqtt-config=/dev/null").settings().functions, Threshold::Off);
}

#[test]
fn named_file_that_is_missing_is_an_error() {
    let error = Case::new().flag("--sqtt-config=none.toml").error();
    assert!(error.starts_with("`--sqtt-config=`: failed to ") && error.contains("none.toml"), "{error}");
    let error = Case::new().variable(variables::CONFIG, "none.toml").error();
    assert!(error.starts_with(&format!("`{}`: ", variables::CONFIG)), "{error}");
}

#[test]
fn wrong_value_names_source_and_what_is_accepted_and_near() {
    let cases = [
        (Case::new().flag("--sqtt-mem-barrier=fenc"), "`--sqtt-mem-barrier=`: `fenc` ".to_owned()),
        (Case::new().variable(variables::MEM_BARRIER, "fenc"), format!("`{}`: `fenc` ", variables::MEM_BARRIER)),
        (Case::toml("\n[instrument]\nmem_barrier = 'fenc'"), "`sqtt.toml:3`: `fenc` ".to_owned()),
    ];
    for (case, start) in cases {
        let error = case.error();
        assert!(error.starts_with(&start), "{error}");
        assert!(
            error.ends_with(
                "accepted: none (0, off), asm (1, compiler, clobber) or fence (2, on, hw); nearest: `fence`"
            ),
            "{error}"
        );
    }
}

#[test]
fn wrong_value_is_an_error_even_where_a_stronger_source_overrides_it() {
    let case = Case::toml("scope.cu = 'zzz'").variable(variables::SCOPE_CU, "1").flag("--sqtt-scope-cu=1");
    assert!(case.error().starts_with("`sqtt.toml:1`: `zzz`"));
    assert!(Case::new().flag("--sqtt-scope-cu=x").flag("--sqtt-scope-cu=1").resolve().is_err());
}

#[test]
fn unknown_flag_names_the_nearest() {
    let error = |flag: &str| Case::new().flag(flag).error();
    assert_eq!(error("--sqtt-function=10"), "unknown flag `--sqtt-function`; did you mean `--sqtt-functions`?");
    assert_eq!(error("--sqtt-print-plans"), "unknown flag `--sqtt-print-plans`; did you mean `--sqtt-print-plan`?");
    assert_eq!(error("--sqtt-"), "unknown flag `--sqtt-`; see `--sqtt-help`");
    assert_eq!(error("--sqtt-functions"), "`--sqtt-functions` needs a value: write `--sqtt-functions=VALUE`");
    assert_eq!(error("--sqtt-help=1"), "`--sqtt-help` takes no value");
}

#[test]
fn switches_need_no_value() {
    for flag in ["--sqtt-off", "--sqtt-off=1", "--sqtt-off=yes"] {
        assert_eq!(Case::new().flag(flag).resolve().unwrap().off(), Some(Origin::Flag("--sqtt-off".into())), "{flag}");
    }
    assert_eq!(Case::new().variable(variables::OFF, "1").flag("--sqtt-off=0").resolve().unwrap().off(), None);
}

#[test]
fn unknown_variable_is_a_warning_with_the_nearest_name() {
    let case =
        Case::new().variable("SQTT_INSTRUMENT_FUNCTION", "10").variable("SQTT_XYZZY", "1").variable("SQTTX", "1");
    let warnings = case.resolve().unwrap().warnings;
    let near = "nothing reads the variable `SQTT_INSTRUMENT_FUNCTION`; did you mean `SQTT_INSTRUMENT_FUNCTIONS`?";
    assert_eq!(warnings, [near, "nothing reads the variable `SQTT_XYZZY`; unset it"]);
}

#[test]
fn a_clock_window_that_no_marker_can_carry_is_an_error() {
    let error = Case::new().flag("--sqtt-clock-bits=30").error();
    assert!(error.starts_with("`--sqtt-clock-bits=`: ") && error.ends_with(": use at most 29"), "{error}");
    let error = Case::toml("clock.shift = 21").flag("--sqtt-clock-bits=12").error();
    assert!(error.starts_with("`--sqtt-clock-bits=` and `sqtt.toml:1`: ") && error.contains("lower"), "{error}");
    assert!(Case::new().flag("--sqtt-clock-bits=12").resolve().is_ok());
}

#[test]
fn memory_markers_and_address_traces_exclude_each_other() {
    let case = Case::toml("instrument.memory = '2:5'").flag("--sqtt-trace-addresses=lds");
    let error = case.error();
    assert!(
        error.starts_with("`sqtt.toml:1` and `--sqtt-trace-addresses=`: ") && error.contains("exclusive"),
        "{error}"
    );
}

#[test]
fn relative_paths_are_from_the_file_that_names_them() {
    let path = |case: Case, name| case.resolve().unwrap().path(name).map(|(path, _)| path);
    let case = || Case::new().file("project/sqtt.toml", "[build]\nplugin = 'p.so'\ncompiler = 'bin/hipcc'");
    let root = |case: &Case, below: &str| Some(case.root.path().join(below));
    let one = case();
    let expected = root(&one, "project/p.so");
    assert_eq!(path(one, variables::PLUGIN), expected);
    let two = case();
    let expected = root(&two, "project/bin/hipcc");
    assert_eq!(path(two, variables::HIPCC), expected);
    let three = case().flag("--sqtt-plugin=p.so");
    let expected = root(&three, "project/build/p.so");
    assert_eq!(path(three, variables::PLUGIN), expected);
    assert_eq!(path(case().flag("--sqtt-compiler=hipcc"), variables::HIPCC), Some(Path::new("hipcc").to_path_buf()));
}
