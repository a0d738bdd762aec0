//! What instrumentation added to machine code: instructions and bytes, by what they are there for.
//!
//! ```text
//! Program + Funcmap -> Costs::of -> Costs, functions with their markers -> advice
//!                                     \-> Growth, beside the same program without markers
//! ```
//!
//! | file | its job |
//! |---|---|
//! | `attribute.rs` | what each instruction of a function is there for |
//! | `chains.rs` | the instructions that make a word, or the condition of a guard |
//! | `growth.rs` | the same program without markers beside it |
//! | `heat.rs` | how often code runs, by static loop depth |
//! | `scopes.rs` | what the body of a scope costs beside its markers |
//! | `advice.rs` | what to change |
//! | `counts.rs` | how often markers were traced |
//! | `issue.rs` | cycles that the issue of an instruction takes, by generation |
//! | `price.rs` | cycles that each marker costs a wave |
//! | `meter.rs` | what the markers of a trace issued, told to what is made from it |

mod advice;
mod attribute;
mod chains;
mod counts;
mod growth;
mod heat;
pub mod issue;
mod meter;
mod price;
mod scopes;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use sqtt_contract::funcmap::Funcmap;

use crate::machine::automaton::{self, Emission, Header};
use crate::machine::flow::{self, Flow, World};
use crate::machine::{Entry, Function, Instruction, Loops, Program};
pub use advice::{Advice, Setting, advise, advise_traced};
pub use attribute::Part;
pub use counts::{Counter, Counts};
pub use growth::{Growth, growth};
pub use heat::Heat;
pub use issue::Bounds;
pub use meter::{Meter, Metered, Taken};
pub use price::{Price, Prices};

/// How much code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Amount {
    /// Machine instructions; a dual instruction is one.
    pub instructions: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

impl Amount {
    fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        self.bytes += u64::from(instruction.size_bytes);
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.instructions += other.instructions;
        self.bytes += other.bytes;
    }
}

/// What instrumentation costs the functions of a program.
#[derive(Clone, Debug)]
pub struct Costs {
    /// In the order of the program; padding and code that nothing leads to left out.
    pub functions: Vec<FunctionCost>,
}

/// What instrumentation costs one function, without what it calls.
#[derive(Clone, Debug)]
pub struct FunctionCost {
    /// Index in the program.
    pub index: usize,
    /// Mangled.
    pub name: String,
    /// A kernel.
    pub is_kernel: bool,
    /// Loops around its calls and its own, statically: 0 for code that runs once a wave.
    pub heat: u32,
    /// All its code, but for what fills room in front of loops.
    pub total: Amount,
    /// Marker instructions and what prepares their words.
    pub markers: Amount,
    /// The scope check and the guards that ask it.
    pub checks: Amount,
    /// Waits in front of markers. Where no guard sets markers apart, one that the program needs itself counts as well.
    pub boundaries: Amount,
    /// Its markers, by id; exits are under 0, and what is known at run time only is under `None`.
    pub by_marker: BTreeMap<Option<u32>, MarkerCost>,
}

/// What the markers of one id cost in a function, without checks and boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkerCost {
    /// Headers.
    pub sites: usize,
    /// Of those, in the one-instruction form.
    pub short_sites: usize,
    /// Headers, payload, and what prepares their words.
    pub amount: Amount,
    /// Loops around the innermost header, statically, those around calls of the function among them.
    pub heat: u32,
}

impl FunctionCost {
    /// All that instrumentation added.
    pub fn added(&self) -> Amount {
        let mut added = self.markers;
        added += self.checks;
        added += self.boundaries;
        added
    }
}

impl Costs {
    /// Tells instrumentation from the program's own code. `map` is that of the same code object.
    pub fn of(program: &Program, map: &Funcmap) -> Costs {
        let analysis = Analysis::new(program, map);
        let functions = program.functions.iter().enumerate().filter(|(_, function)| function.entry != Entry::Leftover);
        Costs { functions: functions.map(|(index, function)| analysis.cost(index, function)).collect() }
    }
}

/// What is known of a program.
struct Analysis<'a> {
    program: &'a Program,
    map: &'a Funcmap,
    flow: Flow,
    heat: Heat,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, map: &'a Funcmap) -> Analysis<'a> {
        let flow = flow::analyse(program, map);
        let heat = Heat::of(program, &flow);
        Analysis { program, map, flow, heat }
    }

    fn words(&self, index: usize, function: &Function) -> BTreeMap<usize, Emission> {
        let found = self.flow.functions.get(index).filter(|found| !found.observations.is_empty());
        automaton::words(function, found, World::Inside, self.map)
    }

    fn cost(&self, index: usize, function: &Function) -> FunctionCost {
        let words = self.words(index, function);
        let parts = attribute::parts(function, self.flow.functions.get(index), &words);
        let mut cost = FunctionCost {
            index,
            name: function.name.clone(),
            is_kernel: function.entry == Entry::Kernel,
            heat: self.heat.of_function(index),
            total: Amount::default(),
            markers: Amount::default(),
            checks: Amount::default(),
            boundaries: Amount::default(),
            by_marker: BTreeMap::new(),
        };
        let loops = Loops::of(function);
        for (at, instruction) in function.instructions.iter().enumerate() {
            if parts[at] != Part::Padding {
                cost.total.add(instruction);
            }
            match parts[at] {
                Part::Program | Part::Padding => {}
                Part::Check => cost.checks.add(instruction),
                Part::Boundary => cost.boundaries.add(instruction),
                Part::Marker { header } => {
                    cost.markers.add(instruction);
                    let marker = cost.by_marker.entry(id_of(&words, header)).or_default();
                    marker.amount.add(instruction);
                    if header == at {
                        let depth = function.block_of(at).map_or(0, |block| loops.depth(block));
                        marker.sites += 1;
                        marker.short_sites += usize::from(instruction.is("s_ttracedata_imm"));
                        marker.heat = marker.heat.max(cost.heat + depth);
                    }
                }
            }
        }
        cost
    }
}

/// The id of the header at `index`, where it is known and the same on all paths.
fn id_of(words: &BTreeMap<usize, Emission>, index: usize) -> Option<u32> {
    let mut ids = words.get(&index)?.headers.iter().map(|header| match header {
        Header::Known { id, .. } => Some(*id),
        _ => None,
    });
    let first = ids.next()??;
    ids.all(|id| id == Some(first)).then_some(first)
}
