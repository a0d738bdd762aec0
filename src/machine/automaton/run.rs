//! The headers of a wave through the automaton.

use std::cell::RefCell;

use sqtt_contract::marker::Marker;

use super::align::Allowance;
use super::steps::{SetIndex, Steps};
use super::{ANYTHING, Automaton, Fault, NodeIndex};

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
    /// Whether the wave can be in unknown code behind its last header.
    pub ends_in_unknown_code: bool,
}

impl Judgement {
    /// Whether some path traces exactly these headers.
    pub fn conforms(&self) -> bool {
        self.at_least == 0
    }
}

/// Judges waves of one kernel. What it works out for one wave it has ready for the next.
#[derive(Debug)]
pub struct Judge {
    automaton: Automaton,
    steps: RefCell<Steps>,
    allowance: Allowance,
}

impl Judge {
    /// For the waves of the kernel that `automaton` is of.
    pub fn new(automaton: Automaton) -> Judge {
        Judge { steps: RefCell::new(Steps::new(&automaton)), allowance: Allowance::new(), automaton }
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// What [`Automaton::judge`] says.
    pub fn judge(&self, headers: &[Marker], edges: Edges) -> Judgement {
        self.automaton.judge_with(&mut self.steps.borrow_mut(), &self.allowance, headers, edges)
    }
}

impl Automaton {
    /// Runs the headers of one wave through the automaton, without payload records, in the order in which the wave traced
    /// them. A wave outside the scope filter traces nothing, so without a header nothing is wrong.
    ///
    /// For many waves there is [`Judge`].
    pub fn judge(&self, headers: &[Marker], edges: Edges) -> Judgement {
        self.judge_with(&mut Steps::new(self), &Allowance::new(), headers, edges)
    }

    fn judge_with(&self, steps: &mut Steps, allowance: &Allowance, headers: &[Marker], edges: Edges) -> Judgement {
        let (at_least, ends_in_unknown_code) =
            if headers.is_empty() { (0, false) } else { self.count(steps, headers, edges) };
        if at_least == 0 {
            return Judgement { is_explained: true, ends_in_unknown_code, ..Judgement::default() };
        }
        let (faults, is_explained) = self.explain(steps, allowance, headers, edges);
        Judgement { at_least, faults, is_explained, ends_in_unknown_code }
    }

    /// In how many disjoint parts of the headers there must be a fault, and whether the wave can end in unknown code. Behind
    /// each fault it can be anywhere.
    pub(super) fn count(&self, steps: &mut Steps, headers: &[Marker], edges: Edges) -> (usize, bool) {
        let mut faults = 0;
        let mut at = self.begin(steps, edges);
        for header in headers {
            at = steps.step(self, at, *header).unwrap_or_else(|| {
                faults += 1;
                steps.anywhere(self)
            });
        }
        (faults + usize::from(edges.end && !steps.may_end(at)), steps.nodes(at).first() == Some(&ANYTHING))
    }

    pub(super) fn begin(&self, steps: &mut Steps, edges: Edges) -> SetIndex {
        if edges.begin { steps.start(self) } else { steps.anywhere(self) }
    }

    pub(super) fn may_end(&self, states: &[NodeIndex]) -> bool {
        states.iter().any(|state| self.node(*state).is_some_and(|node| node.ends))
    }

    pub(super) fn next(&self, state: NodeIndex) -> &[NodeIndex] {
        self.node(state).map_or(&[], |node| &node.next)
    }
}
