//! `sqtt cost`: the instructions, bytes and registers that instrumentation added (`docs/cost.md`).

mod json;
mod read;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use super::disassembler::CodeArgs;
use super::doctor::Surroundings;
use super::told::tell;
use read::{Object, Reading};

/// The arguments of `sqtt cost`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct CostArgs {
    /// Files that hold linked code objects
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The same program compiled without instrumentation (`--sqtt-off`), to tell how code and registers grew
    #[arg(long, value_name = "UNINSTRUMENTED")]
    against: Option<PathBuf>,
    /// Also say what to change so that markers cost less, with the lines of sqtt.toml that do it
    #[arg(long)]
    advise: bool,
    /// A trace of the program by `rocprofv3 --att`: advice goes by how often markers were traced, not by loops
    #[arg(long, value_name = "DIR", requires = "advise")]
    trace: Option<PathBuf>,
    /// Only code objects for this target, `gfx942` or `gfx90a:xnack-`; more than once for more
    #[arg(long, value_name = "TARGET")]
    arch: Vec<String>,
    /// Print one JSON document for all files
    #[arg(long)]
    json: bool,
    /// The llvm-objdump to read machine code with; without it that of the compiler that sqtt-hipcc finds, else one in PATH
    #[arg(long, value_name = "PATH")]
    objdump: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
What is counted is code, not time: an instruction in a loop counts once. Only functions with instrumentation are listed;
`--json` has all. docs/cost.md says how each instruction is told from the program's own, and what is not certain.

Exit status: 0, or 2 when a file could not be read or holds no machine code that can be looked at.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All costs were printed.
    Printed,
    /// Something could not be looked at; the rest was printed.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Printed => 0,
            Outcome::Unusable => 2,
        }
    }
}

/// Prints what instrumentation costs in the files to `out`, and to `messages` what could not be looked at.
///
/// Errors: `out` or `messages` cannot be written to.
pub fn run(
    args: &CostArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut dyn Write,
) -> io::Result<Outcome> {
    let code = CodeArgs::machine_code(args.objdump.clone());
    let mut reading = Reading::new(args, &code, *surroundings);
    if let Some(trace) = &args.trace {
        reading.trace(trace, messages);
    }
    let mut objects: Vec<Object> = Vec::new();
    for path in &args.files {
        objects.extend(reading.file(path));
    }
    tell("error", &reading.errors, messages)?;
    if args.json {
        json::print(&objects, out)?;
    } else {
        objects.iter().try_for_each(|object| text::print(object, args.advise, out))?;
    }
    Ok(if reading.errors.is_empty() { Outcome::Printed } else { Outcome::Unusable })
}
