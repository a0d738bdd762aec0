//! Ways that meet with different scopes open: at a block, at the turn of a loop, at the return.

use crate::llvm::Instruction;

use super::course::{Course, Event, Open, Top};
use super::findings::Findings;

/// The open scopes where `ways` come to the spot `at`. When they disagree, all that is open on any way counts as open
/// from here on, so that one mistake is one warning.
pub(super) fn meet(course: &mut Course, at: usize, ways: &[usize], findings: &mut Findings<'_>) -> Top {
    let ends: Vec<(usize, Top)> = ways.iter().map(|way| (*way, course.spots[*way].end)).collect();
    let lowest = ends.iter().map(|(_, top)| top.depth).min().unwrap_or(0);
    let Some((_, deepest)) = ends.iter().max_by_key(|(_, top)| top.depth).copied() else {
        return course.spots[at].start;
    };
    if deepest.depth == lowest {
        return deepest;
    }
    let deeper: Vec<(usize, Top)> = ends.into_iter().filter(|(_, top)| top.depth > lowest).collect();
    if leads_to_return(course, at) || leaves_callee(course, at, &deeper, lowest) {
        let ways: Vec<(Option<Instruction>, Top)> =
            deeper.iter().map(|(way, top)| (course.spots[*way].block.terminator(), *top)).collect();
        left_open(course, &ways, lowest, findings);
    } else {
        let open: Vec<Open> = deeper.iter().flat_map(|(_, top)| course.open_above(*top, lowest)).collect();
        match closing(course, at, lowest) {
            Some(exit) if open.is_empty() => findings.closes_at_times(exit.instruction),
            _ => findings.open_at_times(&open, course.spots[at].block),
        }
    }
    course.with_unsure(deepest, lowest)
}

/// What the spot `at` leaves behind when it goes back to the start of the loop at the spot `start`.
pub(super) fn turn(course: &Course, at: usize, start: usize, findings: &mut Findings<'_>) {
    let (before, after) = (course.spots[start].start, course.spots[at].end);
    let parts = [course.spots[start].block, course.spots[at].block];
    if after.depth > before.depth {
        let open: Vec<Open> = course.open_above(after, before.depth).collect();
        findings.loop_opens(&open, &parts);
    } else if after.depth < before.depth {
        let open: Vec<Open> = course.open_above(before, after.depth).collect();
        let mut exits = course.spots[start..=at].iter().flat_map(|spot| &spot.events);
        let exit = exits.find(|event| event.lowest.depth < before.depth && before.depth <= event.before.depth);
        findings.loop_closes(&open, exit.map(|event| event.instruction), &parts);
    }
}

/// What is open at the returns. A kernel has to close all; other functions have to do the same on all ways.
pub(super) fn end(course: &Course, findings: &mut Findings<'_>) {
    let returns: Vec<(Option<Instruction>, Top)> =
        course.spots.iter().filter(|spot| spot.ret.is_some()).map(|spot| (spot.ret, spot.end)).collect();
    let Some(lowest) = returns.iter().map(|(_, top)| top.depth).min() else { return };
    if returns.iter().any(|(_, top)| top.depth > lowest) {
        let deeper: Vec<_> = returns.iter().copied().filter(|(_, top)| top.depth > lowest).collect();
        left_open(course, &deeper, lowest, findings);
    }
    if course.is_kernel && lowest > 0 {
        // The same scopes need not be open at every return: those that are lie at the bottom.
        for open in returns.iter().flat_map(|(_, top)| course.open_above(*top, 0)).filter(|open| open.depth <= lowest) {
            findings.never_closed(open);
        }
    }
}

/// Ways that end with scopes open above `lowest`, where others have closed these.
fn left_open(course: &Course, ways: &[(Option<Instruction>, Top)], lowest: i32, findings: &mut Findings<'_>) {
    let mut caller = true;
    for (place, top) in ways {
        let open: Vec<Open> = course.open_above(*top, lowest).collect();
        caller &= open.is_empty();
        let alike = |(_, other): &&(Option<Instruction>, Top)| {
            let others = course.open_above(*other, lowest).map(|open| open.opening);
            others.eq(open.iter().map(|open| open.opening))
        };
        let others: Vec<Instruction> = ways.iter().filter(alike).filter_map(|(place, _)| *place).collect();
        findings.left_open(*place, &others, &open);
    }
    if caller && let Some(exit) = closing(course, course.spots.len(), lowest) {
        findings.closes_at_times(exit.instruction);
    }
}

/// The exit before the spot `at` that closes the scope above `lowest`.
fn closing(course: &Course, at: usize, lowest: i32) -> Option<Event> {
    let mut events = course.spots[..at].iter().flat_map(|spot| &spot.events);
    events.rfind(|event| event.lowest.depth <= lowest && lowest < event.before.depth).copied()
}

/// Whether the scopes that `ways` leave open belong to a function that was inlined, and the spot `at` comes behind it.
fn leaves_callee(course: &Course, at: usize, ways: &[(usize, Top)], lowest: i32) -> bool {
    let levels = |instruction: Instruction| Some(instruction.location()?.inline_chain().count());
    let Some(here) = course.spots[at].block.instructions().into_iter().find_map(levels) else { return false };
    let mut open = ways.iter().flat_map(|(_, top)| course.open_above(*top, lowest)).peekable();
    open.peek().is_some() && open.all(|open| levels(open.opening).is_some_and(|level| level > here))
}

/// Whether nothing but the return follows.
fn leads_to_return(course: &Course, at: usize) -> bool {
    let mut at = at;
    loop {
        let spot = &course.spots[at];
        match (spot.ret, &spot.next[..]) {
            _ if !spot.steps.is_empty() => return false,
            (Some(_), _) => return true,
            (None, [next]) if *next > at => at = *next,
            _ => return false,
        }
    }
}
