//! What instructions do to EXEC, on every generation from gfx9 to gfx12.5.
//!
//! Sources: AMD's ISA manuals (Vega, CDNA, RDNA 1 to 4), "SOP1", "SOP2", "VOPC", and the names that LLVM 19 and 22
//! write. RDNA 3 renamed `andn2` to `and_not1`, `andn1` to `and_not0`, and `orn1`, `orn2` likewise.

use super::instruction::{Condition, Control, Instruction};
use super::register::{Register, Registers};

/// What an instruction does to EXEC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecEffect {
    /// Branches by whether it is zero.
    Tests,
    /// Switches lanes off: afterwards it may be zero.
    Narrows,
    /// Switches lanes on and none off.
    Widens,
    /// Gives it another value.
    Replaces,
}

/// A bitwise operation on one or two scalar operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOp {
    /// `a`
    Mov,
    /// `!a`
    Not,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a & !b`
    AndNot,
    /// `!a & b`
    NotAnd,
    /// `a | !b`
    OrNot,
    /// `!a | b`
    NotOr,
    /// `!(a & b)`
    Nand,
    /// `!(a | b)`
    Nor,
    /// `!(a ^ b)`
    Xnor,
}

/// Where operands and results of a [`ScalarOp`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `result, a, b`; or `result, a`.
    Plain,
    /// `saved, a`: saved is the old EXEC, and EXEC becomes `a op EXEC`.
    SaveExec,
    /// `result, a`: result and EXEC become `a op EXEC`.
    WriteExec,
}

/// A scalar instruction that works bit by bit, and so on lane masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarOp {
    /// The operation.
    pub op: BitOp,
    /// Where its operands are.
    pub form: Form,
    /// 64 bits, not 32.
    pub wide: bool,
}

impl ScalarOp {
    /// What `instruction` is, if it is one.
    pub fn of(instruction: &Instruction) -> Option<ScalarOp> {
        let name = instruction.mnemonic.strip_prefix("s_")?;
        let (name, wide) = match (name.strip_suffix("_b32"), name.strip_suffix("_b64")) {
            (Some(name), _) => (name, false),
            (None, Some(name)) => (name, true),
            (None, None) => return None,
        };
        let (name, form) = match (name.strip_suffix("_saveexec"), name.strip_suffix("_wrexec")) {
            (Some(name), _) => (name, Form::SaveExec),
            (None, Some(name)) => (name, Form::WriteExec),
            (None, None) => (name, Form::Plain),
        };
        Some(ScalarOp { op: bit_op(name)?, form, wide })
    }
}

fn bit_op(name: &str) -> Option<BitOp> {
    Some(match name {
        "mov" => BitOp::Mov,
        "not" => BitOp::Not,
        "and" => BitOp::And,
        "or" => BitOp::Or,
        "xor" => BitOp::Xor,
        "andn2" | "and_not1" => BitOp::AndNot,
        "andn1" | "and_not0" => BitOp::NotAnd,
        "orn2" | "or_not1" => BitOp::OrNot,
        "orn1" | "or_not0" => BitOp::NotOr,
        "nand" => BitOp::Nand,
        "nor" => BitOp::Nor,
        "xnor" => BitOp::Xnor,
        _ => return None,
    })
}

impl ExecEffect {
    /// What `instruction` does to EXEC; `None` when it leaves it alone.
    pub fn of(instruction: &Instruction) -> Option<ExecEffect> {
        if let Control::Branch(Condition::ExecZero(_)) = instruction.control() {
            return Some(ExecEffect::Tests);
        }
        if instruction.base_mnemonic().starts_with("v_cmpx_") {
            return Some(ExecEffect::Narrows);
        }
        let op = ScalarOp::of(instruction);
        if let Some(op) = op.filter(|op| op.form != Form::Plain) {
            // The other operand is EXEC, on the right.
            return Some(match op.op {
                BitOp::And | BitOp::NotAnd => ExecEffect::Narrows,
                BitOp::Or | BitOp::NotOr => ExecEffect::Widens,
                _ => ExecEffect::Replaces,
            });
        }
        let is_exec = |registers: Registers| registers.iter().any(|register| Registers::EXEC.contains(register));
        if !instruction.results().any(is_exec) {
            return None;
        }
        let left = instruction.registers(1).is_some_and(is_exec);
        let right = instruction.registers(2).is_some_and(is_exec);
        let Some(op) = op.map(|op| op.op) else { return Some(ExecEffect::Replaces) };
        Some(match op {
            BitOp::And if left || right => ExecEffect::Narrows,
            BitOp::AndNot if left => ExecEffect::Narrows,
            BitOp::NotAnd if right => ExecEffect::Narrows,
            BitOp::Or if left || right => ExecEffect::Widens,
            BitOp::OrNot if left => ExecEffect::Widens,
            BitOp::NotOr if right => ExecEffect::Widens,
            _ => ExecEffect::Replaces,
        })
    }
}

/// EXEC as the waves of `lanes` lanes have it.
pub(super) fn exec(lanes: u32) -> Registers {
    if lanes == 32 { Registers::one(Register::EXEC_LO) } else { Registers::EXEC }
}

/// VCC as the waves of `lanes` lanes have it.
pub(super) fn vcc(lanes: u32) -> Registers {
    if lanes == 32 { Registers::one(Register::VCC_LO) } else { Registers::VCC }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_exec_is_known() {
        use ExecEffect::{Narrows, Replaces, Tests, Widens};
        for (text, effect) in [
            ("s_and_saveexec_b64 s[0:1], vcc", Some(Narrows)),
            ("s_or_saveexec_b32 s16, -1", Some(Widens)),
            ("s_xor_saveexec_b64 s[4:5], -1", Some(Replaces)),
            ("s_andn2_saveexec_b64 s[0:1], s[0:1]", Some(Replaces)),
            ("s_and_not1_saveexec_b32 s0, s4", Some(Replaces)),
            ("s_and_not0_saveexec_b32 s0, s4", Some(Narrows)),
            ("s_andn1_wrexec_b64 s[0:1], s[2:3]", Some(Narrows)),
            ("s_and_not1_wrexec_b32 s0, s4", Some(Replaces)),
            ("s_mov_b64 exec, s[0:1]", Some(Replaces)),
            ("s_mov_b32 exec_hi, s1", Some(Replaces)),
            ("s_and_b64 exec, exec, vcc", Some(Narrows)),
            ("s_andn2_b64 exec, exec, s[4:5]", Some(Narrows)),
            ("s_and_not1_b32 exec_lo, exec_lo, s0", Some(Narrows)),
            ("s_or_b64 exec, exec, s[0:1]", Some(Widens)),
            ("s_xor_b32 exec_lo, exec_lo, s0", Some(Replaces)),
            ("v_cmpx_lt_i32_e32 0, v1", Some(Narrows)),
            ("v_cmpx_gt_u32_e64 s[2:3], v0, v1", Some(Narrows)),
            ("s_cbranch_execz 7", Some(Tests)),
            ("s_cbranch_execnz 7", Some(Tests)),
            ("s_and_b64 vcc, exec, s[4:5]", None),
            ("s_mov_b64 s[0:1], exec", None),
            ("v_cmp_lt_i32_e32 vcc, 0, v1", None),
            ("s_cbranch_vccz 7", None),
        ] {
            let instruction = Instruction::parse(text, 0, 4, 0);
            assert_eq!(ExecEffect::of(&instruction), effect, "{text}");
        }
    }
}
