//! What a function may claim about itself once it holds markers, and what optimizers may do with a marker's call.

use std::collections::HashSet;

use crate::faults::{Point, lacks};
use crate::llvm::{EnumAttribute, Function, Instruction, Module};
use crate::marks::Mark;
use crate::named_markers::is_marker;
use crate::target;

/// In a `memory` attribute: reads and writes memory that the module cannot see. Bits 3:2 on LLVM 19 to 23
/// (`IRMemLocation::InaccessibleMem`).
const INACCESSIBLE_READ_WRITE: u64 = 0b1100;

/// Makes every marker of the module a call that is neither merged nor duplicated, and takes back claims of the
/// functions that hold one, and of their callers: a `const` function with a marker is no longer free of effects.
/// Returns whether there was any marker.
pub(crate) fn declare(module: Module) -> bool {
    let mut affected: Vec<Function> = Vec::new();
    for function in target::instrumentable(module) {
        let marked: Vec<Instruction> = function.instructions().into_iter().filter(|i| is_marker(*i)).collect();
        if marked.is_empty() {
            continue;
        }
        let controlled = uses_convergence_tokens(function);
        for call in marked {
            protect(call, controlled);
        }
        affected.push(function);
    }
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
    next > 0
}

/// `convergent` stops hoisting, sinking and duplication over a branch; `nomerge` stops tail merging. `nomerge`
/// alone is not enough: SimplifyCFG then still duplicates an inlined function's exit into both arms.
fn protect(call: Instruction, controlled: bool) {
    // An uncontrolled convergent call is invalid in a function that uses convergence tokens.
    if !controlled && !lacks(Point::ConvergentMarkers) {
        call.set_call_attribute(EnumAttribute::Convergent, 0);
    }
    call.set_call_attribute(EnumAttribute::NoMerge, 0);
    if Mark::of(call).is_some() {
        harmless(call);
    }
}

/// The attributes that LLVM gives its `s_ttracedata` intrinsics.
pub(crate) fn harmless(call: Instruction) {
    for attribute in [
        EnumAttribute::NoUnwind,
        EnumAttribute::NoCallback,
        EnumAttribute::NoFree,
        EnumAttribute::NoSync,
        EnumAttribute::WillReturn,
    ] {
        call.set_call_attribute(attribute, 0);
    }
}

/// Whether a function's convergent calls are controlled by tokens (`llvm.experimental.convergence.*`).
pub(crate) fn uses_convergence_tokens(function: Function) -> bool {
    function.instructions().into_iter().any(|i| i.calls_intrinsic("llvm.experimental.convergence."))
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
