//! The process environment, read once in `main` and passed as data.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// A snapshot of the environment variables. Not a live view: nothing in this crate sets a variable of its own process.
#[derive(Clone, Debug, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// Reads the process environment. Called by the mains only.
    pub fn capture() -> Environment {
        std::env::vars_os().collect()
    }

    /// The value of `name`, if it is set (possibly to nothing).
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.0.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// The value of `name`, if it is set to something.
    pub fn get_non_empty(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// All variables in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl FromIterator<(OsString, OsString)> for Environment {
    fn from_iter<I: IntoIterator<Item = (OsString, OsString)>>(variables: I) -> Environment {
        Environment(variables.into_iter().collect())
    }
}
