//! The driver's log: what the crate traces, on standard error or in a file.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sqtt_contract::variables::{LOG, LOG_FILE};
use tracing_subscriber::EnvFilter;

use super::DriverError;
use super::report::NAME;
use crate::config::{ConfigError, OwnFlags};
use crate::environment::Environment;

/// What is logged when only a file is named.
const FILTER: &str = "debug";

/// Starts the log that flags or environment ask for; without that there is none. The settings file has no say: it is read
/// later.
///
/// Fails when the filter cannot be read or the file not be opened.
pub(super) fn start(flags: &OwnFlags, environment: &Environment, cwd: &Path) -> Result<(), DriverError> {
    let value = |name: &str| -> Option<OsString> {
        let flag = flags.given.iter().rfind(|given| given.variable.name == name).map(|given| given.value.as_os_str());
        flag.or_else(|| environment.get(name)).filter(|value| !value.is_empty()).map(OsStr::to_owned)
    };
    let (filter, path) = (value(LOG), value(LOG_FILE));
    if filter.is_none() && path.is_none() {
        return Ok(());
    }
    let filter = filter.unwrap_or_else(|| FILTER.into());
    let filter = EnvFilter::try_new(filter.to_string_lossy());
    let filter = filter.map_err(|error| ConfigError::Log { error: error.to_string() })?;
    let file = path.map(|path| {
        let path = cwd.join(path);
        let opened = File::options().create(true).append(true).open(&path);
        opened.map_err(|source| DriverError::NotWritten { path, source })
    });
    let file = file.transpose()?;
    let writer = move || Line { file: file.as_ref().and_then(|file| file.try_clone().ok()) };
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).without_time();
    // A second subscriber, in tests, changes nothing.
    let _ = subscriber.with_writer(writer).try_init();
    Ok(())
}

/// One line of the log in one write, as other processes write to the same place. In a file the process is told apart by
/// its number.
struct Line {
    file: Option<File>,
}

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = line.trim_ascii_start();
        match &mut self.file {
            Some(file) => file.write_all(&[format!("{} ", std::process::id()).as_bytes(), text].concat())?,
            None => io::stderr().write_all(&[NAME.as_bytes(), text].concat())?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
