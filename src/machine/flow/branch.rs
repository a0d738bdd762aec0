//! Which ways of a branch can be taken, and what follows from taking one.

use super::state::{Scc, State};
use crate::machine::exec::{exec, vcc};
use crate::machine::instruction::Condition;

/// The states in which a branch is taken and is not taken; `None` for a way that cannot be gone.
pub(super) struct Ways {
    pub(super) taken: Option<State>,
    pub(super) next: Option<State>,
}

/// Splits `state` by `condition`.
pub(super) fn split(mut state: State, condition: Condition, wave_size: u32) -> Ways {
    let (mask, taken_if_zero) = match condition {
        Condition::ExecZero(when) => (state.mask(exec(wave_size)), when),
        Condition::VccZero(when) => (state.mask(vcc(wave_size)), when),
        Condition::Scc(when) => match state.scc {
            Scc::Known(bit) if bit == when => return Ways { taken: Some(state), next: None },
            Scc::Known(_) => return Ways { taken: None, next: Some(state) },
            Scc::Zero { mask, when: bit } => (mask, bit == when),
            Scc::Unknown => return both(state),
        },
        Condition::Unknown => return both(state),
    };
    let mut zero = state.clone();
    let zero = zero.assume_zero(mask).then_some(zero);
    let nonzero = state.assume_nonzero(mask).then_some(state);
    if taken_if_zero { Ways { taken: zero, next: nonzero } } else { Ways { taken: nonzero, next: zero } }
}

fn both(state: State) -> Ways {
    Ways { taken: Some(state.clone()), next: Some(state) }
}
