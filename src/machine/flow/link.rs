//! Values that are zero exactly when another is: what `s_cselect` makes of a condition.
//!
//! ```text
//! s_cmp_eq_u32 s4, 0                 ; s4 is what the guards of a function go by
//! s_cselect_b64 s[6:7], -1, 0        ; zero where s4 is not
//! s_and_b64 vcc, exec, s[6:7]        ; the same, as EXEC has a lane
//! s_cbranch_vccnz ...                ; tells whether s4 is zero, and so where the other guards of s4 go
//! ```

use super::bits::Bits;
use super::state::{Fact, Mask, State};
use crate::machine::exec::BitOp;

/// One value tells whether another is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) result: Mask,
    /// What the result goes by.
    pub(super) of: Mask,
    /// They are zero together; otherwise one of the two is, always.
    pub(super) same: bool,
    /// All bits of the result are the same.
    pub(super) is_uniform: bool,
}

/// Links that are kept.
pub(super) const MOST_LINKS: usize = 48;

impl State {
    /// One of two values: the first if SCC is set, where SCC is `when` if `mask` is zero.
    pub(super) fn selected(&mut self, mask: Mask, when: bool, [one, other]: [Mask; 2]) -> Mask {
        if one == other {
            return one;
        }
        let mut half = |one, other| {
            let (one, other) = (self.fact(one), self.fact(other));
            let is_mask = one.is_mask && other.is_mask;
            self.fresh(Fact { bits: one.bits.join(other.bits), is_mask, ..Fact::UNKNOWN })
        };
        let high = one.high.zip(other.high).map(|(one, other)| half(one, other));
        let result = Mask { low: half(one.low, other.low), high };
        let is_uniform = self.is_all(one) || self.is_all(other);
        if self.is_zero(other) && self.is_nonzero(one) {
            self.add_link(Link { result, of: mask, same: !when, is_uniform });
        } else if self.is_zero(one) && self.is_nonzero(other) {
            self.add_link(Link { result, of: mask, same: when, is_uniform });
        }
        result
    }

    /// Links of the value of `a op b`.
    pub(super) fn link_result(&mut self, op: BitOp, a: Mask, b: Mask, result: Mask) {
        let source = |negated: bool, from: Mask| (from, negated);
        let sources = match op {
            BitOp::And => vec![(source(false, a), Some(b)), (source(false, b), Some(a))],
            BitOp::AndNot => vec![(source(true, b), Some(a))],
            BitOp::NotAnd => vec![(source(true, a), Some(b))],
            BitOp::Not => vec![(source(true, a), None)],
            BitOp::Xor if self.is_all(b) => vec![(source(true, a), None)],
            BitOp::Xor if self.is_all(a) => vec![(source(true, b), None)],
            _ => Vec::new(),
        };
        for ((from, negated), within) in sources {
            if within.is_some_and(|within| !self.is_nonzero(within)) {
                continue;
            }
            let is_uniform = within.is_none_or(|within| self.is_all(within));
            for link in self.links.clone().into_iter().filter(|link| link.result == from && link.is_uniform) {
                self.add_link(Link { result, same: link.same != negated, is_uniform, ..link });
            }
        }
    }

    fn add_link(&mut self, link: Link) {
        if self.links.len() < MOST_LINKS && !self.links.contains(&link) {
            self.links.push(link);
        }
    }

    /// Whether a link holds: it is one, or what it says is known of both values.
    pub(super) fn has_link(&self, link: &Link) -> bool {
        let is_one = |have: &Link| {
            (have.result, have.of, have.same) == (link.result, link.of, link.same)
                && (have.is_uniform || !link.is_uniform)
        };
        if self.links.iter().any(is_one) {
            return true;
        }
        match (self.zeroness(link.result), self.zeroness(link.of)) {
            (Some(result), Some(of)) => {
                let fits_form = result || !link.is_uniform || self.is_all(link.result);
                (result == of) == link.same && fits_form
            }
            _ => false,
        }
    }

    /// Makes known what follows from the links; false when they contradict what is known.
    pub(super) fn follow_links(&mut self) -> bool {
        // Each round but the last settles one value at least.
        for _ in 0..=2 * self.links.len() {
            let mut settled = true;
            for link in self.links.clone() {
                let fits = match (self.zeroness(link.result), self.zeroness(link.of)) {
                    (None, None) => continue,
                    (Some(result), Some(of)) => {
                        if (result == of) != link.same {
                            return false;
                        }
                        continue;
                    }
                    (None, Some(of)) => self.settle(link.result, of == link.same, link.is_uniform),
                    (Some(result), None) => self.settle(link.of, result == link.same, false),
                };
                settled = false;
                if !fits {
                    return false;
                }
            }
            if settled {
                break;
            }
        }
        true
    }

    fn settle(&mut self, mask: Mask, zero: bool, is_uniform: bool) -> bool {
        if zero {
            return self.make_zero(mask);
        }
        if is_uniform {
            self.set_bits(mask, Bits::constant(u32::MAX));
        }
        self.make_nonzero(mask)
    }

    /// Whether a value is zero, if that is known.
    fn zeroness(&self, mask: Mask) -> Option<bool> {
        if self.is_zero(mask) { Some(true) } else { self.is_nonzero(mask).then_some(false) }
    }

    fn is_all(&self, mask: Mask) -> bool {
        mask.halves().all(|id| self.bits(id).value() == Some(u32::MAX))
    }
}
