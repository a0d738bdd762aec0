//! What is told of a file, whichever rules it comes from.

use std::path::Path;

use serde::{Serialize, Serializer};

use super::super::lines::Source;
use crate::machine::flow::Unseen;
use crate::validate::{self, Severity};

/// What is told of one file.
#[derive(Debug, Serialize)]
pub(super) struct File {
    pub(super) path: String,
    /// Code objects that were looked at.
    pub(super) code_objects: usize,
    /// By object.
    pub(super) findings: Vec<Finding>,
    /// Code objects whose machine code was not looked at.
    pub(super) maps_only: Vec<MapOnly>,
    /// What was not seen in the machine code of the others, added up.
    pub(super) unseen: Counts,
    /// Why something could not be looked at.
    pub(super) errors: Vec<String>,
}

impl File {
    pub(super) fn new(path: &Path) -> File {
        File {
            path: path.to_string_lossy().into_owned(),
            code_objects: 0,
            findings: Vec::new(),
            maps_only: Vec::new(),
            unseen: Counts::default(),
            errors: Vec::new(),
        }
    }
}

/// A code object whose machine code was not looked at, and why.
#[derive(Debug, Serialize)]
pub(super) struct MapOnly {
    pub(super) object: String,
    pub(super) reason: &'static str,
}

/// One rule that is broken at one place. Its texts are as the file has them: escape where a terminal reads.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// `M06`, or the name for a rule over machine code.
    pub(super) rule: String,
    pub(super) name: &'static str,
    #[serde(serialize_with = "word")]
    pub(super) severity: Severity,
    /// The file and the containers in it.
    pub(super) object: String,
    /// Mangled.
    pub(super) function: Option<String>,
    /// Of the instruction, when the code object is loaded at 0.
    pub(super) address: Option<u64>,
    pub(super) source: Option<Source>,
    pub(super) message: String,
}

impl Finding {
    /// One of a rule over maps.
    pub(super) fn of_map(finding: validate::Finding) -> Finding {
        Finding {
            rule: finding.rule.code(),
            name: finding.rule.name(),
            severity: finding.severity,
            object: finding.object,
            function: None,
            address: None,
            source: None,
            message: finding.message,
        }
    }
}

/// `error` or `warning`.
pub(super) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn word<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity_word(*severity))
}

/// What the analysis of machine code did not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    functions: usize,
    calls: usize,
    jumps: usize,
    paths: usize,
    masks: usize,
    words: usize,
}

impl Counts {
    pub(super) fn add(&mut self, unseen: Unseen) {
        let Unseen { functions, calls, jumps, paths, masks, words } = unseen;
        self.functions += functions;
        self.calls += calls;
        self.jumps += jumps;
        self.paths += paths;
        self.masks += masks;
        self.words += words;
    }

    /// Each count that is not 0, in words.
    pub(super) fn words(&self) -> Vec<String> {
        let counts = [
            (self.functions, "functions that are too large, do not settle or begin nowhere"),
            (self.calls, "calls of unknown functions"),
            (self.jumps, "jumps to unknown places"),
            (self.paths, "paths on which the depth of scopes was lost"),
            (self.masks, "markers whose EXEC is unknown"),
            (self.words, "headers that are known at run time only"),
        ];
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
    }
}
