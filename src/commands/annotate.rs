//! `sqtt annotate`: marker maps put into `code.json`, and packed clocks taken out of the records, for tools that do neither.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use super::trace_args::{Messages, Outcome, TraceArgs, no_directory};
use crate::export::annotate::{Options, annotate};
use crate::terminal::printable;
use crate::trace::{self, Diagnostics};

/// The arguments of `sqtt annotate`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct AnnotateArgs {
    /// What `rocprofv3 --att` wrote: `ui_` directories, or directories that hold some
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Replace the originals, in the place of writing beside them
    #[arg(long)]
    pub in_place: bool,
    /// Leave the records as they are: packed values, and the times at which they arrived
    #[arg(long)]
    pub raw: bool,
}

const AFTER_HELP: &str = "\
Writes `code.annotated.json` beside `code.json`: the same with the tables sqtt_funcmap, sqtt_funcmap_layout and
sqtt_funcmap_payloads of the code objects. Where a map says that headers carry a packed clock, it also writes
`shaderdata_*.annotated.json`: the records with plain headers, at the times that the clock gives. With --in-place each takes
the place of the original. The names of the files go to standard output.

Exit status: 0 when all directories are annotated, 1 when one is not, 2 when there is none.";

/// Writes the files, their names to `out`, and what is wrong with the traces to `messages`.
///
/// Errors: no trace is there; a message cannot be written.
pub fn run(args: &AnnotateArgs, out: &mut dyn Write, messages: &mut Messages<'_>) -> anyhow::Result<Outcome> {
    let options = Options { is_in_place: args.in_place, is_raw: args.raw };
    let mut diagnostics = Diagnostics::default();
    let found = trace::discover(&args.dirs, &mut diagnostics).map_err(no_directory)?;
    anyhow::ensure!(
        !found.is_empty(),
        "there are no `ui_` directories with records\npass the directory that `rocprofv3 --att -d DIR` wrote"
    );
    let mut outcome = Outcome::Done;
    for directory in &found {
        match annotate(directory, options, &mut diagnostics) {
            Ok(files) => {
                for file in files {
                    writeln!(out, "{}", file.display()).context("cannot write")?;
                }
            }
            Err(error) => {
                outcome = Outcome::Refused;
                let text = format!("error: cannot annotate `{}`: {error}", directory.path.display());
                for line in text.lines() {
                    writeln!(messages.out, "sqtt: {}", printable(line))?;
                }
            }
        }
    }
    TraceArgs::default().print(&diagnostics, messages)?;
    out.flush().context("cannot write")?;
    Ok(outcome)
}
