//! Reordering boundaries: what keeps other code from moving across a marker (spec "Marker reorder boundary").

use sqtt_contract::settings::Boundary;

use crate::faults::{Point, lacks};
use crate::llvm::{AsmCall, Builder, Instruction, Module, is_empty_asm};

const HINT: &str = "llvm.amdgcn.sched.barrier";

/// Emits the configured boundary.
///
/// `fence` costs a wait for outstanding LDS operations and never a cache invalidate; `asm` and `none` cost nothing.
pub(crate) fn emit(builder: &Builder, kind: Boundary) {
    match kind {
        Boundary::None => {}
        Boundary::Asm => {
            builder.asm(AsmCall { text: "", constraints: "~{memory}", result: false, arguments: &[] });
        }
        Boundary::Fence => builder.local_fence(!lacks(Point::FenceTag)),
    }
}

/// Emits what ends a run of records outside a guard, behind its last boundary: an anchor behind a fence.
///
/// Without it LLVM 19 waits for LDS also where nothing is outstanding: it drops such a wait only when an instruction
/// that is more than a scheduling hint follows in the block.
pub(crate) fn emit_end(builder: &Builder, kind: Boundary) {
    if kind == Boundary::Fence {
        emit_anchor(builder);
    }
}

/// Emits `sched_barrier(0)`, which the machine scheduler moves nothing across, and an anchor behind it.
///
/// Without the anchor LLVM 19 crashes at -g: its scheduler writes past an array when a region begins with the value
/// of a variable, as the one behind a hint may.
pub(crate) fn emit_hint(builder: &Builder, module: Module) {
    if let Some(hint) = module.intrinsic(HINT) {
        builder.call(hint, &[builder.i32(0)]);
        emit_anchor(builder);
    }
}

fn emit_anchor(builder: &Builder) {
    if !lacks(Point::PhantomMarkers) {
        builder.asm(AsmCall { text: "", constraints: "", result: false, arguments: &[] });
    }
}

/// Whether this is a scheduling hint of any mask.
pub(crate) fn is_hint(instruction: Instruction) -> bool {
    instruction.calls_intrinsic(HINT)
}

/// Whether this is `sched_barrier(0)`.
pub(crate) fn is_full_hint(instruction: Instruction) -> bool {
    is_hint(instruction) && instruction.operand(0).and_then(|mask| mask.as_constant()) == Some(0)
}

/// Whether this is empty assembly, which emits nothing and orders nothing that a marker's boundary does not.
pub(crate) fn is_anchor(instruction: Instruction) -> bool {
    is_empty_asm(instruction)
}
