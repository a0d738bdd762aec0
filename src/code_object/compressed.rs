//! Compressed offload bundles (`--offload-compress`): recognised and measured, not unpacked.
//!
//! The header is clang's (CompressedOffloadBundle): `CCOB`, a 16-bit version and a 16-bit method, then from version 2
//! on the total size with the header (32 bits, 64 from version 3 on), the unpacked size and a hash.

use super::bytes::Cursor;
use super::kind::COMPRESSED_MAGIC;
use super::{Malformed, Piece, Reader, Unverified};

/// Notes the compressed bundle at `at` of `piece`. The result is its size in bytes, if its header tells it.
pub(super) fn read<'data>(reader: &mut Reader<'data>, piece: &Piece<'data>, at: usize, step: &str) -> Option<usize> {
    let bundle = &piece.bytes[at..];
    let place = piece.place.inside(step);
    let Some(header) = header(bundle).filter(|header| header.total.is_none_or(|total| total <= bundle.len())) else {
        reader.problem(&place, Malformed::CompressedHeader);
        return None;
    };
    reader.unverified(&place, Unverified::Compressed { version: header.version, method: header.method });
    header.total
}

struct Header {
    version: u16,
    method: u16,
    /// Size of header and contents in bytes; version 1 does not tell.
    total: Option<usize>,
}

fn header(bundle: &[u8]) -> Option<Header> {
    let mut cursor = Cursor::new(bundle);
    cursor.bytes(COMPRESSED_MAGIC.len() as u64)?;
    let version = cursor.u16()?;
    let method = cursor.u16()?;
    let total = match version {
        1 => return Some(Header { version, method, total: None }),
        2 => u64::from(cursor.u32()?),
        _ => cursor.u64()?,
    };
    let header_size: u64 = if version == 2 { 24 } else { 32 };
    let total = usize::try_from(total).ok().filter(|total| *total as u64 >= header_size)?;
    Some(Header { version, method, total: Some(total) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ccob(version: u16, fields: &[u8]) -> Vec<u8> {
        [COMPRESSED_MAGIC, &version.to_le_bytes(), &1_u16.to_le_bytes(), fields].concat()
    }

    #[test]
    fn the_size_stands_where_each_version_puts_it() {
        let total = |bytes: &[u8]| header(bytes).map(|header| header.total);
        assert_eq!(total(&ccob(1, &77_u32.to_le_bytes())), Some(None));
        assert_eq!(total(&ccob(2, &77_u32.to_le_bytes())), Some(Some(77)));
        assert_eq!(total(&ccob(3, &77_u64.to_le_bytes())), Some(Some(77)));
    }

    #[test]
    fn a_size_smaller_than_the_header_would_loop_for_ever() {
        assert!(header(&ccob(3, &0_u64.to_le_bytes())).is_none());
        assert!(header(&ccob(2, &23_u32.to_le_bytes())).is_none());
        assert!(header(&ccob(3, &[0; 4])).is_none());
    }
}
