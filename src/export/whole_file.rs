//! Files that are there whole or not at all: written without a name, or under another one beside, and renamed when they are
//! complete. What is no file but a pipe or a device is written to as it is.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// Bytes that are gathered before they are written. What comes in pieces as large is written as it is.
pub const BUFFER_BYTES: usize = 1 << 18;

/// A file that is being written. It disappears if it is dropped before [`commit`](WholeFile::commit).
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<Out>,
    path: PathBuf,
}

/// Where the bytes go meanwhile.
#[derive(Debug)]
enum Out {
    /// To a file beside `target`, whose place it takes: the path, or what that is a link to. Without a name it is gone
    /// when the process ends, however it does.
    Beside { file: File, name: Option<TempPath>, target: PathBuf },
    /// To a pipe, a terminal or a device. Nothing can take its place.
    Direct(File),
}

impl WholeFile {
    /// Begins the file at `path`, whose directory is made if it is not there. A link stays one: the file it leads to is
    /// written.
    ///
    /// Errors: `path` is a directory; whatever the system says, with the path in the message.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let out = Out::create(path).map_err(|error| about(path, &error))?;
        Ok(WholeFile { out: BufWriter::with_capacity(BUFFER_BYTES, out), path: path.to_owned() })
    }

    /// Puts the file at its path, in the place of what is there, and returns the path. `is_durable` waits until the disk
    /// has it, so that not even a crash of the machine leaves neither the old nor the new one.
    pub fn commit(self, is_durable: bool) -> io::Result<PathBuf> {
        let out = self.out.into_inner().map_err(|error| about(&self.path, error.error()))?;
        let Out::Beside { file, name, target } = out else { return Ok(self.path) };
        if is_durable {
            file.sync_all().map_err(|error| about(&self.path, &error))?;
        }
        let name = name.map_or_else(|| unnamed::name(&file, directory_of(&target)), Ok);
        let name = name.map_err(|error| about(&self.path, &error))?;
        name.persist(target).map_err(|error| about(&self.path, &error.error))?;
        Ok(self.path)
    }
}

impl Out {
    fn create(path: &Path) -> io::Result<Out> {
        let there = std::fs::metadata(path);
        if there.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if there.is_ok_and(|there| !there.is_file()) || is_descriptor(path) {
            // Of a file that somebody else has open, nothing that is there is lost.
            return File::options().append(true).open(path).map(Out::Direct);
        }
        let target = target(path);
        let directory = directory_of(&target);
        std::fs::create_dir_all(directory)?;
        if let Some(file) = unnamed::create(directory)? {
            return Ok(Out::Beside { file, name: None, target });
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        // As any file that a program makes: the user's umask says who may read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, name) = builder.tempfile_in(directory)?.into_parts();
        Ok(Out::Beside { file, name: Some(name), target })
    }
}

/// What files that are not complete are called, where they have a name.
const PREFIX: &str = ".sqtt-";

fn directory_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Files that get a name when they are complete, where the system and the disk have such.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use rustix::io::Errno;
    use tempfile::{Builder, TempPath};

    /// `None` where there are no such files.
    pub(super) fn create(directory: &Path) -> io::Result<Option<File>> {
        if !Path::new("/proc/self/fd").is_dir() {
            return Ok(None);
        }
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        match open(directory, flags, Mode::from_raw_mode(0o666)) {
            Ok(file) => Ok(Some(file.into())),
            // What the manual page names, and what disks over a network and in user space say.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS | Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn name(file: &File, directory: &Path) -> io::Result<TempPath> {
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        let link = |path: &Path| Ok(linkat(CWD, open.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW)?);
        Ok(Builder::new().prefix(super::PREFIX).make_in(directory, link)?.into_temp_path())
    }
}

#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use tempfile::TempPath;

    pub(super) fn create(_: &Path) -> io::Result<Option<File>> {
        Ok(None)
    }

    pub(super) fn name(_: &File, _: &Path) -> io::Result<TempPath> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Whether `path` is a name of something that a process has open, even if that is a file.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|name| path.starts_with(name))
}

/// Links that are followed, one to the next; the system gives up there, too.
const MOST_LINKS: usize = 40;

/// The file that `path` leads to, whether it is there or not.
fn target(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = std::fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    target
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Out::Beside { file, .. } | Out::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Out::Beside { file, .. } | Out::Direct(file) => file.flush(),
        }
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
        file.flush().unwrap();
        assert!(!path.exists());
        #[cfg(target_os = "linux")]
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0, "a killed process leaves something");
        file.commit(true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        drop(WholeFile::create(&path).unwrap());
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_is_refused_before_anything_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let error = WholeFile::create(directory.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(error.to_string().contains(&*directory.path().to_string_lossy()), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_what_it_leads_to_is_written() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("below")).unwrap();
        for (name, target, there) in [("a", "below/a", true), ("b", "below/b", false)] {
            let (link, target) = (directory.path().join(name), Path::new(target));
            std::os::unix::fs::symlink(target, &link).unwrap();
            if there {
                std::fs::write(&link, b"old").unwrap();
            }
            let mut file = WholeFile::create(&link).unwrap();
            file.write_all(b"new").unwrap();
            assert_eq!(file.commit(false).unwrap(), link);
            assert_eq!(std::fs::read_link(&link).unwrap(), target);
            assert_eq!(std::fs::read(directory.path().join(target)).unwrap(), b"new");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_stays_one_and_what_it_says_is_told() {
        use std::os::unix::fs::FileTypeExt as _;
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("full");
        std::os::unix::fs::symlink("/dev/full", &link).unwrap();
        let mut file = WholeFile::create(&link).unwrap();
        file.write_all(b"x").unwrap();
        let error = file.commit(true).unwrap_err();
        assert!(error.to_string().contains("No space left"), "{error}");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(std::fs::metadata(&link).unwrap().file_type().is_char_device());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_process_has_open_is_appended_to() {
        use std::os::fd::AsRawFd as _;
        let open = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(open.path(), b"before ").unwrap();
        let path = PathBuf::from(format!("/proc/self/fd/{}", open.as_file().as_raw_fd()));
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"behind").unwrap();
        file.commit(false).unwrap();
        assert_eq!(std::fs::read(open.path()).unwrap(), b"before behind");
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
