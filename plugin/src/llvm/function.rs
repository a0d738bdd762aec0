//! Functions.

use std::ffi::{c_char, c_void};

use super::sys::LLVMLinkage;
use super::sys::core::*;
use super::sys::debuginfo::{LLVMDISubprogramGetLine, LLVMGetSubprogram};
use super::sys::prelude::*;
use super::{Block, DebugLocation, EnumAttribute, Instruction, MetadataValue, Module, Value, bytes_of, shim};

/// `CallingConv::AMDGPU_KERNEL`.
const AMDGPU_KERNEL: u32 = 91;

/// A function, with or without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Function(pub(super) LLVMValueRef);

/// The instructions that `give` hands to the sink it gets.
pub(super) fn collect(give: impl FnOnce(shim::ValueSink, *mut c_void)) -> Vec<Instruction> {
    extern "C" fn sink(found: *mut c_void, instruction: LLVMValueRef) {
        // SAFETY: `found` is the Vec below, borrowed for the duration of the call.
        unsafe { &mut *found.cast::<Vec<Instruction>>() }.push(Instruction(instruction));
    }
    let mut found: Vec<Instruction> = Vec::new();
    give(sink, (&raw mut found).cast());
    found
}

impl Function {
    pub(super) fn from_pointer(function: LLVMValueRef) -> Option<Function> {
        (!function.is_null()).then_some(Function(function))
    }

    /// The symbol's name.
    pub(crate) fn name(self) -> Vec<u8> {
        super::module::value_name(self.0)
    }

    /// Whether the symbol's name starts so.
    pub(crate) fn name_starts_with(self, prefix: &str) -> bool {
        super::module::name_bytes(self.0).starts_with(prefix.as_bytes())
    }

    /// Whether this is the symbol's name.
    pub(crate) fn is_named(self, name: &str) -> bool {
        super::module::name_bytes(self.0) == name.as_bytes()
    }

    /// The name as its source has it: `f(int)`. The name itself when it is not a mangled one.
    pub(crate) fn demangled_name(self) -> String {
        extern "C" fn sink(context: *mut c_void, text: *const c_char, bytes: usize) {
            // SAFETY: `context` is the String below, borrowed for the duration of the call.
            let found = unsafe { &mut *context.cast::<String>() };
            *found = String::from_utf8_lossy(bytes_of(text, bytes)).into_owned();
        }
        let name = self.name();
        let mut found = String::new();
        ffi!(shim::sqtt_shim_demangle(name.as_ptr().cast(), name.len(), sink, (&raw mut found).cast()));
        found
    }

    /// The function as a value.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// The module that holds it.
    pub(crate) fn module(self) -> Module {
        Module(ffi!(LLVMGetGlobalParent(self.0)))
    }

    /// Whether it has no body here.
    pub(crate) fn is_declaration(self) -> bool {
        ffi!(LLVMIsDeclaration(self.0)) != 0
    }

    /// Whether it is a kernel (calling convention `amdgpu_kernel`).
    pub(crate) fn is_kernel(self) -> bool {
        ffi!(LLVMGetFunctionCallConv(self.0)) == AMDGPU_KERNEL
    }

    /// Whether nothing outside this module can name it, so that it may go when nothing inside uses it.
    pub(crate) fn is_discardable(self) -> bool {
        const DISCARDABLE: [LLVMLinkage; 4] = [
            LLVMLinkage::LLVMInternalLinkage,
            LLVMLinkage::LLVMPrivateLinkage,
            LLVMLinkage::LLVMLinkOnceAnyLinkage,
            LLVMLinkage::LLVMLinkOnceODRLinkage,
        ];
        let linkage = ffi!(shim::linkage_number(self.0));
        DISCARDABLE.iter().any(|known| *known as u32 == linkage)
    }

    /// Whether its name means this function in its own unit only.
    pub(crate) fn is_local(self) -> bool {
        let linkage = ffi!(shim::linkage_number(self.0));
        [LLVMLinkage::LLVMInternalLinkage, LLVMLinkage::LLVMPrivateLinkage].iter().any(|local| *local as u32 == linkage)
    }

    /// Whether the body is only a copy for optimizers and never becomes code.
    pub(crate) fn is_available_externally(self) -> bool {
        ffi!(shim::linkage_number(self.0)) == LLVMLinkage::LLVMAvailableExternallyLinkage as u32
    }

    /// The blocks in order.
    pub(crate) fn blocks(self) -> Vec<Block> {
        let first = ffi!(LLVMGetFirstBasicBlock(self.0));
        std::iter::successors(Block::from_pointer(first), |b| Block::from_pointer(ffi!(LLVMGetNextBasicBlock(b.0))))
            .collect()
    }

    /// The entry block, if there is a body.
    pub(crate) fn entry(self) -> Option<Block> {
        (!self.is_declaration()).then(|| Block(ffi!(LLVMGetEntryBasicBlock(self.0))))
    }

    /// All instructions in block order. A snapshot.
    pub(crate) fn instructions(self) -> Vec<Instruction> {
        collect(|sink, found| ffi!(shim::sqtt_shim_instructions(self.0, sink, found)))
    }

    /// The calls and invokes in block order. A snapshot; much shorter than all instructions.
    pub(crate) fn calls(self) -> Vec<Instruction> {
        collect(|sink, found| ffi!(shim::sqtt_shim_calls(self.0, sink, found)))
    }

    /// Direct calls of this function, wherever they are in the module.
    pub(crate) fn direct_calls(self) -> Vec<Instruction> {
        let users = self.value().users().into_iter().filter_map(Value::as_instruction);
        users.filter(|i| i.callee() == Some(self)).collect()
    }

    /// Appends an empty block.
    pub(crate) fn append_block(self, name: &str) -> Option<Block> {
        let name = std::ffi::CString::new(name).ok()?;
        Block::from_pointer(ffi!(LLVMAppendBasicBlockInContext(self.module().context(), self.0, name.as_ptr())))
    }

    /// The value of a string attribute such as `target-cpu`.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let (text, bytes) = (name.as_ptr().cast(), u32::try_from(name.len()).ok()?);
        let attribute =
            ffi!(LLVMGetStringAttributeAtIndex(self.0, super::sys::LLVMAttributeFunctionIndex, text, bytes));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0u32;
        let value = ffi!(LLVMGetStringAttributeValue(attribute, &raw mut length));
        Some(String::from_utf8_lossy(bytes_of(value, length)).into_owned())
    }

    /// The value of an enum attribute of the function; 0 when it has none.
    pub(crate) fn attribute(self, attribute: EnumAttribute) -> Option<u64> {
        attribute.of_function(self)
    }

    /// Sets an enum attribute of the function.
    pub(crate) fn set_attribute(self, attribute: EnumAttribute, value: u64) {
        attribute.set_on_function(self, value);
    }

    /// Removes an enum attribute of the function.
    pub(crate) fn remove_attribute(self, attribute: EnumAttribute) {
        attribute.remove_from_function(self);
    }

    /// Source file and line of the definition, when it has debug information: `file:line`.
    pub(crate) fn definition_place(self) -> Option<(Vec<u8>, u32)> {
        let subprogram = ffi!(LLVMGetSubprogram(self.0));
        if subprogram.is_null() {
            return None;
        }
        Some((super::debug::file_of_scope(subprogram), ffi!(LLVMDISubprogramGetLine(subprogram))))
    }

    /// A location for code that belongs to the whole function: its line, or line 0.
    pub(crate) fn definition_location(self, line_known: bool) -> Option<DebugLocation> {
        DebugLocation::of_function(self, line_known)
    }

    /// Attaches metadata of one kind, replacing what it had.
    pub(crate) fn set_metadata(self, kind: &str, value: &MetadataValue) {
        value.attach_to_global(self.0, self.module(), kind);
    }

    /// The integer in a function's metadata node of that kind.
    pub(crate) fn metadata_integer(self, kind: &str) -> Option<u64> {
        super::metadata::global_integer(self.0, self.module(), kind)
    }

    /// Removes the function from its module. Its handle dies; nothing may use it any more.
    pub(crate) fn erase(self) {
        ffi!(LLVMDeleteFunction(self.0));
    }

    /// The type that is returned is void.
    pub(crate) fn returns_void(self) -> bool {
        let ty = ffi!(LLVMGetReturnType(LLVMGlobalGetValueType(self.0)));
        ty == ffi!(LLVMVoidTypeInContext(self.module().context()))
    }
}
