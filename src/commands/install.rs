//! `sqtt install --prefix=DIR`: both programs, and the driver's other names, below a directory.
//!
//! CMake refuses a HIP compiler whose path contains `hipcc`, ours too: there it is called by a name and in a directory
//! that do not.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::invocation::launch;

/// The driver's own name.
const DRIVER: &str = "sqtt-hipcc";
/// The reader's.
const READER: &str = "sqtt";
/// What the driver is called where it stands for clang.
const CLANG: &str = "sqtt-clang++";
/// What CMake does not want to see in the path of a HIP compiler.
const REFUSED: &str = "hipcc";

/// The words after `sqtt install`.
#[derive(Clone, Debug, clap::Args)]
pub struct InstallArgs {
    /// Where to put `bin/sqtt-hipcc`, `bin/sqtt`, `bin/sqtt-clang++` and `bin/sqtt-launch`
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

/// Puts the programs in their place and prints their paths, one a line. What is there already is replaced as a whole, so
/// that builds that use it go on.
///
/// Fails when the prefix has `hipcc` in its path, when the driver is not beside this program, and as file systems do.
pub fn run(args: &InstallArgs, own_executable: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let bin = std::path::absolute(&args.prefix).context("the prefix cannot be used")?.join("bin");
    if bin.to_string_lossy().contains(REFUSED) {
        bail!(
            "CMake refuses a HIP compiler whose path contains `{REFUSED}`, as `{}` does\nchoose another prefix",
            bin.display()
        );
    }
    fs_err::create_dir_all(&bin)?;
    for (name, source) in [(DRIVER, own_executable.with_file_name(DRIVER)), (READER, own_executable.to_owned())] {
        let path = bin.join(name);
        copy(&source, &path).with_context(|| format!("cannot install `{}`", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    for name in [CLANG, launch::NAME] {
        let path = bin.join(name);
        replaced(&path, |new| symlink(DRIVER, new)).with_context(|| format!("cannot make `{}`", path.display()))?;
        writeln!(out, "{} -> {DRIVER}", path.display())?;
    }
    Ok(())
}

/// Copies a program, unless it would be copied to itself.
fn copy(source: &Path, path: &Path) -> io::Result<()> {
    if matches!((source.canonicalize(), path.canonicalize()), (Ok(source), Ok(path)) if source == path) {
        return Ok(());
    }
    let bytes = fs_err::read(source)?;
    replaced(path, |new| {
        fs_err::write(new, &bytes)?;
        fs_err::set_permissions(new, Permissions::from_mode(0o755))
    })
}

/// Makes a file in a directory of its own and moves it to `path`.
fn replaced(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let directory = tempfile::tempdir_in(path.parent().unwrap_or(Path::new("/")))?;
    let new = directory.path().join("new");
    make(&new)?;
    fs_err::rename(new, path)
}
