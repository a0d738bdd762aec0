//! Questions that the host's analyses answer.

use std::ffi::c_void;

use super::sys::prelude::LLVMBasicBlockRef;
use super::{Block, Function, shim};

/// The analyses of the current callback. Not to be kept past it, as every handle.
pub(crate) struct Analyses(*mut c_void);

/// How control flows at a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockFlow {
    pub(crate) block: Block,
    /// The header of the innermost cycle that the block is in.
    pub(crate) cycle: Option<Block>,
    /// The header of the next cycle around that one.
    pub(crate) outer_cycle: Option<Block>,
    /// Lanes part at the block's end: its branch is divergent.
    pub(crate) parts: bool,
}

impl Analyses {
    pub(super) fn from_host(manager: *mut c_void) -> Analyses {
        Analyses(manager)
    }

    /// How control flows at every block of a function, as it is now; in one that is not optimized as if its variables
    /// were registers. Without a target machine (a bare `opt`) no lanes
    /// part anywhere.
    pub(crate) fn control_flow(&self, function: Function) -> Vec<BlockFlow> {
        extern "C" fn sink(
            context: *mut c_void,
            block: LLVMBasicBlockRef,
            header: LLVMBasicBlockRef,
            outer: LLVMBasicBlockRef,
            parts: bool,
        ) {
            let (cycle, outer_cycle) = (Block::from_pointer(header), Block::from_pointer(outer));
            // SAFETY: `context` is the Vec below, borrowed for the duration of the call.
            let found = unsafe { &mut *context.cast::<Vec<BlockFlow>>() };
            found.extend(Block::from_pointer(block).map(|block| BlockFlow { block, cycle, outer_cycle, parts }));
        }
        let mut found: Vec<BlockFlow> = Vec::new();
        ffi!(shim::sqtt_shim_control_flow(self.0, function.0, sink, (&raw mut found).cast()));
        found
    }
}
