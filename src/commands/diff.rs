//! `sqtt diff`: what differs between the marker maps and the markers of two builds.

mod json;
mod report;
mod text;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

pub use super::disassembler::CodeArgs;
use super::disassembler::{Code, Disassembler};
use super::doctor::Surroundings;
use super::lines::Lines;
use super::pairing::{Candidates, Identity};
use super::told::tell;
use crate::code_object::{self, CodeObject, FileBytes, Limits};
use crate::diff::{Change, Snapshot, compare};
use crate::machine::{FunctionPlacement, Step, placement};
use report::{Object, Report, Side, SourceOf};

/// The arguments of `sqtt diff`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct DiffArgs {
    /// The build before: an executable, shared library, object, archive, offload bundle or code object
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The build after
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Only code objects for this target, `gfx942` or `gfx90a:xnack-`; more than once for more
    #[arg(long, value_name = "TARGET")]
    arch: Vec<String>,
    /// Leave these changes out, a comma list: they are not shown and do not count
    #[arg(long, value_name = "CHANGES", value_enum, value_delimiter = ',')]
    ignore: Vec<Ignored>,
    #[command(flatten)]
    code: CodeArgs,
    /// Print C++ names demangled
    #[arg(long)]
    demangle: bool,
    /// Print a JSON document
    #[arg(long, conflicts_with = "demangle")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ignored {
    Added,
    Lost,
    Moved,
    Renumbered,
    Altered,
}

impl Ignored {
    fn change(self) -> Change {
        match self {
            Ignored::Added => Change::Added,
            Ignored::Lost => Change::Lost,
            Ignored::Moved => Change::Moved,
            Ignored::Renumbered => Change::Renumbered,
            Ignored::Altered => Change::Altered,
        }
    }
}

const AFTER_HELP: &str = "\
Rows of the maps are matched by kind, name and place, markers by what they mark and by what stands around them in their
function, never by id. docs/diff.md says what is added, lost, moved, renumbered and altered. Code objects are matched by
target and kernels. One that is text or not linked is compared by its map alone.

Exit status: 0 when nothing differs, 1 when something does, 2 when a file could not be read or holds no code object, or
when its machine code could not be disassembled.";

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing differs.
    Same,
    /// Something does.
    Differ,
    /// Something could not be looked at.
    Unusable,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Same => 0,
            Outcome::Differ => 1,
            Outcome::Unusable => 2,
        }
    }
}

/// Compares the two builds and prints what differs to `out`, and to `messages` why something could not be looked at.
///
/// Errors: `out` or `messages` cannot be written to.
pub fn run(
    args: &DiffArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut dyn Write,
) -> io::Result<Outcome> {
    let mut disassembler = Disassembler::new(&args.code, *surroundings);
    let (a, b) = (build(args, &args.a, &mut disassembler), build(args, &args.b, &mut disassembler));
    tell("warning", a.warnings.iter().chain(&b.warnings), messages)?;
    let mut report = Report::new(&args.a, &args.b, a.errors.into_iter().chain(b.errors).collect());
    tell("error", report.errors.iter(), messages)?;
    if report.errors.is_empty() {
        let pairs = pair(a.objects, b.objects);
        report.objects = pairs.into_iter().map(|(a, b)| object(args, a, b)).collect();
    }
    match args.json {
        true => json::print(&report, out)?,
        false if report.errors.is_empty() => text::print(&report, args.demangle, out)?,
        false => {}
    }
    Ok(match report.errors.is_empty() {
        false => Outcome::Unusable,
        true if report.objects.iter().all(Object::is_same) => Outcome::Same,
        true => Outcome::Differ,
    })
}

/// What is compared of one code object, and how it is told.
struct Taken {
    identity: Identity,
    side: Side,
    snapshot: Snapshot,
}

/// What is compared of one file.
#[derive(Default)]
struct Build {
    objects: Vec<Taken>,
    /// What cannot be compared though the rest can.
    warnings: Vec<String>,
    /// Why nothing can be compared.
    errors: Vec<String>,
}

/// Takes what is compared of each code object of a file, one at a time, so that no more than one bundle is ever
/// unpacked.
fn build(args: &DiffArgs, path: &Path, disassembler: &mut Disassembler<'_>) -> Build {
    let mut build = Build::default();
    let file = match FileBytes::open(path) {
        Ok(file) => file,
        Err(error) => return Build { errors: vec![error.to_string()], ..build },
    };
    let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
        if args.arch.is_empty() || args.arch.iter().any(|arch| code_object.target().serves(arch)) {
            match of_code_object(path, &code_object, disassembler) {
                Ok(one) => build.objects.push(one),
                Err(error) => build.errors.push(format!("{}: {error:#}", code_object.place().in_file(path))),
            }
        }
        ControlFlow::Continue(())
    });
    let problems = notes.problems.iter();
    build.errors.extend(problems.map(|problem| format!("{}: {}", problem.place.in_file(path), problem.malformed)));
    let unverified = notes.unverified.iter();
    build.warnings.extend(unverified.map(|(place, what)| format!("{}: {what}", place.in_file(path))));
    if build.objects.is_empty() && build.errors.is_empty() {
        let targets = if args.arch.is_empty() { String::new() } else { format!(" for {}", args.arch.join(", ")) };
        build.errors.push(format!(
            "there is no code object{targets} in `{}`\ngive the file that holds linked device code",
            path.display()
        ));
    }
    build
}

fn of_code_object(
    path: &Path,
    code_object: &CodeObject<'_>,
    disassembler: &mut Disassembler<'_>,
) -> anyhow::Result<Taken> {
    let map = code_object.funcmap();
    let (functions, unseen) = match disassembler.read(code_object)? {
        Code::Program(program) => (Some(placement(&program, &map.clone().unwrap_or_default())), None),
        Code::Unseen(reason) => (None, Some(reason)),
    };
    let sources = sources(code_object, functions.as_deref().unwrap_or_default());
    let side = Side { place: code_object.place().in_file(path), unseen, sources };
    Ok(Taken { identity: Identity::of(code_object), side, snapshot: Snapshot { map, functions } })
}

/// The source line of each marker.
fn sources(code_object: &CodeObject<'_>, functions: &[FunctionPlacement]) -> SourceOf {
    let lines = Lines::of(code_object.bytes());
    let markers = functions.iter().flat_map(|function| &function.steps).filter_map(|step| match step {
        Step::Marker(marker) => Some(marker.address),
        Step::Landmark(_) => None,
    });
    markers.filter_map(|address| Some((address, lines.find(address)?))).collect()
}

/// Code objects of the same target and kernels; then what is left of a target, in order; then each alone.
fn pair(a: Vec<Taken>, b: Vec<Taken>) -> Vec<(Option<Taken>, Option<Taken>)> {
    let mut candidates = Candidates::new();
    for one in b {
        candidates.add(one.identity.clone(), one);
    }
    let of_kernels: Vec<_> = a.into_iter().map(|one| (candidates.take(&one.identity), one)).collect();
    let mut pairs: Vec<_> = of_kernels
        .into_iter()
        .map(|(other, one)| {
            let other = other.or_else(|| candidates.take_any(&one.identity.target));
            (Some(one), other)
        })
        .collect();
    pairs.extend(candidates.rest().map(|one| (None, Some(one))));
    pairs
}

fn object(args: &DiffArgs, a: Option<Taken>, b: Option<Taken>) -> Object {
    let target = a.as_ref().or(b.as_ref()).map(|one| one.identity.target.to_string()).unwrap_or_default();
    let missing = |other: &Option<Taken>| Snapshot {
        map: None,
        // Nothing there is as much as the other was looked at.
        functions: other.as_ref().and_then(|one| one.snapshot.functions.as_ref()).map(|_| Vec::new()),
    };
    let (a_missing, b_missing) = (missing(&b), missing(&a));
    let snapshot = |one: &Option<Taken>, missing| one.as_ref().map_or(missing, |one| one.snapshot.clone());
    let mut diff = compare(&snapshot(&a, a_missing), &snapshot(&b, b_missing));
    let ignored: Vec<Change> = args.ignore.iter().map(|ignored| ignored.change()).collect();
    diff.ignore(&ignored);
    let (a, b) = (a.map(|one| one.side), b.map(|one| one.side));
    let presence = match (&a, &b) {
        (None, Some(_)) => Some(Change::Added),
        (Some(_), None) => Some(Change::Lost),
        _ => None,
    };
    Object { target, a, b, presence: presence.filter(|change| !ignored.contains(change)), diff }
}
