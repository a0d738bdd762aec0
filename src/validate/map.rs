//! Rules over the rows of one unit's map alone.

use std::collections::{BTreeSet, HashMap};

use sqtt_contract::addresses::{form_of, is_address_trace};
use sqtt_contract::funcmap::{Funcmap, Index, Map, Row, SECTION};
use sqtt_contract::marker::Marker;

use super::Rule;
use super::findings::Findings;

/// Checks what needs no more than the section's text.
pub(super) fn check(map: &Funcmap, findings: &mut Findings) {
    for problem in &map.problems {
        findings.add(Rule::MalformedRow, format!("`{SECTION}` {problem}"));
    }
    if map.is_empty() && map.problems.is_empty() {
        return findings.add(Rule::EmptyMap, format!("the `{SECTION}` section is empty"));
    }
    if !map.terminated {
        findings
            .add(Rule::UnterminatedMap, format!("the `{SECTION}` section does not end with a NUL and may be cut off"));
    }
    for unit in &map.maps {
        let index = unit.index();
        check_ids(unit, &index, findings);
        check_payloads(unit, &index, findings);
        check_addresses(unit, &index, findings);
    }
}

/// The ids of a code object are dense: the busiest fit the one-instruction form, and a gap means a row was lost.
pub(super) fn check_gaps(map: &Funcmap, findings: &mut Findings) {
    let ids: BTreeSet<u32> = map.rows().filter_map(Row::marker_id).collect();
    let missing = (1..).zip(&ids).find(|(expected, id)| expected != *id);
    if let Some((expected, id)) = missing {
        findings.add(Rule::IdGap, format!("there is no id {expected}, but an id {id}"));
    }
}

fn check_ids(unit: &Map, index: &Index<'_>, findings: &mut Findings) {
    for duplicate in index.duplicates() {
        let message = format!("id {} is named by lines {} and {}", duplicate.id, duplicate.earlier, duplicate.later);
        findings.add(Rule::DuplicateId, message);
    }
    for line in &unit.lines {
        let Some(id) = line.row.marker_id() else { continue };
        if id == 0 {
            findings.add(Rule::IdRange, format!("line {} names id 0, which no marker can have", line.number));
        } else if unit.encoding().encode(Marker::point(id), 0).is_err() {
            findings.add(Rule::IdRange, format!("line {} names id {id}, too large for a header", line.number));
        }
    }
}

fn check_payloads(unit: &Map, index: &Index<'_>, findings: &mut Findings) {
    let mut counts = HashMap::new();
    for line in &unit.lines {
        let Row::Payload { id, count } = &line.row else { continue };
        let line = line.number;
        match index.find(*id) {
            None => {
                findings.add(Rule::Payload, format!("line {line} gives id {id} a payload, but no row names that id"));
            }
            Some(row) if row.is_scope() && *count > 0 => {
                findings.add(Rule::Payload, format!("line {line} gives id {id} a payload, but it is a scope"));
            }
            Some(_) => {}
        }
        let first = *counts.entry(id).or_insert(count);
        if first != count {
            findings.add(Rule::Payload, format!("line {line} gives id {id} {count} payload records, another {first}"));
        }
    }
}

/// A reader takes as many records as the `R:` row says, and divides them by the kind and the wave size.
fn check_addresses(unit: &Map, index: &Index<'_>, findings: &mut Findings) {
    let mut traced = 0;
    for line in &unit.lines {
        let Row::Point { id, name, .. } = &line.row else { continue };
        if !is_address_trace(name.as_bytes()) {
            continue;
        }
        traced += 1;
        let Some(form) = form_of(name.as_bytes()) else {
            let name = String::from_utf8_lossy(name.as_bytes());
            let message = format!("line {}: `{name}` is no known kind of address trace", line.number);
            findings.add(Rule::AddressPayload, message);
            continue;
        };
        let count = index.payload_count(*id);
        // A unit's functions may be of both wave sizes; the map tells the wider.
        let lanes = [32, 64].into_iter().filter(|lanes| index.wave_size().is_none_or(|widest| *lanes <= widest));
        let allowed: Vec<u32> = lanes.map(|lanes| form.payload_count(lanes)).collect();
        if !allowed.contains(&count) {
            let allowed: Vec<String> = allowed.iter().map(u32::to_string).collect();
            let message =
                format!("id {id}, an address trace, has {count} payload records, not {}", allowed.join(" or "));
            findings.add(Rule::AddressPayload, message);
        }
    }
    if traced > 0 && index.wave_size().is_none() {
        findings.add(Rule::WaveSize, "addresses are traced, but no `W:` row tells the lanes of a wave");
    }
}
