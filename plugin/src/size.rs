//! How large a function is, by the measure of the threshold (spec "Function threshold", "Cost Model").

use sqtt_contract::settings::Threshold;

use crate::llvm::{Function, Instruction};
use crate::marks::Mark;
use crate::operations::LDS;

/// The size of a function; 0 when functions are not instrumented. Marks of the pass do not count.
pub(crate) fn of(function: Function, threshold: Threshold) -> u64 {
    let weight = match threshold {
        Threshold::Off => return 0,
        Threshold::Instructions(_) => count,
        Threshold::Cost(_) => cost,
    };
    function.instructions().into_iter().map(weight).sum()
}

/// Whether a function of that size keeps its markers.
pub(crate) fn exceeds(size: u64, threshold: Threshold) -> bool {
    match threshold {
        Threshold::Off => false,
        Threshold::Instructions(limit) | Threshold::Cost(limit) => size > limit,
    }
}

fn count(instruction: Instruction) -> u64 {
    let free = instruction.is_phi()
        || instruction.is_alloca()
        || instruction.is_unreachable()
        || instruction.is_debug()
        || Mark::of(instruction).is_some();
    u64::from(!free)
}

fn cost(instruction: Instruction) -> u64 {
    if count(instruction) == 0 || instruction.is_descriptive() {
        return 0;
    }
    if instruction.is_load() || instruction.is_store() {
        return if instruction.accessed_address_space() == Some(LDS) { 4 } else { 10 };
    }
    let is_matrix = ["llvm.amdgcn.mfma.", "llvm.amdgcn.wmma."].iter().any(|name| instruction.calls_intrinsic(name));
    if is_matrix {
        16
    } else if instruction.calls_intrinsic("llvm.amdgcn.ds.") {
        4
    } else {
        1
    }
}
