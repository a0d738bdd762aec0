//! The README says what the program does.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::path::Path;
use std::process::Command;

use sqtt_contract::variables::{FLAG_PREFIX, Kind, Reader, TABLE, Variable};

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README is there")
}

/// What stands between the line that starts with `from` and the one that starts with `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("the README has no `{from}`"));
    let (_, rest) = rest.split_once('\n').expect("the line ends");
    rest.split_once(to).unwrap_or_else(|| panic!("the README has no `{to}`")).0
}

fn row(variable: &Variable) -> String {
    let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
    let value = if variable.kind == Kind::Bool { "" } else { "=" };
    let flag = variable.flag.map(|flag| format!("{FLAG_PREFIX}{flag}{value}")).unwrap_or_default();
    let key = variable.key.unwrap_or_default();
    let (name, default) = (code(variable.name), code(variable.default));
    format!("| {} | {name} | {} | {default} | {} | {} |\n", code(&flag), code(key), variable.accepts, variable.doc)
}

#[test]
fn the_table_of_settings_is_the_one_of_the_contract() {
    let mut table =
        String::from("| flag | variable | `sqtt.toml` | default | accepts | use it to |\n|---|---|---|---|---|---|\n");
    for variable in TABLE.iter().filter(|variable| variable.reader != Reader::Internal) {
        table.push_str(&row(variable));
    }
    let written = readme();
    let written = between(&written, "<!-- settings", "<!-- settings end");
    assert!(written == table, "the table of README.md is to be\n{table}");
}

#[test]
fn links_and_paths_of_the_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect("the document is there");
        let quoted = text.split('`').skip(1).step_by(2);
        let places = ["src/", "plugin/", "headers/", "examples/", "ci/", "tests/"];
        for path in
            quoted.filter(|word| places.iter().any(|place| word.starts_with(place)) && !word.contains([' ', '*']))
        {
            assert!(root.join(path).exists(), "{document}: no `{path}`");
        }
    }
}

/// The addresses of kernels and functions differ between point releases of a compiler; nothing else of the map may.
fn without_addresses(table: &str) -> String {
    let is_address = |word: &str| word.starts_with("0x");
    table
        .lines()
        .map(|line| line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

#[test]
fn the_map_that_it_shows_is_the_one_that_is_printed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::os::unix::fs::symlink(Path::new(real::ROOT).join("examples"), directory.path().join("examples"))
        .expect("the temporary directory is writable");
    let readme = readme();
    let compile =
        between(&readme, "<!-- demo", "<!-- demo end").lines().find_map(|line| line.strip_prefix("$ sqtt-hipcc "));
    let words = compile.expect("the README shows a compile").split(' ');
    let mut driver = real::driver(&real::hipcc(&llvm::releases()[1]));
    real::compile(driver.current_dir(directory.path()).args(words));

    let mut reader = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    reader.current_dir(directory.path()).args(["funcmap", "--demangle", "reduction"]);
    let printed = String::from_utf8(llvm::success(&mut reader).stdout).expect("the table is UTF-8");
    let shown = between(&readme, "$ sqtt funcmap --demangle reduction", "```");
    assert_eq!(without_addresses(shown), without_addresses(&printed));
}
