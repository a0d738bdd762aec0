//! How long the issue of an instruction of a marker keeps its wave, by generation and form: the one table of such figures.

use std::ops::AddAssign;

use super::attribute::is_wait;
use crate::machine::{Control, Instruction, Operand};

/// Cycles of the shader clock between two bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// At least.
    pub least: u64,
    /// At most.
    pub most: u64,
}

impl Bounds {
    /// `least` to `most` cycles.
    pub const fn new(least: u64, most: u64) -> Bounds {
        Bounds { least, most }
    }

    /// So many times over.
    pub(super) fn times(self, count: u64) -> Bounds {
        Bounds { least: self.least.saturating_mul(count), most: self.most.saturating_mul(count) }
    }

    /// What holds for either.
    pub(super) fn or(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// What is left of `cycles` without that many, from the fewest to the most; never below 0.
    pub fn left_of(self, cycles: u64) -> Bounds {
        Bounds { least: cycles.saturating_sub(self.most), most: cycles.saturating_sub(self.least) }
    }
}

impl AddAssign for Bounds {
    fn add_assign(&mut self, other: Bounds) {
        self.least = self.least.saturating_add(other.least);
        self.most = self.most.saturating_add(other.most);
    }
}

/// GPUs that issue alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// gfx9, CDNA among them: a wave issues every fourth cycle.
    Gfx9,
    /// gfx10 and later: a wave can issue every cycle.
    Gfx10,
}

impl Generation {
    /// That of a processor, as targets name it: `gfx942`, `gfx1100`.
    pub fn of(processor: &str) -> Generation {
        if processor.starts_with("gfx9") { Generation::Gfx9 } else { Generation::Gfx10 }
    }

    /// Its name in outputs.
    pub const fn name(self) -> &'static str {
        match self {
            Generation::Gfx9 => "gfx9",
            Generation::Gfx10 => "gfx10 and later",
        }
    }
}

/// Kinds of instructions that markers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `s_ttracedata_imm`, `s_ttracedata`.
    Trace,
    /// One wait state of `s_nop`.
    WaitState,
    /// A scalar instruction: a move into M0, a comparison, a shift.
    Scalar,
    /// A read of a hardware register or of the clock.
    HardwareRegister,
    /// A vector instruction: a read of one lane.
    Vector,
    /// A branch, taken or not.
    Branch,
    /// A wait for outstanding operations or results, without the time that they still take.
    Wait,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct IssueCost {
    /// The GPUs.
    pub generation: Generation,
    /// The instructions.
    pub form: Form,
    /// What it is called in outputs.
    pub name: &'static str,
    /// From one issue to the next of the wave.
    pub cycles: Bounds,
    /// Where the figures are from.
    pub source: &'static str,
}

const fn row(
    generation: Generation,
    form: Form,
    name: &'static str,
    cycles: [u64; 2],
    source: &'static str,
) -> IssueCost {
    IssueCost { generation, form, name, cycles: Bounds::new(cycles[0], cycles[1]), source }
}

const OLD: Generation = Generation::Gfx9;
const NEW: Generation = Generation::Gfx10;
const OLD_SCALAR: &str = "LLVM's scheduling models: one unit of four cycles";
const NEW_SCALAR: &str = "LLVM's scheduling models: results after two cycles; one cycle to issue is assumed";
const BRANCH: &str = "at most as in LLVM's scheduling models; the least, a branch that is not taken, is assumed";

/// All rows.
///
/// LLVM's scheduling models are those of its AMDGPU target (`SISchedule.td`): `WriteSALU`, `Write32Bit` and `WriteBranch` of
/// the models of gfx9 in units of four cycles, of those of gfx10 and later in cycles. They have no figure for a trace.
pub const TABLE: [IssueCost; 14] = [
    row(OLD, Form::Trace, "trace", [4, 16], "assumed: a scalar instruction, and three more while the message is sent"),
    row(OLD, Form::WaitState, "wait state of `s_nop`", [4, 4], "ISA manuals: an issue of the wave each"),
    row(OLD, Form::Scalar, "scalar", [4, 4], OLD_SCALAR),
    row(OLD, Form::HardwareRegister, "hardware register", [4, 64], "assumed"),
    row(OLD, Form::Vector, "vector", [4, 16], "at least as in LLVM's scheduling models; the most is assumed"),
    row(OLD, Form::Branch, "branch", [4, 32], BRANCH),
    row(OLD, Form::Wait, "wait", [0, 4], "assumed: what it waits for is not the marker's"),
    row(NEW, Form::Trace, "trace", [1, 8], "assumed: a scalar instruction, and more while the message is sent"),
    row(NEW, Form::WaitState, "wait state of `s_nop`", [1, 1], "ISA manuals: an issue of the wave each"),
    row(NEW, Form::Scalar, "scalar", [1, 2], NEW_SCALAR),
    row(NEW, Form::HardwareRegister, "hardware register", [1, 32], "assumed"),
    row(
        NEW,
        Form::Vector,
        "vector",
        [1, 5],
        "LLVM's scheduling models: results after five cycles; one to issue is assumed",
    ),
    row(NEW, Form::Branch, "branch", [1, 32], BRANCH),
    row(NEW, Form::Wait, "wait", [0, 1], "assumed: what it waits for is not the marker's"),
];

/// What all figures take for granted, in one line each.
pub const ASSUMPTIONS: [&str; 5] = [
    "a record has the time at which its trace instruction is issued; what prepares it comes before, its payload behind it",
    "a wave issues one instruction after the other; cycles in which other waves of the SIMD are served are not a marker's",
    "no trace instruction waits for a full trace buffer, no wait for memory or LDS counts, and code is in the cache",
    "the least is a marker without its guard, the most with its guard, its boundaries and the check of its function",
    "what the compiler made otherwise around markers, and checks of functions that trace nothing, stays in",
];

/// How long the issue of `instruction` takes on `generation`.
pub fn issue(generation: Generation, instruction: &Instruction) -> Bounds {
    let form = form(instruction);
    let count = if form == Form::WaitState { states(instruction) } else { 1 };
    let row = TABLE.iter().find(|row| (row.generation, row.form) == (generation, form));
    row.map_or_else(Bounds::default, |row| row.cycles.times(count))
}

fn form(instruction: &Instruction) -> Form {
    let name = &*instruction.mnemonic;
    if name.starts_with("s_ttracedata") {
        Form::Trace
    } else if name == "s_nop" {
        Form::WaitState
    } else if is_wait(instruction) || name == "s_delay_alu" {
        Form::Wait
    } else if name.starts_with("s_getreg") || name.starts_with("s_get_shader_cycles") {
        Form::HardwareRegister
    } else if matches!(instruction.control(), Control::Jump | Control::Branch(_)) {
        Form::Branch
    } else if name.starts_with("v_") {
        Form::Vector
    } else {
        Form::Scalar
    }
}

/// The wait states of an `s_nop`: one more than it says (ISA manuals, "S_NOP").
fn states(nop: &Instruction) -> u64 {
    let more = nop.operands.first().and_then(Operand::constant).and_then(|more| u64::try_from(more).ok());
    more.map_or(1, |more| (more & 0xF) + 1)
}
