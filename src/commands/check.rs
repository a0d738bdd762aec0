//! `sqtt check`: whether traces are what their programs can have traced (`docs/check.md`).

mod json;
mod repaired;
mod text;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;

use super::disassembler::{CodeArgs, Disassembler};
use super::doctor::Surroundings;
use super::metered::machine_code;
use super::told::tell;
use super::trace_args::{Messages, Reading, TraceArgs, no_directory};
use crate::check::{Checker, Report, TakeRepaired};
use crate::code_object::CodeObject;
use crate::trace::{self, Diagnostics, Repairs};

/// The arguments of `sqtt check`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct CheckArgs {
    /// Which traces.
    #[command(flatten)]
    trace: TraceArgs,
    /// Write the headers of every wave with those that must have been there to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    repair: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// The llvm-objdump to read machine code with; without it that of the compiler that sqtt-hipcc finds, else one in PATH
    #[arg(long, value_name = "PATH")]
    objdump: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
The machine code of the code objects beside a trace says which marker a wave can trace after which. Where that is unknown,
as behind a call of a function pointer, nothing is called wrong. docs/check.md explains what is reported.

Exit status: 0 when every wave that was looked at is what its program can have traced, 1 when one is not (with --strict: also
when the reader finds something wrong with a trace), 2 when no wave could be looked at.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is what it can be.
    Conforming,
    /// Something is not.
    Faulty,
    /// Nothing could be looked at.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Conforming => 0,
            Outcome::Faulty => 1,
            Outcome::Unusable => 2,
        }
    }
}

/// Checks the traces and prints what was found to `out`, and to `messages` what is wrong with files.
///
/// Errors: no trace can be read; `out`, `messages` or the file of repaired headers cannot be written to.
pub fn run(
    args: &CheckArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> anyhow::Result<Outcome> {
    let code = CodeArgs::machine_code(args.objdump.clone());
    let mut disassembler = Disassembler::new(&code, *surroundings);
    // Reading tells what is wrong with the directories; this only asks for their files.
    let directories = trace::discover(&args.trace.dirs, &mut Diagnostics::default()).map_err(no_directory)?;
    let mut read = |code_object: &CodeObject<'_>| machine_code(&mut disassembler, code_object);
    let mut file = args.repair.as_deref().map(repaired::File::create).transpose().context("cannot write")?;
    let (report, reading) = {
        let mut take = file.as_mut().map(|file| file.taker());
        let take = take.as_mut().map(|take| take as &mut TakeRepaired<'_>);
        let mut checker = Checker::new(&directories, &mut read, take, if args.json { usize::MAX } else { text::SHOWN });
        let reading = args.trace.read_repaired(&args.trace.dirs, Repairs::from_launch(), &mut checker, messages)?;
        (checker.finish().0, reading)
    };
    if let Some(file) = file {
        file.finish().context("cannot write")?;
    }
    tell("error", &report.problems, messages.out)?;
    if report.problems.is_empty() && report.total().waves == report.total().unjudged {
        why_unusable(&reading, messages)?;
    }
    if args.json {
        json::print(&report, out)?;
    } else {
        text::print(&report, out)?;
    }
    Ok(outcome(&report, reading.is_accepted))
}

/// Says why no wave could be looked at, where no code object is to blame.
fn why_unusable(reading: &Reading, messages: &mut Messages<'_>) -> anyhow::Result<()> {
    if reading.totals.waves > 0 {
        let why = "the kernel or its code object is not known, or the kernel is too large";
        writeln!(messages.out, "sqtt: error: no wave could be looked at: {why}")?;
        writeln!(messages.out, "sqtt: keep `occupancy.json` and the `*_code_object_id_*.out` files with the trace")?;
    } else {
        reading.has_scopes(messages)?;
    }
    Ok(())
}

fn outcome(report: &Report, is_accepted: bool) -> Outcome {
    let total = report.total();
    if total.at_least > 0 {
        Outcome::Faulty
    } else if total.waves == total.unjudged {
        Outcome::Unusable
    } else if is_accepted {
        Outcome::Conforming
    } else {
        Outcome::Faulty
    }
}
