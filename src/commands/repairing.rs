//! `--repair` of the subcommands that show scopes: what the traces lack is found in a first reading, and put right in a
//! second.

use std::io;
use std::path::PathBuf;

use super::disassembler::{CodeArgs, Disassembler};
use super::doctor::Surroundings;
use super::metered::machine_code;
use super::told::tell;
use super::trace_args::{Messages, Reading, TraceArgs, no_directory};
use crate::check::{Checker, Counts, Report};
use crate::code_object::CodeObject;
use crate::terminal::counted;
use crate::trace::{self, Diagnostics, Repairs, Sink, Totals};

/// The arguments of `--repair`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RepairArgs {
    /// Put in what is lost and leave out what is too much, as `sqtt check` finds it; what is inferred is marked
    #[arg(long, group = "machine")]
    pub repair: bool,
    /// The llvm-objdump to read machine code with; without it that of the compiler that sqtt-hipcc finds, else one in PATH
    #[arg(long, value_name = "PATH", requires = "machine")]
    pub objdump: Option<PathBuf>,
}

impl RepairArgs {
    /// Reads the traces in `dirs` into `sink`; with `--repair` as they must have been.
    ///
    /// Errors: as those of [`TraceArgs::read_from`].
    pub(super) fn read(
        &self,
        trace: &TraceArgs,
        dirs: &[PathBuf],
        surroundings: &Surroundings<'_>,
        sink: &mut dyn Sink,
        messages: &mut Messages<'_>,
    ) -> anyhow::Result<Reading> {
        if !self.repair {
            return trace.read_from(dirs, sink, messages);
        }
        let (report, repairs) = self.find(trace, dirs, surroundings, messages.is_terminal)?;
        let reading = trace.read_repaired(dirs, repairs, sink, messages)?;
        let is_whole = sum_up(&report, &reading.totals, trace.strict, messages)?;
        Ok(Reading { is_accepted: reading.is_accepted && (is_whole || !trace.strict), ..reading })
    }

    /// What is to be put right. What else is wrong with the traces, the second reading tells.
    fn find(
        &self,
        trace: &TraceArgs,
        dirs: &[PathBuf],
        surroundings: &Surroundings<'_>,
        is_terminal: bool,
    ) -> anyhow::Result<(Report, Repairs)> {
        let code = CodeArgs::machine_code(self.objdump.clone());
        let mut disassembler = Disassembler::new(&code, *surroundings);
        let directories = trace::discover(dirs, &mut Diagnostics::default()).map_err(no_directory)?;
        let mut read = |code_object: &CodeObject<'_>| machine_code(&mut disassembler, code_object);
        let mut checker = Checker::new(&directories, &mut read, None, 0);
        let messages = &mut Messages { out: &mut io::sink(), is_terminal };
        trace.read_repaired(dirs, Repairs::from_launch(), &mut checker, messages)?;
        Ok(checker.finish())
    }
}

/// Prints what was put right and what could not be; returns whether every wave is as its program traces.
fn sum_up(report: &Report, totals: &Totals, is_strict: bool, messages: &mut Messages<'_>) -> io::Result<bool> {
    let severity = if is_strict { "error" } else { "warning" };
    tell(severity, &report.problems, messages.out)?;
    let counts = report.total();
    let Counts { waves, conforming, unjudged, unexplained, .. } = counts;
    if unjudged > 0 {
        writeln!(
            messages.out,
            "sqtt: {severity}: not repaired, as what they can trace is not known: {unjudged} of {waves} waves"
        )?;
    }
    let faulty = counts.faulty();
    if faulty > 0 {
        let Totals { inferred, dropped, .. } = totals;
        let put_in = counted(*inferred, "inferred marker");
        let left_out = counted(*dropped, "record");
        writeln!(
            messages.out,
            "sqtt: {severity}: repaired {faulty} of {waves} waves: {put_in} put in, {left_out} left out"
        )?;
        if unexplained > 0 {
            writeln!(
                messages.out,
                "sqtt: {severity}: too much is wrong to repair all of {unexplained} of these waves"
            )?;
        }
        writeln!(messages.out, "sqtt: look at what they lack: `sqtt check DIR`")?;
    }
    Ok(conforming == waves)
}
