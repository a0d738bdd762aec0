//! Runs of records become code: guard, boundaries, records, in that order from the outside.

use sqtt_contract::settings::{Boundary, Settings};

use crate::Error;
use crate::boundary;
use crate::effects;
use crate::llvm::{Builder, Function, Instruction, Value};
use crate::lower::Lowering;
use crate::numbering::Numbering;
use crate::scope;
use crate::sites::{self, Run};
use crate::target::Target;

/// Replaces everything that traces in a function by its final code. Returns whether there was anything.
pub(crate) fn emit(
    function: Function,
    target: &Target,
    settings: &Settings,
    numbering: &Numbering,
) -> Result<bool, Error> {
    let runs = sites::runs(function, numbering)?;
    if runs.is_empty() {
        return Ok(false);
    }
    let controlled = effects::uses_convergence_tokens(function);
    let lowering = Lowering::new(target, settings.m0_nop, controlled);
    let check = scope::emit_check(function, &settings.scope, target)?;
    for run in runs {
        match check {
            Some(check) => emit_guarded(&run, check, lowering, settings.boundary)?,
            None => emit_plain(&run, lowering, settings.boundary)?,
        }
    }
    Ok(true)
}

/// Hint, boundary, record, boundary, ..., hint: every wave emits.
fn emit_plain(run: &Run, lowering: Lowering, kind: Boundary) -> Result<(), Error> {
    let (Some(first), Some(last)) = (run.sites.first(), run.sites.last()) else { return Ok(()) };
    let module = first.instruction.function().module();
    let is_closed = |i: &Instruction| boundary::is_hint(*i) || i.is_fence();
    let opened = neighbour(first.instruction, Instruction::previous).is_some_and(|i| is_closed(&i));
    let closed = neighbour(last.instruction, Instruction::next).is_some_and(|i| is_closed(&i));
    let builder = Builder::before(first.instruction, first.instruction.location());
    if !opened {
        boundary::emit_hint(&builder, module);
    }
    emit_records(run, &builder, lowering, kind)?;
    if !closed {
        boundary::emit_hint(&builder, module);
    }
    erase(run);
    Ok(())
}

/// The same in a block of its own that only waves inside the scope enter. No hints there: the branch orders the
/// code around it, and a hint in so small a block only costs wait states.
fn emit_guarded(run: &Run, check: Value, lowering: Lowering, kind: Boundary) -> Result<(), Error> {
    let (Some(first), Some(last)) = (run.sites.first(), run.sites.last()) else { return Ok(()) };
    let module = first.instruction.function().module();
    let outer = [neighbour(first.instruction, Instruction::previous), neighbour(last.instruction, Instruction::next)];
    for hint in outer.into_iter().flatten().filter(|i| boundary::is_full_hint(*i)) {
        hint.erase();
    }
    let location = first.instruction.location();
    let emits = Builder::before(first.instruction, location).is_not_zero(check);
    let end = first.instruction.split_if(emits);
    end.block().set_name("sqtt.trace");
    let skip = first.instruction.block();
    skip.set_name("sqtt.skip");
    emit_records(run, &Builder::before(end, location), lowering, kind)?;
    let wants_pin = run.sites.iter().any(|site| site.is_users);
    let following = neighbour(last.instruction, Instruction::next);
    erase(run);
    // Without the pin, late scheduling could move other code between the trace block and the synchronization.
    if wants_pin
        && following.is_some_and(boundary::is_workgroup_sync)
        && let Some(head) = skip.first()
    {
        boundary::emit_hint(&Builder::before(head, location), module);
    }
    Ok(())
}

/// A boundary in front of and behind every record; two records that touch share the one between them.
fn emit_records(run: &Run, builder: &Builder, lowering: Lowering, kind: Boundary) -> Result<(), Error> {
    boundary::emit(builder, kind);
    for site in &run.sites {
        let module = site.instruction.function().module();
        builder.set_location(site.instruction.location());
        let record = lowering.emit(builder, module, site.word, site.form)?;
        record.copy_metadata_of(site.instruction);
        boundary::emit(builder, kind);
    }
    Ok(())
}

/// The nearest instruction in a direction that does something: not a description, and no anchor.
fn neighbour(start: Instruction, step: fn(Instruction) -> Option<Instruction>) -> Option<Instruction> {
    let ahead = std::iter::successors(step(start), |i| step(*i));
    ahead.into_iter().find(|i| !i.is_descriptive() && !boundary::is_anchor(*i))
}

fn erase(run: &Run) {
    for site in &run.sites {
        site.instruction.erase();
    }
    for hint in &run.hints {
        hint.erase();
    }
}
