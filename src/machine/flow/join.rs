//! What holds on two paths that meet.

use std::collections::{BTreeMap, HashMap};

use super::link::{Link, MOST_LINKS};
use super::state::{Clause, Fact, Id, MOST_CLAUSES, Mask, Place, Scc, State};
use crate::machine::register::{Register, Registers};

/// What holds in both states. Values are numbered anew, in the order of the places: states that say the same are equal.
///
/// The join of a state with itself is that state without what no place holds any more.
pub(super) fn join(a: &State, b: &State) -> State {
    let mut joined = State::empty();
    let mut pairs = Pairs::default();
    for (place, one) in &a.places {
        let Some(other) = b.places.get(place) else { continue };
        let id = *pairs.ids.entry((*one, *other)).or_insert_with(|| {
            pairs.list.push((*one, *other));
            joined.fresh(both(a.fact(*one), b.fact(*other)))
        });
        joined.places.insert(*place, id);
    }
    pairs.find_masks(&joined.places);
    join_clauses(a, b, &pairs, &mut joined);
    joined.clauses.sort();
    join_links(a, b, &pairs, &mut joined);
    joined.scc = pairs.scc(&a.scc, &b.scc);
    joined
}

fn both(one: Fact, other: Fact) -> Fact {
    let known = |fact: Fact| fact.is_mask || fact.bits.value().is_some();
    let is_constant = one.bits.value().is_some() && one.bits == other.bits;
    Fact {
        bits: one.bits.join(other.bits),
        is_mask: !is_constant && known(one) && known(other),
        is_hardware_id: one.is_hardware_id && other.is_hardware_id,
        at_hardware_id: one.at_hardware_id.filter(|_| one.at_hardware_id == other.at_hardware_id),
    }
}

/// A clause that follows from one of each state: it stands for all of the one and for all of the other.
fn join_clauses(a: &State, b: &State, pairs: &Pairs, joined: &mut State) {
    let (from_a, from_b) = (with_constants(a), with_constants(b));
    let mut found: Vec<Clause> = Vec::new();
    for one in &from_a {
        for other in &from_b {
            found.extend(pairs.cover(one, other));
        }
    }
    for clause in &mut found {
        clause.sort_unstable();
        clause.dedup();
    }
    found.sort_by(|x, y| x.len().cmp(&y.len()).then_with(|| x.cmp(y)));
    found.dedup();
    for clause in found.into_iter().take(MOST_CLAUSES * 4) {
        joined.add_clause(clause);
    }
}

/// The links of either state that hold in the other as well: there as a link, or because both values are known.
fn join_links(a: &State, b: &State, pairs: &Pairs, joined: &mut State) {
    for (own, other, side) in [(a, b, Side::First), (b, a, Side::Second)] {
        for link in &own.links {
            for result in pairs.of(link.result, side) {
                for of in pairs.of(link.of, side) {
                    let parts = pairs.part(*result, side.other()).zip(pairs.part(*of, side.other()));
                    let Some((its_result, its_of)) = parts else { continue };
                    if other.has_link(&Link { result: its_result, of: its_of, ..*link }) {
                        joined.links.push(Link { result: *result, of: *of, ..*link });
                    }
                }
            }
        }
    }
    joined.links.sort_unstable();
    joined.links.dedup();
    joined.links.truncate(MOST_LINKS);
}

/// The clauses of a state, and one for EXEC when that is not zero by its bits.
fn with_constants(state: &State) -> Vec<Clause> {
    let mut clauses = state.clauses.clone();
    for registers in [Registers::EXEC, Registers::one(Register::EXEC_LO)] {
        let mut halves = registers.iter().map(|half| state.places.get(&Place::Register(half)).copied());
        let Some(Some(low)) = halves.next() else { continue };
        let mask = Mask { low, high: halves.next().flatten() };
        if mask.halves().any(|id| state.bits(id).is_nonzero()) {
            clauses.push(vec![mask]);
        }
    }
    clauses
}

/// `cover`, or if it does not cover a value yet, `cover` with each of `choices`.
fn extended(cover: Clause, choices: &[Mask], is_covered: &dyn Fn(&Clause) -> bool) -> Vec<Clause> {
    if is_covered(&cover) {
        return vec![cover];
    }
    choices.iter().map(|choice| [cover.as_slice(), &[*choice]].concat()).collect()
}

/// Choices that are followed for one member, and for one pair of clauses.
const MOST_CHOICES: usize = 4;
const MOST_COVERS: usize = 16;

/// Which values of the two states are one in the joined one.
#[derive(Default)]
struct Pairs {
    ids: HashMap<(Id, Id), Id>,
    list: Vec<(Id, Id)>,
    /// The joined masks, by the mask of either state that they were.
    by_first: HashMap<Mask, Vec<Mask>>,
    by_second: HashMap<Mask, Vec<Mask>>,
}

impl Pairs {
    /// Sets of joined values that stand for all of `one` in the first state and for all of `other` in the second: one
    /// for each choice, as it is not known which of several places that share a value now will be needed.
    fn cover(&self, one: &[Mask], other: &[Mask]) -> Vec<Clause> {
        let mut covers: Vec<Clause> = vec![Vec::new()];
        for (members, side, others) in [(one, Side::First, other), (other, Side::Second, one)] {
            for member in members {
                let choices = self.choices(*member, side, others);
                let is_covered = |cover: &Clause| cover.iter().any(|mask| self.part(*mask, side) == Some(*member));
                let longer = covers.into_iter().flat_map(|cover| extended(cover, &choices, &is_covered));
                covers = longer.take(MOST_COVERS).collect();
            }
        }
        covers
    }

    /// Every value is a mask; with that of the place next to it, it is one of 64 bits.
    fn find_masks(&mut self, places: &BTreeMap<Place, Id>) {
        for (place, id) in places {
            let high = place.next().and_then(|next| places.get(&next)).copied();
            for mask in [Some(Mask::narrow(*id)), high.map(|_| Mask { low: *id, high })].into_iter().flatten() {
                for side in [Side::First, Side::Second] {
                    let Some(part) = self.part(mask, side) else { continue };
                    let by_own = if side == Side::First { &mut self.by_first } else { &mut self.by_second };
                    let masks = by_own.entry(part).or_default();
                    if !masks.contains(&mask) {
                        masks.push(mask);
                    }
                }
            }
        }
    }

    /// The joined masks that are `mask` in the state of `side`.
    fn of(&self, mask: Mask, side: Side) -> &[Mask] {
        let by_own = if side == Side::First { &self.by_first } else { &self.by_second };
        by_own.get(&mask).map_or(&[], Vec::as_slice)
    }

    /// The joined masks that `member` of one state became; those that are in `others` too come first.
    fn choices(&self, member: Mask, side: Side, others: &[Mask]) -> Vec<Mask> {
        // The last are the places that last: lanes and stack frames; VCC is among the first.
        let mut choices: Vec<Mask> = self.of(member, side).iter().rev().copied().collect();
        if let Some(high) = member.high {
            // The halves need not be next to each other: in the last lane of a register and the first of another.
            let of_half = |id| self.of(Mask::narrow(id), side).iter().rev();
            let pairs = of_half(member.low).flat_map(|low| of_half(high).map(|high| (low.low, high.low)));
            let pairs = pairs.map(|(low, high)| Mask { low, high: Some(high) });
            let most = if choices.is_empty() { MOST_CHOICES } else { 1 };
            let apart: Vec<Mask> = pairs.take(most).filter(|pair| !choices.contains(pair)).collect();
            choices.splice(0..0, apart);
        }
        choices.sort_by_key(|mask| !self.part(*mask, side.other()).is_some_and(|part| others.contains(&part)));
        choices.truncate(MOST_CHOICES);
        choices
    }

    fn part(&self, mask: Mask, side: Side) -> Option<Mask> {
        let part = |id: Id| {
            let (first, second) = usize::try_from(id).ok().and_then(|index| self.list.get(index)).copied()?;
            Some(if side == Side::First { first } else { second })
        };
        match mask.high {
            None => Some(Mask::narrow(part(mask.low)?)),
            Some(high) => Some(Mask { low: part(mask.low)?, high: Some(part(high)?) }),
        }
    }

    fn joined(&self, one: Mask, other: Mask) -> Option<Mask> {
        let low = *self.ids.get(&(one.low, other.low))?;
        match (one.high, other.high) {
            (None, None) => Some(Mask::narrow(low)),
            (Some(one), Some(other)) => Some(Mask { low, high: Some(*self.ids.get(&(one, other))?) }),
            _ => None,
        }
    }

    fn scc(&self, a: &Scc, b: &Scc) -> Scc {
        match (a, b) {
            (Scc::Known(one), Scc::Known(other)) if one == other => Scc::Known(*one),
            (Scc::Zero { mask, when }, Scc::Zero { mask: other, when: same }) if when == same => {
                self.joined(*mask, *other).map_or(Scc::Unknown, |mask| Scc::Zero { mask, when: *when })
            }
            _ => Scc::Unknown,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

impl Side {
    fn other(self) -> Side {
        if self == Side::First { Side::Second } else { Side::First }
    }
}
