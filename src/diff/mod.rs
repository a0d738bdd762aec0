//! Two builds of a program -> what differs in their marker maps and in where their markers stand.
//!
//! ```text
//! code object -> Snapshot -+
//!                          +-> compare -> ObjectDiff: rows of the map, markers of each function
//! code object -> Snapshot -+
//! ```
//!
//! Everything is matched by kind, name and place, never by id: ids change with whatever else is marked.
//! `docs/diff.md` says what each change means.

mod functions;
mod pairs;
mod rows;

use std::fmt;

pub use functions::{FunctionDiff, MarkerChange, Spot};
pub use rows::{RowChange, RowSide};
use sqtt_contract::funcmap::Funcmap;

use crate::machine::FunctionPlacement;

/// What happened to a row or a marker from the first build to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It is in the second only.
    Added,
    /// It is in the first only.
    Lost,
    /// It is in both, elsewhere.
    Moved,
    /// It is in both, with another id.
    Renumbered,
    /// It is in both and says something else: payload, wave size, clock.
    Altered,
}

impl Change {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Change; 5] = [Change::Added, Change::Lost, Change::Moved, Change::Renumbered, Change::Altered];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Lost => "lost",
            Change::Moved => "moved",
            Change::Renumbered => "renumbered",
            Change::Altered => "altered",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What is compared of one code object.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Its map; `None` when it has none.
    pub map: Option<Funcmap>,
    /// Where its markers stand; `None` when the machine code was not looked at.
    pub functions: Option<Vec<FunctionPlacement>>,
}

/// What differs in one code object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectDiff {
    /// The map, kinds of rows together, by name.
    pub rows: Vec<RowChange>,
    /// Functions with a difference, by name; kernels first.
    pub functions: Vec<FunctionDiff>,
}

impl ObjectDiff {
    /// How often each change of [`Change::ALL`] is in it.
    pub fn counts(&self) -> [usize; 5] {
        let rows = self.rows.iter().map(|row| row.change);
        let markers = self.functions.iter().flat_map(|function| &function.changes).map(|change| change.change);
        let all: Vec<Change> = rows.chain(markers).collect();
        Change::ALL.map(|wanted| all.iter().filter(|change| **change == wanted).count())
    }

    /// Leaves these changes out.
    pub fn ignore(&mut self, changes: &[Change]) {
        self.rows.retain(|row| !changes.contains(&row.change));
        self.functions.iter_mut().for_each(|function| {
            function.changes.retain(|change| !changes.contains(&change.change));
        });
        self.functions.retain(|function| !function.changes.is_empty());
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.functions.is_empty()
    }
}

/// What differs from `a` to `b`; a code object that one build lacks is an empty snapshot. Markers are compared where
/// both were looked at.
pub fn compare(a: &Snapshot, b: &Snapshot) -> ObjectDiff {
    let functions = match (&a.functions, &b.functions) {
        (Some(a), Some(b)) => functions::compare(a, b),
        _ => Vec::new(),
    };
    ObjectDiff { rows: rows::compare(a.map.as_ref(), b.map.as_ref()), functions }
}
