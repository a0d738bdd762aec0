//! The bytes of a file, mapped into memory.

use std::io::{self, Read};
use std::path::Path;

use fs_err::File;
use memmap2::Mmap;

/// A file's bytes. A regular file is mapped, anything else that can be read (a pipe) is read to its end.
#[derive(Debug)]
pub struct FileBytes(Source);

#[derive(Debug)]
enum Source {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl FileBytes {
    /// Opens `path`.
    ///
    /// Errors: whatever the system says, with the path in the message; a directory cannot be read.
    pub fn open(path: &Path) -> io::Result<FileBytes> {
        let mut file = File::open(path)?;
        let kind = file.metadata()?.file_type();
        if kind.is_file() {
            return map(file.file()).map(|mapped| FileBytes(Source::Mapped(mapped)));
        }
        if kind.is_dir() {
            let why = format!("cannot read `{}`: it is a directory; name the files in it", path.display());
            return Err(io::Error::new(io::ErrorKind::IsADirectory, why));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(FileBytes(Source::Read(bytes)))
    }

    /// All of the file.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Source::Mapped(mapped) => mapped,
            Source::Read(bytes) => bytes,
        }
    }
}

#[allow(unsafe_code)] // The only unsafe code outside the plugin: mapping has no safe form.
fn map(file: &std::fs::File) -> io::Result<Mmap> {
    // SAFETY: the map is private, read-only and lives as long as the slice borrowed from it. What the compiler cannot
    // know is that nobody else writes or truncates the file meanwhile: the files read here are finished outputs of a
    // compiler that has exited or files named by the user, and every reader of the bytes checks each offset it uses
    // and trusts no value to stay the same, so a concurrent write gives a wrong report at worst; a concurrent
    // truncation ends the process with SIGBUS, as it does for every linker that maps its inputs.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_has_no_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(FileBytes::open(file.path()).unwrap().bytes(), b"");
    }

    #[test]
    fn a_directory_is_an_error_that_says_what_to_name() {
        let directory = tempfile::tempdir().unwrap();
        let error = FileBytes::open(directory.path()).unwrap_err().to_string();
        let place = directory.path().display();
        assert_eq!(error, format!("cannot read `{place}`: it is a directory; name the files in it"));
    }
}
