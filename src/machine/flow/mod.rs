//! What holds along the paths of a program: EXEC, the depth of the wave's scopes, and what each marker traces.
//!
//! An abstract interpretation of every function that traces. A path is followed twice where the code has a scope check
//! (spec "Scope filtering"): as a wave *inside* the filter and as one *outside*. Within one such world the check is a
//! constant wherever it was kept, so guards that belong together are taken together. States that differ in the depth of
//! the scopes, or in how many payload records are due, are followed apart; others are joined (`join.rs`).
//!
//! ```text
//! Program + Funcmap -> analyse -> Flow: per function what was observed at each marker, and how paths end
//! ```
//!
//! | file | its job |
//! |---|---|
//! | `state.rs`, `bits.rs`, `link.rs`, `join.rs` | what is known at a point |
//! | `scalar.rs`, `vector.rs` | what instructions do to it |
//! | `walk.rs`, `branch.rs` | the paths of one function |
//! | `word.rs` | what a traced word is |
//! | `summary.rs` | what a call does; the order of functions |

mod bits;
mod branch;
mod join;
mod link;
mod scalar;
mod state;
mod summary;
mod vector;
mod walk;
mod word;

use std::collections::BTreeSet;

use sqtt_contract::funcmap::Funcmap;

pub use bits::Bits;
pub use state::Exec;
pub use summary::analyse;
pub use word::{Header, Traced};

use super::instruction::Instruction;

/// Which waves a path is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum World {
    /// Those that the scope check lets emit; all, where there is no check.
    Inside,
    /// Those that it does not.
    Outside,
}

/// What holds for the functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// One for each function of the program, in its order.
    pub functions: Vec<FunctionFlow>,
    /// What could not be seen.
    pub unseen: Unseen,
}

/// What holds in a function. Empty for one that traces nothing and for one that was given up.
#[derive(Clone, Debug, Default)]
pub struct FunctionFlow {
    /// What was observed at its markers.
    pub observations: BTreeSet<Observation>,
    /// What else was seen.
    pub events: BTreeSet<Event>,
    /// How its paths end, in each world.
    pub ends: BTreeSet<End>,
    /// The ways between its blocks that are gone.
    pub ways: BTreeSet<Way>,
    /// What its calls and its jumps to functions lead to.
    pub calls: BTreeSet<Call>,
}

/// A way from one block of a function to another that some path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// The waves.
    pub world: World,
    /// Index of the block that is left.
    pub from: usize,
    /// Index of the block that is entered; behind a call the one that the callee returns to.
    pub to: usize,
}

/// A call, or a jump to a function, on some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Address of the instruction.
    pub address: u64,
    /// The waves.
    pub world: World,
    /// Index of the function; `None` where it is unknown.
    pub callee: Option<usize>,
}

/// A marker on some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation {
    /// Address of the marker.
    pub address: u64,
    /// The waves.
    pub world: World,
    /// EXEC there.
    pub exec: Exec,
    /// What it traces; `None` where that was lost.
    pub traced: Option<Traced>,
}

/// The end of some paths of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// Address of the last instruction.
    pub address: u64,
    /// The waves.
    pub world: World,
    /// It returns to its caller; otherwise the wave ends.
    pub returns: bool,
    /// Scopes that it opened and left open, less those of its caller that it closed; `None` where that was lost.
    pub depth: Option<i32>,
    /// Payload records that are still due.
    pub due: u32,
}

/// Something seen on some paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A kernel's exit, or a call, closes a scope where none is open.
    Underflow {
        /// Address of the marker or call.
        address: u64,
    },
    /// More scopes are open than any program nests: a loop opens without closing.
    TooDeep {
        /// Address of the marker or call.
        address: u64,
    },
    /// Something else than a record stands between a header and the end of its payload.
    PayloadInterrupted {
        /// Address of that instruction.
        address: u64,
        /// Records that are still due.
        due: u32,
    },
    /// A function that traces is called where EXEC may be zero.
    PhantomCall {
        /// Address of the call.
        address: u64,
        /// Index of the function.
        callee: usize,
    },
}

/// What the analysis could not see. Where it cannot see it finds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Functions that were too large or did not settle.
    pub functions: usize,
    /// Calls whose callee is unknown.
    pub calls: usize,
    /// Jumps to an unknown place.
    pub jumps: usize,
    /// Paths on which the depth of scopes was lost.
    pub paths: usize,
    /// Markers whose EXEC is unknown.
    pub masks: usize,
    /// Headers whose word is known at run time only; they are taken for points.
    pub words: usize,
}

/// What instructions are run under.
#[derive(Clone, Copy, Debug)]
struct Context {
    world: World,
    wave_size: u32,
}

/// Runs one instruction that is no marker, call or branch.
fn step(state: &mut state::State, instruction: &Instruction, context: &Context) {
    if instruction.mnemonic.starts_with("s_") {
        scalar::step(state, instruction, context);
    } else {
        vector::step(state, instruction, context);
    }
}

/// The map as the analysis asks it.
struct Markers<'a> {
    encoding: sqtt_contract::marker::Encoding,
    index: sqtt_contract::funcmap::Index<'a>,
}

impl<'a> Markers<'a> {
    fn new(map: &'a Funcmap) -> Markers<'a> {
        Markers { encoding: map.encoding(), index: map.index() }
    }
}

#[cfg(test)]
mod tests {
    use super::state::State;
    use super::*;
    use crate::machine::exec::{ExecEffect, exec};

    /// The model and the table of what writes EXEC agree.
    #[test]
    fn exec_changes_where_an_instruction_says_so() {
        for (text, lanes) in [
            ("s_and_saveexec_b64 s[0:1], vcc", 64),
            ("s_or_saveexec_b32 s16, s3", 32),
            ("s_xor_saveexec_b64 s[4:5], -1", 64),
            ("s_and_not0_saveexec_b32 s0, s4", 32),
            ("s_nor_saveexec_b64 s[0:1], s[2:3]", 64),
            ("s_andn1_wrexec_b64 s[0:1], s[2:3]", 64),
            ("s_mov_b64 exec, s[0:1]", 64),
            ("s_mov_b32 exec_hi, s1", 64),
            ("s_andn2_b64 exec, exec, s[4:5]", 64),
            ("s_lshl_b64 exec, s[4:5], 3", 64),
            ("s_load_dwordx2 exec, s[4:5], 0x0", 64),
            ("v_cmpx_lt_i32_e32 0, v1", 32),
            ("v_cmpx_gt_u32_e64 s[2:3], v0, v1", 64),
            ("v_readlane_b32 exec_lo, v0, 3", 64),
            ("s_and_b64 vcc, exec, s[4:5]", 64),
            ("s_mov_b64 s[0:1], exec", 64),
            ("s_cmp_lg_u64 exec, 0", 64),
            ("v_cmp_lt_i32_e32 vcc, 0, v1", 64),
            ("v_writelane_b32 v0, exec_lo, 3", 64),
            ("s_barrier", 32),
        ] {
            let instruction = Instruction::parse(text, 0, 4, 0);
            let mut state = State::entry(exec(lanes));
            let before = state.mask(exec(lanes));
            step(&mut state, &instruction, &Context { world: World::Inside, wave_size: lanes });
            let changes = state.mask(exec(lanes)) != before;
            assert_eq!(ExecEffect::of(&instruction).is_some(), changes, "{text}");
        }
    }
}
