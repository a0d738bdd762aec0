//! What the payload of an address trace says: the lanes that took part in an operation, and their addresses.
//!
//! Not what the operation moved: a trace has no sizes.

use sqtt_contract::addresses::Form;
use sqtt_contract::funcmap::ADDRESS_PREFIX;

use crate::trace::{Marker, Payload};

/// One memory operation of one wave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Lanes that took part, a bit each. Of a wave of 32 lanes the high half is 0.
    pub exec: u64,
    /// Lanes of the wave, 32 or 64.
    pub wave_size: u32,
    /// The buffer, of an operation on one.
    pub buffer: Option<Buffer>,
    /// Lane and address in bytes of each lane in [`exec`](Access::exec), by lane: a virtual address, or an offset in LDS.
    /// Lanes whose records are missing are left out.
    pub addresses: Vec<(u32, u64)>,
    /// Whether records of the block are missing.
    pub is_cut: bool,
}

/// What the records say of a buffer: the first two words of its descriptor, and the wave's offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Its address in bytes, 48 bits.
    pub base: u64,
    /// Bytes from one record to the next, 14 bits: what an index counts.
    pub stride: u32,
    /// The two bits above the stride. Where they ask for swizzling, the hardware permutes what [`Access::addresses`] gives
    /// in a row.
    pub swizzle: u32,
    /// The offset of the whole wave in bytes.
    pub soffset: u32,
}

/// Where an operation's addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global or flat memory.
    Global,
    /// Memory through a buffer descriptor.
    Buffer,
    /// LDS.
    Lds,
    /// No memory: the byte index of another lane, four a lane.
    Permute,
}

impl Space {
    /// The word for it in outputs.
    pub const fn word(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Buffer => "buffer",
            Space::Lds => "lds",
            Space::Permute => "permute",
        }
    }
}

/// Records of EXEC.
const EXEC_WORDS: usize = 2;

/// Records of the descriptor and the wave's offset.
const BUFFER_WORDS: usize = 3;

/// Bits of a buffer's address in the descriptor's second word.
const BASE_HIGH: u32 = 0xFFFF;

impl Access {
    /// Takes the payload of an address trace of `form` apart (spec "Framing protocol").
    ///
    /// How many lanes there are follows from how many records the map declares. `None` when that number is not one of the
    /// form, and when the block was cut before the first lane: only the words themselves say something then.
    pub fn read(form: Form, payload: Payload<'_>) -> Option<Access> {
        let wave_size = [32, 64].into_iter().find(|lanes| form.payload_count(*lanes) == payload.declared)?;
        let lanes = wave_size as usize;
        let (&[low, high], rest) = payload.words.split_first_chunk::<EXEC_WORDS>()?;
        let mask = if wave_size == 32 { u64::from(u32::MAX) } else { u64::MAX };
        let exec = wide(low, high) & mask;
        let is_buffer = matches!(form, Form::Buffer | Form::StructBuffer);
        let (buffer, words) = if is_buffer {
            let (head, words) = rest.split_first_chunk::<BUFFER_WORDS>()?;
            (Some(Buffer::read(head)), words)
        } else {
            (None, rest)
        };
        let address = |lane: usize| -> Option<u64> {
            let word = |at: usize| words.get(at).copied();
            match (form, &buffer) {
                (Form::Pointer, _) => Some(wide(word(2 * lane)?, word(2 * lane + 1)?)),
                (Form::Word, _) | (_, None) => word(lane).map(u64::from),
                (Form::Buffer, Some(buffer)) => Some(buffer.address(word(lane)?, 0)),
                (Form::StructBuffer, Some(buffer)) => Some(buffer.address(word(lane)?, word(lanes + lane)?)),
            }
        };
        let active = (0..wave_size).filter(|lane| exec >> lane & 1 == 1);
        let addresses = active.filter_map(|lane| Some((lane, address(lane as usize)?))).collect();
        Some(Access { exec, wave_size, buffer, addresses, is_cut: payload.is_cut() })
    }
}

impl Buffer {
    fn read(&[low, high, soffset]: &[u32; BUFFER_WORDS]) -> Buffer {
        Buffer { base: wide(low, high & BASE_HIGH), stride: high >> 16 & 0x3FFF, swizzle: high >> 30, soffset }
    }

    /// The address of offset `offset` in record `index`; as the sum, so without swizzling and without the check of the
    /// buffer's end.
    pub fn address(&self, offset: u32, index: u32) -> u64 {
        self.base + u64::from(self.soffset) + u64::from(offset) + u64::from(index) * u64::from(self.stride)
    }
}

/// The kind of operation in the name of an address trace: `lds_load` of `addr_trace_lds_load`.
pub fn kind(marker: &Marker) -> &str {
    marker.symbol.strip_prefix(ADDRESS_PREFIX).unwrap_or(&marker.symbol)
}

/// Where the addresses of an address trace of `form` are.
pub fn space(form: Form, marker: &Marker) -> Space {
    match form {
        Form::Pointer => Space::Global,
        Form::Buffer | Form::StructBuffer => Space::Buffer,
        Form::Word if kind(marker).starts_with("lds_") => Space::Lds,
        Form::Word => Space::Permute,
    }
}

fn wide(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(form: Form, lanes: u32, words: &[u32]) -> Option<Access> {
        Access::read(form, Payload { words, declared: form.payload_count(lanes) })
    }

    #[test]
    fn only_lanes_in_exec_have_addresses() {
        let mut words = vec![0b101, 0xFFFF_FFFF];
        words.extend((0..32).flat_map(|lane| [0x1000 + 4 * lane, 0x7F]));
        let access = read(Form::Pointer, 32, &words).unwrap();
        assert_eq!(access.addresses, [(0, 0x7F_0000_1000), (2, 0x7F_0000_1008)]);
        assert_eq!((access.exec, access.wave_size, access.is_cut), (0b101, 32, false));
    }

    #[test]
    fn the_high_half_of_exec_counts_in_waves_of_64() {
        let words: Vec<u32> = [0, 0x8000_0000].into_iter().chain(0..64).collect();
        assert_eq!(read(Form::Word, 64, &words).unwrap().addresses, [(63, 63)]);
    }

    #[test]
    fn buffers_are_base_and_offsets() {
        // Base 0xBEEF_0000_1000, stride 48 with both swizzle bits: bits 47:32, 61:48 and 63:62 of the descriptor.
        let mut words = vec![1 << 3, 0, 0x1000, 0xC000_0000 | 48 << 16 | 0xBEEF, 0x100];
        words.extend((0..32).map(|lane| 4 * lane));
        let access = read(Form::Buffer, 32, &words).unwrap();
        assert_eq!(access.addresses, [(3, 0xBEEF_0000_1000 + 0x100 + 12)]);
        let buffer = Buffer { base: 0xBEEF_0000_1000, stride: 48, swizzle: 3, soffset: 0x100 };
        assert_eq!(access.buffer, Some(buffer));
        words.extend((0..32).map(|lane| 10 * lane));
        let access = read(Form::StructBuffer, 32, &words).unwrap();
        assert_eq!(access.addresses, [(3, 0xBEEF_0000_1000 + 0x100 + 12 + 30 * 48)]);
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        let words = [u32::MAX; 69];
        let access = read(Form::StructBuffer, 32, &words).unwrap();
        let largest = 0xFFFF_FFFF_FFFF + 2 * 0xFFFF_FFFF + 0xFFFF_FFFF * 0x3FFF;
        assert_eq!(access.addresses[31], (31, largest));
    }

    #[test]
    fn a_block_that_was_cut_gives_the_lanes_that_are_whole() {
        let access = read(Form::Pointer, 32, &[u32::MAX, 0, 1, 0, 2]).unwrap();
        assert_eq!((access.addresses.as_slice(), access.is_cut), ([(0, 1)].as_slice(), true));
        assert_eq!(read(Form::Pointer, 32, &[u32::MAX]), None);
        assert_eq!(read(Form::Buffer, 32, &[u32::MAX, 0, 1, 2]), None);
    }

    #[test]
    fn a_count_that_no_wave_has_gives_nothing() {
        assert_eq!(Access::read(Form::Word, Payload { words: &[0; 40], declared: 40 }), None);
        assert_eq!(Access::read(Form::Word, Payload { words: &[], declared: 0 }), None);
    }
}
