//! Offload binaries: what `.llvm.offloading` sections and `llvm-offload-binary` files hold.
//!
//! The layout is LLVM's (its "llvm-offload-binary" page, `OffloadBinary`): a magic, a 32-bit version, then 64-bit fields,
//! namely the size of the whole, where the entries begin, and how many there are (in version 1 always one: there it is
//! the size of an entry). An entry is a 16-bit kind of image, a 16-bit kind of producer, 32 bits of flags, then where its
//! strings begin and how many there are, and where its image begins and its size. A string is two offsets of texts that
//! end with a NUL, a key and a value; from version 2 on the value's size follows. All offsets are from the binary's start.
//! Version 3 may be compressed behind its header, which then has one more field: the size of the whole, unpacked. Binaries
//! stand one after the other, each 8-aligned.

use super::bytes::{Cursor, skip_zeros, slice};
use super::kind::OFFLOAD_BINARY_MAGIC;
use super::reader::{Piece, Reader};
use super::unpack::{Method, Unpacked, unpack};
use super::{Kind, Malformed, Target, Unverified};

/// Size of an entry in bytes.
const ENTRY_SIZE: u64 = 40;
/// Newest version that is known.
const NEWEST: u32 = 3;
/// An entry with this flag has no image.
const METADATA_ONLY: u32 = 1;
/// Longest text that is read, in bytes; genuine ones are a triple and a target id.
const TEXT_LIMIT: usize = 256;
/// What a string costs, in bytes looked at.
const STRING_COST: usize = 64;
/// Strings of one entry that are looked at; tools write two to four.
const STRINGS_LIMIT: u64 = 64;

/// Reads the offload binaries of `piece`.
pub(super) fn read_sequence<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>) {
    let mut index = 0;
    let mut start = 0;
    while !reader.stopped
        && let Some(at) = skip_zeros(&piece.bytes, start)
    {
        let step = format!("offload binary {index}");
        if Kind::of(&piece.bytes[at..]) != Kind::OffloadBinary {
            return reader.problem(&piece.place.inside(step), Malformed::NoOffloadBinary { offset: at });
        }
        let Some(size) = read(reader, piece, at, &step) else { return };
        start = at.saturating_add(size);
        index += 1;
    }
}

/// Reads the offload binary at `at`. The result is its size in bytes, if it can be told.
fn read<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, at: usize, step: &str) -> Option<usize> {
    let rest = &piece.bytes[at..];
    let header = header(rest).filter(|header| header.size <= rest.len() as u64);
    let Some(header) = header else {
        reader.problem(&piece.place.inside(step), Malformed::OffloadBinaryHeader);
        return None;
    };
    // At least the header, so that this ends.
    let size = usize::try_from(header.size).ok().filter(|size| *size >= header.own_size)?;
    let binary = piece.part(at as u64, header.size, step.to_owned())?;
    if header.version == 0 || header.version > NEWEST {
        reader.unverified(&binary.place, Unverified::OffloadBinary { version: header.version });
    } else if let Some(inflated) = header.inflated {
        if let Some(binary) = inflate(reader, &binary, &header, inflated) {
            read_entries(reader, &binary, &header);
        }
    } else {
        read_entries(reader, &binary, &header);
    }
    Some(size)
}

struct Header {
    version: u32,
    /// How many bytes of it were read.
    own_size: usize,
    /// Of the whole offload binary, in bytes.
    size: u64,
    /// Where the entries begin.
    entries: u64,
    /// How many there are.
    count: u64,
    /// Size of the whole when it is unpacked, in bytes; `None` when it is not compressed.
    inflated: Option<u64>,
}

/// The header that `binary` begins with; `None` when it is cut off or says that it ends within itself.
fn header(binary: &[u8]) -> Option<Header> {
    let mut cursor = Cursor::new(binary);
    cursor.bytes(OFFLOAD_BINARY_MAGIC.len() as u64)?;
    let version = cursor.u32()?;
    let size = cursor.u64()?;
    let entries = cursor.u64()?;
    let count = cursor.u64()?;
    let count = if version == 1 { 1 } else { count };
    let inflated = if version >= 3 { Some(cursor.u64()?).filter(|size| *size != 0) } else { None };
    let own_size = cursor.position();
    (size >= own_size as u64).then_some(Header { version, own_size, size, entries, count, inflated })
}

/// The whole binary as it was before the part behind its header was compressed.
fn inflate<'data>(
    reader: &mut Reader<'data, '_>,
    binary: &Piece<'data>,
    header: &Header,
    inflated: u64,
) -> Option<Piece<'data>> {
    let split = usize::try_from(header.entries).ok().and_then(|at| binary.bytes.split_at_checked(at));
    let (Some((head, packed)), Some(size)) = (split, inflated.checked_sub(header.entries)) else {
        reader.problem(&binary.place, Malformed::OffloadBinaryHeader);
        return None;
    };
    if binary.offset.is_none() {
        reader.problem(&binary.place, Malformed::TooDeep);
        return None;
    }
    if !reader.may_unpack(&binary.place, inflated) {
        return None;
    }
    match unpack(Method::of(packed), packed, size) {
        Ok(Unpacked { bytes, .. }) => Some(binary.unpacked([head, &bytes].concat())),
        Err(malformed) => {
            reader.problem(&binary.place, malformed);
            None
        }
    }
}

fn read_entries<'data>(reader: &mut Reader<'data, '_>, binary: &Piece<'data>, header: &Header) {
    for index in 0..header.count {
        let offset = ENTRY_SIZE.checked_mul(index).and_then(|offset| offset.checked_add(header.entries));
        let Some(entry) = offset.and_then(|offset| entry(&binary.bytes, offset)) else {
            return reader.problem(&binary.place, Malformed::OffloadEntry);
        };
        if entry.flags & METADATA_ONLY != 0 {
            continue;
        }
        // Entries may share their strings.
        let strings = usize::try_from(entry.strings.min(STRINGS_LIMIT)).unwrap_or(0);
        if !reader.charge(&binary.place, strings * STRING_COST) {
            return;
        }
        read_image(reader, binary, &entry, header);
    }
}

fn read_image<'data>(reader: &mut Reader<'data, '_>, binary: &Piece<'data>, entry: &Entry, header: &Header) {
    let Some(strings) = strings(&binary.bytes, entry, header.version) else {
        return reader.problem(&binary.place, Malformed::OffloadEntry);
    };
    if !strings.triple.is_empty() && !Target::is_amd_triple(&strings.triple) {
        return; // Code for the host, or for other vendors' GPUs.
    }
    let target = Target::from_triple(&strings.triple, &strings.arch);
    let step = target.as_ref().map_or_else(|| "image of an unnamed target".to_owned(), Target::to_string);
    match binary.part(entry.image_offset, entry.image_size, step) {
        Some(image) if image.bytes.is_empty() => {}
        Some(image) => reader.descend(Piece { target, ..image }),
        None => reader.problem(&binary.place, Malformed::OffloadEntry),
    }
}

struct Entry {
    flags: u32,
    strings_offset: u64,
    strings: u64,
    image_offset: u64,
    image_size: u64,
}

fn entry(binary: &[u8], offset: u64) -> Option<Entry> {
    let mut cursor = Cursor::new(slice(binary, offset, ENTRY_SIZE)?);
    // The kinds of image and producer: the image's first bytes and the triple say the same and are what counts.
    cursor.bytes(4)?;
    Some(Entry {
        flags: cursor.u32()?,
        strings_offset: cursor.u64()?,
        strings: cursor.u64()?,
        image_offset: cursor.u64()?,
        image_size: cursor.u64()?,
    })
}

#[derive(Default)]
struct Strings {
    triple: String,
    arch: String,
}

fn strings(binary: &[u8], entry: &Entry, version: u32) -> Option<Strings> {
    let mut strings = Strings::default();
    let table = usize::try_from(entry.strings_offset).ok().and_then(|start| binary.get(start..))?;
    let mut cursor = Cursor::new(table);
    for _ in 0..entry.strings.min(STRINGS_LIMIT) {
        let (key, value) = (cursor.u64()?, cursor.u64()?);
        let size = if version == 1 { None } else { Some(cursor.u64()?) };
        let place = match text(binary, key)? {
            b"triple" => &mut strings.triple,
            b"arch" => &mut strings.arch,
            _ => continue,
        };
        let value = match size {
            Some(size) => slice(binary, value, size).filter(|value| value.len() <= TEXT_LIMIT)?,
            None => text(binary, value)?,
        };
        *place = String::from_utf8_lossy(value).into_owned();
    }
    Some(strings)
}

/// The text at `offset`, up to its NUL.
fn text(binary: &[u8], offset: u64) -> Option<&[u8]> {
    let rest = usize::try_from(offset).ok().and_then(|start| binary.get(start..))?;
    let end = rest.iter().take(TEXT_LIMIT).position(|byte| *byte == 0)?;
    Some(&rest[..end])
}
