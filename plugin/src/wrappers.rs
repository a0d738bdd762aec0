//! Wrappers of the marker API: functions that belong to it and not to the program.

use std::collections::HashSet;

use crate::boundary;
use crate::faults::{Point, lacks};
use crate::labels::{self, Label};
use crate::llvm::{EnumAttribute, Function, Instruction, Module};
use crate::named_markers::{self, is_marker};

/// Inlines the wrappers into their direct callers, at any depth, and removes the ones that nothing needs any more.
/// Returns whether anything changed.
///
/// Inlined is what passes its own parameter on as a label, so that the label becomes a literal, and what holds
/// nothing but markers and is `alwaysinline` anyway (the header's numeric functions). A function that calls the API
/// with a literal keeps its `noinline`.
pub(crate) fn inline_all(module: Module) -> bool {
    let mut done: Vec<Function> = Vec::new();
    let mut changed = false;
    let mut known: HashSet<Function> = HashSet::new();
    // Inlining wrappers can turn their callers into some. Each function is taken once, so recursion ends.
    loop {
        let wrappers = new_wrappers(module, &mut known);
        if wrappers.is_empty() {
            break;
        }
        for wrapper in &wrappers {
            for call in wrapper.direct_calls() {
                if call.function() != *wrapper {
                    changed |= call.inline();
                }
            }
        }
        done.extend(wrappers);
    }
    for function in if changed { module.definitions() } else { Vec::new() } {
        show_callers_lines(function);
    }
    // Backwards: a wrapper of a wrapper holds the last use of the inner one.
    for wrapper in done.into_iter().rev() {
        // LLVM 19 crashes at -O0 on an internal function without callers.
        if wrapper.is_discardable() && wrapper.value().is_unused() {
            wrapper.erase();
            changed = true;
        }
    }
    changed
}

/// The wrappers that are not known yet; from now on they are.
fn new_wrappers(module: Module, known: &mut HashSet<Function>) -> Vec<Function> {
    let passes_label_on = named_markers::calls(module)
        .into_iter()
        .filter(|(call, _)| {
            lacks(Point::OnlyWrappersInlined)
                || call.operand(0).is_some_and(|label| labels::resolve(label) == Label::Parameter)
        })
        .map(|(call, _)| call.function());
    let is_numeric = |f: &Function| f.attribute(EnumAttribute::AlwaysInline).is_some() && holds_only_markers(*f);
    let numeric = module.definitions().into_iter().filter(is_numeric);
    passes_label_on.into_iter().chain(numeric).filter(|f| !f.is_kernel() && known.insert(*f)).collect()
}

/// A marker stands where the user called the API, not on a line of the API itself. Nothing else was inlined yet, so
/// that is the outermost place.
fn show_callers_lines(function: Function) {
    let is_ours = |i: &Instruction| is_marker(*i) || boundary::is_hint(*i);
    for marker in function.calls().into_iter().filter(is_ours) {
        if let Some(location) = marker.location() {
            marker.set_location(location.outermost());
        }
    }
}

/// Whether a function holds markers and nothing else that a profile could show. It is part of the marker API and
/// no function of the program: with an entry and exit of its own, its exit would pop the scope that it just opened.
pub(crate) fn holds_only_markers(function: Function) -> bool {
    !lacks(Point::ApiIsNoFunction) && is_wrapper(function, 0)
}

/// How deep wrappers of wrappers are looked through.
const MAX_DEPTH: u32 = 8;

fn is_wrapper(function: Function, depth: u32) -> bool {
    if !function.returns_void() || depth > MAX_DEPTH {
        return false;
    }
    let mut has_marker = false;
    for instruction in function.instructions() {
        let marks = is_marker(instruction) || calls_wrapper(instruction, function, depth);
        has_marker |= marks;
        if !marks && !serves_markers(instruction) {
            return false;
        }
    }
    has_marker
}

fn calls_wrapper(instruction: Instruction, caller: Function, depth: u32) -> bool {
    instruction.defined_callee().is_some_and(|callee| callee != caller && is_wrapper(callee, depth + 1))
}

/// Whether an instruction only serves the markers beside it: operands, their spill slots at -O0, hints.
fn serves_markers(instruction: Instruction) -> bool {
    let spills = || {
        let address = instruction.operand(1).map(|address| address.without_casts());
        address.and_then(|address| address.as_instruction()).is_some_and(Instruction::is_alloca)
    };
    instruction.is_descriptive()
        || instruction.is_return()
        || instruction.unconditional_target().is_some()
        || boundary::is_hint(instruction)
        || boundary::is_anchor(instruction)
        || instruction.calls_intrinsic("llvm.amdgcn.readfirstlane")
        || (instruction.is_store() && spills())
        || (!instruction.is_terminator() && !instruction.may_have_side_effects())
}
