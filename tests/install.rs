//! `sqtt install`: what is put below a prefix, that it works from wherever the prefix is moved to, and without a network.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod llvm;
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use llvm::{Llvm, success};
use sqtt_contract::variables;
use sqtt_hipcc::toolchain::sources::{HEADERS, PLUGIN, SourceTree};
use support::Sandbox;
use support::fake_cargo::{Machine, printed};

const READER: &str = env!("CARGO_BIN_EXE_sqtt");

fn install(program: impl AsRef<Path>, prefix: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(["install", "--prefix"]).arg(prefix).args(flags);
    command
}

/// The files below a directory, relative to it.
fn files(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(below) = pending.pop() {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => pending.push(path),
                false => drop(found.insert(path.strip_prefix(directory).unwrap().to_owned())),
            }
        }
    }
    found
}

fn is_whole(tree: &SourceTree, directory: &Path) {
    for file in tree.files {
        assert!(std::fs::read(directory.join(file.path)).unwrap() == file.bytes, "{}", file.path);
    }
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names of the subcommands of `sqtt`, as its help lists them.
fn subcommands() -> Vec<String> {
    let help = success(Command::new(READER).arg("--help")).stdout;
    let help = String::from_utf8(help).unwrap();
    let rows = help.split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.is_empty());
    let names = rows.filter_map(|row| row.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    let names: Vec<String> = names.filter_map(|row| row.split(' ').next()).map(str::to_owned).collect();
    assert!(names.len() > 6 && names.contains(&"install".to_owned()), "{names:?}");
    names
}

#[test]
fn every_path_that_is_printed_is_there_and_nothing_else_is() {
    let sandbox = Sandbox::new();
    let prefix = sandbox.path("a prefix");
    let output = success(&mut install(READER, &prefix, &["--no-crates"]));
    let printed = String::from_utf8(output.stdout).unwrap();
    let paths: Vec<PathBuf> = printed.lines().map(|line| PathBuf::from(line.split(" -> ").next().unwrap())).collect();
    for file in files(&prefix) {
        let path = prefix.join(&file);
        assert!(paths.iter().any(|printed| path.starts_with(printed)), "`{}` is not printed", file.display());
    }
    for path in paths {
        assert!(path.starts_with(&prefix) && path.exists(), "{}", path.display());
    }
    is_whole(&HEADERS, &prefix.join("include/sqtt"));
    assert_eq!(files(&prefix.join("include/sqtt")).len(), HEADERS.files.len());
    is_whole(&PLUGIN, &prefix.join("share/sqtt/plugin-src"));
}

#[test]
fn installing_again_replaces_everything_and_leaves_nothing_else() {
    let sandbox = Sandbox::new();
    let prefix = sandbox.path("prefix");
    success(&mut install(READER, &prefix, &["--no-crates"]));
    let before = files(&prefix);
    for stale in ["include/sqtt/stale.hpp", "share/sqtt/plugin-src/plugin/src/stale.rs"] {
        std::fs::write(prefix.join(stale), "").unwrap();
    }
    std::fs::write(prefix.join("include/sqtt/markers.hpp"), "").unwrap();
    // The installed program installs itself, over itself.
    success(&mut install(prefix.join("bin/sqtt"), &prefix, &["--no-crates"]));
    assert_eq!(files(&prefix), before);
    is_whole(&HEADERS, &prefix.join("include/sqtt"));
    success(Command::new(prefix.join("bin/sqtt")).arg("--version"));
}

/// bash itself completes; for the other shells, which need not be here, every subcommand has to be in their scripts.
#[test]
fn completions_know_every_subcommand() {
    let sandbox = Sandbox::new();
    let prefix = sandbox.path("prefix");
    success(&mut install(READER, &prefix, &["--no-crates"]));
    let bash = prefix.join("share/bash-completion/completions/sqtt");
    let complete = |words: &str, word: &str| {
        let index = words.split(' ').count() - 1;
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD={index}; _sqtt sqtt '{word}' x; echo \"${{COMPREPLY[@]}}\"",
            bash.display()
        );
        String::from_utf8(success(Command::new("bash").args(["--norc", "-c", &script])).stdout).unwrap()
    };
    assert_eq!(complete("sqtt funcm", "funcm"), "funcmap\n");
    assert!(complete("sqtt verify --sar", "--sar").contains("--sarif"));
    let (zsh, fish) = ("share/zsh/site-functions/_sqtt", "share/fish/vendor_completions.d/sqtt.fish");
    let (zsh, fish) = (text(prefix.join(zsh)), text(prefix.join(fish)));
    assert!(zsh.starts_with("#compdef sqtt\n") && fish.contains("complete -c sqtt "));
    for name in subcommands() {
        assert!(zsh.contains(&format!("'{name}:")) || zsh.contains(&format!("({name})")), "zsh: {name}");
        assert!(fish.contains(&format!("-a \"{name}\"")), "fish: {name}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_program_and_subcommand() {
    let sandbox = Sandbox::new();
    let prefix = sandbox.path("prefix");
    success(&mut install(READER, &prefix, &["--no-crates"]));
    let manual = prefix.join("share/man/man1");
    // As roff has them: a hyphen that is one is escaped.
    let page = |name: &str| text(manual.join(format!("{name}.1"))).replace("\\-", "-");
    for name in subcommands().iter().filter(|name| *name != "help") {
        assert!(page(&format!("sqtt-{name}")).contains(&format!("sqtt {name}")), "{name}");
    }
    assert!(page("sqtt").contains("sqtt-funcmap(1)") && page("sqtt-plugin-build").contains("--llvm-prefix"));
    let driver = page("sqtt-hipcc");
    for flag in variables::TABLE.iter().filter_map(|variable| variable.flag) {
        assert!(driver.contains(&format!("--sqtt-{flag}")), "{flag}");
    }
    // What it accepts ran on from what a flag is for, and nothing said where the compiler's words go.
    assert!(driver.contains("see waves wait for one another\n\naccepts 1, y"), "{driver}");
    for said in ["HIPCC-ARGUMENTS", "Exit status: the compiler's", "--sqtt-launch"] {
        assert!(driver.replace("\\*(Aq", "'").contains(said), "{said}: {driver}");
    }
    for name in files(&manual) {
        let text = text(manual.join(&name));
        assert!(text.contains("\n.TH ") && text.contains("\n.SH NAME\n"), "{}", name.display());
    }
}

/// Lines of clap's options are indented; the others are ours.
#[test]
fn each_help_tells_the_exit_status_in_lines_that_fit() {
    for name in subcommands().iter().filter(|name| *name != "help") {
        let help = String::from_utf8(success(Command::new(READER).args([name, "--help"])).stdout).unwrap();
        assert!(help.contains("\nExit status: 0"), "{name}: {help}");
        for line in help.lines().filter(|line| !line.starts_with(' ')) {
            assert!(line.chars().count() <= 125, "{name}: {line}");
        }
    }
}

#[test]
fn without_cargo_the_crates_cannot_be_had_and_can_be_left_out() {
    let sandbox = Sandbox::new();
    let prefix = sandbox.path("prefix");
    let mut command = install(READER, &prefix, &[]);
    let output = command.env_clear().env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("there is no `cargo`"), "{}", said(&output));
    let cargo = sandbox.script("bin/cargo", "echo 'error: no network' >&2; exit 101");
    let output = command.env("PATH", cargo.parent().unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let why = said(&output);
    assert!(why.contains("error: no network") && why.ends_with("leave the crates out with `--no-crates`\n"), "{why}");
    assert_eq!(files(&prefix), BTreeSet::new(), "nothing is half installed");
    success(install(READER, &prefix, &["--no-crates"]).env_clear());
}

/// The words that cargo is called with by the program in a prefix, when it builds the plugin.
fn words_of_cargo(machine: &Machine, prefix: &Path) -> String {
    let mut build = Command::new(prefix.join("bin/sqtt"));
    build.args(["plugin", "build", "--llvm-prefix"]).arg(machine.sandbox.path("llvm")).env_clear();
    build.env("PATH", machine.sandbox.path("bin")).env(variables::CACHE_DIR, machine.sandbox.path("cache"));
    let output = build.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    std::fs::remove_dir_all(machine.sandbox.path("cache/plugin")).unwrap();
    machine.runs().pop().unwrap()
}

#[test]
fn crates_that_are_installed_with_the_program_are_used_and_no_others() {
    let machine = Machine::new();
    let prefix = machine.sandbox.path("prefix");
    success(&mut install(READER, &prefix, &["--no-crates"]));
    assert!(!words_of_cargo(&machine, &prefix).contains("offline"));
    let vendor = prefix.join("share/sqtt/plugin-src/vendor");
    std::fs::create_dir(&vendor).unwrap();
    let words = words_of_cargo(&machine, &prefix);
    assert!(words.contains(" --offline ") && words.contains(vendor.to_str().unwrap()), "{words}");
    let moved = machine.sandbox.path("moved");
    std::fs::rename(&prefix, &moved).unwrap();
    let words = words_of_cargo(&machine, &moved);
    let vendor = moved.join("share/sqtt/plugin-src/vendor");
    assert!(words.contains(" --offline ") && words.contains(vendor.to_str().unwrap()), "{words}");
    // Those of another release may be other crates.
    std::fs::write(moved.join("share/sqtt/plugin-src/DIGEST"), "another\n").unwrap();
    assert!(!words_of_cargo(&machine, &moved).contains("offline"));
}

/// `sqtt plugin build` on a machine with nothing in it: no network, no crates, no configuration, an empty home.
fn offline_build(prefix: &Path, sandbox: &Sandbox) -> Output {
    let cargo = Path::new(env!("CARGO")).parent().unwrap();
    let path = std::env::join_paths([cargo, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut build = Command::new(prefix.join("bin/sqtt"));
    build.args(["plugin", "build", "--compiler"]).arg(Llvm::find(22).tool("clang++").get_program());
    build.env_clear().env("PATH", path).env("HOME", sandbox.path("home")).env("CARGO_NET_OFFLINE", "true");
    build.env("CARGO_HOME", sandbox.path("home/cargo")).env(variables::CACHE_DIR, sandbox.path("cache"));
    build.output().unwrap()
}

/// What compiles a kernel with the driver of a prefix, on a machine that cannot build a plugin.
fn compile(prefix: &Path, sandbox: &Sandbox, cache: &str) -> Output {
    let text =
        "#include \"markers.hpp\"\n__attribute__((global)) void kernel(int *p) { SQTT_SCOPE(\"work\"); *p = 1; }\n";
    let source = sandbox.file("kernel.hip", text);
    let mut driver = Command::new(prefix.join("bin/sqtt-hipcc"));
    driver.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.path("home"));
    driver
        .env(variables::CACHE_DIR, sandbox.path(cache))
        .env(variables::HIPCC, Llvm::find(22).tool("clang++").get_program());
    driver.args(["--offload-arch=gfx942", "-nogpuinc", "-nogpulib", "--cuda-device-only", "-O2", "-c"]);
    driver.arg(source).arg("-o").arg(sandbox.path("kernel.o")).output().unwrap()
}

/// One test for the whole life of an installation, as the plugin is built in it.
#[test]
fn a_moved_installation_builds_its_plugin_offline_and_passes_it_on() {
    let sandbox = Sandbox::new();
    let bare = sandbox.path("bare");
    success(&mut install(READER, &bare, &["--no-crates"]));
    let output = offline_build(&bare, &sandbox);
    assert!(!output.status.success(), "there is nothing to build with, so the check is one");

    let moved = sandbox.path("moved \"here\"");
    success(&mut install(READER, &sandbox.path("first"), &[]));
    std::fs::rename(sandbox.path("first"), &moved).unwrap();
    let plugin = printed(&offline_build(&moved, &sandbox));
    assert!(plugin.starts_with(sandbox.path("cache/plugin")), "{}", plugin.display());

    let none = install(moved.join("bin/sqtt"), &sandbox.path("none"), &["--plugins", "--no-crates"])
        .env(variables::CACHE_DIR, sandbox.path("empty"))
        .output()
        .unwrap();
    assert!(said(&none).contains("there is no plugin in the cache"), "{}", said(&none));
    let (second, third) = (sandbox.path("second"), sandbox.path("third"));
    let mut again = install(moved.join("bin/sqtt"), &second, &["--plugins", "--no-crates"]);
    success(again.env(variables::CACHE_DIR, sandbox.path("cache")));
    std::fs::rename(&second, &third).unwrap();

    // No cargo in PATH, nothing in the cache: only what came with the programs.
    let output = compile(&bare, &sandbox, "cache of bare");
    assert_eq!(output.status.code(), Some(125), "{}", said(&output));
    let output = compile(&third, &sandbox, "cache of third");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output));
    assert!(!sandbox.path("cache of third/plugin").exists());
    let map = success(Command::new(third.join("bin/sqtt")).arg("funcmap").arg(sandbox.path("kernel.o"))).stdout;
    assert!(String::from_utf8(map).unwrap().contains("work"));
    let mut list = Command::new(third.join("bin/sqtt"));
    let list = success(list.args(["plugin", "list"]).env(variables::CACHE_DIR, sandbox.path("empty"))).stdout;
    let list = String::from_utf8(list).unwrap();
    assert!(list.contains("current") && list.contains(third.join("lib/sqtt/plugin").to_str().unwrap()), "{list}");
}
