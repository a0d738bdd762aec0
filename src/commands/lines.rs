//! Source lines of a code object's instructions, out of its debug information.

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object as _, ObjectSection as _};
use serde::Serialize;

type Reader<'data> = EndianSlice<'data, LittleEndian>;

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Source {
    /// As the compiler saw it.
    pub(super) file: String,
    /// From 1.
    pub(super) line: u32,
}

/// The line table of one code object; empty when it was compiled without `-g`, or when it cannot be read.
pub(super) struct Lines<'data> {
    context: Option<Context<Reader<'data>>>,
}

impl<'data> Lines<'data> {
    /// Reads the debug sections of `bytes`, an ELF file.
    pub(super) fn of(bytes: &'data [u8]) -> Lines<'data> {
        Lines { context: context(bytes) }
    }

    /// The line that the instruction at `address` was made of.
    pub(super) fn find(&self, address: u64) -> Option<Source> {
        let location = self.context.as_ref()?.find_location(address).ok()??;
        // Line 0 is code that stands for no line.
        let (file, line) = (location.file?, location.line.filter(|line| *line > 0)?);
        Some(Source { file: file.to_owned(), line })
    }
}

fn context(bytes: &[u8]) -> Option<Context<Reader<'_>>> {
    let file = object::File::parse(bytes).ok()?;
    let load = |id: SectionId| -> Result<Reader<'_>, ()> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok()).unwrap_or_default();
        Ok(EndianSlice::new(data, LittleEndian))
    };
    Context::from_dwarf(Dwarf::load(load).ok()?).ok()
}
