//! What an instrumented call did, as JSON for programs.
//!
//! ```json
//! {
//!   "version": 1, "driver": "0.1.0",
//!   "compiler": "/opt/rocm/bin/hipcc", "arguments": ["-fpass-plugin=...", "-c", "a.hip"],
//!   "outcome": {"exited": 0},
//!   "settings": [{"variable": "...", "value": "10", "origin": "sqtt.toml:2"}],
//!   "outputs": [{
//!     "path": "a.o",
//!     "code_objects": [{"container": "...", "target": "gfx942", "markers": {"functions": 3, "scopes": 1, "points": 0}}],
//!     "findings": [{"severity": "warning", "object": "...", "message": "..."}]
//!   }],
//!   "warnings": ["..."], "hints": ["..."], "error": null
//! }
//! ```
//!
//! `markers` is null for a code object without a map. `outcome` is `{"killed": 11}` after a signal. `error` is why the
//! driver fails although the compiler did not. Outputs are those that were written and are looked at, so there are none
//! with `--sqtt-validate=off`. Bytes that are no UTF-8 are replaced. Later versions may add fields.

use std::path::PathBuf;

use serde_json::{Value, json};
use sqtt_contract::funcmap::{Funcmap, Row};
use sqtt_contract::variables::{REPORT, SAVE_DIR};

use super::DriverError;
use super::check::look_into;
use crate::code_object::{self, CodeObject, FileBytes};
use crate::config::Config;
use crate::invocation::Output;
use crate::plan::Plan;
use crate::run::Outcome;
use crate::toolchain::cache::write_whole;

/// Whether anyone asks for a record.
pub(super) fn wanted(config: &Config) -> bool {
    [REPORT, SAVE_DIR].iter().any(|name| config.get(name).is_some())
}

/// The record of one call.
#[derive(Debug)]
pub(super) struct Record {
    document: Value,
    /// Why the driver fails although the compiler did not.
    pub(super) error: Option<String>,
}

impl Record {
    /// Looks at the outputs while they are there: what cannot be decoded is removed later.
    pub(super) fn new(plan: &Plan, config: &Config, outcome: Outcome, written: &[&Output]) -> Record {
        let settings = config.rows().map(|(variable, value, origin)| {
            json!({ "variable": variable.name, "value": value.to_string_lossy(), "origin": origin.to_string() })
        });
        let arguments = plan.arguments.iter().map(|word| word.to_string_lossy());
        let document = json!({
            "version": 1,
            "driver": env!("CARGO_PKG_VERSION"),
            "compiler": plan.program.to_string_lossy(),
            "arguments": arguments.collect::<Vec<_>>(),
            "outcome": match outcome {
                Outcome::Exited(status) => json!({ "exited": status }),
                Outcome::Killed(signal) => json!({ "killed": signal }),
            },
            "settings": settings.collect::<Vec<_>>(),
            "outputs": written.iter().map(|output| describe(output)).collect::<Vec<_>>(),
            "warnings": config.warnings,
            "hints": config.hints,
        });
        Record { document, error: None }
    }

    /// Puts the record at `path`, if there is one: whole, by a rename, where that is a regular file or nothing yet.
    pub(super) fn write(&self, path: Option<PathBuf>) -> Result<(), DriverError> {
        let Some(path) = path else { return Ok(()) };
        let mut document = self.document.clone();
        document["error"] = json!(self.error);
        let text = format!("{document:#}\n");
        let special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        let written = if special { std::fs::write(&path, text) } else { write_whole(&path, text.as_bytes()) };
        written.map_err(|source| DriverError::NotWritten { path, source })
    }
}

/// One output: its code objects, and what the rules say of it.
fn describe(output: &Output) -> Value {
    let path = &output.path;
    let name = path.to_string_lossy();
    let bytes = match FileBytes::open(path) {
        Ok(bytes) => bytes,
        Err(error) => return json!({ "path": name, "code_objects": [], "findings": [], "unread": error.to_string() }),
    };
    let code_objects = code_object::read(bytes.bytes()).code_objects;
    let findings = look_into(output).unwrap_or_default().into_iter().map(|(severity, finding)| {
        json!({ "severity": severity.to_string(), "object": finding.object, "message": finding.message })
    });
    json!({
        "path": name,
        "code_objects": code_objects.iter().map(code_object).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}

fn code_object(object: &CodeObject<'_>) -> Value {
    json!({
        "container": object.place().to_string(),
        "target": object.target().processor,
        "markers": object.funcmap().map(|map| markers(&map)),
    })
}

/// How many ids of each kind a map has.
fn markers(map: &Funcmap) -> Value {
    let count = |is: fn(&Row) -> bool| map.rows().filter(|row| is(row)).count();
    json!({
        "functions": count(|row| matches!(row, Row::Function { .. })),
        "scopes": count(|row| matches!(row, Row::Scope { .. })),
        "points": count(|row| matches!(row, Row::Point { .. })),
    })
}
