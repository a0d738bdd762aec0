//! Opens a file with the program that the user's desktop has for it.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

/// The opener of desktops that keep to freedesktop.org.
const OPENER: &str = "xdg-open";

/// A file could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// There is no opener.
    #[error("cannot open `{}`: no `{OPENER}` on PATH\ninstall xdg-utils, or open the file in a browser", file.display())]
    NoOpener {
        /// The file.
        file: PathBuf,
    },
    /// It does not start, or not do its work.
    #[error("cannot open `{}`: `{OPENER}`: {reason}\nopen the file in a browser", file.display())]
    Failed {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Opens `file`; the opener is looked for in `path`, the value of `PATH`. Comes back when the opener has passed it on.
pub fn open(file: &Path, path: Option<&OsStr>) -> Result<(), OpenError> {
    let opener = path.and_then(|path| which::which_in_global(OPENER, Some(path)).ok()?.next());
    let Some(opener) = opener else { return Err(OpenError::NoOpener { file: file.to_owned() }) };
    let failed = |reason| OpenError::Failed { file: file.to_owned(), reason };
    let status = Command::new(opener).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(failed(io::Error::other(status.to_string()))) }
}
