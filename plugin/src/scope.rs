//! Scope filtering: the run-time check of which waves emit markers (spec "Scope filtering").

use sqtt_contract::settings::Scope;

use crate::Error;
use crate::allocas;
use crate::faults::{Point, lacks};
use crate::llvm::{ANNOTATION, Builder, Function, Value};
use crate::target::Target;

/// What guards compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// An i32 that is 1 when this wave emits, else 0.
    value: Value,
    annotation: Function,
}

/// Emits the check at a function's start. `None` when nothing is filtered, and no check is needed.
///
/// Per filtered field: read the id register, shift the mask by it, keep bit 0. The value is an i32, not an i1: a
/// uniform i1 that lives across blocks becomes a lane mask, and a branch on it tests EXEC.
pub(crate) fn emit_check(function: Function, scope: &Scope, target: &Target) -> Result<Option<Check>, Error> {
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
        let bit = builder.and(builder.shift_right(builder.i32(mask), index), builder.i32(1));
        check = Some(check.map_or(bit, |check| builder.and(check, bit)));
    }
    let annotation = function.module().annotation().ok_or(Error::Intrinsic(ANNOTATION))?;
    Ok(check.map(|value| Check { value, annotation }))
}

/// Whether this wave emits, as the condition of one guard.
///
/// Every guard compares a value of its own, which no optimizer knows: of equal comparisons the code generator would
/// make one, or move one out of a loop, and that is an i1 across blocks again. Machine code has nothing of the
/// annotation. LLVM takes `!= 0` for true more often than not, and so leaves the records in line.
pub(crate) fn emits(builder: &Builder, check: Check) -> Value {
    if lacks(Point::ScalarGuards) {
        return builder.is_not_zero(check.value);
    }
    builder.is_not_zero(builder.annotated(check.annotation, check.value))
}
