//! Marker maps as the tables of `code.json`.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use sqtt_contract::funcmap::{Row, Text};

use crate::code_object::{CodeObject, SymbolKind};

/// The three tables, of all code objects of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables {
    /// Code object, marker id (0 for kernels), letter, name, location, address when loaded at 0.
    pub(super) funcmap: Vec<(u64, u32, char, String, String, u64)>,
    /// Code object, bits and lowest source bit of the packed clock; none where there is no clock.
    pub(super) layout: Vec<(u64, u32, u32)>,
    /// Code object, marker id, records behind each of its headers.
    pub(super) payloads: Vec<(u64, u32, u32)>,
}

/// The keys of the tables in `code.json`, and their values.
pub(super) type Members = [(&'static str, String); 3];

impl Tables {
    /// Adds the map of a code object with number `id`; returns whether it has one.
    pub(super) fn add(&mut self, id: u64, code_object: &CodeObject<'_>) -> bool {
        let Some(funcmap) = code_object.funcmap() else { return false };
        let index = funcmap.index();
        // Addresses only add to the map: it is written without where the symbol table cannot be read.
        let symbols = code_object.symbols().unwrap_or_default();
        let functions = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
        let addresses: HashMap<&[u8], u64> = functions.map(|function| (function.name, function.address)).collect();
        let text = |text: Option<&Text>| text.map(|text| text.to_str().into_owned()).unwrap_or_default();
        let mut seen = HashSet::new();
        for row in funcmap.rows() {
            let marker = row.marker_id();
            // Units that were linked together can have the same row.
            if !seen.insert(row) {
                continue;
            }
            if !matches!(row, Row::Kernel { .. }) && marker.and_then(|marker| index.find(marker)) != Some(row) {
                continue;
            }
            let is_code = matches!(row, Row::Kernel { .. } | Row::Function { .. });
            let address = row.name().filter(|_| is_code).and_then(|name| addresses.get(name.as_bytes()));
            let (name, location) = (text(row.name()), text(row.location()));
            let new = (id, marker.unwrap_or(0), row.letter(), name, location, address.copied().unwrap_or(0));
            self.funcmap.push(new);
        }
        let encoding = funcmap.encoding();
        if encoding.has_clock() {
            self.layout.push((id, encoding.clock_bits(), encoding.clock_shift()));
        }
        let mut payloads: Vec<(u64, u32, u32)> =
            index.payloads().filter(|(_, count)| *count > 0).map(|(marker, count)| (id, marker, count)).collect();
        payloads.sort_unstable();
        self.payloads.append(&mut payloads);
        true
    }

    /// Whether headers of a code object carry a clock.
    pub(super) fn has_clock(&self) -> bool {
        !self.layout.is_empty()
    }

    /// The tables as members of an object.
    ///
    /// Errors: none that rows of numbers and text can have.
    pub(super) fn members(&self) -> serde_json::Result<Members> {
        Ok([
            ("sqtt_funcmap", rows(&self.funcmap)?),
            ("sqtt_funcmap_layout", rows(&self.layout)?),
            ("sqtt_funcmap_payloads", rows(&self.payloads)?),
        ])
    }
}

fn rows(table: &[impl Serialize]) -> serde_json::Result<String> {
    serde_json::to_string(table)
}
