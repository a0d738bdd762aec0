//! Looks at what an instrumented compile wrote, and removes what cannot be decoded.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sqtt_contract::settings::Validation;

use super::DriverError;
use super::report::print_warning;
use crate::invocation::{Origin, Output};
use crate::validate::{Expected, Finding, Report, Rule, Severity, ValidateError, validate_file};

/// What a file looked like: another one in its place, or a new writing, looks different.
type Look = (u64, u64, u64, i64, i64);

/// The predicted outputs before the compiler ran.
#[derive(Debug)]
pub(super) struct Before<'a>(Vec<(&'a Output, Option<Look>)>);

impl<'a> Before<'a> {
    /// Remembers what is there now.
    pub(super) fn of(outputs: &'a [Output]) -> Before<'a> {
        Before(outputs.iter().map(|output| (output, look(&output.path))).collect())
    }

    /// The regular files among the outputs that were written since: a wrong prediction must never touch an old file.
    pub(super) fn written(&self) -> Vec<&'a Output> {
        let written = self.0.iter().filter(|(output, before)| {
            let now = look(&output.path);
            now.is_some() && now != *before
        });
        written.map(|(output, _)| *output).collect()
    }
}

fn look(path: &Path) -> Option<Look> {
    let of = |file: Metadata| (file.dev(), file.ino(), file.size(), file.mtime(), file.mtime_nsec());
    std::fs::metadata(path).ok().filter(Metadata::is_file).map(of)
}

/// Validates the files that the compiler wrote.
///
/// Warnings are printed. Errors are too, or, with [`Validation::Error`], are returned after all the files were removed:
/// as when the compiler itself fails, nothing is left that a build would take for done.
pub(super) fn validate(written: &[&Output], validation: Validation) -> Result<(), DriverError> {
    let mut errors = Vec::new();
    for output in written {
        match look_into(output) {
            Ok(findings) => {
                for (severity, finding) in findings {
                    match severity {
                        Severity::Error => errors.push(format!("{}: {}", finding.object, finding.message)),
                        Severity::Warning => print_warning(&format!("{}: {}", finding.object, finding.message)),
                    }
                }
            }
            Err(error) => errors.push(format!("cannot read what the compiler wrote: {error}")),
        }
    }
    if errors.is_empty() {
        return Ok(());
    }
    if validation != Validation::Error {
        errors.iter().for_each(|error| print_warning(error));
        return Ok(());
    }
    for output in written {
        match std::fs::remove_file(&output.path) {
            Ok(()) => errors.push(format!("removed `{}`", output.path.display())),
            Err(error) => errors.push(format!("cannot remove `{}`: {error}", output.path.display())),
        }
    }
    errors.push("traces of it could not be decoded; to keep such outputs use `--sqtt-validate=warn`".to_owned());
    Err(DriverError::Undecodable(errors.join("\n")))
}

/// What is wrong with an output, and how bad that is for this call.
///
/// Errors: it cannot be read.
pub(super) fn look_into(output: &Output) -> Result<Vec<(Severity, Finding)>, ValidateError> {
    let expected = Expected { targets: output.targets.clone(), strict: false };
    let Report { findings, code_objects, .. } = validate_file(&output.path, &expected)?;
    tracing::debug!(path = %output.path.display(), code_objects, "validated");
    // The host half of a source without kernels holds no device code at all.
    let may_be_without = code_objects == 0 && output.origin != Origin::Device;
    let told = findings.into_iter().filter(|finding| finding.rule != Rule::MissingTarget || !may_be_without);
    Ok(told.map(|finding| (severity(&finding, output), finding)).collect())
}

/// A link of other calls' objects may hold code that was never instrumented: that it lacks a map is no fault of this
/// call. Nor is that their code, where this call's sources have none, is for other targets.
fn severity(finding: &Finding, output: &Output) -> Severity {
    match finding.rule {
        Rule::MissingMap | Rule::SharedId if output.mixed => Severity::Warning,
        Rule::MissingTarget if output.mixed || output.origin == Origin::Libraries => Severity::Warning,
        _ => finding.severity,
    }
}
