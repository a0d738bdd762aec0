//! A wave's headers as they must have been.

use sqtt_contract::marker::Marker;

use super::gather::Gathered;
use super::{Automaton, Judgement};
use crate::machine::automaton::{Change, Header};

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

/// The headers with those that are lost, and those that are wrong put right, as far as a fault is explained and its marker
/// known. Headers that are too many are left out.
pub(super) fn repair(gathered: &Gathered, automaton: &Automaton, judgement: &Judgement) -> Vec<Repaired> {
    let mut repaired = Vec::with_capacity(gathered.headers.len());
    let mut faults = judgement.faults.iter().peekable();
    let end = gathered.wave.end.or_else(|| gathered.headers.last().map(|header| header.cycles)).unwrap_or(0);
    for at in 0..=gathered.headers.len() {
        let found = gathered.headers.get(at);
        let cycles = found.map_or(end, |header| header.cycles);
        let mut kept = found.map(|header| header.marker);
        while let Some(fault) = faults.next_if(|fault| fault.at == at) {
            match fault.change {
                Change::Lost(node) => {
                    let marker = marker(automaton, node);
                    repaired.extend(marker.map(|marker| Repaired { cycles, marker, is_inferred: true }));
                }
                Change::Extra => kept = None,
                Change::Changed(node) => {
                    let marker = marker(automaton, node);
                    repaired.extend(marker.map(|marker| Repaired { cycles, marker, is_inferred: true }));
                    kept = kept.filter(|_| marker.is_none());
                }
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
