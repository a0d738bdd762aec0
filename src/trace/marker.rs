//! Markers by what their ids stand for: rows of maps, joined over all code objects of a run.

use std::fmt;
use std::sync::Arc;

use sqtt_contract::addresses::Form;
use sqtt_contract::marker::Encoding;

/// What one id of one code object stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Its place in [`Markers`], dense from 0: an index for a sink's own table.
    pub index: MarkerIndex,
    /// What kind of row names it.
    pub kind: MarkerKind,
    /// The id in the trace.
    pub id: u32,
    /// Its name to show: demangled if that was asked for, `unknown#<id>` when no row names it.
    pub name: Arc<str>,
    /// Its name as the map has it.
    pub symbol: Arc<str>,
    /// `file:line`, and ` -> file:line` for every call it was inlined through.
    pub location: Option<Arc<str>>,
    /// Address of a function when loaded at 0; `None` when it is inlined everywhere or no function.
    pub address: Option<u64>,
    /// The code object that it is of; `None` for ids of waves whose code object is not known.
    pub code_object: Option<CodeObjectIndex>,
    /// Raw records that follow it.
    pub payload_count: u32,
    /// What those are, of an address trace of a known kind.
    pub form: Option<Form>,
}

/// Kinds of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkerKind {
    /// A device function (`F`).
    Function,
    /// A named scope of the user (`U`).
    Scope,
    /// A point (`P`): barrier, memory operation, address trace, point or data of the user.
    Point,
    /// No row has the id: a numeric marker, another build's code object, or raw data.
    Unknown,
}

impl MarkerKind {
    /// The word for it in outputs.
    pub const fn word(self) -> &'static str {
        match self {
            MarkerKind::Function => "function",
            MarkerKind::Scope => "user",
            MarkerKind::Point => "point",
            MarkerKind::Unknown => "unknown",
        }
    }
}

/// Place of a [`Marker`] in [`Markers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkerIndex(pub(super) u32);

impl MarkerIndex {
    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// Place of a [`CodeObjectInfo`] in [`Markers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeObjectIndex(pub(super) u32);

impl CodeObjectIndex {
    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A code object of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObjectInfo {
    /// Which one.
    pub key: CodeObjectKey,
    /// Lanes of its waves, when the map says.
    pub wave_size: Option<u32>,
    /// The layout of its markers.
    pub encoding: Encoding,
}

/// What tells code objects apart: processes count theirs independently of each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeObjectKey {
    /// What stands before the id in the file's name, `4242_gfx1100`; empty for one that only `code.json` knows.
    pub prefix: Arc<str>,
    /// The process's number for it.
    pub id: u64,
}

impl fmt::Display for CodeObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code_object_{}", self.id)
    }
}

/// All markers and code objects that were met so far, by index. It only ever grows.
#[derive(Clone, Debug, Default)]
pub struct Markers {
    pub(super) markers: Vec<Marker>,
    pub(super) code_objects: Vec<CodeObjectInfo>,
}

impl Markers {
    /// The marker at `index`, which is one of this table's own.
    pub fn get(&self, index: MarkerIndex) -> &Marker {
        &self.markers[index.get()]
    }

    /// The code object at `index`, which is one of this table's own.
    pub fn code_object(&self, index: CodeObjectIndex) -> &CodeObjectInfo {
        &self.code_objects[index.get()]
    }

    /// How many markers there are.
    pub fn len(&self) -> usize {
        self.markers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.markers.is_empty()
    }
}
