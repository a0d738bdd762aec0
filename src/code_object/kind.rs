//! What some bytes are, by what they begin with.

use super::assembly;

/// The kind of a file or of a piece of one. Only the first bytes are looked at, never the middle: the bundle magic, for
/// one, also stands in section-name tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ELF file for whatever machine.
    Elf,
    /// An uncompressed offload bundle (`clang-offload-bundler -type=o`).
    Bundle,
    /// A compressed offload bundle (`--offload-compress`).
    CompressedBundle,
    /// An offload binary (`.llvm.offloading`, `llvm-offload-binary`).
    OffloadBinary,
    /// A static library.
    Archive,
    /// A static library that only names its members.
    ThinArchive,
    /// LLVM bitcode, raw or in its wrapper.
    Bitcode,
    /// A bundle of assembly or LLVM IR text (`-S`).
    TextBundle,
    /// Assembly text for AMD's GPUs (`-S --cuda-device-only`).
    Assembly,
    /// A SPIR-V module.
    SpirV,
    /// A `.kpack` file: code objects that were split off from the host files.
    Kpack,
    /// None of these: no code object is in it.
    Other,
}

pub(super) const BUNDLE_MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
pub(super) const COMPRESSED_MAGIC: &[u8] = b"CCOB";
pub(super) const OFFLOAD_BINARY_MAGIC: &[u8] = b"\x10\xff\x10\xad";

const MAGICS: &[(&[u8], Kind)] = &[
    (b"\x7fELF", Kind::Elf),
    (BUNDLE_MAGIC, Kind::Bundle),
    (COMPRESSED_MAGIC, Kind::CompressedBundle),
    (OFFLOAD_BINARY_MAGIC, Kind::OffloadBinary),
    (b"!<arch>\n", Kind::Archive),
    (b"!<thin>\n", Kind::ThinArchive),
    (b"BC\xc0\xde", Kind::Bitcode),
    (b"\xde\xc0\x17\x0b", Kind::Bitcode),
    (b"\x03\x02\x23\x07", Kind::SpirV),
    (b"KPAK\x01\0\0\0", Kind::Kpack), // With its version: four letters could be any text.
];

impl Kind {
    /// The kind of `bytes`.
    pub fn of(bytes: &[u8]) -> Kind {
        let magic = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic));
        match magic {
            Some((_, kind)) => *kind,
            None if is_text_bundle(bytes) => Kind::TextBundle,
            None if assembly::begins(bytes) => Kind::Assembly,
            None => Kind::Other,
        }
    }
}

fn is_text_bundle(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    [b"# ".as_slice(), b"; ", b"// "]
        .iter()
        .filter_map(|sign| text.strip_prefix(*sign))
        .any(|text| text.starts_with(assembly::START))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_magic_is_known_only_at_the_start() {
        for (magic, kind) in MAGICS {
            assert_eq!(Kind::of(magic), *kind);
            assert_eq!(Kind::of(&[b" ", *magic].concat()), Kind::Other);
            assert_eq!(Kind::of(&magic[..magic.len() - 1]), Kind::Other);
        }
    }

    #[test]
    fn a_text_bundle_opens_with_a_comment() {
        assert_eq!(
            Kind::of(b"\n# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx942\n"),
            Kind::TextBundle
        );
        assert_eq!(Kind::of(b"; __CLANG_OFFLOAD_BUNDLE____START__ host\n"), Kind::TextBundle);
        assert_eq!(Kind::of(b"# nothing of the kind\n"), Kind::Other);
        assert_eq!(Kind::of(b""), Kind::Other);
    }
}
