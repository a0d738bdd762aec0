//! A cache that is read-only, full or in the way. Each runs below a mount of its own, as modes do not stop root.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::process::{Command, Output};

use sqtt_contract::variables;
use support::fake_cargo::{Machine, message, printed};

/// `sqtt plugin build` with a file system mounted on the cache: `options` of a tmpfs, and what is done to it first.
fn build_on(machine: &Machine, options: &str, first: &str) -> Output {
    let cache = machine.sandbox.path("cache");
    std::fs::create_dir_all(&cache).unwrap();
    let plain = machine.sqtt("build");
    let mut unshare = Command::new("unshare");
    let script = format!("mount -t tmpfs -o {options} none \"$1\" && cd \"$1\" && {first} && shift && exec \"$@\"");
    unshare.args(["--map-root-user", "--mount", "/bin/sh", "-c", &script, "sh"]).arg(&cache);
    // Programs of the script are the system's; those of the build are found in the machine's PATH.
    unshare.arg("/usr/bin/env").arg({
        let mut path = std::ffi::OsString::from("PATH=");
        path.push(machine.sandbox.path("bin"));
        path
    });
    unshare.arg(plain.get_program()).args(plain.get_args()).env_clear().env(variables::CACHE_DIR, &cache);
    unshare.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output().unwrap()
}

#[test]
fn a_read_only_cache_says_so() {
    let machine = Machine::new();
    let said = message(&build_on(&machine, "size=1m", "mount -o remount,ro \"$1\""));
    assert!(said.starts_with("error: cannot write to the cache: "), "{said}");
    assert!(said.contains("build.lock") && said.contains("Read-only file system"), "{said}");
    assert!(
        said.ends_with(&format!("or set `{}` to a directory that can be written and has room\n", variables::CACHE_DIR))
    );
    assert!(machine.runs().is_empty());
}

#[test]
fn a_full_cache_says_so_whatever_does_not_fit() {
    for (size, what) in [("size=16k", "the sources"), ("nr_inodes=1", "the lock")] {
        let machine = Machine::new();
        let said = message(&build_on(&machine, size, "true"));
        assert!(said.contains("error: cannot write to the cache: "), "{what}: {said}");
        assert!(said.contains("No space left on device"), "{what}: {said}");
        assert!(machine.runs().is_empty(), "{what}");
    }
    // The sources fit and what cargo makes does not: cargo says it, and it is shown.
    let machine = Machine::new();
    machine.cargo("head -c 100m /dev/zero > \"$CARGO_TARGET_DIR.so\" || exit 101");
    let said = message(&build_on(&machine, "size=4m", "true"));
    assert!(said.contains("cannot build the plugin") && said.contains("No space left on device"), "{said}");
    // All of it fits but the plugin.
    let machine = Machine::new();
    machine.cargo(
        "echo \"{\\\"filenames\\\":[\\\"$N/libsqttinstrumentpass.so\\\"]}\"; head -c 100m /dev/zero > \"$N/libsqttinstrumentpass.so\"",
    );
    let said = message(&build_on(&machine, "size=4m", "true"));
    assert!(said.contains("error: cannot write to the cache: ") && said.contains("No space left on device"), "{said}");
}

#[test]
fn what_stands_where_the_plugin_should_is_named() {
    let machine = Machine::new();
    let path = printed(&machine.build());
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let said = message(&machine.build());
    assert!(said.contains("error: cannot write to the cache: `") && said.contains(path.to_str().unwrap()), "{said}");
    std::fs::remove_dir(&path).unwrap();
    printed(&machine.build());
}

#[test]
fn a_cache_that_is_a_file_is_named() {
    let machine = Machine::new();
    let file = machine.sandbox.file("cache", "");
    let said = message(&machine.build());
    assert!(said.starts_with("error: cannot write to the cache: ") && said.contains(file.to_str().unwrap()), "{said}");
}
