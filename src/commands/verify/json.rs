//! The JSON document of `sqtt verify --json`.
//!
//! ```json
//! {
//!   "version": 1,
//!   "files": [{
//!     "path": "a.out",
//!     "code_objects": 1,
//!     "findings": [{
//!       "rule": "scope-balance", "name": "scope-balance", "severity": "error",
//!       "object": "a.out: .hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942",
//!       "function": "_Z6kernelPi", "address": 5684,
//!       "source": {"file": "a.hip", "line": 12},
//!       "message": "a path ends with a scope open\nclose it on every path"
//!     }],
//!     "maps_only": [{"object": "...", "reason": "it is assembly text"}],
//!     "unseen": {"functions": 0, "calls": 1, "jumps": 0, "paths": 0, "masks": 0, "words": 0},
//!     "errors": []
//!   }]
//! }
//! ```
//!
//! `rule` is `M01` and so on for rules over maps. `function`, `address` (in bytes) and `source` are null where there is
//! none. Later versions may add fields; `version` counts up when a field changes or goes.

use std::io::{self, Write};

use serde::Serialize;

use super::finding::File;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    files: &'a [File],
}

pub(super) fn print(files: &[File], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Document { version: 1, files })?;
    writeln!(out)
}
