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
    /// GPUs that the call was told to compile for, as in [`Reading::archs`]; empty where it was not told.
    pub targets: Vec<String>,
    /// Where its device code comes from.
    pub origin: Origin,
}

/// Where the device code of an output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The call compiles for the device alone: there is code for each target, whatever the source.
    Device,
    /// Host code of the call; where the source has nothing to launch, clang leaves the device code out.
    Host,
    /// A link, which may also find it in libraries.
    Libraries,
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
    let links = reading.stage == Stage::Link;
    let mixed = links && reading.inputs.iter().any(|input| input.language == Language::Linker);
    let origin = match reading.sides {
        Sides::Device => Origin::Device,
        _ if links && reading.libraries => Origin::Libraries,
        _ => Origin::Host,
    };
    let all = || targets(reading, reading.archs.iter());
    let output = |name: OsString| Output { path: name.into(), mixed, targets: all(), origin };
    match &reading.output {
        Some(name) if name == "-" => Vec::new(),
        Some(name) => vec![output(name.clone())],
        None if reading.sides == Sides::Device => {
            let each = |input| device_outputs(reading, input);
            reading.hip_inputs().flat_map(each).map(|(name, targets)| Output { targets, ..output(name) }).collect()
        }
        None if links => vec![output("a.out".into())],
        None => reading.hip_inputs().map(|input| output(appended(stem(&input.text), ".o"))).collect(),
    }
}

/// Those of `archs` that code objects name; none where the call only links, which takes what it finds.
fn targets<'a>(reading: &Reading, archs: impl Iterator<Item = &'a OsString>) -> Vec<String> {
    let compiles = reading.hip_inputs().next().is_some();
    // Others (`native`) stand for what the compiler finds out.
    let named = archs.filter_map(|arch| arch.to_str()).filter(|arch| compiles && arch.starts_with("gfx"));
    named.map(str::to_owned).collect()
}

/// The names that a device-only compile of one input gives its code objects, and what is in each.
fn device_outputs(reading: &Reading, input: &Input) -> Vec<(OsString, Vec<String>)> {
    if reading.bundle.unwrap_or(true) {
        let name = appended(base_name(&input.text), &format!("{DEVICE_INFIX}.hipfb"));
        return vec![(name, targets(reading, reading.archs.iter()))];
    }
    let default = OsString::from(DEFAULT_ARCH);
    let named = |arch: &OsString| {
        let mut name = appended(stem(&input.text), &format!("{DEVICE_INFIX}-"));
        name.push(arch);
        appended(&name, ".out")
    };
    if reading.archs.is_empty() {
        return vec![(named(&default), Vec::new())];
    }
    reading.archs.iter().map(|arch| (named(arch), targets(reading, std::iter::once(arch)))).collect()
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
