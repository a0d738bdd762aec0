//! Looks up rows of the table: by a name, and by what a mistyped name was likely meant to be.

use super::{PREFIX, Reader, TABLE, Variable};
use crate::spelling;

/// The row of the variable `name`.
pub fn find(name: &str) -> Option<&'static Variable> {
    TABLE.iter().find(|variable| variable.name == name)
}

/// The row of the flag `flag`, without [`FLAG_PREFIX`](super::FLAG_PREFIX) and `=`.
pub fn find_flag(flag: &str) -> Option<&'static Variable> {
    TABLE.iter().find(|variable| variable.flag == Some(flag))
}

/// The row of the `sqtt.toml` path `key`.
pub fn find_key(key: &str) -> Option<&'static Variable> {
    TABLE.iter().find(|variable| variable.key == Some(key))
}

/// The variable that the unknown `name` was likely meant to be; internal ones are never suggested.
///
/// A name made of a flag counts too: `SQTT_FUNCTIONS` is near to [`INSTRUMENT_FUNCTIONS`](super::INSTRUMENT_FUNCTIONS).
pub fn nearest(name: &str) -> Option<&'static Variable> {
    // Without the common prefix, which would make everything similar.
    let word = name
        .get(..PREFIX.len())
        .filter(|head| head.eq_ignore_ascii_case(PREFIX))
        .map_or(name, |_| &name[PREFIX.len()..]);
    let candidates = TABLE.iter().filter(|variable| variable.reader != Reader::Internal).flat_map(|variable| {
        let own = (variable, variable.name.trim_start_matches(PREFIX).to_owned());
        [Some(own), variable.flag.map(|flag| (variable, flag.replace('-', "_")))].into_iter().flatten()
    });
    spelling::nearest(word, candidates)
}

/// The row whose flag the unknown `flag` (without [`FLAG_PREFIX`](super::FLAG_PREFIX) and `=`) was likely meant to be.
pub fn nearest_flag(flag: &str) -> Option<&'static Variable> {
    spelling::nearest(flag, TABLE.iter().filter_map(|variable| Some((variable, variable.flag?))))
}

/// The row whose `sqtt.toml` path the unknown `key` was likely meant to be; a key in the wrong table counts too.
pub fn nearest_key(key: &str) -> Option<&'static Variable> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let rows = || TABLE.iter().filter_map(|variable| Some((variable, variable.key?)));
    spelling::nearest(key, rows())
        .or_else(|| spelling::nearest(&last(key), rows().map(|(variable, path)| (variable, last(path)))))
}
