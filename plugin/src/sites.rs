//! Where a function traces: marks and foreign traces, grouped into runs that share a boundary and a guard.

use sqtt_contract::marker::Marker;

use crate::boundary;
use crate::llvm::{Block, Function, Instruction};
use crate::lower::Word;
use crate::marks::{self, Mark};
use crate::numbering::Numbering;

/// One marker to be emitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// What stands there now.
    pub(crate) instruction: Instruction,
    pub(crate) word: Word,
    pub(crate) payload: Payload,
    /// The source asked for `s_ttracedata_imm`.
    pub(crate) is_immediate: bool,
    /// Times a synchronization that directly follows.
    pub(crate) pins_sync: bool,
}

/// What follows a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    None,
    Data(Word),
    /// Addresses of the operation that the site's mark stands for.
    Addresses,
}

/// Markers of one block with nothing between them that does anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) sites: Vec<Site>,
    /// `sched_barrier(0)` calls and their anchors between the sites.
    pub(crate) hints: Vec<Instruction>,
}

/// The runs of a function in block order. A marker with addresses is a run of its own.
pub(crate) fn runs(function: Function, numbering: &Numbering) -> Vec<Run> {
    let mut found = Vec::new();
    for block in function.blocks() {
        runs_of_block(block, numbering, &mut found);
    }
    found.retain(|run| !run.sites.is_empty());
    found
}

fn runs_of_block(block: Block, numbering: &Numbering, found: &mut Vec<Run>) {
    let mut run = Run::default();
    let mut pending = Vec::new();
    for instruction in block.instructions() {
        if let Some(site) = site_of(instruction, numbering) {
            if site.payload == Payload::Addresses {
                pending.clear();
                found.extend([std::mem::take(&mut run), Run { sites: vec![site], hints: Vec::new() }]);
            } else {
                run.hints.append(&mut pending);
                run.sites.push(site);
            }
        } else if run.sites.is_empty() {
            // Nothing is open that this could end.
        } else if is_fused(instruction) {
            pending.push(instruction);
        } else if !instruction.is_descriptive() {
            pending.clear();
            found.push(std::mem::take(&mut run));
        }
    }
}

/// Whether two sites with this between them are one run.
fn is_fused(instruction: Instruction) -> bool {
    boundary::is_full_hint(instruction) || boundary::is_anchor(instruction)
}

fn site_of(instruction: Instruction, numbering: &Numbering) -> Option<Site> {
    if !instruction.calls() {
        return None;
    }
    match Mark::of(instruction) {
        Some(mark) => site_of_mark(instruction, mark, numbering),
        None if marks::is_foreign_trace(instruction) => site_of_foreign(instruction),
        None => None,
    }
}

/// What a mark is traced as. Numbering covers every mark that is in the code.
pub(crate) fn marker_of(mark: Mark, numbering: &Numbering) -> Option<Marker> {
    Some(match mark {
        Mark::Exit | Mark::FunctionExit(_) => Marker::EXIT,
        Mark::FunctionEnter(id) | Mark::Enter(id) => Marker::enter(*numbering.get(&id)?),
        Mark::ExitEnter(id) => Marker::exit_enter(*numbering.get(&id)?),
        Mark::Point(id) | Mark::Data(id) | Mark::Barrier(id) | Mark::Memory(id) | Mark::Addresses(id) => {
            Marker::point(*numbering.get(&id)?)
        }
    })
}

fn site_of_mark(instruction: Instruction, mark: Mark, numbering: &Numbering) -> Option<Site> {
    let marker = marker_of(mark, numbering)?;
    let payload = match mark {
        Mark::Data(_) => Payload::Data(instruction.argument(1).map_or(Word::Constant(0), Word::of)),
        Mark::Addresses(_) => Payload::Addresses,
        _ => Payload::None,
    };
    let pins_sync = mark.pins_sync();
    Some(Site { instruction, word: Word::Header(marker), payload, is_immediate: false, pins_sync })
}

fn site_of_foreign(instruction: Instruction) -> Option<Site> {
    let word = Word::of_numeric(instruction.argument(0)?);
    let is_immediate = instruction.calls_intrinsic("llvm.amdgcn.s.ttracedata.imm");
    Some(Site { instruction, word, payload: Payload::None, is_immediate, pins_sync: true })
}
