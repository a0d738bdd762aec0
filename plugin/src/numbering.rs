//! Provisional ids become the ids that are traced: dense, from 1, the busiest first.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::ledger::{Entry, Kind, Ledger};

/// Final id of each provisional id that survived.
pub(crate) type Numbering = HashMap<u32, u32>;

/// Numbers the entries whose mark is still in the code; `emissions` counts marks per provisional id.
///
/// With functions instrumented, the entries of the early phase are ordered by their count, so that the most used
/// ones fit the immediate form (ids to 63); without, they keep their order. Entries that were met later come
/// behind them. An entry without a mark gets no id, and so no row.
pub(crate) fn number(ledger: &Ledger, early: usize, emissions: &HashMap<u32, u32>, is_o0: bool) -> Numbering {
    let count = |entry: &Entry| emissions.get(&entry.id).copied().unwrap_or(0);
    let (early, late) = ledger.entries().split_at(early);
    let mut order: Vec<&Entry> = early.iter().collect();
    if !is_o0 && ledger.has(Kind::Function) {
        order.sort_by_key(|entry| (Reverse(count(entry)), entry.id));
    }
    order.extend(late);
    order.into_iter().filter(|entry| count(entry) > 0).map(|entry| entry.id).zip(1..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(kinds: &[Kind]) -> Ledger {
        let mut ledger = Ledger::default();
        for (index, kind) in kinds.iter().enumerate() {
            ledger.add(*kind, vec![b'a' + u8::try_from(index).unwrap()], None, 0);
        }
        ledger
    }

    fn counts(counts: &[(u32, u32)]) -> HashMap<u32, u32> {
        counts.iter().copied().collect()
    }

    #[test]
    fn busiest_first_and_ties_by_provisional_id() {
        let ledger = ledger(&[Kind::Scope, Kind::Function, Kind::Function]);
        let numbering = number(&ledger, 3, &counts(&[(1, 2), (2, 2), (3, 4)]), false);
        assert_eq!(numbering, counts(&[(3, 1), (1, 2), (2, 3)]));
    }

    #[test]
    fn names_alone_keep_their_order_and_close_gaps() {
        let ledger = ledger(&[Kind::Scope, Kind::Scope, Kind::Point]);
        let numbering = number(&ledger, 3, &counts(&[(1, 1), (3, 9)]), false);
        assert_eq!(numbering, counts(&[(1, 1), (3, 2)]));
    }

    #[test]
    fn late_entries_come_last_however_busy() {
        let ledger = ledger(&[Kind::Function, Kind::Scope]);
        assert_eq!(number(&ledger, 1, &counts(&[(1, 1), (2, 9)]), false), counts(&[(1, 1), (2, 2)]));
    }
}
