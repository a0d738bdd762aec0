//! Pass tests: every `.ll` and `.hip` file under `tests/pass` says in RUN lines how the plugin is run on it and, with
//! FileCheck, what must come out. Each runs once per LLVM, as `llvm22::scope/guard_after_allocas.ll`. See tests/README.md.

#[path = "pass_support/llvm.rs"]
mod llvm;
#[path = "pass_support/process.rs"]
mod process;
#[path = "pass_support/runner.rs"]
mod runner;
#[path = "pass_support/script.rs"]
mod script;
#[path = "pass_support/shell.rs"]
mod shell;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, ensure};
use libtest_mimic::{Arguments, Trial};

use llvm::{Llvm, MAJORS};

fn main() -> Result<ExitCode> {
    let arguments = Arguments::from_args();
    let trials = trials()?;
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

/// One test for each file and LLVM. A file that is for one LLVM only is no test of the other.
fn trials() -> Result<Vec<Trial>> {
    let files = runner::find(&llvm::root().join("tests").join("pass"))?;
    ensure!(!files.is_empty(), "there are no pass tests");
    let mut trials = Vec::new();
    for llvm in MAJORS.map(|major| Arc::new(Llvm::new(major))) {
        for file in &files {
            let text = fs_err::read_to_string(&file.path)?;
            let commands = script::commands(&text, llvm.major, &MAJORS);
            if commands.as_ref().is_ok_and(Vec::is_empty) {
                continue;
            }
            let name = format!("llvm{}::{}", llvm.major, file.name);
            let (file, llvm) = (file.clone(), Arc::clone(&llvm));
            trials.push(Trial::test(name, move || {
                let commands = commands.map_err(|error| format!("{}: {error}", file.path.display()))?;
                runner::run(&file, &commands, &llvm, &[]).map_err(|error| format!("{error:#}").into())
            }));
        }
    }
    Ok(trials)
}
