//! Where the driver keeps what is dear to find out or to build, per user.
//!
//! ```text
//! <cache>/probe/KEY.json      which LLVM a compiler is; KEY: the compiler's file and what redirects it
//! <cache>/plugin/KEY/libsqttinstrumentpass.so   KEY: plugin sources, LLVM version, prefix, its llvm-config.h, host
//! <cache>/plugin/KEY/about.json   what KEY stands for, written before the plugin
//! <cache>/plugin/KEY.failed   the message of the last failed build, for those who waited for it
//! <cache>/include/DIGEST/     markers.hpp and its like; DIGEST of their contents
//! <cache>/src/DIGEST/         the plugin's sources as a cargo workspace; DIGEST of their contents
//! <cache>/target/             cargo's target directory, shared by all builds
//! <cache>/target.building     there while one runs; else left by one that was killed
//! <cache>/log/plugin-KEY.log  what cargo said
//! <cache>/build.lock          locked by the process that builds; the kernel drops the lock when that process ends
//! ```
//!
//! Every entry appears whole, by a rename: who finds it may use it without a lock. Only logs and `target` are written in
//! place, by the one that builds. Nothing is removed but by `sqtt plugin clean`; the whole directory may be
//! deleted when nothing is being built, and `target` holds most of it. Names that start with `.tmp` are left by
//! processes that were killed.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sqtt_contract::variables;

use super::error::ToolchainError;
use super::installed::Installed;
use crate::environment::Environment;

/// The cache directory of the user. It need not exist and need not be writable until something is put there.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
    /// Why `root` must not be used.
    distrust: Option<String>,
    /// What need not be built as it came with the programs.
    installed: Installed,
}

impl Cache {
    /// The variable that names it, else `sqtt-hipcc` in the user's cache directory (XDG base directories: an
    /// `XDG_CACHE_HOME` that is not absolute is ignored), else a directory of the user in the temporary directory.
    ///
    /// Never fails; whoever needs an entry of a cache that cannot be used is told then.
    pub fn locate(environment: &Environment) -> Cache {
        if let Some(directory) = environment.get_non_empty(variables::CACHE_DIR) {
            return Cache::at(directory);
        }
        let absolute = |name| environment.get_non_empty(name).map(Path::new).filter(|path| path.is_absolute());
        if let Some(caches) = absolute("XDG_CACHE_HOME") {
            return Cache::at(caches.join("sqtt-hipcc"));
        }
        if let Some(home) = absolute("HOME") {
            return Cache::at(home.join(".cache/sqtt-hipcc"));
        }
        let temporary = absolute("TMPDIR").unwrap_or(Path::new("/tmp"));
        let user = rustix::process::getuid().as_raw();
        let mut cache = Cache::at(temporary.join(format!("sqtt-hipcc-{user}")));
        cache.distrust = make_private(&cache.root, user).err();
        cache
    }

    /// The cache in `root`; a relative one is taken from the working directory.
    pub fn at(root: impl AsRef<Path>) -> Cache {
        let root = root.as_ref();
        Cache {
            root: std::path::absolute(root).unwrap_or_else(|_| root.to_owned()),
            distrust: None,
            installed: Installed::default(),
        }
    }

    /// The same with what is installed beside a program, which is looked at and not written to.
    pub fn beside(self, own_executable: &Path) -> Cache {
        Cache { installed: Installed::around(own_executable), ..self }
    }

    /// What came with the programs.
    pub(super) fn installed(&self) -> &Installed {
        &self.installed
    }

    /// The directory, which may not exist. Fails when its contents may be someone else's.
    pub fn root(&self) -> Result<&Path, ToolchainError> {
        match &self.distrust {
            None => Ok(&self.root),
            Some(reason) => Err(ToolchainError::CacheNotTrusted { path: self.root.clone(), reason: reason.clone() }),
        }
    }
}

/// Makes `directory` one that only `user` can write to, or says why it is not. Anyone may write to the directory it is
/// in, and what is loaded from it runs with the user's rights.
fn make_private(directory: &Path, user: u32) -> Result<(), String> {
    match std::fs::DirBuilder::new().mode(0o700).create(directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Ok(()),
        _ => {}
    }
    let metadata = directory.symlink_metadata().map_err(|error| error.to_string())?;
    if !metadata.is_dir() {
        return Err("it is no directory".to_owned());
    }
    if metadata.uid() != user {
        return Err(format!("it belongs to user {}", metadata.uid()));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err("others may write to it".to_owned());
    }
    Ok(())
}

/// Puts `bytes` at `path`, making its directory: a reader sees the old file or the whole new one.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    fs_err::create_dir_all(directory)?;
    let mut file = temporary().tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)
        .map_err(|error| io::Error::new(error.error.kind(), format!("`{}`: {}", path.display(), error.error)))?;
    Ok(())
}

/// Files to be renamed, with the permissions that the user's umask gives to any file: a cache may be shared.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(Permissions::from_mode(0o666));
    builder
}

/// Puts a directory with `files` (relative path, bytes) at `directory`, unless it is there already. A file that is
/// missing from it, or whose length is not right, is put back.
pub fn write_tree<'a>(directory: &Path, files: impl Iterator<Item = (&'a str, &'a [u8])> + Clone) -> io::Result<()> {
    let is_right = |path: &str, bytes: &[u8]| {
        directory.join(path).metadata().is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
    };
    if files.clone().all(|(path, bytes)| is_right(path, bytes)) {
        return Ok(());
    }
    let parent = directory.parent().unwrap_or(Path::new("/"));
    fs_err::create_dir_all(parent)?;
    let mut builder = tempfile::Builder::new();
    let staging = builder.permissions(Permissions::from_mode(0o777)).tempdir_in(parent)?;
    for (path, bytes) in files.clone() {
        let path = staging.path().join(path);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(path, bytes)?;
    }
    if std::fs::rename(staging.path(), directory).is_ok() {
        return Ok(());
    }
    // It is there: another process was faster, or someone tidied up in it.
    for (path, bytes) in files.filter(|(path, bytes)| !is_right(path, bytes)) {
        write_whole(&directory.join(path), bytes)?;
    }
    Ok(())
}
