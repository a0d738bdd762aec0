//! 32 bits of which some are known.

use crate::machine::exec::BitOp;

/// 32 bits of which some are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    zeros: u32,
    ones: u32,
}

impl Bits {
    /// All known.
    pub const fn constant(value: u32) -> Bits {
        Bits { zeros: !value, ones: value }
    }

    /// Nothing is known.
    pub const UNKNOWN: Bits = Bits { zeros: 0, ones: 0 };

    /// The value, when all bits are known.
    pub const fn value(self) -> Option<u32> {
        if self.zeros | self.ones == u32::MAX { Some(self.ones) } else { None }
    }

    /// The bits of `mask`, when all of those are known.
    pub const fn value_of(self, mask: u32) -> Option<u32> {
        if (self.zeros | self.ones) & mask == mask { Some(self.ones & mask) } else { None }
    }

    /// Whether some bit is known to be set.
    pub const fn is_nonzero(self) -> bool {
        self.ones != 0
    }

    /// With bit 0 as told, bits above those of `mask` clear, and the rest unknown.
    pub(super) const fn lowest(bit: bool, mask: u32) -> Bits {
        let below = if mask == 0 { 0 } else { u32::MAX >> mask.leading_zeros() };
        if bit { Bits { zeros: !(below | 1), ones: 1 } } else { Bits { zeros: !below | 1, ones: 0 } }
    }

    /// What holds for both.
    pub(super) const fn join(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    const fn not(self) -> Bits {
        Bits { zeros: self.ones, ones: self.zeros }
    }

    const fn and(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros | other.zeros, ones: self.ones & other.ones }
    }

    const fn or(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones | other.ones }
    }

    const fn xor(self, other: Bits) -> Bits {
        let known = (self.zeros | self.ones) & (other.zeros | other.ones);
        let value = self.ones ^ other.ones;
        Bits { zeros: known & !value, ones: known & value }
    }

    pub(super) const fn apply(op: BitOp, a: Bits, b: Bits) -> Bits {
        match op {
            BitOp::Mov => a,
            BitOp::Not => a.not(),
            BitOp::And => a.and(b),
            BitOp::Or => a.or(b),
            BitOp::Xor => a.xor(b),
            BitOp::AndNot => a.and(b.not()),
            BitOp::NotAnd => a.not().and(b),
            BitOp::OrNot => a.or(b.not()),
            BitOp::NotOr => a.not().or(b),
            BitOp::Nand => a.and(b).not(),
            BitOp::Nor => a.or(b).not(),
            BitOp::Xnor => a.xor(b).not(),
        }
    }

    /// Shifted by a known amount of 0 to 31.
    pub(super) const fn shift_left(self, by: u32) -> Bits {
        let by = by & 31;
        Bits { zeros: self.zeros << by | ((1 << by) - 1), ones: self.ones << by }
    }

    /// Shifted by a known amount of 0 to 31; zeros come in.
    pub(super) const fn shift_right(self, by: u32) -> Bits {
        let by = by & 31;
        Bits { zeros: self.zeros >> by | !(u32::MAX >> by), ones: self.ones >> by }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OPS: [BitOp; 12] = [
        BitOp::Mov,
        BitOp::Not,
        BitOp::And,
        BitOp::Or,
        BitOp::Xor,
        BitOp::AndNot,
        BitOp::NotAnd,
        BitOp::OrNot,
        BitOp::NotOr,
        BitOp::Nand,
        BitOp::Nor,
        BitOp::Xnor,
    ];

    fn exact(op: BitOp, a: u32, b: u32) -> u32 {
        Bits::apply(op, Bits::constant(a), Bits::constant(b)).value().unwrap()
    }

    proptest! {
        #[test]
        fn what_is_known_of_a_result_holds(a: u32, b: u32, known_a: u32, known_b: u32, op in 0..12_usize, by in 0..32_u32) {
            let some = |value: u32, known: u32| Bits { zeros: !value & known, ones: value & known };
            let result = Bits::apply(OPS[op], some(a, known_a), some(b, known_b));
            let value = exact(OPS[op], a, b);
            prop_assert_eq!((result.ones & !value, result.zeros & value), (0, 0));
            let shifted = some(a, known_a).shift_left(by);
            prop_assert_eq!((shifted.ones & !(a << by), shifted.zeros & (a << by)), (0, 0));
            let shifted = some(a, known_a).shift_right(by);
            prop_assert_eq!((shifted.ones & !(a >> by), shifted.zeros & (a >> by)), (0, 0));
        }
    }

    #[test]
    fn operations_are_what_their_names_say() {
        let (a, b) = (0b1100, 0b1010);
        assert_eq!(exact(BitOp::AndNot, a, b), 0b0100);
        assert_eq!(exact(BitOp::NotAnd, a, b), 0b0010);
        assert_eq!(exact(BitOp::OrNot, a, b), !0b0010);
        assert_eq!(exact(BitOp::Xnor, a, b), !0b0110);
    }

    #[test]
    fn the_lowest_bit_of_a_shifted_mask() {
        assert_eq!(Bits::lowest(true, 3).value_of(!2), Some(1));
        assert_eq!(Bits::lowest(false, 3).value_of(1), Some(0));
        assert!(!Bits::lowest(false, 3).is_nonzero());
        assert_eq!(Bits::lowest(true, 1).value(), Some(1));
    }
}
