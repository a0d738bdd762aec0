//! The headers of a wave through the automaton.

use sqtt_contract::marker::Marker;

use super::{ANYTHING, Automaton, Fault, NodeIndex, START};

/// Which ends of a wave the trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    /// The first header is the first that the wave traced; otherwise it can be anywhere in the program.
    pub begin: bool,
    /// The last header is the last that the wave traced; otherwise the wave can have gone on.
    pub end: bool,
}

/// What the automaton says of the headers of a wave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The trace has no fewer faults than this: so many disjoint parts of it are traced by no path. 0 when all is well.
    pub at_least: usize,
    /// One explanation, in the order of the headers: changes that make of the headers what some path traces. Few, but
    /// not always the fewest.
    pub faults: Vec<Fault>,
    /// Whether the explanation goes to the end; it is given up where too much is wrong.
    pub is_explained: bool,
}

impl Judgement {
    /// Whether some path traces exactly these headers.
    pub fn conforms(&self) -> bool {
        self.at_least == 0
    }
}

/// Nodes, each once.
pub(super) type States = Vec<NodeIndex>;

impl Automaton {
    /// Runs the headers of one wave through the automaton, without payload records, in the order in which the wave traced
    /// them. A wave outside the scope filter traces nothing, so without a header nothing is wrong.
    pub fn judge(&self, headers: &[Marker], edges: Edges) -> Judgement {
        let at_least = if headers.is_empty() { 0 } else { self.count(headers, edges) };
        if at_least == 0 {
            return Judgement { is_explained: true, ..Judgement::default() };
        }
        let (faults, is_explained) = self.explain(headers, edges);
        Judgement { at_least, faults, is_explained }
    }

    /// In how many disjoint parts of the headers there must be a fault. Behind each the wave can be anywhere.
    fn count(&self, headers: &[Marker], edges: Edges) -> usize {
        let (mut faults, mut stepper) = (0, Stepper::new(self));
        let mut states = self.begin(edges);
        for header in headers {
            let next = stepper.step(&states, *header);
            if next.is_empty() {
                faults += 1;
                states = self.anywhere();
            } else {
                states = next;
            }
        }
        faults + usize::from(edges.end && !self.may_end(&states))
    }

    pub(super) fn begin(&self, edges: Edges) -> States {
        if edges.begin { vec![START] } else { self.anywhere() }
    }

    /// Every node that a marker of the program stands for, and the start; what accepts everything only where a wave can
    /// come there.
    pub(super) fn anywhere(&self) -> States {
        let first = if self.is_certain() { START } else { ANYTHING };
        (first..).zip(self.nodes.iter().skip(usize::from(first != ANYTHING))).map(|(index, _)| index).collect()
    }

    pub(super) fn may_end(&self, states: &[NodeIndex]) -> bool {
        states.iter().any(|state| self.node(*state).is_some_and(|node| node.ends))
    }

    pub(super) fn next(&self, state: NodeIndex) -> &[NodeIndex] {
        self.node(state).map_or(&[], |node| &node.next)
    }
}

/// Steps from states to states.
pub(super) struct Stepper<'a> {
    automaton: &'a Automaton,
    /// In which turn a node was reached last.
    seen: Vec<u64>,
    turn: u64,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(automaton: &'a Automaton) -> Stepper<'a> {
        Stepper { automaton, seen: vec![0; automaton.nodes.len()], turn: 0 }
    }

    /// The states behind `header`.
    pub(super) fn step(&mut self, states: &[NodeIndex], header: Marker) -> States {
        self.turn += 1;
        let mut next = States::new();
        for node in states.iter().flat_map(|state| self.automaton.next(*state)) {
            let Some(to) = self.automaton.arrive(*node, header) else { continue };
            let seen = usize::try_from(to).ok().and_then(|index| self.seen.get_mut(index));
            if seen.is_some_and(|seen| std::mem::replace(seen, self.turn) != self.turn) {
                next.push(to);
            }
        }
        next
    }
}
