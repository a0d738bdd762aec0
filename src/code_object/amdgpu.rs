//! A code object: an ELF file for AMD GPUs, or the assembly text of one.

use std::borrow::Cow;

use sqtt_contract::funcmap::{self, Funcmap};

use super::bytes::Bytes;
use super::elf::Elf;
use super::reader::{Piece, Reader};
use super::resources::{self, Resources};
use super::symbols::{self, KernelDescriptor, Symbol};
use super::{Malformed, Place, Target, Unverified};

/// `e_machine` of AMD GPUs (EM_AMDGPU).
pub(super) const MACHINE: u16 = 224;

/// One AMDGPU code object in a file. Borrows the file's bytes, or shares those of a compressed bundle with its other code
/// objects.
#[derive(Clone, Debug)]
pub struct CodeObject<'data> {
    place: Place,
    target: Target,
    offset: Option<u64>,
    bytes: Bytes<'data>,
    relocatable: bool,
    stripped: bool,
    maps: Vec<Bytes<'data>>,
    /// The names of the kernels of a text.
    text: Option<Vec<Bytes<'data>>>,
}

/// Adds the code object in `piece`, whose header and sections are `elf`.
pub(super) fn read<'data>(reader: &mut Reader<'data, '_>, piece: Piece<'data>, elf: &Elf<'_>) {
    if !elf.header.is_64_little {
        return reader.problem(&piece.place, Malformed::WrongClass);
    }
    if elf.sections.is_empty() {
        return reader.problem(&piece.place, Malformed::NoSections);
    }
    if elf.named(funcmap::SECTION).any(|section| section.has_no_contents()) {
        return reader.unverified(&piece.place, Unverified::StrippedMap);
    }
    let maps = elf.named(funcmap::SECTION).map(|section| section.part(&piece.bytes)).collect::<Result<Vec<_>, _>>();
    let maps = match maps {
        Ok(maps) if maps.iter().map(|map| map.len()).sum::<usize>() <= piece.bytes.len() => maps,
        Ok(_) => return reader.problem(&piece.place, Malformed::OverlappingPieces),
        Err(malformed) => return reader.problem(&piece.place, malformed),
    };
    let header = elf.header;
    let own = || Target::from_elf_header(header.os_abi, header.abi_version, header.flags);
    reader.code_object(CodeObject {
        target: piece.target.unwrap_or_else(own),
        place: piece.place,
        offset: piece.offset,
        bytes: piece.bytes,
        relocatable: header.relocatable,
        stripped: !elf.has_symbol_table(),
        maps,
        text: None,
    });
}

impl<'data> CodeObject<'data> {
    /// One that is assembly text, with the names of its kernels and its map.
    pub(super) fn of_text(
        place: Place,
        target: Target,
        offset: Option<u64>,
        bytes: Bytes<'data>,
        kernels: Vec<Bytes<'data>>,
        map: Option<Bytes<'data>>,
    ) -> CodeObject<'data> {
        let maps = map.into_iter().collect();
        CodeObject { place, target, offset, bytes, relocatable: true, stripped: true, maps, text: Some(kernels) }
    }
}

impl CodeObject<'_> {
    /// The containers around it.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What it is for: the id of its bundle entry, or what its own header says when it stands in none.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Whether it is assembly text (`-S`): its [bytes](Self::bytes) are no ELF file, and it has no symbols.
    pub fn is_text(&self) -> bool {
        self.text.is_some()
    }

    /// Where it begins in the file that was read, in bytes. `None` when it was unpacked and stands nowhere.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Its ELF file, or its text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it is an object file that was not linked yet, so that its symbols have no addresses.
    pub fn is_relocatable(&self) -> bool {
        self.relocatable
    }

    /// Whether its symbol table was stripped: only kernels and what else is exported have symbols left.
    pub fn is_stripped(&self) -> bool {
        self.stripped
    }

    /// Its marker map, all map sections one after the other; `None` when it has no such section.
    pub fn funcmap(&self) -> Option<Funcmap> {
        (!self.maps.is_empty()).then(|| funcmap::parse(&self.map_bytes()))
    }

    /// The bytes of its map sections, one after the other; a NUL stands between two.
    pub fn map_bytes(&self) -> Cow<'_, [u8]> {
        match self.maps.as_slice() {
            [map] => Cow::Borrowed(map),
            maps => {
                let maps: Vec<&[u8]> = maps.iter().map(|map| &**map).collect();
                Cow::Owned(maps.join(&b'\0'))
            }
        }
    }

    /// All functions and data objects that it defines.
    ///
    /// Errors: a symbol table that cannot be read.
    pub fn symbols(&self) -> Result<Vec<Symbol<'_>>, Malformed> {
        if self.is_text() {
            return Ok(Vec::new());
        }
        symbols::symbols(&Elf::parse(&self.bytes)?, &self.bytes)
    }

    /// Whether its sections are in the file, as other programs expect.
    ///
    /// Errors: one reaches beyond the end.
    pub fn check_sections(&self) -> Result<(), Malformed> {
        if self.is_text() {
            return Ok(());
        }
        Elf::parse(&self.bytes)?.sections.iter().try_for_each(|section| section.contents(&self.bytes).map(drop))
    }

    /// The descriptors of its kernels, each once, in the order of the symbol table. Those of a text have no wave size.
    ///
    /// Errors: a symbol table that cannot be read.
    pub fn kernel_descriptors(&self) -> Result<Vec<KernelDescriptor<'_>>, Malformed> {
        if let Some(kernels) = &self.text {
            return Ok(kernels.iter().map(|kernel| KernelDescriptor { kernel, wave_size: None }).collect());
        }
        let elf = Elf::parse(&self.bytes)?;
        let symbols = symbols::symbols(&elf, &self.bytes)?;
        let mut seen = std::collections::HashSet::new();
        let descriptors = symbols.iter().filter_map(|symbol| symbols::kernel_descriptor(symbol, &elf, &self.bytes));
        Ok(descriptors.filter(|descriptor| seen.insert(descriptor.kernel)).collect())
    }

    /// What each kernel takes of the hardware, by its mangled name; empty for a text, and where nothing says so.
    pub fn kernel_resources(&self) -> Vec<(String, Resources)> {
        if self.is_text() {
            return Vec::new();
        }
        Elf::parse(&self.bytes).map_or_else(|_| Vec::new(), |elf| resources::resources(&elf, &self.bytes))
    }
}
