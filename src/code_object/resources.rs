//! What a kernel takes of the hardware, as the compiler left it in the code object's note.
//!
//! LLVM's AMDGPU usage page, "Code Object Metadata" (versions 3 to 6): a note of the vendor `AMDGPU` that holds a map in
//! MessagePack. The kernel descriptor has the same numbers only rounded up to what the hardware hands out.

use object::LittleEndian;
use object::elf::FileHeader64;
use object::read::elf::NoteIterator;
use serde::Deserialize;

use super::elf::Elf;

/// What one wave, or one workgroup, of a kernel takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Vector registers of a lane, accumulators among them where the GPU has one file for both.
    pub vgprs: u32,
    /// Accumulators of a lane.
    pub agprs: u32,
    /// Scalar registers of a wave.
    pub sgprs: u32,
    /// Vector registers that were spilled to memory.
    pub spilled_vgprs: u32,
    /// Scalar registers that were spilled to lanes of vector registers.
    pub spilled_sgprs: u32,
    /// Scratch memory of a lane in bytes: stack and spilled registers.
    pub scratch_bytes: u32,
    /// LDS of a workgroup in bytes, what the launch adds not counted.
    pub lds_bytes: u32,
    /// The stack of a lane can grow beyond its scratch memory.
    pub has_dynamic_stack: bool,
}

const SHT_NOTE: u32 = 7;
const VENDOR: &[u8] = b"AMDGPU";
/// NT_AMDGPU_METADATA.
const METADATA: u32 = 32;

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "amdhsa.kernels", default)]
    kernels: Vec<Kernel>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Kernel {
    #[serde(rename = ".symbol")]
    symbol: String,
    #[serde(rename = ".vgpr_count")]
    vgprs: u32,
    #[serde(rename = ".agpr_count")]
    agprs: u32,
    #[serde(rename = ".sgpr_count")]
    sgprs: u32,
    #[serde(rename = ".vgpr_spill_count")]
    spilled_vgprs: u32,
    #[serde(rename = ".sgpr_spill_count")]
    spilled_sgprs: u32,
    #[serde(rename = ".private_segment_fixed_size")]
    scratch_bytes: u32,
    #[serde(rename = ".group_segment_fixed_size")]
    lds_bytes: u32,
    #[serde(rename = ".uses_dynamic_stack")]
    has_dynamic_stack: bool,
}

/// The kernels of a code object, each with what it takes, in the order of the note. Empty where there is no note that can
/// be read: resources are told where they are known.
pub(super) fn resources(elf: &Elf<'_>, bytes: &[u8]) -> Vec<(String, Resources)> {
    let notes = elf.sections.iter().filter(|section| section.kind == SHT_NOTE);
    notes.filter_map(|section| of_notes(section.contents(bytes).ok()?)).flatten().collect()
}

fn of_notes(section: &[u8]) -> Option<Vec<(String, Resources)>> {
    let mut notes = NoteIterator::<FileHeader64<LittleEndian>>::new(LittleEndian, 4, section).ok()?;
    while let Ok(Some(note)) = notes.next() {
        if note.name() == VENDOR && note.n_type(LittleEndian).0 == METADATA {
            let metadata: Metadata = rmp_serde::from_slice(note.desc()).ok()?;
            return Some(metadata.kernels.iter().map(of_kernel).collect());
        }
    }
    None
}

fn of_kernel(kernel: &Kernel) -> (String, Resources) {
    let name = kernel.symbol.strip_suffix(".kd").unwrap_or(&kernel.symbol).to_owned();
    let resources = Resources {
        vgprs: kernel.vgprs,
        agprs: kernel.agprs,
        sgprs: kernel.sgprs,
        spilled_vgprs: kernel.spilled_vgprs,
        spilled_sgprs: kernel.spilled_sgprs,
        scratch_bytes: kernel.scratch_bytes,
        lds_bytes: kernel.lds_bytes,
        has_dynamic_stack: kernel.has_dynamic_stack,
    };
    (name, resources)
}
