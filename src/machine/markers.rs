//! Marker instructions: what traces a word, and where the word comes from.

use super::instruction::Instruction;
use super::program::Function;
use super::register::{Register, Registers};

/// An instruction that traces a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerInstruction {
    /// Its index in its function.
    pub index: usize,
    /// Its address.
    pub address: u64,
    /// The word, as far as its block says.
    pub source: Source,
    /// How M0 came to its value; nothing for the immediate form.
    pub setup: Option<Setup>,
}

/// Where the word that is traced comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the instruction itself; the hardware records its low 8 bits (spec "Instruction selection").
    Immediate(u16),
    /// A constant, through M0.
    Constant(u32),
    /// A scalar register, through M0.
    Scalar(Register),
    /// Half of EXEC, through M0.
    Exec(Register),
    /// M0 is written by something else than a move.
    Computed,
    /// No write of M0 stands in front of it in its block, or it is a second trace of the same.
    Stale,
}

/// The write of M0 in front of a marker, in the same block and behind every other marker and call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Index of the instruction that writes M0.
    pub write: usize,
    /// Whether an instruction stands between the write and the marker: an `s_nop` or any other that takes a cycle.
    pub waits: bool,
}

/// Whether an instruction traces a word.
pub fn is_marker(instruction: &Instruction) -> bool {
    instruction.is("s_ttracedata") || instruction.is("s_ttracedata_imm")
}

pub(super) fn of(function: &Function) -> Vec<MarkerInstruction> {
    let found = function.instructions.iter().enumerate().filter(|(_, instruction)| is_marker(instruction));
    found.map(|(index, _)| marker(function, index)).collect()
}

fn marker(function: &Function, index: usize) -> MarkerInstruction {
    let instruction = &function.instructions[index];
    let address = instruction.address;
    if instruction.is("s_ttracedata_imm") {
        // SOPP: the low half of the encoding (RDNA ISA manuals).
        let [low, high, ..] = instruction.word.to_le_bytes();
        let source = Source::Immediate(u16::from_le_bytes([low, high]));
        return MarkerInstruction { index, address, source, setup: None };
    }
    let setup = setup(function, index);
    let source = setup.map_or(Source::Stale, |setup| source(&function.instructions[setup.write]));
    MarkerInstruction { index, address, source, setup }
}

fn setup(function: &Function, index: usize) -> Option<Setup> {
    let start = function.block_of(index).map_or(0, |block| function.blocks[block].instructions.start);
    let mut waits = false;
    for write in (start..index).rev() {
        let instruction = &function.instructions[write];
        if is_marker(instruction) {
            return None;
        }
        if instruction.writes(Register::M0) {
            return Some(Setup { write, waits });
        }
        // A hint, which is done while another instruction is decoded.
        waits |= !instruction.is("s_delay_alu");
    }
    None
}

fn source(write: &Instruction) -> Source {
    let moves = write.is("s_mov_b32") || write.is("s_movk_i32");
    match write.operands.get(1).filter(|_| moves) {
        Some(operand) => match (operand.constant(), operand.registers().and_then(|registers| registers.get(0))) {
            // 32 bits, whatever the sign that it is written with.
            (Some(value), _) => Source::Constant(u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0)),
            (None, Some(half)) if Registers::EXEC.contains(half) => Source::Exec(half),
            (None, Some(register)) => Source::Scalar(register),
            (None, None) => Source::Computed,
        },
        None => Source::Computed,
    }
}
