//! What each marker instruction of a function traces: headers, or records of the payload of a header in front of it.
//!
//! [`flow`](crate::machine::flow) knows a word wherever it knows the registers. It loses count of payload records in the
//! loops over lanes that trace addresses; here those are followed from the header, with the count of its `R:` row: such a
//! loop runs once for every lane.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_contract::addresses;
use sqtt_contract::funcmap::{Funcmap, Index};
use sqtt_contract::marker::{Encoding, MAX_IMMEDIATE, Marker};

use crate::machine::flow::{FunctionFlow, Header, Traced, World};
use crate::machine::instruction::Control;
use crate::machine::loops::Loops;
use crate::machine::markers::{MarkerInstruction, Source, is_marker};
use crate::machine::program::Function;

/// What one marker instruction traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emission {
    /// The headers that it can be.
    pub headers: BTreeSet<Header>,
    /// Indices of the instructions whose payload it can belong to; their own where that is not known.
    pub payload_of: BTreeSet<usize>,
}

/// What the map says of words.
pub(super) struct Codebook<'a> {
    pub(super) encoding: Encoding,
    pub(super) index: Index<'a>,
}

impl<'a> Codebook<'a> {
    pub(super) fn new(map: &'a Funcmap) -> Codebook<'a> {
        Codebook { encoding: map.encoding(), index: map.index() }
    }

    /// The lanes of the wave that an address trace of `due` records is of.
    fn lanes(&self, id: u32, due: u32) -> Option<u32> {
        let form = addresses::form_of(self.index.find(id)?.name()?.as_bytes())?;
        [32, 64].into_iter().find(|lanes| form.payload_count(*lanes) == due)
    }

    fn marker(&self, word: u32) -> Marker {
        self.encoding.decode_among(word, |id| self.index.contains(id)).marker
    }
}

/// What the marker instructions of `function` trace, by their index, in waves of `world`. `found` is nothing when the
/// flow analysis gave the function up.
pub fn words(
    function: &Function,
    found: Option<&FunctionFlow>,
    world: World,
    map: &Funcmap,
) -> BTreeMap<usize, Emission> {
    of(function, found, world, &Codebook::new(map))
}

pub(super) fn of(
    function: &Function,
    found: Option<&FunctionFlow>,
    world: World,
    book: &Codebook<'_>,
) -> BTreeMap<usize, Emission> {
    let mut observed: BTreeMap<u64, BTreeSet<Option<Traced>>> = BTreeMap::new();
    for one in found.into_iter().flat_map(|found| &found.observations).filter(|one| one.world == world) {
        observed.entry(one.address).or_default().insert(one.traced);
    }
    let loops = Loops::of(function);
    let mut words: BTreeMap<usize, Emission> = BTreeMap::new();
    let mut is_lost = false;
    for marker in function.markers() {
        let seen = observed.get(&marker.address);
        let is_payload = words.get(&marker.index).is_some_and(|emission| !emission.payload_of.is_empty());
        let headers = headers(&marker, seen, is_payload, book);
        for header in &headers {
            let Header::Known { id, .. } = *header else { continue };
            let due = if id == 0 { 0 } else { book.index.payload_count(id) };
            match follow(function, &loops, marker.index, due, book.lanes(id, due).unwrap_or(function.wave_size)) {
                Some(payload) => payload.into_iter().for_each(|index| {
                    words.entry(index).or_default().payload_of.insert(marker.index);
                }),
                None => is_lost = true,
            }
        }
        words.entry(marker.index).or_default().headers.extend(headers);
    }
    if is_lost {
        // What is not a constant may belong to the payload that was lost.
        for (index, emission) in words.iter_mut().filter(|(_, emission)| emission.headers.contains(&Header::Any)) {
            emission.payload_of.insert(*index);
        }
    }
    words
}

/// The headers that a marker can be. What a payload was followed to is a header only where it was seen as one.
fn headers(
    marker: &MarkerInstruction,
    seen: Option<&BTreeSet<Option<Traced>>>,
    is_payload: bool,
    book: &Codebook<'_>,
) -> BTreeSet<Header> {
    let mut headers = BTreeSet::new();
    let is_unseen = seen.is_none_or(|seen| seen.contains(&None));
    for traced in seen.into_iter().flatten().flatten() {
        if let Traced::Header(header) = traced {
            headers.insert(*header);
        }
    }
    if is_unseen && !is_payload {
        headers.insert(match marker.source {
            Source::Immediate(word) => Header::of(book.marker(u32::from(word) & MAX_IMMEDIATE)),
            Source::Constant(word) => Header::of(book.marker(word)),
            _ => Header::Any,
        });
    }
    headers
}

/// The marker instructions that trace the `due` records behind the header at `index`; `None` when the code does not tell.
///
/// A loop of payload records runs once for each of `lanes`.
fn follow(function: &Function, loops: &Loops, index: usize, due: u32, lanes: u32) -> Option<BTreeSet<usize>> {
    if due == 0 {
        return Some(BTreeSet::new());
    }
    let mut payload = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![(function.block_of(index)?, index + 1, due)];
    while let Some((at, start, mut due)) = pending.pop() {
        if !seen.insert((at, start, due)) {
            continue;
        }
        let block = function.blocks.get(at)?;
        for index in start..block.instructions.end {
            let instruction = function.instructions.get(index)?;
            if is_marker(instruction) {
                payload.insert(index);
                due -= 1;
                if due == 0 {
                    break;
                }
            } else if matches!(instruction.control(), Control::Call | Control::End | Control::Indirect | Control::Trap)
            {
                return None;
            }
        }
        if due == 0 {
            continue;
        }
        for edge in &block.edges {
            let Some(entered) = loops.innermost(edge.to).filter(|found| !found.blocks.contains(&at)) else {
                pending.push((edge.to, 0, due));
                continue;
            };
            let records = markers_in(function, &entered.blocks);
            payload.extend(&records);
            let run = u32::try_from(records.len()).ok()?.checked_mul(lanes)?;
            let left = due.checked_sub(run).filter(|_| run > 0)?;
            if left > 0 {
                let exits = entered.blocks.iter().flat_map(|block| &function.blocks[*block].edges);
                let exits = exits.filter(|edge| !entered.blocks.contains(&edge.to));
                pending.extend(exits.map(|edge| (edge.to, 0, left)));
            }
        }
    }
    Some(payload)
}

fn markers_in(function: &Function, blocks: &BTreeSet<usize>) -> BTreeSet<usize> {
    let indices = blocks.iter().flat_map(|block| function.blocks[*block].instructions.clone());
    indices.filter(|index| is_marker(&function.instructions[*index])).collect()
}
