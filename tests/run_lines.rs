//! The RUN lines of pass tests: how they are read and expanded, and that a failing command is seen.

#[path = "pass_support/process.rs"]
mod process;
#[path = "pass_support/script.rs"]
mod script;
#[path = "pass_support/shell.rs"]
mod shell;

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use script::{ScriptError, commands, expand};

const MAJORS: [u32; 2] = [19, 22];

fn texts(file: &str, major: u32) -> Vec<String> {
    let commands = commands(file, major, &MAJORS).unwrap_or_else(|error| panic!("{error}"));
    commands.into_iter().map(|command| command.text).collect()
}

#[test]
fn run_lines_are_comments_of_any_style_that_start_with_the_word() {
    let file = "; RUN: one\n// RUN: two\n  # RUN:   three  \nRUN: not a comment\n; says RUN: in the middle\n";
    assert_eq!(texts(file, 22), ["one", "two", "three"]);
}

#[test]
fn a_backslash_joins_the_next_line_of_the_same_kind() {
    assert_eq!(texts("; RUN: a \\\n; text between\n; RUN:   | b\n; RUN: c", 19), ["a | b", "c"]);
    assert_eq!(commands("; RUN: a \\\n", 19, &MAJORS), Err(ScriptError::Dangling(1)));
    assert_eq!(commands("; RUN: a \\\n; RUN-19: b\n", 19, &MAJORS), Err(ScriptError::Dangling(1)));
}

#[test]
fn a_line_for_one_llvm_is_left_out_on_the_other() {
    let file = "; RUN: both\n; RUN-19: old\n; RUN-22: new \\\n; RUN-22: er\n";
    assert_eq!(texts(file, 19), ["both", "old"]);
    assert_eq!(texts(file, 22), ["both", "new er"]);
}

#[test]
fn a_requirement_leaves_the_whole_file_out_on_the_other_llvm() {
    assert_eq!(texts("; REQUIRES: llvm22\n; RUN: a", 22), ["a"]);
    assert!(texts("; RUN: a\n; REQUIRES: llvm22", 19).is_empty());
}

#[test]
fn mistakes_in_the_lines_are_errors_and_never_an_empty_test() {
    let error = |file| commands(file, 22, &MAJORS).unwrap_err().to_string();
    assert_eq!(error("; CHECK: x"), "the file has no RUN line");
    assert_eq!(error("; RUN:  "), "line 1: a RUN line without a command");
    assert_eq!(
        error("; REQUIRES: llvm21\n; RUN: a"),
        "line 1: `llvm21` is not a requirement\nuse one of `llvm19`, `llvm22`"
    );
    assert_eq!(
        error("; RUN-21: a"),
        "line 1: `RUN-21:` is not a kind of RUN line\nuse `RUN:` or one of `RUN-19:`, `RUN-22:`"
    );
}

#[test]
fn names_after_a_per_cent_sign_are_replaced_whole() {
    let table = BTreeMap::from([("s", "/x/in.ll".to_owned()), ("plugin", "/p.so".to_owned())]);
    assert_eq!(expand("opt -p=%plugin %s %s.out 100%%", &table).unwrap(), "opt -p=/p.so /x/in.ll /x/in.ll.out 100%");
    assert_eq!(expand("%plug %s", &table), Err(ScriptError::UnknownSubstitution("plug".to_owned())));
    assert_eq!(expand("50 %", &table), Err(ScriptError::UnknownSubstitution(String::new())));
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(file in "(?s).{0,200}", tail in "(; RUN(-19|-22)?: [a-z%\\\\ ]{0,8}\n){0,4}") {
        let text = format!("{file}\n{tail}");
        for major in MAJORS {
            for command in commands(&text, major, &MAJORS).unwrap_or_default() {
                prop_assert!(!command.text.is_empty());
                let _ = expand(&command.text, &BTreeMap::new());
            }
        }
    }

    #[test]
    fn text_without_a_per_cent_sign_stays(command in "[^%]{0,60}") {
        prop_assert_eq!(expand(&command, &BTreeMap::new()).unwrap(), command);
    }
}

#[test]
fn a_failure_anywhere_in_a_pipe_fails_the_command_and_its_output_is_kept() {
    let status = |text| shell::run(text, Path::new("/usr/bin"), Path::new("/"), &[]).unwrap();
    assert!(status("true | cat").status.success());
    assert!(!status("false | cat").status.success());
    assert!(!status("no-such-program-at-all | cat").status.success());
    let output = status("echo out; echo err >&2; false");
    assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
}

#[test]
fn no_variable_of_the_caller_reaches_a_command() {
    let output = shell::run("env", Path::new("/usr/bin"), Path::new("/"), &[]).unwrap();
    let mut names: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().map(|l| l.split('=').next()).collect();
    names.sort();
    // The last three are the shell's own.
    assert_eq!(names, ["LC_ALL", "PATH", "PWD", "SHLVL", "TMPDIR", "_"].map(Some));
}
