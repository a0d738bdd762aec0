//! The machine code of a program keeps the rules of the lint.

use std::path::Path;

use sqtt_hipcc::code_object;
use sqtt_hipcc::machine::{self, Finding, Program, Rule};
use sqtt_hipcc::toolchain::Objdump;

use crate::case::Case;
use crate::check::Failure;
use crate::model::Verdict;
use crate::program::NUMBERS;

/// Lints the code object `marked` of `case`, also against `plain`, the same program without markers.
///
/// Scopes are found wrong exactly where the program is unbalanced. Nothing of a generated program is beyond the lint.
pub(crate) fn check(case: &Case, marked: &Path, plain: &Path, objdump: &Path) -> Result<(), Failure> {
    let objdump = Objdump::at(objdump);
    let (marked, plain) = (read(marked)?, read(plain)?);
    let contents = code_object::read(&marked);
    let object = contents.code_objects.first().ok_or_else(|| failure("lint", "no code object"))?;
    let program = parse(&marked, &objdump)?;
    let map = object.funcmap().unwrap_or_default();
    let report = machine::lint(&program, &map, object.target());
    let boundary = case.boundary();
    let mut findings = report.findings;
    findings.extend(machine::lint_against(&program, &parse(&plain, &objdump)?, boundary));
    let (scopes, others): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|finding| finding.rule == Rule::ScopeBalance);
    if let Some(finding) = others.iter().find(|finding| !is_number(finding)) {
        return Err(failure(&format!("lint: {}", finding.rule), &said(&others)));
    }
    match case.balance {
        Verdict::Balanced if !scopes.is_empty() => return Err(failure("lint: false alarm", &said(&scopes))),
        Verdict::Unbalanced if scopes.is_empty() => return Err(failure("lint: nothing found", &case.reason)),
        _ => {}
    }
    if report.unseen != Default::default() {
        return Err(failure("lint: unseen", &format!("{:?}", report.unseen)));
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs_err::read(path).map_err(|error| failure("files", &error.to_string()))
}

fn parse(file: &[u8], objdump: &Objdump) -> Result<Program, Failure> {
    let contents = code_object::read(file);
    let object = contents.code_objects.first().ok_or_else(|| failure("lint", "no code object"))?;
    let text = objdump.disassemble(object.bytes()).map_err(|error| failure("lint", &error.to_string()))?;
    Program::parse(&text, object).map_err(|error| failure("lint", &error.to_string()))
}

/// A number that the program traces itself is in no map.
fn is_number(finding: &Finding) -> bool {
    let mut words = finding.message.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
    finding.rule == Rule::MarkerId && words.any(|word| NUMBERS.contains(&word))
}

fn failure(what: &str, text: &str) -> Failure {
    Failure { what: what.to_owned(), text: text.to_owned() }
}

fn said(findings: &[Finding]) -> String {
    findings.iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
}
