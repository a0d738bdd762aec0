//! Addresses of functions that code computes from its own position.
//!
//! ```text
//! s_getpc_b64 s[4:5]                 s_get_pc_i64 s[4:5]
//! s_add_u32 s4, s4, LOW              s_add_nc_u64 s[4:5], s[4:5], OFFSET
//! s_addc_u32 s5, s5, HIGH
//! ```

use super::instruction::Instruction;

/// Instructions behind the read of the program counter among which its additions are looked for.
const WINDOW: usize = 12;

/// Every address that some code computes so, in the order of that code. Some are of data.
pub(super) fn references(instructions: &[Instruction]) -> Vec<u64> {
    let starts = instructions.iter().enumerate().filter(|(_, instruction)| is_program_counter(instruction));
    starts.filter_map(|(index, _)| reference(&instructions[index..])).collect()
}

/// Whether an instruction puts the address behind itself into its result.
pub(super) fn is_program_counter(instruction: &Instruction) -> bool {
    instruction.is("s_getpc_b64") || instruction.is("s_get_pc_i64")
}

fn reference(code: &[Instruction]) -> Option<u64> {
    let (start, rest) = code.split_first()?;
    let result = start.registers(0)?;
    let (low, high) = (result.get(0)?, result.get(1)?);
    let mut sum = None;
    for instruction in rest.iter().take(WINDOW) {
        let Some(to) = instruction.registers(0) else { continue };
        let constant = instruction.operands.get(2).and_then(|operand| operand.constant());
        match &*instruction.mnemonic {
            "s_add_nc_u64" if to == result => return Some(start.end().wrapping_add_signed(constant?)),
            "s_add_u32" | "s_add_co_u32" if to.get(0) == Some(low) => sum = constant,
            "s_addc_u32" | "s_add_co_ci_u32" if to.get(0) == Some(high) => {
                let offset = (sum? & 0xFFFF_FFFF) | (constant? & 0xFFFF_FFFF) << 32;
                return Some(start.end().wrapping_add_signed(offset));
            }
            _ => {}
        }
    }
    None
}
