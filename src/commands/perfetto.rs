//! `sqtt perfetto`: traces as timelines, a thread for each wave.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use super::doctor::Surroundings;
use super::repairing::RepairArgs;
use super::trace_args::{Messages, Outcome, TraceArgs};
use crate::export::perfetto::{Format, Options, Perfetto};

/// The arguments of `sqtt perfetto`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct PerfettoArgs {
    /// Which traces.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// What is put right.
    #[command(flatten)]
    pub repairing: RepairArgs,
    /// The directory of the files; beside each ui_ directory by default
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Cycles of the shader clock per nanosecond, between 0 and 10; as realtime.json measured it by default
    #[arg(long, value_name = "X", value_parser = gigahertz)]
    pub clock_rate_ghz: Option<f64>,
}

const AFTER_HELP: &str = "\
Each ui_ directory becomes a file, as each has a time of its own: `ui_output_agent_1_dispatch_2.perfetto.json`. Its process
is the dispatch and its threads are waves; scopes are slices and points are instants. Open it in https://ui.perfetto.dev.
Without a clock rate a nanosecond of the timeline is a cycle. With --repair, what is inferred has the arguments
`inferred_since` and `end_inferred_since`; docs/check.md explains it. The names of the files go to standard output.

Exit status: 0 when there are files, 1 when there is nothing to draw, or with --strict when anything is wrong with a trace,
2 when a directory could not be read or a file not be written.";

/// Writes the timelines, their names to `out`, and what is wrong with the traces to `messages`.
///
/// Errors: no trace can be read; a file cannot be written.
pub fn run(
    args: &PerfettoArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> anyhow::Result<Outcome> {
    let options = Options { output: args.output.clone(), format: args.format, clock_rate_ghz: args.clock_rate_ghz };
    let mut perfetto = Perfetto::new(options);
    let reading = args.repairing.read(&args.trace, &args.trace.dirs, surroundings, &mut perfetto, messages)?;
    for path in perfetto.written() {
        writeln!(out, "{}", path.display()).context("cannot write")?;
    }
    out.flush().context("cannot write")?;
    if perfetto.early() > 0 {
        let count = perfetto.early();
        let events = if count == 1 { "event is" } else { "events are" };
        writeln!(messages.out, "sqtt: warning: {count} {events} before the start of the trace and drawn at it")?;
    }
    let has_events = reading.totals.points > 0 || reading.has_scopes(messages)?;
    Ok(if has_events && reading.is_accepted { Outcome::Done } else { Outcome::Refused })
}

/// A clock rate as GPUs have it.
fn gigahertz(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok().filter(|rate| *rate > 0.0 && *rate < 10.0);
    rate.ok_or_else(|| "write gigahertz between 0 and 10, such as `2.1`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_rates_that_no_gpu_has_are_refused() {
        assert_eq!(gigahertz("2.1"), Ok(2.1));
        for wrong in ["", "0", "-1", "10", "2100", "NaN", "inf", "2.1GHz"] {
            assert!(gigahertz(wrong).is_err(), "{wrong}");
        }
    }
}
