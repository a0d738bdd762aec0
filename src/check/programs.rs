//! The code objects of traces, with the automata of their kernels.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use sqtt_contract::funcmap::Funcmap;

use crate::beside;
use crate::code_object::Target;
use crate::machine::automaton::{Automaton, Judge};
use crate::machine::flow::{self, Flow};
use crate::machine::{Entry, Program};
use crate::trace::Kernel;

/// A code object with what is known of its kernels.
pub(super) struct Loaded {
    pub(super) program: Program,
    pub(super) map: Funcmap,
    /// By the kernel's index in the program; nothing where the kernel is too large.
    judges: HashMap<usize, Option<Judge>>,
    /// The kernels that a kernel of a trace can be, by its symbol.
    named: RefCell<HashMap<Box<str>, Rc<[usize]>>>,
}

/// The code objects of the traces.
pub(super) type Programs<'a> = beside::Programs<'a, Loaded>;

fn judges(program: &Program, map: &Funcmap, flow: &Flow) -> HashMap<usize, Option<Judge>> {
    let kernels = program.functions.iter().enumerate().filter(|(_, function)| function.entry == Entry::Kernel);
    kernels.map(|(index, _)| (index, Automaton::build(program, map, flow, index).map(Judge::new))).collect()
}

impl Loaded {
    pub(super) fn of(program: Program, map: Funcmap, _: &Target) -> Loaded {
        let flow = flow::analyse(&program, &map);
        let judges = judges(&program, &map, &flow);
        Loaded { program, map, judges, named: RefCell::default() }
    }

    /// The kernels that the trace can mean: those of that name; all, when no kernel has it.
    pub(super) fn kernels(&self, kernel: &Kernel) -> Rc<[usize]> {
        let mut named = self.named.borrow_mut();
        if let Some(kernels) = named.get(&*kernel.symbol) {
            return Rc::clone(kernels);
        }
        let kernels: Rc<[usize]> = self.find(kernel).into();
        named.insert((*kernel.symbol).into(), Rc::clone(&kernels));
        kernels
    }

    fn find(&self, kernel: &Kernel) -> Vec<usize> {
        let mut all: Vec<usize> = self.judges.keys().copied().collect();
        all.sort_unstable();
        let is_it = |index: &usize| kernel.is(self.program.functions[*index].name.as_bytes());
        let named: Vec<usize> = all.iter().copied().filter(is_it).collect();
        if named.is_empty() { all } else { named }
    }

    pub(super) fn judge(&self, kernel: usize) -> Option<&Judge> {
        self.judges.get(&kernel)?.as_ref()
    }
}
