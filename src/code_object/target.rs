//! The GPU a code object is for.

use std::fmt;

/// A target: triple, processor and the target features that are fixed.
///
/// Not a list of processors that can run the code: a generic processor stands for several. Known from a bundle entry's
/// id, or from the header of a bare code object (LLVM's AMDGPU usage page, "Target ID" and "e_flags").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `amdgcn-amd-amdhsa-`, with the empty environment's dash when a bundle entry writes it.
    pub triple: String,
    /// `gfx942`, `gfx9-4-generic`.
    pub processor: String,
    /// `sramecc+`, `xnack-` in the order of the id. A feature that is not here works either way or does not exist.
    pub features: Vec<String>,
}

impl Target {
    /// The target of a bundle entry's id, `hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-`.
    ///
    /// `None` when the id is not of a GPU kind (`host-...`) or has no processor.
    pub fn from_entry_id(id: &str) -> Option<Target> {
        let (kind, rest) = id.split_once('-')?;
        if kind == "host" {
            return None;
        }
        let (triple, processor) = split_triple(rest)?;
        let mut parts = processor.split(':').map(str::to_owned);
        let processor = parts.next().filter(|name| !name.is_empty())?;
        Some(Target { triple: triple.to_owned(), processor, features: parts.collect() })
    }

    /// Whether this is what `--offload-arch=wanted` asks for: the processor, with the features that it names.
    pub fn serves(&self, wanted: &str) -> bool {
        let mut parts = wanted.split(':');
        parts.next() == Some(self.processor.as_str())
            && parts.all(|feature| self.features.iter().any(|own| own == feature))
    }

    /// Whether the processor has a name; not when its header has a number that this version does not know.
    pub fn is_known(&self) -> bool {
        !self.processor.starts_with(UNKNOWN)
    }

    /// Whether code of this triple is for AMD's GPUs.
    pub(super) fn is_amd_triple(triple: &str) -> bool {
        let mut parts = triple.split('-');
        let machine = parts.next().unwrap_or_default();
        machine == "amdgcn" || (machine.starts_with("spirv") && parts.next() == Some("amd"))
    }

    /// The target of an offload binary's image, `amdgcn-amd-amdhsa` and `gfx942:xnack-`; `None` when it has no processor.
    pub(super) fn from_triple(triple: &str, arch: &str) -> Option<Target> {
        // The empty environment's dash, as bundle entries write it.
        let dashes = triple.matches('-').count();
        let triple = if dashes == 2 { format!("{triple}-") } else { triple.to_owned() };
        let mut parts = arch.split(':').map(str::to_owned);
        let processor = parts.next().filter(|name| !name.is_empty())?;
        Some(Target { triple, processor, features: parts.collect() })
    }

    /// The target that an AMDGPU ELF header states.
    ///
    /// `os_abi` and `abi_version` are bytes 7 and 8 of its identification. A processor number that this version does
    /// not know is named by its number.
    pub(super) fn from_elf_header(os_abi: u8, abi_version: u8, flags: u32) -> Target {
        let os = match os_abi {
            OSABI_HSA => "amdhsa",
            OSABI_PAL => "amdpal",
            OSABI_MESA3D => "mesa3d",
            _ => "unknown",
        };
        let number = flags & MACHINE_MASK;
        let processor = PROCESSORS.iter().find(|(known, _)| *known == number);
        let processor = processor.map_or_else(|| format!("{UNKNOWN}{number:#x}"), |(_, name)| (*name).to_owned());
        let features = if os_abi == OSABI_HSA && abi_version >= ABI_VERSION_V4 { features(flags) } else { Vec::new() };
        Target { triple: format!("amdgcn-amd-{os}-"), processor, features }
    }
}

/// Splits `amdgcn-amd-amdhsa--gfx942` at the dash after the triple. The triple's environment, between the last two
/// dashes, is empty; bundlers of before LLVM 12 left it out with its dash.
fn split_triple(rest: &str) -> Option<(&str, &str)> {
    let mut dashes = rest.match_indices('-').map(|(at, _)| at).skip(2);
    let third = dashes.next()?;
    match dashes.next() {
        Some(fourth) if !rest[third + 1..].starts_with("gfx") => Some((&rest[..fourth], &rest[fourth + 1..])),
        _ => Some((&rest[..third], &rest[third + 1..])),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.triple, self.processor)?;
        self.features.iter().try_for_each(|feature| write!(f, ":{feature}"))
    }
}

/// What stands in front of the number of a processor without a name.
const UNKNOWN: &str = "unknown-processor-";

const OSABI_HSA: u8 = 64;
const OSABI_PAL: u8 = 65;
const OSABI_MESA3D: u8 = 66;
/// Code object version 4, the first whose feature fields have the values any, off and on.
const ABI_VERSION_V4: u8 = 2;
const MACHINE_MASK: u32 = 0xff;

fn features(flags: u32) -> Vec<String> {
    let setting = |name: &str, value: u32| match value {
        2 => Some(format!("{name}-")),
        3 => Some(format!("{name}+")),
        _ => None,
    };
    [setting("sramecc", flags >> 10 & 3), setting("xnack", flags >> 8 & 3)].into_iter().flatten().collect()
}

/// Processor numbers of the header's flags (low byte), as `llvm-mc -mcpu=` of LLVM 19 and 22 writes them.
#[rustfmt::skip]
const PROCESSORS: &[(u32, &str)] = &[
    (0x20, "gfx600"), (0x21, "gfx601"), (0x22, "gfx700"), (0x23, "gfx701"), (0x24, "gfx702"), (0x25, "gfx703"),
    (0x26, "gfx704"), (0x28, "gfx801"), (0x29, "gfx802"), (0x2a, "gfx803"), (0x2b, "gfx810"), (0x2c, "gfx900"),
    (0x2d, "gfx902"), (0x2e, "gfx904"), (0x2f, "gfx906"), (0x30, "gfx908"), (0x31, "gfx909"), (0x32, "gfx90c"),
    (0x33, "gfx1010"), (0x34, "gfx1011"), (0x35, "gfx1012"), (0x36, "gfx1030"), (0x37, "gfx1031"), (0x38, "gfx1032"),
    (0x39, "gfx1033"), (0x3a, "gfx602"), (0x3b, "gfx705"), (0x3c, "gfx805"), (0x3d, "gfx1035"), (0x3e, "gfx1034"),
    (0x3f, "gfx90a"), (0x40, "gfx940"), (0x41, "gfx1100"), (0x42, "gfx1013"), (0x43, "gfx1150"), (0x44, "gfx1103"),
    (0x45, "gfx1036"), (0x46, "gfx1101"), (0x47, "gfx1102"), (0x48, "gfx1200"), (0x49, "gfx1250"), (0x4a, "gfx1151"),
    (0x4b, "gfx941"), (0x4c, "gfx942"), (0x4e, "gfx1201"), (0x4f, "gfx950"), (0x51, "gfx9-generic"),
    (0x52, "gfx10-1-generic"), (0x53, "gfx10-3-generic"), (0x54, "gfx11-generic"), (0x55, "gfx1152"),
    (0x58, "gfx1153"), (0x59, "gfx12-generic"), (0x5a, "gfx1251"), (0x5f, "gfx9-4-generic"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(id: &str) -> Option<(String, String, String)> {
        Target::from_entry_id(id).map(|target| (target.triple, target.processor, target.features.join(" ")))
    }

    #[test]
    fn entry_ids_of_all_bundlers_are_taken_apart() {
        let expect = |triple: &str, processor: &str, features: &str| {
            Some((triple.to_owned(), processor.to_owned(), features.to_owned()))
        };
        assert_eq!(parts("hipv4-amdgcn-amd-amdhsa--gfx942"), expect("amdgcn-amd-amdhsa-", "gfx942", ""));
        assert_eq!(
            parts("hip-amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+:xnack-"),
            expect("amdgcn-amd-amdhsa-", "gfx9-4-generic", "sramecc+ xnack-")
        );
        assert_eq!(parts("hip-amdgcn-amd-amdhsa-gfx906"), expect("amdgcn-amd-amdhsa", "gfx906", ""));
        assert_eq!(
            parts("hip-amdgcn-amd-amdhsa-gfx9-generic:xnack-"),
            expect("amdgcn-amd-amdhsa", "gfx9-generic", "xnack-")
        );
        assert_eq!(parts("hip-spirv64-amd-amdhsa--amdgcnspirv"), expect("spirv64-amd-amdhsa-", "amdgcnspirv", ""));
    }

    #[test]
    fn host_entries_and_broken_ids_have_no_target() {
        for id in ["host-x86_64-unknown-linux-gnu-", "host", "", "hip-", "hip-amdgcn-amd-amdhsa--", "-----"] {
            assert_eq!(parts(id), None, "{id}");
        }
    }

    #[test]
    fn an_offload_binary_names_the_same_target_in_two_strings() {
        let target = |triple, arch| Target::from_triple(triple, arch).map(|target| target.to_string());
        for triple in ["amdgcn-amd-amdhsa", "amdgcn-amd-amdhsa-"] {
            assert_eq!(target(triple, "gfx942:xnack-"), Some("amdgcn-amd-amdhsa--gfx942:xnack-".to_owned()));
        }
        assert_eq!(target("spirv64-amd-amdhsa", "amdgcnspirv"), Some("spirv64-amd-amdhsa--amdgcnspirv".to_owned()));
        assert_eq!(target("amdgcn-amd-amdhsa", ""), None);
        let of_amd = |triple: &str| Target::is_amd_triple(triple);
        assert!(of_amd("amdgcn-amd-amdhsa") && of_amd("amdgcn--amdpal") && of_amd("spirv64-amd-amdhsa"));
        for triple in ["x86_64-unknown-linux-gnu", "nvptx64-nvidia-cuda", "spirv64-unknown-unknown", "amdgcnx", ""] {
            assert!(!of_amd(triple), "{triple}");
        }
    }

    #[test]
    fn a_target_reads_as_its_target_id() {
        let target = Target::from_elf_header(64, 4, 0xe4c);
        assert_eq!(target.to_string(), "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
        assert_eq!(Target::from_entry_id(&format!("hipv4-{target}")), Some(target));
    }

    #[test]
    fn features_that_work_either_way_are_left_out() {
        assert_eq!(Target::from_elf_header(64, 4, 0x54c).to_string(), "amdgcn-amd-amdhsa--gfx942");
        assert_eq!(Target::from_elf_header(64, 1, 0x32f).to_string(), "amdgcn-amd-amdhsa--gfx906");
    }

    #[test]
    fn an_unknown_processor_is_named_by_its_number() {
        assert_eq!(Target::from_elf_header(64, 4, 0xfe).processor, "unknown-processor-0xfe");
    }

    #[test]
    fn processor_numbers_and_names_are_unique() {
        for (index, (number, name)) in PROCESSORS.iter().enumerate() {
            assert!(PROCESSORS[..index].iter().all(|(other, text)| other != number && text != name), "{name}");
        }
    }
}
