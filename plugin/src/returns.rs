//! One return per function: an exit marker must be passed once by a wave, whichever ways its lanes went.

use crate::faults::{Point, lacks};
use crate::llvm::{Builder, Function, Instruction};

/// Leads all returns of a function to one, and returns that; `None` when the function never returns.
///
/// With a return in each arm of a divergent branch, a wave with lanes in both arms would run both. A return that
/// belongs to a `musttail` call stays as it is.
pub(crate) fn unify(function: Function) -> Option<Instruction> {
    let returns: Vec<Instruction> =
        function.blocks().into_iter().filter_map(|b| b.terminator()).filter(|i| is_plain_return(*i)).collect();
    let [_, _, ..] = returns[..] else { return returns.first().copied() };
    if lacks(Point::OneExit) {
        return returns.first().copied();
    }
    let join = function.append_block("sqtt.return")?;
    let location = function.definition_location(false);
    let builder = Builder::at_end(join, location);
    let values: Vec<_> = returns.iter().filter_map(|ret| Some((ret.operand(0)?, ret.block()))).collect();
    let single = builder.ret(builder.phi(&values));
    for ret in returns {
        Builder::before(ret, ret.location()).branch(join);
        ret.erase();
    }
    Some(single)
}

fn is_plain_return(instruction: Instruction) -> bool {
    let before = instruction.preceding().find(|i| !i.is_cast());
    instruction.is_return() && !before.is_some_and(Instruction::is_must_tail_call)
}
