//! `sqtt extract`: writes the code objects of a file out, each to a file of its own.

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::code_object::{self, CodeObject, FileBytes, Limits, Notes};
use crate::terminal::printable;

/// The arguments of `sqtt extract`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct ExtractArgs {
    /// Files that hold code objects: executables, shared libraries, objects, archives, offload bundles
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The directory to write to; it is made when it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Only code objects for this target, `gfx942` or `gfx90a:xnack-`; can be given more than once
    #[arg(long, value_name = "TARGET")]
    pub arch: Vec<String>,
}

const AFTER_HELP: &str = "\
A code object goes to FILE.N.TARGET.co, where N counts the code objects of the file from 0; what was compressed is
unpacked. Each path is printed with a tab and the place in the file. A file that is there already is left alone: with
the same contents it counts as written, with others it is an error.

Exit status: 0 when a code object was written, 1 when there was none (for that target), 2 when a file could not be read,
or only in part, or not be written.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At least one code object was written.
    Written,
    /// No file has one that was asked for.
    Nothing,
    /// A file could not be read, or a part of one; what could be was written.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Written => 0,
            Outcome::Nothing => 1,
            Outcome::Unusable => 2,
        }
    }
}

/// Writes the code objects, the list of them to `out`, and what is wrong with the files to `messages`.
///
/// Errors: the directory or a file in it cannot be written, `out` or `messages` cannot be written to.
pub fn run(args: &ExtractArgs, out: &mut dyn Write, messages: &mut dyn Write) -> anyhow::Result<Outcome> {
    fs_err::create_dir_all(&args.output)?;
    let (mut written, mut is_whole) = (0, true);
    for path in &args.files {
        match FileBytes::open(path) {
            Ok(file) => {
                let (count, notes) = extract(args, path, &file, out)?;
                written += count;
                is_whole &= tell(path, &notes, messages)?;
            }
            Err(error) => {
                is_whole = false;
                writeln!(messages, "sqtt: error: {error}")?;
            }
        }
    }
    Ok(match (is_whole, written) {
        (false, _) => Outcome::Unusable,
        (true, 0) => {
            let targets = if args.arch.is_empty() { String::new() } else { format!(" for {}", args.arch.join(", ")) };
            writeln!(messages, "sqtt: error: there is no code object{}", printable(&targets))?;
            writeln!(messages, "sqtt: `sqtt funcmap FILE` lists what a file holds")?;
            Outcome::Nothing
        }
        (true, _) => Outcome::Written,
    })
}

/// Writes the code objects of one file; how many, and what else is in it.
fn extract(args: &ExtractArgs, path: &Path, file: &FileBytes, out: &mut dyn Write) -> anyhow::Result<(usize, Notes)> {
    let (mut number, mut written, mut failure) = (0, 0, None);
    let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
        let is_wanted = args.arch.is_empty() || args.arch.iter().any(|arch| code_object.target().serves(arch));
        let result = if is_wanted { write(args, path, number, &code_object, out) } else { Ok(()) };
        number += 1;
        written += usize::from(is_wanted);
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    failure.map_or(Ok((written, notes)), Err)
}

fn write(
    args: &ExtractArgs,
    path: &Path,
    number: usize,
    code_object: &CodeObject<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let target = code_object.target();
    let mut name: OsString = path.file_name().unwrap_or_default().to_owned();
    // A processor's name comes from the file.
    let features = target.features.iter().map(|feature| format!("-{feature}"));
    let words: String = std::iter::once(target.processor.clone()).chain(features).collect();
    name.push(format!(
        ".{number}.{}.{}",
        words.replace(|c: char| c == '/' || c.is_control(), "_"),
        if code_object.is_text() { "s" } else { "co" }
    ));
    let destination = args.output.join(name);
    write_new(&destination, code_object.bytes())?;
    let place =
        if code_object.place().is_top() { "the file itself".to_owned() } else { code_object.place().to_string() };
    writeln!(out, "{}\t{place}", printable(&destination.to_string_lossy())).context("cannot write")
}

/// Never replaces what is there; two inputs can have one name.
fn write_new(destination: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    match fs_err::OpenOptions::new().write(true).create_new(true).open(destination) {
        Ok(mut file) => Ok(file.write_all(bytes)?),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            anyhow::ensure!(
                fs_err::read(destination)? == bytes,
                "`{}` is there already with other contents\nwrite to an empty directory",
                printable(&destination.to_string_lossy())
            );
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Says what could not be read. Returns whether all could.
fn tell(path: &Path, notes: &Notes, messages: &mut dyn Write) -> io::Result<bool> {
    for (place, what) in &notes.unverified {
        writeln!(messages, "sqtt: warning: {}: {what}", place.in_file(path))?;
    }
    for problem in &notes.problems {
        let text = problem.malformed.to_string();
        writeln!(messages, "sqtt: error: {}: {}", problem.place.in_file(path), printable(&text))?;
    }
    Ok(notes.problems.is_empty())
}
