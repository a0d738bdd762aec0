//! Vector instructions: moves, comparisons and lanes as they are; of the rest the results are drawn.

use sqtt_hipcc::machine::{Instruction, Operand, Register};

use super::scalar::{compare, first_lane};
use super::wave::{LANES, Lanes, Wave};

impl Wave {
    pub fn vector_step(&mut self, instruction: &Instruction) {
        let name = instruction.base_mnemonic().to_owned();
        let name = name.replace("dual_", "");
        if let Some(rest) = name.strip_prefix("v_cmpx_") {
            let mask = self.compare_lanes(instruction, rest);
            if instruction.registers(0).is_some_and(|row| !row.get(0).unwrap().is_vector())
                && instruction.operands.len() > 2
            {
                self.set_mask(instruction, mask);
            }
            return self.set_exec(mask);
        }
        if let Some(rest) = name.strip_prefix("v_cmp_") {
            let mask = self.compare_lanes(instruction, rest);
            return self.set_mask(instruction, mask);
        }
        let is_plain = !instruction.mnemonic.contains("dpp") && !instruction.mnemonic.contains("sdwa");
        let done = self.lanes_of(instruction, &name)
            || self.memory(instruction, &name)
            || (is_plain && self.lane_by_lane(instruction, &name));
        if !done {
            self.draw_results(instruction);
        }
    }

    fn set_mask(&mut self, instruction: &Instruction, mask: u64) {
        let row = instruction.registers(0).unwrap();
        let low = row.get(0).unwrap();
        if row.count() > 1 {
            self.set64(low, mask);
        } else {
            self.set(low, u32::try_from(mask & 0xFFFF_FFFF).unwrap());
        }
    }

    /// The lanes of EXEC for which a comparison holds.
    fn compare_lanes(&mut self, instruction: &Instruction, name: &str) -> u64 {
        let exec = self.exec();
        let first = instruction.operands.len().saturating_sub(2);
        let known = name.split_once('_').filter(|(op, kind)| {
            compare(op, kind, 0, 0).is_some() && kind.ends_with("32") && instruction.operands.len() >= 2
        });
        let Some((op, kind)) = known else { return self.random.mask() & exec };
        let (a, b) = (self.source(instruction, first), self.source(instruction, first + 1));
        let (Some(a), Some(b)) = (a, b) else { return self.random.mask() & exec };
        let holds = |lane: usize| compare(op, kind, u64::from(a[lane]), u64::from(b[lane])).unwrap();
        (0..LANES).filter(|lane| exec >> lane & 1 == 1 && holds(*lane)).fold(0, |mask, lane| mask | 1 << lane)
    }

    /// An operand in all lanes; `None` for what is modified or no integer.
    fn source(&mut self, instruction: &Instruction, index: usize) -> Option<Lanes> {
        match instruction.operands.get(index)? {
            Operand::Registers(row) => {
                let register = row.get(0)?;
                Some(if register.is_vector() { self.vector(register) } else { [self.scalar(register); LANES] })
            }
            Operand::Constant(value) => Some([u32::try_from(value & 0xFFFF_FFFF).unwrap(); LANES]),
            Operand::Other(_) => None,
        }
    }

    fn lanes_of(&mut self, instruction: &Instruction, name: &str) -> bool {
        let register = |index: usize| instruction.registers(index).and_then(|row| row.get(0));
        match name {
            "v_readfirstlane_b32" => {
                let (Some(to), Some(from)) = (register(0), self.source(instruction, 1)) else { return false };
                let lane = first_lane(self.exec());
                self.set(to, from[lane]);
            }
            "v_readlane_b32" => {
                let (Some(to), Some(from)) = (register(0), self.source(instruction, 1)) else { return false };
                let lane = usize::try_from(self.operand(instruction, 2)).unwrap() % LANES;
                self.set(to, from[lane]);
            }
            "v_writelane_b32" => {
                let Some(to) = register(0) else { return false };
                let lane = usize::try_from(self.operand(instruction, 2)).unwrap() % LANES;
                let (value, mut lanes) = (self.operand(instruction, 1), self.vector(to));
                lanes[lane] = value;
                self.vectors.insert(to, lanes);
            }
            "v_accvgpr_write_b32"
            | "v_accvgpr_read_b32"
            | "v_accvgpr_mov_b32"
            | "v_accvgpr_write"
            | "v_accvgpr_read" => {
                let (Some(to), Some(from)) = (register(0), self.source(instruction, 1)) else { return false };
                self.set_vector(to, from);
            }
            _ => return false,
        }
        true
    }

    fn lane_by_lane(&mut self, instruction: &Instruction, name: &str) -> bool {
        let Some(to) = instruction.registers(0).filter(|row| row.count() == 1).and_then(|row| row.get(0)) else {
            return false;
        };
        let count = match name {
            "v_mov_b32" => 1,
            "v_and_b32" | "v_or_b32" | "v_xor_b32" | "v_lshlrev_b32" | "v_lshrrev_b32" | "v_add_u32"
            | "v_add_nc_u32" | "v_sub_u32" | "v_sub_nc_u32" | "v_cndmask_b32" => 2,
            "v_lshl_or_b32" | "v_and_or_b32" => 3,
            _ => return false,
        };
        let sources: Option<Vec<Lanes>> = (1..=count).map(|index| self.source(instruction, index)).collect();
        let Some(sources) = sources.filter(|_| instruction.modifiers.is_empty() && to.is_vector()) else {
            return false;
        };
        let mask = if name == "v_cndmask_b32" { self.selector(instruction) } else { 0 };
        let of = |index: usize, lane: usize| sources.get(index).map_or(0, |source| source[lane]);
        let value = std::array::from_fn(|lane| {
            let (a, b, c) = (of(0, lane), of(1, lane), of(2, lane));
            match name {
                "v_mov_b32" => a,
                "v_and_b32" => a & b,
                "v_or_b32" => a | b,
                "v_xor_b32" => a ^ b,
                "v_lshlrev_b32" => b << (a & 31),
                "v_lshrrev_b32" => b >> (a & 31),
                "v_add_u32" | "v_add_nc_u32" => a.wrapping_add(b),
                "v_sub_u32" | "v_sub_nc_u32" => a.wrapping_sub(b),
                "v_lshl_or_b32" => a << (b & 31) | c,
                "v_and_or_b32" => a & b | c,
                _ if mask >> lane & 1 == 1 => b,
                _ => a,
            }
        });
        self.set_vector(to, value);
        true
    }

    /// The mask of a `v_cndmask`: its last operand, or VCC.
    fn selector(&mut self, instruction: &Instruction) -> u64 {
        if instruction.operands.len() > 3 { self.operand64(instruction, 3) } else { self.scalar64(Register::VCC_LO) }
    }
}
