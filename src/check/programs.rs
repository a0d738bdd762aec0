//! The code objects of traces, with the automata of their kernels.

use std::collections::HashMap;

use sqtt_contract::funcmap::Funcmap;

use super::Automaton;
use crate::beside;
use crate::code_object::Target;
use crate::demangle::demangle;
use crate::machine::flow::{self, Flow};
use crate::machine::{Entry, Program};
use crate::trace::Kernel;

/// A code object with what is known of its kernels.
pub(super) struct Loaded {
    pub(super) program: Program,
    pub(super) map: Funcmap,
    /// By the kernel's index in the program; nothing where the kernel is too large.
    automata: HashMap<usize, Option<Automaton>>,
}

/// The code objects of the traces.
pub(super) type Programs<'a> = beside::Programs<'a, Loaded>;

fn automata(program: &Program, map: &Funcmap, flow: &Flow) -> HashMap<usize, Option<Automaton>> {
    let kernels = program.functions.iter().enumerate().filter(|(_, function)| function.entry == Entry::Kernel);
    kernels.map(|(index, _)| (index, Automaton::build(program, map, flow, index))).collect()
}

impl Loaded {
    pub(super) fn of(program: Program, map: Funcmap, _: &Target) -> Loaded {
        let flow = flow::analyse(&program, &map);
        let automata = automata(&program, &map, &flow);
        Loaded { program, map, automata }
    }

    /// The kernels that the trace can mean: the one of that name; all, when no kernel has it.
    pub(super) fn kernels(&self, kernel: &Kernel) -> Vec<usize> {
        let is_it = |index: &usize| {
            let name = &self.program.functions[*index].name;
            **name == *kernel.symbol || demangle(name.as_bytes()).is_some_and(|name| *name == *kernel.symbol)
        };
        let mut all: Vec<usize> = self.automata.keys().copied().collect();
        all.sort_unstable();
        let named: Vec<usize> = all.iter().copied().filter(is_it).collect();
        if named.is_empty() { all } else { named }
    }

    pub(super) fn automaton(&self, kernel: usize) -> Option<&Automaton> {
        self.automata.get(&kernel)?.as_ref()
    }
}
