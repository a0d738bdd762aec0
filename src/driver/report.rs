//! What the driver says on standard error: every line starts with its name.

use std::fmt::Display;
use std::io::{self, Write};

use sqtt_contract::variables::LOG;
use tracing_subscriber::EnvFilter;

use crate::config::ConfigError;
use crate::environment::Environment;

/// Exit status of our own failures; compilers and shells leave it alone, as `git bisect run` and `env` do.
pub const FAILED: u8 = 125;

/// What every line starts with.
const NAME: &str = "sqtt-hipcc: ";

/// Says why `sqtt-hipcc` fails.
pub fn print_error(error: &dyn Display) {
    print("error: ", error);
}

/// Says what is odd and stops nothing.
pub(super) fn print_warning(warning: &dyn Display) {
    print("warning: ", warning);
}

/// Says what may not be meant.
pub(super) fn print_hint(hint: &dyn Display) {
    print("hint: ", hint);
}

/// One write for the whole message: others write to the same standard error under `make -j`.
fn print(severity: &str, message: &dyn Display) {
    let text = format!("{severity}{message}");
    let lines: String = text.lines().map(|line| format!("{NAME}{line}\n")).collect();
    // If standard error is gone, nobody is left to tell.
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Starts the log that the environment asks for; without that there is none. A filter that cannot be read is an error.
pub(super) fn start_log(environment: &Environment) -> Result<(), ConfigError> {
    let Some(filter) = environment.get_non_empty(LOG) else { return Ok(()) };
    let filter = filter.to_string_lossy();
    let filter = EnvFilter::try_new(&filter).map_err(|error| ConfigError::Log { error: error.to_string() })?;
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).without_time();
    // A second subscriber, in tests, changes nothing.
    let _ = subscriber.with_writer(|| LogLine).try_init();
    Ok(())
}

/// Standard error, for one line of the log at a time.
struct LogLine;

impl Write for LogLine {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        io::stderr().write_all(&[NAME.as_bytes(), line.trim_ascii_start()].concat())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
