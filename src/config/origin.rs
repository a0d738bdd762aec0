//! Where a value was set.

use std::fmt;
use std::path::{Path, PathBuf};

use sqtt_contract::variables::{FLAG_PREFIX, Kind, Variable};

/// The source of a value, as messages name it: `--sqtt-functions=`, the variable, `sqtt.toml:3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// No source: the default of the contract.
    #[default]
    Default,
    /// A settings file.
    File {
        /// The file, absolute.
        path: PathBuf,
        /// The file as messages show it: from the working directory where it is below that.
        shown: PathBuf,
        /// Line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment(&'static str),
    /// A `--sqtt-*` flag, as its row spells it.
    Flag(String),
}

impl Origin {
    /// The flag of `variable`.
    pub fn flag(variable: &Variable) -> Origin {
        let equals = if variable.kind == Kind::Bool { "" } else { "=" };
        Origin::Flag(format!("{FLAG_PREFIX}{}{equals}", variable.flag.unwrap_or_default()))
    }

    /// A line of the settings file `path`.
    pub fn file(path: &Path, cwd: &Path, line: usize) -> Origin {
        let shown = path.strip_prefix(cwd).unwrap_or(path).to_path_buf();
        Origin::File { path: path.to_path_buf(), shown, line }
    }

    /// The directory that relative paths of this source are taken from; `None` for the working directory.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Origin::File { path, .. } => path.parent(),
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { shown, line, .. } => write!(f, "{}:{line}", shown.display()),
            Origin::Environment(name) => f.write_str(name),
            Origin::Flag(flag) => f.write_str(flag),
        }
    }
}
