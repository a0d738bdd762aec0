//! Processes in a known environment: nothing of the caller's, so no setting can leak into a test.

use std::path::Path;
use std::process::{Command, Stdio};

/// `program` with the LLVM programs of `bin` first on its path, in `directory`, which is also its TMPDIR.
pub(crate) fn command(program: &Path, bin: &Path, directory: &Path) -> Command {
    let mut path = bin.as_os_str().to_owned();
    path.push(":/usr/bin:/bin");
    let mut command = Command::new(program);
    command.env_clear().env("LC_ALL", "C").env("PATH", path).env("TMPDIR", directory);
    command.current_dir(directory).stdin(Stdio::null());
    command
}
