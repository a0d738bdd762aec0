//! Source locations.

use super::sys::debuginfo::*;
use super::sys::prelude::*;
use super::{Function, Instruction, bytes_of};

/// A `!dbg` location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DebugLocation(pub(super) LLVMMetadataRef);

impl Instruction {
    /// Says where in the source an instruction comes from.
    pub(crate) fn set_location(self, location: DebugLocation) {
        ffi!(LLVMInstructionSetDebugLoc(self.0, location.0));
    }
}

impl DebugLocation {
    pub(super) fn of(instruction: Instruction) -> Option<DebugLocation> {
        let location = ffi!(LLVMInstructionGetDebugLoc(instruction.0));
        (!location.is_null()).then_some(DebugLocation(location))
    }

    /// The definition's line of a function with debug information, or its line 0 ("no particular line").
    pub(super) fn of_function(function: Function, line_known: bool) -> Option<DebugLocation> {
        let subprogram = ffi!(LLVMGetSubprogram(function.0));
        if subprogram.is_null() {
            return None;
        }
        let line = if line_known { ffi!(LLVMDISubprogramGetLine(subprogram)) } else { 0 };
        let context = function.module().context();
        Some(DebugLocation(ffi!(LLVMDIBuilderCreateDebugLocation(context, line, 0, subprogram, std::ptr::null_mut()))))
    }

    /// File and line of the innermost source position.
    pub(crate) fn place(self) -> (Vec<u8>, u32) {
        let scope = ffi!(LLVMDILocationGetScope(self.0));
        (file_of_scope(scope), ffi!(LLVMDILocationGetLine(self.0)))
    }

    /// The place in the function that holds the code now, whatever was inlined there.
    pub(crate) fn outermost(self) -> DebugLocation {
        self.inline_chain().last().unwrap_or(self)
    }

    /// This place, then the calls that it was inlined through, the innermost first.
    pub(crate) fn inline_chain(self) -> impl Iterator<Item = DebugLocation> {
        std::iter::successors(Some(self), |inner| inner.inlined_at())
    }

    /// The call that brought this code into its function, when it was inlined.
    fn inlined_at(self) -> Option<DebugLocation> {
        let outer = ffi!(LLVMDILocationGetInlinedAt(self.0));
        (!outer.is_null()).then_some(DebugLocation(outer))
    }
}

/// The file name of a scope, as the debug information has it.
pub(super) fn file_of_scope(scope: LLVMMetadataRef) -> Vec<u8> {
    let file = ffi!(LLVMDIScopeGetFile(scope));
    if file.is_null() {
        return Vec::new();
    }
    let mut bytes = 0u32;
    let name = ffi!(LLVMDIFileGetFilename(file, &raw mut bytes));
    bytes_of(name, bytes).to_vec()
}
