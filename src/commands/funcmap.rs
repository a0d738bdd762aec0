//! `sqtt funcmap`: prints the marker maps of code objects (spec "Extracting the funcmap").

mod json;
mod listing;
mod table;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sqtt_contract::funcmap::SECTION;

use crate::code_object::{self, CodeObject, FileBytes, Kind, Limits, Notes};
use crate::terminal::printable;
use listing::Listing;

/// The arguments of `sqtt funcmap`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct FuncmapArgs {
    /// Code objects, or files that hold some: executables, shared libraries, objects, archives, offload bundles
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print C++ names demangled
    #[arg(long)]
    pub demangle: bool,
    /// Print one JSON document for all files instead of tables
    #[arg(long)]
    pub json: bool,
}

const AFTER_HELP: &str = "\
Exit status: 0 when a map was printed, 1 when no file has one, 2 when a file could not be read.
An address stands beside a name that the code object still has a function for; `(inlined)` beside a
function that it has none for.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At least one map was printed.
    Printed,
    /// All files were read, and none has a map.
    NoMap,
    /// A file could not be read, or a part of one; what could be was printed.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Printed => 0,
            Outcome::NoMap => 1,
            Outcome::Unusable => 2,
        }
    }
}

/// Prints the maps of `args.files` to `out`, and what is wrong with them to `messages`.
///
/// Errors: `out` or `messages` cannot be written to.
pub fn run(args: &FuncmapArgs, out: &mut dyn Write, messages: &mut dyn Write) -> io::Result<Outcome> {
    let mut session = Session { args, messages, document: json::Document::default(), maps: 0, unusable: false };
    let mut tables = table::Printer::new(args.files.len() > 1);
    for path in &args.files {
        session.file(path, out, &mut tables)?;
    }
    if args.json {
        session.document.write(out)?;
    }
    if session.unusable {
        return Ok(Outcome::Unusable);
    }
    if session.maps == 0 {
        writeln!(session.messages, "sqtt: error: no code object with a `{SECTION}` section")?;
        writeln!(session.messages, "sqtt: compile with `sqtt-hipcc`, or pass the file that holds the device code")?;
        return Ok(Outcome::NoMap);
    }
    Ok(Outcome::Printed)
}

struct Session<'a> {
    args: &'a FuncmapArgs,
    messages: &'a mut dyn Write,
    document: json::Document,
    maps: usize,
    unusable: bool,
}

impl Session<'_> {
    fn file(&mut self, path: &Path, out: &mut dyn Write, tables: &mut table::Printer) -> io::Result<()> {
        let mut entry = json::File::new(path);
        match FileBytes::open(path) {
            Err(error) => self.unusable(&mut entry, error.to_string())?,
            Ok(file) => {
                self.code_objects(path, &file, &mut entry, out, tables)?;
            }
        }
        self.document.files.push(entry);
        Ok(())
    }

    /// One code object at a time, so that no more than one bundle is ever unpacked.
    fn code_objects(
        &mut self,
        path: &Path,
        file: &FileBytes,
        entry: &mut json::File,
        out: &mut dyn Write,
        tables: &mut table::Printer,
    ) -> io::Result<()> {
        let mut failure = None;
        // The first one waits until it is known whether it is the only one.
        let (mut first, mut count) = (None, 0);
        let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
            count += 1;
            if count == 1 {
                first = Some(code_object);
                return ControlFlow::Continue(());
            }
            tables.begin_file(count);
            let waiting = first.take().into_iter().chain([code_object]);
            for code_object in waiting {
                if let Err(error) = self.code_object(path, &code_object, entry, out, tables) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(only) = first {
            tables.begin_file(count);
            self.code_object(path, &only, entry, out, tables)?;
        }
        self.notes(path, &notes, entry)
    }

    fn code_object(
        &mut self,
        path: &Path,
        code_object: &CodeObject<'_>,
        entry: &mut json::File,
        out: &mut dyn Write,
        tables: &mut table::Printer,
    ) -> io::Result<()> {
        let listing = self.listing(path, code_object)?;
        if self.args.json {
            entry.code_objects.push(json::CodeObject::new(code_object, listing.as_ref()));
            return Ok(());
        }
        tables.print(out, path, code_object, listing.as_ref())
    }

    fn notes(&mut self, path: &Path, notes: &Notes, entry: &mut json::File) -> io::Result<()> {
        if notes.kind == Kind::Other {
            let file = path.to_string_lossy();
            self.unusable(entry, format!("`{file}` is no ELF file, archive or offload bundle"))?;
        }
        for (place, what) in &notes.unverified {
            self.message("warning", &format!("{}: {what}", place.in_file(path)))?;
            entry.unread.push(json::Unread { container: place.to_string(), reason: what.to_string() });
        }
        for problem in &notes.problems {
            self.unusable(entry, format!("{}: {}", problem.place.in_file(path), problem.malformed))?;
        }
        Ok(())
    }

    /// The map of a code object, with warnings for what is wrong with it.
    fn listing(&mut self, path: &Path, code_object: &CodeObject<'_>) -> io::Result<Option<Listing>> {
        let Some(funcmap) = code_object.funcmap() else {
            return Ok(None);
        };
        self.maps += 1;
        let listing = Listing::new(&funcmap, code_object, self.args.demangle);
        for warning in &listing.warnings {
            self.message("warning", &format!("{}: {warning}", code_object.place().in_file(path)))?;
        }
        Ok(Some(listing))
    }

    fn unusable(&mut self, entry: &mut json::File, message: String) -> io::Result<()> {
        self.unusable = true;
        self.message("error", &message)?;
        entry.errors.push(message);
        Ok(())
    }

    fn message(&mut self, severity: &str, text: &str) -> io::Result<()> {
        writeln!(self.messages, "sqtt: {severity}: {}", printable(text))
    }
}
