//! What can be wrong with a container or a code object.

use thiserror::Error;

/// Why some bytes could not be read as what they begin like. Says what is wrong, not where: [`super::Problem`] has the
/// place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The header or a table of an ELF file or an archive.
    #[error("{0}")]
    Object(#[from] object::read::Error),
    /// Section names that are not where the header says.
    #[error("section names lie outside the section-name table")]
    SectionNames,
    /// A section that reaches beyond the end of the file.
    #[error("section `{name}` reaches beyond the end of the file")]
    SectionOutOfFile {
        /// The section's name.
        name: String,
    },
    /// A code object that is not 64-bit little-endian.
    #[error("an AMDGPU code object must be 64-bit and little-endian")]
    WrongClass,
    /// A code object whose section table was stripped.
    #[error("the code object has no section table, so its map cannot be found")]
    NoSections,
    /// A symbol table of a size or with a string table that cannot be.
    #[error("the symbol table is malformed")]
    SymbolTable,
    /// A symbol name outside the string table, or one without an end.
    #[error("a symbol's name lies outside the string table")]
    SymbolName,
    /// Symbol names that share their bytes beyond all reason.
    #[error("the symbol names overlap too much to be genuine")]
    OverlappingNames,
    /// A member that reaches beyond the end of its archive.
    #[error("a member reaches beyond the end of the archive")]
    MemberOutOfArchive,
    /// A bundle's header that is cut off.
    #[error("the offload bundle's header is cut off")]
    BundleHeader,
    /// An entry of a bundle that reaches beyond its end.
    #[error("entry `{id}` of the offload bundle reaches beyond the end ({offset} + {size} > {available} bytes)")]
    EntryOutOfBundle {
        /// The entry's id.
        id: String,
        /// Where it should begin, in bytes from the bundle's start.
        offset: u64,
        /// How long it should be, in bytes.
        size: u64,
        /// How many bytes there are from the bundle's start.
        available: usize,
    },
    /// Bytes where a bundle should begin that are none.
    #[error("no offload bundle begins at byte {offset}")]
    NoBundle {
        /// Offset in the section or file, in bytes.
        offset: usize,
    },
    /// A part of a text bundle without its end.
    #[error("the text bundle is cut off")]
    TextBundle,
    /// An entry for a GPU that holds no known kind of code.
    #[error("the contents are neither a code object nor bitcode")]
    UnknownContents,
    /// The header of a compressed bundle, or one with impossible values.
    #[error("the compressed offload bundle's header is malformed")]
    CompressedHeader,
    /// A compressed stream that is none, or is cut off.
    #[error("the compressed contents cannot be unpacked: {0}")]
    Packed(String),
    /// A compressed stream that goes on beyond its declared size.
    #[error("the compressed contents unpack to more than the {declared} bytes that their header says")]
    UnpacksToMore {
        /// The size in the header.
        declared: u64,
    },
    /// A compressed stream that ends before its declared size.
    #[error("the compressed contents unpack to {real} bytes, not to the {declared} that their header says")]
    UnpacksToLess {
        /// The size in the header.
        declared: u64,
        /// The size of what came out.
        real: u64,
    },
    /// A compressed bundle whose hash is not that of its contents.
    #[error("the unpacked offload bundle does not have the hash that its header says, so it was damaged")]
    UnpackedHash,
    /// Compressed contents that this machine has no memory for.
    #[error("there is no memory to unpack {size} bytes")]
    OutOfMemory {
        /// The size in the header.
        size: u64,
    },
    /// An offload binary's header that is cut off or contradicts itself.
    #[error("the offload binary's header is malformed")]
    OffloadBinaryHeader,
    /// An entry of an offload binary that reaches beyond its end, with its strings or its image.
    #[error("an entry of the offload binary reaches beyond its end")]
    OffloadEntry,
    /// Bytes where an offload binary should begin that are none.
    #[error("no offload binary begins at byte {offset}")]
    NoOffloadBinary {
        /// Offset in the section or file, in bytes.
        offset: usize,
    },
    /// Containers in containers beyond any that tools write.
    #[error("containers are nested too deeply")]
    TooDeep,
    /// Pieces that overlap, so that reading them all would take many times the file.
    #[error("the pieces of the file overlap too much to be genuine")]
    OverlappingPieces,
    /// More problems than are worth telling.
    #[error("further problems are not listed")]
    More,
}
