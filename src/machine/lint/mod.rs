//! The rules that the machine code of a marked program keeps, one file each; `docs/lint.md` explains them to users.
//!
//! A finding is a claim that a rule is broken. What the analysis cannot see it does not accuse: it counts it in
//! [`Unseen`]. Code without markers has no findings.

mod balance;
mod beside;
mod identity;
mod immediate;
mod m0;
mod overhead;
mod payload;
mod phantom;

use std::collections::BTreeSet;
use std::fmt;

use sqtt_contract::funcmap::Funcmap;
use sqtt_contract::settings::Boundary;

use super::flow::{self, Flow, Unseen};
use super::program::{Entry, Function, Program};
use crate::code_object::Target;

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The id of every constant header is in the map. Numbers that a user traces are not, so this is a warning.
    MarkerId,
    /// A scope's id opens it, a point's id is a point, and an exit has no id (spec "Semantic rules").
    MarkerKind,
    /// gfx9 has no `s_ttracedata_imm` (spec "Architecture Support").
    ImmediateForm,
    /// Each `s_ttracedata` has its own write of M0 in front of it, and a wait state between: an `s_nop`, as the pass writes
    /// (spec "Instruction selection"), or any other instruction (Vega and CDNA ISA manuals, "Manually Inserted Wait States").
    M0Sequence,
    /// Nothing else reads what a marker left in M0.
    M0Reader,
    /// Every path of a kernel closes what it opens and nothing else; all returns of a function leave the same depth.
    ScopeBalance,
    /// No marker runs where EXEC can be zero: the wave would trace something that none of its lanes does.
    PhantomMarker,
    /// A header is followed by the records that its `R:` row announces.
    PayloadRecords,
    /// Markers invalidate and write back no cache.
    CacheMaintenance,
    /// Markers wait for no more than their boundary does.
    ExtraWait,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The trace is wrong, or the program is.
    Error,
    /// It may be wrong: that depends on what the user meant.
    Warning,
}

impl Rule {
    /// All rules, in the order of `docs/lint.md`.
    pub const ALL: [Rule; 10] = [
        Rule::MarkerId,
        Rule::MarkerKind,
        Rule::ImmediateForm,
        Rule::M0Sequence,
        Rule::M0Reader,
        Rule::ScopeBalance,
        Rule::PhantomMarker,
        Rule::PayloadRecords,
        Rule::CacheMaintenance,
        Rule::ExtraWait,
    ];

    /// Its name, as in `docs/lint.md`.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::MarkerId => "marker-id",
            Rule::MarkerKind => "marker-kind",
            Rule::ImmediateForm => "immediate-form",
            Rule::M0Sequence => "m0-sequence",
            Rule::M0Reader => "m0-reader",
            Rule::ScopeBalance => "scope-balance",
            Rule::PhantomMarker => "phantom-marker",
            Rule::PayloadRecords => "payload-records",
            Rule::CacheMaintenance => "cache-maintenance",
            Rule::ExtraWait => "extra-wait",
        }
    }

    /// How bad it is to break it.
    pub const fn severity(self) -> Severity {
        match self {
            Rule::MarkerId | Rule::ExtraWait => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One rule that is broken at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The function, by its mangled symbol.
    pub function: String,
    /// Address of the instruction when the code object is loaded at 0; of the function when no instruction is to blame.
    pub address: u64,
    /// The rule.
    pub rule: Rule,
    /// What is wrong; its last line says what to do.
    pub message: String,
}

impl fmt::Display for Finding {
    /// `scope-balance: kernel+0x1c (0x161c): ...`, as the file holds the names: escape where a terminal reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} at {:#x}: {}", self.rule, self.function, self.address, self.message)
    }
}

/// What [`lint`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// By function and address.
    pub findings: Vec<Finding>,
    /// What was not looked at.
    pub unseen: Unseen,
}

impl Report {
    /// Whether a finding is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.rule.severity() == Severity::Error)
    }
}

/// Checks every rule that one program alone can break. `map` is that of its code object, `target` its GPU.
pub fn lint(program: &Program, map: &Funcmap, target: &Target) -> Report {
    let flow = flow::analyse(program, map);
    let mut findings = Findings::default();
    for (index, function) in program.functions.iter().enumerate() {
        immediate::check(function, target, &mut findings);
        m0::check(function, &mut findings);
        let Some(found) = flow.functions.get(index) else { continue };
        identity::check(function, found, map, &mut findings);
        balance::check(function, found, &mut findings);
        phantom::check(program, function, found, &mut findings);
        payload::check(function, found, &mut findings);
    }
    Report { findings: findings.finish(), unseen: unseen(program, &flow) }
}

/// Checks what only shows beside `plain`, the same program compiled without markers; `boundary` is what its markers were
/// compiled with.
pub fn lint_against(program: &Program, plain: &Program, boundary: Boundary) -> Vec<Finding> {
    let mut findings = Findings::default();
    overhead::check(program, plain, boundary, &mut findings);
    findings.finish()
}

fn unseen(program: &Program, flow: &Flow) -> Unseen {
    let leftovers = program.functions.iter().filter(|one| one.entry == Entry::Leftover && one.has_markers()).count();
    Unseen { functions: flow.unseen.functions + leftovers, ..flow.unseen }
}

/// Findings, each place and rule once.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
    places: BTreeSet<(Rule, u64)>,
}

impl Findings {
    fn add(&mut self, rule: Rule, function: &Function, address: u64, message: impl FnOnce() -> String) {
        if self.places.insert((rule, address)) {
            self.list.push(Finding { function: function.name.clone(), address, rule, message: message() });
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| (finding.address, finding.rule));
        self.list
    }
}
