//! Basic blocks of a function and the edges between them.

use std::ops::Range;

use super::instruction::{Control, Instruction};

/// Instructions that run one after the other. A call ends its block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its instructions, as indices into its function's; never empty.
    pub instructions: Range<usize>,
    /// Where it leads inside its function.
    pub edges: Vec<Edge>,
    /// How it leaves its function, if it can.
    pub exit: Option<Exit>,
}

/// A way from a block to another of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the other block.
    pub to: usize,
    /// Whether the branch is taken; false for the way to the next instruction.
    pub taken: bool,
}

/// How a block leaves its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The wave ends.
    End,
    /// To an address in registers: a return, a call in tail position, or a jump.
    Indirect,
    /// Into the trap handler.
    Trap,
    /// A branch to an address outside the function.
    Away(u64),
    /// Past its last instruction, as behind a call that does not return.
    OffEnd,
}

/// The blocks of `instructions`, in the order of their addresses.
pub(super) fn build(instructions: &[Instruction]) -> Vec<Block> {
    let index_of = |address: u64| instructions.binary_search_by_key(&address, |instruction| instruction.address).ok();
    let mut leads = vec![false; instructions.len()];
    if let Some(first) = leads.first_mut() {
        *first = true;
    }
    for (index, instruction) in instructions.iter().enumerate() {
        if is_call_or_next(instruction)
            && !matches!(instruction.control(), Control::Call)
            && follows(instructions, index)
        {
            continue;
        }
        if let Some(next) = leads.get_mut(index + 1) {
            *next = true;
        }
        let target = instruction.target.filter(|_| !is_call_or_next(instruction));
        if let Some(target) = target.and_then(index_of) {
            leads[target] = true;
        }
    }
    let starts: Vec<usize> = (0..instructions.len()).filter(|index| leads[*index]).collect();
    let block_at = |index: usize| starts.binary_search(&index).ok();
    let mut blocks = Vec::with_capacity(starts.len());
    for (number, start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(instructions.len());
        let block = Block { instructions: *start..end, edges: Vec::new(), exit: None };
        blocks.push(connected(block, instructions, &|address| index_of(address).and_then(block_at), block_at(end)));
    }
    blocks
}

fn is_call_or_next(instruction: &Instruction) -> bool {
    matches!(instruction.control(), Control::Next | Control::Call)
}

/// Whether the instruction behind `index` stands right behind it.
fn follows(instructions: &[Instruction], index: usize) -> bool {
    instructions.get(index + 1).is_none_or(|next| next.address == instructions[index].end())
}

fn connected(
    mut block: Block,
    instructions: &[Instruction],
    block_of: &dyn Fn(u64) -> Option<usize>,
    next: Option<usize>,
) -> Block {
    let last_index = block.instructions.end - 1;
    let last = &instructions[last_index];
    let next = next.filter(|_| follows(instructions, last_index));
    let control = last.control();
    if matches!(control, Control::Jump | Control::Branch(_)) {
        match last.target.and_then(block_of) {
            Some(to) => block.edges.push(Edge { to, taken: true }),
            None => block.exit = Some(Exit::Away(last.target.unwrap_or(0))),
        }
    }
    match (control, next) {
        (Control::Jump, _) => {}
        (Control::End, _) => block.exit = Some(Exit::End),
        (Control::Indirect, _) => block.exit = Some(Exit::Indirect),
        (Control::Trap, _) => block.exit = Some(Exit::Trap),
        (_, Some(to)) => block.edges.push(Edge { to, taken: false }),
        (_, None) => block.exit = block.exit.or(Some(Exit::OffEnd)),
    }
    block
}
