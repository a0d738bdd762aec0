//! What can be wrong with the settings of a call.

use std::path::PathBuf;

use sqtt_contract::marker::LayoutError;
use sqtt_contract::settings::{Conflict, Invalid};
use sqtt_contract::variables::LOG;
use thiserror::Error;

use super::origin::Origin;

/// A setting that cannot be used. Nothing is compiled then. `Display` may have several lines.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A value that its variable does not take.
    #[error("`{origin}`: {invalid}")]
    Invalid {
        /// Where it was set.
        origin: Origin,
        /// What is wrong, accepted and near.
        invalid: Box<Invalid>,
    },
    /// Two features that exclude each other.
    #[error("`{}` and `{}`: {conflict}; leave one of them out", origins[0], origins[1])]
    Conflict {
        /// Where they were switched on.
        origins: Box<[Origin; 2]>,
        /// Which they are.
        conflict: Conflict,
    },
    /// A shader clock window that no marker can carry.
    #[error("{}: {problem}", all(origins))]
    Layout {
        /// Where width and lowest bit were set, those of them that were.
        origins: Vec<Origin>,
        /// What is wrong.
        problem: LayoutError,
    },
    /// A `--sqtt-*` word that is none of ours, or not in the right form.
    #[error("{problem}")]
    Flag {
        /// What is wrong and what would be right.
        problem: String,
    },
    /// A profile that the settings file does not have.
    #[error("`{origin}`: {problem}")]
    Profile {
        /// Who chose it.
        origin: Origin,
        /// What is wrong and what there is.
        problem: String,
    },
    /// A settings file that cannot be found or read.
    #[error("`{origin}`: {source}; name another file or none")]
    Unreadable {
        /// Who named the file; the file itself when it was found.
        origin: String,
        /// Why.
        source: std::io::Error,
    },
    /// Text of a settings file that cannot be used: syntax, unknown key, wrong type. Message, line and caret.
    #[error("{0}")]
    Text(String),
    /// The log's filter is none.
    #[error("`{LOG}`: {error}; accepted: a filter of the tracing crate, such as `debug`")]
    Log {
        /// What is wrong with it.
        error: String,
    },
    /// A flag of ours in a response file.
    #[error("`{}` stands in the response file `{}`, which is never rewritten; move it to the command line", flag.display(), file.display())]
    Misplaced {
        /// The word.
        flag: std::ffi::OsString,
        /// The response file.
        file: PathBuf,
    },
}

/// Places in backquotes, with `and` between them.
fn all(origins: &[Origin]) -> String {
    origins.iter().map(|origin| format!("`{origin}`")).collect::<Vec<_>>().join(" and ")
}
