//! Findings for a person.
//!
//! ```text
//! error[scope-balance]: a.out: .hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942
//!   function `_Z6kernelPi` at 0x1634, a.hip:12
//!   a path ends with a scope open
//!   close it on every path
//! a.out: 2 code objects, 1 error, 0 warnings
//!   not seen: 1 calls of unknown functions
//! ```

use std::io::{self, Write};

use super::super::told::tell;
use super::finding::{File, Finding, severity_word};
use crate::terminal::{counted, printable};
use crate::validate::Severity;

pub(super) fn print(file: &File, out: &mut dyn Write) -> io::Result<()> {
    file.findings.iter().try_for_each(|finding| print_finding(finding, out))?;
    let count = |severity| file.findings.iter().filter(|finding| finding.severity == severity).count();
    writeln!(
        out,
        "{}: {}, {}, {}",
        printable(&file.path),
        counted(file.code_objects as u64, "code object"),
        counted(count(Severity::Error) as u64, "error"),
        counted(count(Severity::Warning) as u64, "warning")
    )?;
    for skipped in &file.maps_only {
        writeln!(out, "  only the map was looked at: {}: {}", skipped.object, skipped.reason)?;
    }
    file.unseen.words().iter().try_for_each(|words| writeln!(out, "  not seen: {words}"))
}

/// Why something could not be looked at, as messages of the program.
pub(super) fn print_errors(file: &File, messages: &mut dyn Write) -> io::Result<()> {
    tell("error", &file.errors, messages)
}

fn print_finding(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let rule = if finding.rule == finding.name { String::new() } else { format!("{} ", finding.rule) };
    let severity = severity_word(finding.severity);
    writeln!(out, "{severity}[{rule}{}]: {}", finding.name, finding.object)?;
    if let Some(function) = &finding.function {
        let address = finding.address.map_or_else(String::new, |address| format!(" at {address:#x}"));
        let source = finding.source.as_ref();
        let source = source.map_or_else(String::new, |source| format!(", {}:{}", source.file, source.line));
        writeln!(out, "  {}", printable(&format!("function `{function}`{address}{source}")))?;
    }
    finding.message.lines().try_for_each(|line| writeln!(out, "  {}", printable(line)))
}
