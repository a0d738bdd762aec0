//! From points to nodes: for each marker those that can be next, whatever lies between that traces nothing.

use super::expand::{Expanded, PointIndex};
use super::{ANYTHING, Header, Node, NodeIndex, START};

/// Points that are looked at for one kernel.
const BUDGET: usize = 40_000_000;

/// The nodes of an automaton: what stands for unknown code, the start, then the markers. `None` when it takes too long.
pub(super) fn close(expanded: &Expanded) -> Option<Vec<Node>> {
    let mut closing = Closing::new(expanded);
    let anything = Node { place: None, headers: vec![Header::Any], next: vec![ANYTHING], ends: true };
    let (next, ends) = closing.from(&expanded.starts)?;
    let mut nodes = vec![anything, Node { place: None, headers: Vec::new(), next, ends }];
    for point in &expanded.points {
        let Some((place, headers)) = &point.traces else { continue };
        let (next, ends) = closing.from(&point.steps)?;
        nodes.push(Node { place: Some(*place), headers: headers.clone(), next, ends });
    }
    Some(nodes)
}

struct Closing<'a> {
    expanded: &'a Expanded,
    /// The node of each point that traces.
    nodes: Vec<Option<NodeIndex>>,
    /// In which turn a point was seen last.
    seen: Vec<u32>,
    turn: u32,
    budget: usize,
}

impl<'a> Closing<'a> {
    fn new(expanded: &'a Expanded) -> Closing<'a> {
        let mut count = START;
        let nodes = expanded.points.iter().map(|point| {
            point.traces.as_ref().map(|_| {
                count += 1;
                count
            })
        });
        let nodes = nodes.collect();
        Closing { expanded, nodes, seen: vec![0; expanded.points.len()], turn: 0, budget: BUDGET }
    }

    /// The nodes that can be first from `points` on, and whether the wave can end before any.
    fn from(&mut self, points: &[PointIndex]) -> Option<(Vec<NodeIndex>, bool)> {
        self.turn += 1;
        let (mut next, mut ends) = (Vec::new(), false);
        let mut pending = points.to_vec();
        while let Some(index) = pending.pop() {
            if std::mem::replace(&mut self.seen[index], self.turn) == self.turn {
                continue;
            }
            self.budget = self.budget.checked_sub(1)?;
            if let Some(node) = self.nodes[index] {
                next.push(node);
                continue;
            }
            let point = &self.expanded.points[index];
            ends |= point.ends;
            if point.is_unknown {
                next.push(ANYTHING);
                ends = true;
            }
            pending.extend(&point.steps);
        }
        next.sort_unstable();
        next.dedup();
        Some((next, ends))
    }
}
