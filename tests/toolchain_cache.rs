//! Which plugin `sqtt plugin build|path` gives: for which LLVM, from which cache.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use sqtt_contract::variables;
use support::fake_cargo::{Machine, message, printed};

#[test]
fn the_plugin_is_built_once_and_then_found() {
    let machine = Machine::new();
    let first = machine.build();
    let path = printed(&first);
    assert_eq!(std::fs::read(&path).unwrap(), b"x\n");
    assert!(path.starts_with(machine.sandbox.path("cache/plugin")), "{}", path.display());
    let stderr = String::from_utf8(first.stderr).unwrap();
    assert!(stderr.starts_with("sqtt: building the plugin for LLVM 22.1.8 (once;"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");

    let second = machine.build();
    assert_eq!((printed(&second), second.stderr.as_slice()), (path, &b""[..]));
    assert_eq!(machine.runs().len(), 1);
}

#[test]
fn a_plugin_for_other_headers_is_another_plugin() {
    let machine = Machine::new();
    let first = printed(&machine.build());
    machine.headers("llvm", "22.1.9");
    let second = printed(&machine.build());
    let header = machine.sandbox.path("llvm/include/llvm/Config/llvm-config.h");
    let header = std::fs::File::options().write(true).open(header).unwrap();
    header.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let third = printed(&machine.build());
    assert!(first != second && second != third && first != third);
    assert_eq!(machine.runs().len(), 3);
    assert!(first.is_file(), "it serves those who have the old LLVM");
}

#[test]
fn a_plugin_for_another_prefix_is_another_plugin() {
    let machine = Machine::new();
    let first = printed(&machine.build());
    let from = machine.sandbox.path("llvm");
    let copied = Command::new("cp").arg("-a").arg(&from).arg(machine.sandbox.path("copy")).status().unwrap();
    assert!(copied.success());
    std::fs::remove_dir_all(&from).unwrap();
    machine.sandbox.link("copy", "llvm");
    assert_ne!(printed(&machine.build()), first);
    std::fs::remove_file(&from).unwrap();
    std::fs::rename(machine.sandbox.path("copy"), &from).unwrap();
    assert_eq!(printed(&machine.build()), first);
}

#[test]
fn headers_that_are_not_there_name_their_package() {
    let machine = Machine::new();
    for (bin, says, package) in [
        ("clang/bin", "Debian clang version 21.1.0 (x)", "llvm-21-dev"),
        ("rocm-7.0/lib/llvm/bin", "AMD clang version 20.0.0 (x)", "rocm-llvm-dev"),
        ("built/bin", "AMD clang version 20.0.0git (x)", "rocm-llvm-dev"),
    ] {
        let directory = machine.sandbox.path(bin);
        let body = format!("echo '{says}'; echo 'InstalledDir: {}'", directory.display());
        let compiler = machine.sandbox.script(format!("{bin}/clang++"), &body);
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        command.args(["plugin", "build", "--compiler"]).arg(compiler).env_clear();
        command.env("PATH", machine.sandbox.path("bin")).env(variables::CACHE_DIR, machine.sandbox.path("cache"));
        command.env("ROCM_PATH", machine.sandbox.path("no rocm"));
        let said = message(&command.output().unwrap());
        assert!(said.ends_with(&format!("install `{package}`\n")), "{said}");
    }
}

#[test]
fn an_llvm_without_a_plugin_is_told_which_have_one() {
    for version in ["18.1.8", "24.0.0git"] {
        let machine = Machine::new();
        machine.headers("llvm", version);
        let said = message(&machine.build());
        assert!(said.contains(&format!("LLVM {version} has no plugin\n")) && said.contains("19 to 23"), "{said}");
        assert!(said.contains("`--sqtt-compiler=PATH`") && said.contains(variables::HIPCC), "{said}");
    }
    let machine = Machine::new();
    std::fs::remove_dir_all(machine.sandbox.path("llvm")).unwrap();
    assert!(message(&machine.build()).contains("has no `include/llvm/Config/llvm-config.h`"));
}

#[test]
fn path_never_builds() {
    let machine = Machine::new();
    let said = message(&machine.sqtt("path").output().unwrap());
    assert!(said.lines().last().unwrap().contains("`sqtt plugin build`"), "{said}");
    assert!(machine.runs().is_empty() && !machine.sandbox.path("cache").exists());
    let built = printed(&machine.build());
    assert_eq!(printed(&machine.sqtt("path").output().unwrap()), built);
}

#[test]
fn a_cached_plugin_needs_no_lock_and_writes_nothing() {
    let machine = Machine::new();
    let built = printed(&machine.build());
    // A file system that is mounted read-only; permissions would not stop root.
    for name in ["build.lock", "src", "target", "log"] {
        let path = machine.sandbox.path("cache").join(name);
        if path.is_dir() {
            std::fs::remove_dir_all(&path).unwrap();
        } else {
            std::fs::remove_file(&path).unwrap();
        }
        machine.sandbox.link("/proc/version", path);
    }
    assert_eq!(printed(&machine.build()), built);
    machine.headers("llvm", "22.1.9");
    let said = message(&machine.build());
    assert!(
        said.contains("cannot write to the cache") && said.contains(&format!("set `{}`", variables::CACHE_DIR)),
        "{said}"
    );
}

#[test]
fn without_a_home_the_cache_is_a_private_directory() {
    let machine = Machine::new();
    let temporary = machine.sandbox.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let build = || machine.sqtt("build").env_remove(variables::CACHE_DIR).env("TMPDIR", &temporary).output().unwrap();
    let path = printed(&build());
    let user = rustix::process::getuid().as_raw();
    let cache = temporary.join(format!("sqtt-hipcc-{user}"));
    assert!(path.starts_with(&cache), "{}", path.display());
    assert_eq!(cache.metadata().unwrap().permissions().mode() & 0o777, 0o700);

    std::fs::set_permissions(&cache, std::fs::Permissions::from_mode(0o777)).unwrap();
    let said = message(&build());
    assert!(said.contains("is not safe as a cache: others may write to it") && said.contains("`HOME`"), "{said}");
    std::fs::remove_dir_all(&cache).unwrap();
    std::os::unix::fs::symlink(machine.sandbox.path("elsewhere"), &cache).unwrap();
    assert!(message(&build()).contains("it is no directory"));
}

#[test]
fn a_relative_cache_gives_an_absolute_path() {
    let machine = Machine::new();
    let mut command = machine.sqtt("build");
    command.env(variables::CACHE_DIR, "relative").current_dir(machine.sandbox.path("llvm"));
    let path = printed(&command.output().unwrap());
    assert!(path.starts_with(machine.sandbox.path("llvm/relative/plugin")), "{}", path.display());
}

#[test]
fn the_compiler_of_the_environment_and_of_the_settings_file_is_taken() {
    let machine = Machine::new();
    let compiler = |directory: &str| {
        let bin = machine.sandbox.path("llvm/bin");
        let body = format!("echo 'clang version 22.1.8'; echo 'InstalledDir: {}'", bin.display());
        machine.sandbox.script(format!("{directory}/hipcc"), &body)
    };
    std::fs::create_dir_all(machine.sandbox.path("llvm/bin")).unwrap();
    let bare = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        command.args(["plugin", "build"]).env_clear().env("PATH", machine.sandbox.path("bin"));
        command.env(variables::CACHE_DIR, machine.sandbox.path("cache")).env("ROCM_PATH", machine.sandbox.path("rocm"));
        command
    };
    assert!(message(&bare().output().unwrap()).contains("no HIP compiler found"));
    let chosen = compiler("chosen");
    let built = printed(&bare().env(variables::HIPCC, &chosen).output().unwrap());
    machine.sandbox.file("project/sqtt.toml", "[build]\ncompiler = \"../chosen/hipcc\"\n");
    assert_eq!(printed(&bare().current_dir(machine.sandbox.path("project")).output().unwrap()), built);
    machine.sandbox.file("project/sqtt.toml", "[build]\n\ncompiler = \"missing/hipcc\"\n");
    let said = message(&bare().current_dir(machine.sandbox.path("project")).output().unwrap());
    assert!(said.contains("sqtt.toml:3)"), "{said}");
    compiler("bin");
    assert_eq!(printed(&bare().output().unwrap()), built);
    let said = message(&bare().env(variables::HIPCC, "/missing/hipcc").output().unwrap());
    assert!(said.contains(&format!("({})", variables::HIPCC)), "{said}");
}
