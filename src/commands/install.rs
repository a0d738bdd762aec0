//! `sqtt install --prefix=DIR`: the programs and all that goes with them, below a directory that may be moved.
//!
//! ```text
//! DIR/bin/                     sqtt-hipcc, sqtt, and the driver's other names
//! DIR/include/sqtt/            markers.hpp and the other headers
//! DIR/share/sqtt/plugin-src/   the plugin's sources and the crates that they are built with
//! DIR/lib/sqtt/plugin/         plugins that are built already, when asked for
//! DIR/share/man/man1/, DIR/share/{bash-completion,zsh,fish}/...
//! ```
//!
//! CMake refuses a HIP compiler whose path contains `hipcc`, ours too: there it is called by a name and in a directory
//! that do not.

mod documents;
mod parts;

use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::environment::Environment;
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
#[command(after_help = AFTER_HELP)]
pub struct InstallArgs {
    /// Where to put programs, headers, manual pages and the sources of the plugin; it may be moved later
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
    /// Leave out the crates that the plugin is built from: its first build gets them from the registry then
    #[arg(long)]
    no_crates: bool,
    /// Add the plugins of the cache, so that nothing is built where the same compilers are
    #[arg(long)]
    plugins: bool,
}

const AFTER_HELP: &str = "\
What is there already is replaced, and each path is printed. With DIR/bin in PATH, `man` finds the manual pages.
CMake refuses a HIP compiler whose path contains `hipcc`, so such a DIR is refused here.

Exit status: 0, or 2 when it cannot be done.";

/// What an installation is made from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The environment of this process.
    pub environment: &'a Environment,
    /// This program; the driver is beside it.
    pub own_executable: &'a Path,
    /// The command line of this program, for completions and manual pages.
    pub reader: &'a clap::Command,
}

/// Puts everything in its place and prints the paths, one a line. What is there already is replaced as a whole, so that
/// builds that use it go on.
///
/// Fails when the prefix has `hipcc` in its path, when the driver is not beside this program, when there is no cargo to
/// collect the crates, and as file systems do.
pub fn run(args: &InstallArgs, origin: &Origin<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let prefix = std::path::absolute(&args.prefix).context("the prefix cannot be used")?;
    if prefix.to_string_lossy().contains(REFUSED) {
        bail!(
            "CMake refuses a HIP compiler whose path contains `{REFUSED}`, as `{}` does\nchoose another prefix",
            prefix.display()
        );
    }
    // What can fail for want of a tool comes first.
    parts::sources(&prefix, origin.environment, !args.no_crates, out)?;
    parts::headers(&prefix, out)?;
    if args.plugins {
        parts::plugins(&prefix, origin, out)?;
    }
    documents::completions(&prefix, origin.reader, out)?;
    documents::manual(&prefix, origin.reader, out)?;
    programs(&prefix.join("bin"), origin.own_executable, out)
}

fn programs(bin: &Path, own_executable: &Path, out: &mut impl Write) -> anyhow::Result<()> {
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

/// Copies a file with its mode, unless it would be copied to itself.
fn copy(source: &Path, path: &Path) -> io::Result<()> {
    if matches!((source.canonicalize(), path.canonicalize()), (Ok(source), Ok(path)) if source == path) {
        return Ok(());
    }
    replaced(path, |new| fs_err::copy(source, new).map(drop))
}

/// Makes a file or a directory below one of its own, beside `path`, and moves it to `path`.
fn replaced(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    fs_err::create_dir_all(parent)?;
    let work = tempfile::tempdir_in(parent)?;
    let new = work.path().join("new");
    make(&new)?;
    // A directory cannot be moved over one that is not empty.
    if new.is_dir() && path.is_dir() {
        fs_err::rename(path, work.path().join("old"))?;
    }
    fs_err::rename(new, path)
}
