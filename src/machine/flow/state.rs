//! What is known of a wave at one point: values by place, and which unions of lane masks have a lane.
//!
//! Every value has a number of its own; a copy shares it. What is known about values never expires, as a value never
//! changes: only which place holds which value does. The facts are known bits, and *clauses*: sets of values of which at
//! least one is not zero. From "EXEC was not zero" follows for `and_saveexec` that the saved mask is not zero, for
//! `exec & !s` that what is left of EXEC or `s` is not zero, and so on: that is all it takes to see that a wave runs one
//! arm of a branch at least, and that EXEC has lanes again behind a loop.

use std::collections::BTreeMap;

use super::bits::Bits;
use super::link::Link;
use crate::machine::exec::BitOp;
use crate::machine::register::{Register, Registers};

/// The number of a value.
pub(super) type Id = u32;

/// A value of 32 or 64 bits, such as the lane mask of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mask {
    pub(super) low: Id,
    pub(super) high: Option<Id>,
}

/// Where a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    /// A scalar register; or a vector register that has one value in all active lanes.
    Register(Register),
    /// What `v_writelane` put into a lane of a vector register, or what came from there into an accumulator.
    Lane(Register, u8),
    /// A vector register in the stack frame: base register, offset in bytes, and of what is in it the same two kinds.
    Slot(Option<Register>, i64, Option<u8>),
}

impl Place {
    /// Where the high half is of a value of 64 bits whose low half is here.
    pub(super) fn next(self) -> Option<Place> {
        match self {
            Place::Register(register) => register.after(1).map(Place::Register),
            Place::Lane(vector, lane) => lane.checked_add(1).map(|lane| Place::Lane(vector, lane)),
            // Behind the last lane of one register the compiler goes on in the first of the next.
            Place::Slot(base, offset, Some(63)) => Some(Place::Slot(base, offset.saturating_add(4), Some(0))),
            Place::Slot(base, offset, lane) => Some(Place::Slot(base, offset, Some(lane?.checked_add(1)?))),
        }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) bits: Bits,
    /// Made of EXEC, or of a comparison of lanes: it is known how it came to be, if not which lanes it has.
    pub(super) is_mask: bool,
    /// A field of a hardware id register, which scope masks are shifted by.
    pub(super) is_hardware_id: bool,
    /// This shifted left by such a field.
    pub(super) at_hardware_id: Option<Bits>,
}

/// What SCC stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scc {
    Unknown,
    Known(bool),
    /// SCC is `when` if this is zero.
    Zero {
        mask: Mask,
        when: bool,
    },
}

/// What is known of EXEC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exec {
    /// Some lane is active.
    NonZero,
    /// Nothing: it was loaded, or came out of code that is not modelled.
    Unknown,
    /// Lanes were switched off and nothing says that one is left.
    MaybeZero,
    /// No lane is active.
    Zero,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) places: BTreeMap<Place, Id>,
    pub(super) facts: Vec<Fact>,
    /// Sorted sets; of each at least one member is not zero.
    pub(super) clauses: Vec<Clause>,
    pub(super) links: Vec<Link>,
    pub(super) scc: Scc,
}

/// Masks of which one is not zero.
pub(super) type Clause = Vec<Mask>;

/// Clauses that are kept; the shortest ones.
pub(super) const MOST_CLAUSES: usize = 48;
/// Values of a clause.
pub(super) const LONGEST_CLAUSE: usize = 8;

impl State {
    /// Nothing is known.
    pub(super) fn empty() -> State {
        let (facts, clauses, links) = (Vec::new(), Vec::new(), Vec::new());
        State { places: BTreeMap::new(), facts, clauses, links, scc: Scc::Unknown }
    }

    /// At the entry of a function: EXEC has a lane.
    pub(super) fn entry(exec: Registers) -> State {
        let mut state = State::empty();
        for half in exec.iter() {
            let id = state.fresh(Fact { is_mask: true, ..Fact::UNKNOWN });
            state.places.insert(Place::Register(half), id);
        }
        let mask = state.mask(exec);
        state.add_clause(vec![mask]);
        state
    }

    pub(super) fn fresh(&mut self, fact: Fact) -> Id {
        self.facts.push(fact);
        Id::try_from(self.facts.len() - 1).unwrap_or(Id::MAX)
    }

    pub(super) fn unknown(&mut self) -> Id {
        self.fresh(Fact::UNKNOWN)
    }

    pub(super) fn constant(&mut self, value: u32) -> Id {
        self.fresh(Fact { bits: Bits::constant(value), ..Fact::UNKNOWN })
    }

    pub(super) fn fact(&self, id: Id) -> Fact {
        usize::try_from(id).ok().and_then(|index| self.facts.get(index)).copied().unwrap_or(Fact::UNKNOWN)
    }

    pub(super) fn bits(&self, id: Id) -> Bits {
        self.fact(id).bits
    }

    /// The value at a place. One that nothing is known of gets its number here, so that copies of it are known as such.
    pub(super) fn get(&mut self, place: Place) -> Id {
        if let Some(id) = self.places.get(&place) {
            return *id;
        }
        let id = if place == Place::Register(Register::NULL) { self.constant(0) } else { self.unknown() };
        self.places.insert(place, id);
        id
    }

    pub(super) fn register(&mut self, register: Register) -> Id {
        self.get(Place::Register(register))
    }

    pub(super) fn set_register(&mut self, register: Register, id: Id) {
        if register != Register::NULL {
            self.forget_frames(register);
            self.places.insert(Place::Register(register), id);
        }
    }

    pub(super) fn forget_register(&mut self, register: Register) {
        self.forget_frames(register);
        self.places.remove(&Place::Register(register));
        if register.is_vector() {
            self.places.retain(|place, _| !matches!(place, Place::Lane(one, _) if *one == register));
        }
    }

    /// What is in a stack frame is found by its base register.
    fn forget_frames(&mut self, base: Register) {
        if base.scalar_number().is_some_and(|number| number >= FIRST_FRAME_REGISTER) {
            self.places.retain(|place, _| !matches!(place, Place::Slot(Some(one), ..) if *one == base));
        }
    }

    /// The value of one or two registers.
    pub(super) fn mask(&mut self, registers: Registers) -> Mask {
        let low = registers.get(0).map_or(0, |register| self.register(register));
        let high = registers.get(1).map(|register| self.register(register));
        Mask { low, high }
    }

    /// Whether a value is known not to be zero.
    pub(super) fn is_nonzero(&self, mask: Mask) -> bool {
        mask.halves().any(|id| self.bits(id).is_nonzero()) || self.clauses.iter().any(|clause| clause == &[mask])
    }

    /// Whether a value is known to be zero.
    pub(super) fn is_zero(&self, mask: Mask) -> bool {
        mask.halves().all(|id| self.bits(id).value() == Some(0))
    }

    pub(super) fn exec(&mut self, exec: Registers) -> Exec {
        let mask = self.mask(exec);
        let known = |id: Id| self.fact(id).is_mask || self.bits(id).value().is_some();
        if self.is_nonzero(mask) {
            Exec::NonZero
        } else if self.is_zero(mask) {
            Exec::Zero
        } else if mask.halves().all(known) {
            Exec::MaybeZero
        } else {
            Exec::Unknown
        }
    }

    /// Takes it that a value is zero, and what follows from that; false when that cannot be.
    pub(super) fn assume_zero(&mut self, mask: Mask) -> bool {
        self.make_zero(mask) && self.follow_links()
    }

    /// Takes it that a value is not zero, and what follows from that; false when that cannot be.
    pub(super) fn assume_nonzero(&mut self, mask: Mask) -> bool {
        self.make_nonzero(mask) && self.follow_links()
    }

    pub(super) fn make_zero(&mut self, mask: Mask) -> bool {
        if self.is_nonzero(mask) {
            return false;
        }
        self.set_bits(mask, Bits::constant(0));
        let clauses = std::mem::take(&mut self.clauses);
        clauses.into_iter().for_each(|clause| self.add_clause(clause));
        true
    }

    pub(super) fn make_nonzero(&mut self, mask: Mask) -> bool {
        if self.is_zero(mask) {
            return false;
        }
        self.add_clause(vec![mask]);
        true
    }

    /// Both halves of a value are known to be `bits`.
    pub(super) fn set_bits(&mut self, mask: Mask, bits: Bits) {
        for id in mask.halves() {
            if let Some(fact) = usize::try_from(id).ok().and_then(|index| self.facts.get_mut(index)) {
                fact.bits = bits;
            }
        }
    }

    pub(super) fn add_clause(&mut self, mut clause: Clause) {
        clause.retain(|mask| !self.is_zero(*mask));
        clause.sort_unstable();
        clause.dedup();
        let implied = |have: &Clause| have.iter().all(|mask| clause.contains(mask));
        if clause.is_empty() || clause.len() > LONGEST_CLAUSE || self.clauses.iter().any(implied) {
            return;
        }
        self.clauses.retain(|have| !clause.iter().all(|mask| have.contains(mask)));
        self.clauses.push(clause);
        if self.clauses.len() > MOST_CLAUSES {
            let longest = self.clauses.iter().enumerate().max_by_key(|(_, clause)| clause.len());
            if let Some((index, _)) = longest {
                self.clauses.remove(index);
            }
        }
    }

    /// The value of `a op b`, which are equally wide.
    pub(super) fn combine(&mut self, op: BitOp, a: Mask, b: Mask) -> Mask {
        let (zero_a, zero_b) = (self.is_zero(a), self.is_zero(b));
        let all = |mask: Mask| mask.halves().all(|id| self.bits(id).value() == Some(u32::MAX));
        let same = match op {
            BitOp::Mov => Some(a),
            BitOp::And if a == b || all(b) => Some(a),
            BitOp::And if all(a) => Some(b),
            BitOp::Or if a == b || zero_b => Some(a),
            BitOp::Or if zero_a => Some(b),
            BitOp::Xor | BitOp::AndNot if zero_b => Some(a),
            BitOp::Xor | BitOp::NotAnd if zero_a => Some(b),
            _ => None,
        };
        if let Some(same) = same {
            return same;
        }
        let is_none = a == b && matches!(op, BitOp::Xor | BitOp::AndNot | BitOp::NotAnd);
        let mut half = |a: Id, b: Id| {
            let bits = if is_none { Bits::constant(0) } else { Bits::apply(op, self.bits(a), self.bits(b)) };
            let is_mask = self.fact(a).is_mask || self.fact(b).is_mask;
            self.fresh(Fact { bits, is_mask, ..Fact::UNKNOWN })
        };
        let result = Mask { low: half(a.low, b.low), high: a.high.zip(b.high).map(|(a, b)| half(a, b)) };
        if !self.is_zero(result) {
            self.infer(op, a, b, result);
            self.link_result(op, a, b, result);
        }
        result
    }

    /// Clauses about `result`: where `a` is not zero, what it can have gone to is not.
    fn infer(&mut self, op: BitOp, a: Mask, b: Mask, result: Mask) {
        let goes: &[(Mask, &[Mask])] = match op {
            BitOp::Or => &[(a, &[result]), (b, &[result])],
            BitOp::Xor => &[(a, &[result, b]), (b, &[result, a])],
            BitOp::AndNot => &[(a, &[result, b])],
            BitOp::NotAnd => &[(b, &[result, a])],
            BitOp::OrNot => &[(a, &[result])],
            BitOp::NotOr => &[(b, &[result])],
            _ => &[],
        };
        for (from, to) in goes {
            let mut found: Vec<Clause> = Vec::new();
            if from.halves().any(|id| self.bits(id).is_nonzero()) {
                found.push(to.to_vec());
            }
            for clause in self.clauses.iter().filter(|clause| clause.contains(from)) {
                found.push(clause.iter().filter(|mask| *mask != from).chain(*to).copied().collect());
            }
            found.into_iter().for_each(|clause| self.add_clause(clause));
        }
    }
}

impl Mask {
    /// One value of 32 bits.
    pub(super) const fn narrow(low: Id) -> Mask {
        Mask { low, high: None }
    }

    /// Its 32-bit parts.
    pub(super) fn halves(self) -> impl Iterator<Item = Id> {
        std::iter::once(self.low).chain(self.high)
    }
}

impl Fact {
    pub(super) const UNKNOWN: Fact =
        Fact { bits: Bits::UNKNOWN, is_mask: false, is_hardware_id: false, at_hardware_id: None };
}

/// Frame and stack pointers are `s32` and above (LLVM's AMDGPU usage page, "Call Convention").
const FIRST_FRAME_REGISTER: u16 = 32;
