//! The SARIF log of `sqtt verify --sarif`: OASIS SARIF 2.1.0, what code scanning reads.
//!
//! A finding's place is its source line where that is known, with the binary as a related location; else the binary.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::super::lines::Source;
use super::finding::{File, Finding, severity_word};
use super::help;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn print(files: &[File], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(files))?;
    writeln!(out)
}

fn log(files: &[File]) -> Value {
    let rules = help::rules();
    let index = |finding: &Finding| rules.iter().position(|rule| rule.id == finding.rule);
    let of_file = |file: &File| file.findings.iter().map(|one| result(file, one, index(one))).collect::<Vec<_>>();
    let results: Vec<Value> = files.iter().flat_map(of_file).collect();
    let described: Vec<Value> = rules.iter().map(described).collect();
    let errors = files.iter().flat_map(|file| &file.errors);
    let notes: Vec<Value> = errors.map(|error| json!({"level": "error", "message": {"text": error}})).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "sqtt verify", "version": env!("CARGO_PKG_VERSION"), "rules": described}},
            "invocations": [{"executionSuccessful": notes.is_empty(), "toolExecutionNotifications": notes}],
            "results": results,
        }],
    })
}

fn described(rule: &help::RuleHelp) -> Value {
    json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary()},
        "help": {"text": rule.text, "markdown": rule.text},
        "defaultConfiguration": {"level": severity_word(rule.severity)},
    })
}

fn result(file: &File, finding: &Finding, index: Option<usize>) -> Value {
    let mut result = json!({
        "ruleId": finding.rule,
        "level": severity_word(finding.severity),
        "message": {"text": format!("{}\n{}", finding.message, finding.object)},
    });
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    let binary = binary(file, finding);
    match &finding.source {
        Some(source) => {
            let mut place = line(source);
            if let Some(function) = binary.get("logicalLocations") {
                place["logicalLocations"] = function.clone();
            }
            result["locations"] = json!([place]);
            result["relatedLocations"] = json!([binary]);
        }
        None => result["locations"] = json!([binary]),
    }
    result
}

fn line(source: &Source) -> Value {
    json!({"physicalLocation": {"artifactLocation": {"uri": uri(&source.file)}, "region": {"startLine": source.line}}})
}

fn binary(file: &File, finding: &Finding) -> Value {
    let mut place = json!({"physicalLocation": {"artifactLocation": {"uri": uri(&file.path)}}});
    if let Some(address) = finding.address {
        place["physicalLocation"]["address"] = json!({"absoluteAddress": address, "kind": "instruction"});
    }
    if let Some(function) = &finding.function {
        place["logicalLocations"] = json!([{"fullyQualifiedName": function, "kind": "function"}]);
    }
    place
}

/// A path as a URI reference (RFC 3986): relative to wherever the log is read, or a `file` URI.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("sub/a b#c.hip"), "sub/a%20b%23c.hip");
        assert_eq!(uri("/x/ö"), "file:///x/%C3%B6");
    }
}
