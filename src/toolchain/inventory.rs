//! What is in the cache: the plugins with what they are for, and what no one needs any more.

use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::cache::{self, Cache};
use super::error::ToolchainError;
use super::host::Host;
use super::llvm::Llvm;
use super::plugin::{FILE_NAME, key_of, open_lock};
use super::sources;

/// Beside a plugin: what it was built for.
const ABOUT: &str = "about.json";
/// What was not finished by a process that was killed; older than this, as its process may be at work.
const LEFTOVER_AFTER: Duration = Duration::from_secs(60 * 60);

/// What a plugin was built for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    version: String,
    prefix: PathBuf,
    host: Host,
    sources: String,
}

/// A plugin in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The shared object.
    pub path: PathBuf,
    /// The LLVM that it was built for; `None` when that is not known.
    pub llvm: Option<Llvm>,
    /// Its length.
    pub bytes: u64,
    /// Whether it is still of use.
    pub state: State,
}

/// Whether a plugin is still of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// This program uses it for that LLVM.
    Current,
    /// It was built from the sources of another release of this program, or it does not say from which.
    OtherSources,
    /// The headers of its LLVM are gone or are others by now.
    OtherLlvm,
    /// Its build did not come to an end.
    Unfinished,
}

impl State {
    /// What a list shows.
    pub fn describe(self) -> &'static str {
        match self {
            State::Current => "current",
            State::OtherSources => "of another release",
            State::OtherLlvm => "its LLVM is gone or was replaced",
            State::Unfinished => "unfinished",
        }
    }
}

/// Writes what the plugin in `directory` will be for. The plugin itself comes after it: who finds one finds this.
pub(super) fn describe(directory: &Path, llvm: &Llvm) -> io::Result<()> {
    let about = About {
        version: llvm.version.clone(),
        prefix: llvm.prefix.clone(),
        host: llvm.host,
        sources: sources::PLUGIN.digest.to_owned(),
    };
    cache::write_whole(&directory.join(ABOUT), &serde_json::to_vec(&about)?)
}

/// The plugins in the cache, in the order of their names. Fails when the cache is not to be trusted; a cache that is not
/// there is empty.
pub fn list(cache: &Cache) -> Result<Vec<Entry>, ToolchainError> {
    Ok(entries(&cache.root()?.join("plugin")))
}

/// The plugins that were installed with the program, in the order of their names.
pub fn installed(cache: &Cache) -> Vec<Entry> {
    cache.installed().plugins().map(|directory| entries(&directory)).unwrap_or_default()
}

fn entries(directory: &Path) -> Vec<Entry> {
    children(directory).iter().filter(|path| path.is_dir()).map(|directory| entry(directory)).collect()
}

fn entry(directory: &Path) -> Entry {
    let path = directory.join(FILE_NAME);
    let bytes = path.metadata().map(|metadata| metadata.len()).unwrap_or_default();
    let about = std::fs::read(directory.join(ABOUT)).ok().and_then(|json| serde_json::from_slice(&json).ok());
    let Some(About { version, prefix, host, sources }) = about else {
        let state = if bytes == 0 { State::Unfinished } else { State::OtherSources };
        return Entry { path, llvm: None, bytes, state };
    };
    let major = super::llvm::major(&version).unwrap_or_default();
    let llvm = Llvm { version, major, prefix, host };
    let state = if bytes == 0 {
        State::Unfinished
    } else if sources != sources::PLUGIN.digest {
        State::OtherSources
    } else if key_of(&llvm).is_ok_and(|key| directory.ends_with(key)) {
        State::Current
    } else {
        State::OtherLlvm
    };
    Entry { path, llvm: Some(llvm), bytes, state }
}

/// What is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What this program does not use: plugins that are not current, other releases' sources and headers, leftovers.
    Unused,
    /// All of it.
    All,
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Files and directories.
    pub paths: Vec<PathBuf>,
    /// What they took.
    pub bytes: u64,
}

/// Removes what is not needed. Fails when a plugin is being built, and when something cannot be removed.
///
/// A compile that has found a plugin and not loaded it yet fails when that plugin is removed.
pub fn clean(cache: &Cache, extent: Extent) -> Result<Removed, ToolchainError> {
    let root = cache.root()?;
    let mut removed = Removed::default();
    if !root.is_dir() {
        return Ok(removed);
    }
    let failed = |cause| ToolchainError::CacheNotWritable { cause };
    let lock = open_lock(root).map_err(failed)?;
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        return Err(ToolchainError::CacheInUse { path: root.to_owned() });
    }
    let paths = match extent {
        Extent::All => children(root).into_iter().filter(|path| !path.ends_with("build.lock")).collect(),
        Extent::Unused => unused(root, &list(cache)?),
    };
    for path in paths {
        removed.bytes += remove(&path).map_err(failed)?;
        removed.paths.push(path);
    }
    Ok(removed)
}

fn unused(root: &Path, plugins: &[Entry]) -> Vec<PathBuf> {
    let old = plugins.iter().filter(|plugin| plugin.state != State::Current);
    let mut unused: Vec<PathBuf> = old.filter_map(|plugin| plugin.path.parent()).map(Path::to_owned).collect();
    for (directory, digest) in [("src", sources::PLUGIN.digest), ("include", sources::HEADERS.digest)] {
        let others = children(&root.join(directory)).into_iter();
        unused.extend(others.filter(|path| !path.ends_with(&digest[..32]) && !is_temporary(path)));
    }
    unused
        .extend(children(&root.join("plugin")).into_iter().filter(|path| path.extension() == Some("failed".as_ref())));
    let places = ["plugin", "src", "include", "probe"].map(|directory| children(&root.join(directory)));
    let plugins = children(&root.join("plugin")).into_iter().flat_map(|directory| children(&directory));
    unused.extend(places.into_iter().flatten().chain(plugins).filter(|path| is_temporary(path) && is_old(path)));
    unused
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp"))
}

fn is_old(path: &Path) -> bool {
    let modified = path.symlink_metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| SystemTime::now().duration_since(modified).is_ok_and(|age| age > LEFTOVER_AFTER))
}

/// What is in a directory, sorted; nothing when it is none.
fn children(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut children: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    children.sort();
    children
}

/// Removes a file or a tree; how many bytes its files had.
fn remove(path: &Path) -> io::Result<u64> {
    let bytes = bytes_below(path);
    let is_directory = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    let removed = if is_directory { fs_err::remove_dir_all(path) } else { fs_err::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(bytes),
    }
}

/// The bytes of all files below `path`; links are not followed.
pub fn bytes_below(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => children(path).iter().map(|child| bytes_below(child)).sum(),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    }
}
