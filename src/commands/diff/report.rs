//! What is told of two builds.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::lines::Source;
use crate::diff::{Change, ObjectDiff};

/// What is told of two builds.
pub(super) struct Report {
    pub(super) a: String,
    pub(super) b: String,
    /// Empty when something could not be looked at.
    pub(super) objects: Vec<Object>,
    /// Why something could not be looked at.
    pub(super) errors: Vec<String>,
}

impl Report {
    pub(super) fn new(a: &Path, b: &Path, errors: Vec<String>) -> Report {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Report { a: text(a), b: text(b), objects: Vec::new(), errors }
    }

    /// How often each change of [`Change::ALL`] is told, code objects that are in one build only among them.
    pub(super) fn counts(&self) -> [usize; 5] {
        let mut counts = [0; 5];
        for object in &self.objects {
            counts.iter_mut().zip(object.diff.counts()).for_each(|(count, more)| *count += more);
            let presence = Change::ALL.iter().position(|change| object.presence == Some(*change));
            presence.into_iter().for_each(|at| counts[at] += 1);
        }
        counts
    }
}

/// One code object in both builds.
pub(super) struct Object {
    pub(super) target: String,
    /// In the first build.
    pub(super) a: Option<Side>,
    /// In the second build.
    pub(super) b: Option<Side>,
    /// When it is in one build only.
    pub(super) presence: Option<Change>,
    pub(super) diff: ObjectDiff,
}

impl Object {
    pub(super) fn is_same(&self) -> bool {
        self.presence.is_none() && self.diff.is_empty()
    }
}

/// The source lines of markers, by address.
pub(super) type SourceOf = BTreeMap<u64, Source>;

/// A code object of one build.
pub(super) struct Side {
    /// The file and the containers in it.
    pub(super) place: String,
    /// Why its machine code was not looked at, if it was not.
    pub(super) unseen: Option<&'static str>,
    pub(super) sources: SourceOf,
}
