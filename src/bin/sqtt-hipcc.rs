//! The drop-in driver: `sqtt-hipcc` takes hipcc's command line; see [`sqtt_hipcc::driver`].
//!
//! Exit status: the compiler's, or its signal; 125 when `sqtt-hipcc` itself fails.

use std::path::PathBuf;
use std::process::ExitCode;

use sqtt_hipcc::driver::{Call, FAILED, drive, print_error};
use sqtt_hipcc::environment::Environment;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let program = arguments.next().unwrap_or_default();
    let call = Call {
        arguments: arguments.collect(),
        program: program.clone(),
        environment: Environment::capture(),
        // A directory that is gone has no name; the compiler decides what it can do there.
        cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        own_executable: std::env::current_exe().unwrap_or_else(|_| PathBuf::from(program)),
    };
    match drive(&call) {
        Ok(outcome) => outcome.forward(),
        Err(error) => {
            print_error(&error);
            ExitCode::from(FAILED)
        }
    }
}
