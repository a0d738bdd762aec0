//! ELF files for the host: objects, executables and shared libraries with code objects in their sections.

use super::elf::{Elf, Section};
use super::kind::BUNDLE_MAGIC;
use super::reader::{Piece, Reader};
use super::{Malformed, Target, Unverified, bundle, offload_binary};

/// The bundles of `-fno-gpu-rdc` compiles and of links.
const FATBIN: &[u8] = b".hip_fatbin";
/// Offload binaries, one after the other: `-fgpu-rdc` compiles with the new offload driver, and links with `-r`.
const OFFLOADING: &[u8] = b".llvm.offloading";
/// Tells which `.kpack` archive the code objects were moved to (ROCm's kpack splitting).
const KPACK_REFERENCE: &str = ".rocm_kpack_ref";

/// Reads the sections of `piece` that hold code for GPUs.
pub(super) fn read<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, elf: &Elf<'_>) {
    let is_split = elf.named(KPACK_REFERENCE).next().is_some();
    if is_split {
        reader.unverified(&piece.place, Unverified::Kpack);
    }
    for section in &elf.sections {
        if section.is_named(FATBIN) {
            read_fatbin(reader, piece, section, is_split);
        } else if section.is_named(OFFLOADING) {
            read_offloading(reader, piece, section);
        } else if let Some(id) = section.name().strip_prefix(BUNDLE_MAGIC) {
            read_entry_section(reader, piece, section, &String::from_utf8_lossy(id));
        }
    }
}

fn read_fatbin<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, section: &Section<'_>, is_split: bool) {
    if section.has_no_contents() {
        if !is_split && section.size > 0 {
            reader.unverified(&piece.place.inside(section.printable_name()), Unverified::StrippedBundles);
        }
        return;
    }
    if let Some(inner) = section_part(reader, piece, section) {
        // The label stands in the steps of the bundles, not as a step of its own.
        let inner = Piece { place: piece.place.clone(), ..inner };
        if reader.spend(&inner) {
            bundle::read_sequence(reader, &inner, &section.printable_name());
        }
    }
}

fn read_offloading<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, section: &Section<'_>) {
    if section.size == 0 {
        return;
    }
    if section.has_no_contents() {
        return reader.unverified(&piece.place.inside(section.printable_name()), Unverified::StrippedBundles);
    }
    let Some(inner) = section_part(reader, piece, section) else { return };
    if reader.spend(&inner) {
        offload_binary::read_sequence(reader, &inner);
    }
}

/// A section of an object that the old offload driver wrote for `-fgpu-rdc`: named after a bundle entry's id, it holds
/// what would stand in that entry.
fn read_entry_section<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>, section: &Section<'_>, id: &str) {
    let Some(target) = Target::from_entry_id(id) else {
        return; // Code for the host.
    };
    if section.size == 0 || section.has_no_contents() {
        return;
    }
    if let Some(inner) = section_part(reader, piece, section) {
        reader.descend(inner.for_target(target));
    }
}

fn section_part<'data>(
    reader: &mut Reader<'data, '_>,
    piece: &Piece<'data>,
    section: &Section<'_>,
) -> Option<Piece<'data>> {
    let name = section.printable_name();
    let inner = piece.part(section.offset, section.size, name.clone());
    if inner.is_none() {
        reader.problem(&piece.place, Malformed::SectionOutOfFile { name });
    }
    inner
}
