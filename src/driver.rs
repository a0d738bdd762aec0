//! One run of `sqtt-hipcc`, top to bottom, one call per stage.

mod check;
mod compiler;
mod limits;
mod log;
mod record;
mod report;
mod save;
mod stamp;
mod tools;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sqtt_contract::variables::{self, DRIVER_ACTIVE};
use thiserror::Error;

use compiler::Target;
pub use report::{FAILED, print_error};

use crate::config::{Action, Config, ConfigError, Divided, OwnFlags, Sources, help};
use crate::environment::Environment;
use crate::invocation::flags::Stage;
use crate::invocation::launch::{self, FLAG};
use crate::invocation::{
    Answer, Circumstances, CommandLine, Invocation, Reading, Reason, Work, classify, first_source_directory,
};
use crate::plan::{Facts, Plan, plan, show};
use crate::run::{self, Job, Outcome, RunError};
use crate::toolchain::{Cache, ToolchainError, probe};

/// How the process was called; captured once, in `main`.
#[derive(Clone, Debug)]
pub struct Call {
    /// `argv[0]`: a link to the driver may have a name that means something.
    pub program: OsString,
    /// argv without `argv[0]`.
    pub arguments: Vec<OsString>,
    /// The environment.
    pub environment: Environment,
    /// The working directory.
    pub cwd: PathBuf,
    /// The file of the running program.
    pub own_executable: PathBuf,
}

/// Why `sqtt-hipcc` itself fails. `Display` may have several lines; the last one says what to do.
#[derive(Debug, Error)]
pub enum DriverError {
    /// A setting is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Sources of one command want different settings.
    #[error(transparent)]
    Divided(#[from] Divided),
    /// There is no compiler, no LLVM or no plugin.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The compiler cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The compiler calls us.
    #[error(
        "the compiler `{}` runs sqtt-hipcc again, which would run it again\n\
         let it find the real clang (hipcc: `HIP_CLANG_PATH`), or name another compiler with `--sqtt-compiler=PATH`",
        compiler.display()
    )]
    Loop {
        /// The compiler that an outer run is waiting for.
        compiler: PathBuf,
    },
    /// There is no compiler behind the flag for a launch.
    #[error("no compiler to launch\nwrite its command line behind `{FLAG}`: `{FLAG} clang++ -c a.hip`")]
    NothingToLaunch,
    /// SPIR-V is turned into machine code on another machine, without the plugin.
    #[error(
        "markers are not possible for `{arch}`: its code is made where the program runs\n\
             compile for gfx targets, or switch instrumentation off with `--sqtt-off`"
    )]
    Spirv {
        /// The target as typed.
        arch: String,
    },
    /// Thin LTO never has all units in one place.
    #[error(
        "`-foffload-lto=thin` cannot give the markers of all units ids of their own\n\
             use `-foffload-lto=full`, or `-foffload-lto` alone"
    )]
    ThinLto,
    /// The compiler's new offload driver links device code itself, without passes.
    #[error(
        "the new offload driver of LLVM {major} runs no pass in the link of `-fgpu-rdc`: ids of several units would collide\n\
             compile and link with `--no-offload-new-driver`, or with LLVM 20 or newer"
    )]
    NewDriverLink {
        /// Its LLVM.
        major: u32,
    },
    /// The compiler drops the plugin.
    #[error(
        "with `--save-temps` the compiler's new offload driver runs no pass on device code: there would be no markers\n\
             use `--no-offload-new-driver`, or compile without `--save-temps`"
    )]
    NewDriverSaveTemps,
    /// A file that was asked for cannot be written.
    #[error("`{}`: {source}\nname another place, or leave the setting out", path.display())]
    NotWritten {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A path that hipcc would have a shell take apart.
    #[error(
        "hipcc gives the output path `{}` to a shell between double quotes, where it can run commands (`{}`)\n\
         choose a path without `\"`, `$`, `\\` and backquotes, or write it in one word with the flag: `-oPATH`",
        path.display(),
        compiler.display()
    )]
    ShellInjection {
        /// The path as typed.
        path: PathBuf,
        /// The hipcc.
        compiler: PathBuf,
    },
    /// Standard output is gone.
    #[error("cannot write: {0}\ncheck what standard output leads to")]
    Print(#[from] io::Error),
    /// An output cannot be decoded; it has been said why.
    #[error("{0}")]
    Undecodable(String),
}

/// Does what the call asks for. Comes back with how the compiler ended, or with why there was no such end.
pub fn drive(call: &Call) -> Result<Outcome, DriverError> {
    let launches = Path::new(&call.program).file_name().is_some_and(|name| name == launch::NAME);
    let invocation = Invocation::split(call.arguments.iter().cloned(), call.cwd.clone(), launches);
    let flags = OwnFlags::parse(&invocation.own)?;
    log::start(&flags, &call.environment, &call.cwd)?;
    match flags.action {
        Some(Action::Help) => return print(help::text().as_bytes()),
        Some(Action::Version) => return print(concat!("sqtt-hipcc ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()),
        Some(Action::PrintPlan) | None => {}
    }
    let line = invocation.read();
    let config = configure(call, &invocation, &flags, &line)?;
    let Target { compiler, through, rules } = Target::of(call, &config, &invocation)?;
    let reading = Reading::new(&line, rules);
    let sources = reading.hip_inputs().map(|input| Path::new(&input.text));
    let config = config.for_sources(sources, &invocation.cwd)?;
    let answer = classify(&reading, &circumstances(call, &config));
    tracing::debug!(%answer, compiler = %compiler.path.display(), "classified");
    limits::shell_injection(&compiler, &invocation.forwarded)?;
    let cache = Cache::locate(&call.environment).beside(&call.own_executable);
    limits::refuse(&answer, &reading, || Ok(probe(&compiler, &call.environment, &cache)?.major))?;
    let makes_code = matches!(answer, Answer::Instrument(_)) && reading.stage > Stage::Check;
    if let Some(divided) = config.divided.as_ref().filter(|_| makes_code) {
        return Err(divided.clone().into());
    }
    let only_print = flags.action == Some(Action::PrintPlan);
    let tools = match &answer {
        Answer::Instrument(work) => Some(tools::tools(call, &config, &compiler, &reading, work, only_print)?),
        _ => None,
    };
    let off = would_be_instrumented(&answer, &reading).map(|work| tools::off(call, &config, &compiler, &work));
    let facts = Facts {
        compiler: &compiler,
        through: &through,
        tools: tools.as_ref(),
        off: off.as_ref(),
        outer: call.environment.get(DRIVER_ACTIVE),
    };
    let mut plan = plan(&invocation, &reading, answer, &config, &facts);
    if tools::appended_takes_targets_back(&call.environment, &compiler, &reading) {
        plan.forget_targets();
    }
    if only_print {
        return print(&show(&plan, &config));
    }
    execute(&plan, &config, call)
}

/// What a call does that is switched off and would be instrumented if it were not.
fn would_be_instrumented(answer: &Answer, reading: &Reading) -> Option<Work> {
    if !matches!(answer, Answer::PassThrough(Reason::Off(_))) {
        return None;
    }
    match classify(reading, &Circumstances::default()) {
        Answer::Instrument(work) => Some(work),
        _ => None,
    }
}

/// The settings of the call. A flag of ours in a response file would reach the compiler, so it is an error.
fn configure(
    call: &Call,
    invocation: &Invocation,
    flags: &OwnFlags,
    line: &CommandLine,
) -> Result<Config, ConfigError> {
    if let Some((flag, file)) = &line.misplaced {
        return Err(ConfigError::Misplaced { flag: flag.clone(), file: file.clone() });
    }
    let source_directory = first_source_directory(line, &invocation.cwd);
    Config::resolve(&Sources {
        flags,
        environment: &call.environment,
        cwd: &invocation.cwd,
        source_directory: source_directory.as_deref(),
    })
}

fn circumstances(call: &Call, config: &Config) -> Circumstances {
    Circumstances {
        off: config.off().map(|origin| origin.to_string()),
        nested: call.environment.get_non_empty(DRIVER_ACTIVE).is_some(),
    }
}

fn print(text: &[u8]) -> Result<Outcome, DriverError> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()?;
    Ok(Outcome::Exited(0))
}

/// Runs the compiler and looks at what it wrote; a call that is not instrumented becomes the compiler.
fn execute(plan: &Plan, config: &Config, call: &Call) -> Result<Outcome, DriverError> {
    let job = Job { program: &plan.program, arguments: &plan.arguments, environment: &plan.environment };
    if !plan.instruments() {
        return Err(run::replace(&job).into());
    }
    // A scan or a check answers as the compiler does; the compile of the same source says what is odd.
    if !matches!(&plan.answer, Answer::Instrument(work) if work.only_reads()) {
        config.warnings.iter().for_each(|warning| report::print_warning(warning));
        config.hints.iter().for_each(|hint| report::print_hint(hint));
    }
    plan.notes.iter().for_each(|note| report::print_note(note));
    let saved =
        config.path(variables::SAVE_DIR).map(|(directory, _)| save::Saved::begin(&directory, plan, config, call));
    let saved = saved.transpose()?;
    let before = check::Before::of(&plan.outputs);
    let outcome = run::run(&job)?;
    let written = before.written();
    let mut record = record::wanted(config).then(|| record::Record::new(plan, config, outcome, &written));
    if let Some(saved) = &saved {
        saved.keep_outputs(&written)?;
    }
    let checked = if outcome.is_success() { check::validate(&written, plan.validation) } else { Ok(()) };
    if let Some(record) = &mut record {
        record.error = checked.as_ref().err().map(ToString::to_string);
        record.write(config.path(variables::REPORT).map(|(path, _)| path))?;
        record.write(saved.as_ref().map(save::Saved::report))?;
    }
    checked.map(|()| outcome)
}
