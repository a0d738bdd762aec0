//! `--cost` of the subcommands that sum up traces: what markers issued is measured while the trace is read, and what that
//! takes for granted is told.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context as _;

use super::disassembler::{Code, CodeArgs, Disassembler};
use super::doctor::Surroundings;
use super::repairing::RepairArgs;
use super::told::tell;
use super::trace_args::{Messages, Reading, TraceArgs};
use crate::code_object::CodeObject;
use crate::cost::issue::{ASSUMPTIONS, TABLE};
use crate::cost::{Meter, Metered, Taken};
use crate::machine::Program;
use crate::trace::{self, Diagnostics};

/// The arguments of `--cost`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct MeteredArgs {
    /// Also tell the cycles in which markers themselves were issued apart, as the code objects beside the trace tell; what that
    /// takes for granted is printed
    #[arg(long, group = "machine")]
    pub cost: bool,
    /// What is put right, which excludes the other: of records that are lost nobody knows when they were issued.
    #[command(flatten)]
    pub repairing: RepairArgs,
}

impl MeteredArgs {
    /// Reads the traces in `dirs` into `sink`; with `--cost` also what markers issued, with `--repair` as they must have been.
    ///
    /// Errors: as those of [`TraceArgs::read_from`].
    pub(super) fn read<S: Metered>(
        &self,
        trace: &TraceArgs,
        dirs: &[PathBuf],
        surroundings: &Surroundings<'_>,
        sink: &mut S,
        messages: &mut Messages<'_>,
    ) -> anyhow::Result<(Reading, Option<Taken>)> {
        if !self.cost {
            return Ok((self.repairing.read(trace, dirs, surroundings, sink, messages)?, None));
        }
        let code = CodeArgs::machine_code(self.repairing.objdump.clone());
        let mut disassembler = Disassembler::new(&code, *surroundings);
        // Reading tells what is wrong with the directories; this only asks for their files.
        let directories = trace::discover(dirs, &mut Diagnostics::default()).context("no trace")?;
        let mut read = |code_object: &CodeObject<'_>| machine_code(&mut disassembler, code_object);
        let mut meter = Meter::new(&directories, &mut read, sink);
        let reading = trace.read_from(dirs, &mut meter, messages)?;
        let taken = meter.finish();
        left_in(&taken, messages)?;
        Ok((reading, Some(taken)))
    }
}

/// The machine code of a code object beside a trace; the error says why there is none.
pub(super) fn machine_code(
    disassembler: &mut Disassembler<'_>,
    code_object: &CodeObject<'_>,
) -> Result<Program, String> {
    match disassembler.read(code_object) {
        Ok(Code::Program(program)) => Ok(program),
        Ok(Code::Unseen(reason)) => Err(format!("there is no machine code to look at: {reason}")),
        Err(error) => Err(format!("{error:#}")),
    }
}

/// Prints what is left in because it is not known.
fn left_in(taken: &Taken, messages: &mut Messages<'_>) -> io::Result<()> {
    tell("warning", &taken.problems, messages.out)?;
    if taken.unknown_records > 0 {
        let (count, all) = (taken.unknown_records, taken.unknown_records + taken.records);
        writeln!(messages.out, "sqtt: warning: the cost of {count} of {all} markers is not known and is left in")?;
    }
    Ok(())
}

/// What the bounds take for granted, a line each: the costs of the generations that were met, and what holds for all.
pub(super) fn assumptions(taken: &Taken) -> Vec<String> {
    let mut lines = Vec::new();
    if taken.records == 0 {
        lines.push("nothing was taken out: the cost of no marker is known".to_owned());
    }
    for generation in &taken.generations {
        for row in TABLE.iter().filter(|row| row.generation == *generation) {
            let (name, cycles) = (generation.name(), row.cycles);
            lines.push(format!("{name}: {} {} to {} cycles ({})", row.name, cycles.least, cycles.most, row.source));
        }
    }
    lines.extend(ASSUMPTIONS.iter().map(|line| (*line).to_owned()));
    lines
}

/// Prints the assumptions, each line behind `start`.
pub(super) fn print(taken: &Taken, start: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{start}cycles without markers take for granted:")?;
    assumptions(taken).iter().try_for_each(|line| writeln!(out, "{start}  {line}"))
}
