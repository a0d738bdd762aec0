//! The plugin is built for real, by 16 processes at once, where everything is set up against it.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod llvm;
mod support;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use llvm::Llvm;
use object::{Object, ObjectSymbol};
use sqtt_contract::variables;
use support::Sandbox;
use support::fake_cargo::printed;

/// A cache whose plugins are gone, but not what cargo made of other crates: the second run of this test is quicker.
fn cache_without_plugins() -> PathBuf {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real build").join("a cache");
    let _ = std::fs::remove_dir_all(cache.join("plugin"));
    std::fs::create_dir_all(&cache).unwrap();
    cache
}

/// `sqtt plugin build` for an LLVM, as in a recipe of `make CXX=sqtt-hipcc` with flags for something else.
fn hostile_build(sandbox: &Sandbox, cache: &Path, llvm: &Llvm) -> Command {
    let failing = sandbox.script("failing", "echo \"$0 was called\" >&2; exit 1");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    command.args(["plugin", "build", "--compiler"]).arg(llvm.tool("clang++").get_program());
    for name in ["CXX", "CC", "HOST_CXX", "CXX_x86_64_unknown_linux_gnu", "LD", "AR", "RUSTC", "RUSTC_WRAPPER"] {
        command.env(name, &failing);
    }
    for name in ["CXXFLAGS", "CFLAGS", "LDFLAGS", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"] {
        command.env(name, "--hostile");
    }
    command.env("MAKEFLAGS", " -j64 --jobserver-auth=98,99").env("CARGO_MAKEFLAGS", "-j64 --jobserver-auth=98,99");
    command.env("CARGO_TARGET_DIR", "/nonexistent").env("CARGO_BUILD_TARGET", "wasm32-unknown-unknown");
    command.env("CARGO_PROFILE_RELEASE_PANIC", "abort").env(variables::LLVM_PREFIX, "/nonexistent");
    command.env(variables::CACHE_DIR, cache).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn sixteen_processes_build_one_plugin_that_its_clang_loads() {
    let sandbox = Sandbox::new();
    let cache = cache_without_plugins();
    // Cargo reads the configuration of every directory above; a user has one in the home directory.
    let configuration = cache.join(".cargo/config.toml");
    std::fs::create_dir_all(configuration.parent().unwrap()).unwrap();
    let hostile = "[build]\nrustflags = [\"--hostile\"]\ntarget = \"wasm32-unknown-unknown\"\n\
                   rustc-wrapper = \"/bin/false\"\n[env]\nCXX = \"/bin/false\"\nCXXFLAGS = \"--hostile\"\n";
    std::fs::write(configuration, hostile).unwrap();

    let mut plugins = Vec::new();
    for (llvm, processes) in [(Llvm::find(22), 16), (Llvm::find(19), 2)] {
        let children: Vec<_> =
            (0..processes).map(|_| hostile_build(&sandbox, &cache, &llvm).spawn().unwrap()).collect();
        let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
        let plugin = printed(&outputs[0]);
        assert!(outputs.iter().all(|output| printed(output) == plugin));
        let said: String = outputs.iter().map(|output| String::from_utf8_lossy(&output.stderr)).collect();
        let building = format!("sqtt: building the plugin for LLVM {}.", llvm.major);
        let waiting = "sqtt: waiting for another process ";
        assert_eq!(said.lines().filter(|line| line.starts_with(&building)).count(), 1, "{said}");
        assert!(said.lines().all(|line| line.starts_with(&building) || line.starts_with(waiting)), "{said}");
        plugins.push((llvm, plugin));
    }
    for (llvm, plugin) in plugins {
        exports_just_its_entry(&plugin);
        assert!(loads(&llvm, &plugin));
        assert!(!loads(&llvm, &cache.join("no plugin")), "the check is one");
    }
}

/// What a killed cargo leaves is another matter than what our own code leaves (tests/toolchain_killed.rs).
#[test]
fn a_real_build_that_is_killed_is_repaired_by_the_next() {
    let sandbox = Sandbox::new();
    let llvm = Llvm::find(22);
    // Beside the other test's cache, as both take their plugins away.
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("killed build");
    std::fs::create_dir_all(&cache).unwrap();
    for milliseconds in [300, 1500, 4000, 9000] {
        _ = std::fs::remove_dir_all(cache.join("plugin"));
        let mut child = hostile_build(&sandbox, &cache, &llvm).process_group(0).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let group = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
        _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        child.wait().unwrap();
    }
    let plugin = printed(&hostile_build(&sandbox, &cache, &llvm).output().unwrap());
    exports_just_its_entry(&plugin);
    assert!(loads(&llvm, &plugin));
}

fn exports_just_its_entry(plugin: &Path) {
    let bytes = std::fs::read(plugin).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let exported = file.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    assert_eq!(exported.map(|symbol| symbol.name().unwrap()).collect::<Vec<_>>(), ["llvmGetPassPluginInfo"]);
}

/// Whether that LLVM's clang compiles an empty unit with the plugin.
fn loads(llvm: &Llvm, plugin: &Path) -> bool {
    let mut option = std::ffi::OsString::from("-fpass-plugin=");
    option.push(plugin);
    let mut clang = llvm.tool("clang");
    clang.args(["-x", "c", "/dev/null", "-S", "-O1", "-o", "/dev/null"]).arg(option);
    clang.stderr(Stdio::null()).status().unwrap().success()
}
