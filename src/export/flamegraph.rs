//! Flame graphs as SVG, of one or of the difference between two sets of stacks.

use std::io::{self, Write};

use inferno::{differential, flamegraph};

/// Draws folded `lines`, of which at least one has cycles; with two counts a line, how the second differs from the first.
///
/// Frames have the same colours in every picture. Errors: those of `out`.
pub fn draw(lines: &[String], title: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut options = flamegraph::Options::default();
    options.title = title.to_owned();
    options.count_name = "cycles".to_owned();
    options.name_type = "Scope:".to_owned();
    options.hash = true;
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), out)
}

/// The stacks of two sets of folded lines, each with the cycles before and after, sorted.
///
/// Errors: none that the lines of [`folded`](super::folded) can cause.
pub fn difference(before: &[String], after: &[String]) -> io::Result<Vec<String>> {
    let (before, after) = (before.join("\n"), after.join("\n"));
    let mut lines = Vec::new();
    differential::from_readers(differential::Options::default(), before.as_bytes(), after.as_bytes(), &mut lines)?;
    let mut lines: Vec<String> = String::from_utf8_lossy(&lines).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    Ok(lines)
}
