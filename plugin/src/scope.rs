//! Scope filtering: the run-time check of which waves emit markers (spec "Scope filtering").

use sqtt_contract::settings::Scope;

use crate::Error;
use crate::allocas;
use crate::llvm::{Builder, Function, Value};
use crate::target::Target;

/// Emits the check at a function's start: an i32 with all bits set when this wave emits, else 0. `None` when nothing
/// is filtered, and no check is needed.
///
/// Per filtered field: read the id register, shift the mask by it, keep bit 0. The value is an i32, not an i1: a
/// uniform i1 that lives across blocks becomes a lane mask, and a branch on it tests EXEC. For the same reason it is
/// not 1 but all bits: see [`emits`].
pub(crate) fn emit_check(function: Function, scope: &Scope, target: &Target) -> Result<Option<Value>, Error> {
    const GETREG: &str = "llvm.amdgcn.s.getreg";
    let filters = target.filters(scope);
    if filters.is_empty() {
        return Ok(None);
    }
    let Some(start) = allocas::code_start(function) else { return Ok(None) };
    let getreg = function.module().intrinsic(GETREG).ok_or(Error::Intrinsic(GETREG))?;
    let builder = Builder::before(start, function.definition_location(false));
    let mut check: Option<Value> = None;
    for (mask, field) in filters {
        let index = builder.call(getreg, &[builder.i32(field.getreg_operand())]).value();
        let bit = builder.shift_right(builder.i32(mask), index);
        check = Some(check.map_or(bit, |check| builder.and(check, bit)));
    }
    Ok(check.map(|check| builder.spread_low_bit(check)))
}

/// Whether this wave emits, for guard number `guard` of the function.
///
/// No two guards compare with the same number: the code generator would make one comparison of equal ones, which is
/// an i1 across blocks again. Each of these is one `s_cmp` with an operand for which no literal is needed (to 64).
pub(crate) fn emits(builder: &Builder, check: Value, guard: u32) -> Value {
    builder.is_above(check, guard)
}
