//! `sqtt flamegraph`: where the cycles of traces went, as folded stacks and as a picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};

use super::doctor::Surroundings;
use super::metered::{self, MeteredArgs};
use super::trace_args::{Messages, Outcome, Reading, TraceArgs};
use crate::export::stacks::Stacks;
use crate::export::whole_file::WholeFile;
use crate::export::{flamegraph, folded, speedscope};
use crate::run::open;

/// The arguments of `sqtt flamegraph`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct FlamegraphArgs {
    /// Which traces.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// What markers cost.
    #[command(flatten)]
    pub metered: MeteredArgs,
    /// The picture
    #[arg(short, long, value_name = "FILE.svg", default_value = "sqtt_flamegraph.svg")]
    pub output: PathBuf,
    /// Open the picture
    #[arg(long)]
    pub show: bool,
    /// Draw how the second directory differs from the first, of which there are two
    #[arg(long, conflicts_with = "speedscope")]
    pub diff: bool,
    /// Write a file for speedscope.app, too; `sqtt_flamegraph.speedscope.json` if none is named
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, require_equals = true,
          default_missing_value = "sqtt_flamegraph.speedscope.json")]
    pub speedscope: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Folded stacks go to standard output: `code_object_2;kernel;scope;inner 123`, in cycles of the shader clock, summed over all
waves. With --diff a line has two counts, before and after, and red in the picture is more than before. Several ui_
directories are read one by one, as each has its own time, and summed. With --cost the cycles in which markers
themselves issued are in frames of their own: `[markers]` what they took at least, `[markers?]` what they can have taken
beside it; what stays with a scope is the program's own. docs/cost.md explains it. With --repair, time that ends
where a record is lost is in a frame `[inferred]`; docs/check.md explains it.

Exit status: 0 when there are stacks, 1 when there are none, or with --strict when anything is wrong with a trace, 2 when
a directory could not be read or a file not be written.";

/// Writes the folded stacks to `out`, the picture to its file, and what is wrong with the traces to `messages`. Programs are
/// looked for in `surroundings`.
///
/// Errors: no trace can be read; something cannot be written, or the picture not be opened.
pub fn run(
    args: &FlamegraphArgs,
    surroundings: &Surroundings<'_>,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> anyhow::Result<Outcome> {
    let (lines, is_accepted) =
        if args.diff { difference(args, surroundings, messages)? } else { stacks(args, surroundings, messages)? };
    if lines.is_empty() {
        return Ok(Outcome::Refused);
    }
    lines.iter().try_for_each(|line| writeln!(out, "{line}")).context("cannot write")?;
    out.flush().context("cannot write")?;
    let mut title = "Cycles by scope".to_owned();
    title += if args.metered.cost { ", markers apart" } else { "" };
    title += if args.diff { ", difference" } else { "" };
    let mut picture = Vec::new();
    flamegraph::draw(&lines, &title, &mut picture).context("cannot draw")?;
    write(&args.output, &picture)?;
    if args.show {
        open::open(&args.output, surroundings.environment.get("PATH"))?;
    }
    Ok(if is_accepted { Outcome::Done } else { Outcome::Refused })
}

/// The folded lines of all traces; none when there is nothing to draw.
fn stacks(
    args: &FlamegraphArgs,
    surroundings: &Surroundings<'_>,
    messages: &mut Messages<'_>,
) -> anyhow::Result<(Vec<String>, bool)> {
    let Some((stacks, is_accepted)) = read(args, &args.trace.dirs, surroundings, messages)? else {
        return Ok((Vec::new(), false));
    };
    if let Some(file) = &args.speedscope {
        let mut document = Vec::new();
        speedscope::write(&stacks, &mut document).context("cannot write")?;
        write(file, &document)?;
    }
    Ok((folded::lines(&stacks), is_accepted))
}

fn difference(
    args: &FlamegraphArgs,
    surroundings: &Surroundings<'_>,
    messages: &mut Messages<'_>,
) -> anyhow::Result<(Vec<String>, bool)> {
    let [before, after] = args.trace.dirs.as_slice() else {
        bail!("`--diff` needs two directories, before and after\npass both: `sqtt flamegraph --diff BEFORE AFTER`");
    };
    let (mut sides, mut are_accepted) = (Vec::new(), true);
    for dir in [before, after] {
        let Some((stacks, is_accepted)) = read(args, std::slice::from_ref(dir), surroundings, messages)? else {
            return Ok((Vec::new(), false));
        };
        are_accepted &= is_accepted;
        sides.push(folded::lines(&stacks));
    }
    Ok((flamegraph::difference(&sides[0], &sides[1])?, are_accepted))
}

/// The stacks of the traces in `dirs`, and whether these are accepted; nothing when there is nothing to draw.
fn read(
    args: &FlamegraphArgs,
    dirs: &[PathBuf],
    surroundings: &Surroundings<'_>,
    messages: &mut Messages<'_>,
) -> anyhow::Result<Option<(Stacks, bool)>> {
    let mut stacks = Stacks::default();
    let (reading, taken) = args.metered.read(&args.trace, dirs, surroundings, &mut stacks, messages)?;
    if !has_time(&reading, &stacks, messages)? {
        return Ok(None);
    }
    if let Some(taken) = taken {
        metered::print(&taken, "sqtt: ", messages.out)?;
        stacks.set_markers_apart();
    }
    Ok(Some((stacks, reading.is_accepted)))
}

/// Whether there is something to draw; says why if not.
fn has_time(reading: &Reading, stacks: &Stacks, messages: &mut Messages<'_>) -> anyhow::Result<bool> {
    if !reading.has_scopes(messages)? {
        return Ok(false);
    }
    if stacks.is_empty() {
        writeln!(messages.out, "sqtt: error: no scope lasted a cycle")?;
        writeln!(messages.out, "sqtt: look at the records: `sqtt records DIR`")?;
        return Ok(false);
    }
    Ok(true)
}

fn write(file: &Path, contents: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let mut whole = WholeFile::create(file)?;
        whole.write_all(contents)?;
        whole.commit(false)
    };
    write().map(drop).map_err(|error| anyhow!("cannot write: {error}\nname another file"))
}
