//! What a unit tells the link about itself: its markers and the settings that they were made with.
//!
//! Both stand in tables of the module, so they travel in the object and through archives; the link never looks at its own
//! environment. The rows of linked modules stand one after the other.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use sqtt_contract::settings::Clock;

use crate::ledger::Entry;
use crate::llvm::{MetadataValue, Module};

/// One row per unit.
const UNITS: &str = "sqtt.link.units";
/// One row per marker of any unit.
const MARKERS: &str = "sqtt.link.markers";

/// One translation unit with markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// What its records call it: made of all that is below, so two units of the same key mean the same.
    pub(crate) key: u64,
    /// The source's name, for messages.
    pub(crate) source: Vec<u8>,
    pub(crate) facts: Facts,
    /// Its markers by their ids in the unit.
    pub(crate) entries: Vec<Entry>,
}

/// How a unit's records were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Facts {
    /// The clock in its headers.
    pub(crate) clock: Option<Clock>,
    /// Lanes of a wave, where addresses are traced.
    pub(crate) lanes: Option<u32>,
    /// The wait after the write of M0, when it was said.
    pub(crate) m0_nop: Option<u8>,
    /// It has headers: markers whose word holds an id or is a bare exit.
    pub(crate) headers: bool,
}

impl Unit {
    /// The unit that `module` is; `entries` have the ids that its records trace.
    pub(crate) fn of(module: Module, facts: Facts, entries: Vec<Entry>) -> Unit {
        let source = module.source_name();
        let mut hasher = DefaultHasher::new();
        (&source, facts, &entries).hash(&mut hasher);
        Unit { key: hasher.finish(), source, facts, entries }
    }

    /// Writes the unit into the module.
    pub(crate) fn store(&self, module: Module) {
        use MetadataValue::{Integer, Text};
        let Facts { clock, lanes, m0_nop, headers } = self.facts;
        let clock = clock.unwrap_or(Clock { bits: 0, shift: 0 });
        let row = [
            Integer(self.key),
            Text(self.source.clone()),
            Integer(u64::from(clock.bits)),
            Integer(u64::from(clock.shift)),
            Integer(u64::from(lanes.unwrap_or(0))),
            // One more than it is; 0 is none.
            Integer(m0_nop.map_or(0, |nop| u64::from(nop) + 1)),
            Integer(u64::from(headers)),
        ];
        module.append_row(UNITS, &row);
        for entry in &self.entries {
            let row: Vec<MetadataValue> = std::iter::once(Integer(self.key)).chain(entry.to_row()).collect();
            module.append_row(MARKERS, &row);
        }
    }

    /// The units of a module, in the order in which they were linked.
    pub(crate) fn load(module: Module) -> Vec<Unit> {
        let rows = module.rows(UNITS).unwrap_or_default();
        let mut units: Vec<Unit> = rows.iter().filter_map(|row| Unit::of_row(row)).collect();
        for row in module.rows(MARKERS).unwrap_or_default() {
            let Some((Some(MetadataValue::Integer(key)), entry)) = row.split_first() else { continue };
            let unit = units.iter_mut().find(|unit| unit.key == *key);
            if let (Some(unit), Some(entry)) = (unit, Entry::of_row(entry)) {
                unit.entries.push(entry);
            }
        }
        units
    }

    /// Removes all units from a module.
    pub(crate) fn forget(module: Module) {
        module.erase_table(UNITS);
        module.erase_table(MARKERS);
    }

    fn of_row(row: &[Option<MetadataValue>]) -> Option<Unit> {
        let [Some(MetadataValue::Integer(key)), Some(MetadataValue::Text(source)), facts @ ..] = row else {
            return None;
        };
        let facts = facts.iter().map(|value| match value {
            Some(MetadataValue::Integer(value)) => u32::try_from(*value).ok(),
            _ => None,
        });
        let facts: Vec<u32> = facts.collect::<Option<_>>()?;
        let [bits, shift, lanes, m0_nop, headers] = facts[..] else { return None };
        let facts = Facts {
            clock: (bits > 0).then_some(Clock { bits, shift }),
            lanes: (lanes > 0).then_some(lanes),
            m0_nop: m0_nop.checked_sub(1).and_then(|nop| u8::try_from(nop).ok()),
            headers: headers > 0,
        };
        Some(Unit { key: *key, source: source.clone(), facts, entries: Vec::new() })
    }
}
