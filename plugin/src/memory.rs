//! Memory markers: one point per group of like operations (spec "Memory operation markers").

use sqtt_contract::settings::Chunks;

use crate::boundary;
use crate::faults::{Point, lacks};
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Block, Builder, Function, Instruction};
use crate::marks::Mark;
use crate::operations::{self, Access, Class, Source};
use crate::report::Untraced;

/// The ids of the two memory points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryIds {
    load: u32,
    store: u32,
}

impl MemoryIds {
    /// Adds the two points to the ledger. The module has both, whichever it uses.
    pub(crate) fn add_to(ledger: &mut Ledger) -> MemoryIds {
        let mut add = |name: &str| ledger.add(Entry::new(Kind::System, name.into()));
        MemoryIds { load: add("vmem_load"), store: add("vmem_store") }
    }
}

/// Puts a mark behind every group of a function's memory operations.
pub(crate) fn place(function: Function, chunks: Chunks, ids: MemoryIds, untraced: &mut Untraced) {
    for block in function.blocks() {
        for group in groups(block, chunks, untraced) {
            let id = if group.is_store { ids.store } else { ids.load };
            // A memory operation is never the last instruction of a block.
            if let Some(next) = group.last.next() {
                Mark::Memory(id).place(&Builder::before(next, group.last.location()));
            }
        }
    }
}

/// Operations that share a marker.
struct Group {
    is_store: bool,
    operations: u32,
    last: Instruction,
    /// Other instructions since the last operation.
    gap: u32,
}

/// A group ends when it is full, when the kind changes, when more than the allowed number of other instructions lie
/// between, and with its block.
fn groups(block: Block, chunks: Chunks, untraced: &mut Untraced) -> Vec<Group> {
    let mut finished = Vec::new();
    let mut open: Option<Group> = None;
    for instruction in block.instructions() {
        let Some(is_store) = marked_access(instruction, untraced) else {
            if let Some(group) = open.as_mut().filter(|_| counts_as_gap(instruction)) {
                group.gap = group.gap.saturating_add(1);
            }
            continue;
        };
        let fits = |group: &Group| group.is_store == is_store && group.gap <= chunks.gap;
        let mut group = match open.take() {
            Some(group) if fits(&group) => group,
            other => {
                finished.extend(other);
                Group { is_store, operations: 0, last: instruction, gap: 0 }
            }
        };
        group.operations += 1;
        group.last = instruction;
        group.gap = 0;
        if group.operations >= chunks.ops { finished.push(group) } else { open = Some(group) }
    }
    finished.extend(open);
    finished
}

/// Whether an instruction is a store (an atomic is one), a load, or no operation that is marked.
fn marked_access(instruction: Instruction, untraced: &mut Untraced) -> Option<bool> {
    let access = match operations::classify(instruction) {
        Class::Named(operation) => match operation.source {
            Source::Memory(_) | Source::Buffer { .. } => operation.access,
            Source::Lds(_) | Source::Permute(..) => return None,
        },
        Class::Buffer(access, _) => access,
        Class::Other(name) => {
            untraced.operation(name.to_owned());
            return None;
        }
        Class::Nothing => return None,
    };
    Some(access != Access::Load)
}

/// The user's code counts, not what the pass or a description put there.
fn counts_as_gap(instruction: Instruction) -> bool {
    let is_ours = Mark::of(instruction).is_some() || boundary::is_anchor(instruction);
    !instruction.is_descriptive() && (!is_ours || lacks(Point::OwnCodeIsNoGap))
}
