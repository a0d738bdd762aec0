//! What makes a file the same file, and digests of keys.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Which file a path led to, and in which state. Not a digest of its contents: it costs one `stat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// The name it was reached by; links are not resolved here, but everything below is about what they lead to.
    pub path: PathBuf,
    /// Device of the file system.
    pub device: u64,
    /// Inode on that device.
    pub inode: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Last modification in whole seconds since the epoch.
    pub modified_s: i64,
    /// The rest of the last modification in nanoseconds.
    pub modified_ns: i64,
}

impl FileIdentity {
    /// Looks at `path`, through links. Fails as `stat` does.
    pub fn of(path: &Path) -> io::Result<FileIdentity> {
        let metadata = path.metadata()?;
        Ok(FileIdentity {
            path: path.to_owned(),
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified_s: metadata.mtime(),
            modified_ns: metadata.mtime_nsec(),
        })
    }

    /// Whether both are one file, by whatever names they were reached.
    pub fn is_same_file(&self, other: &FileIdentity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Collects the parts of a key; two different lists of parts never give the same digest.
#[derive(Clone, Debug, Default)]
pub struct KeyDigest(Sha256);

impl KeyDigest {
    /// Adds one part.
    pub fn part(&mut self, part: impl AsRef<OsStr>) -> &mut KeyDigest {
        self.bytes(part.as_ref().as_bytes())
    }

    /// Adds one part that is no text.
    pub fn bytes(&mut self, part: &[u8]) -> &mut KeyDigest {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// Adds what `path` leads to now, or that it leads to nothing.
    pub fn file(&mut self, path: &Path) -> &mut KeyDigest {
        self.part(path);
        let Ok(file) = FileIdentity::of(path) else {
            return self.part("absent");
        };
        for number in [file.device, file.inode, file.bytes] {
            self.bytes(&number.to_le_bytes());
        }
        self.bytes(&file.modified_s.to_le_bytes()).bytes(&file.modified_ns.to_le_bytes())
    }

    /// The digest in hexadecimal, short enough for a directory name (128 bits of SHA-256).
    pub fn finish(&self) -> String {
        hex(&self.0.clone().finalize()[..16])
    }
}

/// The digest of some contents, in the same form as [`KeyDigest::finish`].
pub fn content_digest(bytes: &[u8]) -> String {
    KeyDigest::default().bytes(bytes).finish()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn digest(parts: &[String]) -> String {
        let mut key = KeyDigest::default();
        parts.iter().for_each(|part| {
            key.part(part);
        });
        key.finish()
    }

    proptest! {
        #[test]
        fn different_parts_give_different_keys(
            a in vec("[ab]{0,2}", 0..4),
            b in vec("[ab]{0,2}", 0..4),
        ) {
            prop_assert_eq!(digest(&a) == digest(&b), a == b);
        }

        #[test]
        fn where_a_part_ends_matters(text in "[ab]{2,8}", at in 1usize..8) {
            let (start, end) = text.split_at(at.min(text.len() - 1));
            prop_assert_ne!(digest(&[start.into(), end.into()]), digest(std::slice::from_ref(&text)));
        }
    }

    #[test]
    fn a_file_is_another_once_it_is_written_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let key = || KeyDigest::default().file(&path).finish();
        let absent = key();
        std::fs::write(&path, "one").unwrap();
        let (first, before) = (key(), FileIdentity::of(&path).unwrap());
        std::fs::write(&path, "three").unwrap();
        assert!(first != absent && key() != first);
        let after = FileIdentity::of(&path).unwrap();
        assert!(after != before && after.is_same_file(&before));
    }
}
