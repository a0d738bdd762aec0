//! An LLVM pass plugin that puts SQTT markers into AMDGPU code.
//!
//! Two phases, ordered only by `early.rs` and `late.rs`. Early, before the inliner: names become ids, functions get
//! an entry and an exit. Between the phases a marker is a call (`marks.rs`) that optimizers can neither merge nor
//! duplicate. Late, behind the optimizer: functions below the threshold lose their marks, ids are made dense, every
//! mark becomes machine instructions inside its boundaries and scope check, and the map is written.

mod addresses;
mod allocas;
mod balance;
mod barriers;
mod boundary;
mod clock;
mod config;
mod depth;
mod early;
mod effects;
mod emission;
mod exits;
mod faults;
mod filter;
mod funcmap;
mod functions;
mod generated;
mod labels;
mod late;
mod ledger;
mod link;
mod llvm;
mod lower;
mod marked;
mod marks;
mod memory;
mod named_markers;
mod numbering;
mod operations;
mod records;
mod report;
mod returns;
mod scope;
mod sites;
mod size;
mod syncs;
mod target;
mod uniform;
mod units;
mod wrappers;

/// Why a phase gives up. It becomes an error diagnostic of the compiler, never a crash report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Two settings exclude each other.
    #[error("{0}")]
    Conflict(String),
    /// The shader clock cannot be packed so.
    #[error("{0}")]
    Layout(#[from] sqtt_contract::marker::LayoutError),
    /// SPIR-V is translated to machine code later, on another machine: markers would not survive.
    #[error("markers are not possible for `{0}`: compile for a gfx target")]
    Spirv(String),
    /// An id needs more than 30 bits.
    #[error("{0}")]
    Id(#[from] sqtt_contract::marker::IdTooLarge),
    /// A link that never has all units in one module.
    #[error(
        "thin device LTO cannot give the markers of all units ids of their own: use full LTO (`-foffload-lto=full`)"
    )]
    NotWhole,
    /// This LLVM lacks an intrinsic that the pass is built on.
    #[error("this LLVM has no `{0}`")]
    Intrinsic(&'static str),
}
