//! What a traced word is: a header, or a record of a payload.

use sqtt_contract::marker::{Encoding, Marker};

use super::Markers;
use super::bits::Bits;

/// What a marker instruction traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Traced {
    /// A record that belongs to the payload of the header in front of it.
    Payload,
    /// A header of which all that matters is known.
    Header {
        /// Its id; 0 in a bare exit.
        id: u32,
        /// It opens a scope.
        enter: bool,
        /// It closes a scope.
        exit: bool,
    },
    /// A header whose flags are known, but not its id.
    Flags {
        /// It opens a scope.
        enter: bool,
        /// It closes a scope.
        exit: bool,
    },
    /// A header that is known at run time only.
    Dynamic,
}

impl Traced {
    /// Takes a header's word apart as far as it is known.
    pub(super) fn header(bits: Bits, markers: &Markers<'_>) -> Traced {
        let of = |marker: Marker| Traced::Header { id: marker.id, enter: marker.enter, exit: marker.exit };
        if let Some(word) = bits.value() {
            return of(markers.encoding.decode_among(word, |id| markers.index.contains(id)).marker);
        }
        let packed = !markers.encoding.packed_clock_mask();
        if markers.encoding.has_clock()
            && let Some(word) = bits.value_of(packed)
        {
            return of(markers.encoding.decode(word).marker);
        }
        const FLAGS: u32 = 3;
        match bits.value_of(FLAGS) {
            Some(flags) => {
                let marker = Encoding::PLAIN.decode(flags).marker;
                Traced::Flags { enter: marker.enter, exit: marker.exit }
            }
            None => Traced::Dynamic,
        }
    }

    /// Whether it closes and whether it opens a scope. A reserved word does neither (spec "Semantic rules").
    pub(super) fn effect(self) -> (bool, bool) {
        match self {
            Traced::Header { id, enter, exit } => {
                let nothing = Marker { id, enter, exit }.is_no_op();
                (exit && !nothing, enter && !nothing)
            }
            Traced::Flags { enter, exit } => (exit, enter),
            Traced::Payload | Traced::Dynamic => (false, false),
        }
    }

    /// Records that follow it.
    pub(super) fn payload(self, markers: &Markers<'_>) -> u32 {
        match self {
            Traced::Header { id, .. } if id != 0 => markers.index.payload_count(id),
            _ => 0,
        }
    }
}
