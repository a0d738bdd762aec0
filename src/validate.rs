//! Rules over the code objects of a file and their marker maps -> [`Report`].
//!
//! A code object must have a map when it has a kernel descriptor: only then can it be launched, so only then can markers
//! of it reach a trace. (A code object without one that still holds an `s_ttracedata` should have a map too; telling
//! instructions from literals takes a disassembler, so that is for `sqtt verify`.) A map that is there is always
//! checked, needed or not. Maps of other producers are judged by what a reader needs; [`Expected::strict`] adds what
//! this project's own maps keep to.

mod findings;
mod map;
mod object;
mod rule;
mod spelling;
mod units;

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use thiserror::Error;

use crate::code_object::{self, CodeObject, Contents, FileBytes, Limits, Notes, Place, Problem, Target, Unverified};
use findings::Findings;
pub use rule::{Rule, Severity};

/// What the caller knows of the file beforehand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Targets that must each have a code object, as `--offload-arch=` names them: `gfx942`, `gfx90a:xnack-`.
    pub targets: Vec<String>,
    /// Also what holds for every map of this project's plugin, though a reader could do without.
    pub strict: bool,
}

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

/// Why a file could not be looked at at all.
#[derive(Debug, Error)]
pub enum ValidateError {
    /// It cannot be opened or read; the message names the path.
    #[error("{0}")]
    Read(#[from] io::Error),
}

/// Checks the code objects in the file `path`.
///
/// A file that holds none, or that is no container at all, gives an empty report, unless targets were expected.
///
/// Errors: the file cannot be read. One that is malformed is not an error but a finding.
pub fn validate_file(path: &Path, expected: &Expected) -> Result<Report, ValidateError> {
    let file = FileBytes::open(path)?;
    let mut checker = Checker::new(path, expected);
    // One code object at a time, so that no more than one bundle is ever unpacked.
    let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
        checker.add_code_object(&code_object);
        ControlFlow::Continue(())
    });
    let Notes { unverified, problems, .. } = notes;
    Ok(checker.finish(&unverified, &problems))
}

/// Checks the code objects in `contents`, which were read from the file `path`.
pub fn validate(path: &Path, contents: &Contents<'_>, expected: &Expected) -> Report {
    let mut checker = Checker::new(path, expected);
    for code_object in &contents.code_objects {
        checker.add_code_object(code_object);
    }
    checker.finish(&contents.unverified, &contents.problems)
}

/// The checks of one file under way, for callers that look at its code objects themselves.
#[derive(Debug)]
pub struct Checker<'a> {
    path: &'a Path,
    expected: &'a Expected,
    targets: Vec<Target>,
    report: Report,
}

impl Checker<'_> {
    /// For the file `path`, which is only named here.
    pub fn new<'a>(path: &'a Path, expected: &'a Expected) -> Checker<'a> {
        Checker { path, expected, targets: Vec::new(), report: Report::default() }
    }

    /// Checks one code object, the next of the file.
    pub fn add_code_object(&mut self, code_object: &CodeObject<'_>) {
        let mut findings = Findings::new(code_object.place().in_file(self.path));
        match code_object.funcmap() {
            None => object::check_needs_none(code_object, &mut findings),
            Some(funcmap) => {
                map::check(&funcmap, &mut findings);
                units::check(&funcmap, &mut findings);
                object::check(&funcmap, code_object, &mut findings);
                if self.expected.strict {
                    map::check_gaps(&funcmap, &mut findings);
                    spelling::check(&code_object.map_bytes(), &mut findings);
                }
            }
        }
        self.report.findings.append(&mut findings.finish());
        self.report.code_objects += 1;
        // A hostile file can hold very many.
        if !self.expected.targets.is_empty() && !self.targets.contains(code_object.target()) {
            self.targets.push(code_object.target().clone());
        }
    }

    /// The report, with what the file holds beside code objects.
    pub fn finish(mut self, unverified: &[(Place, Unverified)], problems: &[Problem]) -> Report {
        self.report.unverified = unverified.len();
        for (place, what) in unverified {
            self.note(place, Rule::Unverified, &what.to_string());
        }
        for problem in problems {
            self.note(&problem.place, Rule::Malformed, &problem.malformed.to_string());
        }
        // What cannot be looked at may be what is missing, and so may a GPU that this version cannot name.
        let is_named = |target: &Target| target.is_known();
        if unverified.is_empty() && problems.is_empty() && self.targets.iter().all(is_named) {
            let is_missing = |wanted: &&String| !self.targets.iter().any(|target| target.serves(wanted));
            let missing: Vec<&String> = self.expected.targets.iter().filter(is_missing).collect();
            for wanted in missing {
                let message = format!("no code object for `{wanted}`, which was asked for");
                self.note(&Place::top(), Rule::MissingTarget, &message);
            }
        }
        self.report
    }

    fn note(&mut self, place: &Place, rule: Rule, message: &str) {
        let mut findings = Findings::new(place.in_file(self.path));
        findings.add(rule, message);
        self.report.findings.append(&mut findings.finish());
    }
}
