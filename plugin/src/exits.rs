//! Exits that stand in several arms of a branch become one exit where the arms meet.

use crate::effects;
use crate::llvm::{Block, Builder, Function, Instruction};
use crate::marks::{Mark, is_foreign_trace};

/// Moves exits of a function down to the block where their ways meet, when every way there ends in one.
///
/// In `if (c) { exit; return; } ...; exit; return;` a wave with lanes on both ways runs both exits, and the second
/// one pops a scope of the caller. Behind an exit that moves there are only branches, phis, and arithmetic that
/// touches no memory.
pub(crate) fn join(function: Function) {
    // A moved exit can meet others further down; every move lowers the number of exits.
    while function.blocks().into_iter().any(join_into) {}
}

fn join_into(meeting: Block) -> bool {
    let ways = meeting.predecessors();
    if ways.len() < 2 || meeting.is_entry() {
        return false;
    }
    let exits: Option<Vec<Instruction>> = ways.into_iter().map(|way| last_exit(way, meeting)).collect();
    let Some(exits) = exits else { return false };
    let Some(place) = meeting.first_insertion_point() else { return false };
    let Some(first) = exits.first() else { return false };
    let exit = Builder::before(place, first.location()).insert_copy_of(*first);
    if Mark::of(exit).is_some() {
        effects::harmless(exit);
    }
    for exit in exits {
        exit.erase();
    }
    true
}

/// The exit that is the last thing a wave does before it goes from `block` to `next`.
fn last_exit(block: Block, next: Block) -> Option<Instruction> {
    let terminator = block.terminator()?;
    if terminator.unconditional_target() != Some(next) {
        return None;
    }
    for instruction in std::iter::successors(terminator.previous(), |i| i.previous()) {
        if is_exit(instruction) {
            return Some(instruction);
        }
        let passed = instruction.is_descriptive()
            || instruction.calls_intrinsic("llvm.amdgcn.sched.barrier")
            || !(instruction.may_have_side_effects() || instruction.may_read_memory());
        if !passed {
            return None;
        }
    }
    // The block does nothing: what comes before it decides, if there is just one way here.
    match block.predecessors()[..] {
        [only] if !block.is_entry() && only != block => last_exit(only, block),
        _ => None,
    }
}

fn is_exit(instruction: Instruction) -> bool {
    let bare_exit = u64::from(EXIT_WORD);
    Mark::of(instruction) == Some(Mark::Exit)
        || (is_foreign_trace(instruction)
            && instruction.operand(0).and_then(|word| word.as_constant()) == Some(bare_exit))
}

/// What a numeric exit traces: exit_prev and nothing else.
const EXIT_WORD: u32 = 1;
