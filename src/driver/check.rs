//! Looks at what an instrumented compile wrote, and removes what cannot be decoded.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sqtt_contract::settings::Validation;

use super::DriverError;
use super::report::print_warning;
use crate::invocation::Output;
use crate::validate::{Expected, Finding, Rule, Severity, validate_file};

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
        match validate_file(&output.path, &Expected::default()) {
            Ok(report) => {
                tracing::debug!(path = %output.path.display(), code_objects = report.code_objects, "validated");
                for finding in report.findings {
                    match severity(&finding, output) {
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

/// A link of other calls' objects may hold code that was never instrumented: that it lacks a map is no fault of this
/// call.
pub(super) fn severity(finding: &Finding, output: &Output) -> Severity {
    match finding.rule {
        Rule::MissingMap | Rule::SharedId if output.mixed => Severity::Warning,
        _ => finding.severity,
    }
}
