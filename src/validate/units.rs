//! Rules over the maps of several units in one code object, as an rdc link without the plugin leaves them.

use std::collections::{HashMap, HashSet};

use sqtt_contract::funcmap::{Funcmap, Map, Row};

use super::Rule;
use super::findings::Findings;

/// Ids that mean different things in two maps: markers of such a code object cannot be told apart.
pub(super) fn check(map: &Funcmap, findings: &mut Findings) {
    let mut units: Vec<&Map> = Vec::new();
    let mut known: HashSet<Vec<&Row>> = HashSet::new();
    for unit in &map.maps {
        if known.insert(unit.rows().collect()) {
            units.push(unit);
        } else {
            findings.add(Rule::RepeatedMap, "a map stands in it more than once: was it instrumented twice?");
        }
    }
    let mut meanings: HashMap<u32, &Row> = HashMap::new();
    let mut shared = 0;
    for unit in &units {
        let mut own: HashMap<u32, &Row> = HashMap::new();
        for row in unit.rows() {
            let Some(id) = row.marker_id() else { continue };
            shared += usize::from(meanings.get(&id).is_some_and(|meaning| *meaning != row));
            own.insert(id, row);
        }
        for (id, row) in own {
            meanings.entry(id).or_insert(row);
        }
    }
    if shared > 0 {
        let message = format!(
            "{shared} rows of its {} concatenated maps name an id that another map uses otherwise: \
             link with `sqtt-hipcc`, which numbers the units together",
            units.len()
        );
        findings.add(Rule::SharedId, message);
    }
}
