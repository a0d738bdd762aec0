//! Lane masks in the operands of vector instructions.
//!
//! Of gfx10 and later the disassembler knows no wave size and takes every wave for one of 32 lanes: what a wave of 64
//! lanes writes to `s[4:5]` it shows as `s4`, and VCC as `vcc_lo`.

use super::instruction::Instruction;
use super::operand::Operand;

/// Makes the lane masks among the operands of `instruction` those of a wave of 64 lanes.
pub(super) fn widen(instruction: &mut Instruction) {
    let Some(positions) = positions(instruction) else { return };
    for position in positions {
        let Some(Operand::Registers(registers)) = instruction.operands.get_mut(position) else { continue };
        if registers.count() == 1 && !registers.iter().any(|register| register.is_vector()) {
            *registers = registers.doubled();
        }
    }
    if let Some(second) = &mut instruction.second {
        widen(second);
    }
}

/// Which operands are lane masks, if they are scalar registers (RDNA ISA manuals, "VOPC", "VOP2", "VOP3").
fn positions(instruction: &Instruction) -> Option<Vec<usize>> {
    let name = instruction.base_mnemonic().strip_prefix("v_")?;
    let name = name.strip_prefix("dual_").unwrap_or(name);
    if name.starts_with("cmp_") {
        return Some(vec![0]);
    }
    if name.starts_with("cndmask_") {
        return Some(vec![3]);
    }
    if name.contains("_co_ci_") {
        return Some(vec![1, 4]);
    }
    let has_carry = name.contains("_co_") || ["div_scale_", "mad_u64_", "mad_i64_"].iter().any(|p| name.starts_with(p));
    has_carry.then(|| vec![1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_64_lanes_have_two_registers() {
        for (text, expected) in [
            ("v_cmp_ne_u32_e64 s12, v2, s8", "s12 s13|v2|s8"),
            ("v_cmp_lt_i32_e32 vcc_lo, s4, v1", "vcc_lo vcc_hi|s4|v1"),
            ("v_cmpx_lt_i32_e32 s4, v1", "s4|v1"),
            ("v_cndmask_b32_e64 v0, 0, 1, s4", "v0|||s4 s5"),
            ("v_cndmask_b32_e64 v0, s2, v1, s4", "v0|s2|v1|s4 s5"),
            ("v_add_co_u32 v12, s8, v12, s10", "v12|s8 s9|v12|s10"),
            ("v_add_co_ci_u32_e64 v16, s8, v13, s2, s10", "v16|s8 s9|v13|s2|s10 s11"),
            ("v_mad_u64_u32 v[5:6], s10, v7, s5, 1", "v5 v6|s10 s11|v7|s5|"),
            ("v_mad_u64_u32 v[5:6], null, v7, s5, 1", "v5 v6|null|v7|s5|"),
            ("v_cmp_ne_u32_e64 s[12:13], v2, s8", "s12 s13|v2|s8"),
            ("s_and_b32 s4, s4, s5", "s4|s4|s5"),
        ] {
            let mut instruction = Instruction::parse(text, 0, 8, 0);
            widen(&mut instruction);
            let shown = |operand: &Operand| {
                let registers = operand.registers().into_iter().flat_map(|row| row.iter());
                registers.map(|one| one.to_string()).collect::<Vec<_>>().join(" ")
            };
            let operands: Vec<String> = instruction.operands.iter().map(shown).collect();
            assert_eq!(operands.join("|"), expected, "{text}");
        }
    }
}
