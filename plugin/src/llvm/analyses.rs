//! Questions that the host's analyses answer.

use std::ffi::c_void;

use super::{Instruction, shim};

/// The analyses of the current callback. Not to be kept past it, as every handle.
pub(crate) struct Analyses(*mut c_void);

impl Analyses {
    pub(super) fn from_host(manager: *mut c_void) -> Analyses {
        Analyses(manager)
    }

    /// The divergent branch behind which `exit` runs for a part of the lanes that ran `opening`, or that entered the
    /// function when that is `None`. Without a target machine (a bare `opt`) nothing counts as divergent.
    pub(crate) fn splitting_branch(&self, opening: Option<Instruction>, exit: Instruction) -> Option<Instruction> {
        let opening = opening.map_or(std::ptr::null_mut(), |opening| opening.0);
        Instruction::from_pointer(ffi!(shim::sqtt_shim_splitting_branch(self.0, opening, exit.0)))
    }
}
