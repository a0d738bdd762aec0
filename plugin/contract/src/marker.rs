//! The 32-bit word of a marker: encode and decode side by side (spec "Marker Encoding").
//!
//! ```text
//! PLAIN    31                            2     1      0        packed   31        20 19        2     1      0
//!         +-------------------------------+-------+------+             +------------+-----------+-------+------+
//!         |          id (30 bits)         | enter | exit |             | clock bits |    id     | enter | exit |
//!         +-------------------------------+-------+------+             +------------+-----------+-------+------+
//! ```

use crate::variables::{SHADER_CLOCK_BITS, SHADER_CLOCK_SHIFT};

/// Flag bit: pop the top scope (before a push, when both flags are set).
const EXIT: u32 = 1;
/// Flag bit: push the id.
const ENTER: u32 = 2;
/// Bits of a word that are left to id and clock.
const ID_BITS: u32 = 30;

/// The largest id of a marker without a packed clock, 2^30-1.
pub const MAX_ID: u32 = (1 << ID_BITS) - 1;

/// The largest word that `s_ttracedata_imm` can carry: the hardware records its low 8 bits only (spec "Instruction
/// selection"). Whether the target has the instruction is not said here.
pub const MAX_IMMEDIATE: u32 = 0xFF;

/// What a marker does to the scope stack of its wave, and the id it carries.
///
/// Whether an id stands for a function, a user scope or a point is not in the word: the funcmap says that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marker {
    /// Identifier, 1..=2^30-1; 0 in a bare exit.
    pub id: u32,
    /// Pushes `id`.
    pub enter: bool,
    /// Pops the top scope first.
    pub exit: bool,
}

impl Marker {
    /// The bare exit, word 1: pops the top scope, whatever it is (spec "Semantic rules").
    pub const EXIT: Marker = Marker { id: 0, enter: false, exit: true };

    /// Opens scope `id`.
    pub const fn enter(id: u32) -> Marker {
        Marker { id, enter: true, exit: false }
    }

    /// An event that leaves the stack alone.
    pub const fn point(id: u32) -> Marker {
        Marker { id, enter: false, exit: false }
    }

    /// Closes the top scope and opens scope `id`, in one word (spec "Exit+enter fusion").
    pub const fn exit_enter(id: u32) -> Marker {
        Marker { id, enter: true, exit: true }
    }

    /// Whether this is the bare exit.
    pub const fn is_bare_exit(self) -> bool {
        self.id == 0 && self.exit && !self.enter
    }

    /// Whether this is the spec's reserved no-op: id 0 and not the bare exit.
    pub const fn is_no_op(self) -> bool {
        self.id == 0 && !self.is_bare_exit()
    }

    const fn flags(self) -> u32 {
        (if self.enter { ENTER } else { 0 }) | (if self.exit { EXIT } else { 0 })
    }
}

/// Layout of a marker header: without ([`Encoding::PLAIN`]) or with a packed shader clock.
///
/// Not every word of a trace follows the packed layout of its code object: see [`Encoding::decode_among`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    bits: u32,
    shift: u32,
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding::PLAIN
    }
}

impl Encoding {
    /// The full 30-bit id and no clock; the layout of a map without an `M:` row.
    pub const PLAIN: Encoding = Encoding { bits: 0, shift: 0 };

    /// The layout with the low `clock_bits` of the shader clock, taken from source bit `clock_shift` up.
    ///
    /// `clock_bits` 0 is [`Encoding::PLAIN`] whatever the shift. Errors when no id bit is left or the window leaves the
    /// clock's low word (spec "GFX12 Shader Clock Packing").
    pub const fn packed(clock_bits: u32, clock_shift: u32) -> Result<Encoding, LayoutError> {
        if clock_bits == 0 {
            return Ok(Encoding::PLAIN);
        }
        if clock_bits >= ID_BITS {
            return Err(LayoutError::NoIdBit { bits: clock_bits });
        }
        if clock_shift >= u32::BITS || clock_bits + clock_shift > u32::BITS {
            return Err(LayoutError::WindowTooHigh { bits: clock_bits, shift: clock_shift });
        }
        Ok(Encoding { bits: clock_bits, shift: clock_shift })
    }

    /// How many high bits hold the clock; 0 in [`Encoding::PLAIN`].
    pub const fn clock_bits(self) -> u32 {
        self.bits
    }

    /// The source bit of the shader clock that the window starts at.
    pub const fn clock_shift(self) -> u32 {
        self.shift
    }

    /// Whether headers carry a clock.
    pub const fn has_clock(self) -> bool {
        self.bits != 0
    }

    /// The largest id that fits.
    pub const fn max_id(self) -> u32 {
        (1 << (ID_BITS - self.bits)) - 1
    }

    /// The bits of a word that hold the id.
    pub const fn marker_id_mask(self) -> u32 {
        self.max_id() << 2
    }

    /// The bits of a word that hold the clock.
    pub const fn packed_clock_mask(self) -> u32 {
        !(self.marker_id_mask() | ENTER | EXIT)
    }

    /// The bits of the shader clock's low word that are sampled.
    pub const fn clock_source_mask(self) -> u32 {
        ((1 << self.bits) - 1) << self.shift
    }

    /// The word for `marker`, with the low [`clock_bits`](Self::clock_bits) of `clock` in the high bits.
    ///
    /// `clock` is the sample already shifted right by [`clock_shift`](Self::clock_shift), in units of 2^shift cycles; it
    /// is ignored without a packed clock. Errors when the id does not fit.
    pub const fn encode(self, marker: Marker, clock: u32) -> Result<u32, IdTooLarge> {
        if marker.id > self.max_id() {
            return Err(IdTooLarge { id: marker.id, bits: self.bits });
        }
        let word = marker.id << 2 | marker.flags();
        if self.has_clock() { Ok(word | clock << (u32::BITS - self.bits)) } else { Ok(word) }
    }

    /// Takes a word apart, on the understanding that it is a header of this layout.
    pub const fn decode(self, word: u32) -> Decoded {
        let marker =
            Marker { id: (word & self.marker_id_mask()) >> 2, enter: word & ENTER != 0, exit: word & EXIT != 0 };
        let clock = if self.has_clock() { Some(word >> (u32::BITS - self.bits)) } else { None };
        Decoded { marker, clock }
    }

    /// Takes apart a word of unknown origin: only ids that the map knows and bare exits have a packed clock, numeric
    /// markers of the user keep the plain layout (spec "C++ decoder marker encoding").
    ///
    /// `known` says whether the funcmap has an id. A numeric value whose low bits collide with a known id is ambiguous
    /// in the word itself and is taken as the known one.
    pub fn decode_among(self, word: u32, known: impl FnOnce(u32) -> bool) -> Decoded {
        let decoded = self.decode(word);
        if decoded.marker.is_bare_exit() || (decoded.marker.id != 0 && known(decoded.marker.id)) {
            decoded
        } else {
            Encoding::PLAIN.decode(word)
        }
    }
}

/// A word taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decoded {
    /// What the word does.
    pub marker: Marker,
    /// The packed sample, right-aligned, in units of 2^shift cycles; `None` in the plain layout.
    pub clock: Option<u32>,
}

/// A clock layout that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LayoutError {
    /// More than 29 clock bits.
    #[error("{SHADER_CLOCK_BITS} must leave at least one marker ID bit, {bits} does not: use at most 29")]
    NoIdBit {
        /// The clock bits asked for.
        bits: u32,
    },
    /// The window reaches past bit 31 of the clock's low word.
    #[error(
        "SQTT shader clock window must fit in shader_cycles_lo bits [31:0], {bits} bits from bit {shift} do not: lower {SHADER_CLOCK_BITS} or {SHADER_CLOCK_SHIFT}"
    )]
    WindowTooHigh {
        /// The clock bits asked for.
        bits: u32,
        /// The source bit they start at.
        shift: u32,
    },
}

/// An id that the layout has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("SQTT marker ID {id} does not fit with {SHADER_CLOCK_BITS}={bits}")]
pub struct IdTooLarge {
    /// The id.
    pub id: u32,
    /// The layout's clock bits.
    pub bits: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(bits: u32, shift: u32) -> (u32, u32, u32) {
        let encoding = Encoding::packed(bits, shift).unwrap();
        (encoding.marker_id_mask(), encoding.packed_clock_mask(), encoding.clock_source_mask())
    }

    #[test]
    fn masks_are_the_known_answers() {
        assert_eq!(masks(12, 4), (0x000F_FFFC, 0xFFF0_0000, 0x0000_FFF0));
        assert_eq!(masks(29, 3), (4, 0xFFFF_FFF8, 0xFFFF_FFF8));
        assert_eq!(masks(1, 31), (0x7FFF_FFFC, 0x8000_0000, 0x8000_0000));
        assert_eq!(masks(0, 99), (0xFFFF_FFFC, 0, 0));
        assert_eq!(Encoding::packed(0, 99), Ok(Encoding::PLAIN));
    }

    #[test]
    fn impossible_layouts_are_errors() {
        assert_eq!(Encoding::packed(30, 0), Err(LayoutError::NoIdBit { bits: 30 }));
        assert_eq!(Encoding::packed(u32::MAX, 0), Err(LayoutError::NoIdBit { bits: u32::MAX }));
        assert_eq!(Encoding::packed(12, 21), Err(LayoutError::WindowTooHigh { bits: 12, shift: 21 }));
        assert_eq!(Encoding::packed(1, 32), Err(LayoutError::WindowTooHigh { bits: 1, shift: 32 }));
        assert_eq!(Encoding::packed(1, u32::MAX), Err(LayoutError::WindowTooHigh { bits: 1, shift: u32::MAX }));
        assert!(Encoding::packed(12, 20).is_ok());
    }

    #[test]
    fn plain_words_are_the_specs() {
        let word = |marker| Encoding::PLAIN.encode(marker, u32::MAX).unwrap();
        assert_eq!(word(Marker::enter(4)), 18);
        assert_eq!(word(Marker::point(63)), 252);
        assert_eq!(word(Marker::exit_enter(3)), 15);
        assert_eq!(word(Marker::EXIT), 1);
        assert_eq!(word(Marker::point(MAX_ID)), 0xFFFF_FFFC);
        assert!(Encoding::PLAIN.encode(Marker::point(MAX_ID + 1), 0).is_err());
    }

    #[test]
    fn packed_words_carry_the_low_clock_bits() {
        let encoding = Encoding::packed(12, 4).unwrap();
        assert_eq!(encoding.encode(Marker::enter(3), 0x1100), Ok(0x1000_000E));
        assert_eq!(encoding.encode(Marker::EXIT, 0x100), Ok(0x1000_0001));
        assert_eq!(encoding.decode(0x1000_000E), Decoded { marker: Marker::enter(3), clock: Some(0x100) });
        assert_eq!(encoding.encode(Marker::point(1 << 18), 0), Err(IdTooLarge { id: 1 << 18, bits: 12 }));
    }

    #[test]
    fn id_0_is_a_no_op_but_for_the_bare_exit() {
        assert!(!Marker::EXIT.is_no_op());
        assert!(Marker::exit_enter(0).is_no_op() && Marker::enter(0).is_no_op() && Marker::point(0).is_no_op());
        assert!(!Marker::point(1).is_no_op());
    }

    #[test]
    fn only_known_ids_and_bare_exits_are_read_as_packed() {
        let encoding = Encoding::packed(12, 4).unwrap();
        let known = |id| id == 3;
        assert_eq!(encoding.decode_among(0x1000_000C, known).clock, Some(0x100));
        assert_eq!(encoding.decode_among(0x1000_0001, known).marker, Marker::EXIT);
        assert_eq!(
            encoding.decode_among(0x1000_0010, known),
            Decoded { marker: Marker::point(0x400_0004), clock: None }
        );
        assert_eq!(encoding.decode_among(0x1000_0003, |_| true).clock, None);
    }

    #[test]
    fn messages_name_the_variable_and_the_limit() {
        let no_bit = Encoding::packed(30, 0).unwrap_err().to_string();
        assert!(no_bit.starts_with("SQTT_SHADER_CLOCK_BITS must leave at least one marker ID bit"));
        let high = Encoding::packed(12, 21).unwrap_err().to_string();
        assert!(high.starts_with("SQTT shader clock window must fit in shader_cycles_lo bits [31:0]"));
        let large = IdTooLarge { id: 262_144, bits: 12 }.to_string();
        assert_eq!(large, "SQTT marker ID 262144 does not fit with SQTT_SHADER_CLOCK_BITS=12");
    }
}
