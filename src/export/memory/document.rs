//! The JSON of memory operations: `docs/memory.md` says what each field is.

use std::fmt;

use serde::{Serialize, Serializer};

use super::strides::Stride;
use super::summary::{BANKS, LINE_BYTES, Place, Totals};
use crate::export::access::{Access, Space};
use crate::trace::{Domain, Marker, Moment};

/// One operation.
#[derive(Serialize)]
pub(super) struct Operation<'a> {
    dispatch: Option<u64>,
    kernel: Option<&'a str>,
    se: u32,
    cu: u8,
    simd: u8,
    wave: u8,
    instance: u32,
    cycles: i64,
    kind: &'a str,
    space: &'static str,
    id: u32,
    code_object: Option<u64>,
    source: Option<&'a str>,
    scopes: Vec<&'a str>,
    wave_size: u32,
    exec: Hex,
    #[serde(flatten)]
    buffer: Option<BufferFields>,
    lanes: Vec<u32>,
    addresses: Vec<Hex>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

#[derive(Serialize)]
struct BufferFields {
    base: Hex,
    stride: u32,
    swizzle: u32,
    soffset: u32,
}

/// A number as `0x1f`: addresses have more bits than JSON's readers keep.
struct Hex(u64);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'a> Operation<'a> {
    pub(super) fn new(
        domain: Option<&Domain>,
        at: &Moment<'a>,
        marker: &'a Marker,
        (kind, space): (&'a str, Space),
        access: &Access,
    ) -> Operation<'a> {
        let slot = at.wave.slot;
        let buffer = access.buffer.map(|buffer| BufferFields {
            base: Hex(buffer.base),
            stride: buffer.stride,
            swizzle: buffer.swizzle,
            soffset: buffer.soffset,
        });
        Operation {
            dispatch: domain.and_then(|domain| domain.dispatch),
            kernel: at.wave.kernel.as_ref().map(|kernel| &*kernel.name),
            se: slot.engine,
            cu: slot.cu,
            simd: slot.simd,
            wave: slot.wave,
            instance: at.wave.instance,
            cycles: at.cycles,
            kind,
            space: space.word(),
            id: marker.id,
            code_object: marker.code_object.map(|index| at.markers.code_object(index).key.id),
            source: marker.location.as_deref(),
            scopes: at.scope_chain().map(|scope| &*scope.name).collect(),
            wave_size: access.wave_size,
            exec: Hex(access.exec),
            buffer,
            lanes: access.addresses.iter().map(|(lane, _)| *lane).collect(),
            addresses: access.addresses.iter().map(|(_, address)| Hex(*address)).collect(),
            cut: access.is_cut,
        }
    }
}

/// The sum of one place.
#[derive(Serialize)]
pub(super) struct Sum<'a> {
    source: Option<&'a str>,
    kind: &'a str,
    space: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_object: Option<u64>,
    operations: u64,
    lanes: u64,
    cut: u64,
    strides: Vec<StrideCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cache_lines: Vec<CacheLines>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    banks: Vec<Banks>,
}

#[derive(Serialize)]
struct StrideCount {
    stride: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<i64>,
    operations: u64,
}

#[derive(Serialize)]
struct CacheLines {
    bytes: u64,
    touched: u64,
    needed: u64,
    efficiency: Option<f64>,
}

#[derive(Serialize)]
struct Banks {
    banks: u64,
    passes: u64,
    conflicts: u64,
    worst: u64,
}

impl<'a> Sum<'a> {
    pub(super) fn new(place: &'a Place, totals: &Totals) -> Sum<'a> {
        let cache_lines = LINE_BYTES.iter().zip(totals.lines).map(|(bytes, lines)| CacheLines {
            bytes: *bytes,
            touched: lines.touched,
            needed: lines.needed,
            // More digits would be those of the division.
            efficiency: lines.efficiency().map(|share| (share * 10_000.0).round() / 10_000.0),
        });
        let banks = BANKS.iter().zip(totals.passes).map(|(banks, passes)| Banks {
            banks: *banks,
            passes: passes.taken,
            conflicts: passes.conflicts(),
            worst: passes.worst,
        });
        let strides = totals.strides.iter().map(|(stride, operations)| {
            let bytes = if let Stride::Constant(bytes) = stride { Some(bytes) } else { None };
            StrideCount { stride: word(stride), bytes, operations }
        });
        let is_memory = matches!(place.space, Space::Global | Space::Buffer);
        Sum {
            source: place.source.as_deref(),
            kind: &place.kind,
            space: place.space.word(),
            id: place.marker.as_ref().map(|(_, id)| *id),
            code_object: place.marker.as_ref().map(|(key, _)| key.id),
            operations: totals.operations,
            lanes: totals.lanes,
            cut: totals.cut,
            strides: strides.collect(),
            cache_lines: if is_memory { cache_lines.collect() } else { Vec::new() },
            banks: if place.space == Space::Lds { banks.collect() } else { Vec::new() },
        }
    }
}

/// The class of a stride.
fn word(stride: Stride) -> &'static str {
    match stride {
        Stride::Idle => "idle",
        Stride::Single => "single",
        Stride::Same => "same",
        Stride::Unit => "unit",
        Stride::Constant(_) => "constant",
        Stride::Random => "random",
    }
}
