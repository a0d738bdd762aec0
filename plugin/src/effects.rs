//! What a function may claim about itself once it holds markers, and what optimizers may do with a marker's call.

use std::collections::HashSet;

use crate::faults::{Point, lacks};
use crate::llvm::{EnumAttribute, Function, Instruction};
use crate::marked::Marked;
use crate::marks::Mark;

/// In a `memory` attribute: reads and writes memory that the module cannot see. Bits 3:2 on LLVM 19 to 23
/// (`IRMemLocation::InaccessibleMem`).
const INACCESSIBLE_READ_WRITE: u64 = 0b1100;

/// Makes markers calls that optimizers neither merge nor duplicate.
pub(crate) fn protect(marked: &[Marked]) {
    for Marked { function, markers, .. } in marked {
        let controlled = uses_convergence_tokens(*function);
        for call in markers {
            protect_call(*call, controlled);
        }
    }
}

/// Takes back claims of the functions that hold markers, and of their callers: a `const` function with a marker is no
/// longer free of effects.
pub(crate) fn take_back(marked: &[Marked]) {
    let mut affected: Vec<Function> = marked.iter().map(|marked| marked.function).collect();
    let mut known: HashSet<Function> = affected.iter().copied().collect();
    let mut next = 0;
    while let Some(function) = affected.get(next).copied() {
        next += 1;
        take_back_claims(function);
        for call in function.direct_calls() {
            take_back_claims_of_call(call);
            if known.insert(call.function()) {
                affected.push(call.function());
            }
        }
    }
}

/// What a record must not lose, then what LLVM gives its `s_ttracedata` intrinsics.
///
/// `convergent` stops hoisting, sinking and duplication over a branch; `nomerge` stops tail merging. `nomerge` alone is
/// not enough: SimplifyCFG then still duplicates an inlined function's exit into both arms.
const OF_RECORDS: [EnumAttribute; 7] = [
    EnumAttribute::Convergent,
    EnumAttribute::NoMerge,
    EnumAttribute::NoUnwind,
    EnumAttribute::NoCallback,
    EnumAttribute::NoFree,
    EnumAttribute::NoSync,
    EnumAttribute::WillReturn,
];

/// Gives the call of a record, or of a mark, its attributes. An uncontrolled convergent call is invalid in a function
/// that uses convergence tokens.
pub(crate) fn seal(call: Instruction, controlled: bool) {
    call.add_call_attributes(&OF_RECORDS[usize::from(controlled)..]);
}

/// Gives a call that traces nothing, and does as little, the rest of them.
pub(crate) fn harmless(call: Instruction) {
    call.add_call_attributes(&OF_RECORDS[2..]);
}

fn protect_call(call: Instruction, controlled: bool) {
    let controlled = controlled || lacks(Point::ConvergentMarkers);
    if Mark::of(call).is_some() {
        seal(call, controlled);
    } else {
        call.add_call_attributes(&OF_RECORDS[usize::from(controlled)..2]);
    }
}

/// Whether a function's convergent calls are controlled by tokens (`llvm.experimental.convergence.*`).
pub(crate) fn uses_convergence_tokens(function: Function) -> bool {
    function.calls().into_iter().any(|i| i.calls_intrinsic("llvm.experimental.convergence."))
}

fn take_back_claims(function: Function) {
    if lacks(Point::UntrueAttributes) {
        return;
    }
    if let Some(memory) = function.attribute(EnumAttribute::Memory) {
        function.set_attribute(EnumAttribute::Memory, memory | INACCESSIBLE_READ_WRITE);
    }
    function.remove_attribute(EnumAttribute::NoSync);
    function.remove_attribute(EnumAttribute::Speculatable);
    function.set_attribute(EnumAttribute::Convergent, 0);
}

fn take_back_claims_of_call(call: Instruction) {
    if let Some(memory) = call.call_attribute(EnumAttribute::Memory) {
        call.set_call_attribute(EnumAttribute::Memory, memory | INACCESSIBLE_READ_WRITE);
    }
    call.remove_call_attribute(EnumAttribute::NoSync);
    call.remove_call_attribute(EnumAttribute::Speculatable);
}
