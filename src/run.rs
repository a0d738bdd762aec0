//! Starts the real compiler, waits for it, forwards its status and signals.
//!
//! Two ways. [`replace`] becomes the compiler: for calls that are passed through, so that nothing differs. [`run`] stays
//! in between, for calls whose outputs are looked at afterwards: descriptors, working directory, terminal and process
//! group are the compiler's as if we were not there; see [`signals`] for what is sent to us alone.

mod family;
pub mod open;
pub mod signals;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use thiserror::Error;

/// A change to one variable of the compiler's environment: its value, or `None` to take it away.
pub type Change = (OsString, Option<OsString>);

/// What is to be run. The rest of the environment, the working directory and all descriptors are inherited.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The compiler, absolute; its own `argv[0]`.
    pub program: &'a Path,
    /// argv without `argv[0]`.
    pub arguments: &'a [OsString],
    /// Changes to the environment.
    pub environment: &'a [Change],
}

/// How the compiler ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this exit status, 0 to 255.
    Exited(u8),
    /// Killed by this signal.
    Killed(i32),
}

/// The compiler could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// It does not start.
    #[error("cannot run `{}`: {source}\n{}", program.display(), advice(source))]
    NotStarted {
        /// The compiler.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Signals cannot be passed on, or the compiler cannot be waited for.
    #[error("cannot wait for `{}`: {source}\ntry again", program.display())]
    NotAwaited {
        /// The compiler.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What to do when the compiler does not start.
fn advice(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::ArgumentListTooLong => "put the arguments in a response file (`@FILE`)",
        _ => "check the compiler, or name another with `--sqtt-compiler=PATH`",
    }
}

impl Job<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.arguments);
        for (name, value) in self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn not_started(&self, source: io::Error) -> RunError {
        RunError::NotStarted { program: self.program.to_owned(), source }
    }

    fn not_awaited(&self, source: io::Error) -> RunError {
        RunError::NotAwaited { program: self.program.to_owned(), source }
    }
}

/// Becomes the compiler; comes back only when it does not start.
pub fn replace(job: &Job<'_>) -> RunError {
    tracing::debug!(program = %job.program.display(), "becoming the compiler");
    job.not_started(job.command().exec())
}

/// Runs the compiler to its end.
pub fn run(job: &Job<'_>) -> Result<Outcome, RunError> {
    // Before there is a child, so that no signal finds it without us.
    let relay = signals::Relay::new().map_err(|source| job.not_awaited(source))?;
    tracing::debug!(program = %job.program.display(), "starting the compiler");
    let mut child = job.command().spawn().map_err(|source| job.not_started(source))?;
    let relaying = relay.start().map_err(|source| job.not_awaited(source))?;
    let status = child.wait().map_err(|source| job.not_awaited(source))?;
    tracing::debug!(%status, "the compiler ended");
    relaying.compiler_ended();
    Ok(Outcome::of(status))
}

impl Outcome {
    fn of(status: ExitStatus) -> Outcome {
        match (status.code(), status.signal()) {
            (Some(code), _) => Outcome::Exited(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, Some(signal)) => Outcome::Killed(signal),
            (None, None) => Outcome::Exited(u8::MAX),
        }
    }

    /// Whether the compiler says that it has done its work.
    pub fn is_success(self) -> bool {
        self == Outcome::Exited(0)
    }

    /// Ends this process as the compiler ended: the status for `main` to return, or the same signal.
    pub fn forward(self) -> ExitCode {
        match self {
            Outcome::Exited(code) => ExitCode::from(code),
            Outcome::Killed(signal) => signals::die(signal),
        }
    }
}
