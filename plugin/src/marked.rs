//! Which functions hold markers: found once, so that no other function is walked through again.

use crate::faults::{Point, lacks};
use crate::llvm::{Function, Instruction};
use crate::named_markers::is_marker;
use crate::target::Target;

/// A function with at least one marker.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) function: Function,
    pub(crate) target: &'static Target,
    /// Its markers in block order, as they were when it was looked through.
    pub(crate) markers: Vec<Instruction>,
}

/// Those of the functions that hold markers, in the same order.
pub(crate) fn marked(functions: &[(Function, &'static Target)]) -> Vec<Marked> {
    let markers = |function: Function| function.calls().into_iter().filter(|call| is_marker(*call)).collect();
    functions
        .iter()
        .map(|(function, target)| Marked { function: *function, target, markers: markers(*function) })
        .filter(|marked| !marked.markers.is_empty() || lacks(Point::OffIsOff))
        .collect()
}
