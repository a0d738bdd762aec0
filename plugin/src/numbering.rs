//! Provisional ids become the ids that are traced: dense, from 1, the busiest first.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::faults::{Point, lacks};
use crate::ledger::{Entry, Kind, Ledger};

/// Final id of each provisional id that survived.
pub(crate) type Numbering = HashMap<u32, u32>;

/// Numbers the entries whose mark is still in the code; `emissions` counts marks per provisional id.
///
/// The `early` first entries come first. With functions among them they are ordered by their count, so that the most
/// used ones fit the immediate form (ids to 63); names alone keep their order. Behind them come barriers and memory
/// groups, then what was met later. An entry without a mark gets no id, and so no row; the groups always have theirs.
pub(crate) fn number(ledger: &Ledger, early: usize, emissions: &HashMap<u32, u32>) -> Numbering {
    let count = |entry: &Entry| emissions.get(&entry.id).copied().unwrap_or(0);
    let is_system = |entry: &&Entry| entry.kind == Kind::System;
    let (early, late) = ledger.entries().split_at(early);
    let mut order: Vec<&Entry> = early.iter().collect();
    if early.iter().any(|entry| entry.kind == Kind::Function) {
        order.sort_by_key(|entry| (Reverse(count(entry)), entry.id));
    }
    order.extend(late.iter().filter(is_system));
    order.extend(late.iter().filter(|entry| !is_system(entry)));
    let has_row = |entry: &&Entry| is_system(entry) || count(entry) > 0 || lacks(Point::NoDeadRows);
    order.into_iter().filter(has_row).map(|entry| entry.id).zip(1..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(kinds: &[Kind]) -> Ledger {
        let mut ledger = Ledger::default();
        for (index, kind) in kinds.iter().enumerate() {
            ledger.add(Entry::new(*kind, vec![b'a' + u8::try_from(index).unwrap()]));
        }
        ledger
    }

    fn counts(counts: &[(u32, u32)]) -> HashMap<u32, u32> {
        counts.iter().copied().collect()
    }

    #[test]
    fn busiest_first_and_ties_by_provisional_id() {
        let ledger = ledger(&[Kind::Scope, Kind::Function, Kind::Function]);
        let numbering = number(&ledger, 3, &counts(&[(1, 2), (2, 2), (3, 4)]));
        assert_eq!(numbering, counts(&[(3, 1), (1, 2), (2, 3)]));
    }

    #[test]
    fn names_alone_keep_their_order_and_close_gaps() {
        let ledger = ledger(&[Kind::Scope, Kind::Scope, Kind::Point]);
        let numbering = number(&ledger, 3, &counts(&[(1, 1), (3, 9)]));
        assert_eq!(numbering, counts(&[(1, 1), (3, 2)]));
    }

    #[test]
    fn late_entries_come_last_however_busy() {
        let ledger = ledger(&[Kind::Function, Kind::Scope]);
        assert_eq!(number(&ledger, 1, &counts(&[(1, 1), (2, 9)])), counts(&[(1, 1), (2, 2)]));
    }

    #[test]
    fn groups_stand_between_early_and_late_entries_used_or_not() {
        let ledger = ledger(&[Kind::Scope, Kind::Point, Kind::System, Kind::System, Kind::Addresses]);
        let numbering = number(&ledger, 1, &counts(&[(1, 1), (2, 1), (3, 1), (5, 1)]));
        assert_eq!(numbering, counts(&[(1, 1), (3, 2), (4, 3), (2, 4), (5, 5)]));
    }
}
