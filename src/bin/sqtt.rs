//! The reader's command line.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, Parser, Subcommand};
use sqtt_hipcc::commands::annotate::{self, AnnotateArgs};
use sqtt_hipcc::commands::check::{self, CheckArgs};
use sqtt_hipcc::commands::config::{self, ConfigArgs};
use sqtt_hipcc::commands::cost::{self, CostArgs};
use sqtt_hipcc::commands::diff::{self, DiffArgs};
use sqtt_hipcc::commands::doctor::{self, DoctorArgs, Surroundings};
use sqtt_hipcc::commands::extract::{self, ExtractArgs};
use sqtt_hipcc::commands::flamegraph::{self, FlamegraphArgs};
use sqtt_hipcc::commands::funcmap::{self, FuncmapArgs};
use sqtt_hipcc::commands::install::{self, InstallArgs, Origin};
use sqtt_hipcc::commands::memory::{self, MemoryArgs};
use sqtt_hipcc::commands::perfetto::{self, PerfettoArgs};
use sqtt_hipcc::commands::plugin::{self, PluginArgs};
use sqtt_hipcc::commands::records::{self, RecordsArgs};
use sqtt_hipcc::commands::summary::{self, SummaryArgs};
use sqtt_hipcc::commands::trace_args::Messages;
use sqtt_hipcc::commands::verify::{self, VerifyArgs};
use sqtt_hipcc::environment::Environment;
use sqtt_hipcc::terminal::printable;

/// Reads traces and code objects of what `sqtt-hipcc` compiled, builds its pass plugin, and installs it
#[derive(Debug, Parser)]
#[command(name = "sqtt", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the marker maps of code objects: which id stands for which function, scope or point
    Funcmap(FuncmapArgs),
    /// Write the code objects of a file out, each to a file of its own
    Extract(ExtractArgs),
    /// Check the maps and the machine code of code objects: whether their traces can be decoded
    Verify(VerifyArgs),
    /// Say what differs between the maps and the markers of two builds
    Diff(DiffArgs),
    /// Check whether traces are what their programs can have traced: what is lost, and what is not of this program
    Check(CheckArgs),
    /// Print the instructions, bytes and registers that instrumentation added
    Cost(CostArgs),
    #[command(flatten)]
    Trace(TraceAction),
    /// Print the settings in force and where they come from, or the schema of sqtt.toml
    Config(ConfigArgs),
    /// Say whether sqtt-hipcc would work here, with what, and what to install if not
    Doctor(DoctorArgs),
    /// Build the pass plugin for a compiler, find it, or list and clean the cache
    Plugin(PluginArgs),
    /// Put the programs and all that goes with them below a directory, with the names that CMake's HIP language accepts
    Install(InstallArgs),
}

/// What is made from traces.
#[derive(Debug, Subcommand)]
enum TraceAction {
    /// Draw where the cycles of traces went: folded stacks and a flame graph
    Flamegraph(FlamegraphArgs),
    /// Print how often each scope of traces was entered and how long it took
    Summary(SummaryArgs),
    /// Print the records of traces, decoded, as JSON lines
    Records(RecordsArgs),
    /// Draw traces as timelines for ui.perfetto.dev, a thread for each wave
    Perfetto(PerfettoArgs),
    /// Print the addresses of memory operations, and sums of cache lines, strides and LDS bank conflicts
    Memory(MemoryArgs),
    /// Put marker maps into code.json, and plain records with corrected times beside packed ones
    Annotate(AnnotateArgs),
}

/// The status of a command that could not do its work; so clap ends for a wrong command line.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    match run(Arguments::parse().action) {
        Ok(status) => ExitCode::from(status),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let text = format!("error: {error:#}");
            for line in text.lines() {
                // If standard error is gone as well, nobody is left to tell.
                let _ = writeln!(io::stderr(), "sqtt: {}", printable(line));
            }
            ExitCode::from(UNUSABLE)
        }
    }
}

fn run(action: Action) -> anyhow::Result<u8> {
    match action {
        Action::Funcmap(args) => {
            let mut out = BufWriter::new(io::stdout().lock());
            let outcome = funcmap::run(&args, &mut out, &mut io::stderr()).context("cannot write")?;
            out.flush().context("cannot write")?;
            Ok(outcome.status())
        }
        Action::Extract(args) => {
            let mut out = BufWriter::new(io::stdout().lock());
            let outcome = extract::run(&args, &mut out, &mut io::stderr())?;
            out.flush().context("cannot write")?;
            Ok(outcome.status())
        }
        Action::Config(args) => {
            let cwd = std::env::current_dir().context("cannot tell which directory this is")?;
            let mut out = BufWriter::new(io::stdout().lock());
            config::run(&args, &Environment::capture(), &cwd, &mut out, &mut io::stderr())?;
            out.flush().context("cannot write")?;
            Ok(0)
        }
        Action::Verify(args) => {
            let process = Process::capture()?;
            let mut out = BufWriter::new(io::stdout().lock());
            let outcome = verify::run(&args, &process.surroundings(), &mut out, &mut io::stderr());
            let outcome = outcome.context("cannot write")?;
            out.flush().context("cannot write")?;
            Ok(outcome.status())
        }
        Action::Diff(args) => on_machine_code(|process, out| {
            Ok(diff::run(&args, &process.surroundings(), out, &mut io::stderr())?.status())
        }),
        Action::Check(args) => on_machine_code(|process, out| {
            Ok(check::run(&args, &process.surroundings(), out, &mut messages(&mut io::stderr()))?.status())
        }),
        Action::Cost(args) => on_machine_code(|process, out| {
            Ok(cost::run(&args, &process.surroundings(), out, &mut io::stderr()).context("cannot write")?.status())
        }),
        Action::Trace(action) => read_traces(action),
        Action::Doctor(args) => {
            let process = Process::capture()?;
            let mut out = BufWriter::new(io::stdout().lock());
            let is_well = doctor::run(&args, &process.surroundings(), &mut out).context("cannot write")?;
            out.flush().context("cannot write")?;
            Ok(u8::from(!is_well))
        }
        Action::Install(args) => {
            let (environment, own_executable) = (Environment::capture(), own_executable()?);
            let reader = Arguments::command();
            let origin = Origin { environment: &environment, own_executable: &own_executable, reader: &reader };
            install::run(&args, &origin, &mut io::stdout())?;
            Ok(0)
        }
        Action::Plugin(args) => {
            let own_executable = own_executable()?;
            plugin::run(&args, &Environment::capture(), &own_executable)?;
            Ok(0)
        }
    }
}

/// Runs a command that may look for a compiler.
fn on_machine_code(run: impl FnOnce(&Process, &mut dyn Write) -> anyhow::Result<u8>) -> anyhow::Result<u8> {
    let process = Process::capture()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let status = run(&process, &mut out)?;
    out.flush().context("cannot write")?;
    Ok(status)
}

fn read_traces(action: TraceAction) -> anyhow::Result<u8> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut errors = io::stderr();
    let messages = &mut messages(&mut errors);
    match action {
        TraceAction::Flamegraph(args) => {
            let process = Process::capture()?;
            Ok(flamegraph::run(&args, &process.surroundings(), &mut out, messages)?.status())
        }
        TraceAction::Summary(args) => {
            let process = Process::capture()?;
            Ok(summary::run(&args, &process.surroundings(), &mut out, messages)?.status())
        }
        TraceAction::Records(args) => Ok(records::run(&args, &mut out, messages)?.status()),
        TraceAction::Perfetto(args) => {
            let process = Process::capture()?;
            Ok(perfetto::run(&args, &process.surroundings(), &mut out, messages)?.status())
        }
        TraceAction::Memory(args) => Ok(memory::run(&args, &mut out, messages)?.status()),
        TraceAction::Annotate(args) => Ok(annotate::run(&args, &mut out, messages)?.status()),
    }
}

fn messages(out: &mut dyn Write) -> Messages<'_> {
    Messages { out, is_terminal: io::stderr().is_terminal() }
}

fn own_executable() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot tell where this program is")
}

/// What is known of the process.
struct Process {
    environment: Environment,
    cwd: PathBuf,
    own_executable: PathBuf,
}

impl Process {
    fn capture() -> anyhow::Result<Process> {
        let cwd = std::env::current_dir().context("cannot tell which directory this is")?;
        let own_executable = std::env::current_exe().context("cannot tell where this program is")?;
        Ok(Process { environment: Environment::capture(), cwd, own_executable })
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { environment: &self.environment, cwd: &self.cwd, own_executable: &self.own_executable }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
