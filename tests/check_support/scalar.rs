//! Scalar instructions, by AMD's ISA manuals ("SOP1", "SOP2", "SOPK", "SOPC").

use sqtt_hipcc::machine::{Instruction, Operand};

use super::Scope;
use super::wave::Wave;

impl Wave {
    pub fn scalar_step(&mut self, instruction: &Instruction) {
        let name = instruction.mnemonic.strip_prefix("s_").unwrap();
        let done = self.program_counter(instruction, name)
            || self.registers_of_hardware(instruction, name)
            || self.comparison(instruction, name)
            || self.lane_masks(instruction, name)
            || self.bits(instruction, name)
            || self.moves(instruction, name)
            || self.arithmetic(instruction, name);
        if !done {
            self.draw_results(instruction);
        }
    }

    fn result(&mut self, instruction: &Instruction, value: u64) {
        let row = instruction.registers(0).unwrap();
        let low = row.get(0).unwrap();
        if row.count() > 1 {
            self.set64(low, value);
        } else {
            self.set(low, u32::try_from(value & 0xFFFF_FFFF).unwrap());
        }
    }

    fn program_counter(&mut self, instruction: &Instruction, name: &str) -> bool {
        let is_it = name == "getpc_b64" || name == "get_pc_i64";
        if is_it {
            self.result(instruction, instruction.end());
        }
        is_it
    }

    fn registers_of_hardware(&mut self, instruction: &Instruction, name: &str) -> bool {
        if name == "get_shader_cycles_u64" {
            self.clock += 9;
            self.result(instruction, u64::from(self.clock));
            return true;
        }
        if name != "getreg_b32" {
            return false;
        }
        let Some(Operand::Other(text)) = instruction.operands.get(1) else { return false };
        if text.contains("SHADER_CYCLES") {
            self.clock += 9;
            self.result(instruction, u64::from(self.clock & 0xFFF));
        } else if text.contains("HW_ID") {
            let bits: u32 = text.trim_end_matches(')').rsplit(',').next().unwrap().trim().parse().unwrap();
            self.result(instruction, if self.scope == Scope::Inside { 0 } else { (1 << bits) - 1 });
        } else {
            return false;
        }
        true
    }

    fn comparison(&mut self, instruction: &Instruction, name: &str) -> bool {
        let Some(rest) = name.strip_prefix("cmpk_").or_else(|| name.strip_prefix("cmp_")) else {
            let Some(rest) = name.strip_prefix("bitcmp") else { return false };
            let (value, bit) = (self.operand64(instruction, 0), self.operand(instruction, 1));
            let bits = if rest.ends_with("64") { 63 } else { 31 };
            self.scc = (value >> (bit & bits) & 1 == 1) == rest.starts_with('1');
            return true;
        };
        let Some((op, kind)) = rest.split_once('_') else { return false };
        let (a, b) = (self.operand64(instruction, 0), self.operand64(instruction, 1));
        let Some(result) = compare(op, kind, a, b) else {
            self.scc = self.random.below(2) == 0;
            return true;
        };
        self.scc = result;
        true
    }

    /// The families that read and write EXEC.
    fn lane_masks(&mut self, instruction: &Instruction, name: &str) -> bool {
        let saves = name.contains("_saveexec_");
        let Some((op, _)) = name.split_once("_saveexec_").or_else(|| name.split_once("_wrexec_")) else { return false };
        let old = self.exec();
        let a = self.operand64(instruction, 1);
        let Some(value) = bit_op(op, a, old) else { return false };
        self.set_exec(value);
        let now = self.exec();
        self.scc = now != 0;
        self.result(instruction, if saves { old } else { now });
        true
    }

    fn bits(&mut self, instruction: &Instruction, name: &str) -> bool {
        let (op, width) = match (name.strip_suffix("_b32"), name.strip_suffix("_b64")) {
            (Some(op), _) => (op, 0xFFFF_FFFF),
            (_, Some(op)) => (op, u64::MAX),
            _ => return false,
        };
        let (a, b) = (self.operand64(instruction, 1), self.operand64(instruction, 2));
        let shift = if width == u64::MAX { b & 63 } else { b & 31 };
        let a = a & width;
        let value = match op {
            "lshl" => Some(a << shift),
            "lshr" => Some(a >> shift),
            "not" => Some(!a),
            "bfm" => Some(((1 << (a & 31)) - 1) << shift),
            _ if ["mov", "cselect", "cmov", "brev", "wqm"].contains(&op) => None,
            _ => bit_op(op, a, b),
        };
        let Some(value) = value.map(|value| value & width) else { return false };
        if op != "bfm" {
            self.scc = value != 0;
        }
        self.result(instruction, value);
        true
    }

    fn moves(&mut self, instruction: &Instruction, name: &str) -> bool {
        let value = match name {
            "mov_b32" | "mov_b64" => self.operand64(instruction, 1),
            "movk_i32" => {
                let value = self.operand(instruction, 1) & 0xFFFF;
                u64::from(if value & 0x8000 == 0 { value } else { value | 0xFFFF_0000 })
            }
            "cselect_b32" | "cselect_b64" => {
                let (a, b) = (self.operand64(instruction, 1), self.operand64(instruction, 2));
                if self.scc { a } else { b }
            }
            "cmov_b32" | "cmov_b64" => {
                let (old, new) = (self.operand64(instruction, 0), self.operand64(instruction, 1));
                if self.scc { new } else { old }
            }
            "sext_i32_i16" => {
                let value = self.operand(instruction, 1) & 0xFFFF;
                u64::from(if value & 0x8000 == 0 { value } else { value | 0xFFFF_0000 })
            }
            _ => return false,
        };
        self.result(instruction, value);
        true
    }

    fn arithmetic(&mut self, instruction: &Instruction, name: &str) -> bool {
        let (a, b) = (self.operand(instruction, 1), self.operand(instruction, 2));
        let carry = u32::from(self.scc);
        let wide = |value: u32| u64::from(value);
        let (value, scc) = match name {
            "add_u32" | "add_co_u32" => (a.wrapping_add(b), Some(wide(a) + wide(b) > 0xFFFF_FFFF)),
            "add_i32" | "add_co_i32" => {
                (a.wrapping_add(b), Some(a.cast_signed().checked_add(b.cast_signed()).is_none()))
            }
            "sub_u32" | "sub_co_u32" => (a.wrapping_sub(b), Some(b > a)),
            "sub_i32" | "sub_co_i32" => {
                (a.wrapping_sub(b), Some(a.cast_signed().checked_sub(b.cast_signed()).is_none()))
            }
            "addc_u32" | "add_co_ci_u32" => {
                (a.wrapping_add(b).wrapping_add(carry), Some(wide(a) + wide(b) + wide(carry) > 0xFFFF_FFFF))
            }
            "mul_i32" => (a.wrapping_mul(b), None),
            "min_u32" => (a.min(b), Some(a < b)),
            "max_u32" => (a.max(b), Some(a > b)),
            "min_i32" => {
                (a.cast_signed().min(b.cast_signed()).cast_unsigned(), Some(a.cast_signed() < b.cast_signed()))
            }
            "max_i32" => {
                (a.cast_signed().max(b.cast_signed()).cast_unsigned(), Some(a.cast_signed() > b.cast_signed()))
            }
            "ashr_i32" => {
                let value = (a.cast_signed() >> (b & 31)).cast_unsigned();
                (value, Some(value != 0))
            }
            "addk_i32" | "addk_co_i32" => {
                let old = self.operand(instruction, 0);
                let more = i32::from(i16::from_le_bytes([a.to_le_bytes()[0], a.to_le_bytes()[1]]));
                (old.wrapping_add_signed(more), Some(old.cast_signed().checked_add(more).is_none()))
            }
            "add_nc_u64" => {
                let sum = self.operand64(instruction, 1).wrapping_add(self.operand64(instruction, 2));
                self.result(instruction, sum);
                return true;
            }
            _ => {
                // What is not modelled may write SCC as well.
                self.scc = self.random.below(2) == 0 && writes_scc(name) || self.scc && !writes_scc(name);
                return false;
            }
        };
        self.scc = scc.unwrap_or(self.scc);
        self.result(instruction, u64::from(value));
        true
    }
}

/// Scalar arithmetic that is not modelled; loads, waits and hints leave SCC alone.
fn writes_scc(name: &str) -> bool {
    ["add", "sub", "bfe", "lsh", "ashr", "abs", "bcnt", "min", "max", "wqm", "quadmask", "barrier_signal_isfirst"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

pub fn bit_op(op: &str, a: u64, b: u64) -> Option<u64> {
    Some(match op {
        "mov" => a,
        "not" => !a,
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "andn2" | "and_not1" => a & !b,
        "andn1" | "and_not0" => !a & b,
        "orn2" | "or_not1" => a | !b,
        "orn1" | "or_not0" => !a | b,
        "nand" => !(a & b),
        "nor" => !(a | b),
        "xnor" => !(a ^ b),
        _ => return None,
    })
}

/// Integers only.
pub fn compare(op: &str, kind: &str, a: u64, b: u64) -> Option<bool> {
    let signed = |value: u64, wide: bool| {
        let narrow = u32::try_from(value & 0xFFFF_FFFF).unwrap();
        if wide { value.cast_signed() } else { i64::from(narrow.cast_signed()) }
    };
    let (a, b) = match kind {
        "u32" => (i128::from(a & 0xFFFF_FFFF), i128::from(b & 0xFFFF_FFFF)),
        "i32" => (i128::from(signed(a, false)), i128::from(signed(b, false))),
        "u64" => (i128::from(a), i128::from(b)),
        "i64" => (i128::from(signed(a, true)), i128::from(signed(b, true))),
        _ => return None,
    };
    Some(match op {
        "eq" => a == b,
        "lg" | "ne" => a != b,
        "lt" => a < b,
        "le" => a <= b,
        "gt" => a > b,
        "ge" => a >= b,
        _ => return None,
    })
}

/// The first active lane, as `v_readfirstlane` takes it; lane 0 where none is.
pub fn first_lane(exec: u64) -> usize {
    if exec == 0 { 0 } else { usize::try_from(exec.trailing_zeros()).unwrap() }
}
