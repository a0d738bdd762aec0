//! How much of a file may be unpacked.

/// Bounds on what compressed contents may grow to. Contents that were never compressed are bounded by the file itself.
///
/// What goes beyond one is not unpacked but named ([`super::Unverified::OverLimit`]), with the limit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that one compressed bundle or offload binary may unpack to. It is in memory as a whole while it is read.
    pub unpacked: u64,
    /// Bytes that all compressed contents of a file may unpack to, for each byte of the file, beside
    /// [`Limits::GROWTH_BASE`]. zlib reaches 1000 on zeros and zstd 30000; code for many GPUs stays below 100.
    pub growth: u64,
}

impl Limits {
    /// Bytes that the compressed contents of any file may unpack to, however small it is.
    pub const GROWTH_BASE: u64 = 64 << 20;

    /// What may be unpacked altogether out of a file of `size` bytes, in bytes.
    pub(super) fn total(&self, size: usize) -> u64 {
        self.growth.saturating_mul(size as u64).saturating_add(Limits::GROWTH_BASE)
    }
}

impl Default for Limits {
    /// 4 GiB in one piece, and 128 bytes for each byte of the file.
    fn default() -> Limits {
        Limits { unpacked: 4 << 30, growth: 128 }
    }
}
