//! Which LLVM a compiler is, what is remembered of it and when it is asked again.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod llvm;
mod support;

use std::path::{Path, PathBuf};

use sqtt_contract::variables;
use sqtt_hipcc::environment::Environment;
use sqtt_hipcc::toolchain::host::Host;
use sqtt_hipcc::toolchain::{Cache, FindRequest, Llvm, ToolchainError, find_compiler, probe};
use support::{Sandbox, environment};

/// A fake LLVM in `apart/llvm` (its clang and its headers), where no hipcc looks by itself, and a fake hipcc that counts how often it is asked.
struct Machine {
    sandbox: Sandbox,
    cache: Cache,
}

const SAYS: &str = "AMD clang version 21.0.0git (https://example.invalid/llvm roc-7 123)";

impl Machine {
    fn new() -> Machine {
        let sandbox = Sandbox::new();
        let cache = Cache::at(sandbox.path("cache"));
        let machine = Machine { sandbox, cache };
        machine.sandbox.script("apart/llvm/bin/clang++", "");
        machine.headers("apart/llvm", "21.0.0git");
        machine.hipcc(SAYS);
        machine
    }

    fn headers(&self, prefix: &str, version: &str) {
        let text = format!("#define LLVM_VERSION_MAJOR 0\n  #define LLVM_VERSION_STRING \"{version}\"\n");
        self.sandbox.file(format!("{prefix}/include/llvm/Config/llvm-config.h"), &text);
    }

    fn hipcc(&self, says: &str) -> PathBuf {
        let (count, bin) = (self.sandbox.path("asked"), self.sandbox.path("apart/llvm/bin"));
        let body = format!(
            "echo \"$1 $HIP_CLANG_PATH\" >> '{}'\n/usr/bin/env >> '{}.env'\necho noise >&2\necho 'HIP version: 7.0'\necho '{says}'\n\
             echo 'Target: x86_64-unknown-linux-gnu'\necho 'InstalledDir: {}'",
            count.display(),
            count.display(),
            bin.display()
        );
        self.sandbox.script("bin/hipcc", &body)
    }

    fn variables(&self) -> Vec<(&'static str, PathBuf)> {
        vec![("PATH", "/usr/bin:/bin".into()), ("ROCM_PATH", self.sandbox.path("rocm"))]
    }

    fn probe_in(&self, environment: &Environment) -> Result<Llvm, ToolchainError> {
        let explicit = Some((self.sandbox.path("bin/hipcc"), "test".to_owned()));
        let request = FindRequest { explicit, environment, own_executable: Path::new("/nonexistent") };
        probe(&find_compiler(&request).unwrap(), environment, &self.cache)
    }

    fn probe(&self) -> Result<Llvm, ToolchainError> {
        self.probe_in(&environment(self.variables()))
    }

    /// How often the compiler was asked so far, and with which words.
    fn asked(&self) -> Vec<String> {
        let asked = std::fs::read_to_string(self.sandbox.path("asked")).unwrap_or_default();
        asked.lines().map(str::to_owned).collect()
    }
}

#[test]
fn the_version_and_the_prefix_are_what_the_compiler_says() {
    let machine = Machine::new();
    let llvm = machine.probe().unwrap();
    let prefix = machine.sandbox.path("apart/llvm");
    assert_eq!(llvm, Llvm { version: "21.0.0git".to_owned(), major: 21, prefix, host: Host::default() });
    assert_eq!(machine.asked(), ["--version "]);
}

#[test]
fn a_compiler_is_asked_once() {
    let machine = Machine::new();
    let first = machine.probe().unwrap();
    assert_eq!(machine.probe().unwrap(), first);
    assert_eq!(machine.asked().len(), 1);
}

#[test]
fn the_compiler_runs_in_the_users_environment() {
    let machine = Machine::new();
    let mut variables = machine.variables();
    variables.push(("HIP_CLANG_PATH", "/some/clang".into()));
    machine.probe_in(&environment(variables)).unwrap();
    assert_eq!(machine.asked(), ["--version /some/clang"]);
    let seen = std::fs::read_to_string(machine.sandbox.path("asked.env")).unwrap();
    let guard = format!("{}={}", variables::DRIVER_ACTIVE, machine.sandbox.path("bin/hipcc").display());
    assert!(seen.lines().any(|line| line == guard), "a driver in disguise is told that it would ask itself: {seen}");
}

#[test]
fn a_compiler_is_asked_again_when_it_may_answer_differently() {
    type Change = fn(&Machine, &mut Vec<(&'static str, PathBuf)>);
    let changes: [(&str, Change); 8] = [
        ("the compiler was replaced", |machine, _| drop(machine.hipcc("clang version 22.1.8"))),
        ("its clang was replaced", |machine, _| drop(machine.sandbox.script("apart/llvm/bin/clang++", "# new"))),
        ("its clang is gone", |machine, _| {
            std::fs::remove_file(machine.sandbox.path("apart/llvm/bin/clang++")).unwrap();
        }),
        ("HIP_CLANG_PATH", |_, variables| variables.push(("HIP_CLANG_PATH", "/some".into()))),
        ("HIP_PATH", |_, variables| variables.push(("HIP_PATH", "/some".into()))),
        ("HIP_PLATFORM", |_, variables| variables.push(("HIP_PLATFORM", "amd".into()))),
        ("a clang in the ROCm", |machine, _| drop(machine.sandbox.script("rocm/llvm/bin/clang++", ""))),
        ("a hipcc in PATH", |machine, variables| {
            machine.sandbox.script("path/hipcc", "");
            variables[0].1 = machine.sandbox.path("path");
        }),
    ];
    for (name, change) in changes {
        let machine = Machine::new();
        machine.probe().unwrap();
        let mut variables = machine.variables();
        change(&machine, &mut variables);
        machine.probe_in(&environment(variables)).unwrap();
        assert_eq!(machine.asked().len(), 2, "{name}");
    }
}

#[test]
fn a_clang_behind_a_link_that_moved_is_noticed() {
    let machine = Machine::new();
    machine.sandbox.script("other/clang++", "# 19");
    let link = machine.sandbox.link(machine.sandbox.path("apart/llvm/bin/clang++"), "overlay/clang++-15");
    let mut variables = machine.variables();
    variables.push(("HIP_CLANG_PATH", machine.sandbox.path("overlay")));
    let variables = environment(variables);
    machine.probe_in(&variables).unwrap();
    std::fs::remove_file(&link).unwrap();
    machine.sandbox.link(machine.sandbox.path("other/clang++"), "overlay/clang++-15");
    machine.probe_in(&variables).unwrap();
    assert_eq!(machine.asked().len(), 2);
}

#[test]
fn variables_that_redirect_nothing_do_not_ask_again() {
    let machine = Machine::new();
    machine.probe().unwrap();
    let mut variables = machine.variables();
    variables[0].1 = "/usr/bin:/bin:/nonexistent".into();
    variables.push(("HIPCC_COMPILE_FLAGS_APPEND", "-O2".into()));
    machine.probe_in(&environment(variables)).unwrap();
    assert_eq!(machine.asked().len(), 1);
}

#[test]
fn a_damaged_entry_is_ignored_and_rewritten() {
    for damage in ["", "{", "null", "{\"version\":7}"] {
        let machine = Machine::new();
        let first = machine.probe().unwrap();
        let entries = std::fs::read_dir(machine.sandbox.path("cache/probe")).unwrap();
        let entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(entries.len(), 1);
        std::fs::write(&entries[0], damage).unwrap();
        for _ in 0..2 {
            assert_eq!(machine.probe().unwrap(), first, "{damage}");
        }
        assert_eq!(machine.asked().len(), 2, "{damage}");
    }
}

#[test]
fn a_cache_that_cannot_be_written_costs_only_time() {
    let mut machine = Machine::new();
    machine.cache = Cache::at(machine.sandbox.file("a file", "").join("cache"));
    for count in 1..=2 {
        assert_eq!(machine.probe().unwrap().major, 21);
        assert_eq!(machine.asked().len(), count);
    }
}

#[test]
fn headers_that_are_installed_later_are_found() {
    let machine = Machine::new();
    std::fs::remove_dir_all(machine.sandbox.path("apart/llvm/include")).unwrap();
    assert_eq!(machine.probe().unwrap().prefix, machine.sandbox.path("apart/llvm"));
    machine.headers("rocm/lib/llvm", "21.0.0git");
    assert_eq!(machine.probe().unwrap().prefix, machine.sandbox.path("rocm/lib/llvm"));
    machine.headers("apart/llvm", "21.0.0git");
    assert_eq!(machine.probe().unwrap().prefix, machine.sandbox.path("apart/llvm"));
    assert_eq!(machine.asked().len(), 1);
}

#[test]
fn headers_of_another_llvm_are_not_taken() {
    for other in ["20.1.0", "21.1.0", "21.1.0git", "21.0.0", "22.0.0git", ""] {
        let machine = Machine::new();
        machine.headers("apart/llvm", other);
        machine.headers("rocm/llvm", "21.0.0git");
        assert_eq!(machine.probe().unwrap().prefix, machine.sandbox.path("rocm/llvm"), "{other}");
    }
}

#[test]
fn a_compiler_that_names_no_version_is_an_error_with_what_it_said() {
    let machine = Machine::new();
    machine.sandbox.script("bin/hipcc", "echo out of order; echo really >&2; exit 3");
    let message = machine.probe().unwrap_err().to_string();
    for part in ["bin/hipcc", "exit status: 3", "\n  out of order", "\n  really", "--sqtt-compiler=PATH"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_compiler_that_does_not_start_is_an_error() {
    let machine = Machine::new();
    machine.sandbox.script("bin/hipcc", "");
    let interpreter = machine.sandbox.path("bin/hipcc");
    std::fs::write(&interpreter, "#!/nonexistent/interpreter\n").unwrap();
    let message = machine.probe().unwrap_err().to_string();
    assert!(message.starts_with("cannot run `") && message.contains("bin/hipcc"), "{message}");
}

#[test]
fn real_compilers_are_understood() {
    let machine = Machine::new();
    let real = environment([("PATH", "/usr/bin:/bin")]);
    for release in llvm::releases() {
        let compiler = PathBuf::from(release.tool("clang++").get_program());
        let prefix = compiler.ancestors().nth(2).unwrap().canonicalize().unwrap();
        let explicit = Some((compiler, "test".to_owned()));
        let request = FindRequest { explicit, environment: &real, own_executable: Path::new("/nonexistent") };
        let compiler = find_compiler(&request).unwrap();
        let llvm = probe(&compiler, &real, &machine.cache).unwrap();
        assert_eq!((llvm.major, &llvm.prefix), (release.major, &prefix));
        assert_eq!(llvm, Llvm::in_prefix(&prefix).unwrap());
    }
}

#[test]
fn a_real_hipcc_is_followed_to_the_clang_that_it_calls() {
    let machine = Machine::new();
    // Debian's hipcc runs a shell command line: no blanks.
    let overlays = tempfile::TempDir::new().unwrap();
    for release in llvm::releases() {
        let clang = PathBuf::from(release.tool("clang++").get_program());
        let overlay = overlays.path().join(release.major.to_string());
        std::fs::create_dir(&overlay).unwrap();
        std::os::unix::fs::symlink(&clang, overlay.join("clang++-15")).unwrap();
        let real = environment([("PATH", "/usr/bin:/bin".into()), ("HIP_CLANG_PATH", overlay)]);
        let explicit = Some((PathBuf::from("/usr/bin/hipcc"), "test".to_owned()));
        let request = FindRequest { explicit, environment: &real, own_executable: Path::new("/nonexistent") };
        let llvm = probe(&find_compiler(&request).unwrap(), &real, &machine.cache).unwrap();
        assert_eq!(llvm.major, release.major);
        assert_eq!(llvm.prefix, clang.ancestors().nth(2).unwrap().canonicalize().unwrap());
    }
}
