//! How `sqtt plugin build` runs cargo: with what, how often, and what is left when it fails.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use sqtt_contract::variables;
use support::fake_cargo::{Machine, SUCCEED, message, printed, wait_until};

#[test]
fn cargo_is_run_on_the_embedded_sources() {
    let machine = Machine::new();
    printed(&machine.build());
    assert_eq!(
        machine.runs(),
        ["build --release --locked --package sqtt-instrument-pass --features llvm22 --target host-tuple \
          --message-format json-render-diagnostics"]
    );
    let directory = std::fs::read_to_string(machine.sandbox.path("notes/cwd")).unwrap();
    let directory = Path::new(directory.trim_end());
    assert!(directory.starts_with(machine.sandbox.path("cache/src")), "{}", directory.display());
    assert!(directory.join("plugin/contract/src/lib.rs").is_file());
    assert_eq!(std::fs::read(machine.sandbox.path("notes/stdin")).unwrap(), b"");
}

#[test]
fn a_hostile_environment_does_not_reach_cargo() {
    let machine = Machine::new();
    let mut command = machine.sqtt("build");
    for name in ["CXX", "CC", "CXXFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR", "MAKEFLAGS", "CARGO_BUILD_TARGET", "RUSTC"] {
        command.env(name, "/hostile");
    }
    for name in
        [variables::INSTRUMENT_FUNCTIONS, variables::HIPCC, variables::CONFIG, "CPATH", "HIPCC_COMPILE_FLAGS_APPEND"]
    {
        command.env(name, "/hostile");
    }
    command.env("HOME", "/some/home").env("RUSTUP_TOOLCHAIN", "some").env("https_proxy", "http://proxy");
    printed(&command.stdin(Stdio::piped()).output().unwrap());

    let noted = std::fs::read(machine.sandbox.path("notes/env")).unwrap();
    let noted = String::from_utf8(noted).unwrap();
    let text = |path: &str| machine.sandbox.path(path).display().to_string();
    let mut expected = vec![
        format!("PATH={}", text("bin")),
        "HOME=/some/home".to_owned(),
        "RUSTUP_TOOLCHAIN=some".to_owned(),
        "https_proxy=http://proxy".to_owned(),
        format!("{}=1", variables::DRIVER_ACTIVE),
        format!("{}={}", variables::LLVM_PREFIX, text("llvm")),
        format!("CARGO_TARGET_DIR={}", text("cache/target")),
        format!("CXX={}", text("bin/c++")),
        "CARGO_ENCODED_RUSTFLAGS=".to_owned(),
        "CXXFLAGS=".to_owned(),
        "CXXSTDLIB=stdc++".to_owned(),
        format!("{}=", variables::LLVM_STATIC),
        "RUSTC_WRAPPER=".to_owned(),
        "RUSTC_WORKSPACE_WRAPPER=".to_owned(),
    ];
    // The shell that runs the fake cargo sets these itself.
    let own = |line: &&str| !["PWD=", "_=", "SHLVL=", "OLDPWD="].iter().any(|start| line.starts_with(start));
    let mut noted: Vec<&str> = noted.split_terminator('\0').filter(own).collect();
    noted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(noted, expected);
}

#[test]
fn many_processes_build_once() {
    let machine = Machine::new();
    machine.cargo_that_waits(SUCCEED);
    let children = start_many(&machine, 64);
    machine.go();
    let outputs: Vec<Output> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let path = printed(&outputs[0]);
    assert!(outputs.iter().all(|output| printed(output) == path));
    let said: Vec<String> = outputs.iter().map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).collect();
    let builders = said.iter().filter(|said| said.starts_with("sqtt: building the plugin for LLVM 22.1.8 ")).count();
    let waiting = said.iter().filter(|said| said.starts_with("sqtt: waiting for another process ")).count();
    assert_eq!((machine.runs().len(), builders, waiting), (1, 1, 63));
    assert!(said.iter().all(|said| said.lines().count() == 1), "{said:?}");
}

#[test]
fn those_who_waited_for_a_build_that_failed_fail_with_it() {
    let machine = Machine::new();
    machine.cargo_that_waits("echo 'error: no network' >&2; exit 101");
    let children = start_many(&machine, 8);
    machine.go();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(message(&output).contains("\n  error: no network\n"), "{output:?}");
    }
    assert_eq!(machine.runs().len(), 1);
    machine.cargo(SUCCEED);
    printed(&machine.build());
}

/// Starts that many builds; returns when one runs cargo and all others wait for its lock.
fn start_many(machine: &Machine, count: usize) -> Vec<Child> {
    let start = || machine.sqtt("build").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<Child> = (0..count).map(|_| start()).collect();
    machine.wait_for_cargo();
    let pids: Vec<String> = children.iter().map(|child| child.id().to_string()).collect();
    wait_until("all others wait for the lock", || {
        // `5: -> FLOCK  ADVISORY  WRITE PID 00:2f:123 0 EOF`
        let locks = std::fs::read_to_string("/proc/locks").unwrap();
        let waits = |line: &&str| {
            let mut words = line.split_whitespace().skip(1);
            words.next() == Some("->") && words.nth(3).is_some_and(|pid| pids.iter().any(|own| own == pid))
        };
        locks.lines().filter(waits).count() == count - 1
    });
    children
}

#[test]
fn a_killed_build_leaves_nothing_that_hinders_the_next() {
    let machine = Machine::new();
    machine.cargo_that_waits(SUCCEED);
    let mut child = machine.sqtt("build").process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    machine.wait_for_cargo();
    let group = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
    assert!(!child.wait().unwrap().success());
    assert_eq!(machine.plugins(), Vec::<PathBuf>::new());
    machine.go();
    printed(&machine.build());
    assert_eq!(machine.runs().len(), 2);
}

#[test]
fn a_failed_build_shows_the_end_of_its_log_and_is_tried_again() {
    let machine = Machine::new();
    machine.cargo("for i in $(seq 100); do echo \"line $i\" >&2; done; exit 101");
    let said = message(&machine.build());
    assert!(said.contains("cannot build the plugin for LLVM 22.1.8: cargo failed (exit status: 101)\n"), "{said}");
    assert!(said.contains("\n  line 76\n") && said.contains("\n  line 100\n") && !said.contains("line 75"), "{said}");
    let log = said.split("the whole log is `").nth(1).unwrap().split('`').next().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains(" build --release ") && log.contains("\nline 1\n"), "{log}");
    assert_eq!(machine.plugins(), Vec::<PathBuf>::new());

    machine.cargo("exit 0");
    assert!(message(&machine.build()).contains("cargo made no `libsqttinstrumentpass.so`"));
    machine.cargo(SUCCEED);
    printed(&machine.build());
}

#[test]
fn a_missing_build_tool_is_named_with_how_to_get_it() {
    type Damage = fn(&Machine);
    let cases: [(Damage, &str, &str); 5] = [
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/cargo")).unwrap(), "there is no `cargo`", "rustup"),
        (
            |machine| drop(machine.sandbox.script("bin/cargo", "echo cargo 1.65.0")),
            "is too old (cargo 1.65.0)",
            "rustup",
        ),
        (
            |machine| drop(machine.sandbox.script("bin/cargo", "echo 'error: no toolchain' >&2; exit 1")),
            "--version`: error: no toolchain",
            "rustup",
        ),
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/c++")).unwrap(), "no C++ compiler", "`g++`"),
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/cc")).unwrap(), "no C compiler", "`g++`"),
    ];
    for (damage, problem, advice) in cases {
        let machine = Machine::new();
        damage(&machine);
        let said = message(&machine.build());
        assert!(said.contains(problem), "{problem}: {said}");
        assert!(said.lines().last().unwrap().contains(advice), "{advice}: {said}");
    }
}

#[test]
fn cargo_is_found_where_rustup_puts_it() {
    let machine = Machine::new();
    let home = machine.sandbox.path("home");
    std::fs::create_dir_all(home.join(".cargo")).unwrap();
    std::fs::create_dir(home.join(".cargo/bin")).unwrap();
    std::fs::rename(machine.sandbox.path("bin/cargo"), home.join(".cargo/bin/cargo")).unwrap();
    printed(&machine.sqtt("build").env("HOME", home).output().unwrap());
}
