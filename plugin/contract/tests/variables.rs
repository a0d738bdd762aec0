//! The table is consistent, and mistyped names find their row.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use sqtt_contract::settings::{Validation, switch, validation};
use sqtt_contract::variables::{self, Reader, TABLE, Variable};

fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = HashSet::new();
    words.into_iter().all(|word| seen.insert(word))
}

#[test]
fn names_flags_and_keys_are_unique_and_well_formed() {
    assert!(distinct(TABLE.iter().map(|row| row.name)));
    assert!(distinct(TABLE.iter().filter_map(|row| row.flag)));
    assert!(distinct(TABLE.iter().filter_map(|row| row.key)));
    for row in TABLE {
        let tail = row.name.strip_prefix(variables::PREFIX).unwrap();
        assert!(tail.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'), "{row}");
        assert!(
            row.flag.unwrap_or("a").chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{row}"
        );
        assert!(row.key.unwrap_or("a").chars().all(|c| c.is_ascii_lowercase() || "0_.".contains(c)), "{row}");
        assert_eq!(variables::find(row.name), Some(row));
        assert_eq!(row.to_string(), row.name);
        assert!(row.flag.is_none_or(|flag| variables::find_flag(flag) == Some(row)));
        assert!(row.key.is_none_or(|key| variables::find_key(key) == Some(row)));
    }
}

#[test]
fn every_row_is_documented_in_one_line_and_takes_its_default() {
    for row in TABLE {
        for text in [row.doc, row.accepts] {
            assert!(!text.is_empty() && !text.contains('\n') && !text.ends_with('.'), "{row}");
        }
        assert_eq!(row.check(row.default), Ok(()), "{row}");
    }
}

#[test]
fn everything_the_plugin_reads_can_be_set_in_all_three_ways() {
    for row in TABLE.iter().filter(|row| row.reader == Reader::Plugin) {
        assert!(row.flag.is_some() && row.key.is_some(), "{row}");
    }
}

#[test]
fn the_plugins_rows_are_in_the_references_order() {
    let names: Vec<&str> = TABLE.iter().take_while(|row| row.reader == Reader::Plugin).map(|row| row.name).collect();
    let tails: Vec<&str> = names.iter().map(|name| name.trim_start_matches(variables::PREFIX)).collect();
    let expected = "INSTRUMENT_BARRIERS MEM_BARRIER SCOPE_WAVE SCOPE_SIMD SCOPE_CU SCOPE_WG SHADER_CLOCK_BITS \
        SHADER_CLOCK_SHIFT INSTRUMENT_FUNCTIONS FUNCTIONS_INCLUDE FUNCTIONS_EXCLUDE INSTRUMENT_MEMORY TRACE_ADDRESSES M0_NOP \
        BALANCE";
    assert_eq!(tails.join(" "), expected);
    assert_eq!(TABLE.iter().filter(|row| row.reader == Reader::Plugin).count(), names.len());
}

#[test]
fn mistyped_names_flags_and_keys_find_their_row() {
    let name = |row: Option<&'static Variable>| row.map(|row| row.name);
    for (mistyped, meant) in [
        ("SQTT_INSTRUMENT_FUNCTION", variables::INSTRUMENT_FUNCTIONS),
        ("SQTT_FUNCTIONS", variables::INSTRUMENT_FUNCTIONS),
        ("SQTT_MEMBARRIER", variables::MEM_BARRIER),
        ("sqtt_scope_cu", variables::SCOPE_CU),
        ("SQTT_SCOPE_CUS", variables::SCOPE_CU),
        ("SQTT_CLOCK_BITS", variables::SHADER_CLOCK_BITS),
        ("SQTT_COMPILER", variables::HIPCC),
        ("SQTT_CACHEDIR", variables::CACHE_DIR),
    ] {
        assert_eq!(name(variables::nearest(mistyped)), Some(meant), "{mistyped}");
    }
    for foreign in ["SQTT_", "SQTT_WORKERS_PER_NODE", "", "é", "SQTT_é", "SQTT_DRIVER_ACTIV"] {
        assert_eq!(name(variables::nearest(foreign)), None, "{foreign}");
    }
    assert_eq!(name(variables::nearest_flag("function")), Some(variables::INSTRUMENT_FUNCTIONS));
    assert_eq!(name(variables::nearest_flag("scope-cuu")), Some(variables::SCOPE_CU));
    assert_eq!(name(variables::nearest_flag("frobnicate")), None);
    assert_eq!(name(variables::nearest_key("instrument.function")), Some(variables::INSTRUMENT_FUNCTIONS));
    assert_eq!(name(variables::nearest_key("functions")), Some(variables::INSTRUMENT_FUNCTIONS));
    assert_eq!(name(variables::nearest_key("build.functoins")), Some(variables::INSTRUMENT_FUNCTIONS));
    assert_eq!(name(variables::nearest_key("paint.colour")), None);
}

#[test]
fn the_drivers_own_values_are_read_or_refused() {
    let off = variables::find(variables::OFF).unwrap();
    assert_eq!((switch(off, "yes"), switch(off, "0"), switch(off, "")), (Ok(true), Ok(false), Ok(false)));
    assert_eq!(switch(off, "fasle").unwrap_err().nearest.as_deref(), Some("false"));
    assert!(switch(off, OsStr::from_bytes(b"\xff")).unwrap_err().to_string().contains("not valid UTF-8"));
    let row = variables::find(variables::VALIDATE).unwrap();
    assert_eq!(validation(row, "WARN"), Ok(Validation::Warn));
    assert_eq!(validation(row, "off"), Ok(Validation::Off));
    assert_eq!((validation(row, "error"), validation(row, "")), (Ok(Validation::Error), Ok(Validation::Error)));
    assert_eq!(validation(row, "warning").unwrap_err().nearest.as_deref(), Some("warn"));
    assert_eq!(validation(row, "quiet").unwrap_err().nearest, None);
}
