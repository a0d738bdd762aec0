//! Enum attributes of functions and calls.

use super::sys::core::*;
use super::sys::prelude::*;
use super::sys::{LLVMAttributeFunctionIndex, LLVMAttributeIndex};
use super::{Function, Instruction, shim};

/// An attribute that the pass reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnumAttribute {
    /// Must not be made control-dependent on more conditions, nor duplicated over a branch.
    Convergent,
    /// Two calls must not be merged into one.
    NoMerge,
    /// Only known effects on memory, as a mask.
    Memory,
    /// Does not synchronize with other threads.
    NoSync,
    /// May be executed where the source did not.
    Speculatable,
    /// The body has no prologue and holds only assembly.
    Naked,
    /// Never throws.
    NoUnwind,
    /// Does not call back.
    NoCallback,
    /// Frees no memory.
    NoFree,
    /// Is inlined whatever the cost.
    AlwaysInline,
    /// Comes back.
    WillReturn,
    /// Never comes back.
    NoReturn,
}

impl EnumAttribute {
    fn name(self) -> &'static str {
        match self {
            EnumAttribute::Convergent => "convergent",
            EnumAttribute::NoMerge => "nomerge",
            EnumAttribute::Memory => "memory",
            EnumAttribute::NoSync => "nosync",
            EnumAttribute::Speculatable => "speculatable",
            EnumAttribute::Naked => "naked",
            EnumAttribute::NoUnwind => "nounwind",
            EnumAttribute::NoCallback => "nocallback",
            EnumAttribute::NoFree => "nofree",
            EnumAttribute::AlwaysInline => "alwaysinline",
            EnumAttribute::WillReturn => "willreturn",
            EnumAttribute::NoReturn => "noreturn",
        }
    }

    fn kind(self) -> u32 {
        let name = self.name();
        ffi!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()))
    }

    fn make(self, context: LLVMContextRef, value: u64) -> LLVMAttributeRef {
        ffi!(LLVMCreateEnumAttribute(context, self.kind(), value))
    }

    pub(super) fn of_function(self, function: Function) -> Option<u64> {
        let found = ffi!(LLVMGetEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, self.kind()));
        (!found.is_null()).then(|| ffi!(LLVMGetEnumAttributeValue(found)))
    }

    pub(super) fn set_on_function(self, function: Function, value: u64) {
        let attribute = self.make(function.module().context(), value);
        ffi!(LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute));
    }

    pub(super) fn remove_from_function(self, function: Function) {
        ffi!(LLVMRemoveEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, self.kind()));
    }
}

const ON_CALL: LLVMAttributeIndex = LLVMAttributeFunctionIndex;

impl Instruction {
    /// Adds attributes that have no value to this call.
    pub(crate) fn add_call_attributes(self, attributes: &[EnumAttribute]) {
        let kinds: Vec<u32> = attributes.iter().map(|attribute| attribute.kind()).collect();
        ffi!(shim::sqtt_shim_add_call_attributes(self.0, kinds.as_ptr(), kinds.len()));
    }

    /// Sets an attribute of this call.
    pub(crate) fn set_call_attribute(self, attribute: EnumAttribute, value: u64) {
        let attribute = attribute.make(self.function().module().context(), value);
        ffi!(LLVMAddCallSiteAttribute(self.0, ON_CALL, attribute));
    }

    /// The value of an attribute that stands at this call.
    pub(crate) fn call_attribute(self, attribute: EnumAttribute) -> Option<u64> {
        let found = ffi!(LLVMGetCallSiteEnumAttribute(self.0, ON_CALL, attribute.kind()));
        (!found.is_null()).then(|| ffi!(LLVMGetEnumAttributeValue(found)))
    }

    /// Removes an attribute that stands at this call.
    pub(crate) fn remove_call_attribute(self, attribute: EnumAttribute) {
        ffi!(LLVMRemoveCallSiteEnumAttribute(self.0, ON_CALL, attribute.kind()));
    }
}
