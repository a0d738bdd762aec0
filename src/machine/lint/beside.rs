//! What stands right beside markers, and so is there for nothing else: waits and cache maintenance of their boundaries.
//!
//! ```text
//! v_add_u32_e32 v1, 1, v0
//! s_waitcnt lgkmcnt(0)      ; in front of a marker whose word is a constant: nothing else here waits for anything
//! s_mov_b32 m0, 12
//! s_nop 0
//! s_ttracedata
//! v_add_u32_e32 v0, 1, v0
//! ```
//!
//! A barrier beside the markers has waits of its own, and so have an atomic operation, the start of a function, and
//! volatile operations right in front: there nothing is told apart. Beside is what no access to memory parts.

use std::ops::Range;

use super::overhead::{is_maintenance, is_wait};
use crate::machine::instruction::Instruction;
use crate::machine::markers::{Source, is_marker};
use crate::machine::program::{Entry, Function};
use crate::machine::register::Register;

/// The waits in front of markers that have nothing to wait for.
pub(super) fn waits(function: &Function) -> Vec<&Instruction> {
    let mut needless = vec![false; function.instructions.len()];
    for marker in function.markers() {
        if matches!(marker.source, Source::Immediate(_) | Source::Constant(_) | Source::Exec(_)) {
            needless[marker.setup.map_or(marker.index, |setup| setup.write)] = true;
        }
    }
    let mut found = Vec::new();
    // A fence of the program waits, too, and where it is for memory it also cares for a cache.
    let has_fence = |run: &Range<usize>| function.instructions[run.clone()].iter().any(is_maintenance);
    for run in runs(function).into_iter().filter(|run| !has_fence(run)) {
        for at in run.clone().filter(|at| is_wait(&function.instructions[*at])) {
            let idles = |at: &usize| is_wait(&function.instructions[*at]) || is_idle(&function.instructions[*at]);
            let before = (0..at).rev().find(|at| !idles(at)).map(|before| &function.instructions[before]);
            if before.is_some_and(is_memory) {
                continue;
            }
            if (at..run.end).find(|at| !idles(at)).is_some_and(|next| needless[next]) {
                found.push(&function.instructions[at]);
            }
        }
    }
    found
}

/// The cache maintenance beside markers.
pub(super) fn maintenance(function: &Function) -> Vec<&Instruction> {
    let all = runs(function).into_iter().flatten().map(|at| &function.instructions[at]);
    all.filter(|instruction| is_maintenance(instruction)).collect()
}

/// Stretches of markers and of what can belong to them, inside their blocks.
fn runs(function: &Function) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in &function.blocks {
        let mut start = block.instructions.start;
        while start < block.instructions.end {
            let belongs = |at: &usize| belongs(&function.instructions[*at]);
            let length = (start..block.instructions.end).take_while(belongs).count();
            let run = start..start + length;
            if has_marker(function, &run) && !is_shared(function, &run) {
                found.push(run);
            }
            start += length + 1;
        }
    }
    found
}

fn has_marker(function: &Function, run: &Range<usize>) -> bool {
    function.instructions[run.clone()].iter().any(is_marker)
}

/// Whether something else beside the markers waits, too.
fn is_shared(function: &Function, run: &Range<usize>) -> bool {
    let is_start = run.start == 0 && function.entry != Entry::Kernel;
    let (before, behind) = (&function.instructions[..run.start], &function.instructions[run.end..]);
    is_start || meets_order(before.iter().rev()) || meets_order(behind.iter())
}

/// Whether a barrier or an atomic operation comes next, with nothing between that touches memory.
fn meets_order<'a>(code: impl Iterator<Item = &'a Instruction>) -> bool {
    let orders = |one: &Instruction| one.mnemonic.starts_with("s_barrier") || one.mnemonic.contains("atomic");
    let mut first = code.filter(|one| orders(one) || is_memory(one) || is_marker(one));
    first.next().is_some_and(orders)
}

fn belongs(instruction: &Instruction) -> bool {
    is_marker(instruction)
        || is_wait(instruction)
        || is_maintenance(instruction)
        || is_idle(instruction)
        || instruction.writes(Register::M0)
}

/// Works on memory of any kind, and may have to wait until that is done.
fn is_memory(instruction: &Instruction) -> bool {
    const FAMILIES: [&str; 9] =
        ["buffer_", "ds_", "flat_", "global_", "image_", "s_buffer_", "s_load_", "scratch_", "tbuffer_"];
    !is_maintenance(instruction) && FAMILIES.iter().any(|family| instruction.mnemonic.starts_with(family))
}

/// Does nothing but pass time.
fn is_idle(instruction: &Instruction) -> bool {
    instruction.is("s_nop") || instruction.is("s_delay_alu")
}
