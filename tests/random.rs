//! Random programs: HIP kernels with every kind of marker and control flow, each with a compiler, target, level and
//! settings of its own, must compile to code that is right, and be warned of exactly when they are unbalanced.
//! See tests/README.md for how many and which.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

#[path = "random/campaign.rs"]
mod campaign;
#[path = "random/case.rs"]
mod case;
#[path = "random/check.rs"]
mod check;
#[path = "random/examples.rs"]
mod examples;
#[path = "pass_support/llvm.rs"]
mod llvm;
#[path = "random/machine.rs"]
mod machine;
#[path = "random/model.rs"]
mod model;
#[path = "random/mutate.rs"]
mod mutate;
#[path = "random/normal.rs"]
mod normal;
#[path = "pass_support/process.rs"]
mod process;
#[path = "random/program.rs"]
mod program;
#[path = "random/setup.rs"]
mod setup;
#[path = "random/shares.rs"]
mod shares;
#[path = "random/source.rs"]
mod source;
#[path = "random/strategy.rs"]
mod strategy;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use libtest_mimic::{Arguments, Failed, Trial};

use case::Case;
use llvm::{Llvm, MAJORS};

/// How many programs, and of which run, when the environment does not say.
const PROGRAMS: u64 = 400;
const SEED: u64 = 1;
/// Steps that one that fails is shrunk by, at most.
const SHRINK: u64 = 400;
/// Programs of one test.
const CHUNK: u64 = 20;

fn main() -> Result<ExitCode> {
    let arguments = Arguments::from_args();
    let programs = number("RANDOM_PROGRAMS", PROGRAMS)?;
    let seed = number("RANDOM_SEED", SEED)?;
    let steps = number("RANDOM_SHRINK", SHRINK)?;
    let llvms = Arc::new(MAJORS.map(Llvm::new));
    let mut trials = seeds(&llvms)?;
    trials.extend(examples::trials());
    // Shares are the generator's; those of another seed differ by chance.
    trials.extend(shares::trials(SEED));
    if let Some(directory) = std::env::var_os("RANDOM_KEEP") {
        trials.push(Trial::test("kept::all", move || Ok(campaign::keep(seed, programs, directory.as_ref())?)));
    }
    for first in (0..programs).step_by(CHUNK as usize) {
        let end = programs.min(first + CHUNK);
        let llvms = Arc::clone(&llvms);
        trials.push(Trial::test(format!("programs::{seed}-{first:05}"), move || {
            let failures: Vec<String> =
                (first..end).filter_map(|index| campaign::run(seed, index, steps, &*llvms).err()).collect();
            if failures.is_empty() { Ok(()) } else { Err(failures.join("\n\n").into()) }
        }));
    }
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

/// The number that the variable `name` holds.
fn number(name: &str, default: u64) -> Result<u64> {
    match std::env::var(name) {
        Ok(text) => text.parse().with_context(|| format!("`{name}={text}` is no number")),
        Err(_) => Ok(default),
    }
}

/// One test for each program that once failed.
fn seeds(llvms: &Arc<[Llvm; 2]>) -> Result<Vec<Trial>> {
    let directory = llvm::root().join("tests").join("random").join("seeds");
    let mut paths = Vec::new();
    for entry in fs_err::read_dir(&directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "hip") {
            paths.push(path);
        }
    }
    paths.sort();
    let trial = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let llvms = Arc::clone(llvms);
        Trial::test(format!("seeds::{name}"), move || -> Result<(), Failed> {
            let text = fs_err::read_to_string(&path)?;
            let case = Case::from_file(&text)?;
            campaign::check_case(&case, &*llvms, &format!("seed {name}"), true)
                .map_err(|failure| format!("{}: {}\n{}", path.display(), failure.what, failure.text).into())
        })
    };
    Ok(paths.into_iter().map(trial).collect())
}
