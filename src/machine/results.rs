//! Which registers an instruction writes.

use super::instruction::Instruction;
use super::register::{Register, Registers};

/// Scalar instructions whose first operand, if they have one, is no result.
const SCALAR_READERS: [&str; 21] = [
    "s_barrier",
    "s_bitcmp",
    "s_branch",
    "s_cbranch",
    "s_clause",
    "s_cmp",
    "s_dcache",
    "s_delay",
    "s_endpgm",
    "s_icache",
    "s_nop",
    "s_prefetch",
    "s_scratch_store",
    "s_sendmsg",
    "s_set",
    "s_sleep",
    "s_store",
    "s_trap",
    "s_ttrace",
    "s_wait",
    "s_buffer_store",
];

/// Scalar instructions of the families above that have a result all the same.
const SCALAR_WRITERS: [&str; 1] = ["s_sendmsg_rtn"];

impl Instruction {
    /// The registers that it writes by an operand: of most the first, of those with a carry the second too. What an
    /// instruction writes by its nature (SCC, the EXEC of `saveexec`) is not among them.
    pub fn results(&self) -> impl Iterator<Item = Registers> {
        let name = self.base_mnemonic();
        let count = if self.has_no_result(name) { 0 } else { 1 + usize::from(has_two_results(name)) };
        (0..count).filter_map(|index| self.registers(index))
    }

    /// Whether `register` is among its [results](Self::results).
    pub fn writes(&self, register: Register) -> bool {
        self.results().any(|result| result.contains(register))
    }

    fn has_no_result(&self, name: &str) -> bool {
        if self.mnemonic.starts_with("s_") {
            let is_in = |list: &[&str]| list.iter().any(|prefix| self.mnemonic.starts_with(prefix));
            return is_in(&SCALAR_READERS) && !is_in(&SCALAR_WRITERS);
        }
        // From gfx10 on `v_cmpx` has no result but EXEC.
        let is_short = name.starts_with("v_cmpx_") && self.operands.len() < 3;
        is_short || name.contains("_store") || name.starts_with("ds_write")
    }
}

/// Vector instructions with a carry, a mask or a second register behind the first result.
fn has_two_results(name: &str) -> bool {
    let has_carry = name.starts_with("v_") && name.contains("_co_");
    let families = ["v_div_scale", "v_mad_u64", "v_mad_i64", "v_swap", "v_permlane16_swap", "v_permlane32_swap"];
    has_carry || families.iter().any(|family| name.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_the_operands_that_are_written() {
        for (text, expected) in [
            ("s_mov_b64 exec, s[0:1]", "exec_lo exec_hi"),
            ("s_cmp_lg_u32 s3, 0", ""),
            ("s_setpc_b64 s[30:31]", ""),
            ("s_swappc_b64 s[30:31], s[4:5]", "s30 s31"),
            ("v_add_co_u32_e32 v0, vcc, v1, v2", "v0 vcc_lo vcc_hi"),
            ("v_mad_u64_u32 v[0:1], s[4:5], v2, v3, v[4:5]", "v0 v1 s4 s5"),
            ("v_mad_f32 v0, v1, v2, v3", "v0"),
            ("global_store_dword v[2:3], v0, off", ""),
            ("ds_write_b32 v1, v4", ""),
            ("scratch_load_b32 v1, off, s33 offset:80", "v1"),
            ("s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)", "s0"),
            ("s_barrier_signal_isfirst m0", ""),
            ("s_cmov_b32 s1, s2", "s1"),
            ("v_cmpx_lt_i32_e32 s4, v1", ""),
            ("v_cmpx_gt_u32_e64 s[2:3], v0, v1", "s2 s3"),
        ] {
            let instruction = Instruction::parse(text, 0, 4, 0);
            let shown: Vec<String> = instruction
                .results()
                .flat_map(|row| row.iter().map(|one| one.to_string()).collect::<Vec<_>>())
                .collect();
            assert_eq!(shown.join(" "), expected, "{text}");
        }
    }
}
