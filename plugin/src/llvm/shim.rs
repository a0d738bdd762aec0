//! Declarations of `cpp/shim.cc`, and of C API calls whose enums are read as numbers.

use std::ffi::{c_char, c_void};

use super::sys::prelude::*;

/// One phase of the pass, with the host's analyses: true when the module was changed.
pub(super) type Phase = extern "C" fn(LLVMModuleRef, *mut c_void) -> bool;

/// Takes a value of the C++ side.
pub(super) type ValueSink = extern "C" fn(context: *mut c_void, value: LLVMValueRef);

/// Takes a text of the C++ side.
pub(super) type Sink = extern "C" fn(context: *mut c_void, text: *const c_char, bytes: usize);

/// Takes a block of the C++ side, with the headers of the two innermost cycles around it, and whether lanes part at
/// its end.
pub(super) type FlowSink = extern "C" fn(
    context: *mut c_void,
    block: LLVMBasicBlockRef,
    header: LLVMBasicBlockRef,
    outer: LLVMBasicBlockRef,
    parts: bool,
);

unsafe extern "C" {
    pub(super) fn sqtt_shim_plugin_info(
        early: Phase,
        late: Phase,
        o0: Phase,
        link: Phase,
    ) -> super::entry::PassPluginLibraryInfo;
    pub(super) fn sqtt_shim_plugin_info_bytes() -> usize;
    pub(super) fn sqtt_shim_report(
        module: LLVMModuleRef,
        place: LLVMValueRef,
        severity: i32,
        text: *const c_char,
        bytes: usize,
    );
    pub(super) fn sqtt_shim_local_fence(builder: LLVMBuilderRef, tagged: bool);
    pub(super) fn sqtt_shim_inline(call: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_split_if(condition: LLVMValueRef, before: LLVMValueRef) -> LLVMValueRef;
    pub(super) fn sqtt_shim_literal(value: LLVMValueRef, text: *mut *const c_char, bytes: *mut usize) -> bool;
    pub(super) fn sqtt_shim_origin_space(pointer: LLVMValueRef) -> u32;
    pub(super) fn sqtt_shim_constant_load(module: LLVMModuleRef, load: LLVMValueRef) -> LLVMValueRef;
    pub(super) fn sqtt_shim_invoke_to_call(invoke: LLVMValueRef) -> LLVMValueRef;
    pub(super) fn sqtt_shim_strip_casts(value: LLVMValueRef) -> LLVMValueRef;
    pub(super) fn sqtt_shim_is_static_alloca(value: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_move_before(instruction: LLVMValueRef, before: LLVMValueRef);
    pub(super) fn sqtt_shim_may_have_side_effects(instruction: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_may_read_memory(instruction: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_is_lifetime_or_debug(instruction: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_instructions(function: LLVMValueRef, sink: ValueSink, context: *mut c_void);
    pub(super) fn sqtt_shim_calls(function: LLVMValueRef, sink: ValueSink, context: *mut c_void);
    pub(super) fn sqtt_shim_block_calls(block: LLVMBasicBlockRef, sink: ValueSink, context: *mut c_void);
    pub(super) fn sqtt_shim_block_instructions(block: LLVMBasicBlockRef, sink: ValueSink, context: *mut c_void);
    pub(super) fn sqtt_shim_add_call_attributes(call: LLVMValueRef, kinds: *const u32, count: usize);
    pub(super) fn sqtt_shim_control_flow(
        analyses: *mut c_void,
        function: LLVMValueRef,
        sink: FlowSink,
        context: *mut c_void,
    );
    pub(super) fn sqtt_shim_split_ways(
        meeting: LLVMBasicBlockRef,
        ways: *mut LLVMBasicBlockRef,
        count: usize,
    ) -> LLVMBasicBlockRef;
    pub(super) fn sqtt_shim_known_low_bits(module: LLVMModuleRef, value: LLVMValueRef, bits: *mut u32) -> bool;
    pub(super) fn sqtt_shim_is_must_tail_call(instruction: LLVMValueRef) -> bool;
    pub(super) fn sqtt_shim_copy_metadata(to: LLVMValueRef, from: LLVMValueRef);

    pub(super) fn sqtt_shim_keep_global(global: LLVMValueRef);
    pub(super) fn sqtt_shim_erase_kept_global(global: LLVMValueRef);
    pub(super) fn sqtt_shim_erase_table(module: LLVMModuleRef, name: *const c_char, bytes: usize);
    pub(super) fn sqtt_shim_split(before: LLVMValueRef) -> LLVMBasicBlockRef;
    pub(super) fn sqtt_shim_demangle(name: *const c_char, bytes: usize, sink: Sink, context: *mut c_void);

    /// `LLVMGetTypeKind`, as the number that a host may have extended.
    #[link_name = "LLVMGetTypeKind"]
    pub(super) fn type_kind_number(ty: LLVMTypeRef) -> u32;
    /// `LLVMGetLinkage`, as the number that a host may have extended.
    #[link_name = "LLVMGetLinkage"]
    pub(super) fn linkage_number(global: LLVMValueRef) -> u32;
}
