//! What is made from traces: each a [`Sink`](crate::trace::Sink), or made from one.

pub mod access;
pub mod annotate;
pub mod flamegraph;
pub mod folded;
pub mod memory;
pub mod perfetto;
pub mod records;
pub mod speedscope;
pub mod stacks;
pub mod summary;
pub mod whole_file;
