//! What calls do, and the order in which functions are walked: callees first.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_contract::funcmap::Funcmap;

use super::state::{Place, State};
use super::walk::walk;
use super::{Context, End, Event, Flow, FunctionFlow, Markers, Unseen, World};
use crate::machine::calls;
use crate::machine::program::{Entry, Function, Program};
use crate::machine::register::{Register, Registers};

/// Follows the paths of every function of `program` that traces, or calls one that does.
pub fn analyse(program: &Program, map: &Funcmap) -> Flow {
    let markers = Markers::new(map);
    let mut summaries = Summaries::new(program);
    let mut flow =
        Flow { functions: vec![FunctionFlow::default(); program.functions.len()], unseen: Unseen::default() };
    let filters = program.functions.iter().any(checks_scope);
    let worlds: &[World] = if filters { &[World::Inside, World::Outside] } else { &[World::Inside] };
    for index in summaries.order.clone() {
        let function = &program.functions[index];
        if !summaries.traces.contains(&index) || function.entry == Entry::Leftover {
            continue;
        }
        for world in worlds {
            let context = Context { world: *world, wave_size: function.wave_size };
            match walk(program, index, context, &markers, &summaries) {
                Some((found, unseen, lowest)) => {
                    if unseen.calls > 0 {
                        summaries.blind.insert(index);
                    }
                    summaries.learn(index, *world, &found, lowest);
                    merge(&mut flow, index, found, unseen);
                }
                None => {
                    flow.unseen.functions += 1;
                    summaries.known.insert((index, *world), Summary::lost());
                }
            }
        }
    }
    forget_unknown_calls(program, &summaries, &mut flow);
    flow
}

fn merge(flow: &mut Flow, index: usize, found: FunctionFlow, unseen: Unseen) {
    if let Some(of_function) = flow.functions.get_mut(index) {
        of_function.observations.extend(found.observations);
        of_function.events.extend(found.events);
        of_function.ends.extend(found.ends);
        of_function.ways.extend(found.ways);
        of_function.calls.extend(found.calls);
    }
    let total = &mut flow.unseen;
    total.functions += unseen.functions;
    total.calls += unseen.calls;
    total.jumps += unseen.jumps;
    total.paths += unseen.paths;
    total.masks += unseen.masks;
    total.words += unseen.words;
}

fn checks_scope(function: &Function) -> bool {
    function.instructions.iter().any(|instruction| instruction.mnemonic.starts_with("s_getreg"))
}

/// A call of an unknown function is taken to leave the depth as it is. Where some function does not, nothing is known of
/// the depth behind such a call.
fn forget_unknown_calls(program: &Program, summaries: &Summaries, flow: &mut Flow) {
    let changes = |((index, _), summary): (&(usize, World), &Summary)| {
        let is_kernel = program.functions.get(*index).is_some_and(|function| function.entry == Entry::Kernel);
        !is_kernel && summary.outcomes.iter().any(|by| *by != Some(0))
    };
    if !summaries.known.iter().any(changes) {
        return;
    }
    for index in summaries.callers_of(&summaries.blind) {
        let Some(found) = flow.functions.get_mut(index) else { continue };
        let ends = std::mem::take(&mut found.ends);
        found.ends = ends.into_iter().map(|end| End { depth: None, ..end }).collect();
        found.events.retain(|event| !matches!(event, Event::Underflow { .. } | Event::TooDeep { .. }));
    }
}

#[derive(Clone, Debug, Default)]
struct Summary {
    /// Changes of the depth, one for each way to return; `None` where it was lost. Empty when it does not return.
    outcomes: BTreeSet<Option<i32>>,
    /// The lowest depth on the way, relative to the entry.
    lowest: i32,
}

impl Summary {
    fn lost() -> Summary {
        Summary { outcomes: BTreeSet::from([None]), lowest: 0 }
    }
}

/// What is known of each function.
pub(super) struct Summaries {
    known: BTreeMap<(usize, World), Summary>,
    /// Functions that trace, or call one that does.
    traces: BTreeSet<usize>,
    /// Functions that call one that is not known.
    blind: BTreeSet<usize>,
    callees: Vec<BTreeSet<usize>>,
    /// Registers that a function or its callees write.
    writes: Vec<BTreeSet<Register>>,
    order: Vec<usize>,
}

impl Summaries {
    fn new(program: &Program) -> Summaries {
        let callees: Vec<BTreeSet<usize>> =
            program.functions.iter().map(|function| callees(program, function)).collect();
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        for index in 0..program.functions.len() {
            depth_first(index, &callees, &mut seen, &mut order);
        }
        let mut writes: Vec<BTreeSet<Register>> = program.functions.iter().map(written).collect();
        // Twice around for functions that call one another.
        for index in order.iter().chain(&order) {
            for callee in &callees[*index] {
                let of_callee = writes[*callee].clone();
                writes[*index].extend(of_callee);
            }
        }
        let traces = (0..program.functions.len()).filter(|index| program.functions[*index].has_markers()).collect();
        let (known, blind) = (BTreeMap::new(), BTreeSet::new());
        let mut summaries = Summaries { known, traces, blind, callees, writes, order };
        summaries.traces = summaries.callers_of(&summaries.traces);
        summaries
    }

    /// `functions`, and all that call one of them directly or not.
    fn callers_of(&self, functions: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = functions.clone();
        for index in self.order.iter().chain(&self.order) {
            if self.callees[*index].iter().any(|callee| found.contains(callee)) {
                found.insert(*index);
            }
        }
        found
    }

    fn learn(&mut self, index: usize, world: World, found: &FunctionFlow, lowest: i32) {
        let returns = found.ends.iter().filter(|end| end.returns && end.world == world);
        let mut outcomes: BTreeSet<Option<i32>> = returns.map(|end| end.depth).collect();
        if outcomes.len() > 1 {
            // Its own finding; its callers are not told again.
            let usual = if outcomes.contains(&Some(0)) { Some(0) } else { None };
            outcomes = BTreeSet::from([usual]);
        }
        self.known.insert((index, world), Summary { outcomes, lowest });
    }

    /// Whether a function traces in a world.
    pub(super) fn traces(&self, index: usize, world: World) -> bool {
        world == World::Inside && self.traces.contains(&index)
    }

    /// By how much the depth can change, and how far below the present one the function goes. Of a function that is not
    /// known yet, as it calls itself, that is not at all.
    pub(super) fn outcomes(&self, index: usize, world: World) -> Vec<(Option<i32>, i32)> {
        match self.known.get(&(index, world)) {
            Some(summary) => summary.outcomes.iter().map(|by| (*by, summary.lowest)).collect(),
            None => vec![(Some(0), 0)],
        }
    }

    /// Forgets what a call may overwrite.
    pub(super) fn clobber(&self, callee: Option<usize>, state: &mut State) {
        let writes = callee.and_then(|callee| self.writes.get(callee));
        let keeps = |register: Register| is_saved(register) || writes.is_some_and(|writes| !writes.contains(&register));
        state.places.retain(|place, _| match place {
            Place::Register(register) => keeps(*register),
            Place::Lane(vector, _) => keeps(*vector),
            Place::Slot(..) => true,
        });
        state.scc = super::state::Scc::Unknown;
    }
}

/// Registers that a callee gives back as they were: EXEC, `s30` and above, and every other eight vector registers from
/// `v40` on (LLVM's AMDGPU usage page, "Call Convention").
fn is_saved(register: Register) -> bool {
    if register == Register::EXEC_LO || register == Register::EXEC_HI {
        return true;
    }
    match (register.scalar_number(), register.vector_number()) {
        (Some(number), _) => number >= 30,
        (_, Some(number)) => number >= 40 && (number - 40) % 16 < 8,
        _ => false,
    }
}

fn callees(program: &Program, function: &Function) -> BTreeSet<usize> {
    let computed = calls::references(&function.instructions);
    let direct = function.instructions.iter().filter_map(|instruction| instruction.target);
    computed.into_iter().chain(direct).filter_map(|address| program.function_at(address)).collect()
}

/// Callees first. Without recursion, as call chains can be long.
fn depth_first(root: usize, callees: &[BTreeSet<usize>], seen: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
    let mut stack = vec![(root, false)];
    while let Some((index, is_done)) = stack.pop() {
        if is_done {
            order.push(index);
        } else if seen.insert(index) {
            stack.push((index, true));
            stack.extend(callees[index].iter().filter(|callee| !seen.contains(callee)).map(|callee| (*callee, false)));
        }
    }
}

fn written(function: &Function) -> BTreeSet<Register> {
    let parts = function.instructions.iter().flat_map(|one| std::iter::once(one).chain(one.second.as_deref()));
    parts.flat_map(|one| one.results().flat_map(Registers::iter).collect::<Vec<_>>()).collect()
}
