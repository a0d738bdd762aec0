//! What is wrong with headers that no path traces: the fewest changes around each place that make them fit.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use sqtt_contract::marker::Marker;

use super::steps::Steps;
use super::{ANYTHING, Automaton, Edges, NodeIndex};

/// Something wrong at one place of a wave's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Index of the header that is wrong; of a lost one the index of the header behind it.
    pub at: usize,
    /// What is wrong.
    pub change: Change,
}

/// What a trace has that the wave cannot have traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A marker's record is missing: index of its [`Node`](super::Node).
    Lost(usize),
    /// The header is one too many.
    Extra,
    /// Another header stands where a marker was traced: index of the marker's [`Node`](super::Node).
    Changed(usize),
}

/// Headers in front of the first that does not fit among which the change can be.
const BEFORE: usize = 32;
/// Headers behind it that must fit again.
const BEHIND: usize = 8;
/// Changes that are tried for one place: 1, then twice as many, up to this.
const MOST_CHANGES: u32 = 32;
/// Places that are explained in one wave.
const MOST_PLACES: usize = 256;
/// Ways that are looked at for all waves of a kernel, which takes some seconds; and so many more for each header, so that
/// a long trace in which all is wrong takes no more than that many times as long.
const WAYS: u64 = 1 << 28;
const WAYS_OF_HEADER: u64 = 128;

/// Costs: the fewest changes first; of those rather records that are lost than headers too many, and those rather than
/// wrong ones.
const ONE: u32 = 1 << 16;
const LOST: u32 = ONE;
const EXTRA: u32 = ONE + 1;
const CHANGED: u32 = ONE + 2;

/// What explanations may still cost, in ways that are looked at.
#[derive(Debug)]
pub(super) struct Allowance(Cell<u64>);

impl Allowance {
    pub(super) fn new() -> Allowance {
        Allowance(Cell::new(WAYS))
    }

    /// That of a wave with so many headers.
    fn add(&self, headers: usize) {
        self.0.set(self.0.get().saturating_add(WAYS_OF_HEADER.saturating_mul(headers as u64)));
    }

    /// `None` when there is nothing left.
    fn take(&self, ways: usize) -> Option<()> {
        self.0.set(self.0.get().saturating_sub(ways as u64));
        (self.0.get() > 0).then_some(())
    }
}

impl Automaton {
    /// Changes that make `headers` fit, and whether all of them are explained.
    pub(super) fn explain(
        &self,
        steps: &mut Steps,
        allowance: &Allowance,
        headers: &[Marker],
        edges: Edges,
    ) -> (Vec<Fault>, bool) {
        allowance.add(headers.len());
        let mut faults = Vec::new();
        let mut set = self.begin(steps, edges);
        let mut past: VecDeque<Rc<[NodeIndex]>> = VecDeque::new();
        let mut at = 0;
        for _ in 0..MOST_PLACES {
            let mut nodes = steps.nodes(set);
            while let Some(next) = headers.get(at).and_then(|header| steps.step(self, set, *header)) {
                set = next;
                past.push_back(std::mem::replace(&mut nodes, steps.nodes(set)));
                if past.len() > BEFORE {
                    past.pop_front();
                }
                at += 1;
            }
            if at == headers.len() && (!edges.end || self.may_end(&nodes)) {
                return (faults, true);
            }
            let first = at - past.len();
            let behind = headers.len().min(at + 1 + BEHIND);
            let window = Window {
                automaton: self,
                allowance,
                headers: &headers[first..behind],
                ends: edges.end && behind == headers.len(),
            };
            let from = past.front().unwrap_or(&nodes);
            let Some((found, to)) = window.align(from) else { return (faults, false) };
            faults.extend(found.into_iter().map(|fault| Fault { at: fault.at + first, ..fault }));
            (set, at) = (steps.set(self, to), behind);
            past.clear();
        }
        (faults, false)
    }
}

/// Headers of which some do not fit.
struct Window<'a> {
    automaton: &'a Automaton,
    allowance: &'a Allowance,
    headers: &'a [Marker],
    /// The wave ends behind them.
    ends: bool,
}

/// How the cheapest way comes to a node.
#[derive(Clone, Copy)]
struct Way {
    cost: u32,
    from: NodeIndex,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    Start,
    Fits,
    Lost,
    Extra,
    Changed,
}

/// The nodes where the wave can be in front of one header.
type Column = FxHashMap<NodeIndex, Way>;

impl Window<'_> {
    /// The changes of the cheapest way from one of `from`, and all nodes that ways of that cost end at.
    fn align(&self, from: &[NodeIndex]) -> Option<(Vec<Fault>, Vec<NodeIndex>)> {
        let tries = std::iter::successors(Some(1), |changes| Some(changes * 2));
        tries.take_while(|changes| *changes <= MOST_CHANGES).find_map(|changes| self.align_within(from, changes))
    }

    fn align_within(&self, from: &[NodeIndex], changes: u32) -> Option<(Vec<Fault>, Vec<NodeIndex>)> {
        let limit = (changes + 1) * ONE - 1;
        let start = Way { cost: 0, from: ANYTHING, how: How::Start };
        let mut columns = vec![from.iter().map(|node| (*node, start)).collect::<Column>()];
        self.lose(columns.first_mut()?, limit)?;
        for header in self.headers {
            let mut column = self.after(columns.last()?, *header, limit)?;
            self.lose(&mut column, limit)?;
            columns.push(column);
        }
        let fits = |node: &NodeIndex| !self.ends || self.automaton.may_end(&[*node]);
        let last = columns.last()?;
        let mut ends: Vec<(u32, NodeIndex)> =
            last.iter().filter(|(node, _)| fits(node)).map(|(node, way)| (way.cost, *node)).collect();
        ends.sort_unstable();
        let (cost, node) = *ends.first()?;
        let states = ends.iter().take_while(|(other, _)| *other == cost).map(|(_, node)| *node).collect();
        Some((trace_back(&columns, node)?, states))
    }

    /// The column behind `header`.
    fn after(&self, before: &Column, header: Marker, limit: u32) -> Option<Column> {
        let mut column = Column::default();
        for (node, way) in before {
            improve(&mut column, *node, Way { cost: way.cost + EXTRA, from: *node, how: How::Extra }, limit);
            let next = self.automaton.next(*node);
            self.allowance.take(next.len() + 1)?;
            for next in next {
                let (to, more, how) = match self.automaton.arrive(*next, header) {
                    Some(to) => (to, 0, How::Fits),
                    None => (*next, CHANGED, How::Changed),
                };
                improve(&mut column, to, Way { cost: way.cost + more, from: *node, how }, limit);
            }
        }
        Some(column)
    }

    /// Adds where the wave can be after markers whose records are lost.
    fn lose(&self, column: &mut Column, limit: u32) -> Option<()> {
        let may_lose = |cost: u32| cost + LOST <= limit;
        let from = column.iter().filter(|(_, way)| may_lose(way.cost));
        let mut pending: BinaryHeap<Reverse<(u32, NodeIndex)>> =
            from.map(|(node, way)| Reverse((way.cost, *node))).collect();
        while let Some(Reverse((cost, node))) = pending.pop() {
            if column.get(&node).is_none_or(|way| way.cost < cost) {
                continue;
            }
            let next = self.automaton.next(node);
            self.allowance.take(next.len() + 1)?;
            let cost = cost + LOST;
            for next in next {
                let is_better = improve(column, *next, Way { cost, from: node, how: How::Lost }, limit);
                if is_better && may_lose(cost) {
                    pending.push(Reverse((cost, *next)));
                }
            }
        }
        Some(())
    }
}

/// Puts `way` where it is cheaper than what is there; of two that cost the same the one from the lower node stays, so
/// that the result does not depend on the order of a hash table.
fn improve(column: &mut Column, node: NodeIndex, way: Way, limit: u32) -> bool {
    if way.cost > limit {
        return false;
    }
    match column.get_mut(&node) {
        Some(have) if have.cost < way.cost => false,
        Some(have) if have.cost == way.cost => {
            if !matches!(have.how, How::Start) && way.from < have.from {
                *have = way;
            }
            false
        }
        _ => {
            column.insert(node, way);
            true
        }
    }
}

/// The changes on the way to `node` in the last column.
fn trace_back(columns: &[Column], mut node: NodeIndex) -> Option<Vec<Fault>> {
    let mut faults = Vec::new();
    let mut at = columns.len() - 1;
    loop {
        let way = columns.get(at)?.get(&node)?;
        let marker = usize::try_from(node).ok()?;
        match way.how {
            How::Start => break,
            How::Fits => at = at.checked_sub(1)?,
            How::Lost => faults.push(Fault { at, change: Change::Lost(marker) }),
            How::Extra => {
                at = at.checked_sub(1)?;
                faults.push(Fault { at, change: Change::Extra });
            }
            How::Changed => {
                at = at.checked_sub(1)?;
                faults.push(Fault { at, change: Change::Changed(marker) });
            }
        }
        node = way.from;
    }
    faults.reverse();
    Some(faults)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::super::{Header, Node, Place};
    use super::*;

    fn point(id: u32) -> Marker {
        Marker { id, enter: false, exit: false }
    }

    /// A wave that traces points 2 to 61, any behind any.
    fn automaton() -> Automaton {
        let node = |place, headers| Node { place, headers, next: (2..62).collect(), ends: true };
        let marker = |id| {
            let place = Place { function: 0, address: u64::from(id) };
            node(Some(place), vec![Header::of(point(id))])
        };
        let nodes = [node(None, vec![Header::Any]), node(None, Vec::new())].into_iter().chain((2..62).map(marker));
        Automaton::new(nodes.collect(), HashSet::new(), BTreeSet::new())
    }

    /// A long trace in which all was wrong took minutes.
    #[test]
    fn explanations_end_where_the_allowance_does() {
        let automaton = automaton();
        let headers: Vec<Marker> = (0..900).map(|at| point(if at % 60 == 9 { 900 } else { at % 60 + 2 })).collect();
        let explain = |ways| {
            let edges = Edges { begin: true, end: true };
            let allowance = Allowance(Cell::new(ways));
            let (faults, is_explained) = automaton.explain(&mut Steps::new(&automaton), &allowance, &headers, edges);
            (faults.len(), is_explained)
        };
        assert_eq!(explain(WAYS), (15, true));
        let (some, is_explained) = explain(0);
        assert!(!is_explained && some < 15, "{some}");
    }
}
