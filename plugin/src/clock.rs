//! Clock packing: the shader clock in the high bits of marker headers (spec "GFX12 Shader Clock Packing").

use sqtt_contract::marker::Encoding;
use sqtt_contract::settings::Clock;

use crate::Error;
use crate::llvm::{AsmCall, Builder, Module, Value};

/// Where a target has its shader clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockSource {
    /// A hardware register, by number; read with `s_getreg_b32`.
    Register(u32),
    /// `s_get_shader_cycles_u64`: the registers read 0 there.
    Instruction,
}

/// How the headers of a function carry the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) encoding: Encoding,
    source: ClockSource,
}

impl Packing {
    /// The packing for a target; `None` where it is off or the target has no such clock.
    pub(crate) fn new(clock: Clock, source: Option<ClockSource>) -> Result<Option<Packing>, Error> {
        let Some(source) = source.filter(|_| clock.bits != 0) else { return Ok(None) };
        Ok(Some(Packing { encoding: clock.encoding()?, source }))
    }

    /// A sample of the clock in the high bits of an i32 whose other bits are `word`.
    pub(crate) fn pack(self, builder: &Builder, module: Module, word: u32) -> Result<Value, Error> {
        const GETREG: &str = "llvm.amdgcn.s.getreg";
        let (bits, shift) = (self.encoding.clock_bits(), self.encoding.clock_shift());
        let clock = match self.source {
            ClockSource::Register(register) => {
                let getreg = module.intrinsic(GETREG).ok_or(Error::Intrinsic(GETREG))?;
                let window = ((bits - 1) << 11) | (shift << 6) | register;
                builder.call(getreg, &[builder.i32(window)]).value()
            }
            ClockSource::Instruction => {
                let cycles = builder.asm_u64(AsmCall {
                    text: "s_get_shader_cycles_u64 $0",
                    constraints: "=s",
                    result: true,
                    arguments: &[],
                });
                let low = builder.as_i32(cycles);
                if shift == 0 { low } else { builder.shift_right(low, builder.i32(shift)) }
            }
        };
        let high = builder.shift_left(clock, builder.i32(32 - bits));
        Ok(builder.or(high, builder.i32(word & !self.encoding.packed_clock_mask())))
    }
}
