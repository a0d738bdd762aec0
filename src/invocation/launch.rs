//! A launch: the compiler, and what it is to be started through, stand in front of its arguments.
//!
//! `sqtt-hipcc --sqtt-launch ccache clang++ -c a.hip`: what CMake makes of `CMAKE_HIP_COMPILER_LAUNCHER`, and hipcc of
//! `HIP_CLANG_LAUNCHER`.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The flag that starts a launch; it counts only in front of the compiler's words.
pub const FLAG: &str = "--sqtt-launch";
/// The name of the driver's file under which every call is a launch, for those who take a program and no flag of it.
pub const NAME: &str = "sqtt-launch";

/// Programs that start the compiler that follows them.
const LAUNCHERS: &[&str] = &["buildcache", "ccache", "distcc", "icecc", "sccache"];

/// What a launch starts, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Launchers in front of the compiler, with their settings (`ccache depend_mode=true`).
    pub through: Vec<OsString>,
    /// The compiler; empty when it is missing.
    pub compiler: OsString,
}

impl Launch {
    /// Takes the words of a launch off the front of `words`.
    pub(super) fn take(words: &mut Peekable<impl Iterator<Item = OsString>>) -> Launch {
        let mut launch = Launch::default();
        while let Some(word) = words.next_if(|word| !word.as_bytes().starts_with(b"-")) {
            let is_setting = !launch.through.is_empty() && is_assignment(&word);
            if !is_setting && !is_launcher(&word) {
                launch.compiler = word;
                break;
            }
            launch.through.push(word);
        }
        launch
    }
}

fn is_launcher(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default();
    LAUNCHERS.iter().any(|launcher| name == *launcher)
}

/// `KEY=VALUE`, in no way a path.
fn is_assignment(word: &OsStr) -> bool {
    let key = word.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default();
    key.len() < word.len() && !key.contains(&b'/')
}
