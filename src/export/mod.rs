//! What is made from traces: each a [`Sink`](crate::trace::Sink), or made from one.

pub mod flamegraph;
pub mod folded;
pub mod speedscope;
pub mod stacks;
