//! What is wrong with headers that no path traces: the fewest changes around each place that make them fit.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use sqtt_contract::marker::Marker;

use super::run::{States, Stepper};
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

/// Costs: the fewest changes first; of those rather records that are lost than headers too many, and those rather than
/// wrong ones.
const ONE: u32 = 1 << 16;
const LOST: u32 = ONE;
const EXTRA: u32 = ONE + 1;
const CHANGED: u32 = ONE + 2;

impl Automaton {
    /// Changes that make `headers` fit, and whether all of them are explained.
    pub(super) fn explain(&self, headers: &[Marker], edges: Edges) -> (Vec<Fault>, bool) {
        let mut faults = Vec::new();
        let mut stepper = Stepper::new(self);
        let mut states = self.begin(edges);
        let mut past: VecDeque<States> = VecDeque::new();
        let mut at = 0;
        for _ in 0..MOST_PLACES {
            while let Some(header) = headers.get(at) {
                let next = stepper.step(&states, *header);
                if next.is_empty() {
                    break;
                }
                past.push_back(std::mem::replace(&mut states, next));
                if past.len() > BEFORE {
                    past.pop_front();
                }
                at += 1;
            }
            if at == headers.len() && (!edges.end || self.may_end(&states)) {
                return (faults, true);
            }
            let first = at - past.len();
            let behind = headers.len().min(at + 1 + BEHIND);
            let window = Window {
                automaton: self,
                headers: &headers[first..behind],
                ends: edges.end && behind == headers.len(),
            };
            let from = past.front().unwrap_or(&states);
            let Some((found, to)) = window.align(from) else { return (faults, false) };
            faults.extend(found.into_iter().map(|fault| Fault { at: fault.at + first, ..fault }));
            (states, at) = (to, behind);
            past.clear();
        }
        (faults, false)
    }
}

/// Headers of which some do not fit.
struct Window<'a> {
    automaton: &'a Automaton,
    headers: &'a [Marker],
    /// The wave ends behind them.
    ends: bool,
}

/// How the cheapest way comes to a node.
#[derive(Clone, Copy)]
struct Cell {
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
type Column = HashMap<NodeIndex, Cell>;

impl Window<'_> {
    /// The changes of the cheapest way from one of `from`, and all nodes that ways of that cost end at.
    fn align(&self, from: &[NodeIndex]) -> Option<(Vec<Fault>, States)> {
        let tries = std::iter::successors(Some(1), |changes| Some(changes * 2));
        tries.take_while(|changes| *changes <= MOST_CHANGES).find_map(|changes| self.align_within(from, changes))
    }

    fn align_within(&self, from: &[NodeIndex], changes: u32) -> Option<(Vec<Fault>, States)> {
        let limit = (changes + 1) * ONE - 1;
        let start = Cell { cost: 0, from: ANYTHING, how: How::Start };
        let mut columns = vec![from.iter().map(|node| (*node, start)).collect::<Column>()];
        self.lose(columns.first_mut()?, limit);
        for header in self.headers {
            let mut column = self.after(columns.last()?, *header, limit);
            self.lose(&mut column, limit);
            columns.push(column);
        }
        let fits = |node: &NodeIndex| !self.ends || self.automaton.may_end(&[*node]);
        let last = columns.last()?;
        let mut ends: Vec<(u32, NodeIndex)> =
            last.iter().filter(|(node, _)| fits(node)).map(|(node, cell)| (cell.cost, *node)).collect();
        ends.sort_unstable();
        let (cost, node) = *ends.first()?;
        let states = ends.iter().take_while(|(other, _)| *other == cost).map(|(_, node)| *node).collect();
        Some((trace_back(&columns, node)?, states))
    }

    /// The column behind `header`.
    fn after(&self, before: &Column, header: Marker, limit: u32) -> Column {
        let mut column = Column::new();
        for (node, cell) in before {
            improve(&mut column, *node, Cell { cost: cell.cost + EXTRA, from: *node, how: How::Extra }, limit);
            for next in self.automaton.next(*node) {
                let (to, more, how) = match self.automaton.arrive(*next, header) {
                    Some(to) => (to, 0, How::Fits),
                    None => (*next, CHANGED, How::Changed),
                };
                improve(&mut column, to, Cell { cost: cell.cost + more, from: *node, how }, limit);
            }
        }
        column
    }

    /// Adds where the wave can be after markers whose records are lost.
    fn lose(&self, column: &mut Column, limit: u32) {
        let mut pending: BinaryHeap<Reverse<(u32, NodeIndex)>> =
            column.iter().map(|(node, cell)| Reverse((cell.cost, *node))).collect();
        while let Some(Reverse((cost, node))) = pending.pop() {
            if column.get(&node).is_none_or(|cell| cell.cost < cost) {
                continue;
            }
            let cost = cost + LOST;
            for next in self.automaton.next(node) {
                if improve(column, *next, Cell { cost, from: node, how: How::Lost }, limit) {
                    pending.push(Reverse((cost, *next)));
                }
            }
        }
    }
}

/// Puts `cell` where it is cheaper than what is there; of two that cost the same the one from the lower node stays, so
/// that the result does not depend on the order of a hash table.
fn improve(column: &mut Column, node: NodeIndex, cell: Cell, limit: u32) -> bool {
    if cell.cost > limit {
        return false;
    }
    match column.get_mut(&node) {
        Some(have) if have.cost < cell.cost => false,
        Some(have) if have.cost == cell.cost => {
            if !matches!(have.how, How::Start) && cell.from < have.from {
                *have = cell;
            }
            false
        }
        _ => {
            column.insert(node, cell);
            true
        }
    }
}

/// The changes on the way to `node` in the last column.
fn trace_back(columns: &[Column], mut node: NodeIndex) -> Option<Vec<Fault>> {
    let mut faults = Vec::new();
    let mut at = columns.len() - 1;
    loop {
        let cell = columns.get(at)?.get(&node)?;
        let marker = usize::try_from(node).ok()?;
        match cell.how {
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
        node = cell.from;
    }
    faults.reverse();
    Some(faults)
}
