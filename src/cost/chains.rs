//! The instructions of a block that only make a marker's word, or the condition of a guard: followed backwards from
//! where they are used, through instructions of the kinds that the pass makes.

use std::collections::BTreeSet;

use crate::machine::{Function, Instruction, Register};

/// What a word is made of behind its last move: the clock, a lane's value, and bits that are put in.
const WORD: [&str; 7] = [
    "s_or_b32",
    "s_lshl_b32",
    "s_and_b32",
    "s_getreg_b32",
    "s_get_shader_cycles_u64",
    "v_readfirstlane_b32",
    "v_readlane_b32",
];
/// What the condition of a guard is made of.
const CONDITION: [&str; 10] = [
    "s_cmp_",
    "s_cmpk_",
    "s_bitcmp",
    "s_cselect_",
    "s_and_b",
    "s_andn2_b",
    "s_and_not1_b",
    "s_xor_b",
    "s_mov_b",
    "v_readlane_b32",
];

/// The instructions that make the registers in `wanted` in front of index `before`, which traces; only where the word is
/// taken from the clock or from a lane, as no other is made for a marker alone.
pub(super) fn word(function: &Function, before: usize, wanted: BTreeSet<Register>) -> BTreeSet<usize> {
    let chain = chain(function, before, wanted, |instruction| WORD.iter().any(|name| instruction.is(name)));
    let is_source = |index: &usize| {
        let instruction = &function.instructions[*index];
        is_clock(instruction) || instruction.mnemonic.starts_with("v_read")
    };
    if chain.iter().any(is_source) { chain } else { BTreeSet::new() }
}

/// The instructions that make the condition of the branch at `branch`.
pub(super) fn condition(function: &Function, branch: usize) -> BTreeSet<usize> {
    let name = &function.instructions[branch].mnemonic;
    let is_kind = |instruction: &Instruction| CONDITION.iter().any(|prefix| instruction.mnemonic.starts_with(prefix));
    if name.contains("vcc") {
        return chain(function, branch, BTreeSet::from([Register::VCC_LO, Register::VCC_HI]), is_kind);
    }
    let Some(compare) = last_compare(function, branch) else { return BTreeSet::new() };
    let mut found = chain(function, compare, read_by(&function.instructions[compare]), is_kind);
    found.insert(compare);
    found
}

/// The scope check itself: reads of a hardware id, and what is made of them behind it in the same block.
pub(super) fn checks(function: &Function) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for block in &function.blocks {
        let mut held: BTreeSet<Register> = BTreeSet::new();
        let mut pending: BTreeSet<usize> = BTreeSet::new();
        for index in block.instructions.clone() {
            let instruction = &function.instructions[index];
            let results: BTreeSet<Register> =
                instruction.results().flat_map(|row| row.iter().collect::<Vec<_>>()).collect();
            let takes = read_by(instruction).iter().any(|register| held.contains(register));
            let is_step = instruction.is("s_lshr_b32") || instruction.is("s_and_b32");
            if is_hardware_id(instruction) {
                pending.insert(index);
                held.extend(&results);
            } else if takes && is_step {
                // The shifted mask tells it from other uses of the id.
                if instruction.is("s_lshr_b32") {
                    found.append(&mut pending);
                }
                if pending.is_empty() {
                    found.insert(index);
                }
                held.extend(&results);
            } else {
                results.iter().for_each(|register| _ = held.remove(register));
            }
        }
    }
    found
}

fn is_hardware_id(instruction: &Instruction) -> bool {
    instruction.is("s_getreg_b32") && format!("{:?}", instruction.operands.get(1)).contains("HW_ID")
}

fn is_clock(instruction: &Instruction) -> bool {
    let reads =
        instruction.is("s_getreg_b32") && format!("{:?}", instruction.operands.get(1)).contains("SHADER_CYCLES");
    reads || instruction.is("s_get_shader_cycles_u64")
}

/// Backwards from `before` in its block: whatever makes one of `wanted`, and what is of the kind makes those in turn.
fn chain(
    function: &Function,
    before: usize,
    mut wanted: BTreeSet<Register>,
    is_kind: impl Fn(&Instruction) -> bool,
) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let start = function.block_of(before).map_or(before, |block| function.blocks[block].instructions.start);
    for index in (start..before).rev() {
        let instruction = &function.instructions[index];
        let results: Vec<Register> = instruction.results().flat_map(|row| row.iter().collect::<Vec<_>>()).collect();
        if !results.iter().any(|register| wanted.contains(register)) {
            continue;
        }
        results.iter().for_each(|register| _ = wanted.remove(register));
        if !is_kind(instruction) {
            continue;
        }
        found.insert(index);
        if instruction.mnemonic.starts_with("s_cselect_")
            && let Some(compare) = last_compare(function, index)
        {
            found.insert(compare);
            wanted.extend(read_by(&function.instructions[compare]));
        }
        wanted.extend(read_by(instruction));
    }
    found
}

fn last_compare(function: &Function, before: usize) -> Option<usize> {
    let start = function.blocks.get(function.block_of(before)?)?.instructions.start;
    let is_compare = |index: &usize| {
        let name = &function.instructions[*index].mnemonic;
        ["s_cmp", "s_bitcmp"].iter().any(|prefix| name.starts_with(prefix))
    };
    (start..before).rev().find(is_compare)
}

/// The scalar registers that it reads as operands, those that always are what they are left out.
fn read_by(instruction: &Instruction) -> BTreeSet<Register> {
    let first = instruction.results().count();
    let operands = (first..instruction.operands.len()).filter_map(|index| instruction.registers(index));
    let all = operands.flat_map(|row| row.iter().collect::<Vec<_>>());
    all.filter(|register| !register.is_vector() && ![Register::EXEC_LO, Register::EXEC_HI].contains(register)).collect()
}
