//! Hand-made kernels with the rules that they break, checked for every GPU. Not a test itself.

use std::collections::BTreeSet;

use super::assembly::{GPUS, Gpu, Kernel};
use super::llvm::{Llvm, MAJORS};
use sqtt_hipcc::machine::Rule;

/// A program and the rules that it breaks.
pub struct Case {
    pub name: &'static str,
    pub body: &'static str,
    pub functions: &'static [(&'static str, &'static str)],
    pub broken: &'static [Rule],
}

pub const ROWS: &[&str] =
    &["F:1:f", "U:2:u", "P:3:p", "P:4:d", "R:4:extra_payload_count=2", "P:5:a", "R:5:extra_payload_count=32"];

pub const fn case(name: &'static str, broken: &'static [Rule], body: &'static str) -> Case {
    Case { name, body, functions: &[], broken }
}

/// Checks each case as a kernel of one program for every GPU.
pub fn run(rows: &[&str], cases: &[Case]) {
    run_on(|_| true, rows, cases);
}

pub fn run_on(wanted: impl Fn(Gpu) -> bool, rows: &[&str], cases: &[Case]) {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..cases.len()).map(|index| format!("k{index:02}")).collect();
    let mut wrong = Vec::new();
    for llvm in MAJORS.map(Llvm::new) {
        for gpu in GPUS.into_iter().filter(|gpu| gpu.since <= llvm.major && wanted(*gpu)) {
            let kernels: Vec<Kernel<'_>> = names
                .iter()
                .zip(cases)
                .map(|(name, case)| Kernel { name, body: case.body, functions: case.functions })
                .collect();
            let report = gpu.assemble(&llvm, directory.path(), &gpu.program(rows, &kernels)).lint();
            for (name, case) in names.iter().zip(cases) {
                let of_case = report.findings.iter().filter(|finding| finding.function.starts_with(name.as_str()));
                let found: BTreeSet<Rule> = of_case.clone().map(|finding| finding.rule).collect();
                if found.iter().ne(case.broken) {
                    let findings: Vec<String> = of_case.map(ToString::to_string).collect();
                    let (gpu, major) = (gpu.name, llvm.major);
                    wrong.push(format!("{}, {gpu}, LLVM {major}: {found:?}\n  {}", case.name, findings.join("\n  ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
