//! Reading little-endian fields and slices out of bytes that may end anywhere.

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
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(size).ok()?)?;
    bytes.get(start..end)
}
