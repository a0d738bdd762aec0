//! A marker map joined with the symbols of its code object: what the table and the JSON document show.

use std::borrow::Cow;
use std::collections::HashMap;

use sqtt_contract::funcmap::{Funcmap, Map, Row, SECTION, Text};

use crate::code_object::{CodeObject, Malformed, SymbolKind};
use crate::demangle::demangle;

/// The map of one code object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// One for each unit whose map was linked in; of a code object of ours exactly one.
    pub(super) units: Vec<Unit>,
    /// What is wrong with the map; not yet safe to print.
    pub(super) warnings: Vec<String>,
}

/// The map of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// Lanes of a wave, when the map says.
    pub(super) wave_size: Option<u32>,
    /// Width and lowest source bit of the packed clock, when there is one.
    pub(super) clock: Option<(u32, u32)>,
    /// Kernels first, then by id.
    pub(super) entries: Vec<Entry>,
}

/// One named row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    /// `None` for a kernel.
    pub(super) id: Option<u32>,
    /// Address of the function or kernel when loaded at 0.
    pub(super) address: Option<u64>,
    /// As in the map, decoded.
    pub(super) name: String,
    pub(super) demangled: Option<String>,
    pub(super) location: Option<String>,
    /// A function that was inlined everywhere: the code object has no symbol for it.
    pub(super) is_inlined: bool,
    /// Raw records that follow each marker with this id.
    pub(super) payload_records: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    Kernel,
    Function,
    Scope,
    Point,
}

impl EntryKind {
    /// The spec's word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            EntryKind::Kernel => "kernel",
            EntryKind::Function => "func",
            EntryKind::Scope => "user",
            EntryKind::Point => "point",
        }
    }
}

impl Listing {
    pub(super) fn new(funcmap: &Funcmap, code_object: &CodeObject<'_>, demangle: bool) -> Listing {
        let mut warnings: Vec<String> = funcmap.problems.iter().map(ToString::to_string).collect();
        let functions = Functions::new(code_object);
        if let Err(malformed) = &functions {
            warnings.push(format!("no addresses: {malformed}"));
        }
        let functions = functions.unwrap_or_default();
        let units: Vec<Unit> = funcmap.maps.iter().map(|map| unit(map, &functions, demangle, &mut warnings)).collect();
        if units.is_empty() && funcmap.problems.is_empty() {
            warnings.push(format!("the `{SECTION}` section is empty"));
        }
        Listing { units, warnings }
    }
}

fn unit(map: &Map, functions: &Functions<'_>, demangled: bool, warnings: &mut Vec<String>) -> Unit {
    let index = map.index();
    for duplicate in index.duplicates() {
        let (id, earlier, later) = (duplicate.id, duplicate.earlier, duplicate.later);
        warnings.push(format!("id {id} is named by lines {earlier} and {later}; readers take the last"));
    }
    let entry = |row: &Row| {
        let (kind, name) = named(row)?;
        let id = row.marker_id();
        let is_code = matches!(kind, EntryKind::Kernel | EntryKind::Function);
        let symbol = if is_code { functions.find(name.as_bytes()) } else { Symbol::Unknown };
        Some(Entry {
            kind,
            id,
            address: symbol.address(),
            demangled: if demangled && is_code { demangle(name.as_bytes()) } else { None },
            name: name.to_str().into_owned(),
            location: row.location().map(Text::to_str).map(Cow::into_owned),
            is_inlined: kind == EntryKind::Function && symbol == Symbol::None,
            payload_records: id.map_or(0, |id| index.payload_count(id)),
        })
    };
    let mut entries: Vec<Entry> = map.rows().filter_map(entry).collect();
    entries.sort_by_key(|entry| (entry.kind != EntryKind::Kernel, entry.id));
    let encoding = map.encoding();
    let clock = encoding.has_clock().then(|| (encoding.clock_bits(), encoding.clock_shift()));
    Unit { wave_size: index.wave_size(), clock, entries }
}

fn named(row: &Row) -> Option<(EntryKind, &Text)> {
    let kind = match row {
        Row::Kernel { .. } => EntryKind::Kernel,
        Row::Function { .. } => EntryKind::Function,
        Row::Scope { .. } => EntryKind::Scope,
        Row::Point { .. } => EntryKind::Point,
        Row::WaveSize(_) | Row::Payload { .. } | Row::Layout { .. } => return None,
    };
    Some((kind, row.name()?))
}

/// The functions of a code object by name.
#[derive(Default)]
struct Functions<'a> {
    addresses: HashMap<&'a [u8], u64>,
    /// Addresses mean something: the code object was linked.
    are_linked: bool,
    /// Every function is there, not only those that `strip` leaves.
    are_all: bool,
}

/// What a code object has for a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    At(u64),
    /// A function in an object file, which has no address yet.
    Unlinked,
    /// No function of that name.
    None,
    /// It cannot be told.
    Unknown,
}

impl Symbol {
    fn address(self) -> Option<u64> {
        match self {
            Symbol::At(address) => Some(address),
            _ => None,
        }
    }
}

impl<'a> Functions<'a> {
    fn new(code_object: &'a CodeObject<'_>) -> Result<Functions<'a>, Malformed> {
        let mut addresses = HashMap::new();
        for symbol in code_object.symbols()? {
            if symbol.kind == SymbolKind::Function {
                addresses.entry(symbol.name).or_insert(symbol.address);
            }
        }
        Ok(Functions { addresses, are_linked: !code_object.is_relocatable(), are_all: !code_object.is_stripped() })
    }

    fn find(&self, name: &[u8]) -> Symbol {
        match self.addresses.get(name) {
            Some(address) if self.are_linked => Symbol::At(*address),
            Some(_) => Symbol::Unlinked,
            None if self.are_all => Symbol::None,
            None => Symbol::Unknown,
        }
    }
}
