//! Barrier markers: where each kind of barrier gets its point (spec "Barrier marker placement").

use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Builder, Function, Instruction};
use crate::marks::Mark;
use crate::report::Untraced;
use crate::syncs::{Barrier, barrier_of};

/// The ids of the three barrier points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierIds {
    signal: u32,
    wait: u32,
    full: u32,
}

impl BarrierIds {
    /// Adds the three points to the ledger. The module has all of them, whichever it uses.
    pub(crate) fn add_to(ledger: &mut Ledger) -> BarrierIds {
        let mut add = |name: &str| ledger.add(Entry::new(Kind::System, name.into()));
        BarrierIds { signal: add("barrier_signal"), wait: add("barrier_wait"), full: add("barrier") }
    }
}

/// Puts a mark at every barrier of a function.
///
/// A whole barrier and a lone wait have it in front, a lone signal behind, a signal with its wait directly behind it
/// between the two.
pub(crate) fn place(function: Function, ids: BarrierIds, untraced: &mut Untraced) {
    let mut paired_wait = None;
    for instruction in function.calls() {
        match barrier_of(instruction) {
            None => {}
            Some(Barrier::Full) => put(ids.full, instruction, instruction),
            Some(Barrier::Wait) if paired_wait == Some(instruction) => {}
            Some(Barrier::Wait) => put(ids.wait, instruction, instruction),
            Some(Barrier::Signal) => {
                let Some(next) = following(instruction) else { continue };
                let is_pair = barrier_of(next) == Some(Barrier::Wait);
                paired_wait = is_pair.then_some(next);
                put(if is_pair { ids.full } else { ids.signal }, next, instruction);
            }
            Some(Barrier::Other) => untraced.barrier(instruction),
        }
    }
}

/// The next instruction that does something. A barrier is never the last one of a block.
fn following(instruction: Instruction) -> Option<Instruction> {
    instruction.following().find(|i| !i.is_descriptive())
}

fn put(id: u32, before: Instruction, barrier: Instruction) {
    Mark::Barrier(id).place(&Builder::before(before, barrier.location()));
}
