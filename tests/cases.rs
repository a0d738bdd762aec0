//! Recorded cases: every `tests/cases/*.expected.json` names a source, a target and settings, and the funcmap rows and
//! markers that must come out on each LLVM. Deliberate differences stand in `*.override.json`. See tests/README.md.

#[path = "cases_support/compile.rs"]
mod compile;
#[path = "cases_support/disassembly.rs"]
mod disassembly;
#[path = "cases_support/facts.rs"]
mod facts;
#[path = "pass_support/llvm.rs"]
mod llvm;
#[path = "pass_support/process.rs"]
mod process;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Trial};
use snapbox::IntoData;
use sqtt_hipcc::validate::{Expected, validate_file};

use facts::{Case, Override};
use llvm::{Llvm, MAJORS};

const RECORD: &str = ".expected.json";

/// Targets that LLVM 19 cannot compile for.
const TARGETS_SINCE_20: [&str; 2] = ["gfx950", "gfx1250"];

fn main() -> Result<ExitCode> {
    let arguments = Arguments::from_args();
    let trials = trials(&llvm::root().join("tests").join("cases"))?;
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

/// One test for each case and LLVM that knows the case's target.
fn trials(directory: &Path) -> Result<Vec<Trial>> {
    let mut records = Vec::new();
    for entry in fs_err::read_dir(directory)? {
        let path = entry?.path();
        if path.to_str().is_some_and(|path| path.ends_with(RECORD)) {
            records.push(path);
        }
    }
    ensure!(!records.is_empty(), "there are no cases in `{}`", directory.display());
    records.sort();
    let mut trials = Vec::new();
    for llvm in MAJORS.map(|major| Arc::new(Llvm::new(major))) {
        for record in &records {
            let name = record.file_name().unwrap_or_default().to_string_lossy().replace(RECORD, "");
            let case = read_case(record)?;
            if llvm.major < 20 && TARGETS_SINCE_20.contains(&case.arch.as_str()) {
                continue;
            }
            let (record, llvm) = (record.clone(), Arc::clone(&llvm));
            trials.push(Trial::test(format!("llvm{}::{name}", llvm.major), move || {
                check(&name, &case, &record, &llvm).map_err(|error| format!("{error:#}").into())
            }));
        }
    }
    Ok(trials)
}

fn read_case(record: &Path) -> Result<Case> {
    let mut case: Case =
        serde_json::from_slice(&fs_err::read(record)?).with_context(|| format!("`{}`", record.display()))?;
    let change = record
        .with_file_name(record.file_name().unwrap_or_default().to_string_lossy().replace(RECORD, ".override.json"));
    if change.exists() {
        let change: Override =
            serde_json::from_slice(&fs_err::read(&change)?).with_context(|| format!("`{}`", change.display()))?;
        ensure!(!change.reason.is_empty(), "an override of `{}` without a reason", record.display());
        case.facts = case.facts.overridden(change);
    }
    Ok(case)
}

/// A map that the plugin wrote breaks no rule, the strict ones included. A compile that had to fail wrote none.
fn check_rules(object: &Path) -> Result<()> {
    if object.exists() {
        let report = validate_file(object, &Expected { strict: true, ..Expected::default() })?;
        ensure!(report.findings.is_empty() && report.code_objects == 1, "{:?}", report);
    }
    Ok(())
}

fn check(name: &str, case: &Case, record: &Path, llvm: &Llvm) -> Result<()> {
    let scratch: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cases-llvm{}", llvm.major)).join(name);
    if scratch.exists() {
        fs_err::remove_dir_all(&scratch)?;
    }
    fs_err::create_dir_all(&scratch)?;
    let observed = compile::observe(case, llvm, record.parent().unwrap_or(llvm::root()), &scratch)?;
    check_rules(&scratch.join(compile::OBJECT))?;
    let (observed, recorded) = (observed.to_text().into_data(), case.facts.to_text().into_data().raw());
    Ok(snapbox::Assert::new().try_eq(Some(&name), observed.raw(), recorded)?)
}
