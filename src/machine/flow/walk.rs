//! The paths of one function in one world.

use std::collections::{BTreeMap, BTreeSet};

use super::branch;
use super::join::join;
use super::state::{Place, State};
use super::summary::Summaries;
use super::word::{Header, Traced};
use super::{Call, Context, End, Event, Exec, FunctionFlow, Markers, Observation, Unseen, Way, step};
use crate::machine::blocks::Exit;
use crate::machine::exec::exec;
use crate::machine::instruction::{Control, Instruction};
use crate::machine::markers::is_marker;
use crate::machine::program::{Entry, Function, Program};
use crate::machine::register::Register;

/// What is told apart at one block. `None` is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    depth: Option<i32>,
    due: Option<u32>,
}

/// Scopes that a wave can have open before it counts as a runaway loop.
const MOST_SCOPES: i32 = 48;
/// Times that a block is looked at with one key before its clauses are dropped; twice that many and it is given up.
const MOST_VISITS: u32 = 60;
/// Instructions that are run for one function in one world.
const BUDGET: usize = 4_000_000;

/// What the paths of a function come to; `None` when it was given up.
pub(super) fn walk(
    program: &Program,
    index: usize,
    context: Context,
    markers: &Markers<'_>,
    summaries: &Summaries,
) -> Option<(FunctionFlow, Unseen, i32)> {
    let function = program.functions.get(index)?;
    let walk = Walk { program, function, context, markers, summaries };
    let states = walk.settle()?;
    let mut record = Record::default();
    for ((block, key), visited) in &states {
        let state = visited.state.clone();
        for (to, ..) in walk.block(*block, *key, state, &mut record) {
            record.flow.ways.insert(Way { world: context.world, from: *block, to });
        }
    }
    let unseen = Unseen {
        calls: record.calls.len(),
        jumps: record.jumps.len(),
        paths: record.lost.len(),
        masks: record.flow.observations.iter().filter(|one| one.exec == Exec::Unknown).count(),
        words: record.flow.observations.iter().filter(|one| one.traced == Some(Traced::Header(Header::Any))).count(),
        ..Unseen::default()
    };
    Some((record.flow, unseen, record.lowest))
}

struct Walk<'a> {
    program: &'a Program,
    function: &'a Function,
    context: Context,
    markers: &'a Markers<'a>,
    summaries: &'a Summaries,
}

struct Visited {
    state: State,
    times: u32,
}

#[derive(Default)]
struct Record {
    flow: FunctionFlow,
    calls: BTreeSet<u64>,
    jumps: BTreeSet<u64>,
    lost: BTreeSet<u64>,
    lowest: i32,
}

type States = BTreeMap<(usize, Key), Visited>;
type Next = Vec<(usize, Key, State)>;

impl Walk<'_> {
    /// Runs blocks until nothing new comes out.
    fn settle(&self) -> Option<States> {
        let mut states = States::new();
        let mut pending = BTreeSet::new();
        let mut budget = BUDGET;
        let entry = State::entry(exec(self.context.wave_size));
        self.arrive((0, Key { depth: Some(0), due: Some(0) }, entry), &mut states, &mut pending)?;
        while let Some((block, key)) = pending.pop_first() {
            let state = states.get(&(block, key))?.state.clone();
            budget = budget.checked_sub(self.function.blocks.get(block)?.instructions.len())?;
            for next in self.block(block, key, state, &mut Record::default()) {
                self.arrive(next, &mut states, &mut pending)?;
            }
        }
        Some(states)
    }

    fn arrive(
        &self,
        (block, key, state): (usize, Key, State),
        states: &mut States,
        pending: &mut BTreeSet<(usize, Key)>,
    ) -> Option<()> {
        let Some(visited) = states.get_mut(&(block, key)) else {
            states.insert((block, key), Visited { state: join(&state, &state), times: 1 });
            pending.insert((block, key));
            return Some(());
        };
        let mut joined = join(&visited.state, &state);
        if visited.times >= MOST_VISITS {
            joined.clauses.clear();
            joined.links.clear();
        }
        if joined != visited.state {
            visited.state = joined;
            visited.times += 1;
            pending.insert((block, key));
        }
        (visited.times < 2 * MOST_VISITS).then_some(())
    }

    /// Runs one block; the result is where it leads.
    fn block(&self, index: usize, mut key: Key, mut state: State, record: &mut Record) -> Next {
        let Some(block) = self.function.blocks.get(index) else { return Vec::new() };
        for at in block.instructions.clone() {
            let instruction = &self.function.instructions[at];
            let control = instruction.control();
            if is_marker(instruction) {
                let Some(after) = self.marker(instruction, key, &mut state, record) else { return Vec::new() };
                key = after;
            } else if control == Control::Call {
                return self.call(index, instruction, key, state, record);
            } else if control == Control::Next {
                self.check_payload(instruction, key, record);
                step(&mut state, instruction, &self.context);
            }
        }
        self.leave(index, key, state, record)
    }

    /// Runs a marker; `None` where the path cannot go on.
    fn marker(&self, instruction: &Instruction, key: Key, state: &mut State, record: &mut Record) -> Option<Key> {
        let address = instruction.address;
        let exec = state.exec(exec(self.context.wave_size));
        let mut observe = |traced| {
            let observation = Observation { address, world: self.context.world, exec, traced };
            record.flow.observations.insert(observation);
        };
        match key.due {
            None => {
                observe(None);
                return Some(Key { depth: None, due: None });
            }
            Some(0) => {}
            Some(due) => {
                observe(Some(Traced::Payload));
                return Some(Key { due: Some(due - 1), ..key });
            }
        }
        let bits = if instruction.is("s_ttracedata_imm") {
            // The hardware records the low 8 bits.
            super::Bits::constant(instruction.word & sqtt_contract::marker::MAX_IMMEDIATE)
        } else {
            let word = state.get(Place::Register(Register::M0));
            state.bits(word)
        };
        let header = Header::of_word(bits, self.markers);
        observe(Some(Traced::Header(header)));
        let (exits, enters) = header.effect();
        let mut depth = key.depth;
        if exits {
            depth = self.moved(depth, -1, -1, address, record);
        }
        if enters {
            depth = self.moved(depth, 1, 0, address, record);
            if depth.is_some_and(|depth| depth > MOST_SCOPES) {
                record.flow.events.insert(Event::TooDeep { address });
                return None;
            }
        }
        Some(Key { depth, due: Some(header.payload(self.markers)) })
    }

    /// The depth after a change that goes `lowest` below it on its way. A kernel has no scope of a caller to close.
    fn moved(&self, depth: Option<i32>, by: i32, lowest: i32, address: u64, record: &mut Record) -> Option<i32> {
        let depth = depth?;
        let reached = depth.saturating_add(lowest);
        record.lowest = record.lowest.min(reached);
        let kernel = self.function.entry == Entry::Kernel;
        if (kernel && reached < 0) || reached < -MOST_SCOPES {
            record.flow.events.insert(Event::Underflow { address });
            return Some(depth.saturating_add(by).max(if kernel { 0 } else { -MOST_SCOPES }));
        }
        Some(depth.saturating_add(by))
    }

    fn check_payload(&self, instruction: &Instruction, key: Key, record: &mut Record) {
        if let Some(due) = key.due.filter(|due| *due > 0)
            && ["s_barrier", "s_sendmsg", "s_sleep"].iter().any(|prefix| instruction.mnemonic.starts_with(prefix))
        {
            record.flow.events.insert(Event::PayloadInterrupted { address: instruction.address, due });
        }
    }

    fn call(&self, index: usize, instruction: &Instruction, key: Key, mut state: State, record: &mut Record) -> Next {
        let address = instruction.address;
        let target = instruction.target.or_else(|| {
            let registers = instruction.registers(1)?;
            known_address(&mut state, registers.get(0)?, registers.get(1)?)
        });
        let callee = target.and_then(|target| self.program.function_at(target));
        let outcomes = self.outcomes(callee, instruction, key, &mut state, record);
        self.summaries.clobber(callee, &mut state);
        let Some(edge) = self.function.blocks.get(index).and_then(|block| block.edges.first()) else {
            return Vec::new();
        };
        let keys = outcomes.into_iter().map(|(by, lowest)| match by {
            Some(by) => Key { depth: self.moved(key.depth, by, lowest, address, record), ..key },
            None => Key { depth: None, ..key },
        });
        let keys: Vec<Key> = keys.collect();
        let fits = |key: &Key| key.depth.is_none_or(|depth| depth <= MOST_SCOPES);
        if !keys.iter().all(fits) {
            record.flow.events.insert(Event::TooDeep { address });
        }
        keys.into_iter().filter(fits).map(|key| (edge.to, key, state.clone())).collect()
    }

    /// By how much a call can change the depth, and how far below the present one it goes.
    fn outcomes(
        &self,
        callee: Option<usize>,
        instruction: &Instruction,
        key: Key,
        state: &mut State,
        record: &mut Record,
    ) -> Vec<(Option<i32>, i32)> {
        let address = instruction.address;
        if let Some(due) = key.due.filter(|due| *due > 0) {
            record.flow.events.insert(Event::PayloadInterrupted { address, due });
        }
        record.flow.calls.insert(Call { address, world: self.context.world, callee });
        let Some(callee) = callee else {
            record.calls.insert(address);
            return vec![(Some(0), 0)];
        };
        let exec = state.exec(exec(self.context.wave_size));
        if self.summaries.traces(callee, self.context.world) && matches!(exec, Exec::MaybeZero | Exec::Zero) {
            record.flow.events.insert(Event::PhantomCall { address, callee });
        }
        self.summaries.outcomes(callee, self.context.world)
    }

    /// From the end of a block that is no call.
    fn leave(&self, index: usize, key: Key, mut state: State, record: &mut Record) -> Next {
        let Some(block) = self.function.blocks.get(index) else { return Vec::new() };
        let Some(last) = self.function.instructions.get(block.instructions.end.saturating_sub(1)) else {
            return Vec::new();
        };
        if last.control() == Control::Indirect {
            self.leave_indirectly(last, key, &mut state, record);
            return Vec::new();
        }
        let end = |record: &mut Record, returns| self.end(last, key, returns, record);
        match block.exit {
            Some(Exit::End) => end(record, false),
            Some(Exit::Away(_) | Exit::OffEnd) => _ = record.jumps.insert(last.address),
            Some(Exit::Trap | Exit::Indirect) | None => {}
        }
        let Control::Branch(condition) = last.control() else {
            return block.edges.iter().map(|edge| (edge.to, key, state.clone())).collect();
        };
        let ways = branch::split(state, condition, self.context.wave_size);
        let is_open = ways.taken.is_some() && ways.next.is_some();
        let goes_back = last.target.is_some_and(|target| target <= last.address);
        let mut key = key;
        if is_open && goes_back && key.due.is_some_and(|due| due > 0) {
            // How often a loop of payload records runs is not known.
            record.lost.insert(last.address);
            key = Key { depth: None, due: None };
        }
        let mut next = Vec::new();
        for edge in &block.edges {
            let state = if edge.taken { &ways.taken } else { &ways.next };
            next.extend(state.clone().map(|state| (edge.to, key, state)));
        }
        next
    }

    fn leave_indirectly(&self, last: &Instruction, key: Key, state: &mut State, record: &mut Record) {
        let registers = last.registers(0);
        let target = registers.and_then(|registers| known_address(state, registers.get(0)?, registers.get(1)?));
        match target.and_then(|target| self.program.function_at(target)) {
            Some(callee) => {
                for (by, lowest) in self.outcomes(Some(callee), last, key, state, record) {
                    let depth = by.and_then(|by| self.moved(key.depth, by, lowest, last.address, record));
                    self.end(last, Key { depth, ..key }, true, record);
                }
            }
            None if target.is_some() || self.function.entry == Entry::Kernel => _ = record.jumps.insert(last.address),
            None => self.end(last, key, true, record),
        }
    }

    fn end(&self, last: &Instruction, key: Key, returns: bool, record: &mut Record) {
        let due = key.due.unwrap_or(0);
        let end = End { address: last.address, world: self.context.world, returns, depth: key.depth, due };
        record.flow.ends.insert(end);
    }
}

fn known_address(state: &mut State, low: Register, high: Register) -> Option<u64> {
    let [low, high] = [low, high].map(|register| state.register(register));
    Some(u64::from(state.bits(high).value()?) << 32 | u64::from(state.bits(low).value()?))
}
