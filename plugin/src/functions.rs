//! Function entry and exit: which functions get them, and which lose them again.

use std::collections::{HashMap, HashSet};

use sqtt_contract::settings::Threshold;

use crate::allocas;
use crate::faults::{Point, lacks};
use crate::generated::is_generated;
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Builder, EnumAttribute, Function, Instruction, MetadataValue, Module};
use crate::marks::Mark;
use crate::returns;
use crate::size;

/// The metadata that says which ledger entry a function is; clones of a function carry it too.
const FUNCTION_ID: &str = "sqtt.func.id";

/// Whether a function may get an entry and an exit at all, whatever its size.
pub(crate) fn is_eligible(function: Function) -> bool {
    !function.is_kernel()
        && !function.is_available_externally()
        && !is_generated(function)
        // A naked function has no place for code of ours.
        && (function.attribute(EnumAttribute::Naked).is_none() || lacks(Point::NakedFunctions))
        // Nothing may stand between such a call and its return.
        && !function.instructions().into_iter().any(Instruction::is_must_tail_call)
}

/// Gives a function its entry and exit marks and a ledger entry of that size.
pub(crate) fn instrument(function: Function, size: u64, ledger: &mut Ledger) {
    let entry = Entry::new(Kind::Function, function.name());
    let id = ledger.add(Entry { location: definition_place(function), size, local: function.is_local(), ..entry });
    function.set_metadata(FUNCTION_ID, &MetadataValue::Integer(u64::from(id)));
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
    // The smallest of an entry's definitions decides.
    let mut measured: HashMap<u32, u64> = HashMap::new();
    for function in module.definitions() {
        if let Some(id) = function.metadata_integer(FUNCTION_ID).and_then(|id| u32::try_from(id).ok()) {
            let size = size::of(function, threshold);
            measured.entry(id).and_modify(|least| *least = size.min(*least)).or_insert(size);
        }
    }
    let is_too_small =
        |entry: &&Entry| !size::exceeds(measured.get(&entry.id).copied().unwrap_or(entry.size), threshold);
    let functions = ledger.entries().iter().filter(|entry| entry.kind == Kind::Function);
    let pruned: HashSet<u32> = functions.filter(is_too_small).map(|entry| entry.id).collect();
    for instruction in module.definitions().into_iter().flat_map(Function::calls) {
        if let Some(Mark::FunctionEnter(id) | Mark::FunctionExit(id)) = Mark::of(instruction)
            && pruned.contains(&id)
        {
            instruction.erase();
        }
    }
}
