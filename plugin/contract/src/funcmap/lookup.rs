//! Finding rows by id, for readers that resolve many markers.

use std::collections::HashMap;

use super::{Line, Row};

/// Look-up tables over the rows of a map or of a whole section. Of several rows for one id the last one wins.
#[derive(Clone, Debug, Default)]
pub struct Index<'a> {
    markers: HashMap<u32, &'a Line>,
    payloads: HashMap<u32, u32>,
    wave_size: Option<u32>,
    duplicates: Vec<Duplicate>,
}

/// A marker id that more than one row names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Duplicate {
    /// The id.
    pub id: u32,
    /// Line of the row that lost.
    pub earlier: usize,
    /// Line of the row that replaced it.
    pub later: usize,
}

impl<'a> Index<'a> {
    pub(super) fn new(lines: impl IntoIterator<Item = &'a Line>) -> Index<'a> {
        let mut index = Index::default();
        for line in lines {
            match &line.row {
                Row::Payload { id, count } => {
                    index.payloads.insert(*id, *count);
                }
                Row::WaveSize(lanes) => index.wave_size = Some(*lanes),
                row => {
                    let Some(id) = row.marker_id() else { continue };
                    if let Some(earlier) = index.markers.insert(id, line) {
                        index.duplicates.push(Duplicate { id, earlier: earlier.number, later: line.number });
                    }
                }
            }
        }
        index
    }

    /// The row that names `id`.
    pub fn find(&self, id: u32) -> Option<&'a Row> {
        self.markers.get(&id).map(|line| &line.row)
    }

    /// Whether a row names `id`.
    pub fn contains(&self, id: u32) -> bool {
        self.markers.contains_key(&id)
    }

    /// Raw records after each marker `id`; 0 without an `R:` row.
    pub fn payload_count(&self, id: u32) -> u32 {
        self.payloads.get(&id).copied().unwrap_or(0)
    }

    /// Every id with an `R:` row and its count, in no order.
    pub fn payloads(&self) -> impl Iterator<Item = (u32, u32)> {
        self.payloads.iter().map(|(id, count)| (*id, *count))
    }

    /// Lanes of a wave, when the map says.
    pub fn wave_size(&self) -> Option<u32> {
        self.wave_size
    }

    /// Ids that more than one row names, in the order of the replacing rows.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }
}
