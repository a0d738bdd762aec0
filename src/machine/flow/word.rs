//! What a traced word is: a header, or a record of a payload.

use sqtt_contract::marker::{Encoding, Marker};

use super::Markers;
use super::bits::Bits;

/// A header that a marker instruction can trace, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Header {
    /// All that matters, which is all but the clock.
    Known {
        /// Its id; 0 in a bare exit.
        id: u32,
        /// It opens a scope.
        enter: bool,
        /// It closes a scope.
        exit: bool,
    },
    /// The flags, but not the id.
    Flags {
        /// It opens a scope.
        enter: bool,
        /// It closes a scope.
        exit: bool,
    },
    /// Any word: it is known at run time only.
    Any,
}

/// What a marker instruction traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Traced {
    /// A record that belongs to the payload of the header in front of it.
    Payload,
    /// A header.
    Header(Header),
}

impl Header {
    /// The header of a marker that is known.
    pub const fn of(marker: Marker) -> Header {
        Header::Known { id: marker.id, enter: marker.enter, exit: marker.exit }
    }

    /// Whether it can be `marker`.
    pub fn matches(self, marker: Marker) -> bool {
        match self {
            Header::Known { .. } => self == Header::of(marker),
            Header::Flags { enter, exit } => (enter, exit) == (marker.enter, marker.exit),
            Header::Any => true,
        }
    }

    /// Takes a header's word apart as far as it is known.
    pub(super) fn of_word(bits: Bits, markers: &Markers<'_>) -> Header {
        if let Some(word) = bits.value() {
            return Header::of(markers.encoding.decode_among(word, |id| markers.index.contains(id)).marker);
        }
        let packed = !markers.encoding.packed_clock_mask();
        if markers.encoding.has_clock()
            && let Some(word) = bits.value_of(packed)
        {
            return Header::of(markers.encoding.decode(word).marker);
        }
        const FLAGS: u32 = 3;
        match bits.value_of(FLAGS) {
            Some(flags) => {
                let marker = Encoding::PLAIN.decode(flags).marker;
                Header::Flags { enter: marker.enter, exit: marker.exit }
            }
            None => Header::Any,
        }
    }

    /// Whether it closes and whether it opens a scope. A reserved word does neither (spec "Semantic rules").
    pub(super) fn effect(self) -> (bool, bool) {
        match self {
            Header::Known { id, enter, exit } => {
                let nothing = Marker { id, enter, exit }.is_no_op();
                (exit && !nothing, enter && !nothing)
            }
            Header::Flags { enter, exit } => (exit, enter),
            Header::Any => (false, false),
        }
    }

    /// Records that follow it.
    pub(super) fn payload(self, markers: &Markers<'_>) -> u32 {
        match self {
            Header::Known { id, .. } if id != 0 => markers.index.payload_count(id),
            _ => 0,
        }
    }
}
