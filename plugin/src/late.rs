//! The late phase, behind the optimizer: marks become code, and the map is written.

use std::collections::{BTreeSet, HashMap};

use sqtt_contract::settings::{Settings, Threshold};

use crate::depth::Changes;
use crate::early::{instrumentable, may_be_scope};
use crate::ledger::Ledger;
use crate::llvm::{Function, Module, Severity};
use crate::marks::Mark;
use crate::named_markers::{self, Unresolved};
use crate::target::{self, Lookup};
use crate::{Error, config, effects, emission, exits, funcmap, functions, numbering, size, wrappers};

/// The module table that says that this phase has been here.
const DONE: &str = "sqtt.markers.done";

/// Whether the module already has its final markers and map.
pub(crate) fn is_done(module: Module) -> bool {
    module.rows(DONE).is_some()
}

/// Runs the phase behind an early one. Returns whether the module was changed.
pub(crate) fn run(module: Module) -> Result<bool, Error> {
    let Some(settings) = config::settings_for(module)? else { return Ok(false) };
    if is_done(module) {
        return Ok(false);
    }
    let mut ledger = Ledger::load(module);
    let early = ledger.entries().len();
    if settings.functions != Threshold::Off {
        functions::prune(module, &ledger, settings.functions);
    }
    for function in instrumentable(module) {
        named_markers::resolve(function, &mut ledger, Unresolved::Number);
    }
    finish(module, settings, &ledger, early, false)
}

/// Runs both phases in one, where there is no optimizer between them: -O0.
pub(crate) fn run_o0(module: Module) -> Result<bool, Error> {
    let Some(settings) = config::settings_for(module)? else { return Ok(false) };
    if is_done(module) {
        return Ok(false);
    }
    wrappers::inline_all(module);
    let mut ledger = Ledger::default();
    // Sentinels count like the marks that they become.
    let changes = Changes::of(module);
    for function in instrumentable(module) {
        named_markers::resolve(function, &mut ledger, Unresolved::Number);
        exits::join(function, &changes);
        let size = size::of(function, settings.functions);
        if size::exceeds(size, settings.functions) && may_be_scope(function, &changes) {
            functions::instrument(function, size, &mut ledger);
        }
    }
    let early = ledger.entries().len();
    finish(module, settings, &ledger, early, true)
}

/// Numbers the marks that are left, turns them into code and writes the map.
fn finish(module: Module, settings: &Settings, ledger: &Ledger, early: usize, is_o0: bool) -> Result<bool, Error> {
    report_unknown_targets(module);
    effects::declare(module);
    let numbering = numbering::number(ledger, early, &emissions(module), is_o0);
    let mut traces = false;
    let functions = instrumentable(module);
    for function in &functions {
        if let Lookup::Known(target) = target::of(*function) {
            traces |= emission::emit(*function, target, settings, &numbering)?;
        }
    }
    named_markers::remove_unused_declarations(module);
    let kernels: Vec<Function> = functions.into_iter().filter(|f| f.is_kernel()).collect();
    let rows = funcmap::rows(ledger, &numbering, &kernels);
    if rows.is_empty() && !traces {
        return Ok(false);
    }
    funcmap::emit(module, &rows);
    module.ensure_table(DONE);
    Ok(true)
}

/// How many marks there are of each provisional id.
fn emissions(module: Module) -> HashMap<u32, u32> {
    let mut counts = HashMap::new();
    for instruction in instrumentable(module).into_iter().flat_map(Function::instructions) {
        if let Some(id) = Mark::of(instruction).and_then(Mark::id) {
            *counts.entry(id).or_insert(0) += 1;
        }
    }
    counts
}

/// Says once per name that functions for a GPU outside the table get no markers.
fn report_unknown_targets(module: Module) {
    let unknown = module.definitions().into_iter().filter(|f| target::of(*f) == Lookup::Unknown);
    let names: BTreeSet<String> = unknown.filter_map(|f| f.string_attribute("target-cpu")).collect();
    for name in names {
        let text = format!("sqtt: target `{name}` is not known to this version: its functions get no markers");
        module.report(None, Severity::Warning, &text);
    }
}
