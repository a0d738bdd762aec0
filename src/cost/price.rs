//! What the issue of each marker of a code object costs a wave, in cycles: before its record and behind it.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_contract::funcmap::Funcmap;

use super::Analysis;
use super::attribute::{self, Part};
use super::issue::{self, Bounds, Generation};
use crate::code_object::Target;
use crate::machine::automaton::{Emission, Header};
use crate::machine::flow::World;
use crate::machine::{Control, Function, Loops, Program};

/// What one marker costs, in cycles of the shader clock. The least is the marker's own instructions; the most has its guard,
/// its boundaries and the check of its function with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// Before its record: what makes the word, and the guard.
    pub before: Bounds,
    /// From its record on: the trace instruction, its payload, and the way back to the program.
    pub after: Bounds,
}

impl Price {
    fn or(self, other: Price) -> Price {
        Price { before: self.before.or(other.before), after: self.after.or(other.after) }
    }
}

/// What the markers of a code object cost, by what tells them apart in a trace.
#[derive(Clone, Debug)]
pub struct Prices {
    /// Whose issue costs these are.
    pub generation: Generation,
    /// By id, over all places that trace it; exits are under 0.
    by_id: BTreeMap<u32, Price>,
    /// Of the places that trace what is known at run time only.
    unknown: Option<Price>,
}

impl Prices {
    /// Those of `program`; `map` and `target` are those of the same code object.
    pub fn of(program: &Program, map: &Funcmap, target: &Target) -> Prices {
        let generation = Generation::of(&target.processor);
        let mut prices = Prices { generation, by_id: BTreeMap::new(), unknown: None };
        let analysis = Analysis::new(program, map);
        for (index, function) in program.functions.iter().enumerate() {
            let words = analysis.words(index, function);
            for (header, price) in Sites::of(&analysis, index, function, &words, generation).prices {
                prices.add(words.get(&header), price);
            }
        }
        prices
    }

    fn add(&mut self, emission: Option<&Emission>, price: Price) {
        for header in emission.into_iter().flat_map(|emission| &emission.headers) {
            match header {
                Header::Known { id, .. } => {
                    let known = self.by_id.entry(*id).or_insert(price);
                    *known = known.or(price);
                }
                Header::Flags { .. } | Header::Any => {
                    self.unknown = Some(self.unknown.map_or(price, |known| known.or(price)));
                }
            }
        }
    }

    /// What a marker of `id` costs, wherever it was traced, 0 for an exit; nothing when no place traces it.
    pub fn get(&self, id: u32) -> Option<Price> {
        match (self.by_id.get(&id).copied(), self.unknown) {
            (Some(known), Some(unknown)) => Some(known.or(unknown)),
            (known, unknown) => known.or(unknown),
        }
    }
}

/// The headers of one function with their prices.
struct Sites<'a> {
    analysis: &'a Analysis<'a>,
    index: usize,
    function: &'a Function,
    /// By the index of the header's marker instruction.
    prices: BTreeMap<usize, Price>,
}

impl<'a> Sites<'a> {
    fn of(
        analysis: &'a Analysis<'a>,
        index: usize,
        function: &'a Function,
        words: &BTreeMap<usize, Emission>,
        generation: Generation,
    ) -> Sites<'a> {
        let is_header = |(at, emission): (&usize, &Emission)| (!emission.headers.is_empty()).then_some(*at);
        let prices = words.iter().filter_map(is_header).map(|at| (at, Price::default())).collect();
        let mut sites = Sites { analysis, index, function, prices };
        if sites.prices.is_empty() {
            return sites;
        }
        let parts = attribute::parts(function, analysis.flow.functions.get(index), words);
        let loops = Loops::of(function);
        for (at, part) in parts.iter().enumerate() {
            let cycles = issue::issue(generation, &function.instructions[at]);
            match part {
                Part::Program | Part::Padding => {}
                Part::Marker { header } => sites.own(&loops, at, *header, cycles),
                Part::Check | Part::Boundary => sites.around(at, Bounds::new(0, cycles.most)),
            }
        }
        sites
    }

    /// Adds an instruction of the marker at `header`; in a loop over lanes, once for each of these.
    fn own(&mut self, loops: &Loops, at: usize, header: usize, cycles: Bounds) {
        let (block, outer) = (self.function.block_of(at), self.function.block_of(header));
        let is_repeated = block.zip(outer).is_some_and(|(block, outer)| {
            loops.all.iter().any(|one| one.blocks.contains(&block) && !one.blocks.contains(&outer))
        });
        let count = if is_repeated { u64::from(self.function.wave_size) } else { 1 };
        let Some(price) = self.prices.get_mut(&header) else { return };
        *(if at < header { &mut price.before } else { &mut price.after }) += cycles.times(count);
    }

    /// Adds an instruction that stands around markers: to the next header of its block, else to the one before it if it
    /// leads away from that, else to those that a marked wave can come to first.
    fn around(&mut self, at: usize, cycles: Bounds) {
        let Some(block) = self.function.block_of(at) else { return };
        let range = self.function.blocks[block].instructions.clone();
        if let Some(next) = self.header_in(at + 1..range.end) {
            return self.pay(next, |price| price.before += cycles);
        }
        let is_check = matches!(self.function.instructions[at].control(), Control::Branch(_) | Control::Next)
            && !attribute::is_wait(&self.function.instructions[at]);
        let last = self.prices.range(range.start..at).next_back().map(|(header, _)| *header);
        match last.filter(|_| !is_check) {
            Some(last) => self.pay(last, |price| price.after += cycles),
            None => {
                for next in self.first_behind(block) {
                    self.pay(next, |price| price.before += cycles);
                }
            }
        }
    }

    fn pay(&mut self, header: usize, add: impl FnOnce(&mut Price)) {
        if let Some(price) = self.prices.get_mut(&header) {
            add(price);
        }
    }

    fn header_in(&self, range: std::ops::Range<usize>) -> Option<usize> {
        self.prices.range(range).next().map(|(header, _)| *header)
    }

    /// The headers that a wave inside the scope filter can trace first behind `block`.
    fn first_behind(&self, block: usize) -> BTreeSet<usize> {
        let found = self.analysis.flow.functions.get(self.index);
        let (mut first, mut seen, mut pending) = (BTreeSet::new(), BTreeSet::new(), vec![block]);
        while let Some(from) = pending.pop() {
            let ways = found.into_iter().flat_map(|found| &found.ways);
            for way in ways.filter(|way| way.world == World::Inside && way.from == from) {
                if seen.insert(way.to) {
                    match self.header_in(self.function.blocks[way.to].instructions.clone()) {
                        Some(header) => _ = first.insert(header),
                        None => pending.push(way.to),
                    }
                }
            }
        }
        first
    }
}
