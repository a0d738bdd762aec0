//! Static allocas stay static: code of the pass goes behind them.

use crate::faults::{Point, lacks};
use crate::llvm::{Function, Instruction};

/// Moves what must stay in the entry block to its top and returns the first instruction behind that.
///
/// An alloca outside the entry block is dynamic. Splitting the entry block in front of one would move it out and
/// switch the function to a dynamic stack (`amdhsa_uses_dynamic_stack`). The token that a function's convergent calls
/// are controlled by is made in the entry block, too.
pub(crate) fn code_start(function: Function) -> Option<Instruction> {
    let entry = function.entry()?;
    let mut start = entry.first_insertion_point();
    if lacks(Point::StaticAllocas) {
        return start;
    }
    while let Some(instruction) = start.filter(|i| stays_in_entry(*i)) {
        start = instruction.next();
    }
    let start = start?;
    for late in start.following().collect::<Vec<_>>() {
        if stays_in_entry(late) {
            late.move_before(start);
        }
    }
    Some(start)
}

fn stays_in_entry(instruction: Instruction) -> bool {
    instruction.is_static_alloca() || instruction.calls_intrinsic("llvm.experimental.convergence.entry")
}
