//! Folded stacks: `a;b;c 123`, one line a stack with the cycles of its innermost frame, which every flame graph tool reads.

use std::io::{self, Write};

use super::stacks::Stacks;
use crate::terminal::printable;

/// The lines, sorted.
///
/// A `;` in a name would split its frame and is written as `:`; control characters are escaped.
pub fn lines(stacks: &Stacks) -> Vec<String> {
    let mut lines: Vec<String> = stacks.iter().map(|stack| line(&stack.frames, stack.cycles)).collect();
    lines.sort_unstable();
    lines
}

/// Writes the lines to `out`.
///
/// Errors: those of `out`.
pub fn write(stacks: &Stacks, out: &mut dyn Write) -> io::Result<()> {
    lines(stacks).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn line(frames: &[&str], cycles: u64) -> String {
    let mut text = String::new();
    for frame in frames {
        if !text.is_empty() {
            text.push(';');
        }
        if frame.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b';') {
            text += frame;
        } else {
            text += &printable(frame).to_string().replace(';', ":");
        }
    }
    format!("{text} {cycles}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_a_line() {
        assert_eq!(line(&["a;b", "c d", "e\nf"], 7), "a:b;c d;e\\u{a}f 7");
    }
}
