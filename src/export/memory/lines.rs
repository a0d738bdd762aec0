//! Cache lines: how many an operation touches, and how many would hold what it asks for.

use std::ops::AddAssign;

/// Cache lines of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Lines that at least one byte is asked for of.
    pub touched: u64,
    /// Lines that all the bytes would fill if they lay side by side: what a coalesced operation touches.
    pub needed: u64,
}

impl Lines {
    /// The lines of `line_bytes` that accesses of `element_bytes` each at `addresses` touch. A byte that several lanes ask
    /// for counts once. `addresses` are sorted.
    pub fn of(addresses: &[u64], element_bytes: u64, line_bytes: u64) -> Lines {
        // The first line and the first byte that are not counted yet.
        let (mut next_line, mut next_byte) = (0, 0);
        let (mut touched, mut bytes) = (0u128, 0u128);
        for address in addresses {
            let (first, end) = (u128::from(*address), u128::from(*address) + u128::from(element_bytes));
            let behind = end.div_ceil(u128::from(line_bytes));
            touched += behind.saturating_sub((first / u128::from(line_bytes)).max(next_line));
            next_line = behind.max(next_line);
            bytes += end.saturating_sub(first.max(next_byte));
            next_byte = end.max(next_byte);
        }
        Lines { touched: touched as u64, needed: bytes.div_ceil(u128::from(line_bytes)) as u64 }
    }

    /// The share of what is fetched that was asked for, 0 to 1, in whole lines; `None` without a line.
    pub fn efficiency(self) -> Option<f64> {
        (self.touched > 0).then(|| self.needed as f64 / self.touched as f64)
    }
}

impl AddAssign for Lines {
    fn add_assign(&mut self, more: Lines) {
        self.touched += more.touched;
        self.needed += more.needed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 lanes, `stride` bytes from each to the next.
    fn strided(first: u64, stride: u64) -> Vec<u64> {
        (0..64).map(|lane| first + lane * stride).collect()
    }

    #[test]
    fn aligned_words_side_by_side_are_coalesced() {
        // 64 lanes of 4 bytes are 256 bytes: 4 lines of 64 bytes, 2 of 128.
        let addresses = strided(0x1000, 4);
        assert_eq!(Lines::of(&addresses, 4, 64), Lines { touched: 4, needed: 4 });
        assert_eq!(Lines::of(&addresses, 4, 128), Lines { touched: 2, needed: 2 });
    }

    #[test]
    fn a_shift_touches_one_line_more() {
        let lines = Lines::of(&strided(0x1004, 4), 4, 128);
        assert_eq!(lines, Lines { touched: 3, needed: 2 });
        assert_eq!(lines.efficiency(), Some(2.0 / 3.0));
        // 2 bytes before the boundary: the word lies in two lines.
        assert_eq!(Lines::of(&[0x103E], 4, 64), Lines { touched: 2, needed: 1 });
    }

    #[test]
    fn a_lane_in_each_line_wastes_most_of_it() {
        // 64 lines of 128 bytes for 256 bytes, which 2 lines hold.
        let lines = Lines::of(&strided(0, 128), 4, 128);
        assert_eq!((lines, lines.efficiency()), (Lines { touched: 64, needed: 2 }, Some(1.0 / 32.0)));
        // Every other word: 512 bytes are touched, 256 asked for.
        assert_eq!(Lines::of(&strided(0, 8), 4, 64), Lines { touched: 8, needed: 4 });
    }

    #[test]
    fn bytes_that_several_lanes_ask_for_count_once() {
        assert_eq!(Lines::of(&[0x40; 64], 4, 64), Lines { touched: 1, needed: 1 });
        // 17 words, one byte apart: 20 bytes.
        let overlapping: Vec<u64> = (0..17).collect();
        assert_eq!(Lines::of(&overlapping, 4, 4), Lines { touched: 5, needed: 5 });
    }

    #[test]
    fn the_last_address_does_not_overflow() {
        assert_eq!(Lines::of(&[u64::MAX], 16, 64), Lines { touched: 2, needed: 1 });
        assert_eq!((Lines::of(&[], 4, 64), Lines::default().efficiency()), (Lines::default(), None));
    }
}
