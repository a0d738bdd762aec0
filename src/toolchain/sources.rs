//! What is embedded in this program: the sources of the plugin and the device headers.
//!
//! `build.rs` puts them there. The plugin's sources are a cargo workspace of their own, with the versions that our
//! `Cargo.lock` names. Not a way to other versions of them: a changed source needs a rebuilt driver.

use std::path::{Path, PathBuf};

use super::cache::{self, Cache};
use super::error::ToolchainError;

/// A file as it was when this program was built.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile {
    /// Path in its tree.
    pub path: &'static str,
    /// Contents.
    pub bytes: &'static [u8],
}

/// A tree of embedded files.
#[derive(Clone, Copy, Debug)]
pub struct SourceTree {
    /// Its files in the order of their paths.
    pub files: &'static [SourceFile],
    /// Digest of all paths and contents, in hexadecimal.
    pub digest: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The plugin, its contract, and the manifest and lock file of a workspace that holds just these two.
pub static PLUGIN: SourceTree = SourceTree { files: PLUGIN_FILES, digest: PLUGIN_DIGEST };

/// What a program includes: `markers.hpp` and its like.
pub static HEADERS: SourceTree = SourceTree { files: HEADERS_FILES, digest: HEADERS_DIGEST };

impl SourceTree {
    /// Puts the tree below `parent`, under a name that stands for its contents. Cheap when it is there.
    pub fn materialise(&self, parent: &Path) -> Result<PathBuf, ToolchainError> {
        let directory = parent.join(&self.digest[..32]);
        cache::write_tree(&directory, self.files.iter().map(|file| (file.path, file.bytes)))
            .map_err(|cause| ToolchainError::CacheNotWritable { cause })?;
        Ok(directory)
    }
}

/// What a program includes.
const HEADER: &str = "markers.hpp";

/// The directory for `-I`: it holds `markers.hpp`. Fails when it is not in the cache and cannot be put there.
pub fn ensure_headers(cache: &Cache) -> Result<PathBuf, ToolchainError> {
    HEADERS.materialise(&cache.root()?.join("include"))
}

/// A directory of headers that the user names; `origin` says where. Fails when it has no `markers.hpp`.
pub fn own_headers(directory: &Path, origin: &str) -> Result<PathBuf, ToolchainError> {
    if directory.join(HEADER).is_file() {
        return Ok(directory.to_owned());
    }
    Err(ToolchainError::NoOwnHeaders { directory: directory.to_owned(), header: HEADER, origin: origin.to_owned() })
}
