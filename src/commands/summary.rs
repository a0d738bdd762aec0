//! `sqtt summary`: how often each scope was entered and how long it took.

use std::io::Write;

use anyhow::Context as _;

use super::doctor::Surroundings;
use super::metered::{self, MeteredArgs};
use super::trace_args::{Messages, Outcome, TraceArgs};
use crate::export::summary::Summary;
use crate::export::summary::table::{self, Columns};

/// The arguments of `sqtt summary`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct SummaryArgs {
    /// Which traces.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// What markers cost.
    #[command(flatten)]
    pub metered: MeteredArgs,
    /// Keep compute units apart
    #[arg(long)]
    pub per_cu: bool,
    /// Print one JSON document
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print comma-separated values
    #[arg(long)]
    pub csv: bool,
}

const AFTER_HELP: &str = "\
Times are in cycles of the shader clock, summed over all waves. `self` is time in which the scope was the innermost one,
`total` includes the scopes inside, each once. min, p50, p99 and max are of single calls, inner scopes included; percentiles
are exact below 1024 cycles and within 0.1 % above. A call that its wave's end cut counts in `calls`, `self` and `total`, and
in `cut`, but not in these.

With --cost, `self` and `total` also come as bounds without the cycles in which markers themselves were issued; docs/cost.md
explains them. With --repair, `inferred` counts the calls that begin or end where a record is lost; they are not in min, p50,
p99 and max either.

Exit status: 0 when there are scopes, 1 when there are none (a JSON document is written all the same), or with --strict when
anything is wrong with a trace, 2 when a directory could not be read.";

/// Prints the summary to `out`, and what is wrong with the traces to `messages`.
///
/// Errors: no trace can be read; `out` or `messages` cannot be written to.
pub fn run(
    args: &SummaryArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> anyhow::Result<Outcome> {
    let mut summary = Summary::new(args.per_cu);
    let (reading, taken) = args.metered.read(&args.trace, &args.trace.dirs, surroundings, &mut summary, messages)?;
    let has_scopes = reading.has_scopes(messages)?;
    if !has_scopes && !args.json {
        return Ok(Outcome::Refused);
    }
    let rows = summary.rows();
    let columns = match &taken {
        Some(_) => Columns::WithoutMarkers,
        None if args.metered.repairing.repair => Columns::Repaired,
        None => Columns::Usual,
    };
    let written = match &taken {
        _ if args.json => table::json(&rows, columns, taken.as_ref().map(metered::assumptions).as_deref(), out),
        _ if args.csv => {
            taken.iter().try_for_each(|taken| metered::print(taken, "sqtt: ", messages.out))?;
            table::csv(&rows, columns, out)
        }
        None => table::text(&rows, columns, out),
        Some(taken) => {
            table::text(&rows, columns, out).and_then(|()| writeln!(out)).and_then(|()| metered::print(taken, "", out))
        }
    };
    written.and_then(|()| out.flush()).context("cannot write")?;
    Ok(if has_scopes && reading.is_accepted { Outcome::Done } else { Outcome::Refused })
}
