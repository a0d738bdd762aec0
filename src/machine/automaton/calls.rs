//! Where calls lead, in functions that the flow analysis followed and in those that it did not need to.

use std::collections::{BTreeSet, HashSet};

use crate::machine::blocks::Exit;
use crate::machine::calls;
use crate::machine::flow::{Event, Flow, FunctionFlow, World};
use crate::machine::instruction::{Control, Instruction};
use crate::machine::program::{Entry, Function, Program};
use crate::machine::register::{Register, Registers};

/// Calls and blocks as far as they are known.
pub(super) struct Known<'a> {
    program: &'a Program,
    flow: &'a Flow,
    /// Functions that trace nothing, whoever calls them, and always return.
    silent: HashSet<usize>,
}

impl<'a> Known<'a> {
    pub(super) fn new(program: &'a Program, flow: &'a Flow) -> Known<'a> {
        let mut known = Known { program, flow, silent: HashSet::new() };
        known.silent = known.find_silent();
        known
    }

    pub(super) fn is_silent(&self, function: usize) -> bool {
        self.silent.contains(&function)
    }

    /// What was found along the paths of a function in a world; nothing where its paths were given up or not looked at.
    pub(super) fn found(&self, function: usize, world: World) -> Option<&'a FunctionFlow> {
        let found = self.flow.functions.get(function)?;
        let is_followed = found.ends.iter().any(|end| end.world == world)
            || found.ways.iter().any(|way| way.world == world)
            || found.observations.iter().any(|one| one.world == world);
        // Paths that open scopes without an end are followed no further.
        let is_cut = found.events.iter().any(|event| matches!(event, Event::TooDeep { .. }));
        Some(found).filter(|_| is_followed && !is_cut)
    }

    /// Whether waves outside the scope filter were followed as well.
    pub(super) fn has_outside(&self) -> bool {
        (0..self.flow.functions.len()).any(|function| self.found(function, World::Outside).is_some())
    }

    /// The blocks that `block` leads to.
    pub(super) fn ways(&self, function: usize, world: World, block: usize) -> BTreeSet<usize> {
        if let Some(found) = self.found(function, world) {
            let ways = found.ways.iter().filter(|way| way.world == world && way.from == block);
            return ways.map(|way| way.to).collect();
        }
        let block = self.program.functions.get(function).and_then(|function| function.blocks.get(block));
        block.into_iter().flat_map(|block| &block.edges).map(|edge| edge.to).collect()
    }

    /// The functions that a call, or a jump in tail position, leads to; `None` among them for an unknown one.
    pub(super) fn callees(&self, function: usize, world: World, index: usize) -> BTreeSet<Option<usize>> {
        let Some(caller) = self.program.functions.get(function) else { return BTreeSet::from([None]) };
        let Some(instruction) = caller.instructions.get(index) else { return BTreeSet::from([None]) };
        if let Some(found) = self.found(function, world) {
            let calls = found.calls.iter().filter(|call| call.address == instruction.address && call.world == world);
            let callees: BTreeSet<Option<usize>> = calls.map(|call| call.callee).collect();
            let is_call = instruction.control() == Control::Call;
            return if callees.is_empty() && is_call { BTreeSet::from([None]) } else { callees };
        }
        BTreeSet::from([self.resolve(caller, index)])
    }

    /// The callee whose address the caller computes in the same block.
    fn resolve(&self, caller: &Function, index: usize) -> Option<usize> {
        let instruction = caller.instructions.get(index)?;
        if let Some(target) = instruction.target {
            return self.program.function_at(target);
        }
        let registers = target_registers(instruction)?;
        let block = caller.blocks.get(caller.block_of(index)?)?;
        let code = caller.instructions.get(block.instructions.start..index)?;
        let start =
            code.iter().rposition(|one| calls::is_program_counter(one) && one.registers(0) == Some(registers))?;
        self.program.function_at(*calls::references(&code[start..]).first()?)
    }

    fn find_silent(&self) -> HashSet<usize> {
        let functions = &self.program.functions;
        let mut silent: HashSet<usize> = (0..functions.len()).filter(|index| is_plain(&functions[*index])).collect();
        loop {
            let is_loud = |index: &usize| {
                let calls = functions[*index].instructions.iter().enumerate();
                let mut calls =
                    calls.filter(|(_, one)| is_call(one)).map(|(at, _)| self.resolve(&functions[*index], at));
                calls.any(|callee| callee.is_none_or(|callee| !silent.contains(&callee)))
            };
            let loud: Vec<usize> = silent.iter().copied().filter(is_loud).collect();
            if loud.is_empty() {
                return silent;
            }
            loud.iter().for_each(|index| _ = silent.remove(index));
        }
    }
}

/// Whether a function has no marker and leaves by returning only, not counting what it calls.
fn is_plain(function: &Function) -> bool {
    let leaves = |exit: Exit| exit != Exit::Indirect;
    function.entry != Entry::Kernel
        && !function.has_markers()
        && !function.blocks.iter().any(|block| block.exit.is_some_and(leaves))
}

/// A call, or a jump that is no return.
fn is_call(instruction: &Instruction) -> bool {
    match instruction.control() {
        Control::Call => true,
        Control::Indirect => !is_return(instruction),
        _ => false,
    }
}

/// Whether this jumps to the address that calls leave behind (LLVM's AMDGPU usage page, "Call Convention").
pub(super) fn is_return(instruction: &Instruction) -> bool {
    let Some(registers) = instruction.registers(0) else { return false };
    registers.count() == 2 && registers.get(0) == Register::scalar(30)
}

fn target_registers(instruction: &Instruction) -> Option<Registers> {
    instruction.registers(if instruction.control() == Control::Call { 1 } else { 0 })
}
