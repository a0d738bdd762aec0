//! Runs the commands of `console` blocks where a reader would, and holds what they print to what is shown. A line `$ ...`
//! is a command for a shell, the lines up to the next its output: `...` stands for any lines, `[..]` for any text in one.
//! Not a test itself.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use snapbox::Assert;

use crate::{llvm, real};

/// A directory with what the documents speak of: `examples/`, sample traces in `traces/`, a hipcc, and the programs in PATH.
/// It stays the same for all blocks, as a reader's does.
pub(crate) struct Sandbox {
    directory: tempfile::TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let link = |to: &str, name: &str| {
            symlink(Path::new(real::ROOT).join(to), directory.path().join(name)).expect("the directory is writable");
        };
        link("examples", "examples");
        link("tests/fixtures/trace", "traces");
        Sandbox { directory }
    }

    /// Runs the commands of `block`, which stands in the document `page`; says how many.
    pub(crate) fn run(&self, page: &str, block: &str) -> usize {
        let mut commands = 0;
        for part in block.split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            let output = self.command(command).output().expect("bash runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{page}: `{command}` failed:\n{said}");
            let printed = String::from_utf8(output.stdout).expect("the output is UTF-8");
            let about = format!("{page}: {command}");
            let result = Assert::new().try_eq(Some(&about), printed.into(), expected.to_owned().into());
            result.unwrap_or_else(|difference| panic!("{difference}"));
            commands += 1;
        }
        commands
    }

    fn command(&self, command: &str) -> Command {
        let driver = real::driver(&real::hipcc(&llvm::releases()[1]));
        let mut bash = Command::new("bash");
        bash.args(["-ec", command]).current_dir(self.directory.path());
        for (name, value) in driver.get_envs() {
            match value {
                Some(value) => bash.env(name, value),
                None => bash.env_remove(name),
            };
        }
        bash.env("PATH", real::path_with_driver());
        bash
    }
}
