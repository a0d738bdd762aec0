//! What is recognised but cannot be looked into.

use std::fmt;

use crate::terminal::printable;

/// Why code that a file holds, or may hold, cannot be looked at. Not an error: the file is what a tool wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unverified {
    /// An offload bundle in a compressed form that is newer than this reader.
    Compressed {
        /// Version of the form; 1 to 3 are read.
        version: u16,
        /// How it is compressed; 0 (zlib) and 1 (zstd) are read.
        method: u16,
    },
    /// An offload binary that is newer than this reader.
    OffloadBinary {
        /// Version of the form; 1 to 3 are read.
        version: u32,
    },
    /// Compressed contents that would take more memory than the caller allows.
    OverLimit {
        /// What they unpack to, in bytes.
        size: u64,
        /// How many bytes are left to them.
        limit: u64,
        /// The limit that was met, as the caller knows it.
        name: &'static str,
    },
    /// Bitcode: markers are final only once it was linked.
    Bitcode,
    /// IR text, or assembly whose map cannot be told.
    Text,
    /// SPIR-V, which becomes a code object on the machine that runs it.
    SpirV,
    /// A static library whose members are in other files.
    ThinArchive {
        /// The first few of the members' names.
        names: Vec<String>,
        /// How many members there are.
        count: usize,
    },
    /// A `.kpack` file.
    KpackFile,
    /// A host file whose code objects were moved into a `.kpack` file.
    Kpack,
    /// A debug companion file: the bundles' section is there without its contents.
    StrippedBundles,
    /// A debug companion file of a code object: the map's section is there without its contents.
    StrippedMap,
    /// More of these than are worth telling.
    More,
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be verified yet: ")?;
        match self {
            Unverified::Compressed { version, method } => {
                write!(
                    f,
                    "a compressed offload bundle of a kind that is not known (version {version}, method {method})"
                )
            }
            Unverified::OffloadBinary { version } => write!(f, "an offload binary of version {version}"),
            Unverified::OverLimit { size, limit, name } => {
                write!(f, "it unpacks to {size} bytes, more than the {limit} that `{name}` leaves to it")
            }
            Unverified::Bitcode => f.write_str("bitcode, whose markers are final only after the link"),
            Unverified::Text => f.write_str("IR text, or assembly that is not understood"),
            Unverified::SpirV => f.write_str("SPIR-V, which becomes a code object only where it runs"),
            Unverified::ThinArchive { names, count } => thin_archive(f, names, *count),
            Unverified::KpackFile => f.write_str("a `.kpack` file"),
            Unverified::Kpack => f.write_str("its code objects are in a `.kpack` file"),
            Unverified::StrippedBundles => f.write_str("the bundles' contents were stripped (a debug companion file)"),
            Unverified::StrippedMap => f.write_str("the map's contents were stripped (a debug companion file)"),
            Unverified::More => f.write_str("further pieces that are not listed"),
        }
    }
}

fn thin_archive(f: &mut fmt::Formatter<'_>, names: &[String], count: usize) -> fmt::Result {
    f.write_str("a thin archive, whose members are in other files")?;
    for (index, name) in names.iter().enumerate() {
        write!(f, "{}`{}`", if index == 0 { ": " } else { ", " }, printable(name))?;
    }
    match count.saturating_sub(names.len()) {
        0 => Ok(()),
        others => write!(f, " and {others} more"),
    }
}
