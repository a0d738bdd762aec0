//! What each variable takes, what it refuses, and what is said then.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use proptest::prelude::*;
use sqtt_contract::filter::Patterns;
use sqtt_contract::settings::{Addresses, Boundary, Chunks, Clock, Field, Invalid, Scope, Settings, Threshold};
use sqtt_contract::variables::{self, Reader, TABLE};

fn read(values: &[(&str, &str)]) -> (Settings, Vec<Invalid>) {
    Settings::read(|name| values.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)))
}

fn one(name: &str, value: &str) -> Settings {
    let (settings, invalid) = read(&[(name, value)]);
    assert_eq!(invalid, [], "{name}={value}");
    settings
}

/// The nearest spelling of a value that is refused everywhere and changes nothing.
fn refused(name: &str, value: &str) -> Option<String> {
    let (settings, invalid) = read(&[(name, value)]);
    assert_eq!(settings, Settings::default(), "{name}={value}");
    assert_eq!(invalid.len(), 1, "{name}={value}");
    let Some(variable) = variables::find(name) else { panic!("no row {name}") };
    assert_eq!(variable.check(value).as_ref(), Err(&invalid[0]));
    let nearest = invalid[0].nearest.clone();
    if let Some(nearest) = &nearest {
        assert_eq!(variable.check(nearest), Ok(()), "the suggestion for {name}={value}");
    }
    nearest
}

#[test]
fn with_nothing_set_all_is_off_and_two_cus_emit() {
    let (settings, invalid) = read(&[]);
    assert_eq!(invalid, []);
    let expected = Settings {
        barriers: false,
        functions: Threshold::Off,
        include: Patterns::default(),
        exclude: Patterns::default(),
        memory: None,
        addresses: Addresses { memory: false, lds: false },
        boundary: Boundary::Fence,
        scope: Scope { wave: u32::MAX, simd: 0xF, cu: 0x3, wg: u32::MAX },
        clock: Clock { bits: 0, shift: 4 },
        m0_nop: None,
        balance: true,
    };
    assert_eq!(settings, expected);
    assert!(settings.conflict().is_none());
}

#[test]
fn empty_values_and_the_tables_defaults_are_the_defaults() {
    for value in [|_: &variables::Variable| "", |variable: &variables::Variable| variable.default] {
        let (settings, invalid) = Settings::read(|name| Some(value(variables::find(name)?).into()));
        assert_eq!((settings, invalid), (Settings::default(), Vec::new()));
    }
}

#[test]
fn barriers_take_the_words_for_on_and_off() {
    for value in ["1", "y", "Y", "yes", "true", "TRUE", "on", "On"] {
        assert!(one(variables::INSTRUMENT_BARRIERS, value).barriers, "{value}");
    }
    for value in ["0", "n", "no", "False", "OFF", ""] {
        assert!(!one(variables::INSTRUMENT_BARRIERS, value).barriers, "{value}");
    }
    let nearest = |value| refused(variables::INSTRUMENT_BARRIERS, value);
    assert_eq!(nearest("2"), None);
    assert_eq!(nearest("enable").as_deref(), Some("on"));
    assert_eq!(nearest("ture").as_deref(), Some("true"));
    assert_eq!(nearest(" 1").as_deref(), Some("1"));
    assert_eq!(nearest("disabled").as_deref(), Some("off"));
}

#[test]
fn the_boundary_takes_all_its_synonyms() {
    let boundary = |value| one(variables::MEM_BARRIER, value).boundary;
    for value in ["none", "off", "0", "NONE"] {
        assert_eq!(boundary(value), Boundary::None);
    }
    for value in ["asm", "compiler", "clobber", "1", "Asm"] {
        assert_eq!(boundary(value), Boundary::Asm);
    }
    for value in ["fence", "on", "hw", "2", "HW", ""] {
        assert_eq!(boundary(value), Boundary::Fence);
    }
    let nearest = |value| refused(variables::MEM_BARRIER, value);
    assert_eq!(nearest("fenc").as_deref(), Some("fence"));
    assert_eq!(nearest("no").as_deref(), Some("none"));
    assert_eq!(nearest("fence ").as_deref(), Some("fence"));
    assert_eq!(nearest("strong"), None);
    assert_eq!(nearest("3"), None);
}

#[test]
fn functions_take_a_count_or_a_cost() {
    let functions = |value| one(variables::INSTRUMENT_FUNCTIONS, value).functions;
    assert_eq!(functions("10"), Threshold::Instructions(10));
    assert_eq!(functions("010"), Threshold::Instructions(10));
    assert_eq!(functions("cost:50"), Threshold::Cost(50));
    assert_eq!(functions("18446744073709551615"), Threshold::Instructions(u64::MAX));
    assert_eq!((functions("0"), functions("cost:0"), functions("")), (Threshold::Off, Threshold::Off, Threshold::Off));
    let nearest = |value| refused(variables::INSTRUMENT_FUNCTIONS, value);
    assert_eq!(nearest("cots:5").as_deref(), Some("cost:5"));
    assert_eq!(nearest("COST:5").as_deref(), Some("cost:5"));
    assert_eq!(nearest("cost: 5").as_deref(), Some("cost:5"));
    assert_eq!(nearest("cost=5").as_deref(), Some("cost:5"));
    assert_eq!(nearest(" 10").as_deref(), Some("10"));
    assert_eq!(nearest("+10").as_deref(), Some("10"));
    assert_eq!(nearest("0x10").as_deref(), Some("16"));
    assert_eq!(nearest("off").as_deref(), Some("0"));
    for value in ["abc", "cost:", "-1", "cost:-1", "10:cost", "18446744073709551616", "0x", ":", "1.5"] {
        assert_eq!(nearest(value), None, "{value}");
    }
}

#[test]
fn memory_takes_a_chunk_and_a_gap() {
    let memory = |value| one(variables::INSTRUMENT_MEMORY, value).memory;
    assert_eq!(memory("4:7"), Some(Chunks { ops: 4, gap: 7 }));
    assert_eq!(memory("1:0"), Some(Chunks { ops: 1, gap: 0 }));
    assert_eq!((memory("off"), memory("0"), memory(""), memory("OFF")), (None, None, None, None));
    let nearest = |value| refused(variables::INSTRUMENT_MEMORY, value);
    assert_eq!(nearest("4,7").as_deref(), Some("4:7"));
    assert_eq!(nearest(" 4 : 7 ").as_deref(), Some("4:7"));
    assert_eq!(nearest("0:4").as_deref(), Some("off"));
    assert_eq!(nearest("no").as_deref(), Some("off"));
    for value in ["4", "4:", ":4", "4:7:9", "-4:7", "4:x", "0x4:7", "4294967296:1", ":"] {
        assert_eq!(nearest(value), None, "{value}");
    }
}

#[test]
fn addresses_take_a_list_and_keep_its_good_items() {
    let addresses = |value| one(variables::TRACE_ADDRESSES, value).addresses;
    let both = Addresses { memory: true, lds: true };
    assert_eq!(addresses("memory"), Addresses { memory: true, lds: false });
    assert_eq!(addresses(" lds\t"), Addresses { memory: false, lds: true });
    assert_eq!((addresses("memory,lds"), addresses("lds , memory,lds")), (both, both));
    assert_eq!((addresses("off"), addresses(" "), addresses("")), Default::default());

    let (settings, invalid) = read(&[(variables::TRACE_ADDRESSES, "memory, lds, bogus,,Memory")]);
    assert_eq!(settings.addresses, both);
    let warnings: Vec<String> = invalid.iter().map(Invalid::plugin_warning).collect();
    assert_eq!(
        warnings,
        [
            "SQTT: warning: unknown SQTT_TRACE_ADDRESSES category 'bogus'",
            "SQTT: warning: unknown SQTT_TRACE_ADDRESSES category ''",
            "SQTT: warning: unknown SQTT_TRACE_ADDRESSES category 'Memory'",
        ]
    );

    let nearest = |value| variables::find(variables::TRACE_ADDRESSES).unwrap().check(value).unwrap_err().nearest;
    assert_eq!(nearest("memroy").as_deref(), Some("memory"));
    assert_eq!(nearest("memory lds").as_deref(), Some("memory,lds"));
    assert_eq!(nearest("memory,").as_deref(), Some("memory"));
    assert_eq!(nearest("LDS,memory").as_deref(), Some("memory,lds"));
    assert_eq!(nearest("all").as_deref(), Some("memory,lds"));
    assert_eq!(nearest("0").as_deref(), Some("off"));
    assert_eq!(nearest("memory,off"), None);
    assert_eq!(nearest("memory,scratch"), None);
}

#[test]
fn masks_take_c_numbers_of_32_bits() {
    let cu = |value| one(variables::SCOPE_CU, value).scope.cu;
    assert_eq!((cu("-1"), cu("0xFFFFFFFF"), cu("4294967295")), (u32::MAX, u32::MAX, u32::MAX));
    assert_eq!((cu("5"), cu("0x5"), cu("0XfF"), cu("010"), cu("0"), cu("00")), (5, 5, 255, 8, 0, 0));
    assert_eq!((cu("+5"), cu("")), (5, 3));
    let nearest = |value| refused(variables::SCOPE_CU, value);
    assert_eq!(nearest("-2").as_deref(), Some("0xFFFFFFFE"));
    assert_eq!(nearest(" -1").as_deref(), Some("-1"));
    assert_eq!(nearest("\t7 ").as_deref(), Some("7"));
    assert_eq!(nearest("0x1FFFFFFFF").as_deref(), Some("-1"));
    assert_eq!(nearest("FF").as_deref(), Some("0xFF"));
    assert_eq!(nearest("08").as_deref(), Some("8"));
    assert_eq!(nearest("0b101").as_deref(), Some("0x5"));
    assert_eq!(nearest("all").as_deref(), Some("-1"));
    for value in [
        "zzz",
        "0x",
        "x",
        "5u",
        "4294967296",
        "0x100000000",
        "-",
        "--1",
        "-0",
        "+-1",
        "+",
        "99999999999999999999",
        "0b",
    ] {
        assert_eq!(nearest(value), None, "{value}");
    }
}

#[test]
fn each_mask_goes_to_its_own_field() {
    let (settings, invalid) = read(&[
        (variables::SCOPE_WAVE, "1"),
        (variables::SCOPE_SIMD, "2"),
        (variables::SCOPE_CU, "4"),
        (variables::SCOPE_WG, "8"),
    ]);
    assert_eq!(invalid, []);
    assert_eq!(settings.scope, Scope { wave: 1, simd: 2, cu: 4, wg: 8 });
    assert_eq!(Field::ALL.map(|field| settings.scope.mask(field)), [1, 2, 4, 8]);
}

#[test]
fn a_field_filters_unless_all_its_bits_are_set() {
    let filtering = |scope: Scope| Field::ALL.map(|field| scope.filters(field));
    assert_eq!(filtering(Scope::default()), [false, false, true, false]);
    assert!(Scope::default().is_filtering() && !Scope::ALL.is_filtering());
    let full = Scope { wave: u32::MAX, simd: 0xFF, cu: 0xFFFF, wg: u32::MAX };
    assert!(!full.is_filtering());
    assert_eq!(filtering(Scope { wave: 0xFFFF, simd: 0x7, cu: 0xFFFE, wg: 0xFFFF }), [true; 4]);
}

#[test]
fn clock_and_nop_take_decimals() {
    let (settings, invalid) = read(&[(variables::SHADER_CLOCK_BITS, "12"), (variables::SHADER_CLOCK_SHIFT, "8")]);
    assert_eq!((settings.clock, invalid), (Clock { bits: 12, shift: 8 }, Vec::new()));
    assert_eq!(settings.clock.encoding().unwrap().clock_source_mask(), 0xF_FF00);
    assert_eq!(one(variables::M0_NOP, "0").m0_nop, Some(0));
    assert_eq!(one(variables::M0_NOP, "15").m0_nop, Some(15));
    assert!(!one(variables::BALANCE, "off").balance);
    assert!(one(variables::BALANCE, "on").balance);
    assert_eq!(refused(variables::SHADER_CLOCK_BITS, "0x4").as_deref(), Some("4"));
    assert_eq!(refused(variables::SHADER_CLOCK_BITS, "-1"), None);
    assert_eq!(refused(variables::SHADER_CLOCK_SHIFT, "4294967296"), None);
    assert_eq!(refused(variables::M0_NOP, "16"), None);
    assert_eq!(refused(variables::M0_NOP, "99999999999999999999"), None);
    assert_eq!(refused(variables::M0_NOP, " 3").as_deref(), Some("3"));
    // Once suggested a number that is itself refused.
    assert_eq!(refused(variables::M0_NOP, " 20"), None);
}

/// shared/cases/23_bad_env: the reference's lines, byte by byte and in its order; `abc` it swallowed.
#[test]
fn the_plugins_warnings_are_the_references() {
    let (settings, invalid) = read(&[
        (variables::M0_NOP, "16"),
        (variables::SCOPE_CU, "zzz"),
        (variables::MEM_BARRIER, "strong"),
        (variables::INSTRUMENT_MEMORY, "4"),
        (variables::TRACE_ADDRESSES, "scratch"),
        (variables::INSTRUMENT_FUNCTIONS, "abc"),
        (variables::SHADER_CLOCK_BITS, "x"),
        (variables::INSTRUMENT_BARRIERS, "2"),
    ]);
    assert_eq!(settings, Settings::default());
    let warnings: Vec<String> = invalid.iter().map(Invalid::plugin_warning).collect();
    assert_eq!(
        warnings,
        [
            "SQTT: warning: invalid value for SQTT_INSTRUMENT_BARRIERS='2', using default",
            "SQTT: warning: invalid value for SQTT_MEM_BARRIER='strong', expected one of {none|asm|fence|0|1|2}, using default",
            "SQTT: warning: invalid value for SQTT_SCOPE_CU='zzz', using default",
            "SQTT: warning: invalid value for SQTT_SHADER_CLOCK_BITS='x', using default",
            "SQTT: warning: invalid value for SQTT_INSTRUMENT_FUNCTIONS='abc', using default",
            "SQTT: warning: invalid SQTT_INSTRUMENT_MEMORY format '4', expected N:M",
            "SQTT: warning: unknown SQTT_TRACE_ADDRESSES category 'scratch'",
            "SQTT: warning: invalid value for SQTT_M0_NOP='16', using default",
        ]
    );
}

#[test]
fn the_drivers_rendering_says_what_is_wrong_accepted_and_near() {
    let invalid = variables::find(variables::MEM_BARRIER).unwrap().check("fenc").unwrap_err();
    assert_eq!(
        invalid.to_string(),
        "`fenc` is no reorder boundary; accepted: none (0, off), asm (1, compiler, clobber) or fence (2, on, hw); nearest: `fence`"
    );
    let invalid = variables::find(variables::SCOPE_CU).unwrap().check("z\n").unwrap_err();
    assert!(!invalid.to_string().contains('\n') && !invalid.plugin_warning().contains('\n'));
}

#[test]
fn values_that_are_no_text_are_refused_but_for_paths() {
    let bytes = OsString::from_vec(b"lds,\xff".to_vec());
    for variable in TABLE {
        let is_path = variable.kind == variables::Kind::Path;
        assert_eq!(variable.check(&bytes).is_ok(), is_path, "{variable}");
        assert!(variable.check("a\0b").is_err(), "{variable}");
    }
    let (settings, invalid) = Settings::read(|_| Some(bytes.clone()));
    assert_eq!(settings, Settings { addresses: Addresses { memory: false, lds: true }, ..Settings::default() });
    assert_eq!(invalid.len(), TABLE.iter().filter(|variable| variable.reader == Reader::Plugin).count());
    assert!(invalid.iter().all(|invalid| invalid.value == "lds,\u{fffd}"));
    assert!(invalid[0].to_string().starts_with("`lds,\u{fffd}` is not valid UTF-8"));
}

#[test]
fn name_patterns_are_lists_and_take_anything() {
    let settings = one(variables::FUNCTIONS_INCLUDE, " block_*, ns::f(int, float) ");
    assert!(settings.include.matches("block_sum") && settings.include.matches("ns::f(int, float)"));
    assert!(!settings.include.matches("ns::f") && settings.exclude.is_empty());
    assert!(one(variables::FUNCTIONS_EXCLUDE, "__ockl_*").exclude.matches("__ockl_get_local_size"));
}

#[test]
fn memory_markers_and_address_traces_exclude_each_other() {
    let both = [(variables::INSTRUMENT_MEMORY, "1:0"), (variables::TRACE_ADDRESSES, "memory")];
    let message = read(&both).0.conflict().unwrap().to_string();
    assert_eq!(message, "SQTT_TRACE_ADDRESSES and SQTT_INSTRUMENT_MEMORY are mutually exclusive");
    assert!(read(&both[..1]).0.conflict().is_none() && read(&both[1..]).0.conflict().is_none());
}

#[test]
fn a_huge_value_is_answered_at_once_and_in_a_short_line() {
    for piece in ["LDS,", "x,", "1", "0x", "cost:", "é"] {
        let value = piece.repeat(30_000);
        for variable in TABLE {
            if let Err(invalid) = variable.check(&value) {
                assert!(invalid.problem.len() < 500, "{variable}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_value_is_read_and_every_suggestion_is_taken(value in "\\PC*|[-+0-9a-fxX:, ]{0,12}|(cost|memory|lds|fence|on|off)[:, ]?[0-9a-z]{0,3}") {
        for variable in TABLE {
            if let Err(invalid) = variable.check(&value) {
                if let Some(nearest) = &invalid.nearest {
                    prop_assert_eq!(variable.check(nearest), Ok(()), "for {}", invalid);
                }
                prop_assert!(!invalid.plugin_warning().contains('\n'));
            }
        }
        let (_, invalid) = Settings::read(|_| Some(OsString::from(&value)));
        for row in TABLE.iter().filter(|row| row.reader == Reader::Plugin) {
            prop_assert_eq!(row.check(&value).is_err(), invalid.iter().any(|invalid| invalid.variable == row));
        }
    }

    #[test]
    fn numbers_are_read_exactly(number: u32) {
        for text in [format!("{number}"), format!("0x{number:x}"), format!("0X{number:X}"), format!("0{number:o}")] {
            prop_assert_eq!(one(variables::SCOPE_WG, &text).scope.wg, number);
        }
    }
}
