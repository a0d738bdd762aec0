//! A line of a file with a caret under what is wrong.

use std::ops::Range;
use std::path::Path;

/// Line and column of a byte offset, both from 1; the column counts characters.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

/// The message: `file:line:column: problem`, the line, carets under `span`, and what to do.
pub(super) fn render(file: &Path, text: &str, span: Range<usize>, problem: &str, advice: &str) -> String {
    let (line, column) = position(text, span.start);
    let source = text.lines().nth(line - 1).unwrap_or_default();
    let room = source.chars().count().saturating_sub(column - 1).max(1);
    let marked = text.get(span).unwrap_or_default().lines().next().unwrap_or_default();
    let carets = "^".repeat(marked.chars().count().clamp(1, room));
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let indent: String = source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!(
        "`{}:{line}:{column}`: {problem}\n{number} | {source}\n{gutter} | {indent}{carets}\n{advice}",
        file.display()
    )
}
