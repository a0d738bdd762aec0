//! Function entry and exit: which functions get them, and which lose them again.

use std::collections::HashSet;

use sqtt_contract::settings::Threshold;

use crate::allocas;
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Builder, EnumAttribute, Function, Instruction, MetadataValue, Module};
use crate::marks::{Mark, is_foreign_trace};
use crate::named_markers::sentinel_of;
use crate::returns;
use crate::size;

/// The metadata that says which ledger entry a function is; clones of a function carry it too.
const FUNCTION_ID: &str = "sqtt.func.id";

/// Whether a function may get an entry and an exit at all, whatever its size.
pub(crate) fn is_eligible(function: Function) -> bool {
    !function.is_kernel()
        && !function.is_available_externally()
        // A naked function has no place for code of ours.
        && function.attribute(EnumAttribute::Naked).is_none()
        // Nothing may stand between such a call and its return.
        && !function.instructions().into_iter().any(Instruction::is_must_tail_call)
        && !is_marker_wrapper(function, 0)
}

/// Gives a function its entry and exit marks and a ledger entry of that size.
pub(crate) fn instrument(function: Function, size: u64, ledger: &mut Ledger) {
    let id = ledger.add(Kind::Function, function.name(), definition_place(function), size);
    function.set_metadata(FUNCTION_ID, MetadataValue::Integer(u64::from(id)));
    if let Some(ret) = returns::unify(function) {
        let location = ret.location().or_else(|| function.definition_location(false));
        Mark::FunctionExit(id).place(&Builder::before(ret, location));
    }
    if let Some(start) = allocas::code_start(function) {
        Mark::FunctionEnter(id).place(&Builder::before(start, function.definition_location(true)));
    }
}

/// `file:line` of a definition, as the map shows it.
pub(crate) fn definition_place(function: Function) -> Option<Vec<u8>> {
    let (mut file, line) = function.definition_place()?;
    if file.is_empty() && line == 0 {
        return None;
    }
    file.extend_from_slice(format!(":{line}").as_bytes());
    Some(file)
}

/// Removes the marks of functions that are too small, in the whole module: inlined copies too.
///
/// A function that still exists is measured as it is now, every clone of it; one that was inlined everywhere
/// counts as it was before optimization.
pub(crate) fn prune(module: Module, ledger: &Ledger, threshold: Threshold) {
    let mut measured: Vec<(u32, u64)> = Vec::new();
    for function in module.definitions() {
        if let Some(id) = function.metadata_integer(FUNCTION_ID).and_then(|id| u32::try_from(id).ok()) {
            measured.push((id, size::of(function, threshold)));
        }
    }
    let is_too_small = |entry: &&Entry| {
        let mut sizes = measured.iter().filter(|(id, _)| *id == entry.id).map(|(_, size)| *size).peekable();
        match sizes.peek() {
            Some(_) => sizes.any(|size| !size::exceeds(size, threshold)),
            None => !size::exceeds(entry.size, threshold),
        }
    };
    let functions = ledger.entries().iter().filter(|entry| entry.kind == Kind::Function);
    let pruned: HashSet<u32> = functions.filter(is_too_small).map(|entry| entry.id).collect();
    for instruction in module.definitions().into_iter().flat_map(Function::instructions) {
        if let Some(Mark::FunctionEnter(id) | Mark::FunctionExit(id)) = Mark::of(instruction)
            && pruned.contains(&id)
        {
            instruction.erase();
        }
    }
}

/// How deep wrappers of wrappers are looked through.
const MAX_WRAPPER_DEPTH: u32 = 8;

/// Whether a function holds markers and nothing else that a profile could show: a wrapper of the marker API is
/// part of the API. With an entry and exit of its own, its exit would pop the scope that it just opened.
fn is_marker_wrapper(function: Function, depth: u32) -> bool {
    if !function.returns_void() || depth > MAX_WRAPPER_DEPTH {
        return false;
    }
    let mut has_marker = false;
    for instruction in function.instructions() {
        let is_marker = Mark::of(instruction).is_some()
            || is_foreign_trace(instruction)
            || sentinel_of(instruction).is_some()
            || calls_marker_wrapper(instruction, function, depth);
        has_marker |= is_marker;
        if !is_marker && !belongs_to_a_wrapper(instruction) {
            return false;
        }
    }
    has_marker
}

fn calls_marker_wrapper(instruction: Instruction, caller: Function, depth: u32) -> bool {
    instruction
        .callee()
        .is_some_and(|callee| callee != caller && !callee.is_declaration() && is_marker_wrapper(callee, depth + 1))
}

/// Whether an instruction only serves the markers beside it: operands, their spill slots at -O0, hints.
fn belongs_to_a_wrapper(instruction: Instruction) -> bool {
    let spills = || {
        let address = instruction.operand(1).map(|address| address.without_casts());
        address.and_then(|address| address.as_instruction()).is_some_and(Instruction::is_alloca)
    };
    instruction.is_descriptive()
        || instruction.is_return()
        || instruction.unconditional_target().is_some()
        || instruction.calls_intrinsic("llvm.amdgcn.sched.barrier")
        || instruction.calls_intrinsic("llvm.amdgcn.readfirstlane")
        || (instruction.is_store() && spills())
        || (!instruction.is_terminator() && !instruction.may_have_side_effects())
}
