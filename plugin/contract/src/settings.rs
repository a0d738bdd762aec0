//! What is wanted of the pass, as typed values.
//!
//! The variables themselves (names, defaults, prose) are rows of [`crate::variables`]; how a value is read and what is
//! said about a bad one is in the two modules below. Source: spec "Configuration (Environment Variables)"; where the
//! reference swallows a mistake or reads something else than was written, the value is an [`Invalid`] here.

mod invalid;
mod values;

use std::ffi::{OsStr, OsString};

pub use invalid::Invalid;
pub use values::{switch, validation};

use crate::filter::Patterns;
use crate::marker::{Encoding, LayoutError};
use crate::variables::{self, Kind, Reader, TABLE, Variable};
use invalid::Fault;

/// The reorder boundary before and after every marker (spec "Marker reorder boundary").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// Nothing.
    None,
    /// Empty inline assembly that clobbers memory: holds in IR and MIR, costs nothing.
    Asm,
    /// A workgroup fence on local memory: holds to the end.
    #[default]
    Fence,
}

/// Which device functions are instrumented (spec "Function threshold").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// None.
    #[default]
    Off,
    /// Those with more instructions than this, never 0.
    Instructions(u64),
    /// Those with a higher weighted cost than this, never 0 (spec "Cost Model").
    Cost(u64),
}

/// Memory operation markers (spec "Memory operation markers").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunks {
    /// Operations per marker, at least 1.
    pub ops: u32,
    /// How many other instructions may stand between two operations of a run.
    pub gap: u32,
}

/// Which addresses are traced (spec "Address Tracing").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Addresses {
    /// Flat, global and buffer operations.
    pub memory: bool,
    /// LDS operations and lane permutes.
    pub lds: bool,
}

impl Addresses {
    /// Whether anything is traced.
    pub const fn is_on(self) -> bool {
        self.memory || self.lds
    }
}

/// One dimension of the scope check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Wave slot.
    Wave,
    /// SIMD.
    Simd,
    /// CU, or WGP on gfx10 and later.
    Cu,
    /// Hardware workgroup slot, not the index of the block.
    Wg,
}

impl Field {
    /// All, in the order in which the check tests them.
    pub const ALL: [Field; 4] = [Field::Wave, Field::Simd, Field::Cu, Field::Wg];

    /// The bits that must all be set for "no filter"; wider than the field is on some targets, as in the reference: on
    /// gfx9 a wave mask of 0xFFFF names all 16 slots and is still a filter.
    pub const fn full_mask(self) -> u32 {
        match self {
            Field::Wave | Field::Wg => u32::MAX,
            Field::Simd => 0xF,
            Field::Cu => 0xFFFF,
        }
    }
}

/// Where markers are emitted: bit n of a mask lets instance n emit (spec "Scope filtering").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Wave slots.
    pub wave: u32,
    /// SIMDs.
    pub simd: u32,
    /// CUs, or WGPs on gfx10 and later.
    pub cu: u32,
    /// Hardware workgroup slots.
    pub wg: u32,
}

impl Default for Scope {
    /// CUs 0 and 1, and no other filter: with nothing set, a scope check *is* made.
    fn default() -> Scope {
        Scope { wave: u32::MAX, simd: 0xF, cu: 0x3, wg: u32::MAX }
    }
}

impl Scope {
    /// No filter at all.
    pub const ALL: Scope = Scope { wave: u32::MAX, simd: u32::MAX, cu: u32::MAX, wg: u32::MAX };

    /// The mask of one field.
    pub const fn mask(self, field: Field) -> u32 {
        match field {
            Field::Wave => self.wave,
            Field::Simd => self.simd,
            Field::Cu => self.cu,
            Field::Wg => self.wg,
        }
    }

    /// Whether `field` must be tested at run time.
    pub const fn filters(self, field: Field) -> bool {
        self.mask(field) & field.full_mask() != field.full_mask()
    }

    /// Whether any field must be tested at run time.
    pub fn is_filtering(self) -> bool {
        Field::ALL.into_iter().any(|field| self.filters(field))
    }
}

/// The packed shader clock (spec "GFX12 Shader Clock Packing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    /// Width in bits; 0 is off.
    pub bits: u32,
    /// Lowest source bit.
    pub shift: u32,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { bits: 0, shift: 4 }
    }
}

impl Clock {
    /// The marker layout this asks for. Errors when there is no such layout; that is an error only where packing would
    /// happen, on gfx12.
    pub const fn encoding(self) -> Result<Encoding, LayoutError> {
        Encoding::packed(self.bits, self.shift)
    }
}

/// What a failed validation does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Validation {
    /// Removes the outputs and fails.
    #[default]
    Error,
    /// Says so.
    Warn,
    /// Is not even looked for.
    Off,
}

/// All settings of the pass.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Barrier markers.
    pub barriers: bool,
    /// Function markers.
    pub functions: Threshold,
    /// Functions that may be instrumented; empty: all.
    pub include: Patterns,
    /// Functions that are not instrumented.
    pub exclude: Patterns,
    /// Memory operation markers.
    pub memory: Option<Chunks>,
    /// Address traces.
    pub addresses: Addresses,
    /// Reorder boundary.
    pub boundary: Boundary,
    /// Where markers are emitted.
    pub scope: Scope,
    /// Packed shader clock.
    pub clock: Clock,
    /// Operand of the `s_nop` after the write of M0; `None`: as the target table says.
    pub m0_nop: Option<u8>,
    /// Warnings of scopes that a wave does not close as often as it opens them.
    pub balance: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            barriers: false,
            functions: Threshold::default(),
            include: Patterns::default(),
            exclude: Patterns::default(),
            memory: None,
            addresses: Addresses::default(),
            boundary: Boundary::default(),
            scope: Scope::default(),
            clock: Clock::default(),
            m0_nop: None,
            balance: true,
        }
    }
}

/// Two settings that exclude each other: addresses already mark every memory operation (spec "Address Tracing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{} and {} are mutually exclusive", variables::TRACE_ADDRESSES, variables::INSTRUMENT_MEMORY)]
pub struct Conflict;

impl Settings {
    /// Reads every variable of the plugin through `get`; each bad value is reported and its default taken.
    ///
    /// Of a list of address categories the good ones stay. The reports come in the order of the table, which is the
    /// reference's. An unset and an empty variable are the same.
    pub fn read(get: impl Fn(&str) -> Option<OsString>) -> (Settings, Vec<Invalid>) {
        let mut settings = Settings::default();
        let mut invalid = Vec::new();
        for variable in TABLE.iter().filter(|variable| variable.reader == Reader::Plugin) {
            let Some(value) = get(variable.name).filter(|value| !value.is_empty()) else { continue };
            let faults = match values::text(&value) {
                Ok(text) => settings.apply(variable.name, text),
                // The lossy text of a list is read too: its good ones stay. A replacement character is valid nowhere.
                Err(_) if variable.kind == Kind::Categories => settings.apply(variable.name, &value.to_string_lossy()),
                Err(fault) => vec![fault],
            };
            invalid.extend(faults.into_iter().map(|fault| Invalid::new(variable, &value, fault)));
        }
        (settings, invalid)
    }

    /// Takes over one value that is not empty; what is wrong with it leaves the default.
    fn apply(&mut self, name: &str, value: &str) -> Vec<Fault> {
        let result = match name {
            variables::INSTRUMENT_BARRIERS => values::bool(value).map(|on| self.barriers = on),
            variables::MEM_BARRIER => values::boundary(value).map(|boundary| self.boundary = boundary),
            variables::SCOPE_WAVE => values::mask(value).map(|mask| self.scope.wave = mask),
            variables::SCOPE_SIMD => values::mask(value).map(|mask| self.scope.simd = mask),
            variables::SCOPE_CU => values::mask(value).map(|mask| self.scope.cu = mask),
            variables::SCOPE_WG => values::mask(value).map(|mask| self.scope.wg = mask),
            variables::SHADER_CLOCK_BITS => values::bits(value).map(|bits| self.clock.bits = bits),
            variables::SHADER_CLOCK_SHIFT => values::bits(value).map(|shift| self.clock.shift = shift),
            variables::INSTRUMENT_FUNCTIONS => values::threshold(value).map(|threshold| self.functions = threshold),
            variables::INSTRUMENT_MEMORY => values::chunks(value).map(|chunks| self.memory = chunks),
            variables::FUNCTIONS_INCLUDE => {
                self.include = Patterns::parse(value);
                Ok(())
            }
            variables::FUNCTIONS_EXCLUDE => {
                self.exclude = Patterns::parse(value);
                Ok(())
            }
            variables::M0_NOP => values::nops(value).map(|nops| self.m0_nop = Some(nops)),
            variables::BALANCE => values::bool(value).map(|on| self.balance = on),
            variables::TRACE_ADDRESSES => {
                let (addresses, faults) = values::addresses(value);
                self.addresses = addresses;
                return faults;
            }
            _ => Ok(()),
        };
        result.err().into_iter().collect()
    }

    /// The pair of settings that cannot both be on. The pass must fail the compile then, not choose one.
    pub fn conflict(&self) -> Option<Conflict> {
        (self.memory.is_some() && self.addresses.is_on()).then_some(Conflict)
    }
}

impl Variable {
    /// Whether the variable takes `value`; an empty one is always taken and stands for the default.
    ///
    /// Errors say what is wrong, what is accepted and what was likely meant. Of a list with several bad categories the
    /// first is reported.
    pub fn check(&'static self, value: impl AsRef<OsStr>) -> Result<(), Invalid> {
        let value = value.as_ref();
        self.check_value(value).map_err(|fault| Invalid::new(self, value, fault))
    }

    fn check_value(&self, value: &OsStr) -> Result<(), Fault> {
        if value.is_empty() {
            return Ok(());
        }
        if self.kind == Kind::Path {
            return values::without_nul(value);
        }
        let text = values::text(value)?;
        match self.kind {
            Kind::Bool => values::bool(text).map(drop),
            Kind::Threshold => values::threshold(text).map(drop),
            Kind::Chunks => values::chunks(text).map(drop),
            Kind::Categories => values::addresses(text).1.into_iter().next().map_or(Ok(()), Err),
            Kind::Boundary => values::boundary(text).map(drop),
            Kind::Mask => values::mask(text).map(drop),
            Kind::Bits => values::bits(text).map(drop),
            Kind::Nops => values::nops(text).map(drop),
            Kind::Validation => values::validation_word(text).map(drop),
            Kind::Path | Kind::Patterns | Kind::Text => Ok(()),
        }
    }
}
