//! One record of a trace: a 32-bit value that a wave wrote, with when and where.

/// A record as `shaderdata_*.json` has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    /// Arrival in cycles of the shader clock, from the start of the engine's trace.
    pub cycles: i64,
    /// What was written.
    pub value: u32,
    /// Compute unit; on gfx10 and later the WGP in bits 0..=6 and the shader array in bit 7.
    pub cu: u8,
    /// SIMD of the compute unit.
    pub simd: u8,
    /// Wave slot of the SIMD, `wave_id` in the files.
    pub slot: u8,
    /// [`IMMEDIATE`](Record::IMMEDIATE) and [`PRIVILEGED`](Record::PRIVILEGED).
    pub flags: u8,
}

impl Record {
    /// Flag: written by `s_ttracedata_imm`, so the value has 8 bits.
    pub const IMMEDIATE: u8 = 1;
    /// Flag: written by the trap handler. Such records are no markers.
    pub const PRIVILEGED: u8 = 2;

    /// Whether the value is an immediate.
    pub const fn is_immediate(&self) -> bool {
        self.flags & Record::IMMEDIATE != 0
    }

    /// Whether the trap handler wrote it.
    pub const fn is_privileged(&self) -> bool {
        self.flags & Record::PRIVILEGED != 0
    }

    /// Compute unit, SIMD and wave slot in one word, for tables.
    pub(super) const fn place(&self) -> u32 {
        (self.cu as u32) << 16 | (self.simd as u32) << 8 | self.slot as u32
    }
}
