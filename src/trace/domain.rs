//! A `ui_` directory as sinks see it.

use std::path::PathBuf;
use std::sync::Arc;

use super::wave::Kernel;

/// One `ui_` directory: what one dispatch on one agent left, in a time domain of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Counts the domains of a run from 0.
    pub index: u32,
    /// The directory.
    pub path: PathBuf,
    /// The agent in the directory's name.
    pub agent: Option<u64>,
    /// The dispatch in the directory's name: what a process is in a timeline, and what `--dispatch` means.
    pub dispatch: Option<u64>,
    /// Cycles per nanosecond as its `realtime.json` gives them.
    pub clock_rate_ghz: Option<f64>,
    /// Its shader engines that have records, in the order in which they are read.
    pub engines: Vec<u32>,
    /// Its kernels, by id.
    pub kernels: Vec<Arc<Kernel>>,
}
