//! Which files a call writes that can hold device code (clang 19 and 22, driver.md "Outputs per mode").

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::flags::{Sides, Stage};
use super::language::Language;
use super::reading::{Input, Reading};

/// What clang compiles for when it is told no GPU.
const DEFAULT_ARCH: &str = "gfx906";
/// What stands between the input's name and the architecture in the names of device-only outputs.
const DEVICE_INFIX: &str = "-hip-amdgcn-amd-amdhsa";

/// A file that a successful call has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// As the compiler names it: as typed, or in the working directory.
    pub path: PathBuf,
    /// Objects or archives of other calls are in it too: what they lack is not this call's fault.
    pub mixed: bool,
}

/// The files with machine code for the device that `reading` writes, in the order of the inputs.
///
/// Empty when there are none to look into: assembly text, bitcode, standard output, host code only. A path that does
/// not exist afterwards was predicted wrongly or never written; it is not an error.
pub fn predict(reading: &Reading) -> Vec<Output> {
    let text_or_ir = reading.emit_llvm || reading.stage < Stage::Object;
    let ir_until_the_link =
        reading.stage == Stage::Object && (reading.rdc || reading.lto) || reading.static_library && reading.rdc;
    if text_or_ir || ir_until_the_link || reading.sides == Sides::Host {
        return Vec::new();
    }
    let one = |name: OsString, mixed| vec![Output { path: name.into(), mixed }];
    let mixed = reading.stage == Stage::Link && reading.inputs.iter().any(|input| input.language == Language::Linker);
    match &reading.output {
        Some(name) if name == "-" => Vec::new(),
        Some(name) => one(name.clone(), mixed),
        None if reading.sides == Sides::Device => {
            let names = reading.hip_inputs().flat_map(|input| device_names(reading, input));
            names.map(|name| Output { path: name.into(), mixed: false }).collect()
        }
        None if reading.stage == Stage::Link => one("a.out".into(), mixed),
        None => {
            let names = reading.hip_inputs().map(|input| appended(stem(&input.text), ".o"));
            names.map(|name| Output { path: name.into(), mixed: false }).collect()
        }
    }
}

/// The names that a device-only compile of one input gives its code objects.
fn device_names(reading: &Reading, input: &Input) -> Vec<OsString> {
    if reading.bundle.unwrap_or(true) {
        return vec![appended(base_name(&input.text), &format!("{DEVICE_INFIX}.hipfb"))];
    }
    let default = OsString::from(DEFAULT_ARCH);
    let archs = if reading.archs.is_empty() { vec![&default] } else { reading.archs.iter().collect() };
    let name = |arch: &OsString| {
        let mut name = appended(stem(&input.text), &format!("{DEVICE_INFIX}-"));
        name.push(arch);
        appended(&name, ".out")
    };
    archs.into_iter().map(name).collect()
}

/// The file name without its directories.
fn base_name(text: &OsStr) -> &OsStr {
    let bytes = text.as_bytes();
    OsStr::from_bytes(bytes.rsplit(|byte| *byte == b'/').next().unwrap_or(bytes))
}

/// The file name up to its last dot; nothing for `.x`, as in clang.
fn stem(text: &OsStr) -> &OsStr {
    let bytes = base_name(text).as_bytes();
    let end = bytes.iter().rposition(|byte| *byte == b'.').unwrap_or(bytes.len());
    OsStr::from_bytes(&bytes[..end])
}

fn appended(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}
