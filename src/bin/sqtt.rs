//! The reader's command line.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sqtt_hipcc::commands::funcmap::{self, FuncmapArgs};

/// Reads what `sqtt-hipcc` compiled: the marker maps in its code objects
#[derive(Debug, Parser)]
#[command(name = "sqtt", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the marker maps of code objects: which id stands for which function, scope or point
    Funcmap(FuncmapArgs),
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(status) => ExitCode::from(status),
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone as well, nobody is left to tell.
            let _ = writeln!(io::stderr(), "sqtt: error: cannot write: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> io::Result<u8> {
    let mut out = BufWriter::new(io::stdout().lock());
    let status = match arguments.command {
        Command::Funcmap(args) => funcmap::run(&args, &mut out, &mut io::stderr())?.status(),
    };
    out.flush()?;
    Ok(status)
}
