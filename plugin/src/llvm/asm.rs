//! Calls of inline assembly.

use super::sys::LLVMInlineAsmDialect;
use super::sys::core::*;
use super::sys::prelude::LLVMTypeRef;
use super::{Builder, Instruction, Value, bytes_of};

/// Inline assembly to be called once. It always counts as having side effects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsmCall<'a> {
    /// The template: `$0` is the result if there is one, else the first argument.
    pub(crate) text: &'a str,
    /// LLVM's constraint string.
    pub(crate) constraints: &'a str,
    /// Whether it has an i32 result (the first constraint is then an output).
    pub(crate) result: bool,
    /// The arguments.
    pub(crate) arguments: &'a [Value],
}

impl Builder {
    /// Emits the call.
    pub(crate) fn asm(&self, call: AsmCall<'_>) -> Instruction {
        let context = self.context();
        let result =
            if call.result { ffi!(LLVMInt32TypeInContext(context)) } else { ffi!(LLVMVoidTypeInContext(context)) };
        self.asm_of_type(call, result)
    }

    /// Emits a call whose result is an i64.
    pub(crate) fn asm_u64(&self, call: AsmCall<'_>) -> Value {
        self.asm_of_type(call, ffi!(LLVMInt64TypeInContext(self.context()))).value()
    }

    fn asm_of_type(&self, call: AsmCall<'_>, result: LLVMTypeRef) -> Instruction {
        let mut arguments: Vec<_> = call.arguments.iter().map(|value| value.0).collect();
        let mut types: Vec<_> = arguments.iter().map(|value| ffi!(LLVMTypeOf(*value))).collect();
        let count = u32::try_from(arguments.len()).unwrap_or(0);
        let ty = ffi!(LLVMFunctionType(result, types.as_mut_ptr(), count, 0));
        let (text, constraints) = (call.text, call.constraints);
        let asm = ffi!(LLVMGetInlineAsm(
            ty,
            text.as_ptr().cast(),
            text.len(),
            constraints.as_ptr().cast(),
            constraints.len(),
            1,
            0,
            LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            0
        ));
        self.call_raw(ty, asm, &mut arguments)
    }
}

/// The template of a call of inline assembly; `None` for any other instruction.
pub(crate) fn asm_text(instruction: Instruction) -> Option<&'static [u8]> {
    let asm = called_asm(instruction)?;
    let mut bytes = 0usize;
    let text = ffi!(LLVMGetInlineAsmAsmString(asm.0, &raw mut bytes));
    Some(bytes_of(text, bytes))
}

/// Gives a call of inline assembly another template; any other instruction is left alone.
pub(crate) fn set_asm_text(instruction: Instruction, text: &[u8]) {
    let Some(asm) = called_asm(instruction) else { return };
    let mut bytes = 0usize;
    let constraints = ffi!(LLVMGetInlineAsmConstraintString(asm.0, &raw mut bytes));
    let replaced = ffi!(LLVMGetInlineAsm(
        LLVMGetInlineAsmFunctionType(asm.0),
        text.as_ptr().cast(),
        text.len(),
        constraints,
        bytes,
        LLVMGetInlineAsmHasSideEffects(asm.0),
        LLVMGetInlineAsmNeedsAlignedStack(asm.0),
        LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
        LLVMGetInlineAsmCanUnwind(asm.0)
    ));
    // What is called is a call's last operand.
    let last = ffi!(LLVMGetNumOperands(instruction.0)) - 1;
    ffi!(LLVMSetOperand(instruction.0, u32::try_from(last).unwrap_or(0), replaced));
}

/// Whether an instruction calls inline assembly without text, operands and clobbers.
pub(crate) fn is_empty_asm(instruction: Instruction) -> bool {
    let Some(asm) = called_asm(instruction) else { return false };
    let mut bytes = 0usize;
    let constraints = ffi!(LLVMGetInlineAsmConstraintString(asm.0, &raw mut bytes));
    bytes_of(constraints, bytes).is_empty() && asm_text(instruction).is_some_and(<[u8]>::is_empty)
}

fn called_asm(instruction: Instruction) -> Option<Value> {
    instruction.called_value().filter(|called| !ffi!(LLVMIsAInlineAsm(called.0)).is_null())
}
