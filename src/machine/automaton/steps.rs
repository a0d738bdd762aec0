//! Steps from states to states, each worked out once.
//!
//! A wave goes through the same few sets of states again and again, and so do all waves of a kernel. The sets and the
//! steps between them are kept as waves first need them: a header then costs two lookups, however large the automaton.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sqtt_contract::marker::Marker;

use super::{ANYTHING, Automaton, Header, NodeIndex, START};

/// Nodes where a wave can be.
#[derive(Debug)]
struct States {
    /// Each once, in ascending order.
    nodes: Rc<[NodeIndex]>,
    /// Whether the wave can end in one of them.
    may_end: bool,
}

/// A set of states. When a set is made, those that were there before can be forgotten; the one that is made lasts.
pub(super) type SetIndex = u32;

/// What is kept at most, in nodes of sets, and as many steps: some tens of megabytes. Beyond it all sets are forgotten, or
/// all steps.
const MOST_KEPT: usize = 1 << 21;

/// The sets of states of one automaton that waves came to, and the steps between them.
#[derive(Debug)]
pub(super) struct Steps {
    symbols: Symbols,
    sets: Vec<States>,
    indices: FxHashMap<Rc<[NodeIndex]>, SetIndex>,
    /// Nothing behind a header that cannot be next.
    taken: FxHashMap<(SetIndex, Symbol), Option<SetIndex>>,
    anywhere: Option<SetIndex>,
    /// Nodes in all sets.
    kept: usize,
    /// How often all was forgotten.
    forgotten: u64,
    most_kept: usize,
}

impl Steps {
    pub(super) fn new(automaton: &Automaton) -> Steps {
        Steps::keeping(automaton, MOST_KEPT)
    }

    fn keeping(automaton: &Automaton, most_kept: usize) -> Steps {
        Steps {
            symbols: Symbols::of(automaton),
            sets: Vec::new(),
            indices: FxHashMap::default(),
            taken: FxHashMap::default(),
            anywhere: None,
            kept: 0,
            forgotten: 0,
            most_kept,
        }
    }

    /// Where a wave is in front of its first marker.
    pub(super) fn start(&mut self, automaton: &Automaton) -> SetIndex {
        self.set(automaton, vec![START])
    }

    /// Every node that a marker of the program stands for, and the start; what accepts everything only where a wave can
    /// come there.
    pub(super) fn anywhere(&mut self, automaton: &Automaton) -> SetIndex {
        if let Some(set) = self.anywhere {
            return set;
        }
        let first = if automaton.is_certain() { START } else { ANYTHING };
        let nodes = (0..).zip(automaton.nodes()).map(|(index, _)| index).filter(|index| *index >= first);
        let set = self.set(automaton, nodes.collect());
        self.anywhere = Some(set);
        set
    }

    /// The states behind `header`; `None` when it cannot be next.
    pub(super) fn step(&mut self, automaton: &Automaton, from: SetIndex, header: Marker) -> Option<SetIndex> {
        let symbol = self.symbols.symbol(automaton, header);
        if let Some(to) = self.taken.get(&(from, symbol)) {
            return *to;
        }
        let next = self.states(from)?.nodes.iter().flat_map(|state| automaton.next(*state));
        let next: Vec<NodeIndex> = next.filter_map(|node| automaton.arrive(*node, header)).collect();
        let forgotten = self.forgotten;
        let to = (!next.is_empty()).then(|| self.set(automaton, next));
        // Otherwise `from` is another set now, or none.
        if self.forgotten == forgotten {
            if self.taken.len() >= self.most_kept {
                self.taken.clear();
            }
            self.taken.insert((from, symbol), to);
        }
        to
    }

    fn states(&self, set: SetIndex) -> Option<&States> {
        self.sets.get(usize::try_from(set).ok()?)
    }

    /// The nodes of a set, in ascending order.
    pub(super) fn nodes(&self, set: SetIndex) -> Rc<[NodeIndex]> {
        self.states(set).map(|states| Rc::clone(&states.nodes)).unwrap_or_default()
    }

    /// Whether the wave can end where it is.
    pub(super) fn may_end(&self, set: SetIndex) -> bool {
        self.states(set).is_some_and(|states| states.may_end)
    }

    /// The set of `nodes`, which can be in any order.
    pub(super) fn set(&mut self, automaton: &Automaton, mut nodes: Vec<NodeIndex>) -> SetIndex {
        nodes.sort_unstable();
        nodes.dedup();
        if let Some(set) = self.indices.get(nodes.as_slice()) {
            return *set;
        }
        if self.kept + nodes.len() > self.most_kept {
            self.forget();
        }
        self.kept += nodes.len();
        let nodes: Rc<[NodeIndex]> = nodes.into();
        let index = self.sets.len() as SetIndex;
        self.sets.push(States { may_end: automaton.may_end(&nodes), nodes: Rc::clone(&nodes) });
        self.indices.insert(nodes, index);
        index
    }

    fn forget(&mut self) {
        self.sets.clear();
        self.indices.clear();
        self.taken.clear();
        self.anywhere = None;
        self.kept = 0;
        self.forgotten += 1;
    }
}

/// Markers that no node tells from one another.
type Symbol = u32;

/// The symbols of an automaton: a few, whatever a trace holds.
#[derive(Debug)]
struct Symbols {
    known: FxHashMap<Marker, Symbol>,
}

impl Symbols {
    fn of(automaton: &Automaton) -> Symbols {
        let mut known = FxHashMap::default();
        for header in automaton.nodes().iter().flat_map(|node| &node.headers) {
            if let Header::Known { id, enter, exit } = *header {
                let next = known.len() as Symbol;
                known.entry(Marker { id, enter, exit }).or_insert(next);
            }
        }
        Symbols { known }
    }

    /// A marker that no node traces for certain can still be one of which only the flags are known, or nothing.
    fn symbol(&self, automaton: &Automaton, marker: Marker) -> Symbol {
        if let Some(symbol) = self.known.get(&marker) {
            return *symbol;
        }
        let bits = [marker.enter, marker.exit, automaton.with_payload.contains(&marker.id)];
        bits.into_iter().fold(self.known.len() as Symbol, |symbol, bit| symbol * 2 + Symbol::from(bit))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::super::{Edges, Judge, Node, Place};
    use super::*;

    const IDS: u32 = 4;
    const WITH_PAYLOAD: u32 = 2;

    fn header() -> impl Strategy<Value = Header> {
        let [enter, exit] = [any::<bool>(), any::<bool>()];
        prop_oneof![
            20 => (0..IDS, enter, exit).prop_map(|(id, enter, exit)| Header::Known { id, enter, exit }),
            1 => (enter, exit).prop_map(|(enter, exit)| Header::Flags { enter, exit }),
            1 => Just(Header::Any),
        ]
    }

    /// Some markers with arrows between them; unknown code is reached by some of the automata.
    fn automaton() -> impl Strategy<Value = Automaton> {
        let node = (vec(header(), 1..3), btree_set(2..9u32, 0..4), prop::bool::weighted(0.2));
        let unknown = prop_oneof![4 => Just(None), 1 => (2..9u32).prop_map(Some)];
        (btree_set(2..9u32, 1..4), vec(node, 7), unknown, any::<bool>()).prop_map(|(first, nodes, unknown, payload)| {
            let anything = Node { place: None, headers: vec![Header::Any], next: vec![ANYTHING], ends: true };
            let start = Node { place: None, headers: Vec::new(), next: first.into_iter().collect(), ends: false };
            let place = |address| Place { function: 0, address };
            let markers = (2..).zip(nodes).map(|(index, (headers, next, ends))| {
                let away = (unknown == Some(index)).then_some(ANYTHING);
                let next = away.into_iter().chain(next).collect();
                Node { place: Some(place(index.into())), headers, next, ends: ends || away.is_some() }
            });
            let nodes = [anything, start].into_iter().chain(markers).collect();
            let with_payload = payload.then_some(WITH_PAYLOAD).into_iter().collect();
            let unknown = unknown.map(|index| place(index.into())).into_iter().collect();
            Automaton::new(nodes, with_payload, unknown)
        })
    }

    /// What a wave traces that takes the arrows that `turns` say, and then is harmed where they say so.
    fn wave(automaton: &Automaton, turns: &[(usize, u8)]) -> Vec<Marker> {
        let (mut at, mut headers) = (START, Vec::new());
        for (turn, harm) in turns {
            let next = automaton.next(at);
            if next.is_empty() {
                break;
            }
            at = next[turn % next.len()];
            let (id, flags) = (*turn as u32 % IDS, turn / 7);
            let drawn = Marker { id, enter: flags & 1 == 1, exit: flags & 2 == 2 };
            let marker = match automaton.nodes()[at as usize].headers[0] {
                Header::Known { id, enter, exit } => Marker { id, enter, exit },
                Header::Flags { enter, exit } => Marker { enter, exit, ..drawn },
                Header::Any => drawn,
            };
            match harm {
                0 => {}
                1 => headers.extend([marker; 2]),
                2 => headers.push(drawn),
                3 => headers.push(Marker { id: 900, ..drawn }),
                _ => headers.push(marker),
            }
        }
        headers
    }

    /// In how many parts of the headers there is a fault, with plain sets and no memory.
    fn count(automaton: &Automaton, headers: &[Marker], edges: Edges) -> usize {
        let first = if automaton.is_certain() { START } else { ANYTHING };
        let anywhere: BTreeSet<NodeIndex> = (first..automaton.nodes().len() as u32).collect();
        let mut states = if edges.begin { BTreeSet::from([START]) } else { anywhere.clone() };
        let mut faults = 0;
        for header in headers {
            let next = states.iter().flat_map(|state| automaton.next(*state));
            states = next.filter_map(|node| automaton.arrive(*node, *header)).collect();
            if states.is_empty() {
                faults += 1;
                states.clone_from(&anywhere);
            }
        }
        let may_end = states.iter().any(|state| automaton.nodes()[*state as usize].ends);
        faults + usize::from(edges.end && !headers.is_empty() && !may_end)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_remembered_is_what_plain_sets_say(
            automaton in automaton(),
            waves in vec((vec((any::<usize>(), 0..30u8), 0..60), any::<bool>(), any::<bool>()), 1..6),
            most_kept in 0..60usize,
        ) {
            let judge = Judge::new(automaton.clone());
            let mut forgetful = Steps::keeping(&automaton, most_kept);
            for (turns, begin, end) in waves {
                let (headers, edges) = (wave(&automaton, &turns), Edges { begin, end });
                let expected = count(&automaton, &headers, edges);
                let judgement = judge.judge(&headers, edges);
                prop_assert_eq!(judgement.at_least, expected);
                prop_assert_eq!(&automaton.judge(&headers, edges), &judgement);
                if !headers.is_empty() {
                    prop_assert_eq!(automaton.count(&mut forgetful, &headers, edges).0, expected);
                    prop_assert!(forgetful.kept <= most_kept.max(automaton.nodes().len()));
                    prop_assert!(forgetful.taken.len() <= most_kept.max(1), "steps were kept without end");
                }
            }
        }
    }
}
