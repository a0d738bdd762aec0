//! `sqtt doctor`: what it finds, what it misses, and that its status says whether a compile would work.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod llvm;
mod real;
mod support;

use std::path::PathBuf;
use std::process::{Command, Output};

use sqtt_contract::variables;
use support::fake_cargo::Machine;

/// A machine with a fake hipcc in PATH for the fake LLVM, which finds device libraries.
fn machine() -> Machine {
    let machine = Machine::new();
    machine.headers("llvm", "22.9.8");
    hipcc(&machine, "echo ' \"clang\" \"-mlink-builtin-bitcode\" \"/device libs/ocml.bc\"' >&2");
    machine
}

fn hipcc(machine: &Machine, compile: &str) {
    let bin = machine.sandbox.path("llvm/bin");
    let version = format!("echo 'clang version 22.9.8'; echo 'InstalledDir: {}'; exit", bin.display());
    machine.sandbox.script("bin/hipcc", &format!("[ \"$1\" = --version ] && {{ {version}; }}\n{compile}"));
}

fn doctor(machine: &Machine) -> Command {
    let project = machine.sandbox.path("project");
    std::fs::create_dir_all(&project).unwrap();
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    doctor.arg("doctor").current_dir(project).env_clear().env("PATH", machine.sandbox.path("bin"));
    doctor.env(variables::CACHE_DIR, machine.sandbox.path("cache")).env("ROCM_PATH", machine.sandbox.path("no rocm"));
    doctor
}

/// The report of a run that ended with `status`.
fn report(output: &Output, status: i32) -> String {
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(status), &b""[..]), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.lines().count() <= 40, "one screen:\n{text}");
    let verdict = text.lines().last().unwrap();
    assert_eq!(verdict, if status == 0 { "it would work" } else { "it would not work: see the lines with `!`" });
    text
}

/// The lines of one part, joined.
fn part(report: &str, what: &str) -> String {
    let mut lines = report.lines().skip_while(|line| line.get(2..).is_none_or(|line| !line.starts_with(what)));
    let first = lines.next().unwrap_or_else(|| panic!("no `{what}` in\n{report}"));
    let rest = lines.take_while(|line| line.starts_with("                    "));
    std::iter::once(&first[20..]).chain(rest.map(str::trim_start)).collect::<Vec<_>>().join("\n")
}

fn wrong(report: &str) -> Vec<&str> {
    report.lines().filter_map(|line| Some(line.strip_prefix("! ")?.get(..17)?.trim_end())).collect()
}

#[test]
fn all_is_well_on_a_machine_that_has_everything() {
    let machine = machine();
    let path = |below: &str| machine.sandbox.path(below).display().to_string();
    let text = report(&doctor(&machine).output().unwrap(), 0);
    assert_eq!(part(&text, "compiler"), format!("{} (found)", path("bin/hipcc")));
    assert_eq!(part(&text, "LLVM "), format!("22.9.8 (shared) in {}", path("llvm")));
    assert_eq!(part(&text, "LLVM headers"), path("llvm/include/llvm/Config/llvm-config.h"));
    assert_eq!(part(&text, "device libraries"), "/device libs");
    assert_eq!(
        part(&text, "plugin"),
        format!("is built on first use, or by `sqtt plugin build`, with {}, {}", path("bin/cargo"), path("bin/c++"))
    );
    assert_eq!(part(&text, "settings"), "no sqtt.toml");
    assert!(PathBuf::from(part(&text, "markers.hpp")).join("markers.hpp").is_file());
    assert!(machine.runs().is_empty(), "it builds nothing");

    let built = support::fake_cargo::printed(&machine.build());
    std::fs::remove_file(machine.sandbox.path("bin/cargo")).unwrap();
    let text = report(&doctor(&machine).output().unwrap(), 0);
    assert_eq!(part(&text, "plugin"), built.display().to_string(), "a plugin that is there needs no cargo");
}

#[test]
fn the_settings_in_force_are_shown_with_their_origin() {
    let machine = machine();
    machine
        .sandbox
        .file("project/sqtt.toml", "instrument.functions = 10\nscope.cu = 3\n[[override]]\nfiles = 'x'\noff = true\n");
    let mut doctor = doctor(&machine);
    doctor.env(variables::MEM_BARRIER, "asm").env("SQTT_INSTRUMENT_FUNCTION", "1");
    let text = report(&doctor.output().unwrap(), 0);
    let settings = part(&text, "settings");
    for line in [
        "instrument.functions = 10  (sqtt.toml:1)",
        "instrument.mem_barrier = asm  (SQTT_MEM_BARRIER)",
        "1 overrides: see `sqtt config show`",
    ] {
        assert!(settings.lines().any(|shown| shown == line), "{line}:\n{settings}");
    }
    assert!(settings.contains("warning: nothing reads the variable `SQTT_INSTRUMENT_FUNCTION`"), "{settings}");
    assert!(settings.contains("hint: `sqtt.toml:2`: 3 is a mask"), "{settings}");
}

#[test]
fn what_is_missing_is_said_with_what_to_install_and_the_rest_is_still_looked_at() {
    type Damage = fn(&Machine);
    let cases: [(Damage, &[&str], &str); 7] = [
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/hipcc")).unwrap(), &["compiler"], "Debian: `hipcc`"),
        (
            |machine| drop(machine.sandbox.script("bin/hipcc", "exit 3")),
            &["LLVM", "device libraries"],
            "names no clang version",
        ),
        (
            |machine| hipcc(machine, "echo 'clang: error: cannot find ROCm device library' >&2; exit 1"),
            &["device libraries"],
            "clang: error: cannot find ROCm device library\ninstall `rocm-device-libs`",
        ),
        (
            |machine| std::fs::remove_dir_all(machine.sandbox.path("llvm/include")).unwrap(),
            &["plugin"],
            "install `llvm-22-dev`",
        ),
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/cargo")).unwrap(), &["plugin"], "install Rust"),
        (|machine| std::fs::remove_file(machine.sandbox.path("bin/c++")).unwrap(), &["plugin"], "`g++`"),
        (
            |machine| drop(machine.sandbox.file("project/sqtt.toml", "scope.cuu = 1")),
            &["settings"],
            "did you mean `scope.cu`?",
        ),
    ];
    for (damage, parts, advice) in cases {
        let machine = machine();
        damage(&machine);
        let text = report(&doctor(&machine).output().unwrap(), 1);
        assert_eq!(wrong(&text), parts, "{text}");
        assert!(part(&text, parts[0]).contains(advice), "{advice}:\n{text}");
        for all in ["settings", "cache", "compiler", "plugin", "markers.hpp"] {
            part(&text, all);
        }
    }
}

#[test]
fn the_compiler_that_is_asked_for_is_looked_at() {
    let machine = machine();
    let text = report(&doctor(&machine).arg("--compiler=/missing/hipcc").output().unwrap(), 1);
    assert!(part(&text, "compiler").contains("there is no compiler `/missing/hipcc` (--compiler=)"), "{text}");
    let chosen = machine.sandbox.link("hipcc", "bin/other");
    let text = report(&doctor(&machine).env(variables::HIPCC, &chosen).output().unwrap(), 0);
    assert_eq!(part(&text, "compiler"), format!("{} (by {})", chosen.display(), variables::HIPCC));
}

/// A status that says that a compile works is worth nothing unless it does.
#[test]
fn what_it_says_of_a_real_hipcc_is_true() {
    let sandbox = support::Sandbox::new();
    let source = sandbox.file("a.hip", "#include <hip/hip_runtime.h>\n__global__ void k(int *p) { *p = 1; }\n");
    for llvm in llvm::releases() {
        let hipcc = real::hipcc(&llvm);
        let mut driver = real::driver(&hipcc);
        let mut doctor = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        doctor.arg("doctor").current_dir(sandbox.path(""));
        for (name, value) in driver.get_envs() {
            match value {
                Some(value) => doctor.env(name, value),
                None => doctor.env_remove(name),
            };
        }
        let text = report(&doctor.output().unwrap(), 0);
        assert!(part(&text, "LLVM ").starts_with(&format!("{}.", llvm.major)), "{text}");
        assert!(PathBuf::from(part(&text, "device libraries")).join("ocml.bc").is_file(), "{text}");
        let words = ["--hipcc-func-supp", "--offload-arch=gfx942", "-c", "-o", "a.o"];
        real::compile(driver.current_dir(sandbox.path("")).args(words).arg(&source));
        // That clang without hipcc around it has no device libraries, and does not compile.
        let clang = llvm.tool("clang++");
        let text = report(&doctor.arg("--compiler").arg(clang.get_program()).output().unwrap(), 1);
        assert_eq!(wrong(&text), ["device libraries"], "{text}");
    }
}
