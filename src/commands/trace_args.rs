//! What the subcommands that read traces have in common: which traces and which of their waves, and how what is wrong with
//! them is told.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};

use super::trace_progress::Bar;
use crate::terminal::printable;
use crate::trace::{self, Diagnostics, Kind, NO_MAP_HINT, Options, Repairs, Selection, Sink, Totals};

/// The arguments of every subcommand that reads traces.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct TraceArgs {
    /// What `rocprofv3 --att` wrote: `ui_` directories, or directories that hold some
    #[arg(required = true, value_name = "DIR")]
    pub dirs: Vec<PathBuf>,
    /// Show C++ names demangled
    #[arg(long)]
    pub demangle: bool,
    /// Only these compute units, `1,4-7`; on gfx10 and later as in the files: WGP, plus 128 in the second shader array
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = numbers, help_heading = "Filters")]
    pub cu: Vec<RangeInclusive<u64>>,
    /// Only these SIMDs
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = numbers, help_heading = "Filters")]
    pub simd: Vec<RangeInclusive<u64>>,
    /// Only these wave slots
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = numbers, help_heading = "Filters")]
    pub wave: Vec<RangeInclusive<u64>>,
    /// Only these shader engines
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = numbers, help_heading = "Filters")]
    pub se: Vec<RangeInclusive<u64>>,
    /// Only directories of these dispatches, by the number in their names
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = numbers, help_heading = "Filters")]
    pub dispatch: Vec<RangeInclusive<u64>>,
    /// Only kernels with this in their names, mangled or demangled
    #[arg(long, value_name = "TEXT", help_heading = "Filters")]
    pub kernel: Option<String>,
    /// Exit with status 1 when anything is wrong with a trace
    #[arg(long)]
    pub strict: bool,
}

/// How messages are shown.
pub struct Messages<'a> {
    /// Where they go.
    pub out: &'a mut dyn Write,
    /// Whether that is a terminal, so that there can be a progress bar.
    pub is_terminal: bool,
}

/// What came out of reading beside what the sink was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Counts of everything.
    pub totals: Totals,
    /// Whether nothing was wrong, or nobody asked for that to matter.
    pub is_accepted: bool,
}

/// How a subcommand that reads traces and makes something of them ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What it makes is written.
    Done,
    /// There is nothing to make, it could not be made of every directory, or something is wrong with a trace and
    /// `--strict` is given.
    Refused,
}

impl Outcome {
    /// The process status that stands for it.
    pub fn status(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Refused => 1,
        }
    }
}

/// Messages about files that are printed; more say nothing new.
const MOST_MESSAGES: usize = 30;

impl TraceArgs {
    /// Reads all traces into `sink`, and then prints what was wrong with them.
    ///
    /// Errors: no trace is there, a directory cannot be read, `sink` or `messages` fails.
    pub fn read(&self, sink: &mut dyn Sink, messages: &mut Messages<'_>) -> anyhow::Result<Reading> {
        self.read_from(&self.dirs, sink, messages)
    }

    /// The same for other directories.
    pub fn read_from(
        &self,
        dirs: &[PathBuf],
        sink: &mut dyn Sink,
        messages: &mut Messages<'_>,
    ) -> anyhow::Result<Reading> {
        self.read_repaired(dirs, Repairs::default(), sink, messages)
    }

    /// The same with `repairs` done, which are of the same directories.
    pub(super) fn read_repaired(
        &self,
        dirs: &[PathBuf],
        repairs: Repairs,
        sink: &mut dyn Sink,
        messages: &mut Messages<'_>,
    ) -> anyhow::Result<Reading> {
        let mut diagnostics = Diagnostics::default();
        let found = trace::discover(dirs, &mut diagnostics).map_err(no_directory)?;
        if found.is_empty() {
            self.print(&diagnostics, messages)?;
            let named: Vec<String> = dirs.iter().map(|dir| format!("`{}`", dir.display())).collect();
            bail!(
                "no `shaderdata_*.json` in {} or below\npass the directory that `rocprofv3 --att -d DIR` wrote; ROCm 7.13 is the first that writes these files",
                named.join(", ")
            );
        }
        let mut bar = Bar::new(messages.is_terminal);
        let options = Options { repairs, ..self.options() };
        let outcome = trace::read(&found, &options, sink, &mut diagnostics, &mut |done, all| bar.show(done, all));
        bar.clear();
        let totals = outcome.context("cannot write")?;
        self.print(&diagnostics, messages)?;
        if diagnostics.of(Kind::UnknownId) > 0 && totals.has_scopes_without_maps() {
            writeln!(messages.out, "sqtt: without a map names are unknown, and payloads are taken for markers")?;
            writeln!(messages.out, "sqtt: {NO_MAP_HINT}")?;
        }
        Ok(Reading { totals, is_accepted: !self.strict || diagnostics.is_empty() })
    }

    fn options(&self) -> Options {
        let selection = Selection {
            engines: self.se.clone(),
            cus: self.cu.clone(),
            simds: self.simd.clone(),
            waves: self.wave.clone(),
            dispatches: self.dispatch.clone(),
            kernel: self.kernel.clone(),
        };
        Options { selection, demangle: self.demangle, ..Options::default() }
    }

    /// Prints what was wrong, as errors if that matters.
    pub(super) fn print(&self, diagnostics: &Diagnostics, messages: &mut Messages<'_>) -> io::Result<()> {
        let severity = if self.strict { "error" } else { "warning" };
        let all = diagnostics.messages();
        for message in all.iter().take(MOST_MESSAGES) {
            writeln!(messages.out, "sqtt: {severity}: {}", printable(message))?;
        }
        if let Some(more) = all.len().checked_sub(MOST_MESSAGES).filter(|more| *more > 0) {
            writeln!(messages.out, "sqtt: {severity}: {more} more like these")?;
        }
        for (kind, count) in diagnostics.counts() {
            let (one, several) = kind.words();
            writeln!(messages.out, "sqtt: {severity}: {count} {}", if count == 1 { one } else { several })?;
        }
        Ok(())
    }
}

impl Reading {
    /// Prints why there are no scopes, if there are none; returns whether there are some.
    pub fn has_scopes(&self, messages: &mut Messages<'_>) -> io::Result<bool> {
        let Some((why, hint)) = self.totals.why_no_scopes() else { return Ok(true) };
        writeln!(messages.out, "sqtt: error: {why}")?;
        writeln!(messages.out, "sqtt: {hint}")?;
        Ok(false)
    }
}

/// What is told when a directory that was named cannot be read.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(super) fn no_directory(error: io::Error) -> anyhow::Error {
    anyhow!("{error}\npass the directory that `rocprofv3 --att -d DIR` wrote")
}

/// `7` or `4-7`.
fn numbers(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| text.trim().parse().map_err(|_| format!("`{text}` is no number; write `7` or `4-7`"));
    match text.split_once('-') {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(format!("`{text}` holds no number; write `{last}-{first}`"));
            }
            Ok(first..=last)
        }
        None => number(text).map(|only| only..=only),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read_and_others_refused() {
        assert_eq!((numbers("7"), numbers("4-6")), (Ok(7..=7), Ok(4..=6)));
        for wrong in ["", "x", "-1", "1-", "0x3", "7-4"] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }
}
