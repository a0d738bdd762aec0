//! Exits of one scope that stand in several arms of a branch become one exit where the arms meet.

use std::collections::HashSet;

use crate::boundary;
use crate::depth::{self, Changes, Step};
use crate::faults::{Point, lacks};
use crate::llvm::{Block, Builder, Function, Instruction};
use crate::marks::Mark;
use crate::returns;

/// Moves exits of one scope down to the block where their ways meet, when they are the last thing on these ways.
/// Returns whether anything changed.
///
/// In `if (c) { exit; return; } ...; exit; return;` a wave with lanes on both ways runs both exits, and the second
/// one pops a scope of the caller. Behind an exit that moves there are only branches, phis, and arithmetic that
/// touches no memory. Exits of different scopes, one opened in each arm, stay where they are.
pub(crate) fn join(function: Function, changes: &Changes) -> bool {
    if lacks(Point::JoinedExits) || !function.calls().into_iter().any(is_movable_exit) {
        return false;
    }
    returns::unify(function);
    let mut changed = false;
    // A moved exit can meet others further down; every move lowers the number of exits.
    loop {
        let moves = function.blocks().into_iter().filter(|meeting| join_into(*meeting, changes)).count();
        if moves == 0 {
            return changed;
        }
        changed = true;
    }
}

/// Where two or more of the ways to a block end in exits of one scope, that many exits become one. Ways without such an
/// exit go on as they did: the others get a block of their own to meet in.
fn join_into(meeting: Block, changes: &Changes) -> bool {
    let ways = meeting.predecessors();
    if ways.len() < 2 || meeting.is_entry() {
        return false;
    }
    let mut closing: Vec<(Opening, Vec<(Block, Instruction)>)> = Vec::new();
    for way in &ways {
        let Some(exit) = last_exit(*way, meeting) else { continue };
        let Some(opening) = opening_of(exit, changes) else { continue };
        match closing.iter_mut().find(|(known, _)| *known == opening) {
            Some((_, alike)) => alike.push((*way, exit)),
            None => closing.push((opening, vec![(*way, exit)])),
        }
    }
    let Some((_, alike)) = closing.into_iter().find(|(_, alike)| alike.len() > 1) else { return false };
    let (own, exits): (Vec<Block>, Vec<Instruction>) = alike.into_iter().unzip();
    let joint = if own.len() < ways.len() { meeting.split_ways(&own) } else { Some(meeting) };
    let (Some(joint), Some(first)) = (joint, exits.first().copied()) else { return false };
    let Some(place) = joint.first_insertion_point() else { return false };
    Builder::before(place, first.location()).insert_copy_of(first);
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
    for instruction in terminator.preceding() {
        if is_movable_exit(instruction) {
            return Some(instruction);
        }
        let is_passed = instruction.is_descriptive()
            || boundary::is_hint(instruction)
            || boundary::is_anchor(instruction)
            || !(instruction.may_have_side_effects() || instruction.may_read_memory());
        if !is_passed {
            return None;
        }
    }
    // The block does nothing: what comes before it decides, if there is just one way here.
    match block.predecessors()[..] {
        [only] if !block.is_entry() && only != block => last_exit(only, block),
        _ => None,
    }
}

/// A bare exit of the user, by name or by number.
fn is_movable_exit(instruction: Instruction) -> bool {
    !matches!(Mark::of(instruction), Some(Mark::FunctionExit(_))) && depth::step(instruction) == Step::Exit
}

/// What opened the scope that an exit closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Opening {
    Here(Instruction),
    /// Before the function was called.
    Caller,
}

/// How many blocks are visited, and how many scopes may be open between, before the search gives up.
const MAX_VISITS: usize = 512;

/// Follows all ways backwards from an exit. `None` when they lead to different openings or cannot be followed.
fn opening_of(exit: Instruction, changes: &Changes) -> Option<Opening> {
    let mut found: Option<Opening> = None;
    let mut seen: HashSet<(Block, usize)> = HashSet::new();
    let mut waiting: Vec<(Block, Option<Instruction>, usize)> = vec![(exit.block(), exit.previous(), 0)];
    while let Some((block, last, closed)) = waiting.pop() {
        let opening = match search_block(last, closed, changes)? {
            Search::Opened(opening) => Opening::Here(opening),
            Search::Reached(_) if block.is_entry() => Opening::Caller,
            Search::Reached(closed) => {
                for way in block.predecessors() {
                    if seen.insert((way, closed)) {
                        waiting.push((way, way.terminator(), closed));
                    }
                }
                if seen.len() > MAX_VISITS {
                    return None;
                }
                continue;
            }
        };
        if found.replace(opening).is_some_and(|known| known != opening) {
            return None;
        }
    }
    found
}

enum Search {
    /// This instruction opened the scope.
    Opened(Instruction),
    /// The block's start, with that many inner scopes closed behind it.
    Reached(usize),
}

fn search_block(last: Option<Instruction>, closed: usize, changes: &Changes) -> Option<Search> {
    let mut closed = closed;
    for instruction in std::iter::successors(last, |i| i.previous()) {
        match depth::step(instruction) {
            Step::Enter | Step::ExitEnter if closed == 0 => return Some(Search::Opened(instruction)),
            Step::Enter => closed -= 1,
            Step::Exit => closed += 1,
            // Closes one scope and opens another: the count stays.
            Step::ExitEnter => {}
            Step::Unknown => return None,
            Step::Nothing => {
                let Some(callee) = instruction.defined_callee() else { continue };
                let change = changes.of_function(callee)?;
                let (opens, closes) =
                    (change.net.abs_diff(change.lowest) as usize, change.lowest.unsigned_abs() as usize);
                if closed < opens {
                    return Some(Search::Opened(instruction));
                }
                closed = closed - opens + closes;
            }
        }
    }
    Some(Search::Reached(closed))
}
