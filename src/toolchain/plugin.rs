//! The plugin of an LLVM: from the cache, or built into it, once, whoever asks.
//!
//! A plugin that is there is used without a lock. Else one process builds while the others wait for its lock, and then
//! they all find it. A process that is killed leaves neither: the kernel drops its lock, and a plugin appears by a
//! rename or not at all.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::cache::{self, Cache};
use super::cargo::Build;
use super::error::ToolchainError;
use super::host::Linkage;
use super::identity::{KeyDigest, content_digest};
use super::installed::Installed;
use super::inventory;
use super::llvm::{Llvm, SUPPORTED};
use super::sources;
use crate::environment::Environment;

/// What cargo calls the plugin.
pub const FILE_NAME: &str = "libsqttinstrumentpass.so";

/// A pass plugin to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// Absolute.
    pub path: PathBuf,
    /// Changes when the plugin does: for one of the cache its key, else the digest of its contents.
    pub digest: String,
}

impl Plugin {
    /// The plugin in a file that the user names; relative to the working directory. Fails when it cannot be read.
    pub fn from_path(path: &Path) -> Result<Plugin, ToolchainError> {
        let missing = |cause| ToolchainError::NoSuchPlugin { path: path.to_owned(), cause };
        let bytes = std::fs::read(path).map_err(missing)?;
        Ok(Plugin { path: std::path::absolute(path).map_err(missing)?, digest: content_digest(&bytes) })
    }
}

/// The plugin for `llvm`, built now if it is not in the cache; one line on stderr says so.
///
/// Fails when that LLVM has no plugin, when its headers, cargo or a C++ compiler are missing, when the build fails, or
/// when the cache cannot be written.
pub fn ensure_plugin(llvm: &Llvm, environment: &Environment, cache: &Cache) -> Result<Plugin, ToolchainError> {
    ensure_plugin_as("sqtt-hipcc", llvm, environment, cache)
}

/// As [`ensure_plugin`]; the line on stderr starts with `program`.
pub fn ensure_plugin_as(
    program: &str,
    llvm: &Llvm,
    environment: &Environment,
    cache: &Cache,
) -> Result<Plugin, ToolchainError> {
    let place = Place::of(llvm, cache)?;
    if let Some(plugin) = place.plugin() {
        return Ok(plugin);
    }
    let asked = SystemTime::now();
    let _lock = lock(&place.root, program)?;
    if let Some(plugin) = place.plugin() {
        return Ok(plugin);
    }
    if let Some(message) = place.failure_since(asked) {
        return Err(ToolchainError::BuildFailedElsewhere { message });
    }
    let log = place.log();
    eprintln!(
        "{program}: building the plugin for LLVM {} (once; about half a minute; log: `{}`)",
        llvm.version,
        log.display()
    );
    match place.build(llvm, environment, &log) {
        Ok(plugin) => Ok(plugin),
        Err(error) => {
            place.record_failure(&error);
            Err(error)
        }
    }
}

/// The plugin for `llvm` if it is in the cache; never builds. Fails when that LLVM has no plugin or no headers, since
/// then there is no telling which plugin it would be.
pub fn cached_plugin(llvm: &Llvm, cache: &Cache) -> Result<Option<Plugin>, ToolchainError> {
    Ok(Place::of(llvm, cache)?.plugin())
}

/// Where the plugin of one LLVM is or will be.
struct Place {
    root: PathBuf,
    key: String,
    installed: Installed,
}

/// The name of the plugin for `llvm` in the cache. Fails when that LLVM has no plugin, or what one is built from is
/// missing.
pub(super) fn key_of(llvm: &Llvm) -> Result<String, ToolchainError> {
    if !SUPPORTED.contains(&llvm.major) {
        return Err(ToolchainError::UnsupportedLlvm { version: llvm.version.clone() });
    }
    if llvm.host.linkage == Linkage::Closed {
        return Err(ToolchainError::TakesNoPlugins { version: llvm.version.clone(), prefix: llvm.prefix.clone() });
    }
    let no_headers = || ToolchainError::NoHeaders {
        version: llvm.version.clone(),
        prefix: llvm.prefix.clone(),
        package: llvm.headers_package(),
    };
    let header = llvm.config_header();
    let contents = std::fs::read(&header).map_err(|_| no_headers())?;
    let modified = header.metadata().and_then(|metadata| metadata.modified()).map_err(|_| no_headers())?;
    let modified = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    if llvm.host.linkage == Linkage::Static && !llvm.c_interface().is_file() {
        return Err(ToolchainError::NoCInterface {
            version: llvm.version.clone(),
            archive: llvm.c_interface(),
            package: llvm.headers_package(),
        });
    }
    // Contents and time of the header, not device and inode: those are others in each run of a container.
    let mut key = KeyDigest::default();
    key.part("plugin 2").part(sources::PLUGIN.digest).part(&llvm.version).part(&llvm.prefix);
    key.bytes(&contents).bytes(&modified.as_nanos().to_le_bytes()).part(llvm.host.describe());
    Ok(key.finish())
}

impl Place {
    fn of(llvm: &Llvm, cache: &Cache) -> Result<Place, ToolchainError> {
        Ok(Place { key: key_of(llvm)?, root: cache.root()?.to_owned(), installed: cache.installed().clone() })
    }

    fn path(&self) -> PathBuf {
        self.root.join("plugin").join(&self.key).join(FILE_NAME)
    }

    fn log(&self) -> PathBuf {
        self.root.join("log").join(format!("plugin-{}.log", self.key))
    }

    fn failure(&self) -> PathBuf {
        self.root.join("plugin").join(format!("{}.failed", self.key))
    }

    /// The plugin, if it is there or was installed with this program. An empty file is what a file system leaves of it
    /// after a power failure.
    fn plugin(&self) -> Option<Plugin> {
        let installed = self.installed.plugins().map(|plugins| plugins.join(&self.key).join(FILE_NAME));
        let is_whole = |path: &PathBuf| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
        let path = std::iter::once(self.path()).chain(installed).find(is_whole)?;
        Some(Plugin { path, digest: self.key.clone() })
    }

    fn build(&self, llvm: &Llvm, environment: &Environment, log: &Path) -> Result<Plugin, ToolchainError> {
        let sources = sources::PLUGIN.materialise(&self.root.join("src"))?;
        let target = self.root.join("target");
        let crates = self.installed.crates();
        let build = Build { llvm, environment, sources: &sources, crates: crates.as_deref(), target: &target, log };
        let built = self.build_in(&target, || build.run())?;
        let path = self.path();
        inventory::describe(path.parent().unwrap_or(&self.root), llvm)
            .and_then(|()| fs_err::read(built))
            .and_then(|bytes| cache::write_whole(&path, &bytes))
            .map_err(|cause| ToolchainError::CacheNotWritable { cause })?;
        Ok(Plugin { path, digest: self.key.clone() })
    }

    /// Runs `build`, which writes to `target`. When an earlier one was killed there and this one fails, what that one left
    /// may be why: then once more without it.
    fn build_in(
        &self,
        target: &Path,
        build: impl Fn() -> Result<PathBuf, ToolchainError>,
    ) -> Result<PathBuf, ToolchainError> {
        let mark = self.root.join("target.building");
        let failed = |cause| ToolchainError::CacheNotWritable { cause };
        let was_killed = mark.exists();
        fs_err::write(&mark, "").map_err(failed)?;
        let mut built = build();
        if was_killed && matches!(built, Err(ToolchainError::BuildFailed { .. })) {
            tracing::debug!("building once more, without what a killed build left");
            fs_err::remove_dir_all(target).map_err(failed)?;
            built = build();
        }
        fs_err::remove_file(&mark).map_err(failed)?;
        built
    }

    /// What another process said whose build failed while this one waited: 64 jobs do not all fail one after another.
    fn failure_since(&self, asked: SystemTime) -> Option<String> {
        let failure = self.failure();
        let failed = failure.metadata().and_then(|metadata| metadata.modified()).ok()?;
        if failed < asked { None } else { std::fs::read_to_string(failure).ok() }
    }

    fn record_failure(&self, error: &ToolchainError) {
        if let Err(problem) = cache::write_whole(&self.failure(), error.to_string().as_bytes()) {
            tracing::debug!(%problem, "the failed build is not recorded");
        }
    }
}

/// Waits until no other process builds, and says so when it has to. A file system without locks is no hindrance: cargo
/// locks its target directory, and the worst that happens is that the plugin is built twice.
fn lock(root: &Path, program: &str) -> Result<File, ToolchainError> {
    let file = open_lock(root).map_err(|cause| ToolchainError::CacheNotWritable { cause })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!(
                "{program}: waiting for another process that builds the plugin (log: `{}`)",
                root.join("log").display()
            );
            if let Err(error) = file.lock() {
                tracing::debug!(%error, "the cache cannot be locked");
            }
        }
        Err(TryLockError::Error(error)) => tracing::debug!(%error, "the cache cannot be locked"),
    }
    Ok(file)
}

/// The file that is locked by the process that builds.
pub(super) fn open_lock(root: &Path) -> std::io::Result<File> {
    fs_err::create_dir_all(root)?;
    let path = root.join("build.lock");
    let file = fs_err::OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    Ok(file.into_file())
}
