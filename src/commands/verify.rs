//! `sqtt verify`: the rules over maps (`docs/validation.md`) and over machine code (`docs/lint.md`) for any file.

mod against;
mod code;
mod finding;
mod help;
mod json;
mod sarif;
mod text;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub use super::disassembler::CodeArgs;
use super::disassembler::Disassembler;
use super::doctor::Surroundings;
use crate::code_object::{self, CodeObject, FileBytes, Limits};
use crate::validate::{Checker, Expected, Severity};
use against::{AgainstArgs, Plain};
use finding::{File, Finding};

/// The arguments of `sqtt verify`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArgs {
    /// Files that hold code objects: executables, shared libraries, objects, archives, offload bundles, assembly
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only code objects for this target, `gfx942` or `gfx90a:xnack-`, which each file must have; more than once for more
    #[arg(long, value_name = "TARGET")]
    arch: Vec<String>,
    /// Also what only maps of sqtt-hipcc keep to; and warnings count as errors do
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    code: CodeArgs,
    #[command(flatten)]
    against: AgainstArgs,
    /// Print one JSON document for all files
    #[arg(long)]
    json: bool,
    /// Print one SARIF 2.1.0 log for all files, for code scanning in CI
    #[arg(long, conflicts_with = "json")]
    sarif: bool,
}

const AFTER_HELP: &str = "\
The rules are explained in docs/validation.md (M01 to M20, over maps) and docs/lint.md (over machine code). An error
means that a trace cannot be decoded rightly; a warning is worth knowing. What the analysis of machine code could not see
is no finding; it is counted at the end. A code object that is text or not linked gets the rules over maps only. The rules
cache-maintenance and extra-wait compare with the uninstrumented build, so they are looked at with --against only.

Exit status: 0 without an error, 1 with one (with --strict: with an error or a warning), 2 when a file could not be read or
holds no code object that can be looked at, or when its machine code could not be disassembled.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing that counts was found.
    Clean,
    /// Something was.
    Findings,
    /// Something could not be looked at; what could be was.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
            Outcome::Unusable => 2,
        }
    }
}

/// Checks the files and prints what was found to `out`, and to `messages` why something could not be looked at.
///
/// Errors: `out` or `messages` cannot be written to.
pub fn run(
    args: &VerifyArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut dyn Write,
) -> io::Result<Outcome> {
    let mut disassembler = Disassembler::new(&args.code, *surroundings);
    let mut files = Vec::new();
    let plain = args.against.read(&mut disassembler);
    let mut failure = plain.as_ref().err().map(|error| format!("{error:#}"));
    let mut plain = plain.unwrap_or_default();
    for path in &args.files {
        let mut file = File::new(path);
        // Told once; what needs no other build is looked at all the same.
        file.errors.extend(failure.take());
        verify(args, path, &mut disassembler, plain.as_mut(), &mut file);
        text::print_errors(&file, messages)?;
        if !args.json && !args.sarif {
            text::print(&file, out)?;
        }
        files.push(file);
    }
    if args.json {
        json::print(&files, out)?;
    } else if args.sarif {
        sarif::print(&files, out)?;
    }
    let counts = |finding: &Finding| args.strict || finding.severity == Severity::Error;
    Ok(match files.iter().any(|file| !file.errors.is_empty()) {
        true => Outcome::Unusable,
        false if files.iter().flat_map(|file| &file.findings).any(counts) => Outcome::Findings,
        false => Outcome::Clean,
    })
}

/// Checks one file, one code object at a time, so that no more than one bundle is ever unpacked.
fn verify(
    args: &VerifyArgs,
    path: &Path,
    disassembler: &mut Disassembler<'_>,
    mut plain: Option<&mut Plain>,
    file: &mut File,
) {
    let bytes = match FileBytes::open(path) {
        Ok(bytes) => bytes,
        Err(error) => return file.errors.push(error.to_string()),
    };
    let expected = Expected { targets: args.arch.clone(), strict: args.strict };
    let mut checker = Checker::new(path, &expected);
    let notes = code_object::visit(bytes.bytes(), &Limits::default(), |code_object| {
        if is_wanted(args, &code_object) {
            checker.add_code_object(&code_object);
            code::check(path, &code_object, disassembler, plain.as_deref_mut(), file);
        }
        ControlFlow::Continue(())
    });
    let report = checker.finish(&notes.unverified, &notes.problems);
    file.code_objects = report.code_objects;
    let of_maps: Vec<Finding> = report.findings.into_iter().map(Finding::of_map).collect();
    file.findings.splice(0..0, of_maps);
    // What each object lacks stands together.
    file.findings.sort_by(|a, b| a.object.cmp(&b.object));
    let is_missing = file.findings.iter().any(|finding| finding.severity == Severity::Error);
    if file.code_objects == 0 && !is_missing {
        let what =
            if notes.unverified.is_empty() { "there is no code object" } else { "no code object can be looked at" };
        file.errors.push(format!("{what} in `{}`\ngive the file that holds linked device code", path.display()));
    }
}

fn is_wanted(args: &VerifyArgs, code_object: &CodeObject<'_>) -> bool {
    args.arch.is_empty() || args.arch.iter().any(|arch| code_object.target().serves(arch))
}
