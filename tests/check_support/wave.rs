//! The state of a wave, and control flow.

use std::collections::HashMap;

use sqtt_hipcc::machine::{Condition, Control, Instruction, Operand, Register, Registers};

use super::Scope;
use super::random::Random;

pub const LANES: usize = 64;
/// A value in every lane.
pub type Lanes = [u32; LANES];

pub struct Wave {
    pub pc: u64,
    pub lanes: u32,
    pub scope: Scope,
    pub scc: bool,
    pub scalars: HashMap<Register, u32>,
    pub vectors: HashMap<Register, Lanes>,
    /// Private memory that is addressed by a scalar base and an offset, in dwords.
    pub scratch: HashMap<i64, Lanes>,
    pub clock: u32,
    pub traced: Vec<u32>,
    pub random: Random,
}

impl Wave {
    pub fn new(pc: u64, lanes: u32, scope: Scope, mut random: Random) -> Wave {
        let exec = match random.below(3) {
            0 => 1,
            1 => u64::MAX,
            _ => random.next() | 1,
        };
        let mut wave = Wave {
            pc,
            lanes,
            scope,
            scc: false,
            scalars: HashMap::new(),
            vectors: HashMap::new(),
            scratch: HashMap::new(),
            clock: 7,
            traced: Vec::new(),
            random,
        };
        wave.set_exec(exec);
        wave
    }

    /// The lanes that exist.
    pub fn all(&self) -> u64 {
        if self.lanes == 32 { 0xFFFF_FFFF } else { u64::MAX }
    }

    pub fn exec(&mut self) -> u64 {
        (self.scalar64(Register::EXEC_LO)) & self.all()
    }

    pub fn set_exec(&mut self, value: u64) {
        let value = value & self.all();
        self.set64(Register::EXEC_LO, value);
    }

    pub fn scalar(&mut self, register: Register) -> u32 {
        if register == Register::NULL {
            return 0;
        }
        if let Some(value) = self.scalars.get(&register) {
            return *value;
        }
        let value = self.random.small();
        self.scalars.insert(register, value);
        value
    }

    pub fn scalar64(&mut self, low: Register) -> u64 {
        let high = low.after(1).map_or(0, |high| self.scalar(high));
        u64::from(self.scalar(low)) | u64::from(high) << 32
    }

    pub fn set(&mut self, register: Register, value: u32) {
        self.scalars.insert(register, value);
    }

    pub fn set64(&mut self, low: Register, value: u64) {
        let [low_word, high_word] = [value & 0xFFFF_FFFF, value >> 32].map(|half| u32::try_from(half).unwrap());
        self.set(low, low_word);
        if let Some(high) = low.after(1) {
            self.set(high, high_word);
        }
    }

    pub fn vector(&mut self, register: Register) -> Lanes {
        if let Some(value) = self.vectors.get(&register) {
            return *value;
        }
        let value = self.draw();
        self.vectors.insert(register, value);
        value
    }

    /// Small values; often the same in all lanes.
    pub fn draw(&mut self) -> Lanes {
        if self.random.below(3) == 0 {
            return [self.random.small(); LANES];
        }
        std::array::from_fn(|_| self.random.small())
    }

    /// Writes the active lanes.
    pub fn set_vector(&mut self, register: Register, value: Lanes) {
        let (exec, mut have) = (self.exec(), self.vector(register));
        for lane in 0..LANES {
            if exec >> lane & 1 == 1 {
                have[lane] = value[lane];
            }
        }
        self.vectors.insert(register, have);
    }

    /// A scalar operand of 32 bits.
    pub fn operand(&mut self, instruction: &Instruction, index: usize) -> u32 {
        u32::try_from(self.operand64(instruction, index) & 0xFFFF_FFFF).unwrap()
    }

    /// A scalar operand of 64 bits, or of as many as its registers have.
    pub fn operand64(&mut self, instruction: &Instruction, index: usize) -> u64 {
        match instruction.operands.get(index) {
            Some(Operand::Registers(row)) => {
                let low = row.get(0).unwrap();
                if row.count() > 1 { self.scalar64(low) } else { u64::from(self.scalar(low)) }
            }
            Some(Operand::Constant(value)) => value.cast_unsigned(),
            _ => u64::from(self.random.small()),
        }
    }

    /// Draws whatever an instruction writes.
    pub fn draw_results(&mut self, instruction: &Instruction) {
        let results: Vec<Registers> = instruction.results().collect();
        for register in results.into_iter().flat_map(Registers::iter) {
            if register.is_vector() {
                let value = self.draw();
                self.set_vector(register, value);
            } else if register != Register::EXEC_LO && register != Register::EXEC_HI {
                let value = self.random.small();
                self.set(register, value);
            }
        }
    }

    /// Runs one instruction; false at the end of the wave.
    pub fn step(&mut self, instruction: &Instruction) -> bool {
        self.pc = instruction.end();
        match instruction.control() {
            Control::End | Control::Trap => return false,
            Control::Jump => self.pc = instruction.target.unwrap(),
            Control::Branch(condition) => {
                if self.is_taken(condition) {
                    self.pc = instruction.target.unwrap();
                }
            }
            Control::Call => {
                let to = match instruction.target {
                    Some(target) => target,
                    None => self.operand64(instruction, 1),
                };
                self.set64(instruction.registers(0).unwrap().get(0).unwrap(), instruction.end());
                self.pc = to;
            }
            Control::Indirect => self.pc = self.operand64(instruction, 0),
            Control::Next if instruction.is("s_ttracedata") => {
                let word = self.scalar(Register::M0);
                self.traced.push(word);
            }
            Control::Next if instruction.is("s_ttracedata_imm") => self.traced.push(instruction.word & 0xFF),
            Control::Next if instruction.mnemonic.starts_with("s_") => self.scalar_step(instruction),
            Control::Next => {
                self.vector_step(instruction);
                if let Some(second) = &instruction.second {
                    self.vector_step(second);
                }
            }
        }
        true
    }

    fn is_taken(&mut self, condition: Condition) -> bool {
        match condition {
            Condition::Scc(when) => self.scc == when,
            Condition::ExecZero(when) => (self.exec() == 0) == when,
            Condition::VccZero(when) => (self.scalar64(Register::VCC_LO) & self.all() == 0) == when,
            Condition::Unknown => self.random.below(2) == 0,
        }
    }
}
