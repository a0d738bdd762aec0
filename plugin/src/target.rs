//! What the pass must know of each GPU: one table, each row with its source.

use sqtt_contract::settings::{Field, Scope};

use crate::clock::ClockSource;
use crate::faults::{Point, lacks};
use crate::llvm::{Function, Module};

/// A field of a hardware id register that a scope mask selects by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HardwareField {
    /// Number of the hardware register.
    register: u32,
    /// Lowest bit.
    offset: u32,
    /// Width in bits.
    bits: u32,
}

impl HardwareField {
    /// The operand of `s_getreg`: size-1 in bits 15:11, offset in 10:6, register in 5:0 (every ISA manual).
    pub(crate) const fn getreg_operand(self) -> u32 {
        ((self.bits - 1) << 11) | (self.offset << 6) | self.register
    }
}

/// Properties that targets share.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Whether `s_ttracedata_imm` exists.
    pub(crate) immediate: bool,
    /// Operand of the `s_nop` between the write of M0 and `s_ttracedata`.
    pub(crate) m0_nop: u8,
    /// Where the shader clock is read that headers can carry.
    pub(crate) clock: Option<ClockSource>,
    /// Lanes of a wave, unless the function's features say otherwise.
    lanes: u32,
    wave: HardwareField,
    simd: HardwareField,
    cu: HardwareField,
    wg: HardwareField,
}

impl Target {
    /// The masks of `scope` that filter something, each with the field it selects by.
    pub(crate) fn filters(&self, scope: &Scope) -> Vec<(u32, HardwareField)> {
        let filtering = Field::ALL.into_iter().filter(|field| scope.filters(*field));
        filtering.map(|field| (scope.mask(field), self.field(field))).collect()
    }

    fn field(&self, field: Field) -> HardwareField {
        match field {
            Field::Wave => self.wave,
            Field::Simd => self.simd,
            Field::Cu => self.cu,
            Field::Wg => self.wg,
        }
    }
}

/// HW_ID is register 4: WAVE_ID 3:0, SIMD_ID 5:4, CU_ID 11:8, TG_ID 19:16 (Vega and CDNA ISA manuals,
/// "Hardware register HW_ID"). No immediate form. The M0 write needs one wait state before the trace.
static GFX9: Target = Target {
    immediate: false,
    m0_nop: 0,
    clock: None,
    lanes: 64,
    wave: HardwareField { register: 4, offset: 0, bits: 4 },
    simd: HardwareField { register: 4, offset: 4, bits: 2 },
    cu: HardwareField { register: 4, offset: 8, bits: 4 },
    wg: HardwareField { register: 4, offset: 16, bits: 4 },
};

/// HW_ID1 is register 23: WAVE_ID 4:0, SIMD_ID 9:8, WGP_ID 13:10; HW_ID2 is register 24: WG_ID 20:16 (RDNA ISA
/// manuals, "HW_ID1", "HW_ID2"). The "CU" mask selects by work group processor here, and WG is a hardware slot.
static RDNA: Target = rdna(None);

/// SHADER_CYCLES_LO is register 29 (RDNA4 ISA manual, "Hardware registers").
static GFX12: Target = rdna(Some(ClockSource::Register(29)));

/// The cycle registers read 0 at run time; the instruction is the clock.
static GFX1250: Target = rdna(Some(ClockSource::Instruction));

const fn rdna(clock: Option<ClockSource>) -> Target {
    Target {
        immediate: true,
        m0_nop: 0,
        clock,
        lanes: 32,
        wave: HardwareField { register: 23, offset: 0, bits: 5 },
        simd: HardwareField { register: 23, offset: 8, bits: 2 },
        cu: HardwareField { register: 23, offset: 10, bits: 4 },
        wg: HardwareField { register: 24, offset: 16, bits: 5 },
    }
}

/// Every name that the pass instruments (LLVM's "User Guide for AMDGPU Backend", table of processors).
static NAMES: &[(&str, &Target)] = &[
    ("gfx10-1-generic", &RDNA),
    ("gfx10-3-generic", &RDNA),
    ("gfx1010", &RDNA),
    ("gfx1011", &RDNA),
    ("gfx1012", &RDNA),
    ("gfx1013", &RDNA),
    ("gfx1030", &RDNA),
    ("gfx1031", &RDNA),
    ("gfx1032", &RDNA),
    ("gfx1033", &RDNA),
    ("gfx1034", &RDNA),
    ("gfx1035", &RDNA),
    ("gfx1036", &RDNA),
    ("gfx11-generic", &RDNA),
    ("gfx1100", &RDNA),
    ("gfx1101", &RDNA),
    ("gfx1102", &RDNA),
    ("gfx1103", &RDNA),
    ("gfx1150", &RDNA),
    ("gfx1151", &RDNA),
    ("gfx1152", &RDNA),
    ("gfx1153", &RDNA),
    ("gfx12-5-generic", &GFX1250),
    ("gfx12-generic", &GFX12),
    ("gfx1200", &GFX12),
    ("gfx1201", &GFX12),
    ("gfx1250", &GFX1250),
    ("gfx1251", &GFX1250),
    ("gfx9-4-generic", &GFX9),
    ("gfx9-generic", &GFX9),
    ("gfx900", &GFX9),
    ("gfx902", &GFX9),
    ("gfx904", &GFX9),
    ("gfx906", &GFX9),
    ("gfx908", &GFX9),
    ("gfx909", &GFX9),
    ("gfx90a", &GFX9),
    ("gfx90c", &GFX9),
    ("gfx940", &GFX9),
    ("gfx941", &GFX9),
    ("gfx942", &GFX9),
    ("gfx950", &GFX9),
];

/// What a function's `target-cpu` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// A target of the table.
    Known(&'static Target),
    /// A GPU that this version does not know: no instruction is guessed for it.
    Unknown,
    /// No GPU is named; such a function is left alone.
    Unnamed,
}

/// The target of a function.
pub(crate) fn of(function: Function) -> Lookup {
    let Some(name) = function.string_attribute("target-cpu") else { return Lookup::Unnamed };
    match NAMES.binary_search_by(|(known, _)| (*known).cmp(name.as_str())) {
        Ok(index) => Lookup::Known(NAMES[index].1),
        Err(_) if name.starts_with("gfx") && lacks(Point::UnknownTargets) => Lookup::Known(&RDNA),
        Err(_) if name.starts_with("gfx") => Lookup::Unknown,
        Err(_) => Lookup::Unnamed,
    }
}

/// The functions of a module that have a body and a GPU of the table, each with its target.
pub(crate) fn instrumentable(module: Module) -> Vec<(Function, &'static Target)> {
    let known = |function| match of(function) {
        Lookup::Known(target) => Some((function, target)),
        Lookup::Unknown | Lookup::Unnamed => None,
    };
    module.definitions().into_iter().filter_map(known).collect()
}

/// Lanes of a wave of a function: RDNA runs either size, as `target-features` says.
pub(crate) fn lanes(function: Function, target: &Target) -> u32 {
    if lacks(Point::WaveSize) {
        return target.lanes;
    }
    let features = function.string_attribute("target-features").unwrap_or_default();
    // The last word on a feature counts.
    let chosen = features.split(',').rev().find_map(|feature| match feature {
        "+wavefrontsize64" => Some(64),
        "+wavefrontsize32" => Some(32),
        _ => None,
    });
    chosen.unwrap_or(target.lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_for_the_binary_search() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn default_cu_mask_reads_the_recorded_registers() {
        assert_eq!(GFX9.cu.getreg_operand(), 6660);
        assert_eq!(RDNA.cu.getreg_operand(), 6807);
    }
}
