//! How markers change the scope depth: of one instruction, and of a whole function.

use std::collections::{HashMap, HashSet};

use sqtt_contract::marker::Encoding;

use crate::llvm::{Block, Function, Instruction, Module};
use crate::marks::{Mark, is_foreign_trace};
use crate::named_markers::{Sentinel, sentinel_of};

/// What an instruction does to the scope stack of its wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Nothing,
    Enter,
    Exit,
    ExitEnter,
    /// A trace whose flags are known only at run time.
    Unknown,
}

/// What one instruction does itself; calls of functions do `Nothing` here.
pub(crate) fn step(instruction: Instruction) -> Step {
    if !instruction.calls() {
        return Step::Nothing;
    }
    if let Some(mark) = Mark::of(instruction) {
        return match mark {
            Mark::FunctionEnter(_) | Mark::Enter(_) => Step::Enter,
            Mark::FunctionExit(_) | Mark::Exit => Step::Exit,
            Mark::ExitEnter(_) => Step::ExitEnter,
            Mark::Point(_) | Mark::Data(_) | Mark::Barrier(_) | Mark::Memory(_) | Mark::Addresses(_) => Step::Nothing,
        };
    }
    if let Some(sentinel) = sentinel_of(instruction) {
        return match sentinel {
            Sentinel::Enter => Step::Enter,
            Sentinel::Exit => Step::Exit,
            Sentinel::Point | Sentinel::Data => Step::Nothing,
        };
    }
    if !is_foreign_trace(instruction) {
        return Step::Nothing;
    }
    let flags = instruction.operand(0).and_then(|word| word.known_low_bits(instruction.function().module()));
    let Some(flags) = flags else { return Step::Unknown };
    let marker = Encoding::PLAIN.decode(flags).marker;
    match (marker.enter, marker.exit) {
        (true, true) => Step::ExitEnter,
        (true, false) => Step::Enter,
        (false, true) => Step::Exit,
        (false, false) => Step::Nothing,
    }
}

/// How a call of a function changes the depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Depth at the return, relative to the call.
    pub(crate) net: i32,
    /// The lowest depth on the way: below 0, scopes of the caller are closed.
    pub(crate) lowest: i32,
}

impl Change {
    /// The scopes of the caller are as they were, and were never touched.
    pub(crate) fn is_none(self) -> bool {
        self == Change::default()
    }
}

/// The change of every function of the module.
#[derive(Default)]
pub(crate) struct Changes {
    /// `None` for a function whose ways disagree.
    of: HashMap<Function, Option<Change>>,
    /// The functions with something in them that changes the depth.
    marked: HashSet<Function>,
}

impl Changes {
    /// Looks through all functions with a body.
    pub(crate) fn of(module: Module) -> Changes {
        let mut changes = Changes::default();
        for function in module.definitions() {
            changes.look_through(function);
        }
        changes
    }

    /// Whether something in a function changes the depth.
    pub(crate) fn has_markers(&self, function: Function) -> bool {
        self.marked.contains(&function)
    }

    /// What a call of `function` does.
    pub(crate) fn of_function(&self, function: Function) -> Option<Change> {
        self.of.get(&function).copied().unwrap_or(Some(Change::default()))
    }

    fn look_through(&mut self, function: Function) -> Option<Change> {
        if let Some(known) = self.of.get(&function) {
            return *known;
        }
        // While it is being looked through, a recursive call counts as balanced.
        self.of.insert(function, Some(Change::default()));
        let change = self.follow(function);
        self.of.insert(function, change);
        change
    }

    fn follow(&mut self, function: Function) -> Option<Change> {
        let mut lowest = 0;
        let mut at_return: Option<i32> = None;
        let mut depths: HashMap<Block, i32> = HashMap::new();
        let mut waiting: Vec<(Block, i32)> = function.entry().map(|entry| (entry, 0)).into_iter().collect();
        while let Some((block, depth)) = waiting.pop() {
            match depths.insert(block, depth) {
                None => {}
                Some(known) if known == depth => continue,
                // What comes before a trap or an abort matters to nobody.
                Some(_) if !reaches_return(block) => continue,
                Some(_) => return None,
            }
            let (mut depth, mut goes_on) = (depth, true);
            for instruction in block.calls() {
                if instruction.never_returns() {
                    goes_on = false;
                    break;
                }
                let change = change_of(instruction).or_else(|| self.look_through(instruction.defined_callee()?));
                let change = change.unwrap_or_default();
                if !change.is_none() {
                    self.marked.insert(function);
                }
                lowest = lowest.min(depth + change.lowest);
                depth += change.net;
            }
            let is_end = goes_on && block.terminator().is_some_and(Instruction::is_return);
            if is_end && at_return.replace(depth).is_some_and(|known| known != depth) {
                return None;
            }
            if goes_on {
                waiting.extend(block.successors().into_iter().map(|next| (next, depth)));
            }
        }
        Some(Change { net: at_return.unwrap_or(0), lowest })
    }

    /// What an instruction does. A callee at odds with itself is not held against its callers.
    pub(crate) fn of_instruction(&self, instruction: Instruction) -> Change {
        let called = || instruction.defined_callee().and_then(|callee| self.of_function(callee));
        change_of(instruction).or_else(called).unwrap_or_default()
    }
}

fn reaches_return(block: Block) -> bool {
    let mut seen: HashSet<Block> = HashSet::from([block]);
    let mut waiting = vec![block];
    while let Some(block) = waiting.pop() {
        if block.terminator().is_some_and(Instruction::is_return) {
            return true;
        }
        waiting.extend(block.successors().into_iter().filter(|next| seen.insert(*next)));
    }
    false
}

/// What an instruction does itself; `None` when it does nothing but perhaps call a function.
fn change_of(instruction: Instruction) -> Option<Change> {
    match step(instruction) {
        Step::Enter => Some(Change { net: 1, lowest: 0 }),
        Step::Exit => Some(Change { net: -1, lowest: -1 }),
        Step::ExitEnter => Some(Change { net: 0, lowest: -1 }),
        // Data with whatever low bits: no scope is meant by it.
        Step::Unknown => Some(Change::default()),
        Step::Nothing => None,
    }
}
