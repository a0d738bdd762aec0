//! Natural loops of a function: which blocks run again and again, and how deep they are nested.

use std::collections::BTreeSet;

use petgraph::algo::dominators;
use petgraph::graph::{DiGraph, NodeIndex};

use super::program::Function;

/// The loops of a function.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// By size, the smallest first. Ways back to one header are one loop.
    pub all: Vec<Loop>,
}

/// A natural loop: blocks that lead back to a header, which all ways into the loop pass.
///
/// A cycle with two ways in, which compilers do not make of structured code, is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Index of its first block.
    pub header: usize,
    /// Indices of its blocks, the header's among them.
    pub blocks: BTreeSet<usize>,
}

impl Loops {
    /// Finds the loops of `function`.
    pub fn of(function: &Function) -> Loops {
        let mut graph = DiGraph::<(), ()>::with_capacity(function.blocks.len(), 2 * function.blocks.len());
        let nodes: Vec<NodeIndex> = function.blocks.iter().map(|_| graph.add_node(())).collect();
        let mut into = vec![Vec::new(); nodes.len()];
        for (from, block) in function.blocks.iter().enumerate() {
            for edge in &block.edges {
                graph.add_edge(nodes[from], nodes[edge.to], ());
                into[edge.to].push(from);
            }
        }
        let Some(entry) = nodes.first() else { return Loops::default() };
        let dominators = dominators::simple_fast(&graph, *entry);
        let dominates = |above: usize, below: usize| {
            dominators.dominators(nodes[below]).is_some_and(|mut all| all.any(|one| one == nodes[above]))
        };
        let mut all = Vec::new();
        for (header, before) in into.iter().enumerate() {
            let latches: Vec<usize> = before.iter().copied().filter(|from| dominates(header, *from)).collect();
            if !latches.is_empty() {
                all.push(Loop { header, blocks: body(header, latches, &into) });
            }
        }
        all.sort_by_key(|found| (found.blocks.len(), found.header));
        Loops { all }
    }

    /// The smallest loop that holds `block`.
    pub fn innermost(&self, block: usize) -> Option<&Loop> {
        self.all.iter().find(|found| found.blocks.contains(&block))
    }

    /// How many loops hold `block`.
    pub fn depth(&self, block: usize) -> u32 {
        u32::try_from(self.all.iter().filter(|found| found.blocks.contains(&block)).count()).unwrap_or(u32::MAX)
    }
}

/// What leads to the latches without passing the header.
fn body(header: usize, latches: Vec<usize>, into: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::from([header]);
    let mut pending = latches;
    while let Some(block) = pending.pop() {
        if blocks.insert(block) {
            pending.extend(&into[block]);
        }
    }
    blocks
}
