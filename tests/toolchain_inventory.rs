//! `sqtt plugin list|clean`: what is in the cache, what is of no more use, and what goes.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use sqtt_contract::variables;
use support::fake_cargo::{Machine, SUCCEED, message, printed};

fn sqtt(machine: &Machine, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    command.arg("plugin").args(words).env_clear().env(variables::CACHE_DIR, machine.sandbox.path("cache"));
    command
}

fn output(machine: &Machine, words: &[&str]) -> String {
    let output = sqtt(machine, words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The line before the one that is this path.
fn listed<'a>(list: &'a str, path: &Path) -> &'a str {
    let lines: Vec<&str> = list.lines().collect();
    let at = lines.iter().position(|line| line.trim_start() == path.to_str().unwrap());
    lines[at.unwrap_or_else(|| panic!("{} is not in\n{list}", path.display())) - 1]
}

#[test]
fn an_empty_cache_is_listed_and_cleaned() {
    let machine = Machine::new();
    let cache = machine.sandbox.path("cache");
    assert_eq!(output(&machine, &["list"]), format!("{}: 0 bytes\n", cache.display()));
    assert_eq!(output(&machine, &["clean"]), "0 bytes freed\n");
    assert!(!cache.exists());
}

#[test]
fn plugins_of_several_llvms_stand_side_by_side_and_only_the_current_ones_stay() {
    let machine = Machine::new();
    let replaced = printed(&machine.build());
    machine.headers("llvm", "22.1.9");
    let current = printed(&machine.build());
    machine.headers("llvm19", "19.1.7");
    let other_prefix = machine.sandbox.path("llvm19");
    let mut build = sqtt(&machine, &["build", "--llvm-prefix"]);
    let other = printed(&build.arg(&other_prefix).env("PATH", machine.sandbox.path("bin")).output().unwrap());

    let list = output(&machine, &["list"]);
    let prefix = machine.sandbox.path("llvm");
    let line = |version: &str, prefix: &Path, state: &str| {
        format!("LLVM {version} (shared) in {}: {state}, 2 bytes", prefix.display())
    };
    assert_eq!(listed(&list, &current), line("22.1.9", &prefix, "current"));
    assert_eq!(listed(&list, &other), line("19.1.7", &other_prefix, "current"));
    assert_eq!(listed(&list, &replaced), line("22.1.8", &prefix, "its LLVM is gone or was replaced"));

    let said = output(&machine, &["clean"]);
    assert!(said.contains(&format!("removed {}\n", replaced.parent().unwrap().display())), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(!replaced.exists() && current.is_file() && other.is_file());
    assert_eq!(printed(&machine.build()), current);
    assert_eq!(machine.runs().len(), 3);
}

#[test]
fn what_other_releases_and_killed_processes_left_goes() {
    let machine = Machine::new();
    machine.cargo("exit 1");
    message(&machine.build());
    machine.cargo(SUCCEED);
    let current = printed(&machine.build());
    let sandbox = &machine.sandbox;
    let old = sandbox.file("cache/plugin/0123/libsqttinstrumentpass.so", "old");
    let unfinished = sandbox.file("cache/plugin/4567/about.json", "{}");
    let left = sandbox.file("cache/plugin/.tmpOLD", "part");
    let fresh = sandbox.file("cache/plugin/.tmpNEW", "part");
    sandbox.file("cache/src/0123/Cargo.toml", "");
    sandbox.file("cache/include/0123/markers.hpp", "");
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    std::fs::File::options().write(true).open(&left).unwrap().set_modified(long_ago).unwrap();

    let list = output(&machine, &["list"]);
    assert_eq!(listed(&list, &old), "unknown LLVM: of another release, 3 bytes");
    let unfinished = unfinished.with_file_name("libsqttinstrumentpass.so");
    assert_eq!(listed(&list, &unfinished), "unknown LLVM: unfinished, 0 bytes");
    output(&machine, &["clean"]);
    assert!(current.is_file() && fresh.is_file());
    for gone in ["plugin/0123", "plugin/4567", "plugin/.tmpOLD", "src/0123", "include/0123"] {
        assert!(!sandbox.path("cache").join(gone).exists(), "{gone}");
    }
    let failures = std::fs::read_dir(sandbox.path("cache/plugin")).unwrap();
    assert!(failures.flatten().all(|entry| entry.path().extension() != Some("failed".as_ref())));
    assert_eq!(printed(&machine.build()), current);
}

#[test]
fn all_of_it_goes_when_asked_for_and_comes_back() {
    let machine = Machine::new();
    let path = printed(&machine.build());
    output(&machine, &["clean", "--all"]);
    let left: Vec<_> =
        std::fs::read_dir(machine.sandbox.path("cache")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["build.lock"]);
    assert_eq!(printed(&machine.build()), path);
}

#[test]
fn nothing_is_removed_while_a_plugin_is_built() {
    let machine = Machine::new();
    machine.cargo_that_waits(SUCCEED);
    let mut build = machine.sqtt("build").spawn().unwrap();
    machine.wait_for_cargo();
    let said = message(&sqtt(&machine, &["clean", "--all"]).output().unwrap());
    assert!(said.starts_with("error: a plugin is being built in `") && said.ends_with("try again when that is done\n"));
    machine.go();
    assert!(build.wait().unwrap().success());
}
