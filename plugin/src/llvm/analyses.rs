//! Questions that the host's analyses answer.

use std::ffi::c_void;

use super::sys::prelude::LLVMValueRef;
use super::{Function, Instruction, shim};

/// The analyses of the current callback. Not to be kept past it, as every handle.
pub(crate) struct Analyses(*mut c_void);

impl Analyses {
    pub(super) fn from_host(manager: *mut c_void) -> Analyses {
        Analyses(manager)
    }

    /// The divergent branches of a function, as it is now. Without a target machine (a bare `opt`) there are none.
    pub(crate) fn divergent_branches(&self, function: Function) -> Vec<Instruction> {
        extern "C" fn sink(context: *mut c_void, branch: LLVMValueRef) {
            // SAFETY: `context` is the Vec below, borrowed for the duration of the call.
            unsafe { &mut *context.cast::<Vec<Instruction>>() }.push(Instruction(branch));
        }
        let mut found: Vec<Instruction> = Vec::new();
        ffi!(shim::sqtt_shim_divergent_branches(self.0, function.0, sink, (&raw mut found).cast()));
        found
    }

    /// Whether lanes part in `branch` after `opening` (after the function's entry, when that is `None`) so that only
    /// some of them come to `exit`. The function must be as it was when its branches were asked for.
    pub(crate) fn branch_splits(&self, branch: Instruction, opening: Option<Instruction>, exit: Instruction) -> bool {
        let opening = opening.map_or(std::ptr::null_mut(), |opening| opening.0);
        ffi!(shim::sqtt_shim_branch_splits(self.0, branch.0, opening, exit.0))
    }
}
