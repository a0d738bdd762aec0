//! Which code object of one build is which of another: the same target, and the most kernels in common.

use std::collections::BTreeSet;

use crate::code_object::{CodeObject, Target};

/// What tells a code object from the others of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) target: Target,
    /// Mangled.
    kernels: BTreeSet<Vec<u8>>,
}

impl Identity {
    pub(super) fn of(code_object: &CodeObject<'_>) -> Identity {
        // One whose symbols cannot be read is told by its target alone.
        let kernels = code_object.kernel_descriptors().unwrap_or_default();
        let kernels = kernels.iter().map(|kernel| kernel.kernel.to_vec()).collect();
        Identity { target: code_object.target().clone(), kernels }
    }

    fn in_common(&self, other: &Identity) -> usize {
        self.kernels.intersection(&other.kernels).count()
    }
}

/// What is known of one build's code objects, until each is taken for one of the other build.
#[derive(Debug)]
pub(super) struct Candidates<T>(Vec<(Identity, Option<T>)>);

impl<T> Candidates<T> {
    pub(super) fn new() -> Candidates<T> {
        Candidates(Vec::new())
    }

    pub(super) fn add(&mut self, identity: Identity, value: T) {
        self.0.push((identity, Some(value)));
    }

    /// Takes the one that is the same as `wanted`: most kernels in common, the first of several; without kernels the
    /// first that has none either.
    pub(super) fn take(&mut self, wanted: &Identity) -> Option<T> {
        let common = |(own, _): &(Identity, Option<T>)| match own.kernels.is_empty() && wanted.kernels.is_empty() {
            true => 1,
            false => own.in_common(wanted),
        };
        let left = self.0.iter_mut().filter(|(own, value)| value.is_some() && own.target == wanted.target);
        // Of equals the last is the greatest: from behind it is the first.
        left.rev().max_by_key(|one| common(one)).filter(|one| common(one) > 0)?.1.take()
    }

    /// Takes the first of that target that is left.
    pub(super) fn take_any(&mut self, target: &Target) -> Option<T> {
        self.0.iter_mut().find(|(own, value)| value.is_some() && own.target == *target)?.1.take()
    }

    /// What is left, in order.
    pub(super) fn rest(self) -> impl Iterator<Item = T> {
        self.0.into_iter().filter_map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(processor: &str, kernels: &[&str]) -> Identity {
        let target = Target { triple: "amdgcn-amd-amdhsa-".into(), processor: processor.into(), features: Vec::new() };
        Identity { target, kernels: kernels.iter().map(|name| name.as_bytes().to_vec()).collect() }
    }

    #[test]
    fn most_kernels_in_common_win_and_each_is_taken_once() {
        let mut candidates = Candidates::new();
        for (number, kernels) in [&["a"][..], &["a", "b"], &[], &["a", "b"]].iter().enumerate() {
            candidates.add(identity("gfx942", kernels), number);
        }
        candidates.add(identity("gfx1100", &["a", "b"]), 9);
        assert_eq!(candidates.take(&identity("gfx942", &["a", "b", "c"])), Some(1));
        assert_eq!(candidates.take(&identity("gfx942", &["a", "b", "c"])), Some(3));
        assert_eq!(candidates.take(&identity("gfx942", &["d"])), None);
        assert_eq!(candidates.take(&identity("gfx942", &[])), Some(2));
        let target = identity("gfx942", &[]).target;
        assert_eq!((candidates.take_any(&target), candidates.take_any(&target)), (Some(0), None));
        assert_eq!(candidates.rest().collect::<Vec<_>>(), [9]);
    }
}
