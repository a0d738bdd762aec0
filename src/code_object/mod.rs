//! A file -> the AMDGPU code objects in it.
//!
//! [`read`] takes a file's bytes apart: host ELF files, archives and offload bundles, one kind of container a module,
//! down to AMDGPU ELF files, which it returns without copying them. What a container begins with decides what it is;
//! nothing is ever searched for. What is recognised but cannot be read yet is returned as [`Unverified`], what is
//! malformed as a [`Problem`], and the rest of the file is read all the same. No input makes it panic, loop, or use time
//! or memory beyond a small multiple of the file.
//!
//! Facts about the containers: clang's "Clang Offload Bundler" page, and what clang 19 and 22 wrote.

mod amdgpu;
mod archive;
mod bundle;
mod bytes;
mod compressed;
mod elf;
mod error;
mod host;
mod kind;
mod map;
mod place;
mod symbols;
mod target;
mod unverified;

pub use amdgpu::CodeObject;
pub use error::Malformed;
pub use kind::Kind;
pub use map::FileBytes;
pub use place::Place;
pub use symbols::{KernelDescriptor, Symbol, SymbolKind};
pub use target::Target;
pub use unverified::Unverified;

/// What is in a file.
#[derive(Clone, Debug)]
pub struct Contents<'data> {
    /// What the file is by what it begins with. [`Kind::Other`] holds nothing.
    pub kind: Kind,
    /// The code objects, in the order of the file.
    pub code_objects: Vec<CodeObject<'data>>,
    /// What may hold code objects that cannot be looked at yet.
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

/// Takes `file`, the bytes of a whole file, apart.
pub fn read(file: &[u8]) -> Contents<'_> {
    let kind = Kind::of(file);
    let contents = Contents { kind, code_objects: Vec::new(), unverified: Vec::new(), problems: Vec::new() };
    // The deepest nesting that tools write (archive, host object, section, entry) passes each byte four times.
    let allowance = file.len().saturating_mul(8).saturating_add(1 << 20);
    let mut reader = Reader { contents, allowance };
    reader.descend(Piece { bytes: file, offset: Some(0), place: Place::top(), target: None, depth: 0 });
    reader.contents
}

/// A stretch of the file that is to be read as something.
#[derive(Clone, Debug)]
struct Piece<'data> {
    bytes: &'data [u8],
    /// Where it begins in the file, in bytes; `None` for what was unpacked.
    offset: Option<u64>,
    place: Place,
    /// The GPU that the container around it names.
    target: Option<Target>,
    depth: u32,
}

impl<'data> Piece<'data> {
    /// The `size` bytes at `offset` of this piece, if they are all there, as the container `step`.
    fn part(&self, offset: u64, size: u64, step: String) -> Option<Piece<'data>> {
        Some(Piece {
            bytes: bytes::slice(self.bytes, offset, size)?,
            offset: self.offset.and_then(|start| start.checked_add(offset)),
            place: self.place.inside(step),
            target: self.target.clone(),
            depth: self.depth + 1,
        })
    }

    fn for_target(self, target: Target) -> Piece<'data> {
        Piece { target: Some(target), ..self }
    }
}

/// Containers in containers that are followed; tools write four.
const MAX_DEPTH: u32 = 8;
/// Problems that are kept; a hostile file can have one in every few bytes.
const MAX_PROBLEMS: usize = 100;
/// What a piece costs beside its bytes, so that many empty pieces do not come free.
const PIECE_COST: usize = 256;

/// Collects what is found, and limits how much is looked at.
struct Reader<'data> {
    contents: Contents<'data>,
    /// Bytes that may still be looked at. Pieces of a genuine file do not overlap; those of a hostile one could send
    /// the reader through the same bytes as often as the file has room for headers.
    allowance: usize,
}

impl<'data> Reader<'data> {
    /// Reads `piece` as what it begins like.
    fn descend(&mut self, piece: Piece<'data>) {
        if piece.depth > MAX_DEPTH {
            return self.problem(&piece.place, Malformed::TooDeep);
        }
        if !self.spend(&piece) {
            return;
        }
        match Kind::of(piece.bytes) {
            Kind::Elf => self.elf(piece),
            Kind::Bundle | Kind::CompressedBundle => bundle::read_sequence(self, &piece, ""),
            Kind::Archive => archive::read(self, &piece),
            Kind::ThinArchive => self.unverified(&piece.place, Unverified::ThinArchive),
            Kind::OffloadBinary => self.unverified(&piece.place, Unverified::OffloadBinary),
            Kind::Bitcode => self.unverified(&piece.place, Unverified::Bitcode),
            Kind::TextBundle => self.unverified(&piece.place, Unverified::Text),
            Kind::SpirV => self.unverified(&piece.place, Unverified::SpirV),
            Kind::Other if piece.target.is_some() => self.problem(&piece.place, Malformed::UnknownContents),
            Kind::Other => {}
        }
    }

    fn elf(&mut self, piece: Piece<'data>) {
        match elf::Elf::parse(piece.bytes) {
            Ok(elf) if elf.header.machine == amdgpu::MACHINE => amdgpu::read(self, piece, &elf),
            Ok(_) if piece.target.is_some() => self.problem(&piece.place, Malformed::UnknownContents),
            Ok(elf) => host::read(self, &piece, &elf),
            Err(malformed) => self.problem(&piece.place, malformed),
        }
    }

    /// Takes the cost of looking at `piece` off the allowance; false, with a problem, when that is used up.
    fn spend(&mut self, piece: &Piece<'data>) -> bool {
        let left = self.allowance.checked_sub(piece.bytes.len().saturating_add(PIECE_COST));
        match left {
            Some(left) => self.allowance = left,
            None => self.problem(&piece.place, Malformed::OverlappingPieces),
        }
        left.is_some()
    }

    fn code_object(&mut self, code_object: CodeObject<'data>) {
        self.contents.code_objects.push(code_object);
    }

    fn unverified(&mut self, place: &Place, what: Unverified) {
        self.contents.unverified.push((place.clone(), what));
    }

    fn problem(&mut self, place: &Place, malformed: Malformed) {
        let problems = &mut self.contents.problems;
        match problems.len() {
            0..MAX_PROBLEMS => problems.push(Problem { place: place.clone(), malformed }),
            MAX_PROBLEMS => problems.push(Problem { place: Place::top(), malformed: Malformed::More }),
            _ => {}
        }
    }
}
