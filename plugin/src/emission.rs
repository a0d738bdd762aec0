//! Runs of markers become code: guard, boundaries, records, in that order from the outside.

use sqtt_contract::settings::{Boundary, Settings};
use sqtt_contract::variables;

use crate::Error;
use crate::addresses::{self, Traced};
use crate::boundary;
use crate::clock::Packing;
use crate::effects;
use crate::faults::{Point, lacks};
use crate::llvm::{Builder, Instruction, Severity};
use crate::lower::{Lowering, Word};
use crate::marked::Marked;
use crate::numbering::Numbering;
use crate::scope::{self, Check};
use crate::sites::{self, Payload, Run, Site};
use crate::syncs;
use crate::target;

/// What was found in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Emitted {
    /// It traces something.
    pub(crate) traces: bool,
    /// Its headers carry the clock.
    pub(crate) packs_clock: bool,
}

/// What all runs of a function share.
struct Emission<'a> {
    lowering: Lowering,
    boundary: Boundary,
    lanes: u32,
    traced: &'a Traced,
}

/// Replaces everything that traces in a function by its final code.
pub(crate) fn emit(
    marked: &Marked,
    settings: &Settings,
    numbering: &Numbering,
    traced: &Traced,
) -> Result<Emitted, Error> {
    let Marked { function, target, .. } = *marked;
    let runs = sites::runs(function, numbering);
    if runs.is_empty() && !lacks(Point::OffIsOff) {
        return Ok(Emitted::default());
    }
    let module = function.module();
    let packing = Packing::new(settings.clock, target.clock)?;
    if packing.is_some() {
        refuse_payloads(&runs);
    }
    let controlled = effects::uses_convergence_tokens(function);
    let lowering = Lowering::new(module, target, settings.m0_nop, controlled, packing);
    let lanes = target::lanes(function, target);
    let emission = Emission { lowering, boundary: settings.boundary, lanes, traced };
    let check = scope::emit_check(function, &settings.scope, target)?;
    // Backwards: a split moves what is behind it in its block, which is little when that was split already.
    for run in runs.iter().rev() {
        match check {
            Some(check) => emission.guarded(run, check)?,
            None => emission.plain(run)?,
        }
    }
    let is_header = |site: &Site| matches!(site.word, Word::Header(_) | Word::Exit);
    let packs_clock = packing.is_some() && runs.iter().flat_map(|run| &run.sites).any(is_header);
    Ok(Emitted { traces: true, packs_clock })
}

/// A reader of packed headers could not tell a payload from one.
fn refuse_payloads(runs: &[Run]) {
    for site in runs.iter().flat_map(|run| &run.sites).filter(|site| site.payload != Payload::None) {
        let text = format!("sqtt: payload markers require {}=0", variables::SHADER_CLOCK_BITS);
        site.instruction.function().module().report(Some(site.instruction.into()), Severity::Error, &text);
    }
}

impl Emission<'_> {
    /// Hint, boundary, record, boundary, ..., hint: every wave emits.
    fn plain(&self, run: &Run) -> Result<(), Error> {
        let (Some(first), Some(last)) = (run.sites.first(), run.sites.last()) else { return Ok(()) };
        let module = self.lowering.module;
        let is_closed = |i: Instruction| boundary::is_hint(i) || i.is_fence();
        let is_block = first.payload == Payload::Addresses;
        let opened = !is_block && neighbour(first.instruction, Instruction::previous).is_some_and(is_closed);
        let closed = !is_block && neighbour(last.instruction, Instruction::next).is_some_and(is_closed);
        let location = first.instruction.location();
        if !opened {
            boundary::emit_hint(&Builder::before(first.instruction, location), module);
        }
        self.records(run, first.instruction)?;
        let builder = Builder::before(first.instruction, location);
        boundary::emit_end(&builder, self.boundary);
        if !closed {
            boundary::emit_hint(&builder, module);
        }
        erase(run);
        Ok(())
    }

    /// The same in a block of its own that only waves inside the scope enter. No hints there: the branch orders the
    /// code around it, and a hint in so small a block only costs wait states.
    fn guarded(&self, run: &Run, check: Check) -> Result<(), Error> {
        let (Some(first), Some(last)) = (run.sites.first(), run.sites.last()) else { return Ok(()) };
        if first.payload != Payload::Addresses {
            let outer =
                [neighbour(first.instruction, Instruction::previous), neighbour(last.instruction, Instruction::next)];
            for hint in outer.into_iter().flatten().filter(|i| boundary::is_full_hint(*i)) {
                hint.erase();
            }
        }
        let location = first.instruction.location();
        let emits = scope::emits(&Builder::before(first.instruction, location), check);
        let end = first.instruction.split_if(emits);
        end.block().set_name("sqtt.trace");
        let skip = first.instruction.block();
        skip.set_name("sqtt.skip");
        self.records(run, end)?;
        let wants_pin = run.sites.iter().any(|site| site.pins_sync);
        let following = neighbour(last.instruction, Instruction::next);
        erase(run);
        // Without the pin, late scheduling could move other code between the trace block and the synchronization.
        if wants_pin
            && following.is_some_and(syncs::is_workgroup_sync)
            && let Some(head) = skip.first()
        {
            boundary::emit_hint(&Builder::before(head, location), self.lowering.module);
        }
        Ok(())
    }

    /// A boundary in front of and behind every marker with its payload; two that touch share the one between them.
    fn records(&self, run: &Run, end: Instruction) -> Result<(), Error> {
        for (index, site) in run.sites.iter().enumerate() {
            let location = site.instruction.location();
            let builder = Builder::before(end, location);
            if index == 0 {
                boundary::emit(&builder, self.boundary);
            }
            match self.header(&builder, site) {
                Ok(header) => header.copy_metadata_of(site.instruction),
                Err(Error::Id(problem)) => {
                    let text = format!("sqtt: {problem}");
                    self.lowering.module.report(Some(site.instruction.into()), Severity::Error, &text);
                }
                Err(error) => return Err(error),
            }
            if site.payload != Payload::None && lacks(Point::AdjacentPayload) {
                boundary::emit(&builder, self.boundary);
            }
            match site.payload {
                Payload::None => {}
                Payload::Data(word) => _ = self.lowering.emit(&builder, word)?,
                Payload::Addresses => {
                    if let Some(operation) = self.traced.get(&site.instruction) {
                        addresses::emit_payload(end, *operation, self.lanes, self.lowering, location)?;
                    }
                }
            }
            boundary::emit(&Builder::before(end, location), self.boundary);
        }
        Ok(())
    }

    fn header(&self, builder: &Builder, site: &Site) -> Result<Instruction, Error> {
        match site.word {
            Word::Constant(word) if site.is_immediate => Ok(self.lowering.emit_short(builder, word)),
            Word::Exit if site.is_immediate && self.lowering.packing.is_none() => {
                Ok(self.lowering.emit_short(builder, 1))
            }
            word => self.lowering.emit(builder, word),
        }
    }
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
