//! What an installation has beside the programs: headers, sources of the plugin with their crates, built plugins.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, bail};

use super::{Origin, copy, replaced};
use crate::environment::Environment;
use crate::toolchain::cache::Cache;
use crate::toolchain::installed::{DIGEST, PLUGINS, SOURCES, VENDOR};
use crate::toolchain::inventory::{self, State};
use crate::toolchain::sources::{HEADERS, PLUGIN, SourceTree};
use crate::toolchain::{ToolchainError, crates};

/// Below the prefix: the directory for `-I`.
const INCLUDE: &str = "include/sqtt";

/// The headers, for compilers that are called without the driver.
pub(super) fn headers(prefix: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let path = prefix.join(INCLUDE);
    replaced(&path, |new| write(&HEADERS, new)).with_context(|| format!("cannot install `{}`", path.display()))?;
    Ok(writeln!(out, "{}", path.display())?)
}

/// The plugin's sources as a workspace that cargo builds, without a network when the crates are there.
pub(super) fn sources(
    prefix: &Path,
    environment: &Environment,
    with_crates: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let path = prefix.join(SOURCES);
    let mut refused: Option<ToolchainError> = None;
    let installed = replaced(&path, |new| {
        write(&PLUGIN, new)?;
        fs_err::write(new.join(DIGEST), format!("{}\n", PLUGIN.digest))?;
        if !with_crates {
            return Ok(());
        }
        fs_err::create_dir_all(new.join(".cargo"))?;
        fs_err::write(new.join(".cargo/config.toml"), crates::configuration(VENDOR))?;
        crates::vendor(new, &new.join(VENDOR), environment).map_err(|error| {
            let why = io::Error::other(error.to_string());
            refused = Some(error);
            why
        })
    });
    match (refused, installed) {
        (Some(error), _) => return Err(error.into()),
        (None, installed) => installed.with_context(|| format!("cannot install `{}`", path.display()))?,
    }
    Ok(writeln!(out, "{}", path.display())?)
}

/// The plugins of the cache that this release uses. Fails when there is none.
pub(super) fn plugins(prefix: &Path, origin: &Origin<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let cache = Cache::locate(origin.environment);
    let current: Vec<_> =
        inventory::list(&cache)?.into_iter().filter(|plugin| plugin.state == State::Current).collect();
    if current.is_empty() {
        bail!("there is no plugin in the cache `{}`\nbuild one with `sqtt plugin build`", cache.root()?.display());
    }
    for directory in current.iter().filter_map(|plugin| plugin.path.parent()) {
        let path = prefix.join(PLUGINS).join(directory.file_name().unwrap_or_default());
        let whole = |new: &Path| {
            fs_err::create_dir_all(new)?;
            let mut files = fs_err::read_dir(directory)?;
            files.try_for_each(|file| file.and_then(|file| copy(&file.path(), &new.join(file.file_name()))))
        };
        replaced(&path, whole).with_context(|| format!("cannot install `{}`", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

fn write(tree: &SourceTree, directory: &Path) -> io::Result<()> {
    for file in tree.files {
        let path = directory.join(file.path);
        fs_err::create_dir_all(path.parent().unwrap_or(directory))?;
        fs_err::write(path, file.bytes)?;
    }
    Ok(())
}
