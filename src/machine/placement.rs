//! Where the markers of a program stand: per function their order, and what of the program stands between them.
//!
//! For the comparison of two builds, so nothing here depends on ids, registers or addresses. The order is that of control
//! flow. Landmarks are what a marker does not cross without timing something else: barriers, calls, memory
//! operations, matrix operations, changes of EXEC, and the bounds of branches and loops.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_contract::funcmap::{Funcmap, Index, Row};
use sqtt_contract::marker::Encoding;

use super::exec::ExecEffect;
use super::flow::{self, FunctionFlow, Header, Traced};
use super::instruction::{Condition, Control, Instruction};
use super::markers::{MarkerInstruction, Source};
use super::program::{Entry, Function, Program};
use super::register::Registers;

/// The markers of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionPlacement {
    /// Its symbol, mangled.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// How many basic blocks it has.
    pub blocks: usize,
    /// Markers and landmarks in the order of control flow, loops aside.
    pub steps: Vec<Step>,
}

/// A marker, or what stands between markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A marker.
    Marker(PlacedMarker),
    /// What none crosses unseen.
    Landmark(Landmark),
}

/// A marker at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedMarker {
    /// What it marks.
    pub label: Label,
    /// Of the instruction, when the code object is loaded at 0.
    pub address: u64,
    /// Its basic block, from 0 by address.
    pub block: usize,
}

/// What a marker marks. An exit and enter in one marker is two of these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// Which end of what.
    pub action: Action,
    /// Of what.
    pub subject: Subject,
}

/// What a marker says of its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A scope opens.
    Enter,
    /// A scope closes.
    Exit,
    /// A point in time.
    Point,
}

/// What a marker speaks of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A row of the map: its letter and its name.
    Row(char, String),
    /// An id that no row names: a number of the program's own.
    Number(u32),
    /// It is not known: a word that is known at run time only, or an exit of a scope that was opened elsewhere.
    Unknown,
}

/// Something that stands between markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landmark {
    /// Waves of a workgroup wait for one another.
    Barrier,
    /// A function is called.
    Call,
    /// A load from memory.
    Load,
    /// A store to memory.
    Store,
    /// An atomic operation, in memory or LDS.
    Atomic,
    /// LDS is read.
    LdsRead,
    /// LDS is written, or lanes exchange values through it.
    LdsWrite,
    /// A matrix operation.
    Matrix,
    /// Lanes are switched off.
    LanesPart,
    /// Lanes are switched on.
    LanesJoin,
    /// EXEC has another value.
    LanesOther,
    /// A branch on a scalar condition, over something that counts.
    Fork,
    /// Such a branch leads here.
    Join,
    /// A loop begins.
    LoopStart,
    /// A loop goes back to its start.
    LoopEnd,
}

/// Where the markers of `program`, whose map is `map`, stand; functions that trace nothing are left out.
pub fn placement(program: &Program, map: &Funcmap) -> Vec<FunctionPlacement> {
    let flow = flow::analyse(program, map);
    let names = Names { encoding: map.encoding(), index: map.index() };
    let mut placed = Vec::new();
    for (index, function) in program.functions.iter().enumerate().filter(|(_, function)| function.has_markers()) {
        let traced = observed(flow.functions.get(index));
        let markers = labels(function, &traced, &names);
        let is_kernel = function.entry == Entry::Kernel;
        let steps = steps(function, &traced, markers);
        placed.push(FunctionPlacement { name: function.name.clone(), is_kernel, blocks: function.blocks.len(), steps });
    }
    placed
}

/// The map as names are asked for.
struct Names<'a> {
    encoding: Encoding,
    index: Index<'a>,
}

impl Names<'_> {
    fn subject(&self, id: u32) -> Subject {
        match self.index.find(id) {
            Some(row) => row_subject(row),
            None => Subject::Number(id),
        }
    }

    /// What a marker traces that the analysis of paths did not come to.
    fn header(&self, marker: &MarkerInstruction) -> Header {
        let word = match marker.source {
            // The hardware records the low 8 bits.
            Source::Immediate(word) => u32::from(word & 0xFF),
            Source::Constant(word) => word,
            _ => return Header::Any,
        };
        Header::of(self.encoding.decode_among(word, |id| self.index.contains(id)).marker)
    }
}

fn row_subject(row: &Row) -> Subject {
    let name = row.name().map(|name| name.to_str().into_owned());
    Subject::Row(row.letter(), name.unwrap_or_default())
}

/// What each marker traces; of several answers (other waves, other paths) the one that says most.
fn observed(flow: Option<&FunctionFlow>) -> BTreeMap<u64, Traced> {
    let mut found = BTreeMap::new();
    for observation in flow.into_iter().flat_map(|flow| &flow.observations) {
        let Some(traced) = observation.traced else { continue };
        let known = |traced: Traced| match traced {
            Traced::Header(Header::Known { .. }) => 3,
            Traced::Payload => 2,
            Traced::Header(Header::Flags { .. }) => 1,
            Traced::Header(Header::Any) => 0,
        };
        let entry = found.entry(observation.address).or_insert(traced);
        if known(traced) > known(*entry) {
            *entry = traced;
        }
    }
    found
}

/// The labels of each marker instruction that is a header, by its index.
fn labels(function: &Function, traced: &BTreeMap<u64, Traced>, names: &Names<'_>) -> BTreeMap<usize, Vec<Label>> {
    let mut labels = BTreeMap::new();
    for marker in function.markers() {
        let traced = traced.get(&marker.address).copied().unwrap_or_else(|| Traced::Header(names.header(&marker)));
        let (subject, enter, exit) = match traced {
            Traced::Payload => continue,
            Traced::Header(Header::Known { id, enter, exit }) => (names.subject(id), enter, exit),
            Traced::Header(Header::Flags { enter, exit }) => (Subject::Unknown, enter, exit),
            Traced::Header(Header::Any) => (Subject::Unknown, false, false),
        };
        let mut own = Vec::new();
        if exit {
            own.push(Label { action: Action::Exit, subject: Subject::Unknown });
        }
        if enter {
            own.push(Label { action: Action::Enter, subject: subject.clone() });
        }
        if !enter && !exit {
            own.push(Label { action: Action::Point, subject });
        }
        labels.insert(marker.index, own);
    }
    name_exits(function, &mut labels);
    labels
}

/// Scopes that are followed when exits are named; code that opens more is no code of a compiler.
const DEEPEST: usize = 256;

/// Says which scope each exit closes, along one way through the function to each block. In a program whose scopes are
/// balanced all ways agree; where the ways part at a scope check, the way that traces is taken.
fn name_exits(function: &Function, labels: &mut BTreeMap<usize, Vec<Label>>) {
    let mut reached = vec![false; function.blocks.len()];
    let mut pending = vec![(0, Vec::new())];
    while let Some((index, mut open)) = pending.pop() {
        let Some(block) = function.blocks.get(index) else { continue };
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        for label in labels.range_mut(block.instructions.clone()).flat_map(|(_, own)| own) {
            match label.action {
                Action::Enter if open.len() < DEEPEST => open.push(label.subject.clone()),
                Action::Exit => label.subject = open.pop().unwrap_or(Subject::Unknown),
                _ => {}
            }
        }
        // The last one is taken first.
        let mut next: Vec<usize> = block.edges.iter().map(|edge| edge.to).collect();
        let traces = |to: usize| labels.range(function.blocks[to].instructions.clone()).next().is_some();
        next.sort_by_key(|to| (traces(*to), std::cmp::Reverse(*to)));
        pending.extend(next.into_iter().map(|to| (to, open.clone())));
    }
}

fn steps(function: &Function, traced: &BTreeMap<u64, Traced>, mut labels: BTreeMap<usize, Vec<Label>>) -> Vec<Step> {
    let order = control_flow_order(function);
    let bounds = bounds(function, &order, traced);
    let mut steps = Vec::new();
    for number in order {
        let at = |landmark| bounds.contains(&(number, landmark)).then_some(Step::Landmark(landmark));
        steps.extend([Landmark::Join, Landmark::LoopStart].into_iter().filter_map(at));
        for index in function.blocks[number].instructions.clone() {
            let instruction = &function.instructions[index];
            for label in labels.remove(&index).unwrap_or_default() {
                steps.push(Step::Marker(PlacedMarker { label, address: instruction.address, block: number }));
            }
            steps.extend(landmark(instruction).map(Step::Landmark));
        }
        steps.extend([Landmark::LoopEnd, Landmark::Fork].into_iter().filter_map(at));
    }
    steps
}

/// The blocks, each behind those that lead to it, loops aside: where a compiler puts them is no matter. Of two ways the
/// one of the lower address is first. What the entry does not lead to comes last.
fn control_flow_order(function: &Function) -> Vec<usize> {
    let successors = |block: usize| {
        let mut next: Vec<usize> = function.blocks[block].edges.iter().map(|edge| edge.to).collect();
        // Taken from the end: what is finished first comes last.
        next.sort_unstable();
        next
    };
    let mut reached = vec![false; function.blocks.len()];
    let mut order = Vec::with_capacity(function.blocks.len());
    for start in 0..function.blocks.len() {
        if std::mem::replace(&mut reached[start], true) {
            continue;
        }
        let mut finished = Vec::new();
        let mut way = vec![(start, successors(start))];
        while let Some((block, next)) = way.last_mut() {
            match next.pop() {
                Some(to) if !std::mem::replace(&mut reached[to], true) => way.push((to, successors(to))),
                Some(_) => {}
                None => {
                    finished.push(*block);
                    way.pop();
                }
            }
        }
        order.extend(finished.into_iter().rev());
    }
    order
}

/// The blocks where loops begin and end, and where branches on scalar conditions part and come together.
///
/// A loop that traces a payload and does nothing else is a marker's own, over the lanes; a branch over nothing that
/// counts may be the scope check in front of a marker.
fn bounds(function: &Function, order: &[usize], traced: &BTreeMap<u64, Traced>) -> BTreeSet<(usize, Landmark)> {
    let is_payload = |one: &Instruction| traced.get(&one.address) == Some(&Traced::Payload);
    let code = |block: usize| &function.instructions[function.blocks[block].instructions.clone()];
    // How many landmarks and how many payload records stand in front of each block.
    let (mut landmarks, mut payloads) = (vec![0], vec![0]);
    let mut position = vec![0; function.blocks.len()];
    for (at, block) in order.iter().enumerate() {
        position[*block] = at;
        landmarks.push(landmarks[at] + code(*block).iter().filter(|one| landmark(one).is_some()).count());
        payloads.push(payloads[at] + code(*block).iter().filter(|one| is_payload(one)).count());
    }
    let mut bounds = BTreeSet::new();
    // The last way back to each start: a scope check at the end of a loop makes one more in front of it.
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    for from in order.iter().copied() {
        let control = code(from).last().map(Instruction::control);
        let is_scalar = matches!(control, Some(Control::Branch(Condition::Scc(_) | Condition::VccZero(_))));
        for to in function.blocks[from].edges.iter().map(|edge| edge.to) {
            if position[to] <= position[from] {
                ends.insert(to, from);
            } else if is_scalar && landmarks[position[to]] > landmarks[position[from] + 1] {
                bounds.extend([(from, Landmark::Fork), (to, Landmark::Join)]);
            }
        }
    }
    for (to, from) in ends {
        let (start, end) = (position[to], position[from] + 1);
        let is_own = landmarks[end] == landmarks[start] && payloads[end] > payloads[start];
        if !is_own {
            bounds.extend([(to, Landmark::LoopStart), (from, Landmark::LoopEnd)]);
        }
    }
    bounds
}

fn landmark(instruction: &Instruction) -> Option<Landmark> {
    let name = &*instruction.mnemonic;
    if name.starts_with("s_barrier") {
        return Some(Landmark::Barrier);
    }
    if instruction.control() == Control::Call {
        return Some(Landmark::Call);
    }
    if ["v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"].iter().any(|matrix| name.starts_with(matrix)) {
        return Some(Landmark::Matrix);
    }
    match ExecEffect::of(instruction) {
        Some(ExecEffect::Narrows) => return Some(Landmark::LanesPart),
        Some(ExecEffect::Widens) => return Some(Landmark::LanesJoin),
        Some(ExecEffect::Replaces) => return Some(Landmark::LanesOther),
        Some(ExecEffect::Tests) | None => {}
    }
    memory(instruction)
}

/// Registers in these are the stack, which compilers use as they like.
const STACK: &str = "s[0:3]";

fn memory(instruction: &Instruction) -> Option<Landmark> {
    let name = &*instruction.mnemonic;
    let in_lds = name.starts_with("ds_");
    let in_memory = ["global_", "flat_", "buffer_", "tbuffer_", "image_"].iter().any(|kind| name.starts_with(kind));
    if !(in_lds || in_memory) || instruction.registers(2).is_some_and(|base| Registers::parse(STACK) == Some(base)) {
        return None;
    }
    let has = |words: [&str; 2]| words.iter().any(|word| name.contains(word));
    match in_lds {
        _ if name.contains("atomic") || name.starts_with("ds_add") => Some(Landmark::Atomic),
        true if has(["read", "load"]) => Some(Landmark::LdsRead),
        true => Some(Landmark::LdsWrite),
        false if has(["load", "sample"]) => Some(Landmark::Load),
        false if name.contains("store") => Some(Landmark::Store),
        // Caches and waits.
        false => None,
    }
}
