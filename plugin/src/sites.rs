//! Where a function traces: marks and foreign traces, grouped into runs that share a boundary and a guard.

use sqtt_contract::marker::{Encoding, Marker};

use crate::Error;
use crate::boundary;
use crate::llvm::{Block, Function, Instruction};
use crate::lower::{Form, Word};
use crate::marks::{self, Mark};
use crate::numbering::Numbering;

/// One record to be emitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// What stands there now.
    pub(crate) instruction: Instruction,
    pub(crate) word: Word,
    pub(crate) form: Form,
    /// Whether the user wrote the marker, by name or by number.
    pub(crate) is_users: bool,
}

/// Records of one block with nothing between them that does anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) sites: Vec<Site>,
    /// `sched_barrier(0)` calls and their anchors between the sites.
    pub(crate) hints: Vec<Instruction>,
}

/// The runs of a function in block order.
pub(crate) fn runs(function: Function, numbering: &Numbering) -> Result<Vec<Run>, Error> {
    let mut found = Vec::new();
    for block in function.blocks() {
        runs_of_block(block, numbering, &mut found)?;
    }
    Ok(found)
}

fn runs_of_block(block: Block, numbering: &Numbering, found: &mut Vec<Run>) -> Result<(), Error> {
    let mut run = Run::default();
    let mut pending = Vec::new();
    for instruction in block.instructions() {
        if let Some(site) = site_of(instruction, numbering)? {
            run.hints.append(&mut pending);
            run.sites.push(site);
        } else if is_fused(instruction) && !run.sites.is_empty() {
            pending.push(instruction);
        } else if !instruction.is_descriptive() {
            pending.clear();
            found.extend(std::iter::once(std::mem::take(&mut run)).filter(|run| !run.sites.is_empty()));
        }
    }
    Ok(())
}

/// Whether two sites with this between them are one run.
fn is_fused(instruction: Instruction) -> bool {
    boundary::is_full_hint(instruction) || boundary::is_anchor(instruction)
}

fn site_of(instruction: Instruction, numbering: &Numbering) -> Result<Option<Site>, Error> {
    if let Some(mark) = Mark::of(instruction) {
        let id = mark.id().and_then(|id| numbering.get(&id).copied());
        let marker = match (mark, id) {
            (Mark::Exit | Mark::FunctionExit(_), _) => Marker::EXIT,
            (Mark::FunctionEnter(_) | Mark::Enter(_), Some(id)) => Marker::enter(id),
            (Mark::ExitEnter(_), Some(id)) => Marker::exit_enter(id),
            (Mark::Point(_), Some(id)) => Marker::point(id),
            // Numbering covers every mark that is in the code.
            (_, None) => return Ok(None),
        };
        let word = Word::Constant(Encoding::PLAIN.encode(marker, 0)?);
        return Ok(Some(Site { instruction, word, form: Form::Short, is_users: mark.is_users() }));
    }
    if !marks::is_foreign_trace(instruction) {
        return Ok(None);
    }
    let Some(operand) = instruction.operand(0) else { return Ok(None) };
    let word = match operand.as_constant().and_then(|word| u32::try_from(word).ok()) {
        Some(word) => Word::Constant(word),
        None => Word::Value(operand),
    };
    let form = if instruction.calls_intrinsic("llvm.amdgcn.s.ttracedata.imm") { Form::Short } else { Form::Full };
    Ok(Some(Site { instruction, word, form, is_users: true }))
}
