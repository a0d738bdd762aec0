//! `sqtt records`: decoded records as JSON lines.

use std::io::Write;

use anyhow::Context as _;

use super::trace_args::{Messages, Outcome, TraceArgs};
use crate::export::records::Records;

/// The arguments of `sqtt records`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct RecordsArgs {
    /// Which traces.
    #[command(flatten)]
    pub trace: TraceArgs,
}

const AFTER_HELP: &str = "\
A line each record: dispatch and kernel (where they are known), cycles, se, cu, simd, wave, instance, value, flags, role, and
depth (scopes that were open before it). The role is `marker` (with id, enter, exit, kind, name and location), `exit`,
`payload` (with the marker and which word), `none` (id 0) or `privileged` (the trap handler's).
Where the map packs the clock, cycles are corrected and values have no clock.

Exit status: 0, or 1 when there are none or with --strict when anything is wrong with a trace, 2 when a directory could not
be read.";

/// Prints the records to `out`, and what is wrong with the traces to `messages`.
///
/// Errors: no trace can be read; `out` or `messages` cannot be written to.
pub fn run(args: &RecordsArgs, out: &mut dyn Write, messages: &mut Messages<'_>) -> anyhow::Result<Outcome> {
    let reading = args.trace.read(&mut Records::new(out), messages)?;
    out.flush().context("cannot write")?;
    let has_records = reading.totals.records > reading.totals.deselected;
    if !has_records {
        reading.has_scopes(messages)?;
    }
    Ok(if has_records && reading.is_accepted { Outcome::Done } else { Outcome::Refused })
}
