//! `payload-records`: a header is followed by the records that its `R:` row announces, and by nothing else.

use std::collections::BTreeSet;

use super::{Findings, Rule};
use crate::machine::flow::{Event, FunctionFlow, Traced};
use crate::machine::program::Function;

const ADVICE: &str = "trace the whole payload right behind its header, under the same guard";

pub(super) fn check(function: &Function, found: &FunctionFlow, findings: &mut Findings) {
    for end in found.ends.iter().filter(|end| end.due > 0) {
        findings.add(Rule::PayloadRecords, function, end.address, || {
            format!("on some path {} records of a payload are missing here\n{ADVICE}", end.due)
        });
    }
    for event in &found.events {
        let Event::PayloadInterrupted { address, due } = event else { continue };
        findings.add(Rule::PayloadRecords, function, *address, || {
            format!("on some path this stands before the last {due} records of a payload\n{ADVICE}")
        });
    }
    let traced = |payload: bool| -> BTreeSet<u64> {
        let known = found.observations.iter().filter_map(|one| Some((one.address, one.traced?)));
        known.filter(|(_, traced)| (*traced == Traced::Payload) == payload).map(|(address, _)| address).collect()
    };
    for address in traced(true).intersection(&traced(false)) {
        findings.add(Rule::PayloadRecords, function, *address, || {
            format!("on some path this is a record of a payload, on another a header\n{ADVICE}")
        });
    }
}
