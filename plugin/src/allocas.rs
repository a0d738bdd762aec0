//! Static allocas stay static: code of the pass goes behind them.

use crate::llvm::{Function, Instruction};

/// Moves the entry block's static allocas to its top and returns the first instruction behind them.
///
/// An alloca outside the entry block is dynamic. Splitting the entry block in front of one would move it out and
/// switch the function to a dynamic stack (`amdhsa_uses_dynamic_stack`).
pub(crate) fn code_start(function: Function) -> Option<Instruction> {
    let entry = function.entry()?;
    let mut start = entry.first_insertion_point();
    while let Some(instruction) = start.filter(|i| i.is_static_alloca()) {
        start = instruction.next();
    }
    let start = start?;
    for late in std::iter::successors(start.next(), |i| i.next()).collect::<Vec<_>>() {
        if late.is_static_alloca() {
            late.move_before(start);
        }
    }
    Some(start)
}
