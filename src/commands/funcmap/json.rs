//! The JSON document of `sqtt funcmap --json`.
//!
//! ```json
//! {
//!   "version": 1,
//!   "files": [{
//!     "path": "a.out",
//!     "code_objects": [{
//!       "container": ".hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942",
//!       "target": "amdgcn-amd-amdhsa--gfx942",
//!       "processor": "gfx942",
//!       "offset": 16384, "size": 5824,
//!       "funcmap": {
//!         "units": [{
//!           "wave_size": 64,
//!           "shader_clock": {"bits": 12, "shift": 4},
//!           "rows": [{"type": "func", "id": 3, "vaddr": 4608, "name": "_Z4syncv", "demangled": "sync()",
//!                     "location": "kernel.hip:42", "inlined": false, "payload_records": 0}]
//!         }],
//!         "warnings": []
//!       }
//!     }],
//!     "unread": [{"container": "...", "reason": "..."}],
//!     "errors": []
//!   }]
//! }
//! ```
//!
//! `container` is empty for a bare code object. `funcmap` is null for a code object without a map; `wave_size`,
//! `shader_clock`, `id` (of kernels), `vaddr`, `demangled` (without `--demangle`) and `location` are null when there is
//! none, and so is `offset` for a code object that was unpacked. Offsets, sizes and addresses are in bytes. `units` has
//! one element unless maps of several units were linked together. Bytes that are not UTF-8 stand as `%XX`. Later versions
//! may add fields; `version` counts up when a field changes or goes.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::listing::{Entry, Listing, Unit};
use crate::code_object;

#[derive(Debug, Serialize)]
pub(super) struct Document {
    version: u32,
    pub(super) files: Vec<File>,
}

#[derive(Debug, Serialize)]
pub(super) struct File {
    path: String,
    pub(super) code_objects: Vec<CodeObject>,
    pub(super) unread: Vec<Unread>,
    pub(super) errors: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct CodeObject {
    container: String,
    target: String,
    processor: String,
    offset: Option<u64>,
    size: usize,
    funcmap: Option<Funcmap>,
}

#[derive(Debug, Serialize)]
pub(super) struct Unread {
    pub(super) container: String,
    pub(super) reason: String,
}

#[derive(Debug, Serialize)]
struct Funcmap {
    units: Vec<Map>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Map {
    wave_size: Option<u32>,
    shader_clock: Option<ShaderClock>,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct ShaderClock {
    bits: u32,
    shift: u32,
}

#[derive(Debug, Serialize)]
struct Row {
    r#type: &'static str,
    id: Option<u32>,
    vaddr: Option<u64>,
    name: String,
    demangled: Option<String>,
    location: Option<String>,
    inlined: bool,
    payload_records: u32,
}

impl Default for Document {
    fn default() -> Document {
        Document { version: 1, files: Vec::new() }
    }
}

impl Document {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }
}

impl File {
    pub(super) fn new(path: &Path) -> File {
        let path = path.to_string_lossy().into_owned();
        File { path, code_objects: Vec::new(), unread: Vec::new(), errors: Vec::new() }
    }
}

impl CodeObject {
    pub(super) fn new(code_object: &code_object::CodeObject<'_>, listing: Option<&Listing>) -> CodeObject {
        CodeObject {
            container: code_object.place().to_string(),
            target: code_object.target().to_string(),
            processor: code_object.target().processor.clone(),
            offset: code_object.offset(),
            size: code_object.bytes().len(),
            funcmap: listing.map(|listing| Funcmap {
                units: listing.units.iter().map(map).collect(),
                warnings: listing.warnings.clone(),
            }),
        }
    }
}

fn map(unit: &Unit) -> Map {
    Map {
        wave_size: unit.wave_size,
        shader_clock: unit.clock.map(|(bits, shift)| ShaderClock { bits, shift }),
        rows: unit.entries.iter().map(row).collect(),
    }
}

fn row(entry: &Entry) -> Row {
    Row {
        r#type: entry.kind.word(),
        id: entry.id,
        vaddr: entry.address,
        name: entry.name.clone(),
        demangled: entry.demangled.clone(),
        location: entry.location.clone(),
        inlined: entry.is_inlined,
        payload_records: entry.payload_records,
    }
}
