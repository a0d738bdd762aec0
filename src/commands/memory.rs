//! `sqtt memory`: the addresses of memory operations, and how well they are coalesced and spread over LDS banks.

mod table;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use super::trace_args::{Messages, Outcome, TraceArgs};
use crate::export::memory::Memory;
use crate::export::whole_file::WholeFile;

/// The arguments of `sqtt memory`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct MemoryArgs {
    /// Which traces.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Print the sums of each line of source as a table
    #[arg(long)]
    pub summary: bool,
    /// Where the operations and the sums go as JSON; to standard output by default, unless --summary is given
    #[arg(short, long, value_name = "FILE.json")]
    pub output: Option<PathBuf>,
    /// Bytes that an operation moves for each lane, which no trace says
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub element_bytes: u8,
}

const AFTER_HELP: &str = "\
Needs a program that was compiled with --sqtt-trace-addresses=memory,lds. Addresses are those of the lanes in EXEC; those
of buffers are base + soffset + offset + index * stride. docs/memory.md says what each field and column is.

Exit status: 0 when there are operations, 1 when there are none, or with --strict when anything is wrong with a trace, 2
when a directory could not be read or a file not be written.";

/// Writes operations and sums to the file or to `out`, and what is wrong with the traces to `messages`.
///
/// Errors: no trace can be read; something cannot be written.
pub fn run(args: &MemoryArgs, out: &mut dyn Write, messages: &mut Messages<'_>) -> anyhow::Result<Outcome> {
    let mut file = args.output.as_deref().map(WholeFile::create).transpose().context("cannot write")?;
    let document: Option<&mut dyn Write> = match &mut file {
        Some(file) => Some(file),
        None if args.summary => None,
        None => Some(&mut *out),
    };
    let mut memory = Memory::begin(document, args.element_bytes.into()).context("cannot write")?;
    let reading = args.trace.read(&mut memory, messages)?;
    let (operations, unreadable) = (memory.operations(), memory.unreadable());
    let places = memory.finish().context("cannot write")?;
    if let Some(file) = file {
        file.commit(false).context("cannot write")?;
    }
    if unreadable > 0 {
        let severity = if args.trace.strict { "error" } else { "warning" };
        let traces = if unreadable == 1 { "trace" } else { "traces" };
        writeln!(messages.out, "sqtt: {severity}: {unreadable} address {traces} of which no lane can be read")?;
    }
    if operations > 0 && args.summary {
        table::print(out, &places).context("cannot write")?;
    }
    out.flush().context("cannot write")?;
    if operations == 0 && unreadable == 0 && (reading.totals.points > 0 || reading.has_scopes(messages)?) {
        writeln!(messages.out, "sqtt: error: there are no address traces")?;
        writeln!(messages.out, "sqtt: compile with `--sqtt-trace-addresses=memory,lds`")?;
    }
    let is_accepted = reading.is_accepted && (unreadable == 0 || !args.trace.strict);
    Ok(if operations > 0 && is_accepted { Outcome::Done } else { Outcome::Refused })
}
