//! Each point of correctness has a test that fails without it: the plugin is built with the cargo feature `faults`, a
//! point at a time is left out, and the pass test that speaks of it must fail. With nothing left out it must pass.
//!
//! The names of the trials are the list of the points with what catches them.

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

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Arguments, Trial};
use sqtt_contract::variables;

use llvm::{Llvm, MAJORS};

/// One point, as `plugin/src/faults.rs` calls it, and the pass test that fails without it on the LLVMs named.
struct Point {
    name: &'static str,
    meaning: &'static str,
    caught_by: &'static str,
    on: &'static [u32],
}

const BOTH: &[u32] = &MAJORS;

const fn point(name: &'static str, meaning: &'static str, caught_by: &'static str) -> Point {
    Point { name, meaning, caught_by, on: BOTH }
}

const POINTS: &[Point] = &[
    point("PhantomMarkers", "no marker of a wave without lanes", "phantoms/cheap_divergent_branch.hip"),
    point("FenceTag", "a boundary invalidates no cache", "boundary/caches_are_left_alone.hip"),
    point(
        "ConvergentMarkers",
        "a marker is neither merged nor duplicated",
        "convergence/placeholders_are_convergent.ll",
    ),
    point("OneExit", "a function has one exit", "convergence/one_exit_per_function.ll"),
    point("JoinedExits", "exits in divergent arms are one", "convergence/exits_in_divergent_arms_are_joined.hip"),
    point("StaticAllocas", "static allocas stay static", "resources/static_stack_functions.hip"),
    point("UniformValues", "a divergent value is traced", "data/divergent_value.hip"),
    point("AdjacentPayload", "a payload follows its header", "data/one_guard_one_boundary.ll"),
    point("NamesThroughMemory", "-O0 resolves names", "o0/names_through_wrappers.hip"),
    point("ExitWithoutName", "an exit needs no name", "named/exit_needs_no_name.hip"),
    point("UnknownNames", "no marker is dropped for its name", "named/unresolved_label.hip"),
    point("WaveSize", "the wave size is the function's", "addresses/wave_sizes.ll"),
    point("EncodedNames", "a name cannot break the map", "map/percent_encoding.hip"),
    point("ApiIsNoFunction", "the marker API is no function", "named/wrappers_are_no_functions.hip"),
    point("UntrueAttributes", "attributes stay true", "functions/untrue_attributes.ll"),
    point("NakedFunctions", "naked functions are left alone", "functions/naked.ll"),
    point("OnlyWrappersInlined", "only wrappers are inlined", "named/only_wrappers_are_inlined.hip"),
    point("MemorySpaces", "a scalar load is no memory operation", "memory/address_spaces.ll"),
    point("OwnCodeIsNoGap", "the pass's own code is no gap", "memory/gap_without_own_code.ll"),
    point("NoDeadRows", "a row has a marker", "map/no_dead_rows.hip"),
    point("Idempotence", "a finished module is left alone", "module/idempotent.ll"),
    point("Retention", "the map survives a link", "map/retention.ll"),
    point("Diagnostics", "a failure is an error", "settings/errors_are_diagnostics.hip"),
    point("OffIsOff", "off is off", "resources/off_is_same_code.hip"),
    point("LinkedUnits", "linked units have one map", "rdc/one_map.hip"),
    point("Balance", "an unbalanced wave is warned about", "balance/early_return.hip"),
    point("UnknownTargets", "no instruction is guessed", "targets/unknown.ll"),
    point("ScalarGuards", "a guard is a scalar branch", "scope/guards_are_scalar.hip"),
    point("M0Output", "a later user of M0 has its value", "m0/later_user_of_m0.hip"),
];

fn main() -> Result<ExitCode> {
    let arguments = Arguments::from_args();
    let mut trials = vec![Trial::test("every point of the plugin is listed", || shown(check_complete()))];
    for llvm in MAJORS.map(|major| Arc::new(Llvm::with_faults(major))) {
        for point in POINTS.iter().filter(|point| point.on.contains(&llvm.major)) {
            let llvm = Arc::clone(&llvm);
            let name = format!("llvm{}: {}, or {} fails", llvm.major, point.meaning, point.caught_by);
            trials.push(Trial::test(name, move || shown(check(point, &llvm))));
        }
    }
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

/// A failure with all its reasons.
fn shown(result: Result<()>) -> Result<(), libtest_mimic::Failed> {
    result.map_err(|error| format!("{error:#}").into())
}

/// The test passes as it is and fails without the point.
fn check(point: &Point, llvm: &Llvm) -> Result<()> {
    let files = runner::find(&llvm::root().join("tests").join("pass"))?;
    let file = files.iter().find(|file| file.name == point.caught_by);
    let file = file.with_context(|| format!("there is no pass test `{}`", point.caught_by))?;
    let commands = script::commands(&fs_err::read_to_string(&file.path)?, llvm.major, &MAJORS)?;
    ensure!(!commands.is_empty(), "`{}` has no commands for LLVM {}", file.name, llvm.major);
    runner::run(file, &commands, llvm, &[(variables::FAULT, "None")]).context("with nothing left out")?;
    match runner::run(file, &commands, llvm, &[(variables::FAULT, point.name)]) {
        Ok(()) => bail!("`{}` passes without `{}`", file.name, point.name),
        Err(_) => Ok(()),
    }
}

/// No point of the plugin is without a test, and none is listed that the plugin does not have.
fn check_complete() -> Result<()> {
    let source = fs_err::read_to_string(llvm::root().join("plugin/src/faults.rs"))?;
    let body = source.split_once("enum Point {").and_then(|(_, rest)| rest.split_once('}')).context("no enum")?.0;
    let variants = body.lines().filter_map(|line| line.trim().strip_suffix(','));
    let declared: BTreeSet<&str> = variants.filter(|name| !name.starts_with("//")).collect();
    let listed: BTreeSet<&str> = POINTS.iter().map(|point| point.name).collect();
    ensure!(declared == listed, "only in the plugin or only here: {:?}", &declared ^ &listed);
    Ok(())
}
