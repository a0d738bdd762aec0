//! The early phase, before the inliner: names become ids, functions get their entry and exit.

use sqtt_contract::settings::{Settings, Threshold};

use crate::depth::{Change, Changes};
use crate::ledger::{self, Ledger};
use crate::llvm::{Analyses, Function, Module};
use crate::marked::marked;
use crate::named_markers::{self, Unresolved};
use crate::target::instrumentable;
use crate::{Error, config, effects, exits, filter, functions, size, wrappers};

/// Runs the phase. Returns whether the module was changed.
pub(crate) fn run(module: Module, _: &Analyses) -> Result<bool, Error> {
    let Some(settings) = config::settings_for(module)? else { return Ok(false) };
    if module.rows(ledger::TABLE).is_some() || crate::late::is_done(module) {
        // A second copy of the plugin, or bitcode that a first compile has been through.
        return Ok(false);
    }
    let mut changed = wrappers::inline_all(module);
    let functions = instrumentable(module);
    let mut ledger = Ledger::default();
    for (function, _) in &functions {
        changed |= named_markers::resolve(*function, &mut ledger, Unresolved::Keep);
    }
    let changes = Changes::of(module);
    for (function, _) in &functions {
        changed |= exits::join(*function, &changes);
    }
    if settings.functions != Threshold::Off {
        filter::report_idle(settings, module);
        for (function, _) in functions.iter().filter(|(f, _)| may_be_scope(*f, &changes, settings)) {
            functions::instrument(*function, size::of(*function, settings.functions), &mut ledger);
            changed = true;
        }
    }
    let marked = marked(&functions);
    effects::protect(&marked);
    effects::take_back(&marked);
    changed |= !marked.is_empty();
    ledger.store(module);
    Ok(changed)
}

/// Whether a function can be a scope of its own.
///
/// Not the ones that belong to the marker API, and none that leaves a scope open or closes one of its caller (a
/// guard's constructor, say): its exit would pop that scope instead of its own.
pub(crate) fn may_be_scope(function: Function, changes: &Changes, settings: &Settings) -> bool {
    if !functions::is_eligible(function)
        || !filter::admits(settings, function)
        || wrappers::holds_only_markers(function)
    {
        return false;
    }
    changes.of_function(function).is_some_and(Change::is_none)
}
