//! Which waves are told of.

use std::ops::RangeInclusive;

use super::wave::{Kernel, Slot};
use crate::demangle::demangle;

/// Numbers of one kind; an empty list is all of them.
pub type Numbers = Vec<RangeInclusive<u64>>;

/// What a user wants to see of a trace; everything by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Shader engines.
    pub engines: Numbers,
    /// Compute units.
    pub cus: Numbers,
    /// SIMDs.
    pub simds: Numbers,
    /// Wave slots.
    pub waves: Numbers,
    /// Dispatches, by the number in the names of `ui_` directories.
    pub dispatches: Numbers,
    /// Part of a kernel's name, mangled or demangled.
    pub kernel: Option<String>,
}

impl Selection {
    /// Whether a directory of this dispatch is wanted; one without a number only when all are.
    pub(super) fn has_dispatch(&self, dispatch: Option<u64>) -> bool {
        self.dispatches.is_empty() || dispatch.is_some_and(|dispatch| has(&self.dispatches, dispatch))
    }

    pub(super) fn has_engine(&self, engine: u32) -> bool {
        has(&self.engines, engine.into())
    }

    pub(super) fn has_slot(&self, slot: Slot) -> bool {
        has(&self.cus, slot.cu.into()) && has(&self.simds, slot.simd.into()) && has(&self.waves, slot.wave.into())
    }

    pub(super) fn has_kernel(&self, kernel: Option<&Kernel>) -> bool {
        let Some(part) = &self.kernel else { return true };
        kernel.is_some_and(|kernel| {
            kernel.symbol.contains(part)
                || demangle(kernel.symbol.as_bytes()).is_some_and(|name| name.contains(part.as_str()))
        })
    }
}

fn has(numbers: &Numbers, number: u64) -> bool {
    numbers.is_empty() || numbers.iter().any(|range| range.contains(&number))
}
