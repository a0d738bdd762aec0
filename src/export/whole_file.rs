//! Files that are there whole or not at all: written under another name beside, and renamed when they are complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Bytes that are gathered before they are written. What comes in pieces as large is written as it is.
pub const BUFFER_BYTES: usize = 1 << 18;

/// A file that is being written. It disappears if it is dropped before [`commit`](WholeFile::commit).
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    /// Begins the file at `path`, whose directory is made if it is not there.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs_err::create_dir_all(directory)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sqtt-");
        // As any file that a program makes: the user's umask says who may read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(directory).map_err(|error| about(path, &error))?;
        Ok(WholeFile { out: BufWriter::with_capacity(BUFFER_BYTES, file), path: path.to_owned() })
    }

    /// Puts the file at its path, in the place of what is there, and returns the path. `is_durable` waits until the disk
    /// has it, so that not even a crash of the machine leaves neither the old nor the new one.
    pub fn commit(self, is_durable: bool) -> io::Result<PathBuf> {
        let file = self.out.into_inner().map_err(|error| about(&self.path, error.error()))?;
        if is_durable {
            file.as_file().sync_all().map_err(|error| about(&self.path, &error))?;
        }
        file.persist(&self.path).map_err(|error| about(&self.path, &error.error))?;
        Ok(self.path)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| about(&self.path, &error))
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes).map_err(|error| about(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| about(&self.path, &error))
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_at_the_path_before_the_file_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/file");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        assert!(!path.exists());
        file.commit(true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        drop(WholeFile::create(&path).unwrap());
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it_as_the_umask_says() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let plain = directory.path().join("plain");
        std::fs::write(&plain, b"").unwrap();
        let path = WholeFile::create(&directory.path().join("whole")).unwrap().commit(false).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }
}
