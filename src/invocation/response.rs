//! Response files (`@file`), read to classify a call. Never rewritten, never expanded in what is forwarded.
//!
//! Words are split as clang splits them: blanks separate, `'` and `"` quote, a backslash takes the next byte as it is
//! (in quotes too); a nested `@file` is relative to the working directory, not to the file that names it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Files in files in files: clang has no limit but stops at a cycle; the limit stops us at one.
const MAX_DEPTH: usize = 32;

/// A word as the compiler will see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text, quotes removed.
    pub text: OsString,
    /// The outermost response file that it comes from; `None` for a word of the command line itself.
    pub response_file: Option<PathBuf>,
}

/// All words of a command line, response files replaced by what they hold.
///
/// A file that cannot be read, or is not a regular file, stays the word that it is: reading a pipe would take its
/// contents away from the compiler, and clang treats a missing file as an input too.
pub fn expand(arguments: &[OsString], cwd: &Path) -> Vec<Word> {
    let mut words = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match file_of(argument, cwd) {
            Some(path) => {
                let mut texts = Vec::new();
                expand_file(argument, &path, cwd, MAX_DEPTH, &mut texts);
                words.extend(texts.into_iter().map(|text| Word { text, response_file: Some(path.clone()) }));
            }
            None => words.push(Word { text: argument.clone(), response_file: None }),
        }
    }
    words
}

fn expand_file(argument: &OsStr, path: &Path, cwd: &Path, depth: usize, texts: &mut Vec<OsString>) {
    let bytes = match fs_err::read(path) {
        Ok(bytes) if depth > 0 => bytes,
        Ok(_) => return,
        Err(error) => {
            tracing::debug!(%error, "response file not read");
            return texts.push(argument.to_owned());
        }
    };
    for text in split(&bytes) {
        match file_of(&text, cwd) {
            Some(nested) => expand_file(&text, &nested, cwd, depth - 1, texts),
            None => texts.push(text),
        }
    }
}

/// The regular file that a word `@file` names.
fn file_of(word: &OsStr, cwd: &Path) -> Option<PathBuf> {
    let name = word.as_bytes().strip_prefix(b"@")?;
    let path = cwd.join(OsStr::from_bytes(name));
    path.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(path)
}

/// The words in the contents of a response file.
pub fn split(contents: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = contents.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(contents).iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => word.get_or_insert_default().push(bytes.next().unwrap_or(b'\\')),
            _ if quote == Some(byte) => quote = None,
            _ if quote.is_some() => word.get_or_insert_default().push(byte),
            b'\'' | b'"' => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            b' ' | b'\t' | b'\r' | b'\n' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}
