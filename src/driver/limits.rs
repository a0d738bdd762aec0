//! Calls that would lose markers inside the compiler without a word: an error says what to use instead.

use super::DriverError;
use crate::invocation::{Answer, DeviceLto, Reading};
use crate::toolchain::ToolchainError;

/// From this LLVM on, clang's new offload driver leaves device links to lld, where the pass runs. Before, it links itself
/// and loads no pass.
const NEW_DRIVER_LINKS_WITH_LLD: u32 = 20;

/// Refuses what cannot work; `major` finds out the compiler's LLVM, where that decides.
pub(super) fn refuse(
    answer: &Answer,
    reading: &Reading,
    major: impl FnOnce() -> Result<u32, ToolchainError>,
) -> Result<(), DriverError> {
    let Answer::Instrument(work) = answer else { return Ok(()) };
    if let Some(arch) = reading.archs.iter().find(|arch| arch.to_string_lossy().starts_with("amdgcnspirv")) {
        return Err(DriverError::Spirv { arch: arch.to_string_lossy().into_owned() });
    }
    if reading.device_lto == DeviceLto::Thin {
        return Err(DriverError::ThinLto);
    }
    let (links_units, saves) = (work.links && reading.rdc, reading.save_temps && !work.inputs.is_empty());
    if reading.new_driver != Some(true) || !(links_units || saves) {
        return Ok(());
    }
    match major()? {
        old if old < NEW_DRIVER_LINKS_WITH_LLD && links_units => Err(DriverError::NewDriverLink { major: old }),
        new if new >= NEW_DRIVER_LINKS_WITH_LLD && saves => Err(DriverError::NewDriverSaveTemps),
        _ => Ok(()),
    }
}
