//! Runs the command lines of tests.

use std::path::Path;
use std::process::Output;

use crate::process;

/// One command line under a shell that fails when any command of a pipe fails, with `settings` in its environment.
pub(crate) fn run(text: &str, bin: &Path, directory: &Path, settings: &[(&str, &str)]) -> std::io::Result<Output> {
    let mut shell = process::command(Path::new("/bin/bash"), bin, directory);
    shell.envs(settings.iter().copied());
    shell.args(["-e", "-u", "-o", "pipefail", "-c", text]).output()
}
