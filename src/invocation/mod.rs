//! What was typed: the verbatim argument vector and a classified view of it.
//!
//! ```text
//! argv -> Invocation -> CommandLine -> Reading -> Answer, outputs
//!         verbatim      options and    meaning    instrument / pass through because ... / not a compilation
//!                       inputs
//! ```
//!
//! The view never becomes an argument vector again: what is forwarded is the verbatim one.

pub mod answer;
mod flag_table;
pub mod flags;
pub mod language;
pub mod launch;
pub mod outputs;
pub mod reading;
pub mod response;
pub mod words;

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sqtt_contract::variables::FLAG_PREFIX;

pub use answer::{Answer, Circumstances, Purpose, Reason, Work, classify};
pub use flags::DeviceLto;
pub use language::Rules;
pub use launch::Launch;
pub use outputs::{Origin, Output, predict};
pub use reading::Reading;
pub use words::CommandLine;

/// The words of one call, our own apart from the compiler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// `--sqtt-*` words in order.
    pub own: Vec<OsString>,
    /// The compiler, when the call names it.
    pub launch: Option<Launch>,
    /// All other words, in order and untouched.
    pub forwarded: Vec<OsString>,
    /// The working directory.
    pub cwd: PathBuf,
}

impl Invocation {
    /// Takes our own words out of `arguments` (argv without `argv[0]`). After `--` there are none: all of it is
    /// hipcc's.
    ///
    /// `launches` says that the driver's own name is [`launch::NAME`].
    pub fn split(arguments: impl IntoIterator<Item = OsString>, cwd: PathBuf, launches: bool) -> Invocation {
        let mut invocation = Invocation { own: Vec::new(), launch: None, forwarded: Vec::new(), cwd };
        let mut words = arguments.into_iter().peekable();
        let is_ours = |word: &OsString| word.as_bytes().starts_with(FLAG_PREFIX.as_bytes());
        let mut launches = launches;
        while let Some(word) = words.next_if(is_ours) {
            match word == launch::FLAG {
                true => launches = true,
                false => invocation.own.push(word),
            }
        }
        if launches {
            invocation.launch = Some(Launch::take(&mut words));
        }
        let mut ended = false;
        for word in words {
            ended |= word == "--";
            match !ended && is_ours(&word) {
                true => invocation.own.push(word),
                false => invocation.forwarded.push(word),
            }
        }
        invocation
    }

    /// Options and inputs as the compiler will see them, response files read.
    pub fn read(&self) -> CommandLine {
        CommandLine::read(&self.forwarded, &self.cwd, FLAG_PREFIX)
    }
}

/// The directory of the first input that looks like a source, if there is one.
pub fn first_source_directory(line: &CommandLine, cwd: &Path) -> Option<PathBuf> {
    let source = line.items.iter().find_map(|item| match item {
        words::Item::Input { text, .. } if language::looks_like_source(text) => Some(text),
        _ => None,
    })?;
    cwd.join(source).parent().map(Path::to_path_buf)
}
