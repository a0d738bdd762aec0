//! How long calls took, in little memory.

use rustc_hash::FxHashMap;

/// Significant bits of a duration that are kept: it is exact below 1024 cycles, and within 0.1 % above.
const PRECISION: u32 = 11;

/// Durations in cycles. Least and greatest are exact; percentiles are those of durations as far as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: FxHashMap<u64, u64>,
    calls: u64,
    /// Least and greatest.
    range: Option<(u64, u64)>,
}

impl Histogram {
    /// Adds a call of so many cycles.
    pub(super) fn add(&mut self, cycles: u64) {
        *self.counts.entry(round(cycles)).or_default() += 1;
        self.calls += 1;
        let (least, greatest) = self.range.unwrap_or((cycles, cycles));
        self.range = Some((least.min(cycles), greatest.max(cycles)));
    }

    /// The least duration, in cycles.
    pub fn min(&self) -> Option<u64> {
        self.range.map(|(least, _)| least)
    }

    /// The greatest duration, in cycles.
    pub fn max(&self) -> Option<u64> {
        self.range.map(|(_, greatest)| greatest)
    }

    /// For each of `shares`, from 0 to 1, the duration in cycles that this share of the calls does not exceed (nearest
    /// rank); `None` without a call.
    pub fn percentiles<const N: usize>(&self, shares: [f64; N]) -> Option<[u64; N]> {
        let (least, greatest) = self.range?;
        let mut counts: Vec<(u64, u64)> = self.counts.iter().map(|(cycles, count)| (*cycles, *count)).collect();
        counts.sort_unstable();
        Some(shares.map(|share| {
            let mut left = ((self.calls as f64 * share).ceil() as u64).clamp(1, self.calls);
            let found = counts.iter().find(|(_, count)| {
                let is_here = left <= *count;
                left = left.saturating_sub(*count);
                is_here
            });
            found.map_or(greatest, |(cycles, _)| (*cycles).clamp(least, greatest))
        }))
    }
}

/// `cycles` with its low bits cleared.
fn round(cycles: u64) -> u64 {
    let dropped = (u64::BITS - cycles.leading_zeros()).saturating_sub(PRECISION);
    cycles >> dropped << dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_sorted_calls() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.percentiles([0.5]), None);
        for cycles in (1..=100).rev() {
            histogram.add(cycles);
        }
        assert_eq!((histogram.min(), histogram.max()), (Some(1), Some(100)));
        assert_eq!(histogram.percentiles([0.5, 0.99, 0.0, 1.0]), Some([50, 99, 1, 100]));
    }

    #[test]
    fn long_calls_are_kept_within_a_thousandth_and_the_ends_exactly() {
        let mut histogram = Histogram::default();
        histogram.add(1_234_567);
        histogram.add(u64::MAX);
        let [median] = histogram.percentiles([0.5]).unwrap();
        assert!(median.abs_diff(1_234_567) <= 1_234, "{median}");
        assert_eq!((histogram.min(), histogram.max()), (Some(1_234_567), Some(u64::MAX)));
        assert!((0..2048).all(|cycles| round(cycles) == cycles));
    }
}
