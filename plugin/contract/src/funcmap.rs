//! The `.sqtt_funcmap` section: rows, how they are written and how they are read (spec "Funcmap format").
//!
//! The section of one unit is lines of one row each and a final NUL; a link of several units leaves several such maps one
//! after the other. Names and locations are percent-encoded ([`percent`]), so that none can break a row.

mod lookup;
mod parse;
pub mod percent;
mod text;

use std::fmt;

pub use lookup::{Duplicate, Index};
pub use parse::{Line, Map, Problem, Reason, parse};
pub use text::Text;

use crate::marker::Encoding;

/// Section name in a code object.
pub const SECTION: &str = ".sqtt_funcmap";

/// What an empty name is written as: readers reject a row without a name.
pub const UNNAMED: &str = "<unnamed>";

/// Every point name of an address trace starts so.
pub const ADDRESS_PREFIX: &str = "addr_trace_";

const PAYLOAD_FIELD: &str = "extra_payload_count";
const CLOCK_BITS_FIELD: &str = "shader_clock_bits";
const CLOCK_SHIFT_FIELD: &str = "shader_clock_shift";

/// One line of the map.
///
/// `Display` is the encoded line without its newline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// `F`: a device function; its markers are a scope.
    Function {
        /// Marker id.
        id: u32,
        /// Symbol name, mangled.
        name: Text,
        /// `file:line` of the definition.
        location: Option<Text>,
    },
    /// `K`: a kernel, which is not instrumented; the row lets readers find its address.
    Kernel {
        /// Symbol name, mangled.
        name: Text,
        /// `file:line` of the definition.
        location: Option<Text>,
    },
    /// `U`: a named scope of the user. It has no location: one id stands for all its call sites.
    Scope {
        /// Marker id.
        id: u32,
        /// The label.
        name: Text,
    },
    /// `P`: a named point of the user, a barrier, a memory operation or an address trace.
    Point {
        /// Marker id.
        id: u32,
        /// The label or kind.
        name: Text,
        /// Address traces only: `file:line`, and ` -> file:line` for every call it was inlined through.
        location: Option<Text>,
    },
    /// `W`: lanes of a wave, 32 or 64; there when addresses are traced.
    WaveSize(u32),
    /// `R`: how many raw records follow each marker with this id.
    Payload {
        /// Marker id.
        id: u32,
        /// Records after the header.
        count: u32,
    },
    /// `M`: marker headers have a packed clock.
    Layout {
        /// Width of the clock.
        clock_bits: u32,
        /// Its lowest source bit.
        clock_shift: u32,
    },
}

impl Row {
    /// The letter of the row's kind.
    pub const fn letter(&self) -> char {
        match self {
            Row::Function { .. } => 'F',
            Row::Kernel { .. } => 'K',
            Row::Scope { .. } => 'U',
            Row::Point { .. } => 'P',
            Row::WaveSize(_) => 'W',
            Row::Payload { .. } => 'R',
            Row::Layout { .. } => 'M',
        }
    }

    /// The id that the row names, of `F`, `U` and `P` rows; an `R` row only adds to one.
    pub const fn marker_id(&self) -> Option<u32> {
        match self {
            Row::Function { id, .. } | Row::Scope { id, .. } | Row::Point { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// The name, of `F`, `K`, `U` and `P` rows.
    pub const fn name(&self) -> Option<&Text> {
        match self {
            Row::Function { name, .. }
            | Row::Kernel { name, .. }
            | Row::Scope { name, .. }
            | Row::Point { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The location, of `F`, `K` and `P` rows that have one.
    pub const fn location(&self) -> Option<&Text> {
        match self {
            Row::Function { location, .. } | Row::Kernel { location, .. } | Row::Point { location, .. } => {
                location.as_ref()
            }
            _ => None,
        }
    }

    /// Whether markers of this row open and close scopes.
    pub const fn is_scope(&self) -> bool {
        matches!(self, Row::Function { .. } | Row::Scope { .. })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_fmt(format_args!("{}:", self.letter()))?;
        if let Some(id) = self.marker_id() {
            write!(f, "{id}:")?;
        }
        if let Some(name) = self.name() {
            f.write_str(&percent::encode_name(name.as_bytes()))?;
        }
        // A location of no bytes says nothing: readers take `name@` as no location.
        if let Some(location) = self.location().filter(|location| !location.is_empty()) {
            write!(f, "@{}", percent::encode_location(location.as_bytes()))?;
        }
        match self {
            Row::WaveSize(lanes) => write!(f, "{lanes}"),
            Row::Payload { id, count } => write!(f, "{id}:{PAYLOAD_FIELD}={count}"),
            Row::Layout { clock_bits, clock_shift } => {
                write!(f, "{CLOCK_BITS_FIELD}={clock_bits};{CLOCK_SHIFT_FIELD}={clock_shift}")
            }
            _ => Ok(()),
        }
    }
}

/// The bytes of one map: each row and a newline, then one NUL.
///
/// The order is the caller's; readers need none.
pub fn write<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows {
        bytes.extend_from_slice(row.to_string().as_bytes());
        bytes.push(b'\n');
    }
    bytes.push(0);
    bytes
}

/// What [`parse()`] found in a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funcmap {
    /// The units' maps, in order; those without a line are left out.
    pub maps: Vec<Map>,
    /// Every malformed line, in order.
    pub problems: Vec<Problem>,
    /// Whether the last map ends with its NUL; if not, the section may be cut off.
    pub terminated: bool,
}

impl Funcmap {
    /// The rows of all maps.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.lines().map(|line| &line.row)
    }

    /// The rows of all maps, with their line numbers.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.maps.iter().flat_map(|map| &map.lines)
    }

    /// Whether there is no well-formed row at all.
    pub fn is_empty(&self) -> bool {
        self.rows().next().is_none()
    }

    /// The marker layout: the last map's that speaks of it; [`Encoding::PLAIN`] when none does or its `M:` row is
    /// malformed. Maps that disagree show in [`Map::encoding`].
    pub fn encoding(&self) -> Encoding {
        self.maps.iter().rev().find_map(|map| map.layout).unwrap_or(Encoding::PLAIN)
    }

    /// The row of `id`; of several the last.
    pub fn find(&self, id: u32) -> Option<&Row> {
        self.maps.iter().rev().find_map(|map| map.find(id))
    }

    /// Look-up tables over all maps together, as a decoder sees a code object.
    pub fn index(&self) -> Index<'_> {
        Index::new(self.lines())
    }
}
