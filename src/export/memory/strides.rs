//! Strides: how far the address of a lane is from that of the lane before.

use std::collections::BTreeMap;

/// How the addresses of one operation go on from lane to lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stride {
    /// No lane took part.
    Idle,
    /// One lane took part, so there is no stride.
    Single,
    /// All lanes have one address.
    Same,
    /// Each lane's element is behind that of the lane before.
    Unit,
    /// Each lane is so many bytes behind the lane before.
    Constant(i64),
    /// Anything else.
    Random,
}

impl Stride {
    /// The stride of `addresses`, lane and address, of elements of `element_bytes`. A lane that did not take part leaves a
    /// gap: `a[lane]` has unit stride also where every other lane is masked off.
    pub fn of(addresses: &[(u32, u64)], element_bytes: u64) -> Stride {
        let (&(first_lane, first), rest) = match addresses {
            [] => return Stride::Idle,
            [_] => return Stride::Single,
            [first, rest @ ..] => (first, rest),
        };
        let (second_lane, second) = rest[0];
        let (distance, gap) = (second.wrapping_sub(first) as i64, i64::from(second_lane) - i64::from(first_lane));
        if gap <= 0 || distance % gap != 0 {
            return Stride::Random;
        }
        let stride = distance / gap;
        let is_in_step = |&(lane, address): &(u32, u64)| {
            let lanes = i64::from(lane) - i64::from(first_lane);
            address == first.wrapping_add(stride.wrapping_mul(lanes) as u64)
        };
        if !rest.iter().all(is_in_step) {
            Stride::Random
        } else if stride == 0 {
            Stride::Same
        } else if stride > 0 && stride.unsigned_abs() == element_bytes {
            Stride::Unit
        } else {
            Stride::Constant(stride)
        }
    }
}

/// Operations by their strides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strides {
    counts: BTreeMap<Stride, u64>,
}

/// Strides that are told apart; further constants count as random.
const MOST: usize = 64;

impl Strides {
    /// Counts `more` operations.
    pub fn add(&mut self, stride: Stride, more: u64) {
        let is_full = self.counts.len() >= MOST && !self.counts.contains_key(&stride);
        let stride = if is_full && matches!(stride, Stride::Constant(_)) { Stride::Random } else { stride };
        *self.counts.entry(stride).or_default() += more;
    }

    /// The strides that were met, with the number of operations.
    pub fn iter(&self) -> impl Iterator<Item = (Stride, u64)> {
        self.counts.iter().map(|(stride, count)| (*stride, *count))
    }

    /// The most frequent one.
    pub fn most(&self) -> Option<(Stride, u64)> {
        self.iter().max_by_key(|(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(addresses: impl IntoIterator<Item = u64>) -> Stride {
        let addresses: Vec<(u32, u64)> = (0..).zip(addresses).collect();
        Stride::of(&addresses, 4)
    }

    #[test]
    fn the_classes_are_told_apart() {
        assert_eq!(of([]), Stride::Idle);
        assert_eq!(of([8]), Stride::Single);
        assert_eq!(of([8, 8, 8]), Stride::Same);
        assert_eq!(of([8, 12, 16]), Stride::Unit);
        assert_eq!(of([8, 24, 40]), Stride::Constant(16));
        assert_eq!(of([16, 12, 8]), Stride::Constant(-4));
        assert_eq!(of([8, 12, 20]), Stride::Random);
        assert_eq!(of([0, u64::MAX, 5]), Stride::Random);
    }

    #[test]
    fn lanes_that_are_masked_off_leave_a_gap() {
        assert_eq!(Stride::of(&[(1, 4), (3, 12), (7, 28)], 4), Stride::Unit);
        assert_eq!(Stride::of(&[(1, 4), (3, 8)], 4), Stride::Constant(2));
        assert_eq!(Stride::of(&[(1, 4), (3, 9)], 4), Stride::Random);
    }

    #[test]
    fn extreme_addresses_do_not_overflow() {
        assert_eq!(of([u64::MAX, 3]), Stride::Unit);
        assert_eq!(of([0, 1 << 63, 0]), Stride::Constant(i64::MIN));
    }

    #[test]
    fn any_number_of_constants_is_counted_in_bounded_memory() {
        let mut strides = Strides::default();
        (0..1000).for_each(|stride| strides.add(Stride::Constant(stride), 1));
        assert_eq!(strides.iter().map(|(_, count)| count).sum::<u64>(), 1000);
        assert!(strides.iter().count() <= MOST + 1);
        assert_eq!(strides.most(), Some((Stride::Random, 1000 - MOST as u64)));
    }
}
