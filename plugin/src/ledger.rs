//! Which markers a module has: provisional ids, and how the early phase hands them to the late one.

use std::collections::HashMap;

use crate::llvm::{MetadataValue, Module};

/// The module table that carries the ledger from the early to the late phase.
pub(crate) const TABLE: &str = "sqtt.markers.early";

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Function = 0,
    Scope = 2,
    Point = 3,
    /// A barrier or memory marker: the module's, whether or not it is used.
    System = 4,
    /// One memory operation whose addresses are traced.
    Addresses = 5,
}

impl Kind {
    fn of(number: u64) -> Option<Kind> {
        let all = [Kind::Function, Kind::Scope, Kind::Point, Kind::System, Kind::Addresses];
        all.into_iter().find(|kind| *kind as u64 == number)
    }
}

/// One id of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    /// Unique in the module, from 1; not yet the id that is traced.
    pub(crate) id: u32,
    pub(crate) kind: Kind,
    pub(crate) name: Vec<u8>,
    /// `file:line` of a function's definition, or of a memory operation with the calls it was inlined through.
    pub(crate) location: Option<Vec<u8>>,
    /// A function's size before optimization, by the threshold's measure.
    pub(crate) size: u64,
    /// Raw records behind each of its markers.
    pub(crate) payload: u32,
    /// A function whose name means it in its own unit only.
    pub(crate) local: bool,
}

impl Entry {
    /// An entry without location, size and payload; [`Ledger::add`] gives it its id.
    pub(crate) fn new(kind: Kind, name: Vec<u8>) -> Entry {
        Entry { id: 0, kind, name, location: None, size: 0, payload: 0, local: false }
    }

    /// The entry as a row of a module table.
    pub(crate) fn to_row(&self) -> Vec<MetadataValue> {
        vec![
            MetadataValue::Integer(u64::from(self.id)),
            MetadataValue::Integer(self.kind as u64),
            MetadataValue::Text(self.name.clone()),
            MetadataValue::Text(self.location.clone().unwrap_or_default()),
            MetadataValue::Integer(self.size),
            MetadataValue::Integer(u64::from(self.payload)),
            MetadataValue::Integer(u64::from(self.local)),
        ]
    }

    /// Reads what [`Entry::to_row`] made.
    pub(crate) fn of_row(row: &[Option<MetadataValue>]) -> Option<Entry> {
        use MetadataValue::{Integer, Text};
        let [
            Some(Integer(id)),
            Some(Integer(kind)),
            Some(Text(name)),
            Some(Text(location)),
            Some(Integer(size)),
            Some(Integer(payload)),
            Some(Integer(local)),
        ] = row
        else {
            return None;
        };
        let kind = Kind::of(*kind)?;
        let location = (!location.is_empty()).then(|| location.clone());
        let (id, payload) = (u32::try_from(*id).ok()?, u32::try_from(*payload).ok()?);
        Some(Entry { id, kind, name: name.clone(), location, size: *size, payload, local: *local != 0 })
    }
}

/// All entries in the order in which they were first met.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
    last_id: u32,
    /// Ids of what is shared by kind, payload and text.
    names: HashMap<(Kind, u32, Vec<u8>), u32>,
}

impl Ledger {
    /// The entries in first-met order.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The id of a user's scope or point: one per kind, payload and text.
    pub(crate) fn named(&mut self, kind: Kind, name: Vec<u8>, payload: u32) -> u32 {
        if let Some(id) = self.names.get(&(kind, payload, name.clone())) {
            return *id;
        }
        self.add(Entry { payload, ..Entry::new(kind, name) })
    }

    /// A new id for an entry, whatever else has its name.
    pub(crate) fn add(&mut self, entry: Entry) -> u32 {
        self.last_id += 1;
        let id = self.last_id;
        if matches!(entry.kind, Kind::Scope | Kind::Point) {
            self.names.entry((entry.kind, entry.payload, entry.name.clone())).or_insert(id);
        }
        self.entries.push(Entry { id, ..entry });
        id
    }

    /// Writes the ledger into the module; an empty one leaves no trace.
    pub(crate) fn store(&self, module: Module) {
        for entry in &self.entries {
            module.append_row(TABLE, &entry.to_row());
        }
    }

    /// Reads what the early phase stored. Rows of another shape are somebody else's and are left out.
    pub(crate) fn load(module: Module) -> Ledger {
        let mut ledger = Ledger::default();
        for row in module.rows(TABLE).unwrap_or_default() {
            let Some(entry) = Entry::of_row(&row) else { continue };
            if entry.kind != Kind::Function {
                ledger.names.insert((entry.kind, entry.payload, entry.name.clone()), entry.id);
            }
            ledger.last_id = ledger.last_id.max(entry.id);
            ledger.entries.push(entry);
        }
        ledger
    }
}
