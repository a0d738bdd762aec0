//! What is wrong with a trace, counted by kind.

use std::collections::BTreeMap;
use std::fmt;

/// Counts of what was wrong with traces, and what was wrong with their files, in words.
///
/// A reader goes on after everything that is in here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    counts: BTreeMap<Kind, u64>,
    messages: Vec<String>,
}

/// Kinds of trouble in the records of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An exit marker with no scope open.
    OrphanExit,
    /// A scope that was still open when its wave or the trace ended.
    OpenScope,
    /// A marker with an id that no row of the map names.
    UnknownId,
    /// A payload block with records missing.
    CutBlock,
    /// A wave that was seen from its launch on and closes more scopes than it opens: an enter record was lost, or the
    /// program leaves a scope twice.
    SuspectedLoss,
    /// A record in a slot that no wave was seen in.
    NoWave,
    /// A record whose time is before that of another that stands earlier in the files.
    Unsorted,
    /// A row of a file that is no record or event, and is left out.
    MalformedRow,
    /// A record that its file counts and does not hold.
    MissingRecord,
    /// A time that does not fit into 64 bits with a sign, and was cut down to that.
    Saturated,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 10] = [
        Kind::OrphanExit,
        Kind::OpenScope,
        Kind::UnknownId,
        Kind::CutBlock,
        Kind::SuspectedLoss,
        Kind::NoWave,
        Kind::Unsorted,
        Kind::MalformedRow,
        Kind::MissingRecord,
        Kind::Saturated,
    ];

    /// What one, or several, of the kind are called.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::OrphanExit => ("exit marker without an open scope", "exit markers without an open scope"),
            Kind::OpenScope => ("scope cut at the end of its wave", "scopes cut at the end of their waves"),
            Kind::UnknownId => ("marker with an id that no map has", "markers with ids that no map has"),
            Kind::CutBlock => ("payload block cut short", "payload blocks cut short"),
            Kind::SuspectedLoss => (
                "wave that closes more than it opens, so that records may be lost",
                "waves that close more than they open, so that records may be lost",
            ),
            Kind::NoWave => ("record in a slot without a wave", "records in slots without a wave"),
            Kind::Unsorted => ("record out of order, put in order", "records out of order, put in order"),
            Kind::MalformedRow => ("malformed row, left out", "malformed rows, left out"),
            Kind::MissingRecord => ("record missing in its file", "records missing in their files"),
            Kind::Saturated => ("time beyond 64 bits", "times beyond 64 bits"),
        }
    }
}

impl Diagnostics {
    /// Counts one more of `kind`.
    pub fn count(&mut self, kind: Kind) {
        self.add(kind, 1);
    }

    /// Counts `more` of `kind`.
    pub fn add(&mut self, kind: Kind, more: u64) {
        if more > 0 {
            *self.counts.entry(kind).or_default() += more;
        }
    }

    /// How many of `kind` there were.
    pub fn of(&self, kind: Kind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// Adds what is wrong with a file, in one line that names it.
    pub fn message(&mut self, message: impl fmt::Display) {
        self.messages.push(message.to_string());
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: Diagnostics) {
        for (kind, count) in other.counts {
            self.add(kind, count);
        }
        self.messages.extend(other.messages);
    }

    /// What was wrong with files, in order; not yet safe to print.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The kinds that were met, with their counts.
    pub fn counts(&self) -> impl Iterator<Item = (Kind, u64)> {
        self.counts.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.messages.is_empty()
    }
}
