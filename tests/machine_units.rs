//! The lint beside the compiler: it finds what the pass warns of, and programs of several units are clean as one.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::path::{Path, PathBuf};
use std::process::Command;

use machine_support::llvm::{self, Llvm, MAJORS};
use machine_support::{Machine, clang, hip, output_of};
use sqtt_hipcc::machine::{Finding, Rule};

const GPUS: [&str; 3] = ["gfx942", "gfx1100", "gfx1201"];

/// Kernels that are balanced and that the lint takes for unbalanced, as machine code does not say why they are not:
/// file, part of the function's name, and whether that is so at -O0 only.
const NOT_KNOWN: [(&str, &str, bool); 4] = [
    // All lanes that are left leave the loop together; which these are is in a mask.
    ("balanced.hip", "uniform_break", false),
    // A kernel's argument in memory: that all lanes read the same cannot be seen.
    ("balanced.hip", "uniform", true),
    // How many lanes are left in a loop with three ways out.
    ("balanced.hip", "objects", true),
    // The program promises that this arm is never taken.
    ("never_returns.hip", "unreachable", true),
];

fn sources(directory: &str) -> Vec<PathBuf> {
    let directory = llvm::root().join("tests/pass").join(directory);
    let paths = fs_err::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|one| one == "hip")).collect();
    found.sort();
    found
}

fn with_plugin(command: &mut Command, llvm: &Llvm) {
    command.arg(format!("-fpass-plugin={}", llvm.plugin().unwrap().display()));
}

/// Compiles a source that the pass judges; whether it warned of scopes, and what the lint says.
fn judge(llvm: &Llvm, source: &Path, gpu: &str, level: &str, directory: &Path) -> (bool, Vec<Finding>) {
    let output = directory.join("judged.co");
    let mut command = clang(llvm, directory);
    command.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib"]);
    for include in ["headers", "tests/pass/inputs"] {
        command.arg(format!("-I{}", llvm::root().join(include).display()));
    }
    with_plugin(&mut command, llvm);
    let ran = command.args([&format!("--offload-arch={gpu}"), level]).arg(source).arg("-o").arg(&output).output();
    let ran = ran.unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{}: {said}", source.display());
    let machine = Machine::read(llvm, &fs_err::read(output).unwrap());
    let mut findings = machine.lint().findings;
    let is_not_known = |finding: &Finding| {
        let here = NOT_KNOWN.iter().filter(|(file, _, at_o0)| source.ends_with(file) && (level == "-O0" || !at_o0));
        here.into_iter().any(|(_, name, _)| finding.function.contains(name))
    };
    // A number that the program traces itself is in no map.
    findings.retain(|finding| finding.rule != Rule::MarkerId && !is_not_known(finding));
    (said.contains("warning: sqtt: "), findings)
}

#[test]
fn what_the_compiler_warns_of_is_found_in_machine_code() {
    let directory = tempfile::tempdir().unwrap();
    let (mut wrong, mut warned_of) = (Vec::new(), 0);
    for llvm in MAJORS.map(Llvm::new) {
        for (index, source) in sources("balance").iter().enumerate() {
            for (turn, level) in ["-O0", "-O2"].into_iter().enumerate() {
                let gpu = GPUS[(index + turn) % GPUS.len()];
                let (warned, findings) = judge(&llvm, source, gpu, level, directory.path());
                warned_of += usize::from(warned);
                let others = findings.iter().any(|finding| finding.rule != Rule::ScopeBalance);
                if others || warned == findings.is_empty() {
                    let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
                    let name = format!("{} {gpu} {level} LLVM {}", source.display(), llvm.major);
                    wrong.push(format!("{name}: warned: {warned}\n  {}", said.join("\n  ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(warned_of >= 32, "{warned_of}");
}

/// Units of an `-fgpu-rdc` program, compiled apart and linked as clang does.
fn link(llvm: &Llvm, source: &Path, gpu: &str, settings: &[(&str, &str)], directory: &Path) -> Machine {
    let units: &[u32] = if source.ends_with("one_map.hip") { &[1, 2, 3] } else { &[1, 2] };
    let mut linker = machine_support::process::command(&llvm.program("ld.lld"), &llvm.prefix.join("bin"), directory);
    linker.args(["-shared", "--no-undefined", "-plugin-opt=-amdgpu-internalize-symbols"]);
    linker.arg(format!("-plugin-opt=mcpu={gpu}"));
    linker.arg(format!("--load-pass-plugin={}", llvm.plugin().unwrap().display()));
    for unit in units {
        let mut command = hip(llvm, gpu, directory);
        command.args(["-O2", "-fgpu-rdc", "-emit-llvm", "-c", &format!("-DUNIT={unit}"), &format!("-cuid={unit}")]);
        command.env("SQTT_LINKS_LATER", "1").envs(settings.iter().copied()).arg(source);
        with_plugin(&mut command, llvm);
        let bitcode = directory.join(format!("{unit}.bc"));
        output_of(&mut command, &bitcode).unwrap();
        linker.arg(bitcode);
    }
    Machine::read(llvm, &output_of(&mut linker, &directory.join("linked.co")).unwrap())
}

#[test]
fn programs_of_several_units_are_clean() {
    let everything: &[(&str, &str)] =
        &[("SQTT_SCOPE_CU", "0x3"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_BARRIERS", "1")];
    let addresses: &[(&str, &str)] = &[("SQTT_SCOPE_CU", "-1"), ("SQTT_TRACE_ADDRESSES", "memory,lds")];
    let directory = tempfile::tempdir().unwrap();
    let (mut wrong, mut markers) = (Vec::new(), 0);
    for llvm in MAJORS.map(Llvm::new) {
        for (index, source) in sources("rdc").iter().enumerate() {
            for (turn, settings) in [everything, addresses].into_iter().enumerate() {
                let gpu = GPUS[(index + turn) % GPUS.len()];
                let machine = link(&llvm, source, gpu, settings, directory.path());
                let mut report = machine.lint();
                // Numbers that the program traces itself.
                let has_numbers = source.ends_with("every_feature.hip");
                report.findings.retain(|finding| !has_numbers || finding.rule != Rule::MarkerId);
                markers += machine.program.functions.iter().map(|one| one.markers().len()).sum::<usize>();
                if !report.findings.is_empty() || report.unseen.functions + report.unseen.jumps > 0 {
                    wrong.push(format!("{} {gpu} LLVM {}: {report:?}", source.display(), llvm.major));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(markers > 1000, "{markers}");
}
