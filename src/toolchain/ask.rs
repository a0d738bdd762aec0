//! Runs a compiler for what it says, beside the compile proper.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use crate::run::Change;

/// What `program` says on both streams; how it ends does not matter. Fails when it does not start.
pub fn ask(program: &Path, words: &[OsString], changes: &[Change], cwd: &Path) -> io::Result<Vec<u8>> {
    let mut command = duct::cmd(program, words).dir(cwd).stdin_null().stderr_to_stdout().stdout_capture().unchecked();
    for (name, value) in changes {
        command = match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ok(command.run()?.stdout)
}
