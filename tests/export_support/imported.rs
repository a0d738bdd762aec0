//! What Perfetto's trace processor makes of timelines: `imported.py` asks it, `engine.js` runs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools;

/// A timeline as it was imported.
#[derive(Debug, serde::Deserialize)]
pub struct Imported {
    /// What the import counts as wrong, and how often.
    pub errors: Vec<(String, u64)>,
    /// Those on which something is, in the order of their numbers.
    pub threads: Vec<Thread>,
    /// Slices, and instants, which have no duration.
    pub slices: Vec<Slice>,
}

#[derive(Debug, serde::Deserialize)]
pub struct Thread {
    pub pid: i64,
    pub process: String,
    pub tid: i64,
    pub thread: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
pub struct Slice {
    pub tid: i64,
    /// Nanoseconds.
    pub ts: u64,
    /// Nanoseconds; -1 where there is no end.
    pub dur: i64,
    pub depth: u64,
    pub category: String,
    pub name: String,
    pub arguments: BTreeMap<String, String>,
}

/// Imports the files, one after the other.
pub fn imported(files: &[PathBuf]) -> Vec<Imported> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_support/imported.py");
    let mut command = Command::new("python3");
    command.env("PYTHONPATH", tools("perfetto")).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.arg(script).arg(tools("perfetto-ui")).args(files).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run python3: {error}; run ci/setup"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
