//! Any value: a constant, an argument, an instruction's result.

use super::sys::LLVMTypeKind;
use super::sys::core::*;
use super::sys::prelude::*;
use super::{Instruction, Module, bytes_of, shim};

/// A value of the IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value(pub(super) LLVMValueRef);

impl Value {
    /// This value as an instruction, if it is one.
    pub(crate) fn as_instruction(self) -> Option<Instruction> {
        (!ffi!(LLVMIsAInstruction(self.0)).is_null()).then_some(Instruction(self.0))
    }

    /// Whether this is a function's parameter.
    pub(crate) fn is_argument(self) -> bool {
        !ffi!(LLVMIsAArgument(self.0)).is_null()
    }

    /// The address space of a pointer.
    pub(crate) fn address_space(self) -> u32 {
        ffi!(LLVMGetPointerAddressSpace(LLVMTypeOf(self.0)))
    }

    /// The address space of what a pointer points into, as far as casts and offsets tell.
    pub(crate) fn origin_address_space(self) -> u32 {
        ffi!(shim::sqtt_shim_origin_space(self.0))
    }

    /// Whether this is an integer.
    pub(crate) fn is_integer(self) -> bool {
        ffi!(shim::type_kind_number(LLVMTypeOf(self.0))) == LLVMTypeKind::LLVMIntegerTypeKind as u32
    }

    /// Whether this is a pointer, not an integer or a vector.
    pub(crate) fn is_pointer(self) -> bool {
        ffi!(shim::type_kind_number(LLVMTypeOf(self.0))) == LLVMTypeKind::LLVMPointerTypeKind as u32
    }

    /// The value of an integer constant, if it is one of at most 64 bits.
    pub(crate) fn as_constant(self) -> Option<u64> {
        if ffi!(LLVMIsAConstantInt(self.0)).is_null() {
            return None;
        }
        let bits = ffi!(LLVMGetIntTypeWidth(LLVMTypeOf(self.0)));
        (bits <= 64).then(|| ffi!(LLVMConstIntGetZExtValue(self.0)))
    }

    /// The two lowest bits of an integer, when they are the same whatever the program does.
    pub(crate) fn known_low_bits(self, module: Module) -> Option<u32> {
        let mut bits = 0u32;
        ffi!(shim::sqtt_shim_known_low_bits(module.0, self.0, &raw mut bits)).then_some(bits)
    }

    /// The same pointer without casts in front of it.
    pub(crate) fn without_casts(self) -> Value {
        Value(ffi!(shim::sqtt_shim_strip_casts(self.0)))
    }

    /// The bytes of the string literal that this pointer points to (up to its first NUL), if it is one; offsets
    /// into a literal and casts are seen through.
    pub(crate) fn literal(self) -> Option<Vec<u8>> {
        let (mut text, mut bytes) = (std::ptr::null(), 0usize);
        let found = ffi!(shim::sqtt_shim_literal(self.0, &raw mut text, &raw mut bytes));
        found.then(|| bytes_of(text, bytes).to_vec())
    }

    /// What uses this value.
    pub(crate) fn users(self) -> Vec<Value> {
        let first = ffi!(LLVMGetFirstUse(self.0));
        std::iter::successors((!first.is_null()).then_some(first), |&current| {
            let next = ffi!(LLVMGetNextUse(current));
            (!next.is_null()).then_some(next)
        })
        .map(|current| Value(ffi!(LLVMGetUser(current))))
        .collect()
    }

    /// Whether nothing uses this value.
    pub(crate) fn is_unused(self) -> bool {
        ffi!(LLVMGetFirstUse(self.0)).is_null()
    }
}
