//! Instructions.

use super::sys::core::*;
use super::sys::prelude::*;
use super::{Block, DebugLocation, EnumAttribute, Function, Value, shim};

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instruction(pub(super) LLVMValueRef);

macro_rules! kind_tests {
    ($($(#[$doc:meta])* $name:ident = $test:ident;)*) => {
        $($(#[$doc])* pub(crate) fn $name(self) -> bool { !ffi!($test(self.0)).is_null() })*
    };
}

impl Instruction {
    kind_tests! {
        /// Whether this ends its block.
        is_terminator = LLVMIsATerminatorInst;
        /// Whether this is a phi.
        is_phi = LLVMIsAPHINode;
        /// Whether this is a return.
        is_return = LLVMIsAReturnInst;
        /// Whether this is `unreachable`.
        is_unreachable = LLVMIsAUnreachableInst;
        /// Whether this is an alloca.
        is_alloca = LLVMIsAAllocaInst;
        /// Whether this is a load.
        is_load = LLVMIsALoadInst;
        /// Whether this is a store.
        is_store = LLVMIsAStoreInst;
        /// Whether this is an atomic read-modify-write.
        is_atomic_update = LLVMIsAAtomicRMWInst;
        /// Whether this is an atomic compare-and-exchange.
        is_compare_exchange = LLVMIsAAtomicCmpXchgInst;
        /// Whether this is a fence.
        is_fence = LLVMIsAFenceInst;
        /// Whether this is a call (an invoke is not).
        is_call = LLVMIsACallInst;
        /// Whether this is a cast.
        is_cast = LLVMIsACastInst;
        /// Whether this computes an address from a pointer and indices.
        is_address_computation = LLVMIsAGetElementPtrInst;
    }

    pub(super) fn from_pointer(instruction: LLVMValueRef) -> Option<Instruction> {
        (!instruction.is_null()).then_some(Instruction(instruction))
    }

    /// The result.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// The block that holds it.
    pub(crate) fn block(self) -> Block {
        Block(ffi!(LLVMGetInstructionParent(self.0)))
    }

    /// The function that holds it.
    pub(crate) fn function(self) -> Function {
        self.block().function()
    }

    /// The one behind it in its block.
    pub(crate) fn next(self) -> Option<Instruction> {
        Instruction::from_pointer(ffi!(LLVMGetNextInstruction(self.0)))
    }

    /// The one in front of it in its block.
    pub(crate) fn previous(self) -> Option<Instruction> {
        Instruction::from_pointer(ffi!(LLVMGetPreviousInstruction(self.0)))
    }

    /// Those behind it in its block, the nearest first.
    pub(crate) fn following(self) -> impl Iterator<Item = Instruction> {
        std::iter::successors(self.next(), |i| i.next())
    }

    /// Those in front of it in its block, the nearest first.
    pub(crate) fn preceding(self) -> impl Iterator<Item = Instruction> {
        std::iter::successors(self.previous(), |i| i.previous())
    }

    /// Operand `index`; a call's arguments come first.
    pub(crate) fn operand(self, index: u32) -> Option<Value> {
        let count = ffi!(LLVMGetNumOperands(self.0));
        (i64::from(index) < i64::from(count)).then(|| Value(ffi!(LLVMGetOperand(self.0, index))))
    }

    /// Replaces operand `index`.
    pub(crate) fn set_operand(self, index: u32, value: Value) {
        ffi!(LLVMSetOperand(self.0, index, value.0));
    }

    /// Argument `index` of a call.
    pub(crate) fn argument(self, index: u32) -> Option<Value> {
        let is_there = self.called_value().is_some() && index < ffi!(LLVMGetNumArgOperands(self.0));
        is_there.then(|| Value(ffi!(LLVMGetOperand(self.0, index))))
    }

    /// The one target of an unconditional branch.
    pub(crate) fn unconditional_target(self) -> Option<Block> {
        // A branch opcode is not read: LLVM 23 has two. One successor and one operand is an unconditional branch.
        let plain =
            self.is_terminator() && ffi!(LLVMGetNumSuccessors(self.0)) == 1 && ffi!(LLVMGetNumOperands(self.0)) == 1;
        plain.then(|| Block(ffi!(LLVMGetSuccessor(self.0, 0))))
    }

    /// The function that this calls directly, if it is such a call or invoke.
    pub(crate) fn callee(self) -> Option<Function> {
        let callee = self.called_value()?;
        (!ffi!(LLVMIsAFunction(callee.0)).is_null()).then_some(Function(callee.0))
    }

    /// The function that this calls directly, if its body is here.
    pub(crate) fn defined_callee(self) -> Option<Function> {
        self.callee().filter(|callee| !callee.is_declaration())
    }

    /// Whether this is a call or an invoke.
    pub(crate) fn calls(self) -> bool {
        self.is_call() || !ffi!(LLVMIsAInvokeInst(self.0)).is_null()
    }

    /// What a call calls: a function, a pointer or inline assembly.
    pub(super) fn called_value(self) -> Option<Value> {
        self.calls().then(|| Value(ffi!(LLVMGetCalledValue(self.0))))
    }

    /// Whether this calls a function that never comes back. Unoptimized code goes on behind such a call.
    pub(crate) fn never_returns(self) -> bool {
        self.callee().is_some_and(|callee| callee.attribute(EnumAttribute::NoReturn).is_some())
    }

    /// Whether this calls an intrinsic whose name starts so.
    pub(crate) fn calls_intrinsic(self, prefix: &str) -> bool {
        self.callee().is_some_and(|f| f.name_starts_with(prefix))
    }

    /// The name of the intrinsic that this calls, without the types of an overload.
    pub(crate) fn intrinsic_name(self) -> Option<&'static str> {
        let id = ffi!(LLVMGetIntrinsicID(self.callee()?.0));
        if id == 0 {
            return None;
        }
        let mut bytes = 0usize;
        let name = ffi!(LLVMIntrinsicGetName(id, &raw mut bytes));
        std::str::from_utf8(super::bytes_of(name, bytes)).ok()
    }

    /// Whether this is an alloca of the entry block with a constant size, which costs no dynamic stack there.
    pub(crate) fn is_static_alloca(self) -> bool {
        ffi!(shim::sqtt_shim_is_static_alloca(self.0))
    }

    /// Whether this only describes: debug and pseudo instructions, starts and ends of lifetimes.
    pub(crate) fn is_descriptive(self) -> bool {
        ffi!(shim::sqtt_shim_is_lifetime_or_debug(self.0))
    }

    /// Whether this is a debug or pseudo instruction.
    pub(crate) fn is_debug(self) -> bool {
        self.is_descriptive() && !self.calls_intrinsic("llvm.lifetime.")
    }

    /// Whether this writes memory, may not return, or acts in another way that its result does not show.
    pub(crate) fn may_have_side_effects(self) -> bool {
        ffi!(shim::sqtt_shim_may_have_side_effects(self.0))
    }

    /// Whether this may read memory.
    pub(crate) fn may_read_memory(self) -> bool {
        ffi!(shim::sqtt_shim_may_read_memory(self.0))
    }

    /// Whether this is a `musttail` call: nothing may stand between it and its return.
    pub(crate) fn is_must_tail_call(self) -> bool {
        ffi!(shim::sqtt_shim_is_must_tail_call(self.0))
    }

    /// Replaces a direct call by the callee's body; false when LLVM refuses. The call's handle dies with success.
    pub(crate) fn inline(self) -> bool {
        ffi!(shim::sqtt_shim_inline(self.0))
    }

    /// What a load from a constant yields, when that is known.
    pub(crate) fn loaded_constant(self) -> Option<Value> {
        let found = ffi!(shim::sqtt_shim_constant_load(self.function().module().0, self.0));
        (!found.is_null()).then_some(Value(found))
    }

    /// Whether this is an address computation over the same type as another one.
    pub(crate) fn indexes_like(self, other: Instruction) -> bool {
        let is_address = self.is_address_computation() && other.is_address_computation();
        is_address && ffi!(LLVMGetGEPSourceElementType(self.0) == LLVMGetGEPSourceElementType(other.0))
    }

    /// The call that this is; an invoke becomes one, with a branch to where it goes on. The invoke's handle dies.
    pub(crate) fn into_call(self) -> Instruction {
        let is_invoke = !ffi!(LLVMIsAInvokeInst(self.0)).is_null();
        if is_invoke { Instruction(ffi!(shim::sqtt_shim_invoke_to_call(self.0))) } else { self }
    }

    /// Removes the instruction. Its handle dies.
    pub(crate) fn erase(self) {
        ffi!(LLVMInstructionEraseFromParent(self.0));
    }

    /// Puts the instruction in front of another one.
    pub(crate) fn move_before(self, before: Instruction) {
        ffi!(shim::sqtt_shim_move_before(self.0, before.0));
    }

    /// Takes over the metadata of another instruction.
    pub(crate) fn copy_metadata_of(self, other: Instruction) {
        ffi!(shim::sqtt_shim_copy_metadata(self.0, other.0));
    }

    /// Where in the source it comes from.
    pub(crate) fn location(self) -> Option<DebugLocation> {
        DebugLocation::of(self)
    }

    /// Runs what comes from this instruction on only after a block of its own that runs when `condition` holds.
    /// Returns the terminator of that block.
    pub(crate) fn split_if(self, condition: Value) -> Instruction {
        Instruction(ffi!(shim::sqtt_shim_split_if(condition.0, self.0)))
    }
}

impl Instruction {
    /// The pointer through which a load, a store or an atomic accesses memory.
    pub(crate) fn accessed_pointer(self) -> Option<Value> {
        let accesses = self.is_load() || self.is_store() || self.is_atomic_update() || self.is_compare_exchange();
        if accesses { self.operand(u32::from(self.is_store())) } else { None }
    }

    /// The address space that a load, a store or an atomic accesses.
    pub(crate) fn accessed_address_space(self) -> Option<u32> {
        self.accessed_pointer().map(Value::address_space)
    }
}
