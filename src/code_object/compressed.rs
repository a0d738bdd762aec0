//! Compressed offload bundles (`--offload-compress`).
//!
//! The header is clang's (CompressedOffloadBundle): `CCOB`, a 16-bit version and a 16-bit method, then from version 2
//! on the total size with the header, the unpacked size (both 32 bits, 64 from version 3 on) and a hash: the first 8
//! bytes of the MD5 of the unpacked bundle. Version 1 has no total: there the stream itself tells where it ends.

use md5::{Digest, Md5};

use super::bytes::Cursor;
use super::kind::COMPRESSED_MAGIC;
use super::reader::{Piece, Reader};
use super::unpack::{Method, Unpacked, unpack};
use super::{Kind, Malformed, Unverified, bundle};

/// Reads the compressed bundle at `at` of `piece`. The result is its size in bytes, if it can be told.
pub(super) fn read<'data>(
    reader: &mut Reader<'data, '_>,
    piece: &Piece<'data>,
    at: usize,
    step: &str,
) -> Option<usize> {
    let bundle = &piece.bytes[at..];
    let place = piece.place.inside(step);
    let header = match header(bundle) {
        Some(Ok(header)) if header.total.is_none_or(|total| total <= bundle.len()) => header,
        Some(Err(what)) => {
            reader.unverified(&place, what);
            return None;
        }
        _ => {
            reader.problem(&place, Malformed::CompressedHeader);
            return None;
        }
    };
    let packed = &bundle[header.size..header.total.unwrap_or(bundle.len())];
    let unknown = Unverified::Compressed { version: header.version, method: header.method };
    let method = match header.method {
        0 => Method::Zlib,
        1 => Method::Zstd,
        _ => {
            reader.unverified(&place, unknown);
            return header.total;
        }
    };
    if piece.offset.is_none() {
        // No tool compresses twice, and each time could multiply what comes out.
        reader.problem(&place, Malformed::TooDeep);
        return header.total;
    }
    if !reader.may_unpack(&place, header.unpacked) {
        return header.total;
    }
    match unpack(method, packed, header.unpacked) {
        Ok(Unpacked { bytes, consumed }) => {
            if hash(&bytes) != header.hash {
                reader.problem(&place, Malformed::UnpackedHash);
            }
            read_unpacked(reader, &piece.unpacked(bytes), step);
            header.total.or_else(|| header.size.checked_add(consumed))
        }
        Err(malformed) => {
            reader.problem(&place, malformed);
            header.total
        }
    }
}

fn read_unpacked<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, step: &str) {
    if !reader.spend(piece) {
        return;
    }
    match Kind::of(&piece.bytes) {
        Kind::Bundle => {
            bundle::read_bundle(reader, piece, 0, step);
        }
        _ => reader.problem(&piece.place.inside(step), Malformed::NoBundle { offset: 0 }),
    }
}

/// The first 8 bytes of the MD5.
fn hash(bytes: &[u8]) -> [u8; 8] {
    let digest = Md5::digest(bytes);
    std::array::from_fn(|index| digest[index])
}

#[derive(Debug, PartialEq, Eq)]
struct Header {
    version: u16,
    method: u16,
    /// Of the header itself, in bytes.
    size: usize,
    /// Size of header and contents in bytes; version 1 does not tell.
    total: Option<usize>,
    /// In bytes.
    unpacked: u64,
    hash: [u8; 8],
}

/// The header that `bundle` begins with; `None` when it is cut off or its sizes are impossible, an error when it is of a
/// later version.
fn header(bundle: &[u8]) -> Option<Result<Header, Unverified>> {
    let mut cursor = Cursor::new(bundle);
    cursor.bytes(COMPRESSED_MAGIC.len() as u64)?;
    let version = cursor.u16()?;
    let method = cursor.u16()?;
    let (total, unpacked) = match version {
        1 => (None, cursor.u32()?.into()),
        2 => (Some(cursor.u32()?.into()), cursor.u32()?.into()),
        3 => (Some(cursor.u64()?), cursor.u64()?),
        _ => return Some(Err(Unverified::Compressed { version, method })),
    };
    let hash = cursor.bytes(8)?.try_into().ok()?;
    let size = cursor.position();
    let total = match total {
        Some(total) => Some(usize::try_from(total).ok().filter(|total| *total >= size)?),
        None => None,
    };
    Some(Ok(Header { version, method, size, total, unpacked, hash }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ccob(version: u16, fields: &[&[u8]]) -> Vec<u8> {
        [COMPRESSED_MAGIC, &version.to_le_bytes(), &1_u16.to_le_bytes(), &fields.concat()].concat()
    }

    #[test]
    fn the_fields_stand_where_each_version_puts_them() {
        let read = |bytes: &[u8]| header(bytes).unwrap().map(|header| (header.size, header.total, header.unpacked));
        let (small, big) = (77_u32.to_le_bytes(), 99_u32.to_le_bytes());
        assert_eq!(read(&ccob(1, &[&big, b"hashhash"])), Ok((20, None, 99)));
        assert_eq!(read(&ccob(2, &[&small, &big, b"hashhash"])), Ok((24, Some(77), 99)));
        let (small, big) = (77_u64.to_le_bytes(), 99_u64.to_le_bytes());
        assert_eq!(read(&ccob(3, &[&small, &big, b"hashhash"])), Ok((32, Some(77), 99)));
        for version in [0, 4, u16::MAX] {
            assert_eq!(
                header(&ccob(version, &[&small, &big, b"hashhash"])),
                Some(Err(Unverified::Compressed { version, method: 1 }))
            );
        }
    }

    #[test]
    fn a_size_smaller_than_the_header_would_loop_for_ever() {
        assert!(header(&ccob(3, &[&[0; 24]])).is_none());
        assert!(header(&ccob(2, &[&23_u32.to_le_bytes(), &[0; 12]])).is_none());
        assert!(header(&ccob(3, &[&[0; 4]])).is_none());
    }
}
