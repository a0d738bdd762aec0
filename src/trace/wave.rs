//! Waves: which one a record belongs to.

use std::sync::Arc;

use super::marker::{CodeObjectIndex, CodeObjectKey};
use crate::demangle::demangle;

/// One wave that was launched in a wave slot, between its launch and the next launch in the slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Counts the waves that have records, over all domains, from 0: an index for a sink's own table.
    pub index: u32,
    /// Where it ran.
    pub slot: Slot,
    /// How many launches in the same slot were before it in this domain's trace; from 0.
    pub instance: u32,
    /// Its launch in cycles from the start of the engine's trace, as the occupancy says; without occupancy its first
    /// record. Records can be earlier than the first launch that was seen.
    pub begin: i64,
    /// Its end in cycles; `None` when the trace saw none. Late records can come after it.
    pub end: Option<i64>,
    /// What it runs; `None` without occupancy.
    pub kernel: Option<Arc<Kernel>>,
}

/// The place of a wave on the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Shader engine.
    pub engine: u32,
    /// Compute unit; on gfx10 and later the WGP in bits 0..=6 and the shader array in bit 7.
    pub cu: u8,
    /// SIMD of the compute unit.
    pub simd: u8,
    /// Wave slot of the SIMD, `wave_id` in the files.
    pub wave: u8,
}

/// A kernel, as a domain's occupancy counts them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// The domain's number for it: one a start address. It is not the dispatch's id.
    pub id: u64,
    /// Its name to show: demangled if that was asked for.
    pub name: Arc<str>,
    /// Its name as the files have it.
    pub symbol: Arc<str>,
    /// The code object it is in; `None` when that cannot be told.
    pub code_object: Option<CodeObjectIndex>,
    /// Which one that is.
    pub code_object_key: Option<CodeObjectKey>,
    /// More that it can be in: their maps are the same, so ids mean the same in all; their machine code can be another.
    pub alternatives: Arc<[CodeObjectKey]>,
    /// None is known to hold it: `code_object` is the only one that has a map.
    pub is_guessed: bool,
}

impl Kernel {
    /// Whether `symbol`, a kernel's in a code object, is its name. Files have names mangled or not, with other spaces, and
    /// with the suffix of the kernel's descriptor.
    pub fn is(&self, symbol: &[u8]) -> bool {
        names(&self.symbol, symbol)
    }
}

/// Whether `name`, as files of a trace have it, is that of the kernel `symbol`.
pub(super) fn names(name: &str, symbol: &[u8]) -> bool {
    let plain = name.strip_suffix(".kd").unwrap_or(name);
    let is_it = |demangled: String| letters(&demangled).eq(letters(plain));
    let is_mangled = plain.starts_with("_Z");
    [name, plain].iter().any(|name| name.as_bytes() == symbol) || !is_mangled && demangle(symbol).is_some_and(is_it)
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|letter| !letter.is_whitespace())
}
