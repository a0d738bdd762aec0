//! Folded stacks: `a;b;c 123`, one line a stack with the cycles of its innermost frame, which every flame graph tool reads.

use std::io::{self, Write};

use super::stacks::Stacks;
use crate::terminal::printable;

/// The lines, sorted.
///
/// A `;` in a name would split its frame and is written as `:`; control characters are escaped. A number that ends a stack
/// would be read as the first of two counts; the space in front of it is written as one that breaks no line.
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
    if let Some(space) = space_before_number(&text) {
        text.replace_range(space..=space, "\u{a0}");
    }
    format!("{text} {cycles}")
}

/// Where the last space is, if only a number and more spaces are behind it.
fn space_before_number(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let space = text.rfind(' ')?;
    let is_number = text[space + 1..].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.'));
    is_number.then_some(space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_a_line() {
        assert_eq!(line(&["a;b", "c d", "e\nf"], 7), "a:b;c d;e\\u{a}f 7");
        assert_eq!(line(&["phase 1", "tile 2"], 7), "phase 1;tile\u{a0}2 7");
        assert_eq!(line(&["a 1.5 "], 7), "a\u{a0}1.5  7");
        assert_eq!(line(&["a 1;2", "3"], 7), "a 1:2;3 7");
    }
}
