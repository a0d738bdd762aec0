//! `kill -9` at any moment of a plugin build: whatever is left, the next run gives a whole plugin.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use support::fake_cargo::{Machine, SUCCEED, message, printed};

/// Runs `command` and kills it after `delay`: it alone, or all that it started.
fn run_and_kill(mut command: Command, delay: Duration, group: bool) {
    let mut child =
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(delay);
    let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
    _ = if group { kill_process_group(pid, Signal::KILL) } else { kill_process(pid, Signal::KILL) };
    child.wait().unwrap();
}

/// Numbers that look random and are the same in every run (a linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[test]
fn a_build_that_is_killed_at_a_random_moment_is_repaired_by_the_next() {
    let machine = Machine::new();
    // In two steps, so that half a file can be left where cargo builds.
    machine.cargo(&format!(
        "mkdir -p \"$CARGO_TARGET_DIR/release\"; printf x > \"$CARGO_TARGET_DIR/release/half\"\n{SUCCEED}"
    ));
    let started = Instant::now();
    let whole = std::fs::read(printed(&machine.build())).unwrap();
    let longest = u64::try_from(started.elapsed().as_micros()).unwrap() * 5 / 4;
    let mut numbers = Numbers(1);
    let mut unfinished = 0;
    for round in 0..200 {
        for directory in ["plugin", "src", "target"].iter().take(1 + usize::try_from(numbers.below(3)).unwrap()) {
            _ = std::fs::remove_dir_all(machine.sandbox.path("cache").join(directory));
        }
        let delay = Duration::from_micros(numbers.below(longest));
        run_and_kill(machine.sqtt("build"), delay, round % 2 == 0);
        for directory in machine.plugins() {
            let plugin = directory.join("libsqttinstrumentpass.so");
            assert!(!plugin.exists() || std::fs::read(&plugin).unwrap() == whole, "round {round}: half a plugin");
        }
        let path = machine.sqtt("path").output().unwrap();
        unfinished += usize::from(!path.status.success());
        let again = machine.build();
        assert_eq!(std::fs::read(printed(&again)).unwrap(), whole, "round {round}");
    }
    assert!(unfinished > 20, "only {unfinished} of 200 kills came before the end");
}

/// What a killed cargo left can make the next one fail for ever; it is thrown away once.
#[test]
fn what_a_killed_build_left_is_not_used_when_it_does_harm() {
    let machine = Machine::new();
    let body = format!(
        "[ -e \"$CARGO_TARGET_DIR/harm\" ] && {{ echo 'error: harm' >&2; exit 101; }}\nmkdir -p \"$CARGO_TARGET_DIR\"\n\
         [ -e \"$N/first\" ] || {{ touch \"$N/first\" \"$CARGO_TARGET_DIR/harm\" \"$N/waits\"; sleep 100; }}\n{SUCCEED}"
    );
    machine.cargo(&body);
    let mut child = machine.sqtt("build").process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    machine.wait_for_cargo();
    kill_process_group(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::KILL).unwrap();
    child.wait().unwrap();
    printed(&machine.build());
    assert_eq!(machine.runs().len(), 3);

    // A failure that no killed build is to blame for is not tried twice.
    std::fs::remove_dir_all(machine.sandbox.path("cache/plugin")).unwrap();
    machine.cargo("echo 'error: no network' >&2; exit 101");
    assert!(message(&machine.build()).contains("error: no network"));
    assert_eq!(machine.runs().len(), 4);
}
