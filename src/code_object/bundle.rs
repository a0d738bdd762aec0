//! Offload bundles, and sequences of them: what a `.hip_fatbin` section or a `--genco` file holds.
//!
//! The layout is clang's (its "Clang Offload Bundler" page): a magic, the number of entries, then per entry its offset
//! from the bundle's start, its size, the length of its id, and the id. A linker puts the bundles of several units one
//! after the other, each aligned, with zeros between and after them; compressed and uncompressed ones may be mixed.

use super::bytes::{Cursor, skip_zeros};
use super::kind::BUNDLE_MAGIC;
use super::reader::{Piece, Reader};
use super::{Kind, Malformed, Target, compressed};

/// Reads the bundles of `piece`. `label` names the section they stand in, or is empty for a file of bundles.
pub(super) fn read_sequence<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, label: &str) {
    let label = if label.is_empty() { "bundle".to_owned() } else { format!("{label} bundle") };
    let mut index = 0;
    let mut start = 0;
    // Padding is zeros, and no bundle begins with one.
    while !reader.stopped
        && let Some(at) = skip_zeros(&piece.bytes, start)
    {
        let step = format!("{label} {index}");
        let size = match Kind::of(&piece.bytes[at..]) {
            Kind::Bundle => read_bundle(reader, piece, at, &step),
            Kind::CompressedBundle => compressed::read(reader, piece, at, &step),
            _ => {
                reader.problem(&piece.place.inside(step), Malformed::NoBundle { offset: at });
                return;
            }
        };
        let Some(size) = size else { return };
        start = at.saturating_add(size);
        index += 1;
    }
}

/// Reads the bundle at `at`, uncompressed. The result is its size in bytes, if it can be told.
pub(super) fn read_bundle<'data>(
    reader: &mut Reader<'data, '_>,
    piece: &Piece<'data>,
    at: usize,
    step: &str,
) -> Option<usize> {
    let bundle = &piece.bytes[at..];
    let Some(header) = header(bundle) else {
        reader.problem(&piece.place.inside(step), Malformed::BundleHeader);
        return None;
    };
    let mut size = Some(header.size);
    for entry in header.entries {
        if entry.size == 0 {
            continue; // The host's entry, or a target without code.
        }
        let end = entry.offset.checked_add(entry.size).and_then(|end| usize::try_from(end).ok());
        let end = end.filter(|end| *end <= bundle.len());
        size = size.zip(end).map(|(size, end)| size.max(end));
        match end {
            Some(_) => read_entry(reader, piece, at, step, &entry),
            None => reader.problem(&piece.place.inside(step), entry.out_of_bundle(bundle.len())),
        }
    }
    size
}

fn read_entry<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, at: usize, step: &str, entry: &Entry<'_>) {
    let id = entry.id();
    let Some(target) = Target::from_entry_id(&id) else {
        return; // Code for the host.
    };
    let offset = entry.offset.saturating_add(at as u64);
    if let Some(inner) = piece.part(offset, entry.size, format!("{step}, {id}")) {
        reader.descend(inner.for_target(target));
    }
}

struct Header<'data> {
    entries: Vec<Entry<'data>>,
    size: usize,
}

/// `offset` and `size` in bytes, from the bundle's start.
struct Entry<'data> {
    id: &'data [u8],
    offset: u64,
    size: u64,
}

impl Entry<'_> {
    fn id(&self) -> String {
        String::from_utf8_lossy(self.id).into_owned()
    }

    fn out_of_bundle(&self, available: usize) -> Malformed {
        Malformed::EntryOutOfBundle { id: self.id(), offset: self.offset, size: self.size, available }
    }
}

/// Longest id in bytes; genuine ones are a target id and a word. Every piece inside the entry carries a copy.
const ID_LIMIT: u64 = 1024;

fn header(bundle: &[u8]) -> Option<Header<'_>> {
    let mut cursor = Cursor::new(bundle);
    cursor.bytes(BUNDLE_MAGIC.len() as u64)?;
    let count = cursor.u64()?;
    // No allocation ahead of the entries themselves: the count may be any number.
    let mut entries = Vec::new();
    for _ in 0..count {
        let offset = cursor.u64()?;
        let size = cursor.u64()?;
        let id_length = cursor.u64().filter(|length| *length <= ID_LIMIT)?;
        entries.push(Entry { id: cursor.bytes(id_length)?, offset, size });
    }
    Some(Header { entries, size: cursor.position() })
}
