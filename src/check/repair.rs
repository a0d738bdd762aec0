//! What has to be put right in a wave, and its headers as they must have been.

use sqtt_contract::marker::Marker;

use super::gather::Gathered;
use super::{Automaton, Judgement};
use crate::machine::automaton::{Change, Header};
use crate::trace::{Placed, Repair};

/// A header of a repaired wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// When, in cycles from the start of the engine's trace. Of one that is inferred only that it was not later.
    pub cycles: i64,
    /// What was traced.
    pub marker: Marker,
    /// It is not in the trace: the program must have traced it there.
    pub is_inferred: bool,
}

/// What explains the faults of a wave: headers that are lost are put in, those that are too many left out, and those that
/// are wrong replaced, as far as a fault is explained and its marker known.
pub(super) fn repairs(automaton: &Automaton, judgement: &Judgement) -> Vec<Placed> {
    let marker = |node| marker(automaton, node);
    let repair = |change| match change {
        Change::Extra => Some(Repair::Drop),
        Change::Lost(node) => marker(node).map(Repair::Insert),
        Change::Changed(node) => marker(node).map(Repair::Replace),
    };
    judgement.faults.iter().filter_map(|fault| Some((fault.at, repair(fault.change)?))).collect()
}

/// The headers of a wave in which that is done.
pub(super) fn repaired(gathered: &Gathered, repairs: &[Placed]) -> Vec<Repaired> {
    let mut repaired = Vec::with_capacity(gathered.headers.len());
    let mut repairs = repairs.iter().peekable();
    let end = gathered.wave.end.or_else(|| gathered.headers.last().map(|header| header.cycles)).unwrap_or(0);
    for at in 0..=gathered.headers.len() {
        let found = gathered.headers.get(at);
        let cycles = found.map_or(end, |header| header.cycles);
        let mut kept = found.map(|header| header.marker);
        while let Some((_, repair)) = repairs.next_if(|(place, _)| *place == at) {
            if let Repair::Insert(marker) | Repair::Replace(marker) = repair {
                repaired.push(Repaired { cycles, marker: *marker, is_inferred: true });
            }
            if !matches!(repair, Repair::Insert(_)) {
                kept = None;
            }
        }
        repaired.extend(kept.map(|marker| Repaired { cycles, marker, is_inferred: false }));
    }
    repaired
}

/// What a node traces, if that is one header.
fn marker(automaton: &Automaton, node: usize) -> Option<Marker> {
    match automaton.nodes().get(node)?.headers.as_slice() {
        [Header::Known { id, enter, exit }] => Some(Marker { id: *id, enter: *enter, exit: *exit }),
        _ => None,
    }
}
