//! A working directory with a `sqtt.toml`, and what is resolved there. Not a test itself.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper that fails fails its test")]
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sqtt_contract::settings::Settings;
use sqtt_contract::variables;
use sqtt_hipcc::config::{Config, ConfigError, OwnFlags, Sources};
use sqtt_hipcc::environment::Environment;

/// A working directory with what stands in it and around the call.
pub(crate) struct Case {
    pub(crate) root: tempfile::TempDir,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) flags: Vec<OsString>,
    pub(crate) sources: Option<PathBuf>,
}

impl Case {
    pub(crate) fn new() -> Case {
        let root = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(root.path().join("project/build")).unwrap();
        Case { root, environment: Vec::new(), flags: Vec::new(), sources: None }
    }

    /// A case with `text` as the settings file of the working directory.
    pub(crate) fn toml(text: &str) -> Case {
        Case::new().file("project/build/sqtt.toml", text)
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Case {
        fs_err::write(self.root.path().join(path), text).unwrap();
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Case {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub(crate) fn flag(mut self, flag: &str) -> Case {
        self.flags.push(flag.into());
        self
    }

    pub(crate) fn cwd(&self) -> PathBuf {
        self.root.path().join("project/build")
    }

    pub(crate) fn resolve(&self) -> Result<Config, ConfigError> {
        Config::resolve(&Sources {
            flags: &OwnFlags::parse(&self.flags)?,
            environment: &self.environment.iter().cloned().collect::<Environment>(),
            cwd: &self.cwd(),
            source_directory: self.sources.as_deref(),
        })
    }

    pub(crate) fn settings(&self) -> Settings {
        self.resolve().unwrap_or_else(|error| panic!("{error}")).plugin_settings()
    }

    pub(crate) fn error(&self) -> String {
        self.resolve().expect_err("no error").to_string()
    }

    /// The origin of the function threshold.
    pub(crate) fn origin(&self) -> String {
        self.resolve().unwrap().origin(variables::INSTRUMENT_FUNCTIONS).to_string()
    }

    /// The settings for these sources of one command.
    pub(crate) fn for_sources(&self, sources: &[&str]) -> Result<Config, ConfigError> {
        self.resolve()?.for_sources(sources.iter().map(Path::new), &self.cwd())
    }
}
