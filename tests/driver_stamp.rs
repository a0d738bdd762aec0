//! The stamp of a HIP compile is another one exactly when something changes that the object depends on.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use sqtt_contract::variables::{self, Kind, Reader, TABLE, Variable};

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{Fake, stamp, stderr};

/// The stamps among the words that reach the compiler.
fn stamps(fake: &Fake, driver: &mut Command) -> Vec<PathBuf> {
    let record = fake.record(driver);
    record.arguments().iter().filter_map(|word| stamp(word)).collect()
}

fn stamp_of(fake: &Fake, change: impl FnOnce(&mut Command)) -> PathBuf {
    let mut driver = fake.driver();
    driver.args(["-c", "a.hip"]);
    change(&mut driver);
    let stamps = stamps(fake, &mut driver);
    assert_eq!(stamps.len(), 1, "{driver:?}");
    stamps[0].clone()
}

/// A value that is not the default.
fn value(variable: &Variable) -> &'static str {
    match variable.kind {
        Kind::Bool => "1",
        Kind::Threshold | Kind::Mask | Kind::Bits | Kind::Nops => "5",
        Kind::Chunks => "2:3",
        Kind::Categories => "lds",
        Kind::Patterns => "f*",
        Kind::Boundary => "asm",
        Kind::Validation => "warn",
        Kind::Path | Kind::Text => panic!("{variable} is no value of the pass"),
    }
}

#[test]
fn every_setting_has_a_stamp_of_its_own_wherever_it_comes_from() {
    let fake = Fake::hipcc();
    let mut seen = BTreeMap::from([(stamp_of(&fake, |_| {}), "nothing")]);
    for row in TABLE.iter().filter(|row| row.reader == Reader::Plugin || row.name == variables::VALIDATE) {
        let by_variable = stamp_of(&fake, |driver| _ = driver.env(row.name, value(row)));
        let flag = format!("--sqtt-{}={}", row.flag.unwrap(), value(row));
        let by_flag = stamp_of(&fake, |driver| _ = driver.arg(flag));
        std::fs::write(fake.work().join("sqtt.toml"), format!("{} = '{}'", row.key.unwrap(), value(row))).unwrap();
        let by_file = if row.kind == Kind::Bool { by_flag.clone() } else { stamp_of(&fake, |_| {}) };
        std::fs::remove_file(fake.work().join("sqtt.toml")).unwrap();
        assert_eq!([&by_flag, &by_file], [&by_variable; 2], "{row}");
        assert_eq!(seen.insert(by_variable, row.name), None, "{row} and another setting share a stamp");
    }
    assert!(seen.len() > 12);
}

#[test]
fn nothing_else_changes_the_stamp() {
    let fake = Fake::hipcc();
    let first = stamp_of(&fake, |_| {});
    std::fs::create_dir(fake.work().join("elsewhere")).unwrap();
    for change in [
        &(|_: &mut Command| {}) as &dyn Fn(&mut Command),
        &|driver| _ = driver.args(["-O2", "-DX=1", "--offload-arch=gfx942"]),
        &|driver| _ = driver.env("UNRELATED", "1"),
        &|driver| _ = driver.current_dir(fake.work().join("elsewhere")),
        &|driver| _ = driver.arg("-E"),
        &|driver| _ = driver.arg("-S"),
    ] {
        assert_eq!(stamp_of(&fake, change), first);
    }
    let text = std::fs::read_to_string(&first).unwrap();
    assert!(text.contains(first.file_stem().unwrap().to_str().unwrap()), "{text}");
}

/// Same name, length and time: what a package or a copy that keeps times can do.
#[test]
fn the_plugins_bytes_count_not_its_time() {
    let fake = Fake::hipcc();
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let with = |text: &str| {
        std::fs::write(&fake.plugin, text).unwrap();
        std::fs::File::options().write(true).open(&fake.plugin).unwrap().set_modified(time).unwrap();
        stamp_of(&fake, |_| {})
    };
    let (one, two) = (with("one"), with("two"));
    assert_ne!(one, two);
    assert_eq!(with("one"), one);
    std::fs::File::options()
        .write(true)
        .open(&fake.plugin)
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    assert_eq!(stamp_of(&fake, |_| {}), one, "the time alone");
}

#[test]
fn another_compiler_is_another_stamp() {
    let fake = Fake::hipcc();
    let other = fake.work().join("hipcc");
    symlink(std::fs::canonicalize(&fake.compiler).unwrap(), &other).unwrap();
    assert_ne!(stamp_of(&fake, |driver| _ = driver.env("SQTT_HIPCC", &other)), stamp_of(&fake, |_| {}));
}

#[test]
fn only_what_a_cache_keeps_of_a_hip_source_has_a_stamp() {
    let fake = Fake::hipcc();
    for words in [
        &["-M", "a.hip"][..],
        &["-MM", "a.hip"],
        &["-E", "-M", "a.hip"],
        &["-fsyntax-only", "a.hip"],
        &["-c", "a.hipi"],
        &["-c", "a.c"],
        &["-E", "a.c"],
        &["-E", "-x", "hip", "-"],
        &["-E", "-dM", "-x", "hip", "/dev/null"],
        &["a.o"],
        &["--version"],
    ] {
        assert_eq!(stamps(&fake, fake.driver().args(words)), Vec::<PathBuf>::new(), "{words:?}");
    }
}

/// ccache would give an object without markers to the next call that wants them: it has not seen the variable.
#[test]
fn a_compile_that_is_switched_off_out_of_a_caches_sight_has_a_stamp_too() {
    let fake = Fake::hipcc();
    let on = stamp_of(&fake, |_| {});
    let off = stamp_of(&fake, |driver| _ = driver.env(variables::OFF, "1"));
    assert_ne!(on, off);
    let record = fake.record(fake.driver().env(variables::OFF, "1").args(["-c", "a.hip"]));
    assert_eq!(record.arguments().len(), 3, "{record:?}");
    for words in [&["--sqtt-off", "-c", "a.hip"][..], &["-c", "a.c"], &["a.o"], &["-M", "a.hip"]] {
        let mut driver = fake.driver();
        driver.env(variables::OFF, "1");
        assert_eq!(stamps(&fake, driver.args(words)), Vec::<PathBuf>::new(), "{words:?}");
    }
}

/// Without a place for the stamp the compiler runs all the same when it is not instrumented.
#[test]
fn a_cache_that_cannot_be_written_stops_only_what_needs_it() {
    let fake = Fake::hipcc();
    let cache = Path::new("/proc/no/such");
    let mut off = fake.driver();
    off.env(variables::CACHE_DIR, cache).env(variables::OFF, "1").args(["-c", "a.hip"]);
    assert_eq!(fake.record(&mut off).arguments(), ["-c", "a.hip"]);
    let output = fake.driver().env(variables::CACHE_DIR, cache).args(["-c", "a.hip"]).output().unwrap();
    assert_eq!((output.status.code(), fake.records().len()), (Some(125), 0), "{}", stderr(&output));
    assert!(stderr(&output).contains("/proc/no/such"), "{}", stderr(&output));
}
