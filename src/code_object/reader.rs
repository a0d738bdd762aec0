//! What takes a file apart: pieces of it, each read as what it begins like, within an allowance.

use std::ops::ControlFlow;

use super::bytes::Bytes;
use super::{
    CodeObject, Kind, Limits, Malformed, Notes, Place, Problem, Target, Unverified, amdgpu, archive, assembly, bundle,
    elf, host, offload_binary,
};

/// A stretch of the file that is to be read as something.
#[derive(Clone, Debug)]
pub(super) struct Piece<'data> {
    pub(super) bytes: Bytes<'data>,
    /// Where it begins in the file, in bytes; `None` for what was unpacked.
    pub(super) offset: Option<u64>,
    pub(super) place: Place,
    /// The GPU that the container around it names.
    pub(super) target: Option<Target>,
    pub(super) depth: u32,
}

impl<'data> Piece<'data> {
    /// The whole of a file.
    pub(super) fn file(bytes: &'data [u8]) -> Piece<'data> {
        Piece { bytes: Bytes::from(bytes), offset: Some(0), place: Place::top(), target: None, depth: 0 }
    }

    /// The `size` bytes at `offset` of this piece, if they are all there, as the container `step`.
    pub(super) fn part(&self, offset: u64, size: u64, step: String) -> Option<Piece<'data>> {
        Some(Piece {
            bytes: self.bytes.part(offset, size)?,
            offset: self.offset.and_then(|start| start.checked_add(offset)),
            place: self.place.inside(step),
            target: self.target.clone(),
            depth: self.depth + 1,
        })
    }

    /// What was unpacked from this piece.
    pub(super) fn unpacked(&self, bytes: Vec<u8>) -> Piece<'data> {
        Piece { bytes: Bytes::from(bytes), offset: None, ..self.clone() }
    }

    pub(super) fn for_target(self, target: Target) -> Piece<'data> {
        Piece { target: Some(target), ..self }
    }
}

/// Containers in containers that are followed; tools write four.
const MAX_DEPTH: u32 = 8;
/// Problems, and unread pieces, that are kept; a hostile file can have one in every few bytes.
const MAX_NOTES: usize = 100;
/// What a piece costs beside its bytes, so that many empty pieces do not come free.
const PIECE_COST: usize = 256;
/// What unpacking costs at least, in bytes, so that many streams that declare nothing do not come free.
const UNPACK_COST: u64 = 16 << 10;
/// The deepest nesting that tools write (archive, host object, section, entry) passes each byte four times.
const PASSES: usize = 8;

/// Receives each code object as it is found.
pub(super) type Sink<'data, 's> = &'s mut dyn FnMut(CodeObject<'data>) -> ControlFlow<()>;

/// Passes on what is found, and limits how much is looked at.
pub(super) struct Reader<'data, 's> {
    pub(super) notes: Notes,
    pub(super) limits: Limits,
    sink: Sink<'data, 's>,
    /// Nobody wants to know more.
    pub(super) stopped: bool,
    /// Bytes that may still be looked at. Pieces of a genuine file do not overlap; those of a hostile one could send
    /// the reader through the same bytes as often as the file has room for headers.
    allowance: usize,
    /// Bytes that may still be unpacked.
    unpackable: u64,
}

impl<'data, 's> Reader<'data, 's> {
    pub(super) fn new(file: &[u8], limits: Limits, sink: Sink<'data, 's>) -> Reader<'data, 's> {
        Reader {
            notes: Notes { kind: Kind::of(file), unverified: Vec::new(), problems: Vec::new() },
            limits,
            sink,
            stopped: false,
            allowance: file.len().saturating_mul(PASSES).saturating_add(1 << 20),
            unpackable: limits.total(file.len()),
        }
    }

    /// Reads `piece` as what it begins like.
    pub(super) fn descend(&mut self, piece: Piece<'data>) {
        if self.stopped {
            return;
        }
        if piece.depth > MAX_DEPTH {
            return self.problem(&piece.place, Malformed::TooDeep);
        }
        if !self.spend(&piece) {
            return;
        }
        match Kind::of(&piece.bytes) {
            Kind::Elf => self.elf(piece),
            Kind::Bundle | Kind::CompressedBundle => bundle::read_sequence(self, &piece, ""),
            Kind::OffloadBinary => offload_binary::read_sequence(self, &piece),
            Kind::Archive => archive::read(self, &piece),
            Kind::ThinArchive => archive::read_thin(self, &piece),
            Kind::Bitcode => self.unverified(&piece.place, Unverified::Bitcode),
            Kind::TextBundle => assembly::read_bundle(self, &piece),
            Kind::Assembly => assembly::read(self, piece),
            Kind::SpirV => self.unverified(&piece.place, Unverified::SpirV),
            Kind::Kpack => self.unverified(&piece.place, Unverified::KpackFile),
            Kind::Other if piece.target.is_some() => self.problem(&piece.place, Malformed::UnknownContents),
            Kind::Other => {}
        }
    }

    fn elf(&mut self, piece: Piece<'data>) {
        // A second handle to the same bytes, so that what is found in them can outlive the piece.
        let bytes = piece.bytes.clone();
        match elf::Elf::parse(&bytes) {
            Ok(elf) if elf.header.machine == amdgpu::MACHINE => amdgpu::read(self, piece, &elf),
            Ok(_) if piece.target.is_some() => self.problem(&piece.place, Malformed::UnknownContents),
            Ok(elf) => host::read(self, &piece, &elf),
            Err(malformed) => self.problem(&piece.place, malformed),
        }
    }

    /// Takes the cost of looking at `piece` off the allowance; false, with a problem, when that is used up.
    pub(super) fn spend(&mut self, piece: &Piece<'data>) -> bool {
        self.charge(&piece.place, piece.bytes.len().saturating_add(PIECE_COST))
    }

    /// The same for `bytes` that are looked at beside the pieces.
    pub(super) fn charge(&mut self, place: &Place, bytes: usize) -> bool {
        let left = self.allowance.checked_sub(bytes);
        match left {
            Some(left) => self.allowance = left,
            None => self.problem(place, Malformed::OverlappingPieces),
        }
        left.is_some()
    }

    /// Whether `size` bytes may be unpacked at `place`; what may not is noted.
    pub(super) fn may_unpack(&mut self, place: &Place, size: u64) -> bool {
        let over = |limit, name| Unverified::OverLimit { size, limit, name };
        if size > self.limits.unpacked {
            self.unverified(place, over(self.limits.unpacked, "Limits::unpacked"));
            return false;
        }
        let Some(left) = self.unpackable.checked_sub(size.max(UNPACK_COST)) else {
            self.unverified(place, over(self.unpackable, "Limits::growth"));
            return false;
        };
        self.unpackable = left;
        // What was unpacked may be looked at like what stands in the file.
        let more = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(PASSES);
        self.allowance = self.allowance.saturating_add(more);
        true
    }

    pub(super) fn code_object(&mut self, code_object: CodeObject<'data>) {
        self.stopped = self.stopped || (self.sink)(code_object).is_break();
    }

    pub(super) fn unverified(&mut self, place: &Place, what: Unverified) {
        let unverified = &mut self.notes.unverified;
        match unverified.len() {
            0..MAX_NOTES => unverified.push((place.clone(), what)),
            MAX_NOTES => unverified.push((Place::top(), Unverified::More)),
            _ => {}
        }
    }

    pub(super) fn problem(&mut self, place: &Place, malformed: Malformed) {
        let problems = &mut self.notes.problems;
        match problems.len() {
            0..MAX_NOTES => problems.push(Problem { place: place.clone(), malformed }),
            MAX_NOTES => problems.push(Problem { place: Place::top(), malformed: Malformed::More }),
            _ => {}
        }
    }
}
