//! Bytes of a file or unpacked from one; reading little-endian fields and slices out of bytes that may end anywhere.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Some bytes: a stretch of the file, or one of what was unpacked, which lives as long as any stretch of it.
#[derive(Clone)]
pub(super) enum Bytes<'data> {
    File(&'data [u8]),
    Unpacked { all: Arc<Vec<u8>>, range: Range<usize> },
}

impl<'data> Bytes<'data> {
    /// `size` bytes at `offset`, if they are all there.
    pub(super) fn part(&self, offset: u64, size: u64) -> Option<Bytes<'data>> {
        match self {
            Bytes::File(bytes) => slice(bytes, offset, size).map(Bytes::File),
            Bytes::Unpacked { all, range } => {
                let part = slice_range(range.len(), offset, size)?;
                let range = range.start + part.start..range.start + part.end;
                Some(Bytes::Unpacked { all: Arc::clone(all), range })
            }
        }
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::File(bytes) => bytes,
            Bytes::Unpacked { all, range } => all.get(range.clone()).unwrap_or_default(),
        }
    }
}

impl<'data> From<&'data [u8]> for Bytes<'data> {
    fn from(bytes: &'data [u8]) -> Bytes<'data> {
        Bytes::File(bytes)
    }
}

impl From<Vec<u8>> for Bytes<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::Unpacked { range: 0..bytes.len(), all: Arc::new(bytes) }
    }
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = if matches!(self, Bytes::File(_)) { "of the file" } else { "unpacked" };
        write!(f, "{} bytes {source}", self.len())
    }
}

/// A position in some bytes that only moves forward. Every read is `None` when fewer bytes are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'data> {
    all: &'data [u8],
    position: usize,
}

impl<'data> Cursor<'data> {
    pub(super) fn new(all: &'data [u8]) -> Cursor<'data> {
        Cursor { all, position: 0 }
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn bytes(&mut self, size: u64) -> Option<&'data [u8]> {
        let found = slice(self.all, self.position as u64, size)?;
        self.position += found.len();
        Some(found)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.bytes(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.bytes(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}

/// `size` bytes at `offset`, if they are all there.
pub(super) fn slice(bytes: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    bytes.get(slice_range(bytes.len(), offset, size)?)
}

/// The range of `size` bytes at `offset` out of `length`, if they are all there.
fn slice_range(length: usize, offset: u64, size: u64) -> Option<Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    (end <= length).then_some(start..end)
}

/// Where the first byte that is not zero stands, from `from` on.
pub(super) fn skip_zeros(bytes: &[u8], from: usize) -> Option<usize> {
    const STRIDE: usize = 64;
    let rest = bytes.get(from..)?;
    // Whole strides first: padding may be as long as the file.
    let zeros = rest.chunks_exact(STRIDE).take_while(|chunk| chunk.iter().fold(0, |all, byte| all | byte) == 0).count();
    let skipped = zeros * STRIDE;
    let found = rest[skipped..].iter().position(|byte| *byte != 0)?;
    Some(from + skipped + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_parts_are_the_same_whether_unpacked_or_not() {
        let data: Vec<u8> = (0..100).collect();
        for bytes in [Bytes::from(&data[..]), Bytes::from(data.clone())] {
            let part = bytes.part(10, 50).unwrap();
            assert_eq!((&*part, &*part.part(5, 2).unwrap()), (&data[10..60], &[15_u8, 16][..]));
            assert_eq!(part.part(50, 0).unwrap().len(), 0);
            for (offset, size) in [(0, 51), (50, 1), (51, 0), (u64::MAX, 1), (1, u64::MAX)] {
                assert!(part.part(offset, size).is_none(), "{offset} {size}");
            }
        }
    }

    #[test]
    fn zeros_of_any_length_are_skipped() {
        for length in 0..200 {
            for from in 0..=length {
                let bytes = [vec![0; length], vec![7; 3]].concat();
                assert_eq!(skip_zeros(&bytes, from), Some(length));
                assert_eq!(skip_zeros(&bytes[..length], from), None);
            }
        }
        assert_eq!(skip_zeros(&[1], 5), None);
    }
}
