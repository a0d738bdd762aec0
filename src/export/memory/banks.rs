//! LDS banks: how often an operation must go to LDS because lanes want different words of one bank.
//!
//! LDS serves one 4-byte word of each bank at a time. Lanes that want the same word share it; lanes that want different words
//! of a bank wait for each other. As many lanes go together as can fill all banks: 32 of single words with 32 banks, half
//! as many of double words.

use std::ops::AddAssign;

/// Bytes of a word.
const WORD: u64 = 4;

/// Passes through LDS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Passes that were needed.
    pub taken: u64,
    /// Passes that would be enough if no two lanes wanted different words of a bank.
    pub least: u64,
    /// The largest number of words of one bank that lanes which go together wanted.
    pub worst: u64,
}

impl Passes {
    /// The passes of an access of `element_bytes` by each lane at `addresses`, lane and offset, with `banks` banks.
    pub fn of(addresses: &[(u32, u64)], element_bytes: u64, banks: u64) -> Passes {
        let together = (banks / element_bytes.div_ceil(WORD).max(1)).max(1);
        let mut passes = Passes::default();
        for group in addresses.chunk_by(|one, other| u64::from(one.0) / together == u64::from(other.0) / together) {
            let words = |(_, address): &(u32, u64)| address / WORD..=address.saturating_add(element_bytes - 1) / WORD;
            let mut wanted: Vec<u64> = group.iter().flat_map(words).collect();
            wanted.sort_unstable_by_key(|word| (word % banks, *word));
            wanted.dedup();
            let of_bank = wanted.chunk_by(|one, other| one % banks == other % banks).map(<[u64]>::len);
            let taken = of_bank.max().unwrap_or(0) as u64;
            passes += Passes { taken, least: 1, worst: taken };
        }
        passes
    }

    /// Passes that only conflicts make necessary.
    pub fn conflicts(self) -> u64 {
        self.taken - self.least
    }
}

impl AddAssign for Passes {
    fn add_assign(&mut self, more: Passes) {
        self.taken += more.taken;
        self.least += more.least;
        self.worst = self.worst.max(more.worst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `lanes` lanes, `stride` bytes from each to the next.
    fn strided(lanes: u32, stride: u64) -> Vec<(u32, u64)> {
        (0..lanes).map(|lane| (lane, u64::from(lane) * stride)).collect()
    }

    fn passes(taken: u64, least: u64, worst: u64) -> Passes {
        Passes { taken, least, worst }
    }

    #[test]
    fn words_side_by_side_have_no_conflict() {
        assert_eq!(Passes::of(&strided(32, 4), 4, 32), passes(1, 1, 1));
        // 64 lanes go through 32 banks in two halves.
        assert_eq!(Passes::of(&strided(64, 4), 4, 32), passes(2, 2, 1));
        assert_eq!(Passes::of(&strided(64, 4), 4, 64), passes(1, 1, 1));
    }

    #[test]
    fn strides_of_powers_of_two_conflict() {
        // Every other word: lanes 0 and 16 want words 0 and 32, both of bank 0 of 32; of 64 banks word 32 has its own.
        assert_eq!(Passes::of(&strided(32, 8), 4, 32), passes(2, 1, 2));
        assert_eq!(Passes::of(&strided(32, 8), 4, 64), passes(1, 1, 1));
        // A column of a 32x32 matrix of words: all in bank 0 of 32, every other one in bank 0 of 64.
        assert_eq!(Passes::of(&strided(32, 128), 4, 32), passes(32, 1, 32));
        assert_eq!(Passes::of(&strided(32, 128), 4, 64), passes(16, 1, 16));
        // The padding of one word that everybody adds to it.
        assert_eq!(Passes::of(&strided(32, 132), 4, 32), passes(1, 1, 1));
    }

    #[test]
    fn lanes_that_want_the_same_word_share_it() {
        assert_eq!(Passes::of(&strided(32, 0), 4, 32), passes(1, 1, 1));
        // Bytes of one word.
        assert_eq!(Passes::of(&strided(4, 1), 1, 32), passes(1, 1, 1));
    }

    #[test]
    fn double_words_go_in_halves() {
        // 32 lanes of 8 bytes fill 32 banks twice.
        assert_eq!(Passes::of(&strided(32, 8), 8, 32), passes(2, 2, 1));
        // 16 bytes apart: lanes 0 and 8 of each half want words 0 and 32.
        assert_eq!(Passes::of(&strided(32, 16), 8, 32), passes(4, 2, 2));
    }

    #[test]
    fn lanes_that_are_masked_off_take_no_pass() {
        assert_eq!(Passes::of(&[], 4, 32), passes(0, 0, 0));
        let high = strided(64, 4).split_off(32);
        assert_eq!(Passes::of(&high, 4, 32), passes(1, 1, 1));
        assert_eq!(Passes::of(&[(0, u64::MAX)], 16, 64), passes(1, 1, 1));
    }
}
