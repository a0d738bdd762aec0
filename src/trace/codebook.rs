//! Maps by code object: what an id in the records of a wave stands for.
//!
//! Ids of different code objects never mix. Every marker of every map gets an index of its own over the whole run, and so
//! does every id that no map has.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sqtt_contract::addresses;
use sqtt_contract::funcmap::{Funcmap, Row, Text};
use sqtt_contract::marker::{Decoded, Encoding};

use super::diagnostics::Diagnostics;
use super::marker::{CodeObjectIndex, CodeObjectInfo, CodeObjectKey, Marker, MarkerIndex, MarkerKind, Markers};
use super::names::Names;

/// All maps of a run.
#[derive(Debug)]
pub(super) struct Codebook {
    /// What the indices stand for.
    pub(super) markers: Markers,
    pub(super) names: Names,
    /// By code object.
    maps: Vec<IdMap>,
    /// The map of waves whose code object is not known.
    no_map: IdMap,
    unknown: HashMap<(Option<CodeObjectIndex>, u32), MarkerIndex>,
    /// Those that were read, by file.
    pub(super) files: HashMap<PathBuf, CodeObjectIndex>,
}

/// The map of one code object.
#[derive(Clone, Debug, Default)]
pub(super) struct IdMap {
    pub(super) encoding: Encoding,
    /// Markers by id, of the ids below [`DENSE`].
    dense: Vec<Option<MarkerIndex>>,
    sparse: HashMap<u32, MarkerIndex>,
    /// Whether an id has payload records, so that no header carries a clock that can be trusted.
    pub(super) has_payloads: bool,
    /// Its kernels, as symbols.
    pub(super) kernels: Vec<Text>,
    /// Whether it has a map at all.
    pub(super) is_mapped: bool,
    /// What its map says, to tell equal ones.
    pub(super) rows: Vec<Row>,
}

/// Ids up to here are looked up in a table: those of our own maps count from 1.
const DENSE: u32 = 1 << 16;

/// Unknown ids that are told apart; raw data can hold any number of them.
const UNKNOWN_LIMIT: usize = 1 << 16;

impl IdMap {
    /// The marker with `id`.
    #[inline]
    pub(super) fn find(&self, id: u32) -> Option<MarkerIndex> {
        if id < DENSE { self.dense.get(id as usize).copied().flatten() } else { self.sparse.get(&id).copied() }
    }

    /// Takes a value apart.
    #[inline]
    pub(super) fn decode(&self, value: u32, is_immediate: bool) -> Decoded {
        if is_immediate || !self.encoding.has_clock() {
            return Encoding::PLAIN.decode(value);
        }
        self.encoding.decode_among(value, |id| self.find(id).is_some())
    }

    fn insert(&mut self, id: u32, marker: MarkerIndex) {
        if id >= DENSE {
            self.sparse.insert(id, marker);
            return;
        }
        let at = id as usize;
        if self.dense.len() <= at {
            self.dense.resize(at + 1, None);
        }
        self.dense[at] = Some(marker);
    }
}

impl Codebook {
    /// Without a map; shows names demangled if `demangle` is set.
    pub(super) fn new(demangle: bool) -> Codebook {
        Codebook {
            markers: Markers::default(),
            names: Names::new(demangle),
            maps: Vec::new(),
            no_map: IdMap::default(),
            unknown: HashMap::new(),
            files: HashMap::new(),
        }
    }

    /// The map of a code object; an empty one for `None`.
    #[inline]
    pub(super) fn map(&self, code_object: Option<CodeObjectIndex>) -> &IdMap {
        code_object.map_or(&self.no_map, |index| &self.maps[index.get()])
    }

    /// Adds a code object with `funcmap`, which has none if that is `None`, and what is wrong with it to `diagnostics`,
    /// where it is called `name`. `addresses` are those of its functions, `kernels` the symbols of its kernels.
    pub(super) fn add(
        &mut self,
        key: CodeObjectKey,
        funcmap: Option<&Funcmap>,
        addresses: &HashMap<Text, u64>,
        kernels: Vec<Text>,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> CodeObjectIndex {
        let code_object = CodeObjectIndex(self.maps.len() as u32);
        let mut map = IdMap { kernels, is_mapped: funcmap.is_some(), ..IdMap::default() };
        let mut wave_size = None;
        if let Some(funcmap) = funcmap {
            self.complain(funcmap, name, diagnostics);
            let index = funcmap.index();
            wave_size = index.wave_size();
            map.encoding = funcmap.encoding();
            map.has_payloads = index.payloads().any(|(_, count)| count > 0);
            map.rows = funcmap.rows().cloned().collect();
            for row in funcmap.rows() {
                if let Row::Kernel { name, .. } = row
                    && !map.kernels.contains(name)
                {
                    map.kernels.push(name.clone());
                }
                let Some(id) = row.marker_id().filter(|id| index.find(*id) == Some(row)) else { continue };
                if map.find(id).is_none() {
                    let marker = self.marker(row, id, index.payload_count(id), code_object, addresses);
                    wrong_payload(&marker, wave_size, name, diagnostics);
                    map.insert(id, marker.index);
                    self.markers.markers.push(marker);
                }
            }
        }
        self.markers.code_objects.push(CodeObjectInfo { key, wave_size, encoding: map.encoding });
        self.maps.push(map);
        code_object
    }

    fn complain(&self, funcmap: &Funcmap, name: &str, diagnostics: &mut Diagnostics) {
        for problem in &funcmap.problems {
            diagnostics.message(format_args!("`{name}`: the map's {problem}; the row is left out"));
        }
        for duplicate in funcmap.index().duplicates() {
            let (id, earlier, later) = (duplicate.id, duplicate.earlier, duplicate.later);
            let text = format_args!("`{name}`: the map has id {id} in lines {earlier} and {later}; the last is taken");
            diagnostics.message(text);
        }
        if funcmap.is_empty() && funcmap.problems.is_empty() {
            diagnostics.message(format_args!("`{name}`: the map is empty"));
        }
    }

    fn marker(
        &mut self,
        row: &Row,
        id: u32,
        payload_count: u32,
        code_object: CodeObjectIndex,
        addresses: &HashMap<Text, u64>,
    ) -> Marker {
        let text = row.name().cloned().unwrap_or_default();
        let name = self.names.get(&text);
        let kind = match row {
            Row::Function { .. } => MarkerKind::Function,
            Row::Scope { .. } => MarkerKind::Scope,
            _ => MarkerKind::Point,
        };
        Marker {
            index: MarkerIndex(self.markers.len() as u32),
            kind,
            id,
            // A label is what the user wrote, even if it looks mangled.
            name: if kind == MarkerKind::Function { name.shown } else { Arc::clone(&name.symbol) },
            symbol: name.symbol,
            location: row.location().map(|location| location.to_str().into()),
            address: if kind == MarkerKind::Function { addresses.get(&text).copied() } else { None },
            code_object: Some(code_object),
            payload_count,
            form: if kind == MarkerKind::Point { addresses::form_of(text.as_bytes()) } else { None },
        }
    }

    /// The marker that stands for `id`, which the map of `code_object` does not have.
    pub(super) fn unknown(&mut self, code_object: Option<CodeObjectIndex>, id: u32) -> MarkerIndex {
        if let Some(known) = self.unknown.get(&(code_object, id)) {
            return *known;
        }
        // Beyond the limit all share one; no id is this large.
        let (id, name) = if self.unknown.len() < UNKNOWN_LIMIT {
            (id, format!("unknown#{id}"))
        } else if let Some(known) = self.unknown.get(&(code_object, u32::MAX)) {
            return *known;
        } else {
            (u32::MAX, "unknown".to_owned())
        };
        let (index, name) = (MarkerIndex(self.markers.len() as u32), Arc::<str>::from(name));
        self.markers.markers.push(Marker {
            index,
            kind: MarkerKind::Unknown,
            id,
            symbol: Arc::clone(&name),
            name,
            location: None,
            address: None,
            code_object,
            payload_count: 0,
            form: None,
        });
        self.unknown.insert((code_object, id), index);
        index
    }
}

/// An address trace whose declared length is not that of its kind: the declaration is taken, and both are told.
fn wrong_payload(marker: &Marker, wave_size: Option<u32>, name: &str, diagnostics: &mut Diagnostics) {
    let expected = marker.form.zip(wave_size).map(|(form, lanes)| form.payload_count(lanes));
    if let Some(expected) = expected.filter(|expected| *expected != marker.payload_count) {
        diagnostics.message(format_args!(
            "`{name}`: the map gives id {}, `{}`, {} payload records where its kind has {expected}",
            marker.id, marker.symbol, marker.payload_count
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqtt_contract::funcmap::parse;

    fn book(map: &str) -> (Codebook, Option<CodeObjectIndex>, Diagnostics) {
        let (mut book, mut diagnostics) = (Codebook::new(false), Diagnostics::default());
        let key = CodeObjectKey { prefix: "1_gfx942".into(), id: 2 };
        let map = parse(map.as_bytes());
        let index = book.add(key, Some(&map), &HashMap::new(), Vec::new(), "x.out", &mut diagnostics);
        (book, Some(index), diagnostics)
    }

    #[test]
    fn a_payload_of_another_length_than_its_kind_has_is_told_and_taken() {
        let (book, index, diagnostics) = book(
            "P:2:addr_trace_load\nR:2:extra_payload_count=3\nW:32\nP:3:addr_trace_store\nR:3:extra_payload_count=66\n",
        );
        let told = ["`x.out`: the map gives id 2, `addr_trace_load`, 3 payload records where its kind has 66"];
        assert_eq!(diagnostics.messages(), told);
        let found = book.map(index).find(2).map(|index| book.markers.get(index).payload_count);
        assert_eq!(found, Some(3));
    }

    #[test]
    fn unknown_ids_beyond_a_number_share_one_marker() {
        let (mut book, index, _) = book("U:1:a\n");
        let first = book.unknown(index, 7);
        assert_eq!(first, book.unknown(index, 7));
        for id in 0..2 * UNKNOWN_LIMIT as u32 {
            book.unknown(index, id + 10);
        }
        let last = book.unknown(index, 1 << 29);
        assert_eq!(&*book.markers.get(last).name, "unknown");
        assert!(book.markers.len() < UNKNOWN_LIMIT + 10);
    }

    #[test]
    fn ids_of_any_size_are_found() {
        let (book, index, _) = book("U:1:a\nU:65535:b\nU:65536:c\nU:1073741823:d\n");
        let name = |id| book.map(index).find(id).map(|found| book.markers.get(found).name.to_string());
        assert_eq!([1, 65_535, 65_536, 1_073_741_823].map(name).map(Option::unwrap), ["a", "b", "c", "d"]);
        assert_eq!([0, 2, 65_537].map(name), [None, None, None]);
    }
}
