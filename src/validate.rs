//! Rules over the code objects of a file and their marker maps -> [`Report`].
//!
//! A code object must have a map when it has a kernel descriptor: only then can it be launched, so only then can markers
//! of it reach a trace. (A code object without one that still holds an `s_ttracedata` should have a map too, but telling
//! instructions from literals takes a disassembler; until there is one, such a code object is let pass rather than
//! accused falsely.) A map that is there is always checked, needed or not.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use sqtt_contract::funcmap::{Funcmap, Map, Row, SECTION};
use thiserror::Error;

use crate::code_object::{self, CodeObject, Contents, FileBytes, Limits, Notes, Place, Problem, Unverified};
use crate::terminal::printable;

/// What is wrong with the code objects of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of the file.
    pub findings: Vec<Finding>,
    /// Code objects that were looked at. 0 is no finding: whether a file should hold some is for the caller to know.
    pub code_objects: usize,
    /// Pieces that hold or may hold code objects which cannot be looked at yet; each has a warning of
    /// [`Rule::Unverified`].
    pub unverified: usize,
}

impl Report {
    /// Whether a finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether traces of the code object can be decoded all the same.
    pub severity: Severity,
    /// The rule that is broken.
    pub rule: Rule,
    /// The file, and the containers in it, safe to print.
    pub object: String,
    /// What is wrong, safe to print.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.severity, self.object, self.message)
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A trace cannot be decoded, or not rightly.
    Error,
    /// Worth knowing.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A code object with a kernel has a map.
    MissingMap,
    /// A map has rows.
    EmptyMap,
    /// Each line of a map is a row.
    MalformedRow,
    /// A map ends with a NUL; one that does not may be cut off.
    UnterminatedMap,
    /// No two rows of a map name one id.
    DuplicateId,
    /// No two maps of a code object name one id.
    SharedId,
    /// A payload row speaks of an id that its map names, and no other row contradicts it.
    Payload,
    /// The container and the code object can be read.
    Malformed,
    /// What may hold code objects can be looked into.
    Unverified,
}

impl Rule {
    /// How bad it is to break this rule.
    pub fn severity(self) -> Severity {
        match self {
            Rule::UnterminatedMap | Rule::SharedId | Rule::Unverified => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// Why a file could not be looked at at all.
#[derive(Debug, Error)]
pub enum ValidateError {
    /// It cannot be opened or read; the message names the path.
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// Checks the code objects in the file `path`.
///
/// A file that holds none, or that is no container at all, gives an empty report.
///
/// Errors: the file cannot be read. One that is malformed is not an error but a finding.
pub fn validate_file(path: &Path) -> Result<Report, ValidateError> {
    let file = FileBytes::open(path)?;
    let mut report = Report::default();
    // One code object at a time, so that no more than one bundle is ever unpacked.
    let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
        report.add_code_object(path, &code_object);
        ControlFlow::Continue(())
    });
    let Notes { unverified, problems, .. } = notes;
    report.add_notes(path, &unverified, &problems);
    Ok(report)
}

/// Checks the code objects in `contents`, which were read from the file `path`.
pub fn validate(path: &Path, contents: &Contents<'_>) -> Report {
    let mut report = Report::default();
    for code_object in &contents.code_objects {
        report.add_code_object(path, code_object);
    }
    report.add_notes(path, &contents.unverified, &contents.problems);
    report
}

impl Report {
    fn add_code_object(&mut self, path: &Path, code_object: &CodeObject<'_>) {
        let mut findings = Findings::new(code_object.place().in_file(path));
        check(code_object, &mut findings);
        self.findings.append(&mut findings.finish());
        self.code_objects += 1;
    }

    fn add_notes(&mut self, path: &Path, unverified: &[(Place, Unverified)], problems: &[Problem]) {
        for (place, what) in unverified {
            let mut findings = Findings::new(place.in_file(path));
            findings.add(Rule::Unverified, what.to_string());
            self.findings.append(&mut findings.finish());
        }
        self.unverified += unverified.len();
        for problem in problems {
            let mut findings = Findings::new(problem.place.in_file(path));
            findings.add(Rule::Malformed, problem.malformed.to_string());
            self.findings.append(&mut findings.finish());
        }
    }
}

fn check(code_object: &CodeObject<'_>, findings: &mut Findings) {
    match code_object.funcmap() {
        Some(map) => check_map(&map, findings),
        None => check_needs_none(code_object, findings),
    }
}

fn check_needs_none(code_object: &CodeObject<'_>, findings: &mut Findings) {
    match code_object.kernel_descriptors() {
        Err(malformed) => findings.add(Rule::Malformed, malformed.to_string()),
        Ok(kernels) => {
            let Some(first) = kernels.first() else { return };
            let name = String::from_utf8_lossy(first.kernel);
            let others = kernels.len() - 1;
            let kernels = if others == 0 { format!("kernel `{name}`") } else { format!("`{name}` and {others} more") };
            findings.add(Rule::MissingMap, format!("no `{SECTION}` section, but there is code to trace: {kernels}"));
        }
    }
}

fn check_map(map: &Funcmap, findings: &mut Findings) {
    for problem in &map.problems {
        findings.add(Rule::MalformedRow, format!("`{SECTION}` {problem}"));
    }
    if map.is_empty() && map.problems.is_empty() {
        return findings.add(Rule::EmptyMap, format!("the `{SECTION}` section is empty"));
    }
    if !map.terminated {
        findings
            .add(Rule::UnterminatedMap, format!("the `{SECTION}` section does not end with a NUL and may be cut off"));
    }
    for unit in &map.maps {
        check_unit(unit, findings);
    }
    check_shared_ids(map, findings);
}

fn check_unit(unit: &Map, findings: &mut Findings) {
    let index = unit.index();
    for duplicate in index.duplicates() {
        let message = format!("id {} is named by lines {} and {}", duplicate.id, duplicate.earlier, duplicate.later);
        findings.add(Rule::DuplicateId, message);
    }
    let mut counts = HashMap::new();
    for line in &unit.lines {
        let Row::Payload { id, count } = &line.row else { continue };
        let line = line.number;
        if !index.contains(*id) {
            findings.add(Rule::Payload, format!("line {line} gives id {id} a payload, but no row names that id"));
        }
        let first = *counts.entry(id).or_insert(count);
        if first != count {
            findings.add(Rule::Payload, format!("line {line} gives id {id} {count} payload records, another {first}"));
        }
    }
}

/// Ids that several units' maps name: the markers of such a code object cannot be told apart.
fn check_shared_ids(map: &Funcmap, findings: &mut Findings) {
    if map.maps.len() < 2 {
        return;
    }
    let mut first_unit = HashMap::new();
    let mut shared = 0;
    for (number, unit) in map.maps.iter().enumerate() {
        let ids = unit.rows().filter_map(Row::marker_id);
        shared += ids.filter(|id| *first_unit.entry(*id).or_insert(number) != number).count();
    }
    if shared > 0 {
        let message = format!("{shared} rows of its {} concatenated maps name an id of another map", map.maps.len());
        findings.add(Rule::SharedId, message);
    }
}

/// Findings of one rule that are told for one object; the rest is counted.
const TOLD: usize = 20;

/// The findings about one object, at most [`TOLD`] of each rule.
struct Findings {
    object: String,
    list: Vec<Finding>,
    counts: HashMap<Rule, usize>,
}

impl Findings {
    fn new(object: String) -> Findings {
        Findings { object, list: Vec::new(), counts: HashMap::new() }
    }

    fn add(&mut self, rule: Rule, message: String) {
        let count = self.counts.entry(rule).or_insert(0);
        *count += 1;
        if *count <= TOLD {
            let object = self.object.clone();
            self.list.push(Finding { severity: rule.severity(), rule, object, message });
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        for finding in &mut self.list {
            // Names out of the file are in most messages.
            finding.message = printable(&finding.message).to_string();
        }
        for at in (0..self.list.len()).rev() {
            let rule = self.list[at].rule;
            // Told at the last one of its rule, found first from behind.
            if let Some(count) = self.counts.remove(&rule).filter(|count| *count > TOLD) {
                self.list[at].message += &format!(" (and {} more of the kind)", count - TOLD);
            }
        }
        self.list
    }
}
