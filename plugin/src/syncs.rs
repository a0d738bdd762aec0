//! Where the waves of a workgroup synchronize.

use crate::llvm::Instruction;

/// A barrier, or a half of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// Signals and waits (`s_barrier`; gfx12 splits it behind the pass).
    Full,
    Signal,
    Wait,
    /// Of a kind that the specification does not name: named barriers' init, join and leave, cluster barriers.
    Other,
}

const PREFIX: &str = "llvm.amdgcn.s.";

const KINDS: &[(&str, Barrier)] = &[
    ("barrier", Barrier::Full),
    ("barrier.init", Barrier::Other),
    ("barrier.join", Barrier::Other),
    ("barrier.leave", Barrier::Other),
    ("barrier.signal", Barrier::Signal),
    ("barrier.signal.init", Barrier::Other),
    ("barrier.signal.isfirst", Barrier::Signal),
    ("barrier.signal.isfirst.var", Barrier::Signal),
    ("barrier.signal.var", Barrier::Signal),
    ("barrier.wait", Barrier::Wait),
    ("cluster.barrier", Barrier::Other),
    ("wakeup.barrier", Barrier::Other),
];

/// The barrier that an instruction is.
pub(crate) fn barrier_of(instruction: Instruction) -> Option<Barrier> {
    let name = instruction.intrinsic_name()?.strip_prefix(PREFIX)?;
    KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// Whether the waves of a workgroup synchronize here: a barrier that the specification names, or a fence.
pub(crate) fn is_workgroup_sync(instruction: Instruction) -> bool {
    instruction.is_fence() || barrier_of(instruction).is_some_and(|kind| kind != Barrier::Other)
}
