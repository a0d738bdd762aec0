//! zlib and zstd streams -> bytes, never more than are declared.

use std::io::{self, Read};

use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::Malformed;

/// How some bytes are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Zlib,
    Zstd,
}

/// What was unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// How many bytes of the input the stream took.
    pub(super) consumed: usize,
}

/// First bytes of a zstd frame.
const ZSTD_MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

impl Method {
    /// The method of a stream that says so itself.
    pub(super) fn of(packed: &[u8]) -> Method {
        if packed.starts_with(ZSTD_MAGIC) { Method::Zstd } else { Method::Zlib }
    }
}

/// Unpacks the stream that `packed` begins with, which must come to exactly `size` bytes. Memory grows with what really
/// comes out, not with what is declared.
///
/// Errors: no stream of that method, or one of another size; unpacking stops one byte beyond the size.
pub(super) fn unpack(method: Method, packed: &[u8], size: u64) -> Result<Unpacked, Malformed> {
    let mut rest = packed;
    let bytes = match method {
        Method::Zlib => read_exactly(ZlibDecoder::new(&mut rest), packed.len(), size)?,
        Method::Zstd => {
            let decoder = StreamingDecoder::new(&mut rest).map_err(|error| Malformed::Packed(error.to_string()))?;
            read_exactly(decoder, packed.len(), size)?
        }
    };
    Ok(Unpacked { bytes, consumed: packed.len() - rest.len() })
}

fn read_exactly(stream: impl Read, packed: usize, size: u64) -> Result<Vec<u8>, Malformed> {
    // Half of what code shrinks to, so that little is moved when it grows and little is taken from a liar.
    let likely = size.min(packed as u64 * 4);
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(likely).unwrap_or(0)).map_err(|_| Malformed::OutOfMemory { size })?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::OutOfMemory => Malformed::OutOfMemory { size },
        _ => Malformed::Packed(error.to_string()),
    };
    stream.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 {
        real if real == size => Ok(bytes),
        real if real > size => Err(Malformed::UnpacksToMore { declared: size }),
        real => Err(Malformed::UnpacksToLess { declared: size, real }),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn a_stream_ends_where_it_ends_whatever_follows() {
        let data: Vec<u8> = (0..100_000_u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        for (method, packed) in [(Method::Zlib, zlib(&data)), (Method::Zstd, zstd(&data))] {
            assert_eq!(Method::of(&packed), method);
            let unpacked = unpack(method, &[&packed[..], b"CCOB and so on"].concat(), data.len() as u64).unwrap();
            assert!(unpacked.bytes == data, "{method:?}");
            assert_eq!(unpacked.consumed, packed.len(), "{method:?}");
        }
    }

    #[test]
    fn the_declared_size_is_what_must_come_out() {
        let data = vec![7; 5000];
        for (method, packed) in [(Method::Zlib, zlib(&data)), (Method::Zstd, zstd(&data))] {
            let size = |declared| unpack(method, &packed, declared).unwrap_err();
            assert_eq!(size(4999), Malformed::UnpacksToMore { declared: 4999 });
            assert_eq!(size(0), Malformed::UnpacksToMore { declared: 0 });
            assert_eq!(size(5001), Malformed::UnpacksToLess { declared: 5001, real: 5000 });
            assert_eq!(size(u64::MAX), Malformed::UnpacksToLess { declared: u64::MAX, real: 5000 });
        }
    }

    #[test]
    fn every_truncation_and_no_stream_at_all_is_an_error() {
        let data = vec![7; 5000];
        for (method, packed) in [(Method::Zlib, zlib(&data)), (Method::Zstd, zstd(&data))] {
            for length in 0..packed.len() {
                assert!(unpack(method, &packed[..length], 5000).is_err(), "{method:?} cut to {length}");
            }
            assert!(matches!(unpack(method, b"no stream at all", 5000), Err(Malformed::Packed(_))), "{method:?}");
        }
    }
}
