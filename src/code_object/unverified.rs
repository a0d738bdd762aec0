//! What is recognised but cannot be looked into.

use std::fmt;

/// Why code that a file holds, or may hold, cannot be looked at. Not an error: the file is what a tool wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unverified {
    /// An offload bundle in its compressed form.
    Compressed {
        /// Version of the form, 1 to 3.
        version: u16,
        /// 0 zlib, 1 zstd.
        method: u16,
    },
    /// An offload binary.
    OffloadBinary,
    /// Bitcode: markers are final only once it was linked.
    Bitcode,
    /// Assembly or IR text.
    Text,
    /// SPIR-V, which becomes a code object on the machine that runs it.
    SpirV,
    /// A static library whose members are in other files.
    ThinArchive,
    /// A host file whose code objects were moved into a `.kpack` file.
    Kpack,
    /// A debug companion file: the bundles' section is there without its contents.
    StrippedBundles,
    /// A debug companion file of a code object: the map's section is there without its contents.
    StrippedMap,
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be verified yet: ")?;
        match self {
            Unverified::Compressed { version, method } => {
                write!(f, "a compressed offload bundle (CCOB version {version}, ")?;
                match method {
                    0 => f.write_str("zlib)"),
                    1 => f.write_str("zstd)"),
                    other => write!(f, "method {other})"),
                }
            }
            Unverified::OffloadBinary => f.write_str("an offload binary (`.llvm.offloading`)"),
            Unverified::Bitcode => f.write_str("bitcode, whose markers are final only after the link"),
            Unverified::Text => f.write_str("assembly or IR text"),
            Unverified::SpirV => f.write_str("SPIR-V, which becomes a code object only where it runs"),
            Unverified::ThinArchive => f.write_str("a thin archive, whose members are in other files"),
            Unverified::Kpack => f.write_str("its code objects are in a `.kpack` file"),
            Unverified::StrippedBundles => f.write_str("the bundles' contents were stripped (a debug companion file)"),
            Unverified::StrippedMap => f.write_str("the map's contents were stripped (a debug companion file)"),
        }
    }
}
