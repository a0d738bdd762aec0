//! Whether every wave closes the scopes that it opens: warnings at the user's lines where it does not.
//!
//! Markers are scalar. A wave runs both arms of a divergent branch one after the other, takes one arm of a uniform
//! one, and stays in a loop until its last lane leaves. Three things have to hold then: ways that meet have the same
//! scopes open (`joins`), lanes that parted neither close a scope that they share nor keep one of their own open where
//! they meet again, and lanes that leave a loop early wait at the depth that the last ones leave at (`parts`).
//!
//! What a function leaves open or closes of its caller is judged where it is called, down to the kernels. Ways that
//! end in `unreachable` (a trap, an abort) are not judged.

mod course;
mod findings;
mod joins;
mod parts;

use std::collections::HashSet;

use crate::depth::Changes;
use crate::faults::{Point, lacks};
use crate::ledger::Ledger;
use crate::llvm::{Analyses, Function};
use crate::target::Target;

use course::Course;
use findings::Findings;

/// Warns of every scope of `functions` that some wave leaves open, or closes once too often. To be asked while markers
/// are marks still. A function without markers costs nothing.
pub(crate) fn report(
    functions: &[(Function, &'static Target)],
    changes: &Changes,
    analyses: &Analyses,
    ledger: &Ledger,
) {
    if lacks(Point::Balance) {
        return;
    }
    let mut said = HashSet::new();
    let functions = functions.iter().map(|(function, _)| *function);
    for function in functions.filter(|function| changes.has_markers(*function)) {
        let mut findings = Findings::new(function, ledger, &mut said);
        let course = Course::of(function, changes, &mut findings);
        if course.changes_between_partings() {
            parts::judge(&course, &analyses.control_flow(function), &mut findings);
        }
    }
}
