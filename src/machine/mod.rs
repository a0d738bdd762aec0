//! The machine code of a code object: instructions, basic blocks, markers, and the rules that markers must keep.
//!
//! ```text
//! CodeObject -> Objdump::disassemble -> text -> Program::parse -> Program -> lint -> findings
//! ```
//!
//! | file | its job |
//! |---|---|
//! | `text.rs` | llvm-objdump's text -> labels and instructions |
//! | `instruction.rs`, `operand.rs`, `register.rs` | one instruction |
//! | `results.rs` | which registers an instruction writes |
//! | `masks.rs` | lane masks of waves of 64 lanes, of which the disassembler shows one half |
//! | `program.rs`, `calls.rs` | which functions there are |
//! | `blocks.rs` | basic blocks and edges |
//! | `exec.rs` | what an instruction does to EXEC and other lane masks |
//! | `markers.rs` | which instructions trace, and what |
//! | `placement.rs` | where markers stand, for the comparison of builds |
//! | [`flow`] | what holds along the paths of a function |
//! | `loops.rs` | which blocks run again and again |
//! | [`automaton`] | which marker can follow which |
//! | [`lint`](mod@lint) | the rules, one file each |
//!
//! A wave runs scalar instructions once, whatever its lanes do; both arms of a divergent branch run one after the other,
//! each with some lanes switched off in EXEC. Markers are scalar: what counts is the path of the wave.

pub mod automaton;
mod blocks;
mod calls;
mod exec;
pub mod flow;
mod instruction;
pub mod lint;
mod loops;
mod markers;
mod masks;
mod operand;
mod placement;
mod program;
mod register;
mod results;
mod text;

pub use blocks::{Block, Edge, Exit};
pub use exec::{ExecEffect, ScalarOp};
pub use instruction::{Condition, Control, Instruction};
pub use lint::{Finding, Report, Rule, lint, lint_against};
pub use loops::{Loop, Loops};
pub use markers::{MarkerInstruction, Setup, Source, is_marker};
pub use operand::Operand;
pub use placement::{Action, FunctionPlacement, Label, Landmark, PlacedMarker, Step, Subject, placement};
pub use program::{Entry, Function, Program, ProgramError};
pub use register::{Register, Registers};
