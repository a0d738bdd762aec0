//! What some lanes of a wave have done up to a place.

/// What opened a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A caller.
    Caller,
    /// One enter, by number.
    Enter(usize),
    /// One or another.
    Several,
}

/// A place where lanes parted that have not all met again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parting {
    pub(crate) id: usize,
    /// How many scopes were open there: all lanes share these.
    pub(crate) floor: usize,
    /// Which of the two ways on from there the lanes took, as bits; both, where some of each have met.
    pub(crate) sides: u8,
}

/// The scopes that lanes left open on their way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Way {
    pub(crate) open: Vec<Opening>,
    /// What the exits closed that are the last thing on the way.
    pub(crate) tail: Vec<Opening>,
    /// Behind an exit of the tail is work that an optimiser may move or remove.
    pub(crate) soft: bool,
    pub(crate) partings: Vec<Parting>,
}

impl Way {
    /// Scopes were closed that other lanes have open; right only if nothing comes until they meet.
    pub(crate) fn is_pending(&self) -> bool {
        self.partings.iter().any(|parting| self.open.len() < parting.floor)
    }

    /// The way of the lanes that go to `side` (1 or 2) where others go elsewhere.
    pub(crate) fn parted(&self, id: usize, side: u8) -> Way {
        let mut way = self.clone();
        way.partings.push(Parting { id, floor: self.open.len(), sides: side });
        way
    }

    pub(crate) fn has_parting(&self, id: usize) -> bool {
        self.partings.iter().any(|parting| parting.id == id)
    }

    /// Where lanes of the one and the other way parted.
    fn partings_from<'a>(&'a self, other: &'a Way) -> impl Iterator<Item = Parting> + 'a {
        self.partings.iter().copied().filter(|parting| {
            let theirs = other.partings.iter().find(|theirs| theirs.id == parting.id);
            theirs.is_some_and(|theirs| theirs.sides | parting.sides == 3)
        })
    }
}

/// What is to say about ways that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    Good,
    Unclear(&'static str),
    Bad(&'static str),
}

/// Whether `ways` fit together where they meet.
pub(crate) fn meet(ways: &[Way]) -> Meeting {
    let Some(first) = ways.first() else { return Meeting::Good };
    if ways.iter().any(|way| way.open.len() != first.open.len()) {
        return Meeting::Bad("ways with different depths meet");
    }
    for (at, way) in ways.iter().enumerate() {
        for other in &ways[at + 1..] {
            if way.partings_from(other).any(|parting| way.open.len() > parting.floor) {
                return Meeting::Bad("some lanes open a scope that is open where they meet others");
            }
        }
    }
    let Some(pending) = ways.iter().find(|way| way.is_pending()) else { return Meeting::Good };
    let floor = pending.partings.iter().map(|parting| parting.floor).max().unwrap_or(0);
    let exits = floor - pending.open.len();
    let joined = |way: &Way| way.tail.iter().rev().take(exits).copied().collect::<Vec<_>>();
    // Nested scopes are closed from the inside, so that equal depths mean equal exits: but not of ways that parted
    // uniformly and did something else behind their exits.
    let meets_alone = |way: &Way| way.partings_from(pending).next().is_none();
    if ways.iter().any(|way| meets_alone(way) && joined(way) != joined(pending)) {
        return Meeting::Unclear("exits can be joined, but not with all ways that meet them");
    }
    if joined(pending).contains(&Opening::Several) {
        return Meeting::Unclear("exits of a scope that several enters open");
    }
    if ways.iter().any(|way| way.soft) {
        return Meeting::Unclear("exits with something behind them that may go away");
    }
    Meeting::Good
}

/// The way on from where `ways` meet, without the partings in `resolved`.
pub(crate) fn merge(ways: &[Way], resolved: impl Fn(usize) -> bool) -> Option<Way> {
    let mut merged = ways.first()?.clone();
    for way in &ways[1..] {
        for (one, other) in merged.open.iter_mut().zip(&way.open) {
            *one = if *one == *other { *one } else { Opening::Several };
        }
        let same = merged.tail.iter().rev().zip(way.tail.iter().rev()).take_while(|(one, other)| one == other).count();
        merged.tail.drain(..merged.tail.len() - same);
        merged.soft |= way.soft;
        for parting in &way.partings {
            match merged.partings.iter_mut().find(|known| known.id == parting.id) {
                Some(known) => known.sides |= parting.sides,
                None => merged.partings.push(*parting),
            }
        }
    }
    merged.partings.retain(|parting| !resolved(parting.id));
    Some(merged)
}
