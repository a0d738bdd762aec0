//! The scopes that are open along the ways through a function, as its lanes see them.

use std::collections::{HashMap, HashSet};

use crate::depth::{Change, Changes};
use crate::llvm::{Block, Function, Instruction};

use super::findings::Findings;
use super::joins;

/// The open scopes at a place: an entry of the [`Course`]'s stacks, and how many there are. The depth is 0 at the
/// function's start, and below 0 where scopes of the caller are closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Top {
    scope: usize,
    pub(super) depth: i32,
}

/// An open scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// The enter, or the call of a function that leaves it open.
    pub(super) opening: Instruction,
    /// How deep it lies: 1 is the first one of the function.
    pub(super) depth: i32,
    /// Ways disagree about it: whatever follows from that is no new mistake.
    pub(super) is_unsure: bool,
}

/// An instruction that changes the depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) instruction: Instruction,
    pub(super) before: Top,
    /// When it has closed what it closes, and opened nothing yet.
    pub(super) lowest: Top,
}

/// A block that lanes come to and from which they can go on to a return, or on for ever.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) block: Block,
    /// Where lanes go from here, each once, in the order of the spots.
    pub(super) next: Vec<usize>,
    /// Where they come from.
    pub(super) ways: Vec<usize>,
    /// What changes the depth here.
    pub(super) steps: Vec<(Instruction, Change)>,
    /// The same with the depths, once the spot was run through.
    pub(super) events: Vec<Event>,
    pub(super) start: Top,
    pub(super) end: Top,
    /// The function's return, when the block ends in one.
    pub(super) ret: Option<Instruction>,
}

impl Spot {
    /// Whether scopes from before are closed here, or some are left open.
    fn changes_depth(&self) -> bool {
        self.end.depth != self.start.depth || self.events.iter().any(|event| event.lowest.depth < self.start.depth)
    }
}

/// All ways through a function.
pub(super) struct Course {
    /// In reverse post-order: a spot comes behind all that lead to it, but for the turns of loops.
    pub(super) spots: Vec<Spot>,
    pub(super) is_kernel: bool,
    /// Scopes with the one below each; the first is what was open before.
    stacks: Vec<Option<(Open, usize)>>,
    numbers: HashMap<Block, usize>,
}

const BOTTOM: Top = Top { scope: 0, depth: 0 };

impl Course {
    /// Follows all ways, and notes where they do not fit together.
    pub(super) fn of(function: Function, changes: &Changes, findings: &mut Findings<'_>) -> Course {
        let mut course = Course::laid_out(function, changes);
        for at in 0..course.spots.len() {
            let ways: Vec<usize> = course.spots[at].ways.iter().copied().filter(|way| *way < at).collect();
            course.spots[at].start = match ways.first() {
                Some(_) => joins::meet(&mut course, at, &ways, findings),
                None => BOTTOM,
            };
            course.run_through(at, findings);
            for turn in course.spots[at].next.clone().into_iter().filter(|next| *next <= at) {
                joins::turn(&course, at, turn, findings);
            }
        }
        joins::end(&course, findings);
        course
    }

    /// Whether a scope is opened or closed where not all lanes need come, or not all in the same turn: only then does it
    /// matter where they part.
    pub(super) fn changes_between_partings(&self) -> bool {
        let end = self.spots.len();
        // Of every way around a spot, or back over it: where it begins and where it ends.
        let mut ways = vec![0i32; end + 1];
        for (at, spot) in self.spots.iter().enumerate() {
            for next in spot.next.iter().copied().chain(spot.ret.map(|_| end)) {
                let (first, behind) = if next > at { (at + 1, next) } else { (next, at + 1) };
                ways[first] += 1;
                ways[behind] -= 1;
            }
        }
        let mut around = 0;
        self.spots.iter().zip(ways).any(|(spot, change)| {
            around += change;
            around > 0 && spot.changes_depth()
        })
    }

    /// The spot of a block.
    pub(super) fn number(&self, block: Block) -> Option<usize> {
        self.numbers.get(&block).copied()
    }

    /// The scopes of `top` that lie above `depth`, the innermost first.
    pub(super) fn open_above(&self, top: Top, depth: i32) -> impl Iterator<Item = Open> {
        let open = std::iter::successors(self.stacks[top.scope], |(_, below)| self.stacks[*below]);
        open.map(|(open, _)| open).take_while(move |open| open.depth > depth)
    }

    /// `top` with all scopes above `depth` unsure.
    pub(super) fn with_unsure(&mut self, top: Top, depth: i32) -> Top {
        let above: Vec<Open> = self.open_above(top, depth).collect();
        let mut unsure = top;
        for _ in &above {
            unsure = self.below(unsure);
        }
        for open in above.into_iter().rev() {
            unsure = self.push(unsure, open.opening, true);
        }
        Top { depth: top.depth, ..unsure }
    }

    fn below(&self, top: Top) -> Top {
        let scope = match self.stacks[top.scope] {
            // Below 0 nothing of the stack is ours.
            Some((_, below)) if top.depth > 0 => below,
            _ => top.scope,
        };
        Top { scope, depth: top.depth - 1 }
    }

    fn push(&mut self, top: Top, opening: Instruction, is_unsure: bool) -> Top {
        let depth = top.depth + 1;
        self.stacks.push(Some((Open { opening, depth, is_unsure }, top.scope)));
        Top { scope: self.stacks.len() - 1, depth }
    }

    /// The events of a spot, from its start.
    fn run_through(&mut self, at: usize, findings: &mut Findings<'_>) {
        let mut top = self.spots[at].start;
        for (instruction, change) in self.spots[at].steps.clone() {
            let before = top;
            top = self.close(top, instruction, change, findings);
            self.spots[at].events.push(Event { instruction, before, lowest: top });
            for _ in change.lowest..change.net {
                top = self.push(top, instruction, false);
            }
        }
        self.spots[at].end = top;
    }

    fn close(&self, top: Top, instruction: Instruction, change: Change, findings: &mut Findings<'_>) -> Top {
        let mut top = top;
        for _ in change.lowest..0 {
            if self.is_kernel && top.depth == 0 {
                findings.nothing_is_open(instruction);
                break;
            }
            top = self.below(top);
        }
        top
    }

    /// The spots of a function, without events.
    fn laid_out(function: Function, changes: &Changes) -> Course {
        let order = reverse_post_order(function);
        let mut lives: HashMap<Block, bool> = HashMap::new();
        for (block, next) in order.iter().rev() {
            let goes_on = next.iter().any(|next| lives.get(next).copied().unwrap_or(true));
            lives.insert(*block, goes_on || returns(*block).is_some());
        }
        let living = order.into_iter().filter(|(block, _)| lives.get(block).copied().unwrap_or(true));
        let living: Vec<(Block, Vec<Block>)> = living.collect();
        let numbers: HashMap<Block, usize> = living.iter().enumerate().map(|(at, (block, _))| (*block, at)).collect();
        let mut spots: Vec<Spot> = Vec::new();
        for (block, next) in &living {
            let mut next: Vec<usize> = next.iter().filter_map(|next| numbers.get(next).copied()).collect();
            next.sort_unstable();
            next.dedup();
            let steps = block.calls().into_iter().map(|i| (i, changes.of_instruction(i)));
            let steps = steps.filter(|(_, change)| !change.is_none()).collect();
            let (ways, events, ret) = (Vec::new(), Vec::new(), returns(*block));
            spots.push(Spot { block: *block, next, ways, steps, events, start: BOTTOM, end: BOTTOM, ret });
        }
        for at in 0..spots.len() {
            for next in spots[at].next.clone() {
                spots[next].ways.push(at);
            }
        }
        Course { spots, is_kernel: function.is_kernel(), stacks: vec![None], numbers }
    }
}

fn returns(block: Block) -> Option<Instruction> {
    block.terminator().filter(|terminator| terminator.is_return() && !never_ends(block))
}

/// Whether lanes do not come to the block's end: something that it calls never returns.
fn never_ends(block: Block) -> bool {
    block.calls().into_iter().any(Instruction::never_returns)
}

/// The blocks that can be reached, with what each leads to; of the arms of a branch the first one comes first.
fn reverse_post_order(function: Function) -> Vec<(Block, Vec<Block>)> {
    let mut order = Vec::new();
    let successors = |block: Block| {
        if never_ends(block) { Vec::new() } else { block.successors().into_iter().rev().collect::<Vec<Block>>() }
    };
    let mut seen: HashSet<Block> = HashSet::new();
    let mut path: Vec<(Block, Vec<Block>, usize)> = Vec::new();
    if let Some(entry) = function.entry() {
        seen.insert(entry);
        path.push((entry, successors(entry), 0));
    }
    while let Some((block, next, taken)) = path.last_mut() {
        match next.get(*taken).copied() {
            Some(successor) => {
                *taken += 1;
                if seen.insert(successor) {
                    path.push((successor, successors(successor), 0));
                }
            }
            None => {
                order.push((*block, std::mem::take(next)));
                path.pop();
            }
        }
    }
    order.reverse();
    order
}
