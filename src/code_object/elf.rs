//! The header and the section table of an ELF file of any class, byte order and machine.

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, SectionIndex};

use super::Malformed;
use super::bytes::{Bytes, slice};

/// An ELF file as far as code objects need it: who it is for and which sections it has.
#[derive(Debug)]
pub(super) struct Elf<'data> {
    pub(super) header: Header,
    pub(super) sections: Vec<Section<'data>>,
}

/// What the ELF header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) machine: u16,
    pub(super) os_abi: u8,
    pub(super) abi_version: u8,
    pub(super) flags: u32,
    /// Not linked yet: symbol values are offsets into sections, not addresses.
    pub(super) relocatable: bool,
    /// 64-bit and little-endian, as every AMDGPU code object is.
    pub(super) is_64_little: bool,
}

/// One row of the section table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section<'data> {
    /// The name table from its name on, [`SECTION_NAME_LIMIT`] bytes at most.
    names: &'data [u8],
    pub(super) kind: u32,
    pub(super) address: u64,
    /// Offset in the ELF file, in bytes.
    pub(super) offset: u64,
    /// In bytes; that many are in the file unless the section [occupies none](Section::has_no_contents).
    pub(super) size: u64,
    pub(super) link: u32,
}

/// Longest section name that is read whole, in bytes. Names of interest are far shorter (a bundle entry's id after a
/// prefix); without a limit a hostile table of n names could cost n times the file.
const SECTION_NAME_LIMIT: usize = 1024;

const SHT_SYMTAB: u32 = 2;
const SHT_NOBITS: u32 = 8;
const SHT_DYNSYM: u32 = 11;

impl<'data> Elf<'data> {
    /// Reads `bytes`, which begin with the ELF magic.
    ///
    /// Errors: a header or section table that is cut off or contradicts itself.
    pub(super) fn parse(bytes: &'data [u8]) -> Result<Elf<'data>, Malformed> {
        match bytes.get(4) {
            Some(1) => parse::<FileHeader32<Endianness>>(bytes),
            _ => parse::<FileHeader64<Endianness>>(bytes),
        }
    }

    /// Whether there is a symbol table beside the dynamic one.
    pub(super) fn has_symbol_table(&self) -> bool {
        self.sections.iter().any(|section| section.kind == SHT_SYMTAB)
    }

    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Section<'data>> {
        self.sections.iter().filter(move |section| section.is_named(name.as_bytes()))
    }
}

impl<'data> Section<'data> {
    /// Its name, cut off after [`SECTION_NAME_LIMIT`] bytes.
    pub(super) fn name(&self) -> &'data [u8] {
        let end = self.names.iter().position(|byte| *byte == 0).unwrap_or(self.names.len());
        &self.names[..end]
    }

    pub(super) fn is_named(&self, name: &[u8]) -> bool {
        self.names.strip_prefix(name).is_some_and(|rest| rest.first().is_none_or(|byte| *byte == 0))
    }

    /// Whether the section takes no room in the file: zeros at run time, or left behind by `objcopy --only-keep-debug`.
    pub(super) fn has_no_contents(&self) -> bool {
        self.kind == SHT_NOBITS
    }

    pub(super) fn is_symbol_table(&self) -> bool {
        self.kind == SHT_SYMTAB || self.kind == SHT_DYNSYM
    }

    /// Its bytes in the ELF file `file`.
    pub(super) fn contents(&self, file: &'data [u8]) -> Result<&'data [u8], Malformed> {
        if self.has_no_contents() {
            return Ok(&[]);
        }
        slice(file, self.offset, self.size).ok_or_else(|| Malformed::SectionOutOfFile { name: self.printable_name() })
    }

    /// The same as a handle of its own.
    pub(super) fn part<'bytes>(&self, file: &Bytes<'bytes>) -> Result<Bytes<'bytes>, Malformed> {
        let size = if self.has_no_contents() { 0 } else { self.size };
        let offset = if size == 0 { 0 } else { self.offset };
        file.part(offset, size).ok_or_else(|| Malformed::SectionOutOfFile { name: self.printable_name() })
    }

    pub(super) fn printable_name(&self) -> String {
        String::from_utf8_lossy(self.name()).into_owned()
    }
}

fn parse<'data, H: FileHeader<Endian = Endianness>>(bytes: &'data [u8]) -> Result<Elf<'data>, Malformed> {
    let header = H::parse(bytes)?;
    let endian = header.endian()?;
    let ident = header.e_ident();
    let rows = header.section_headers(endian, bytes)?;
    let names = if rows.is_empty() { &[][..] } else { section_names(header, endian, bytes, rows)? };
    let mut sections = Vec::with_capacity(rows.len());
    for row in rows {
        sections.push(section::<H>(row, endian, names)?);
    }
    let header = Header {
        machine: header.e_machine(endian).0,
        os_abi: ident.os_abi.0,
        abi_version: ident.abi_version,
        flags: header.e_flags(endian).0,
        relocatable: header.e_type(endian) == elf::ET_REL,
        is_64_little: header.is_class_64() && header.is_little_endian(),
    };
    Ok(Elf { header, sections })
}

fn section_names<'data, H: FileHeader<Endian = Endianness>>(
    header: &H,
    endian: Endianness,
    bytes: &'data [u8],
    rows: &[H::SectionHeader],
) -> Result<&'data [u8], Malformed> {
    let SectionIndex(index) = header.section_strings_index(endian, bytes)?;
    let row = rows.get(index).ok_or(Malformed::SectionNames)?;
    Ok(row.data(endian, bytes)?)
}

fn section<'data, H: FileHeader<Endian = Endianness>>(
    row: &H::SectionHeader,
    endian: Endianness,
    names: &'data [u8],
) -> Result<Section<'data>, Malformed> {
    let start = usize::try_from(row.sh_name(endian)).map_err(|_| Malformed::SectionNames)?;
    // The null section of a file whose names were stripped has offset 0 into an empty table.
    let names = if names.is_empty() { &[][..] } else { names.get(start..).ok_or(Malformed::SectionNames)? };
    Ok(Section {
        names: &names[..names.len().min(SECTION_NAME_LIMIT)],
        kind: row.sh_type(endian).0,
        address: row.sh_addr(endian).into(),
        offset: row.sh_offset(endian).into(),
        size: row.sh_size(endian).into(),
        link: row.sh_link(endian),
    })
}
