//! What each instruction of a function is there for.

use std::collections::{BTreeMap, BTreeSet};

use super::chains;
use crate::machine::automaton::Emission;
use crate::machine::flow::{FunctionFlow, World};
use crate::machine::{Control, Function, Instruction, Loops, Operand, Register, is_marker};

/// What an instruction is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The program.
    Program,
    /// A marker: it traces, or prepares what is traced.
    Marker {
        /// Index of the header's marker instruction; of a header and of its payload the same.
        header: usize,
    },
    /// The scope check, or a guard that asks it.
    Check,
    /// A boundary of a marker: a wait.
    Boundary,
    /// Nothing: it fills the room in front of a loop, and no path comes there.
    Padding,
}

/// The part of each instruction.
pub(super) fn parts(function: &Function, found: Option<&FunctionFlow>, words: &BTreeMap<usize, Emission>) -> Vec<Part> {
    let mut parts = vec![Part::Program; function.instructions.len()];
    padding(function).for_each(|index| parts[index] = Part::Padding);
    if words.is_empty() {
        return parts;
    }
    mark_markers(function, words, &mut parts);
    mark_lane_loops(function, words, &mut parts);
    if let Some(found) = found {
        mark_guards(function, found, &mut parts);
    }
    for index in chains::checks(function) {
        put(&mut parts, index, Part::Check);
    }
    mark_between(function, &mut parts);
    parts
}

/// Instructions that fill room inside of a function: blocks of `s_nop` that nothing leads to.
pub(super) fn padding(function: &Function) -> impl Iterator<Item = usize> {
    let entered: BTreeSet<usize> = function.blocks.iter().flat_map(|block| &block.edges).map(|edge| edge.to).collect();
    let idle = function.blocks.iter().enumerate().filter(move |(index, block)| {
        let is_filler = |index: usize| function.instructions[index].is_padding();
        *index > 0 && !entered.contains(index) && block.instructions.clone().all(is_filler)
    });
    idle.flat_map(|(_, block)| block.instructions.clone())
}

fn put(parts: &mut [Part], index: usize, part: Part) {
    if let Some(free) = parts.get_mut(index).filter(|free| **free == Part::Program) {
        *free = part;
    }
}

/// The header that a marker instruction belongs to: itself, or the one whose payload it traces.
fn header_of(words: &BTreeMap<usize, Emission>, index: usize) -> usize {
    let of = words.get(&index).filter(|emission| emission.headers.is_empty());
    of.and_then(|emission| emission.payload_of.first()).copied().unwrap_or(index)
}

fn mark_markers(function: &Function, words: &BTreeMap<usize, Emission>, parts: &mut [Part]) {
    for marker in function.markers() {
        let part = Part::Marker { header: header_of(words, marker.index) };
        put(parts, marker.index, part);
        let Some(setup) = marker.setup else { continue };
        put(parts, setup.write, part);
        for index in setup.write..marker.index {
            if function.instructions[index].is("s_nop") {
                put(parts, index, part);
            }
        }
        let wanted: BTreeSet<Register> = function.instructions[setup.write]
            .operands
            .iter()
            .skip(1)
            .filter_map(Operand::registers)
            .flat_map(|row| row.iter().collect::<Vec<_>>())
            .collect();
        for index in chains::word(function, setup.write, wanted) {
            put(parts, index, part);
        }
    }
}

/// Loops that do nothing but trace a payload: one turn for every lane.
fn mark_lane_loops(function: &Function, words: &BTreeMap<usize, Emission>, parts: &mut [Part]) {
    for found in Loops::of(function).all {
        let inside: Vec<usize> =
            found.blocks.iter().flat_map(|block| function.blocks[*block].instructions.clone()).collect();
        let mut markers = inside.iter().filter(|index| is_marker(&function.instructions[**index])).peekable();
        let Some(first) = markers.peek().map(|first| header_of(words, **first)) else { continue };
        let is_payload = markers.all(|index| header_of(words, *index) == first);
        if is_payload && !inside.contains(&first) {
            inside.iter().for_each(|index| put(parts, *index, Part::Marker { header: first }));
        }
    }
}

/// Branches that waves inside the scope filter take otherwise than those outside, and the blocks that only waves inside
/// run.
fn mark_guards(function: &Function, found: &FunctionFlow, parts: &mut [Part]) {
    let ways = |world, from| -> BTreeSet<usize> {
        found.ways.iter().filter(|way| way.world == world && way.from == from).map(|way| way.to).collect()
    };
    let entered = |world| -> BTreeSet<usize> {
        std::iter::once(0).chain(found.ways.iter().filter(|way| way.world == world).map(|way| way.to)).collect()
    };
    let (inside, outside) = (entered(World::Inside), entered(World::Outside));
    let has_outside = found.ways.iter().any(|way| way.world == World::Outside)
        || found.ends.iter().any(|end| end.world == World::Outside);
    if !has_outside {
        return;
    }
    for (index, block) in function.blocks.iter().enumerate() {
        let last = block.instructions.end - 1;
        let is_branch = matches!(function.instructions[last].control(), Control::Branch(_));
        let is_both = inside.contains(&index) && outside.contains(&index);
        if is_branch && is_both && ways(World::Inside, index) != ways(World::Outside, index) {
            put(parts, last, Part::Check);
            chains::condition(function, last).into_iter().for_each(|index| put(parts, index, Part::Check));
        }
        if inside.contains(&index) && !outside.contains(&index) {
            mark_guarded(function, block.instructions.clone(), parts);
        }
    }
}

/// A block that exists for markers only.
fn mark_guarded(function: &Function, block: std::ops::Range<usize>, parts: &mut [Part]) {
    let nearest = block.clone().find_map(|index| match parts[index] {
        Part::Marker { header } => Some(header),
        _ => None,
    });
    for index in block {
        let instruction = &function.instructions[index];
        let part = match instruction.control() {
            Control::Jump | Control::Branch(_) => Part::Check,
            _ if is_wait(instruction) => Part::Boundary,
            _ => nearest.map_or(Part::Boundary, |header| Part::Marker { header }),
        };
        put(parts, index, part);
    }
}

/// Waits for LDS right in front of a marker, and wait states inside of instrumentation.
fn mark_between(function: &Function, parts: &mut [Part]) {
    let is_own = |part: Part| !matches!(part, Part::Program | Part::Padding);
    for index in (0..parts.len().saturating_sub(1)).rev() {
        if parts[index] != Part::Program || !is_own(parts[index + 1]) {
            continue;
        }
        let instruction = &function.instructions[index];
        let is_between = index > 0 && is_own(parts[index - 1]);
        let is_state = instruction.is("s_nop") || instruction.is("s_delay_alu") || instruction.is("s_wait_alu");
        if is_state && is_between {
            parts[index] = parts[index + 1];
        } else if is_local_wait(instruction) && matches!(parts[index + 1], Part::Marker { .. }) {
            parts[index] = Part::Boundary;
        }
    }
}

/// A wait for outstanding operations of any kind.
pub(super) fn is_wait(instruction: &Instruction) -> bool {
    instruction.mnemonic.starts_with("s_wait")
}

/// A wait for LDS, and for nothing in memory: all that a fence of ours can cause.
fn is_local_wait(instruction: &Instruction) -> bool {
    let text = format!("{} {:?} {}", instruction.mnemonic, instruction.operands, instruction.modifiers);
    let has = |names: &[&str]| names.iter().any(|name| text.contains(name));
    is_wait(instruction) && has(&["lgkmcnt", "dscnt"]) && !has(&["vmcnt", "loadcnt", "storecnt", "vscnt"])
}
