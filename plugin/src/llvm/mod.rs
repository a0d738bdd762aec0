//! Safe handles on the host's LLVM: the only place with `unsafe` and with conditions on the LLVM version.
//!
//! # Handles
//! [`Module`], [`Function`], [`Block`], [`Instruction`] and [`Value`] are copies of pointers into the module that
//! the host handed to the current callback. They are made only from that module, they are not `Send`, and no
//! feature keeps one past its callback; an instruction's handle is not used after [`Instruction::erase`]. Under
//! these rules every call below gets pointers that LLVM owns and that are alive, which is what each `unsafe` here
//! relies on; a place that needs more says so. Casts between kinds of values happen only behind an `LLVMIsA...`
//! test. Opcodes and kinds of values are never read into Rust enums: vendor compilers have values of their own.

/// Evaluates a call into LLVM or the shim.
macro_rules! ffi {
    ($call:expr) => {
        // SAFETY: the rules on handles in `llvm/mod.rs`.
        unsafe { $call }
    };
}

mod analyses;
mod asm;
mod attribute;
mod block;
mod builder;
mod debug;
mod entry;
mod function;
mod global;
mod instruction;
mod lane_loop;
mod metadata;
mod module;
mod shim;
mod value;

pub(crate) use analyses::{Analyses, BlockFlow};
pub(crate) use asm::{AsmCall, asm_text, is_empty_asm, set_asm_text};
pub(crate) use attribute::EnumAttribute;
pub(crate) use block::Block;
pub(crate) use builder::Builder;
pub(crate) use debug::DebugLocation;
pub(crate) use function::Function;
pub(crate) use instruction::Instruction;
pub(crate) use lane_loop::insert_lane_loop;
pub(crate) use metadata::MetadataValue;
pub(crate) use module::{ANNOTATION, Module, Severity};
pub(crate) use value::Value;

use inkwell::llvm_sys as sys;

/// The bytes that a C API call describes by a pointer and a length; empty when the pointer is null.
fn bytes_of<'a, N: TryInto<usize>>(pointer: *const std::ffi::c_char, length: N) -> &'a [u8] {
    let length = length.try_into().unwrap_or(0);
    if pointer.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: LLVM returned this pointer with this length; the text lives as long as its context.
    unsafe { std::slice::from_raw_parts(pointer.cast(), length) }
}
