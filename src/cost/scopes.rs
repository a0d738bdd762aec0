//! What stands between the marker that opens a scope and those that close it: the program's instructions, and ours.

use std::collections::{BTreeMap, BTreeSet};

use super::Analysis;
use super::attribute::{self, Part};
use crate::machine::automaton::{Emission, Header};
use crate::machine::flow::World;
use crate::machine::{Control, Function, Loops};

/// One place where a scope opens. Instructions in loops inside it are weighted by [`TRIPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) id: u32,
    /// Loops around it, statically, with those around calls of its function.
    pub(super) heat: u32,
    /// Instructions of instrumentation, the opening marker's own among them.
    pub(super) added: u64,
    /// Instructions of the program, with those of functions that are called.
    pub(super) body: u64,
}

/// How often a loop is taken to run, as nothing is known of it.
const TRIPS: u64 = 8;
/// Scopes inside one another that are followed.
const MOST_SCOPES: usize = 16;

/// The scopes that open in the function at `index`.
pub(super) fn scopes(analysis: &Analysis<'_>, index: usize) -> Vec<Scope> {
    let Some(function) = analysis.program.functions.get(index) else { return Vec::new() };
    let words = analysis.words(index, function);
    let parts = attribute::parts(function, analysis.flow.functions.get(index), &words);
    let body = Body { analysis, index, function, words: &words, parts: &parts, loops: Loops::of(function) };
    let opened = words.iter().filter_map(|(at, emission)| match emission.headers.first() {
        Some(Header::Known { id, enter: true, .. }) if *id != 0 && emission.headers.len() == 1 => Some((*at, *id)),
        _ => None,
    });
    opened.filter_map(|(at, id)| body.scope(at, id)).collect()
}

struct Body<'a> {
    analysis: &'a Analysis<'a>,
    index: usize,
    function: &'a Function,
    words: &'a BTreeMap<usize, Emission>,
    parts: &'a [Part],
    loops: Loops,
}

impl Body<'_> {
    fn scope(&self, at: usize, id: u32) -> Option<Scope> {
        let start = self.function.block_of(at)?;
        let outer = self.loops.depth(start);
        let own = self.parts.iter().filter(|part| **part == Part::Marker { header: at }).count() as u64;
        let heat = self.analysis.heat.of_function(self.index) + outer;
        let mut scope = Scope { id, heat, added: own, body: 0 };
        let (mut seen, mut counted) = (BTreeSet::new(), BTreeSet::from([at]));
        let mut pending = vec![(start, at + 1, 1)];
        while let Some((block, from, depth)) = pending.pop() {
            if !seen.insert((block, from, depth)) {
                continue;
            }
            let weight = TRIPS.saturating_pow(self.loops.depth(block).saturating_sub(outer));
            let Some(depth) = self.block(block, from, depth, weight, &mut counted, &mut scope) else { continue };
            let found = self.analysis.flow.functions.get(self.index);
            let ways = found.into_iter().flat_map(|found| &found.ways);
            let to = ways.filter(|way| way.world == World::Inside && way.from == block).map(|way| way.to);
            pending.extend(to.map(|to| (to, 0, depth)));
        }
        Some(scope)
    }

    /// Adds the instructions of a block up to where the scope closes; else the depth behind the block.
    fn block(
        &self,
        block: usize,
        from: usize,
        mut depth: usize,
        weight: u64,
        counted: &mut BTreeSet<usize>,
        scope: &mut Scope,
    ) -> Option<usize> {
        let range = self.function.blocks.get(block)?.instructions.clone();
        for at in range.start.max(from)..range.end {
            let is_new = counted.insert(at);
            let own = matches!(self.parts[at], Part::Marker { header } if header == at);
            match self.parts[at] {
                Part::Program if is_new => scope.body = scope.body.saturating_add(weight * self.size_of(at)),
                Part::Program | Part::Padding => {}
                _ if is_new => scope.added = scope.added.saturating_add(weight),
                _ => {}
            }
            let header = self.words.get(&at).and_then(|emission| emission.headers.first()).filter(|_| own);
            let Some(Header::Known { id, enter, exit }) = header else { continue };
            let is_nothing = *id == 0 && (*enter || !*exit);
            depth -= usize::from(*exit && !is_nothing);
            if depth == 0 {
                return None;
            }
            depth = (depth + usize::from(*enter && !is_nothing)).min(MOST_SCOPES);
        }
        Some(depth)
    }

    /// 1, and for a call of a known function what that has in all.
    fn size_of(&self, at: usize) -> u64 {
        let instruction = &self.function.instructions[at];
        if instruction.control() != Control::Call {
            return 1;
        }
        let found = self.analysis.flow.functions.get(self.index);
        let mut calls = found.into_iter().flat_map(|found| &found.calls);
        let callee = calls.find(|call| call.address == instruction.address).and_then(|call| call.callee);
        let callee = callee.and_then(|callee| self.analysis.program.functions.get(callee));
        callee.map_or(1, |callee| 1 + callee.instructions.len() as u64)
    }
}
