//! What several tests need: a directory of their own and programs in it.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs of it")]

pub mod fake_cargo;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sqtt_hipcc::environment::Environment;

/// A temporary directory, gone at the end of the test.
pub struct Sandbox(tempfile::TempDir);

impl Sandbox {
    pub fn new() -> Sandbox {
        // Canonical: paths are compared with what programs in it print.
        let temporary = std::env::temp_dir().canonicalize().unwrap();
        Sandbox(tempfile::Builder::new().prefix("sqtt test ").tempdir_in(temporary).unwrap())
    }

    pub fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(below)
    }

    /// Writes a file, making its directories.
    pub fn file(&self, below: impl AsRef<Path>, text: &str) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes an executable script. A process of its own writes it: were it open for writing here while another test
    /// forks, it could not be executed ("text file busy").
    pub fn script(&self, below: impl AsRef<Path>, body: &str) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut writer = Command::new("/bin/sh")
            .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(format!("#!/bin/sh\n{body}\n").as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
        path
    }

    /// A link at `below` to `target`.
    pub fn link(&self, target: impl AsRef<Path>, below: impl AsRef<Path>) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, &path).unwrap();
        path
    }
}

/// An environment of just these variables.
pub fn environment<V: Into<OsString>>(variables: impl IntoIterator<Item = (&'static str, V)>) -> Environment {
    variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
