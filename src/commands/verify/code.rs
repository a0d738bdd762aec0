//! The rules over the machine code of one code object.

use std::collections::HashMap;
use std::path::Path;

use sqtt_contract::settings::Boundary;

use super::super::disassembler::{Code, Disassembler};
use super::super::lines::Lines;
use super::against::Plain;
use super::finding::{File, Finding, MapOnly};
use crate::code_object::CodeObject;
use crate::machine::{self, Program, Rule};
use crate::validate::{self, Severity};

/// Findings of one rule that are told for one code object, as for the rules over maps; the rest is counted.
const TOLD: usize = 20;

/// Adds what is found in the machine code of `code_object` to `file`.
pub(super) fn check(
    path: &Path,
    code_object: &CodeObject<'_>,
    disassembler: &mut Disassembler<'_>,
    plain: Option<&mut Plain>,
    file: &mut File,
) {
    let object = code_object.place().in_file(path);
    match disassembler.read(code_object) {
        Ok(Code::Program(program)) => {
            let without = plain.map(|plain| Ok((plain.take(code_object)?, plain.boundary))).transpose();
            let without = without.unwrap_or_else(|error: anyhow::Error| {
                file.errors.push(format!("{object}: {error:#}"));
                None
            });
            lint(&object, code_object, &program, without, file);
        }
        Ok(Code::Unseen(reason)) => file.maps_only.push(MapOnly { object, reason }),
        Err(error) => file.errors.push(format!("{object}: {error:#}")),
    }
}

/// `without` is the program without markers and the boundary of the markers, for the rules that compare.
fn lint(
    object: &str,
    code_object: &CodeObject<'_>,
    program: &Program,
    without: Option<(Program, Boundary)>,
    file: &mut File,
) {
    let map = code_object.funcmap();
    let report = machine::lint(program, &map.clone().unwrap_or_default(), code_object.target());
    file.unseen.add(report.unseen);
    let lines = Lines::of(code_object.bytes());
    // A map that is missing is told once, not for every id.
    let told = report.findings.into_iter().filter(|finding| map.is_some() || finding.rule != Rule::MarkerId);
    let mut findings: Vec<Finding> = told.map(|finding| of_lint(object, &lines, finding)).collect();
    findings.extend(missing_map(object, code_object, program, &lines).filter(|_| map.is_none()));
    if let Some((plain, boundary)) = without {
        let beside = machine::lint_against(program, &plain, boundary);
        findings.extend(beside.into_iter().map(|finding| of_lint(object, &lines, finding)));
    }
    file.findings.extend(bounded(findings));
}

fn of_lint(object: &str, lines: &Lines<'_>, finding: machine::Finding) -> Finding {
    Finding {
        rule: finding.rule.name().to_owned(),
        name: finding.rule.name(),
        severity: match finding.rule.severity() {
            machine::lint::Severity::Error => Severity::Error,
            machine::lint::Severity::Warning => Severity::Warning,
        },
        object: object.to_owned(),
        function: Some(finding.function),
        address: Some(finding.address),
        source: lines.find(finding.address),
        message: finding.message,
    }
}

/// Code that traces and has no kernel should have a map too; one with a kernel is told by the rules over maps.
fn missing_map(
    object: &str,
    code_object: &CodeObject<'_>,
    program: &Program,
    lines: &Lines<'_>,
) -> impl Iterator<Item = Finding> {
    let has_kernel = code_object.kernel_descriptors().is_ok_and(|kernels| !kernels.is_empty());
    let marked = program.functions.iter().filter(|_| !has_kernel).find_map(|function| {
        let marker = function.markers().into_iter().next()?;
        Some((function.name.clone(), marker.address))
    });
    let rule = validate::Rule::MissingMap;
    marked.into_iter().map(move |(function, address)| Finding {
        rule: rule.code(),
        name: rule.name(),
        severity: rule.severity(),
        object: object.to_owned(),
        function: Some(function),
        address: Some(address),
        source: lines.find(address),
        message: "it traces, but there is no map that says what".to_owned(),
    })
}

fn bounded(findings: Vec<Finding>) -> Vec<Finding> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut told: Vec<Finding> = Vec::new();
    for finding in findings {
        let count = counts.entry(finding.rule.clone()).or_insert(0);
        *count += 1;
        if *count <= TOLD {
            told.push(finding);
        }
    }
    for (rule, count) in counts.into_iter().filter(|(_, count)| *count > TOLD) {
        if let Some(last) = told.iter_mut().rfind(|finding| finding.rule == rule) {
            last.message += &format!("\n{} more findings of the kind are not shown", count - TOLD);
        }
    }
    told
}
