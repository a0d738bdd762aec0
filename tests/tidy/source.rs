//! The source tree as tidy rules see it: files, and Rust text taken apart into code, strings and test modules.

use std::path::{Path, PathBuf};

/// A text file of the repository.
#[derive(Clone)]
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A line of Rust without its comments.
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    /// The line with every string literal emptied.
    pub(crate) code: String,
    /// What is between the quotes of the string literals that begin on the line.
    pub(crate) strings: Vec<String>,
    /// Inside a `#[cfg(test)]` module.
    pub(crate) test: bool,
}

/// Every file under the root that is text, without build output and history.
pub(crate) fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = vec![root.to_path_buf()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(&directory).expect("the source tree is readable") {
            let path = entry.expect("the source tree is readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != ".git" && name != "target" {
                    pending.push(path);
                }
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let relative = path.strip_prefix(root).expect("it is below the root");
                found.push(File { path: relative.to_string_lossy().into_owned(), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Does `word` stand in `code` as a word of its own?
pub(crate) fn has_word(code: &str, word: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    code.match_indices(word).any(|(at, _)| !code[..at].ends_with(part) && !code[at + word.len()..].starts_with(part))
}

/// Is one of `words` in `code`?
pub(crate) fn has_any(code: &str, words: &[&str]) -> bool {
    words.iter().any(|word| has_word(code, word))
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Is it source of ours: Rust, C++, HIP or shell?
    pub(crate) fn is_source(&self) -> bool {
        self.is_shell() || [".rs", ".hpp", ".cc", ".hip"].iter().any(|suffix| self.path.ends_with(suffix))
    }

    /// A test by where it is: its own rules are those for tests.
    pub(crate) fn is_test(&self) -> bool {
        ["tests/", "plugin/tests/", "plugin/contract/tests/"].iter().any(|tests| self.path.starts_with(tests))
            || self.path.ends_with("/tests.rs")
            || self.path.contains("/tests/")
    }

    /// Is it `place`, or below it when that ends with `/`?
    pub(crate) fn is_in(&self, place: &str) -> bool {
        self.path == place || (place.ends_with('/') && self.path.starts_with(place))
    }

    /// A shell script, by name or by its first line.
    pub(crate) fn is_shell(&self) -> bool {
        self.path.ends_with(".sh") || self.text.starts_with("#!/usr/bin/env bash") || self.text.starts_with("#!/bin/sh")
    }

    /// The modules of its own crate that code outside tests names by `crate::`.
    pub(crate) fn crate_modules(&self) -> Vec<String> {
        let lines = self.rust_lines();
        let code: Vec<&str> = lines.iter().filter(|line| !line.test).map(|line| line.code.trim()).collect();
        let code = code.join(" ");
        let paths = code.match_indices("crate::").flat_map(|(at, prefix)| first_names(&code[at + prefix.len()..]));
        let is_module = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
        paths.filter(is_module).map(str::to_owned).collect()
    }

    /// Rust text, line by line.
    pub(crate) fn rust_lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut scanner = Scanner::default();
        for (index, text) in self.text.lines().enumerate() {
            let (code, strings) = scanner.line(text);
            lines.push(Line { number: index + 1, code, strings, test: self.is_test() });
        }
        mark_test_modules(&mut lines);
        lines
    }
}

/// The identifier that `path` starts with or, of a group in braces, those that its members start with.
fn first_names(path: &str) -> Vec<&str> {
    fn identifier(text: &str) -> &str {
        let text = text.trim_start();
        let end = text.find(|character: char| !character.is_alphanumeric() && character != '_');
        &text[..end.unwrap_or(text.len())]
    }
    let Some(group) = path.strip_prefix('{') else { return vec![identifier(path)] };
    let mut names = vec![identifier(group)];
    let mut depth = 1;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(identifier(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

/// Marks the lines of every `#[cfg(test)] mod name { ... }`; rustfmt puts its brace under its first letter.
fn mark_test_modules(lines: &mut [Line]) {
    let mut at = 0;
    while at + 1 < lines.len() {
        let (attribute, opening) = (&lines[at].code, &lines[at + 1].code);
        if attribute.trim() == "#[cfg(test)]" && opening.trim_start().starts_with("mod ") && opening.ends_with('{') {
            let indent = attribute.len() - attribute.trim_start().len();
            let closing = format!("{}}}", " ".repeat(indent));
            while at < lines.len() && lines[at].code != closing {
                lines[at].test = true;
                at += 1;
            }
        }
        at += 1;
    }
}

/// Where the scanner stands between two characters of Rust text.
#[derive(Default)]
enum State {
    #[default]
    Code,
    /// How many `/*` are open.
    Comment(usize),
    /// The number of `#` that close it, `None` where backslashes escape.
    Text(Option<usize>),
}

/// Takes Rust text apart. No full lexer: enough for formatted code that compiles.
#[derive(Default)]
struct Scanner {
    state: State,
    strings: Vec<String>,
}

impl Scanner {
    fn line(&mut self, text: &str) -> (String, Vec<String>) {
        let mut code = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let taken = match self.state {
                State::Code => match self.code(rest, &mut code) {
                    Some(taken) => taken,
                    None => break,
                },
                State::Comment(depth) => self.comment(rest, depth),
                State::Text(hashes) => self.text(rest, hashes, &mut code),
            };
            rest = &rest[taken..];
        }
        (code.trim_end().to_owned(), std::mem::take(&mut self.strings))
    }

    /// Takes one token of code; `None` where the rest is a comment.
    fn code(&mut self, rest: &str, code: &mut String) -> Option<usize> {
        if rest.starts_with("//") {
            return None;
        }
        if rest.starts_with("/*") {
            self.state = State::Comment(1);
            return Some(2);
        }
        let word_before = code.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        for prefix in ["br", "cr", "r"] {
            let Some(after) = rest.strip_prefix(prefix).filter(|_| !word_before) else { continue };
            let hashes = after.len() - after.trim_start_matches('#').len();
            if after[hashes..].starts_with('"') {
                return Some(self.open(Some(hashes), prefix.len() + hashes + 1, code));
            }
        }
        if rest.starts_with('"') {
            return Some(self.open(None, 1, code));
        }
        if let Some(length) = character_literal(rest) {
            code.push_str("''");
            return Some(length);
        }
        let first = rest.chars().next()?;
        code.push(first);
        Some(first.len_utf8())
    }

    fn open(&mut self, hashes: Option<usize>, length: usize, code: &mut String) -> usize {
        self.state = State::Text(hashes);
        self.strings.push(String::new());
        code.push('"');
        length
    }

    fn comment(&mut self, rest: &str, depth: usize) -> usize {
        if rest.starts_with("*/") {
            self.state = if depth == 1 { State::Code } else { State::Comment(depth - 1) };
            2
        } else if rest.starts_with("/*") {
            self.state = State::Comment(depth + 1);
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        }
    }

    fn text(&mut self, rest: &str, hashes: Option<usize>, code: &mut String) -> usize {
        let closing = format!("\"{}", "#".repeat(hashes.unwrap_or(0)));
        if rest.starts_with(&closing) {
            self.state = State::Code;
            code.push('"');
            return closing.len();
        }
        let escape = usize::from(hashes.is_none() && rest.starts_with('\\'));
        let length = rest.chars().take(1 + escape).map(char::len_utf8).sum();
        // A string that began on an earlier line counts for the line that its text is on.
        if self.strings.is_empty() {
            self.strings.push(String::new());
        }
        if let Some(string) = self.strings.last_mut() {
            string.push_str(&rest[..length]);
        }
        length
    }
}

/// The length of the character literal at the start of `rest`, if it is one and no lifetime.
fn character_literal(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if let Some(escape) = inner.strip_prefix('\\') {
        let first = escape.chars().next()?.len_utf8();
        return escape[first..].find('\'').map(|end| 2 + first + end + 1);
    }
    let first = inner.chars().next()?.len_utf8();
    inner[first..].starts_with('\'').then_some(first + 2)
}
