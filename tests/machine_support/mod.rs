//! Code objects for the tests of machine code, made by the real tools. Not a test itself.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs of it")]

pub mod assembly;
pub mod cases;
#[path = "../pass_support/llvm.rs"]
pub mod llvm;
#[path = "../pass_support/process.rs"]
pub mod process;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use sqtt_contract::funcmap::Funcmap;
use sqtt_hipcc::code_object::{self, Target};
use sqtt_hipcc::machine::{self, Program, Report, Rule};
use sqtt_hipcc::toolchain::Objdump;

use llvm::Llvm;

/// A code object as the lint wants it.
pub struct Machine {
    pub program: Program,
    pub map: Funcmap,
    pub target: Target,
}

impl Machine {
    /// Disassembles the only code object in `bytes` with the objdump of `llvm`.
    pub fn read(llvm: &Llvm, bytes: &[u8]) -> Machine {
        let contents = code_object::read(bytes);
        let [code_object] = contents.code_objects.as_slice() else { panic!("{:?}", contents.problems) };
        let text = Objdump::at(&llvm.program("llvm-objdump")).disassemble(code_object.bytes()).unwrap();
        let program = Program::parse(&text, code_object).unwrap();
        let map = code_object.funcmap().unwrap_or_default();
        Machine { program, map, target: code_object.target().clone() }
    }

    pub fn lint(&self) -> Report {
        machine::lint(&self.program, &self.map, &self.target)
    }

    /// The rules that are broken, each once, in their order.
    pub fn broken(&self) -> Vec<Rule> {
        rules(&self.lint())
    }
}

pub fn rules(report: &Report) -> Vec<Rule> {
    let mut rules: Vec<Rule> = report.findings.iter().map(|finding| finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// `clang` of `llvm` in a clean environment, working in `directory`.
pub fn clang(llvm: &Llvm, directory: &Path) -> Command {
    process::command(&llvm.program("clang"), &llvm.prefix.join("bin"), directory)
}

/// `clang` for the device half of a HIP file, with the headers of this project and of the pass tests to include from.
pub fn hip(llvm: &Llvm, gpu: &str, directory: &Path) -> Command {
    let mut clang = clang(llvm, directory);
    clang.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-w"]);
    for include in ["headers", "tests/pass/inputs", "tests/cases"] {
        clang.arg(format!("-I{}", llvm::root().join(include).display()));
    }
    clang.arg(format!("--offload-arch={gpu}"));
    clang
}

/// What `command` wrote to `output`; `None`, and on the test's stderr why, when it failed.
pub fn output_of(command: &mut Command, output: &Path) -> Option<Vec<u8>> {
    let ran = command.arg("-o").arg(output).output().unwrap();
    if !ran.status.success() {
        eprintln!("{command:?}\n{}", String::from_utf8_lossy(&ran.stderr));
        return None;
    }
    Some(fs_err::read(output).unwrap())
}

/// A hipcc with that LLVM, made by ci/toolchain once per run where other tests make it too.
pub fn hipcc(llvm: &Llvm) -> PathBuf {
    static MADE: [OnceLock<PathBuf>; 2] = [OnceLock::new(), OnceLock::new()];
    MADE[usize::from(llvm.major != 19)]
        .get_or_init(|| {
            let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
            let plain = |character: char| character.is_ascii_alphanumeric() || "/._+-".contains(character);
            let is_plain = shared.to_str().is_some_and(|path| path.chars().all(plain));
            let parent = if is_plain { shared } else { std::env::temp_dir().join("sqtt-tests") };
            let prefix = parent.join(format!("toolchain-{}", llvm.major));
            let mut make = Command::new("bash");
            make.arg(llvm::root().join("ci/toolchain")).arg(&prefix).arg(llvm.major.to_string());
            let ran = make.output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            prefix.join("bin/hipcc")
        })
        .clone()
}
