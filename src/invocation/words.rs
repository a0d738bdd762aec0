//! The words of a command line as options and inputs, in order; nothing is decided here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::flags::{self, Flag};
use super::response::{self, Word};

/// One option with its value, or one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A known option.
    Option {
        /// Its row.
        flag: &'static Flag,
        /// The word that it stands in.
        word: OsString,
        /// Its value (the last one, if it has several); empty for an option without.
        value: OsString,
    },
    /// An option that the table does not have: forwarded, never interpreted.
    Unknown(OsString),
    /// An input file; `-` is standard input.
    Input {
        /// The file as typed.
        text: OsString,
        /// Whether it stands on the command line itself, where hipcc sees it, not in a response file.
        visible: bool,
    },
}

/// A whole command line, response files read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// Options and inputs in order.
    pub items: Vec<Item>,
    /// A flag of ours inside a response file, with that file: it cannot be taken out, because response files are never
    /// rewritten.
    pub misplaced: Option<(OsString, PathBuf)>,
}

impl CommandLine {
    /// Reads the words that the compiler will get.
    pub fn read(arguments: &[OsString], cwd: &Path, own_prefix: &str) -> CommandLine {
        let mut line = CommandLine::default();
        let mut words = response::expand(arguments, cwd).into_iter();
        let mut only_inputs = false;
        while let Some(word) = words.next() {
            let bytes = word.text.as_bytes();
            if only_inputs || bytes == b"-" || !bytes.starts_with(b"-") {
                line.items.push(Item::Input { visible: word.response_file.is_none(), text: word.text });
            } else if bytes == b"--" {
                only_inputs = true;
            } else {
                line.option(word, &mut words, own_prefix);
            }
        }
        line
    }

    fn option(&mut self, word: Word, following: &mut impl Iterator<Item = Word>, own_prefix: &str) {
        let Some(found) = flags::find(word.text.as_bytes()) else {
            if let (true, Some(file)) = (word.text.as_bytes().starts_with(own_prefix.as_bytes()), word.response_file) {
                self.misplaced.get_or_insert((word.text.clone(), file));
            }
            return self.items.push(Item::Unknown(word.text));
        };
        let joined = found.joined.map(|bytes| OsStr::from_bytes(bytes).to_owned());
        let last = following.take(found.following).last().map(|word| word.text);
        let value = last.or(joined).unwrap_or_default();
        self.items.push(Item::Option { flag: found.flag, word: word.text.clone(), value });
    }
}
