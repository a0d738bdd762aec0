//! Private memory that is addressed by a scalar base and an offset, where registers are spilled to. All other memory
//! gives what is drawn.

use sqtt_hipcc::machine::{Instruction, Operand, Register};

use super::wave::Wave;

impl Wave {
    pub fn memory(&mut self, instruction: &Instruction, name: &str) -> bool {
        let is_store = name.starts_with("scratch_store_") || name.starts_with("buffer_store_");
        let is_load = name.starts_with("scratch_load_") || name.starts_with("buffer_load_");
        let is_whole = ["dword", "b32", "b64", "b96", "b128", "dwordx2", "dwordx3", "dwordx4"]
            .iter()
            .any(|size| name.ends_with(&format!("_{size}")));
        if !(is_store || is_load) || !is_whole {
            return false;
        }
        let Some((base, data)) = self.frame_address(instruction, name) else { return is_store };
        for (index, register) in (0..).zip(data) {
            let place = base + 4 * index;
            if is_store {
                let (value, exec) = (self.vector(register), self.exec());
                let mut have = self.slot(place);
                for (lane, to) in have.iter_mut().enumerate() {
                    if exec >> lane & 1 == 1 {
                        *to = value[lane];
                    }
                }
                self.scratch.insert(place, have);
            } else {
                let value = self.slot(place);
                self.set_vector(register, value);
            }
        }
        true
    }

    fn slot(&mut self, place: i64) -> [u32; 64] {
        if let Some(value) = self.scratch.get(&place) {
            return *value;
        }
        let value = self.draw();
        self.scratch.insert(place, value);
        value
    }

    /// The address in bytes, and the vector registers that are stored or loaded.
    fn frame_address(&mut self, instruction: &Instruction, name: &str) -> Option<(i64, Vec<Register>)> {
        let is_off =
            |index: usize| matches!(instruction.operands.get(index), Some(Operand::Other(text)) if &**text == "off");
        // scratch_store off, v1, s33; scratch_load v1, off, s33; buffer_* v1, off, s[0:3], s33
        let (off, data, base) = match name.starts_with("buffer") {
            true => (1, 0, 3),
            false if name.starts_with("scratch_store") => (0, 1, 2),
            false => (1, 0, 2),
        };
        if !is_off(off) {
            return None;
        }
        let base = match instruction.operands.get(base) {
            Some(Operand::Other(_)) | None => 0,
            Some(_) => i64::from(self.operand(instruction, base)),
        };
        let offset = instruction.modifiers.split(' ').find_map(|one| one.strip_prefix("offset:")?.parse::<i64>().ok());
        // The scratch base of a wave is scaled in buffer accesses; both kinds never meet in one program.
        Some((base + offset.unwrap_or(0), instruction.registers(data)?.iter().collect()))
    }
}
