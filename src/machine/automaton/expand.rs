//! A kernel with all that it calls, as points with steps between them; some points trace a header.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sqtt_contract::funcmap::Funcmap;

use super::Place;
use super::calls::{self, Known};
use super::words::{Codebook, Emission, of};
use crate::machine::blocks::Exit;
use crate::machine::flow::{Flow, Header, World};
use crate::machine::instruction::Control;
use crate::machine::program::{Entry, Function, Program};

/// Index of a [`Point`].
pub(super) type PointIndex = usize;

/// The points of a kernel.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) points: Vec<Point>,
    /// Where waves begin: inside the scope filter, and outside where there is one.
    pub(super) starts: Vec<PointIndex>,
    /// Where control goes to an unknown place.
    pub(super) unknown: BTreeSet<Place>,
}

/// A point of the code in one chain of calls.
#[derive(Debug, Default)]
pub(super) struct Point {
    /// What is traced on the way to the steps.
    pub(super) traces: Option<(Place, Vec<Header>)>,
    /// The points that are next.
    pub(super) steps: Vec<PointIndex>,
    /// The wave can end here.
    pub(super) ends: bool,
    /// Unknown code begins here.
    pub(super) is_unknown: bool,
}

/// Points up to which each call has a copy of its callee; from there on callees are shared, and return to all callers.
const MOST_COPIED: usize = 200_000;

/// One function in one chain of calls.
struct Frame {
    function: usize,
    world: World,
    /// The frame that called it; none for kernels and shared ones.
    parent: Option<usize>,
    entry: PointIndex,
    /// Where it returns to its callers.
    back: PointIndex,
}

pub(super) fn expand(program: &Program, map: &Funcmap, flow: &Flow, kernel: usize) -> Expanded {
    let known = Known::new(program, flow);
    let worlds: &[World] = if known.has_outside() { &[World::Inside, World::Outside] } else { &[World::Inside] };
    let book = Codebook::new(map);
    let mut expansion = Expansion {
        program,
        known,
        book,
        out: Expanded::default(),
        frames: Vec::new(),
        shared: HashMap::new(),
        words: HashMap::new(),
    };
    for world in worlds {
        let frame = expansion.frame(kernel, *world, None);
        let entry = expansion.frames[frame].entry;
        expansion.out.starts.push(entry);
    }
    let mut done = 0;
    while done < expansion.frames.len() {
        expansion.fill(done);
        done += 1;
    }
    expansion.out
}

struct Expansion<'a> {
    program: &'a Program,
    known: Known<'a>,
    book: Codebook<'a>,
    out: Expanded,
    /// Those from the first that is not filled yet are still to be.
    frames: Vec<Frame>,
    shared: HashMap<(usize, World), usize>,
    words: HashMap<(usize, World), BTreeMap<usize, Emission>>,
}

impl Expansion<'_> {
    fn point(&mut self) -> PointIndex {
        self.out.points.push(Point::default());
        self.out.points.len() - 1
    }

    fn step(&mut self, from: PointIndex, to: PointIndex) {
        self.out.points[from].steps.push(to);
    }

    fn frame(&mut self, function: usize, world: World, parent: Option<usize>) -> usize {
        let (entry, back) = (self.point(), self.point());
        self.frames.push(Frame { function, world, parent, entry, back });
        self.frames.len() - 1
    }

    /// The frame of a call out of `caller`: a copy, but in recursion and where there are too many.
    fn callee(&mut self, function: usize, caller: usize) -> usize {
        let world = self.frames[caller].world;
        let chain = std::iter::successors(Some(caller), |frame| self.frames[*frame].parent);
        let is_copied = self.out.points.len() < MOST_COPIED
            && !self.shared.contains_key(&(function, world))
            && !chain.into_iter().any(|frame| self.frames[frame].function == function);
        if is_copied {
            return self.frame(function, world, Some(caller));
        }
        if let Some(frame) = self.shared.get(&(function, world)) {
            return *frame;
        }
        let frame = self.frame(function, world, None);
        self.shared.insert((function, world), frame);
        frame
    }

    /// Adds the points of a frame's function.
    fn fill(&mut self, frame: usize) {
        let Frame { function: index, world, entry, .. } = self.frames[frame];
        let program = self.program;
        let Some(function) = program.functions.get(index) else { return };
        let emissions = self
            .words
            .remove(&(index, world))
            .unwrap_or_else(|| of(function, self.known.found(index, world), world, &self.book));
        let mut blocks: BTreeMap<usize, PointIndex> = BTreeMap::from([(0, entry)]);
        let mut pending = vec![0];
        while let Some(block) = pending.pop() {
            let mut at = blocks[&block];
            let Some(instructions) = function.blocks.get(block).map(|block| block.instructions.clone()) else {
                continue;
            };
            for instruction in instructions.clone() {
                if let Some(emission) = emissions.get(&instruction) {
                    let place = Place { function: index, address: function.instructions[instruction].address };
                    at = self.marker(at, place, emission);
                }
            }
            let to: Vec<PointIndex> = self
                .known
                .ways(index, world, block)
                .into_iter()
                .map(|to| {
                    *blocks.entry(to).or_insert_with(|| {
                        pending.push(to);
                        self.out.points.push(Point::default());
                        self.out.points.len() - 1
                    })
                })
                .collect();
            self.leave(frame, function, block, at, &to);
        }
        self.words.insert((index, world), emissions);
    }

    /// Adds a marker behind the point `at`; the result is the point behind it.
    fn marker(&mut self, at: PointIndex, place: Place, emission: &Emission) -> PointIndex {
        if emission.headers.is_empty() {
            return at;
        }
        let (traces, behind) = (self.point(), self.point());
        let headers = if emission.headers.contains(&Header::Any) {
            vec![Header::Any]
        } else {
            emission.headers.iter().copied().collect()
        };
        self.out.points[traces].traces = Some((place, headers));
        self.step(at, traces);
        self.step(traces, behind);
        if !emission.payload_of.is_empty() {
            self.step(at, behind);
        }
        behind
    }

    /// Connects the end of a block, which is the point `at`, to the blocks that begin at `to`, and to what it calls.
    fn leave(&mut self, frame: usize, function: &Function, block: usize, at: PointIndex, to: &[PointIndex]) {
        let Frame { function: index, world, back, .. } = self.frames[frame];
        let last_index = function.blocks[block].instructions.end - 1;
        let last = &function.instructions[last_index];
        let place = Place { function: index, address: last.address };
        if last.control() == Control::Call {
            let behind = self.point();
            to.iter().for_each(|to| self.step(behind, *to));
            for callee in self.known.callees(index, world, last_index) {
                self.call(frame, callee, place, at, behind);
            }
            return;
        }
        to.iter().for_each(|to| self.step(at, *to));
        match function.blocks[block].exit {
            None => {}
            Some(Exit::End) => self.out.points[at].ends = true,
            // What a program stops by; the trap handler ends the wave.
            Some(Exit::Trap) if last.operands.first().and_then(|operand| operand.constant()) == Some(2) => {
                self.out.points[at].ends = true;
            }
            Some(Exit::Trap | Exit::OffEnd) => self.unknown(at, place),
            Some(Exit::Away(target)) => {
                let callee = self.program.function_at(target);
                self.call(frame, callee, place, at, back);
            }
            Some(Exit::Indirect) => {
                let callees = self.known.callees(index, world, last_index);
                let is_return = function.entry != Entry::Kernel && calls::is_return(last);
                for callee in &callees {
                    if callee.is_some() || !is_return {
                        self.call(frame, *callee, place, at, back);
                    }
                }
                if is_return {
                    self.step(at, back);
                } else if callees.is_empty() {
                    self.unknown(at, place);
                }
            }
        }
    }

    fn call(&mut self, frame: usize, callee: Option<usize>, place: Place, at: PointIndex, behind: PointIndex) {
        match callee {
            None => self.unknown(at, place),
            Some(callee) if self.known.is_silent(callee) => self.step(at, behind),
            Some(callee) => {
                let callee = self.callee(callee, frame);
                let Frame { entry, back, .. } = self.frames[callee];
                self.step(at, entry);
                self.step(back, behind);
            }
        }
    }

    fn unknown(&mut self, at: PointIndex, place: Place) {
        self.out.points[at].is_unknown = true;
        self.out.unknown.insert(place);
    }
}
