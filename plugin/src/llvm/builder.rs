//! Emits instructions at a place.

use super::sys::LLVMIntPredicate;
use super::sys::core::*;
use super::sys::prelude::*;
use super::{Block, DebugLocation, Function, Instruction, Module, Value, shim};

/// An instruction builder; the place of every emitted instruction is in front of the one it was made for.
pub(crate) struct Builder {
    raw: LLVMBuilderRef,
    module: Module,
}

impl Drop for Builder {
    fn drop(&mut self) {
        ffi!(LLVMDisposeBuilder(self.raw));
    }
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

impl Builder {
    /// Emits in front of `place`, with this source location.
    pub(crate) fn before(place: Instruction, location: Option<DebugLocation>) -> Builder {
        let builder = Builder::new(place.function().module(), location);
        ffi!(LLVMPositionBuilderBefore(builder.raw, place.0));
        builder
    }

    /// Emits at the end of a block that has no terminator yet.
    pub(crate) fn at_end(block: Block, location: Option<DebugLocation>) -> Builder {
        let builder = Builder::new(block.function().module(), location);
        ffi!(LLVMPositionBuilderAtEnd(builder.raw, block.0));
        builder
    }

    fn new(module: Module, location: Option<DebugLocation>) -> Builder {
        let builder = Builder { raw: ffi!(LLVMCreateBuilderInContext(module.context())), module };
        builder.set_location(location);
        builder
    }

    /// The source location of what is emitted from here on.
    pub(crate) fn set_location(&self, location: Option<DebugLocation>) {
        ffi!(LLVMSetCurrentDebugLocation2(self.raw, location.map_or(std::ptr::null_mut(), |l| l.0)));
    }

    pub(super) fn raw(&self) -> LLVMBuilderRef {
        self.raw
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        self.module.context()
    }

    /// An i32 constant.
    pub(crate) fn i32(&self, value: u32) -> Value {
        self.module.i32(value)
    }

    /// Calls a function.
    pub(crate) fn call(&self, function: Function, arguments: &[Value]) -> Instruction {
        let mut arguments: Vec<_> = arguments.iter().map(|value| value.0).collect();
        self.call_raw(ffi!(LLVMGlobalGetValueType(function.0)), function.0, &mut arguments)
    }

    pub(super) fn call_raw(
        &self,
        ty: LLVMTypeRef,
        callee: LLVMValueRef,
        arguments: &mut [LLVMValueRef],
    ) -> Instruction {
        let count = u32::try_from(arguments.len()).unwrap_or(0);
        Instruction(ffi!(LLVMBuildCall2(self.raw, ty, callee, arguments.as_mut_ptr(), count, NO_NAME)))
    }

    /// A workgroup-scope acquire-release fence that orders LDS only.
    pub(crate) fn local_fence(&self, tagged: bool) {
        ffi!(shim::sqtt_shim_local_fence(self.raw, tagged));
    }

    /// `left >> right`, logical.
    pub(crate) fn shift_right(&self, left: Value, right: Value) -> Value {
        Value(ffi!(LLVMBuildLShr(self.raw, left.0, right.0, NO_NAME)))
    }

    /// `left + right`, wrapping.
    pub(crate) fn add(&self, left: Value, right: Value) -> Value {
        Value(ffi!(LLVMBuildAdd(self.raw, left.0, right.0, NO_NAME)))
    }

    /// `left & right`.
    pub(crate) fn and(&self, left: Value, right: Value) -> Value {
        Value(ffi!(LLVMBuildAnd(self.raw, left.0, right.0, NO_NAME)))
    }

    /// `value != 0`.
    pub(crate) fn is_not_zero(&self, value: Value) -> Value {
        let zero = ffi!(LLVMConstNull(LLVMTypeOf(value.0)));
        Value(ffi!(LLVMBuildICmp(self.raw, LLVMIntPredicate::LLVMIntNE, value.0, zero, NO_NAME)))
    }

    /// The same i32 as a value that optimizers know nothing about, and that stays where it is; the code generator
    /// makes no instruction of it. `annotation`: [`Module::annotation`].
    pub(crate) fn annotated(&self, annotation: Function, value: Value) -> Value {
        let nothing = Value(ffi!(LLVMConstNull(LLVMPointerTypeInContext(self.context(), 0))));
        self.call(annotation, &[value, nothing, nothing, self.i32(0)]).value()
    }

    /// An integer as i32: extended with zeros, or cut.
    pub(crate) fn as_i32(&self, value: Value) -> Value {
        let ty = ffi!(LLVMInt32TypeInContext(self.context()));
        if !value.is_integer() || ffi!(LLVMTypeOf(value.0)) == ty {
            return value;
        }
        Value(ffi!(LLVMBuildIntCast2(self.raw, value.0, ty, 0, NO_NAME)))
    }

    /// Branches to `target`.
    pub(crate) fn branch(&self, target: Block) -> Instruction {
        Instruction(ffi!(LLVMBuildBr(self.raw, target.0)))
    }

    /// A phi of these values.
    pub(crate) fn phi(&self, incoming: &[(Value, Block)]) -> Option<Value> {
        let (first, _) = incoming.first()?;
        let phi = ffi!(LLVMBuildPhi(self.raw, LLVMTypeOf(first.0), NO_NAME));
        let mut values: Vec<_> = incoming.iter().map(|(value, _)| value.0).collect();
        let mut blocks: Vec<_> = incoming.iter().map(|(_, block)| block.0).collect();
        let count = u32::try_from(incoming.len()).unwrap_or(0);
        ffi!(LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), count));
        Some(Value(phi))
    }

    /// Returns from the function.
    pub(crate) fn ret(&self, value: Option<Value>) -> Instruction {
        Instruction(match value {
            Some(value) => ffi!(LLVMBuildRet(self.raw, value.0)),
            None => ffi!(LLVMBuildRetVoid(self.raw)),
        })
    }

    /// Inserts a copy of an instruction, metadata and attributes included.
    pub(crate) fn insert_copy_of(&self, instruction: Instruction) -> Instruction {
        let copy = ffi!(LLVMInstructionClone(instruction.0));
        ffi!(LLVMInsertIntoBuilder(self.raw, copy));
        Instruction(copy)
    }

    /// `left << right`.
    pub(crate) fn shift_left(&self, left: Value, right: Value) -> Value {
        Value(ffi!(LLVMBuildShl(self.raw, left.0, right.0, NO_NAME)))
    }

    /// `left | right`.
    pub(crate) fn or(&self, left: Value, right: Value) -> Value {
        Value(ffi!(LLVMBuildOr(self.raw, left.0, right.0, NO_NAME)))
    }

    /// A pointer as an integer of that many bits.
    pub(crate) fn pointer_bits(&self, pointer: Value, bits: u32) -> Value {
        let ty = ffi!(LLVMIntTypeInContext(self.context(), bits));
        Value(ffi!(LLVMBuildPtrToInt(self.raw, pointer.0, ty, NO_NAME)))
    }

    /// Bits `32 * index` and up of a wider integer, as i32.
    pub(crate) fn word_of(&self, value: Value, index: u32) -> Value {
        let ty = ffi!(LLVMTypeOf(value.0));
        let amount = Value(ffi!(LLVMConstInt(ty, u64::from(32 * index), 0)));
        self.as_i32(if index == 0 { value } else { self.shift_right(value, amount) })
    }

    /// Element `index` of a vector.
    pub(crate) fn element(&self, vector: Value, index: u32) -> Value {
        Value(ffi!(LLVMBuildExtractElement(self.raw, vector.0, self.i32(index).0, NO_NAME)))
    }
}
