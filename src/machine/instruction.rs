//! One machine instruction.

use super::operand::{self, Operand};
use super::register::Registers;

/// One machine instruction of a code object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its address when the code object is loaded at 0, in bytes.
    pub address: u64,
    /// Its size, in bytes.
    pub size_bytes: u32,
    /// The first 32 bits of its encoding.
    pub word: u32,
    /// Its name as the disassembler writes it: `s_ttracedata_imm`, `v_add_u32_e32`; `.long` for what is no instruction.
    pub mnemonic: Box<str>,
    /// What it works on, results first.
    pub operands: Vec<Operand>,
    /// What is written behind the operands: `offset:80`.
    pub modifiers: Box<str>,
    /// Where a branch goes to, or an `s_call`: an address.
    pub target: Option<u64>,
    /// The other half of a dual instruction (`v_dual_... :: v_dual_...`), at the same address.
    pub second: Option<Box<Instruction>>,
}

/// How an instruction leads on to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// To the next one.
    Next,
    /// Always to its target.
    Jump,
    /// To its target or the next one, by a condition.
    Branch(Condition),
    /// To a function, then to the next one.
    Call,
    /// To an address in registers: a return, a call in tail position, or a jump.
    Indirect,
    /// The wave ends.
    End,
    /// To the trap handler. Nothing is known about what comes after it.
    Trap,
}

/// What a conditional branch goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// SCC is as told.
    Scc(bool),
    /// VCC is zero: as told.
    VccZero(bool),
    /// EXEC is zero: as told.
    ExecZero(bool),
    /// Something that is not modelled.
    Unknown,
}

impl Instruction {
    /// Reads `text`, an instruction of the disassembly without address and encoding.
    pub(super) fn parse(text: &str, address: u64, size_bytes: u32, word: u32) -> Instruction {
        let (first, second) = match text.split_once(" :: ") {
            Some((first, second)) => (first, Some(second)),
            None => (text, None),
        };
        let (mnemonic, rest) = first.trim().split_once([' ', '\t']).unwrap_or((first.trim(), ""));
        let (operands, modifiers) = operand::split(rest);
        let mut instruction = Instruction {
            address,
            size_bytes,
            word,
            mnemonic: mnemonic.into(),
            operands: operands.into_iter().map(Operand::parse).collect(),
            modifiers: modifiers.into(),
            target: None,
            // No third half: what a dual instruction has is cut off here, and so is the depth.
            second: second.map(|text| {
                let text = text.split(" :: ").next().unwrap_or(text);
                Box::new(Instruction::parse(text, address, size_bytes, word))
            }),
        };
        if instruction.is_relative() {
            // The low half of the encoding counts words from the next instruction (ISA manuals, "SOPP", "S_CALL").
            let words = i64::from(word.to_le_bytes()[0]) | i64::from(word.to_le_bytes()[1]) << 8;
            let words = if words < 0x8000 { words } else { words - 0x1_0000 };
            let next = address.wrapping_add(u64::from(size_bytes));
            instruction.target = Some(next.wrapping_add_signed(words * 4));
        }
        instruction
    }

    fn is_relative(&self) -> bool {
        matches!(self.control(), Control::Jump | Control::Branch(_)) || self.is("s_call_b64") || self.is("s_call_i64")
    }

    /// Whether the mnemonic is `name`.
    pub fn is(&self, name: &str) -> bool {
        &*self.mnemonic == name
    }

    /// The mnemonic without the suffix of its encoding: `v_add_u32` of `v_add_u32_e32`.
    pub fn base_mnemonic(&self) -> &str {
        let mut name = &*self.mnemonic;
        for suffix in ["_dpp", "_sdwa", "_dpp8", "_dpp16", "_e32", "_e64"] {
            name = name.strip_suffix(suffix).unwrap_or(name);
        }
        name
    }

    /// The address behind it.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(u64::from(self.size_bytes))
    }

    /// The registers of operand `index`.
    pub fn registers(&self, index: usize) -> Option<Registers> {
        self.operands.get(index)?.registers()
    }

    /// How it leads on to others.
    pub fn control(&self) -> Control {
        match &*self.mnemonic {
            "s_branch" => Control::Jump,
            "s_endpgm" | "s_endpgm_saved" | "s_endpgm_ordered_ps_done" => Control::End,
            "s_swappc_b64" | "s_swap_pc_i64" | "s_call_b64" | "s_call_i64" => Control::Call,
            "s_setpc_b64" | "s_set_pc_i64" | "s_rfe_b64" | "s_rfe_i64" | "s_add_pc_i64" | "s_cbranch_join" => {
                Control::Indirect
            }
            "s_trap" => Control::Trap,
            "s_cbranch_scc0" => Control::Branch(Condition::Scc(false)),
            "s_cbranch_scc1" => Control::Branch(Condition::Scc(true)),
            "s_cbranch_vccz" => Control::Branch(Condition::VccZero(true)),
            "s_cbranch_vccnz" => Control::Branch(Condition::VccZero(false)),
            "s_cbranch_execz" => Control::Branch(Condition::ExecZero(true)),
            "s_cbranch_execnz" => Control::Branch(Condition::ExecZero(false)),
            name if name.starts_with("s_cbranch_") || name.starts_with("s_subvector_loop_") => {
                Control::Branch(Condition::Unknown)
            }
            _ => Control::Next,
        }
    }

    /// Whether it fills the room between functions.
    pub fn is_padding(&self) -> bool {
        self.is("s_nop") || self.is("s_code_end") || (self.is(".long") && self.word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_come_from_the_encoding() {
        let branch = |word| Instruction::parse("s_cbranch_execz 7", 0x1600, 4, word).target;
        assert_eq!(branch(0xBF88_0007), Some(0x1620));
        assert_eq!(branch(0xBF88_FFFF), Some(0x1600));
        assert_eq!(Instruction::parse("s_nop 0", 0x1600, 4, 0xBF80_0000).target, None);
    }

    #[test]
    fn both_halves_of_a_dual_instruction_are_read() {
        let dual = Instruction::parse("v_dual_mov_b32 v0, 5 :: v_dual_mov_b32 v1, v40", 0, 8, 0);
        assert_eq!(dual.operands.len(), 2);
        let second = dual.second.unwrap();
        assert_eq!((&*second.mnemonic, second.operands.len()), ("v_dual_mov_b32", 2));
    }

    #[test]
    fn suffixes_of_encodings_are_no_part_of_the_name() {
        for (name, base) in
            [("v_cmpx_lt_i32_e32", "v_cmpx_lt_i32"), ("v_mov_b32_e64_dpp", "v_mov_b32"), ("s_nop", "s_nop")]
        {
            assert_eq!(Instruction::parse(name, 0, 4, 0).base_mnemonic(), base);
        }
    }
}
