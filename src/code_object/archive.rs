//! Static libraries.

use object::read::archive::ArchiveFile;

use super::reader::{Piece, Reader};
use super::{Kind, Malformed, Unverified};

/// Reads every member of the archive `piece`. Members that hold no code object by what they begin with (text, symbol
/// tables) are passed over.
pub(super) fn read<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>) {
    let archive = match ArchiveFile::parse(&*piece.bytes) {
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
            Some(inner) if Kind::of(&inner.bytes) == Kind::Other => {}
            Some(inner) => reader.descend(inner),
            None => reader.problem(&piece.place, Malformed::MemberOutOfArchive),
        }
    }
}

/// Members of a thin archive that are told by name.
const TOLD_MEMBERS: usize = 8;
/// Longest name that is told, in bytes; a hostile one may be as long as the file.
const NAME_LIMIT: usize = 240;

/// Names the members of the thin archive `piece`: they are in files of their own, beside it.
pub(super) fn read_thin<'data>(reader: &mut Reader<'data, '_>, piece: &Piece<'data>) {
    let archive = match ArchiveFile::parse(&*piece.bytes) {
        Ok(archive) => archive,
        Err(error) => return reader.problem(&piece.place, error.into()),
    };
    let (mut names, mut count) = (Vec::new(), 0);
    for member in archive.members() {
        match member {
            Ok(member) => {
                if names.len() < TOLD_MEMBERS {
                    let name = member.name();
                    names.push(String::from_utf8_lossy(&name[..name.len().min(NAME_LIMIT)]).into_owned());
                }
                count += 1;
            }
            Err(error) => return reader.problem(&piece.place, error.into()),
        }
    }
    reader.unverified(&piece.place, Unverified::ThinArchive { names, count });
}
