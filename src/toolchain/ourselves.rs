//! Whether a candidate for the compiler is this very program: found as `hipcc` it would call itself for ever.
//!
//! Not a proof: a script can start us in ways that cannot be seen from outside; for those there is the recursion
//! guard in the environment of the compiler.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::identity::FileIdentity;

/// A script longer than this is not read; wrappers are short, hipcc's Perl is 28 KB.
const LONGEST_SCRIPT_BYTES: u64 = 64 * 1024;

/// Whether `candidate` is `own`: the same file through links of any kind, a copy of it, or a script that starts it.
pub(super) fn is_ourselves(candidate: &Path, own: &Path) -> bool {
    let (Ok(file), Ok(own_file)) = (FileIdentity::of(candidate), FileIdentity::of(own)) else {
        return false;
    };
    file.is_same_file(&own_file)
        || (file.bytes == own_file.bytes && is_copy(candidate, own))
        || (file.bytes <= LONGEST_SCRIPT_BYTES && is_script_for(candidate, own, &own_file))
}

fn is_copy(candidate: &Path, own: &Path) -> bool {
    matches!((std::fs::read(candidate), std::fs::read(own)), (Ok(candidate), Ok(own)) if candidate == own)
}

/// Whether `candidate` is a script with a word, outside its comments, that is a path to us or our own name.
fn is_script_for(candidate: &Path, own: &Path, own_file: &FileIdentity) -> bool {
    let mut text = Vec::new();
    let read = File::open(candidate).and_then(|file| file.take(LONGEST_SCRIPT_BYTES).read_to_end(&mut text));
    if read.is_err() || !text.starts_with(b"#!") {
        return false;
    }
    // Under a name such as `hipcc` our name says nothing: the real hipcc's scripts name each other.
    let own_name = own.file_name().filter(|name| name.to_string_lossy().contains("sqtt"));
    String::from_utf8_lossy(&text)
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "\"'`;=(){}&|".contains(c)))
        .filter(|word| !word.is_empty())
        .any(|word| names_us(word, own_name, own_file))
}

fn names_us(word: &str, own_name: Option<&OsStr>, own_file: &FileIdentity) -> bool {
    let path = Path::new(word);
    (own_name.is_some() && path.file_name() == own_name)
        || (path.is_absolute() && FileIdentity::of(path).is_ok_and(|file| file.is_same_file(own_file)))
}
