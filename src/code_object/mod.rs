//! A file -> the AMDGPU code objects in it.
//!
//! [`read`] takes a file's bytes apart: host ELF files, archives, offload bundles and offload binaries, one kind of
//! container a module, down to AMDGPU ELF files. What stands in the file as it is is returned without copying it;
//! compressed bundles are unpacked, within [`Limits`], and their code objects share the unpacked bytes. What a container
//! begins with decides what it is; nothing is ever searched for. What is recognised but holds nothing that can be looked
//! at is returned as [`Unverified`], what is malformed as a [`Problem`], and the rest of the file is read all the same.
//! No input makes it panic, loop, or use time or memory beyond a small multiple of the file and of the limits.
//!
//! [`visit`] is the same with one code object at a time: what was unpacked is given back when its code objects are.
//!
//! Facts about the containers: clang's "Clang Offload Bundler" page, LLVM's "llvm-offload-binary" page, and what clang 19
//! and 22 wrote.

mod amdgpu;
mod archive;
mod assembly;
mod bundle;
mod bytes;
mod compressed;
mod elf;
mod error;
mod host;
mod kind;
mod limits;
mod map;
mod offload_binary;
mod place;
mod reader;
mod resources;
mod symbols;
mod target;
mod unpack;
mod unverified;

use std::ops::ControlFlow;

pub use amdgpu::CodeObject;
pub use error::Malformed;
pub use kind::Kind;
pub use limits::Limits;
pub use map::FileBytes;
pub use place::Place;
pub use resources::Resources;
pub use symbols::{KernelDescriptor, Symbol, SymbolKind};
pub use target::Target;
pub use unverified::Unverified;

use reader::{Piece, Reader};

/// What is in a file.
#[derive(Clone, Debug)]
pub struct Contents<'data> {
    /// What the file is by what it begins with. [`Kind::Other`] holds nothing.
    pub kind: Kind,
    /// The code objects, in the order of the file.
    pub code_objects: Vec<CodeObject<'data>>,
    /// What may hold code objects that cannot be looked at.
    pub unverified: Vec<(Place, Unverified)>,
    /// What is malformed. A file with problems can hold good code objects too.
    pub problems: Vec<Problem>,
}

/// What is to be said of a file beside its code objects: [`Contents`] without them.
#[derive(Clone, Debug)]
pub struct Notes {
    /// What the file is by what it begins with. [`Kind::Other`] holds nothing.
    pub kind: Kind,
    /// What may hold code objects that cannot be looked at.
    pub unverified: Vec<(Place, Unverified)>,
    /// What is malformed. A file with problems can hold good code objects too.
    pub problems: Vec<Problem>,
}

/// A malformed container or code object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong with it.
    pub malformed: Malformed,
}

/// Takes `file`, the bytes of a whole file, apart, within the default [`Limits`].
pub fn read(file: &[u8]) -> Contents<'_> {
    read_with(file, &Limits::default())
}

/// Takes `file`, the bytes of a whole file, apart. All that was unpacked stays in memory with the code objects.
pub fn read_with<'data>(file: &'data [u8], limits: &Limits) -> Contents<'data> {
    let mut code_objects = Vec::new();
    let Notes { kind, unverified, problems } = visit(file, limits, |code_object| {
        code_objects.push(code_object);
        ControlFlow::Continue(())
    });
    Contents { kind, code_objects, unverified, problems }
}

/// Takes `file`, the bytes of a whole file, apart, and passes each code object to `visitor` as it is found, in the order
/// of the file. When that breaks, the rest of the file is not looked at.
///
/// At most one compressed bundle is in memory, beside those of code objects that the visitor keeps.
pub fn visit<'data>(
    file: &'data [u8],
    limits: &Limits,
    mut visitor: impl FnMut(CodeObject<'data>) -> ControlFlow<()>,
) -> Notes {
    let mut reader = Reader::new(file, *limits, &mut visitor);
    reader.descend(Piece::file(file));
    reader.notes
}
