//! What differs in two marker maps.

use std::collections::BTreeMap;

use sqtt_contract::funcmap::{Funcmap, Index, Row};

use super::Change;
use super::pairs::take_equal;

/// A row that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange {
    /// What happened to it.
    pub change: Change,
    /// The letter of its kind: `F`, `K`, `U`, `P`; `W` for the wave size and `M` for the layout of the headers.
    pub letter: char,
    /// Its name; empty for `W` and `M`.
    pub name: String,
    /// In the first build.
    pub a: Option<RowSide>,
    /// In the second build.
    pub b: Option<RowSide>,
}

/// What one map says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSide {
    /// The id; `None` for a kernel.
    pub id: Option<u32>,
    /// Where it is in the source.
    pub location: Option<String>,
    /// Records that follow each marker.
    pub payload_records: u32,
    /// What a `W` or `M` row says; `None` for the others.
    pub says: Option<String>,
}

pub(super) fn compare(a: Option<&Funcmap>, b: Option<&Funcmap>) -> Vec<RowChange> {
    let (mut a, mut b) = (named(a), named(b));
    let keys: Vec<(char, String)> = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))).cloned().collect();
    let mut changes = Vec::new();
    for key in keys {
        let sides = (a.remove(&key).unwrap_or_default(), b.remove(&key).unwrap_or_default());
        of_one_name(&key, sides, &mut changes);
    }
    changes.sort_by(|one, other| {
        (one.change, order(one.letter), &one.name).cmp(&(other.change, order(other.letter), &other.name))
    });
    changes
}

/// Kernels, functions, scopes, points, then what is said of all.
fn order(letter: char) -> usize {
    "KFUPWM".find(letter).unwrap_or(usize::MAX)
}

/// Rows of one kind and name: those at one place belong together, then others in their order.
fn of_one_name(key: &(char, String), (mut a, mut b): (Vec<RowSide>, Vec<RowSide>), changes: &mut Vec<RowChange>) {
    let (letter, name) = key;
    let mut add = |change, a: Option<RowSide>, b: Option<RowSide>| {
        changes.push(RowChange { change, letter: *letter, name: name.clone(), a, b });
    };
    let mut pairs = take_equal(&mut a, &mut b, |side| side.location.clone());
    let both = a.len().min(b.len());
    pairs.extend(a.drain(..both).zip(b.drain(..both)));
    for (a, b) in pairs {
        let altered = a.payload_records != b.payload_records || a.says != b.says;
        for (differs, change) in
            [(a.location != b.location, Change::Moved), (a.id != b.id, Change::Renumbered), (altered, Change::Altered)]
        {
            if differs {
                add(change, Some(a.clone()), Some(b.clone()));
            }
        }
    }
    a.into_iter().for_each(|side| add(Change::Lost, Some(side), None));
    b.into_iter().for_each(|side| add(Change::Added, None, Some(side)));
}

/// The rows by kind and name, each list by id.
fn named(map: Option<&Funcmap>) -> BTreeMap<(char, String), Vec<RowSide>> {
    let mut rows: BTreeMap<(char, String), Vec<RowSide>> = BTreeMap::new();
    for unit in map.into_iter().flat_map(|map| &map.maps) {
        let index = unit.index();
        for row in unit.rows() {
            if let Some(side) = side(row, &index) {
                let name = row.name().map(|name| name.to_str().into_owned()).unwrap_or_default();
                rows.entry((row.letter(), name)).or_default().push(side);
            }
        }
    }
    for list in rows.values_mut() {
        list.sort_by_key(|side| side.id);
        // Units of one program say the same once each.
        list.dedup_by(|one, other| one.says.is_some() && one == other);
    }
    rows
}

fn side(row: &Row, index: &Index<'_>) -> Option<RowSide> {
    let says = match row {
        // Told with its id's row.
        Row::Payload { .. } => return None,
        Row::WaveSize(lanes) => Some(format!("{lanes} lanes")),
        Row::Layout { clock_bits, clock_shift } => {
            Some(format!("{clock_bits} bits of the clock from bit {clock_shift}"))
        }
        _ => None,
    };
    let id = row.marker_id();
    Some(RowSide {
        id,
        location: row.location().map(|location| location.to_str().into_owned()),
        payload_records: id.map_or(0, |id| index.payload_count(id)),
        says,
    })
}

#[cfg(test)]
mod tests {
    use sqtt_contract::funcmap::parse;

    use super::*;

    fn changes(a: &str, b: &str) -> Vec<String> {
        let (a, b) = (parse(format!("{a}\0").as_bytes()), parse(format!("{b}\0").as_bytes()));
        let shown = |change: RowChange| format!("{} {}:{}", change.change, change.letter, change.name);
        compare(Some(&a), Some(&b)).into_iter().map(shown).collect()
    }

    #[test]
    fn rows_are_matched_by_kind_name_and_place() {
        let a = "F:1:f@a.hip:3\nK:k@a.hip:9\nU:2:load\nP:3:t@a.hip:4\nP:4:t@a.hip:5\n";
        assert_eq!(changes(a, a), [""; 0]);
        let other_order = "P:4:t@a.hip:5\nP:3:t@a.hip:4\nU:2:load\nK:k@a.hip:9\nF:1:f@a.hip:3\n";
        assert_eq!(changes(a, other_order), [""; 0]);
        let b = "F:1:f@a.hip:4\nK:k@a.hip:9\nU:3:load\nP:4:t@a.hip:5\nU:2:store\n";
        assert_eq!(changes(a, b), ["added U:store", "lost P:t", "moved F:f", "renumbered U:load"]);
        assert_eq!(changes("U:1:x\n", "P:1:x\n"), ["added P:x", "lost U:x"], "another kind is another marker");
    }

    #[test]
    fn what_is_said_of_a_marker_or_of_all_can_be_altered() {
        let a = "P:1:v\nR:1:extra_payload_count=1\nW:64\n";
        let b = "P:1:v\nR:1:extra_payload_count=2\nW:32\nM:shader_clock_bits=12;shader_clock_shift=4\n";
        assert_eq!(changes(a, b), ["added M:", "altered P:v", "altered W:"]);
    }
}
