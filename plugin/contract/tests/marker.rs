//! Every layout takes apart what it put together.

use proptest::prelude::*;
use sqtt_contract::marker::{Encoding, Marker};

/// Every layout that there is.
fn layouts() -> Vec<Encoding> {
    let pairs = (0..64).flat_map(|bits| (0..64).map(move |shift| (bits, shift)));
    pairs.filter_map(|(bits, shift)| Encoding::packed(bits, shift).ok()).collect()
}

#[test]
fn every_layout_covers_the_word_without_overlap() {
    let layouts = layouts();
    // PLAIN 64 times, and for 1..=29 bits the shifts 0..=min(31, 32-bits).
    assert_eq!(layouts.len(), 64 + (1..=29).map(|bits| (32 - bits).min(31) + 1).sum::<usize>());
    for encoding in layouts {
        let (id, clock) = (encoding.marker_id_mask(), encoding.packed_clock_mask());
        assert_eq!(id ^ clock ^ 3, u32::MAX);
        assert_eq!(id & clock, 0);
        assert_eq!(clock.count_ones(), encoding.clock_bits());
        assert_eq!(encoding.clock_source_mask().count_ones(), encoding.clock_bits());
        assert_eq!(encoding.has_clock(), clock != 0);
    }
}

proptest! {
    #[test]
    fn markers_survive_in_every_layout(id in any::<u32>(), enter: bool, exit: bool, clock: u32) {
        for encoding in layouts() {
            let marker = Marker { id: id & encoding.max_id(), enter, exit };
            let decoded = encoding.decode(encoding.encode(marker, clock).unwrap());
            prop_assert_eq!(decoded.marker, marker);
            let sample = encoding.has_clock().then(|| clock & ((1 << encoding.clock_bits()) - 1));
            prop_assert_eq!(decoded.clock, sample);
        }
    }

    #[test]
    fn every_word_is_put_together_again(word: u32) {
        for encoding in layouts() {
            let decoded = encoding.decode(word);
            prop_assert_eq!(encoding.encode(decoded.marker, decoded.clock.unwrap_or(0)), Ok(word));
        }
    }

    #[test]
    fn an_id_that_is_too_large_is_refused(excess in 1..=u32::MAX) {
        for encoding in layouts() {
            let id = encoding.max_id().saturating_add(excess);
            prop_assert!(encoding.encode(Marker::point(id), 0).is_err());
        }
    }
}
