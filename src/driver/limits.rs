//! Calls that would lose markers inside the compiler without a word, or run what nobody asked for: an error says what to
//! use instead.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

use super::DriverError;
use crate::invocation::flags::Stage;
use crate::invocation::{Answer, DeviceLto, Reading};
use crate::toolchain::{Compiler, CompilerKind, ToolchainError};

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
    // Where no code is made no markers are lost.
    if reading.stage <= Stage::Check {
        return Ok(());
    }
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

/// hipcc runs its command through a shell and puts the word after `-o`, whatever `-o` belongs to, between double quotes as
/// it is: a path can run a command. (Seen in 5.2.3; it quotes all other words.)
pub(super) fn shell_injection(compiler: &Compiler, forwarded: &[OsString]) -> Result<(), DriverError> {
    if compiler.kind != CompilerKind::Hipcc {
        return Ok(());
    }
    let mut words = forwarded.iter();
    while let Some(word) = words.next() {
        let Some(path) = words.as_slice().first().filter(|_| word == "-o") else { continue };
        if path.as_bytes().iter().any(|byte| b"\"$`\\".contains(byte)) {
            return Err(DriverError::ShellInjection { path: path.into(), compiler: compiler.path.clone() });
        }
        words.next();
    }
    Ok(())
}
