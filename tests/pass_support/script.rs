//! The RUN lines of a pass test: a small subset of LLVM's lit, read and expanded, not run.
//!
//! A RUN line is a comment (`;`, `//` or `#`) that starts with `RUN:`, or with `RUN-22:` when it is meant for one LLVM
//! only. A line that ends in `\` goes on in the next RUN line of the same kind. `REQUIRES: llvm22` makes the whole file
//! one for that LLVM. `%name` is replaced from a table; an unknown name is an error, `%%` is a per cent sign.

use std::collections::BTreeMap;

/// What is wrong with the RUN lines of a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScriptError {
    #[error("the file has no RUN line")]
    Empty,
    #[error("line {0}: `\\` at the end, but no RUN line of the same kind follows")]
    Dangling(usize),
    #[error("line {0}: a RUN line without a command")]
    NoCommand(usize),
    #[error("line {line}: `{word}` is not a requirement\nuse one of {known}")]
    UnknownRequirement { line: usize, word: String, known: String },
    #[error("line {line}: `{key}` is not a kind of RUN line\nuse `RUN:` or one of {known}")]
    UnknownKind { line: usize, key: String, known: String },
    #[error("`%{0}` has no meaning\nwrite `%%` for a per cent sign")]
    UnknownSubstitution(String),
}

/// One command line, with the number of the line that it starts on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// A comment line with a key: `; RUN-22: %opt ...` is `("RUN-22", "%opt ...")`.
fn directive(line: &str) -> Option<(&str, &str)> {
    let comment = line.trim_start();
    let body = comment.trim_start_matches([';', '/', '#']);
    if body.len() == comment.len() {
        return None;
    }
    let (key, rest) = body.trim_start().split_once(':')?;
    (key == "REQUIRES" || key == "RUN" || key.starts_with("RUN-")).then_some((key, rest.trim()))
}

/// The commands that `text` asks for under LLVM `major`, one of `majors`.
///
/// Empty when the file is for other versions of LLVM. A file without any RUN line is an error.
pub(crate) fn commands(text: &str, major: u32, majors: &[u32]) -> Result<Vec<Command>, ScriptError> {
    let mut commands: Vec<Command> = Vec::new();
    let mut open: Option<(String, Command)> = None;
    let (mut any, mut required) = (false, true);
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        let Some((key, rest)) = directive(line) else { continue };
        if key == "REQUIRES" {
            required &= requires(rest, number, major, majors)?;
            continue;
        }
        any = true;
        let wanted = is_for(key, number, major, majors)?;
        let (mut command, start) = match open.take() {
            Some((open_key, command)) if open_key == key => (command, false),
            Some((_, command)) => return Err(ScriptError::Dangling(command.line)),
            None => (Command { line: number, text: String::new() }, true),
        };
        let (piece, goes_on) = match rest.strip_suffix('\\') {
            Some(piece) => (piece.trim_end(), true),
            None => (rest, false),
        };
        if !start && !piece.is_empty() {
            command.text.push(' ');
        }
        command.text.push_str(piece);
        if goes_on {
            open = Some((key.to_owned(), command));
        } else if command.text.is_empty() {
            return Err(ScriptError::NoCommand(number));
        } else if wanted {
            commands.push(command);
        }
    }
    match (open, any) {
        (Some((_, command)), _) => Err(ScriptError::Dangling(command.line)),
        (None, false) => Err(ScriptError::Empty),
        (None, true) if required => Ok(commands),
        (None, true) => Ok(Vec::new()),
    }
}

fn requires(list: &str, line: usize, major: u32, majors: &[u32]) -> Result<bool, ScriptError> {
    let mut met = true;
    for word in list.split(',').map(str::trim) {
        let version = majors.iter().find(|known| format!("llvm{known}") == word);
        let version = version.ok_or_else(|| ScriptError::UnknownRequirement {
            line,
            word: word.to_owned(),
            known: listed(majors, "llvm", ""),
        })?;
        met &= *version == major;
    }
    Ok(met)
}

fn is_for(key: &str, line: usize, major: u32, majors: &[u32]) -> Result<bool, ScriptError> {
    let Some(version) = key.strip_prefix("RUN-") else { return Ok(true) };
    let known = majors.iter().find(|known| known.to_string() == version);
    let known = known.ok_or_else(|| ScriptError::UnknownKind {
        line,
        key: format!("{key}:"),
        known: listed(majors, "RUN-", ":"),
    })?;
    Ok(*known == major)
}

fn listed(majors: &[u32], before: &str, after: &str) -> String {
    majors.iter().map(|major| format!("`{before}{major}{after}`")).collect::<Vec<_>>().join(", ")
}

/// `command` with every `%name` replaced. The replacement is pasted as it is: the table holds shell words.
pub(crate) fn expand(command: &str, table: &BTreeMap<&str, String>) -> Result<String, ScriptError> {
    let mut expanded = String::with_capacity(command.len());
    let mut rest = command;
    while let Some(at) = rest.find('%') {
        expanded.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            expanded.push('%');
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        let value = table.get(name).ok_or_else(|| ScriptError::UnknownSubstitution(name.to_owned()))?;
        expanded.push_str(value);
        rest = &rest[end..];
    }
    expanded.push_str(rest);
    Ok(expanded)
}
