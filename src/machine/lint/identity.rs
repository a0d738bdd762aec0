//! `marker-id` and `marker-kind`: what a header says is what the map says of its id.

use sqtt_contract::funcmap::{Funcmap, Row};
use sqtt_contract::marker::Marker;

use super::{Findings, Rule};
use crate::machine::flow::{FunctionFlow, Header, Traced};
use crate::machine::program::Function;

pub(super) fn check(function: &Function, found: &FunctionFlow, map: &Funcmap, findings: &mut Findings) {
    let index = map.index();
    for observation in &found.observations {
        let Some(Traced::Header(Header::Known { id, enter, exit })) = observation.traced else { continue };
        let marker = Marker { id, enter, exit };
        if marker.is_bare_exit() {
            continue;
        }
        let Some(row) = index.find(id) else {
            findings.add(Rule::MarkerId, function, observation.address, || {
                format!(
                    "the header {} has id {id}, which is not in the map\n\
                     if it is no number that the program traces itself, compile again and report it",
                    shown(marker)
                )
            });
            continue;
        };
        if let Some(wrong) = contradiction(marker, row) {
            findings.add(Rule::MarkerKind, function, observation.address, || {
                format!(
                    "the header {} {wrong}, but id {id} is a `{}:` row of the map\n\
                     if it is no number that the program traces itself, compile again and report it",
                    shown(marker),
                    row.letter()
                )
            });
        }
    }
}

/// What a header does that does not fit its row.
fn contradiction(marker: Marker, row: &Row) -> Option<&'static str> {
    match (row.is_scope(), marker.enter, marker.exit) {
        (true, false, true) => Some("closes a scope by id"),
        (true, false, false) => Some("is a point"),
        (false, true, _) => Some("opens a scope"),
        (false, false, true) => Some("closes a scope"),
        (true, true, _) | (false, false, false) => None,
    }
}

/// `(5 << 2) | 2`
fn shown(marker: Marker) -> String {
    let flags = u32::from(marker.enter) << 1 | u32::from(marker.exit);
    format!("`({} << 2) | {flags}`", marker.id)
}
