//! Named markers: calls of the sentinels become marks, exit+enter pairs become one.
//!
//! Two families of sentinels are known: this project's header calls the first; AMD's newer header calls the second.

use sqtt_contract::funcmap::UNNAMED;

use crate::faults::{Point, lacks};
use crate::labels::{self, Label};
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Builder, Function, Instruction, Module, Severity};
use crate::marks::{self, Mark};

/// What a sentinel stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sentinel {
    Enter,
    Exit,
    Point,
    Data,
}

const SENTINELS: [(&str, Sentinel); 8] = [
    ("__sqtt_named_marker_enter", Sentinel::Enter),
    ("__sqtt_named_marker_exit", Sentinel::Exit),
    ("__sqtt_named_marker_point", Sentinel::Point),
    ("__sqtt_named_marker_data", Sentinel::Data),
    ("sqtt_marker_enter", Sentinel::Enter),
    ("sqtt_marker_exit", Sentinel::Exit),
    ("sqtt_marker_point", Sentinel::Point),
    ("sqtt_marker_data", Sentinel::Data),
];

/// What becomes of a label that is not one literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// The call stays: optimization may still make it a literal.
    Keep,
    /// The call gets an id of its own, and a warning. A marker is never dropped.
    Number,
}

/// All sentinel calls of a module.
pub(crate) fn calls(module: Module) -> Vec<(Instruction, Sentinel)> {
    SENTINELS
        .iter()
        .filter_map(|(name, sentinel)| Some((module.function(name)?, *sentinel)))
        .flat_map(|(function, sentinel)| function.direct_calls().into_iter().map(move |call| (call, sentinel)))
        .collect()
}

/// The sentinel that an instruction calls.
pub(crate) fn sentinel_of(instruction: Instruction) -> Option<Sentinel> {
    let callee = instruction.callee().filter(|callee| callee.is_declaration())?;
    SENTINELS.iter().find(|(name, _)| callee.is_named(name)).map(|(_, sentinel)| *sentinel)
}

/// Whether an instruction is a marker in any form that one has before the late phase makes code of it.
pub(crate) fn is_marker(instruction: Instruction) -> bool {
    Mark::of(instruction).is_some() || marks::is_foreign_trace(instruction) || sentinel_of(instruction).is_some()
}

/// Turns the sentinel calls of a function into marks, in instruction order. Returns whether anything changed.
pub(crate) fn resolve(function: Function, ledger: &mut Ledger, unresolved: Unresolved) -> bool {
    let mut changed = false;
    for call in function.calls() {
        let Some(sentinel) = sentinel_of(call) else { continue };
        let call = call.into_call();
        let mark = match sentinel {
            Sentinel::Exit if lacks(Point::ExitWithoutName) => {
                id_of(call, (Kind::Scope, 0), ledger, Unresolved::Keep).map(|_| Mark::Exit)
            }
            Sentinel::Exit => Some(Mark::Exit),
            Sentinel::Enter => id_of(call, (Kind::Scope, 0), ledger, unresolved).map(Mark::Enter),
            Sentinel::Point => id_of(call, (Kind::Point, 0), ledger, unresolved).map(Mark::Point),
            Sentinel::Data => id_of(call, (Kind::Point, 1), ledger, unresolved).map(Mark::Data),
        };
        if let Some(mark) = mark {
            replace(call, mark);
            changed = true;
        }
    }
    changed
}

/// Removes the sentinels' declarations once nothing calls them.
pub(crate) fn remove_unused_declarations(module: Module) {
    for (name, _) in SENTINELS {
        if let Some(function) = module.function(name).filter(|f| f.is_declaration() && f.value().is_unused()) {
            function.erase();
        }
    }
}

fn id_of(call: Instruction, (kind, payload): (Kind, u32), ledger: &mut Ledger, unresolved: Unresolved) -> Option<u32> {
    match (labels::resolve(call.operand(0)?), unresolved) {
        (Label::Literal(name), _) if name.is_empty() => Some(ledger.named(kind, UNNAMED.into(), payload)),
        (Label::Literal(name), _) => Some(ledger.named(kind, name, payload)),
        (_, Unresolved::Keep) => None,
        _ if lacks(Point::UnknownNames) => None,
        (label, Unresolved::Number) => {
            let place = place_of(call);
            // A wrapper that was inlined everywhere may remain for other modules; its own copy is not the user's
            // mistake.
            if label != Label::Parameter || call.function().is_kernel() {
                let text = format!(
                    "sqtt: the marker's name is not one string literal; it is traced as `<unresolved {place}>`: \
                     pass a literal, or a parameter that every caller gives as one"
                );
                call.function().module().report(Some(call.into()), Severity::Warning, &text);
            }
            let name = format!("<unresolved {place}>").into_bytes();
            Some(ledger.add(Entry { payload, ..Entry::new(kind, name) }))
        }
    }
}

/// Where a call stands, for the name of a marker that has none: `file:line`, or the function without debug lines.
fn place_of(call: Instruction) -> String {
    match call.location().map(|location| location.place()) {
        Some((file, line)) => format!("{}:{line}", String::from_utf8_lossy(&file)),
        None => format!("in {}", String::from_utf8_lossy(&call.function().name())),
    }
}

/// Puts a mark in a sentinel call's place. An enter directly behind the exit of another user's scope takes the
/// exit in: one word instead of two. Only descriptions (debug, lifetimes) may stand between.
fn replace(call: Instruction, mark: Mark) {
    let mut mark = mark;
    let before = call.preceding().find(|i| !i.is_descriptive());
    if let (Mark::Enter(id), Some(exit)) = (mark, before.filter(|i| Mark::of(*i) == Some(Mark::Exit))) {
        exit.erase();
        mark = Mark::ExitEnter(id);
    }
    let builder = Builder::before(call, call.location());
    match (mark, call.argument(1)) {
        (Mark::Data(_), Some(data)) if data.is_integer() => mark.place_with_data(&builder, builder.as_i32(data)),
        (Mark::Data(_), _) => {
            let text = "sqtt: the data of a marker is not an integer: pass a uint32_t";
            call.function().module().report(Some(call.into()), Severity::Error, text);
            mark.place(&builder)
        }
        _ => mark.place(&builder),
    };
    call.erase();
}
