//! Memory operations: what kinds there are, and where each keeps its address.

use crate::faults::{Point, lacks};
use crate::llvm::{Instruction, Value};

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    Store,
    Atomic,
}

/// Where the operation's address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A flat or global pointer, 64 bits.
    Memory(Value),
    /// An LDS pointer, 32 bits; a flat pointer into LDS has the offset in its low half.
    Lds(Value),
    /// A buffer descriptor, the index of a structured buffer, the lane's offset, the wave's offset.
    Buffer { descriptor: Value, index: Option<Value>, lane_offset: Value, wave_offset: Value },
    /// The index of a lane permutation through LDS; the name says which.
    Permute(&'static str, Value),
}

/// A memory operation that the specification names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) access: Access,
    pub(crate) source: Source,
}

/// What an instruction is to memory tracing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// No access, or one that is none of the pass's business (stack, constants, scalar loads).
    Nothing,
    Named(Operation),
    /// A buffer access whose address is not in its operands (a fat pointer, a load to LDS): markers count it.
    Buffer(Access, &'static str),
    /// An access of a kind that the specification leaves out.
    Other(&'static str),
}

const FLAT: u32 = 0;
const GLOBAL: u32 = 1;
/// AMDGPU address space of LDS.
pub(crate) const LDS: u32 = 3;
const CONSTANT: u32 = 4;
const PRIVATE: u32 = 5;
const BUFFER_FAT_POINTER: u32 = 7;
const BUFFER_STRIDED_POINTER: u32 = 9;

/// Classifies an instruction.
pub(crate) fn classify(instruction: Instruction) -> Class {
    match instruction.accessed_pointer() {
        Some(pointer) => classify_access(instruction, pointer),
        None => instruction.intrinsic_name().map_or(Class::Nothing, |name| classify_intrinsic(instruction, name)),
    }
}

fn classify_access(instruction: Instruction, pointer: Value) -> Class {
    let access = if instruction.is_load() {
        Access::Load
    } else if instruction.is_store() {
        Access::Store
    } else {
        Access::Atomic
    };
    match space_of(pointer) {
        CONSTANT if lacks(Point::MemorySpaces) => Class::Named(Operation { access, source: Source::Memory(pointer) }),
        FLAT | GLOBAL => Class::Named(Operation { access, source: Source::Memory(pointer) }),
        LDS => Class::Named(Operation { access, source: Source::Lds(pointer) }),
        BUFFER_FAT_POINTER | BUFFER_STRIDED_POINTER => Class::Buffer(access, "buffer fat pointer"),
        _ => Class::Nothing,
    }
}

/// The address space of an access. At -O0 every access is a flat one; the stack's and LDS's are told by where their
/// pointer comes from.
fn space_of(pointer: Value) -> u32 {
    match pointer.address_space() {
        FLAT => match pointer.origin_address_space() {
            known @ (LDS | PRIVATE) => known,
            _ => FLAT,
        },
        space => space,
    }
}

fn classify_intrinsic(call: Instruction, full_name: &'static str) -> Class {
    let Some(name) = full_name.strip_prefix("llvm.amdgcn.") else {
        return if copies_memory(call, full_name) { Class::Other(full_name) } else { Class::Nothing };
    };
    if let Some(buffer) = classify_buffer(call, name, full_name) {
        return buffer;
    }
    let permute = match name {
        "ds.permute" => Some("ds_permute"),
        "ds.bpermute" | "ds.bpermute.fi.b32" => Some("ds_bpermute"),
        _ => None,
    };
    let named = |access, source| Class::Named(Operation { access, source });
    match (permute, call.argument(0)) {
        (Some(permute), Some(index)) => named(Access::Load, Source::Permute(permute, index)),
        (None, Some(pointer)) if is_pointer_atomic(name) && pointer.is_pointer() => {
            named(Access::Atomic, Source::Memory(pointer))
        }
        _ if is_left_out(name) => Class::Other(full_name),
        _ => Class::Nothing,
    }
}

/// `raw` and `struct` buffer operations on a descriptor (`<4 x i32>` or `ptr addrspace(8)`).
///
/// The descriptor is argument 0 of a load, 1 of a store or atomic, 2 of a compare-and-swap; behind it come the index
/// (`struct` only), the lane's offset and the wave's offset.
fn classify_buffer(call: Instruction, name: &str, full_name: &'static str) -> Option<Class> {
    let (is_struct, rest) = match name.strip_prefix("raw.") {
        Some(rest) => (false, rest),
        None => (true, name.strip_prefix("struct.")?),
    };
    let rest = rest.strip_prefix("ptr.").unwrap_or(rest);
    let (access, operation) = if let Some(atomic_load) = rest.strip_prefix("atomic.buffer.load") {
        (Access::Load, atomic_load)
    } else {
        let operation = rest.strip_prefix("buffer.")?;
        match operation.split('.').next()? {
            "load" => (Access::Load, operation),
            "store" => (Access::Store, operation),
            "atomic" => (Access::Atomic, operation),
            _ => return None,
        }
    };
    if operation.split('.').any(|part| part == "lds") {
        return Some(Class::Buffer(access, full_name));
    }
    let descriptor_at = match access {
        Access::Load => 0,
        _ if operation.contains("cmpswap") => 2,
        _ => 1,
    };
    let offset_at = descriptor_at + 1 + u32::from(is_struct);
    let source = Source::Buffer {
        descriptor: call.argument(descriptor_at)?,
        index: if is_struct { Some(call.argument(descriptor_at + 1)?) } else { None },
        lane_offset: call.argument(offset_at)?,
        wave_offset: call.argument(offset_at + 1)?,
    };
    Some(Class::Named(Operation { access, source }))
}

/// Atomics on a flat or global pointer that are intrinsics.
fn is_pointer_atomic(name: &str) -> bool {
    ["global.atomic.", "flat.atomic."].iter().any(|prefix| name.starts_with(prefix))
}

/// Accesses that the specification leaves out: to be counted and reported, not to be passed over in silence.
fn is_left_out(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "cluster.load",
        "cooperative.atomic.",
        "ds.atomic.",
        "ds.load.tr",
        "ds.read.tr",
        "flat.load.monitor",
        "global.load.",
        "global.store.",
        "image.atomic",
        "image.bvh",
        "image.gather",
        "image.load",
        "image.msaa",
        "image.sample",
        "image.store",
        "lds.direct.load",
        "lds.param.load",
        "load.to.lds",
        "raw.ptr.tbuffer.",
        "raw.tbuffer.",
        "struct.ptr.tbuffer.",
        "struct.tbuffer.",
        "tensor.load",
        "tensor.store",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// A memory copy or fill that touches more than the stack: the backend turns it into accesses behind the pass.
fn copies_memory(call: Instruction, name: &str) -> bool {
    let is_shared = |pointer: Value| pointer.is_pointer() && [FLAT, GLOBAL, LDS].contains(&space_of(pointer));
    ["llvm.memcpy", "llvm.memmove", "llvm.memset"].iter().any(|copy| name.starts_with(copy))
        && (0..2).filter_map(|index| call.argument(index)).any(is_shared)
}
