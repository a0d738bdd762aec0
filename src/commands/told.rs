//! What subcommands could not look at, as messages of the program.

use std::io::{self, Write};

use crate::terminal::printable;

/// Prints each of `texts`, which can have lines: the first behind the name of the program and `severity`, the others, which
/// say what to do, behind the name alone.
pub(super) fn tell<'a>(
    severity: &str,
    texts: impl IntoIterator<Item = &'a String>,
    messages: &mut dyn Write,
) -> io::Result<()> {
    for text in texts {
        for (number, line) in text.lines().enumerate() {
            match number {
                0 => writeln!(messages, "sqtt: {severity}: {}", printable(line))?,
                _ => writeln!(messages, "sqtt: {}", printable(line))?,
            }
        }
    }
    Ok(())
}
