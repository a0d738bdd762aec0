//! Basic blocks.

use super::function::collect;
use super::sys::core::*;
use super::sys::prelude::*;
use super::{Function, Instruction, shim};

/// A basic block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Block(pub(super) LLVMBasicBlockRef);

impl Block {
    pub(super) fn from_pointer(block: LLVMBasicBlockRef) -> Option<Block> {
        (!block.is_null()).then_some(Block(block))
    }

    /// The instructions, as they are now.
    pub(crate) fn instructions(self) -> Vec<Instruction> {
        collect(|sink, found| ffi!(shim::sqtt_shim_block_instructions(self.0, sink, found)))
    }

    /// The calls and invokes, as they are now.
    pub(crate) fn calls(self) -> Vec<Instruction> {
        collect(|sink, found| ffi!(shim::sqtt_shim_block_calls(self.0, sink, found)))
    }

    /// The first instruction.
    pub(crate) fn first(self) -> Option<Instruction> {
        Instruction::from_pointer(ffi!(LLVMGetFirstInstruction(self.0)))
    }

    /// The terminator; `None` only in IR that is still being built.
    pub(crate) fn terminator(self) -> Option<Instruction> {
        Instruction::from_pointer(ffi!(LLVMGetBasicBlockTerminator(self.0)))
    }

    /// The function that holds this block.
    pub(crate) fn function(self) -> Function {
        Function(ffi!(LLVMGetBasicBlockParent(self.0)))
    }

    /// Blocks that jump here, each once.
    pub(crate) fn predecessors(self) -> Vec<Block> {
        let mut found: Vec<Block> = Vec::new();
        let as_value = super::Value(ffi!(LLVMBasicBlockAsValue(self.0)));
        for user in as_value.users() {
            if let Some(block) = user.as_instruction().filter(|i| i.is_terminator()).map(Instruction::block)
                && !found.contains(&block)
            {
                found.push(block);
            }
        }
        found
    }

    /// Blocks that this one jumps to; one that several cases lead to stands there once per case.
    pub(crate) fn successors(self) -> Vec<Block> {
        let Some(terminator) = self.terminator() else { return Vec::new() };
        let count = ffi!(LLVMGetNumSuccessors(terminator.0));
        (0..count).map(|index| Block(ffi!(LLVMGetSuccessor(terminator.0, index)))).collect()
    }

    /// Whether this is its function's entry.
    pub(crate) fn is_entry(self) -> bool {
        self.function().entry() == Some(self)
    }

    /// A new block that the unconditional branches at the ends of `ways` lead to, and that leads here.
    pub(crate) fn split_ways(self, ways: &[Block]) -> Option<Block> {
        let mut ways: Vec<LLVMBasicBlockRef> = ways.iter().map(|way| way.0).collect();
        Block::from_pointer(ffi!(shim::sqtt_shim_split_ways(self.0, ways.as_mut_ptr(), ways.len())))
    }

    /// Where an instruction of this block may first stand: behind its phis.
    pub(crate) fn first_insertion_point(self) -> Option<Instruction> {
        self.instructions().into_iter().find(|i| !i.is_phi())
    }

    /// Gives the block a name, to be read in IR dumps; LLVM makes it unique.
    pub(crate) fn set_name(self, name: &str) {
        let value = ffi!(LLVMBasicBlockAsValue(self.0));
        ffi!(LLVMSetValueName2(value, name.as_ptr().cast(), name.len()));
    }
}
