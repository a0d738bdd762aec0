//! The symbols of an AMDGPU code object.

use object::elf::{STT_FUNC, STT_OBJECT, Sym64};
use object::{LittleEndian, pod};

use super::Malformed;
use super::bytes::slice;
use super::elf::{Elf, Section};

/// A symbol that the code object defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'data> {
    /// The mangled name, as it stands in the string table.
    pub name: &'data [u8],
    /// What it names.
    pub kind: SymbolKind,
    /// Its address when loaded at 0; in a relocatable object its offset in its section.
    pub address: u64,
    section: u16,
}

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code: a kernel or a device function.
    Function,
    /// Data; a kernel descriptor is data.
    Object,
}

/// What the hardware is told about a kernel when it is launched: the 64-byte object `NAME.kd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelDescriptor<'data> {
    /// The kernel's mangled name, without `.kd`.
    pub kernel: &'data [u8],
    /// Lanes of a wave, 32 or 64; `None` when the descriptor's bytes are not in the file.
    pub wave_size: Option<u32>,
}

/// All defined functions and objects: those of the symbol table, then those of the dynamic one (the only one left
/// after `llvm-strip`). A symbol that is in both is told twice.
///
/// Errors: tables or names that do not lie in the file; names that overlap so much that no tool can have written them.
pub(super) fn symbols<'data>(elf: &Elf<'data>, bytes: &'data [u8]) -> Result<Vec<Symbol<'data>>, Malformed> {
    let mut found = Vec::new();
    let mut tables: Vec<&Section<'data>> = elf.sections.iter().filter(|section| section.is_symbol_table()).collect();
    tables.sort_by_key(|table| table.kind);
    tables.dedup_by_key(|table| table.kind);
    for table in tables {
        read_table(table, elf, bytes, &mut found)?;
    }
    Ok(found)
}

fn read_table<'data>(
    table: &Section<'data>,
    elf: &Elf<'data>,
    bytes: &'data [u8],
    found: &mut Vec<Symbol<'data>>,
) -> Result<(), Malformed> {
    let rows: &[Sym64<LittleEndian>] =
        pod::slice_from_all_bytes(table.contents(bytes)?).map_err(|()| Malformed::SymbolTable)?;
    let strings = usize::try_from(table.link).ok().and_then(|index| elf.sections.get(index));
    let strings = strings.ok_or(Malformed::SymbolTable)?.contents(bytes)?;
    let mut allowance = strings.len().saturating_mul(NAME_OVERLAP).saturating_add(1 << 20);
    for row in rows {
        let section = row.st_shndx.get(LittleEndian).0;
        let kind = match row.st_type() {
            STT_FUNC => SymbolKind::Function,
            STT_OBJECT => SymbolKind::Object,
            _ => continue,
        };
        if section == 0 {
            continue;
        }
        let name = name(strings, row.st_name.get(LittleEndian))?;
        allowance = allowance.checked_sub(name.len()).ok_or(Malformed::OverlappingNames)?;
        found.push(Symbol { name, kind, address: row.st_value.get(LittleEndian), section });
    }
    Ok(())
}

/// How many times its own length the names of a string table may add up to. Local functions of one name share a string
/// and linkers merge equal tails, but a table of n symbols that all name one string of n bytes is an attack.
const NAME_OVERLAP: usize = 64;

fn name(strings: &[u8], offset: u32) -> Result<&[u8], Malformed> {
    let tail = usize::try_from(offset).ok().and_then(|start| strings.get(start..)).ok_or(Malformed::SymbolName)?;
    let end = tail.iter().position(|byte| *byte == 0).ok_or(Malformed::SymbolName)?;
    Ok(&tail[..end])
}

/// The descriptor that `symbol` stands for, if it is one.
pub(super) fn kernel_descriptor<'data>(
    symbol: &Symbol<'data>,
    elf: &Elf<'data>,
    bytes: &'data [u8],
) -> Option<KernelDescriptor<'data>> {
    let kernel = symbol.name.strip_suffix(b".kd").filter(|_| symbol.kind == SymbolKind::Object)?;
    let wave_size = descriptor_bytes(symbol, elf, bytes).map(wave_size);
    Some(KernelDescriptor { kernel, wave_size })
}

const DESCRIPTOR_SIZE: u64 = 64;

fn descriptor_bytes<'data>(symbol: &Symbol<'data>, elf: &Elf<'data>, bytes: &'data [u8]) -> Option<&'data [u8]> {
    let section = elf.sections.get(usize::from(symbol.section))?;
    let start = if elf.header.relocatable { symbol.address } else { symbol.address.checked_sub(section.address)? };
    slice(section.contents(bytes).ok()?, start, DESCRIPTOR_SIZE)
}

/// LLVM's AMDGPU usage page, "Kernel Descriptor": the 16 bits at byte 56, of which bit 10 is set for waves of 32 lanes.
fn wave_size(descriptor: &[u8]) -> u32 {
    const PROPERTIES: usize = 56;
    const ENABLE_WAVEFRONT_SIZE32: u8 = 1 << 2; // Bit 10, in the second byte.
    if descriptor.get(PROPERTIES + 1).is_some_and(|byte| byte & ENABLE_WAVEFRONT_SIZE32 != 0) { 32 } else { 64 }
}
