//! Equal elements of two sequences, in order.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Indices of equal elements of a longest common subsequence, ascending in both.
pub(super) fn in_order<T: Eq + Hash>(a: &[T], b: &[T]) -> Vec<(usize, usize)> {
    let equal = |op: DiffOp| match op {
        DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
        _ => None,
    };
    let runs = capture_diff_slices(Algorithm::Myers, a, b).into_iter().filter_map(equal);
    runs.flat_map(|(old, new, len)| (0..len).map(move |at| (old + at, new + at))).collect()
}

/// Takes equal elements out of both, in whatever order they stand: the first of each with the first of the other.
pub(super) fn take_equal<T, K: Eq + Hash>(a: &mut Vec<T>, b: &mut Vec<T>, key: impl Fn(&T) -> K) -> Vec<(T, T)> {
    let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
    for (at, one) in b.iter().enumerate() {
        waiting.entry(key(one)).or_default().push_back(at);
    }
    let mut others: Vec<Option<T>> = b.drain(..).map(Some).collect();
    let (mut taken, mut left) = (Vec::new(), Vec::new());
    for one in a.drain(..) {
        let at = waiting.get_mut(&key(&one)).and_then(VecDeque::pop_front);
        match at.and_then(|at| others[at].take()) {
            Some(other) => taken.push((one, other)),
            None => left.push(one),
        }
    }
    a.append(&mut left);
    b.extend(others.into_iter().flatten());
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_ascending_and_equal() {
        assert_eq!(in_order(&[1, 2, 3], &[2, 9, 3]), [(1, 0), (2, 2)]);
        assert_eq!(in_order::<u8>(&[], &[1]), []);
    }

    #[test]
    fn equal_elements_are_taken_in_any_order() {
        let (mut a, mut b) = (vec![1, 2, 3, 2], vec![2, 4, 2, 1]);
        assert_eq!(take_equal(&mut a, &mut b, |one| *one), [(1, 1), (2, 2), (2, 2)]);
        assert_eq!((a, b), (vec![3], vec![4]));
    }
}
