//! How LLVM is in a compiler, which decides what a plugin for it must be linked with: read from the compiler's file.

use std::path::Path;

use object::elf::DT_NEEDED;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};
use serde::{Deserialize, Serialize};

use crate::code_object::FileBytes;

/// The program that will load the plugin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Host {
    /// Where its LLVM is.
    pub linkage: Linkage,
    /// Whether its C++ library is libc++ instead of libstdc++: the types of the two do not mix.
    pub libcxx: bool,
}

/// Where the LLVM of a compiler is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Linkage {
    /// In a shared library, or in a program that exports the C interface: a plugin finds there all it needs. Taken for
    /// granted of a file that is no 64-bit ELF, such as a script.
    #[default]
    Shared,
    /// In the program, which exports the C++ interface only.
    Static,
    /// In the program, which exports nothing.
    Closed,
}

/// A function of LLVM's C interface that the plugin calls.
const C_INTERFACE: &str = "LLVMGetFirstBasicBlock";
/// How names in LLVM's C++ interface start.
const CXX_INTERFACE: &str = "_ZN4llvm";
/// Stands in every name that has a type of libc++ in it.
const LIBCXX: &str = "NSt3__1";
/// No program that holds an LLVM is smaller; what is, may start another one.
const LEAST_BYTES: usize = 16 << 20;

impl Host {
    /// Looks at the file of a clang. Never fails: what cannot be read is taken for the usual.
    pub(super) fn of(clang: &Path) -> Host {
        let Ok(file) = FileBytes::open(clang) else { return Host::default() };
        Host::read(file.bytes()).unwrap_or_default()
    }

    fn read(bytes: &[u8]) -> object::Result<Host> {
        let elf = ElfFile64::<Endianness>::parse(bytes)?;
        let table = elf.elf_dynamic_table()?;
        let needed = table.iter().filter(|entry| entry.tag == DT_NEEDED).filter_map(|entry| table.string(entry).ok());
        let libraries: Vec<&[u8]> = needed.collect();
        let needs = |start: &[u8]| libraries.iter().any(|library| library.starts_with(start));
        let (mut c, mut cxx, mut libcxx) = (false, false, needs(b"libc++.so"));
        for symbol in elf.dynamic_symbols() {
            let name = symbol.name().unwrap_or_default();
            c |= name == C_INTERFACE && symbol.is_definition();
            cxx |= name.starts_with(CXX_INTERFACE) && symbol.is_definition();
            libcxx |= name.contains(LIBCXX);
        }
        let linkage = if needs(b"libLLVM") || needs(b"libclang-cpp") || c {
            Linkage::Shared
        } else if cxx {
            Linkage::Static
        } else if bytes.len() >= LEAST_BYTES {
            Linkage::Closed
        } else {
            Linkage::Shared
        };
        Ok(Host { linkage, libcxx })
    }

    /// What a list shows: `shared`, `static, libc++`.
    pub fn describe(self) -> String {
        let linkage = match self.linkage {
            Linkage::Shared => "shared",
            Linkage::Static => "static",
            Linkage::Closed => "closed",
        };
        if self.libcxx { format!("{linkage}, libc++") } else { linkage.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_program_is_taken_for_the_usual() {
        for bytes in [&b""[..], b"#!/bin/sh\n", b"\x7fELF", &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0]] {
            assert_eq!(Host::read(bytes).unwrap_or_default(), Host::default());
        }
        assert_eq!(Host::of(Path::new("/nonexistent")), Host::default());
    }
}
