//! Static libraries.

use object::read::archive::ArchiveFile;

use super::{Kind, Piece, Reader};

/// Reads every member of the archive `piece`. Members that hold no code object by what they begin with (text, symbol
/// tables) are passed over.
pub(super) fn read<'data>(reader: &mut Reader<'data>, piece: &Piece<'data>) {
    let archive = match ArchiveFile::parse(piece.bytes) {
        Ok(archive) => archive,
        Err(error) => return reader.problem(&piece.place, error.into()),
    };
    for member in archive.members() {
        let member = match member {
            Ok(member) => member,
            Err(error) => return reader.problem(&piece.place, error.into()),
        };
        let (offset, size) = member.file_range();
        let step = format!("member {}", String::from_utf8_lossy(member.name()));
        match piece.part(offset, size, step) {
            Some(inner) if Kind::of(inner.bytes) == Kind::Other => {}
            Some(inner) => reader.descend(inner),
            None => reader.problem(&piece.place, super::Malformed::MemberOutOfArchive),
        }
    }
}
