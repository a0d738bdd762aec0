//! The marker automaton of a kernel: which header a wave can trace after which.
//!
//! ```text
//! Program + Funcmap -> flow::analyse -> Flow
//! Program + Funcmap + Flow + kernel -> Automaton::build -> Automaton
//! Automaton + the headers of a wave -> Judgement: does some path of the wave trace exactly these?
//! ```
//!
//! A node is a marker instruction in one chain of calls; an arrow leads to every marker that the wave can trace next.
//! What is a path is what the flow analysis found to be one: in a wave inside the scope filter a guard is always passed,
//! and both arms of a divergent branch follow one another, as a wave runs them. Payload records belong to their header
//! and are no nodes.
//!
//! The automaton accepts what every real wave traces, and more: conditions are not followed from one branch to another.
//! Where control goes to an unknown place anything is accepted from there on.
//!
//! | file | its job |
//! |---|---|
//! | `words.rs` | what each marker instruction traces |
//! | `calls.rs` | where calls and jumps lead, and which functions trace nothing |
//! | `expand.rs` | the code of a kernel with its calls, as points and steps |
//! | `close.rs` | from points to markers: the arrows |
//! | `run.rs` | a wave's headers through the automaton |
//! | `steps.rs` | the sets of nodes where waves can be, and the steps between them, each worked out once |
//! | `align.rs` | what is wrong with headers that no path traces |

mod align;
mod calls;
mod close;
mod expand;
mod run;
mod steps;
mod words;

use std::collections::{BTreeSet, HashSet};

use sqtt_contract::funcmap::Funcmap;
use sqtt_contract::marker::Marker;

pub use align::{Change, Fault};
pub use run::{Edges, Judge, Judgement};
pub use words::{Emission, words};

use super::flow::Flow;
pub use super::flow::Header;
use super::program::Program;

/// Index of a [`Node`].
pub(super) type NodeIndex = u32;

/// What the waves of one kernel can trace.
#[derive(Clone, Debug)]
pub struct Automaton {
    nodes: Vec<Node>,
    /// Ids that are followed by payload records.
    with_payload: HashSet<u32>,
    /// Places behind which anything is accepted.
    unknown: BTreeSet<Place>,
    /// What markers of the program trace.
    headers: HashSet<Header>,
    is_certain: bool,
}

/// A marker instruction in one chain of calls; or one of the two that are no instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it is; `None` for the start, and for what stands for unknown code.
    pub place: Option<Place>,
    /// The headers that it can trace.
    pub headers: Vec<Header>,
    /// The nodes that can be next, in ascending order.
    next: Vec<NodeIndex>,
    /// Whether the wave can end without another marker.
    ends: bool,
}

/// An instruction of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the function.
    pub function: usize,
    /// Address when the code object is loaded at 0.
    pub address: u64,
}

/// The node that accepts everything, in unknown code.
const ANYTHING: NodeIndex = 0;
/// The node in front of the first marker.
const START: NodeIndex = 1;

impl Automaton {
    /// Builds the automaton of the kernel at index `kernel` of `program`; `flow` is what [`flow::analyse`](super::flow)
    /// found in it with the same map.
    ///
    /// `None` when the kernel has too many markers in a row without a certain order: nothing is said of its waves.
    pub fn build(program: &Program, map: &Funcmap, flow: &Flow, kernel: usize) -> Option<Automaton> {
        let expanded = expand::expand(program, map, flow, kernel);
        let with_payload = map.index().payloads().filter(|(_, count)| *count > 0).map(|(id, _)| id).collect();
        let nodes = close::close(&expanded)?;
        Some(Automaton::new(nodes, with_payload, expanded.unknown))
    }

    fn new(nodes: Vec<Node>, with_payload: HashSet<u32>, unknown: BTreeSet<Place>) -> Automaton {
        let of_program = nodes.iter().filter(|node| node.place.is_some());
        let headers: HashSet<Header> = of_program.flat_map(|node| &node.headers).copied().collect();
        let is_exact = |header: &Header| matches!(header, Header::Known { .. });
        let is_certain = unknown.is_empty() && (with_payload.is_empty() || headers.iter().all(is_exact));
        Automaton { nodes, with_payload, unknown, headers, is_certain }
    }

    /// Its nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Where control goes to an unknown place: behind these anything is accepted.
    pub fn unknown(&self) -> impl Iterator<Item = Place> {
        self.unknown.iter().copied()
    }

    /// Whether some wave of the kernel traces something.
    pub fn traces(&self) -> bool {
        self.nodes.get(START as usize).is_some_and(|start| !start.next.is_empty())
    }

    /// Whether some marker of the kernel can be `marker`.
    pub fn has(&self, marker: Marker) -> bool {
        let Marker { enter, exit, .. } = marker;
        let can_be = [Header::of(marker), Header::Flags { enter, exit }, Header::Any];
        !self.unknown.is_empty() || can_be.iter().any(|header| self.headers.contains(header))
    }

    /// Whether a wave can nowhere come to where anything is accepted: to unknown code, or behind a word that is known at
    /// run time only and can be taken for a header with payload.
    pub fn is_certain(&self) -> bool {
        self.is_certain
    }

    fn node(&self, index: NodeIndex) -> Option<&Node> {
        usize::try_from(index).ok().and_then(|index| self.nodes.get(index))
    }

    /// Where a wave is when it traced `marker` at `node`. Whoever reads the trace takes the next records for the payload
    /// of a word that happens to look like a header which has one.
    fn arrive(&self, node: NodeIndex, marker: Marker) -> Option<NodeIndex> {
        let headers = &self.node(node)?.headers;
        let header = headers.iter().find(|header| header.matches(marker))?;
        let is_exact = matches!(header, Header::Known { .. });
        Some(if !is_exact && self.with_payload.contains(&marker.id) { ANYTHING } else { node })
    }
}
