//! A loop over the lanes of a wave.

use super::sys::LLVMIntPredicate;
use super::sys::core::*;
use super::{Block, Builder, DebugLocation, Instruction, Value, shim};

/// Inserts a loop in front of `before` that runs `body` for lane 0 to `lanes - 1`; never unrolled.
///
/// Returns what `body` returned. `before` then stands in a block of its own behind the loop. `body` may not change
/// the control flow.
pub(crate) fn insert_lane_loop<T>(
    before: Instruction,
    lanes: u32,
    location: Option<DebugLocation>,
    body: impl FnOnce(&Builder, Value) -> T,
) -> T {
    let ahead = before.block();
    let after = Block(ffi!(shim::sqtt_shim_split(before.0)));
    let context = before.function().module().context();
    let each = Block(ffi!(LLVMInsertBasicBlockInContext(context, after.0, c"sqtt.lanes.loop".as_ptr())));
    after.set_name("sqtt.lanes.after");
    if let Some(branch) = ahead.terminator() {
        ffi!(LLVMSetSuccessor(branch.0, 0, each.0));
    }
    let builder = Builder::at_end(each, location);
    let lane = builder.lane_counter(ahead);
    let result = body(&builder, lane);
    builder.close_loop(lane, lanes, (each, after));
    result
}

impl Builder {
    fn lane_counter(&self, ahead: Block) -> Value {
        let ty = ffi!(LLVMInt32TypeInContext(self.context()));
        let lane = ffi!(LLVMBuildPhi(self.raw(), ty, c"lane".as_ptr()));
        let (mut value, mut block) = (self.i32(0).0, ahead.0);
        ffi!(LLVMAddIncoming(lane, &raw mut value, &raw mut block, 1));
        Value(lane)
    }

    fn close_loop(&self, lane: Value, lanes: u32, (each, after): (Block, Block)) {
        let mut next = ffi!(LLVMBuildAdd(self.raw(), lane.0, self.i32(1).0, c"lane.next".as_ptr()));
        let done = ffi!(LLVMBuildICmp(
            self.raw(),
            LLVMIntPredicate::LLVMIntEQ,
            next,
            self.i32(lanes).0,
            c"lanes.done".as_ptr()
        ));
        let latch = Instruction(ffi!(LLVMBuildCondBr(self.raw(), done, after.0, each.0)));
        let mut from = each.0;
        ffi!(LLVMAddIncoming(lane.0, &raw mut next, &raw mut from, 1));
        self.forbid_unrolling(latch);
    }

    /// `!llvm.loop` of a latch: a node whose first operand is itself, which keeps it distinct.
    fn forbid_unrolling(&self, latch: Instruction) {
        const WORD: &str = "llvm.loop.unroll.disable";
        let context = self.context();
        let mut word = ffi!(LLVMMDStringInContext2(context, WORD.as_ptr().cast(), WORD.len()));
        let disable = ffi!(LLVMMDNodeInContext2(context, &raw mut word, 1));
        let itself = ffi!(super::sys::debuginfo::LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0));
        let mut operands = [itself, disable];
        let node = ffi!(LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len()));
        ffi!(super::sys::debuginfo::LLVMMetadataReplaceAllUsesWith(itself, node));
        let kind = ffi!(LLVMGetMDKindIDInContext(context, c"llvm.loop".as_ptr(), 9));
        ffi!(LLVMSetMetadata(latch.0, kind, LLVMMetadataAsValue(context, node)));
    }
}
