//! Response files: split as clang splits them, nested, and never touched when they are not plain files.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use sqtt_hipcc::invocation::response::{expand, split};

fn words(text: &str) -> Vec<OsString> {
    split(text.as_bytes())
}

#[test]
fn blanks_separate_and_quotes_join() {
    assert_eq!(words("-c  a.hip\t-o\r\n'a b.o'"), ["-c", "a.hip", "-o", "a b.o"]);
    assert_eq!(words(r#"-DX="a b"c '' "it's""#), ["-DX=a bc", "", "it's"]);
    assert_eq!(words("  \n"), Vec::<OsString>::new());
}

#[test]
fn backslash_takes_the_next_byte_in_and_out_of_quotes() {
    assert_eq!(words(r#"a\ b "x\"y" 'x\'y' \\"#), ["a b", "x\"y", "x'y", "\\"]);
    assert_eq!(words("a\\\nb"), ["a\nb"]);
    assert_eq!(words("end\\"), ["end\\"]);
}

#[test]
fn unterminated_quote_ends_with_the_file() {
    assert_eq!(words("a 'b c"), ["a", "b c"]);
}

#[test]
fn byte_order_mark_and_odd_bytes() {
    assert_eq!(split(b"\xEF\xBB\xBF-c \xff.hip"), [OsString::from("-c"), OsString::from_vec(b"\xff.hip".to_vec())]);
}

fn texts(arguments: &[&str], cwd: &Path) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    expand(&arguments, cwd).into_iter().map(|word| word.text).collect()
}

#[test]
fn nested_files_are_relative_to_the_working_directory() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::create_dir(dir.path().join("sub")).unwrap();
    fs_err::write(dir.path().join("sub/outer"), "-c @inner -o x").unwrap();
    fs_err::write(dir.path().join("inner"), "a.hip").unwrap();
    assert_eq!(texts(&["-g", "@sub/outer", "-O2"], dir.path()), ["-g", "-c", "a.hip", "-o", "x", "-O2"]);
}

#[test]
fn words_know_the_file_that_they_come_from() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("r"), "a.hip").unwrap();
    let expanded = expand(&["-c".into(), "@r".into()], dir.path());
    assert_eq!(expanded[0].response_file, None);
    assert_eq!(expanded[1].response_file, Some(dir.path().join("r")));
}

#[test]
fn missing_files_and_directories_stay_words() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(texts(&["@none", "@.", "@"], dir.path()), ["@none", "@.", "@"]);
}

#[test]
fn a_file_that_names_itself_ends() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("r"), "-c @r").unwrap();
    assert!(texts(&["@r"], dir.path()).iter().all(|word| word == "-c"));
}

/// Reading a pipe (`@<(command)` in bash) would take its contents away from the compiler.
#[test]
fn a_pipe_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    assert_eq!(texts(&["@fifo"], dir.path()), ["@fifo"]);
}
