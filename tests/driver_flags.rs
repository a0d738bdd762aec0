//! The flag table: its invariants, every shape of it, and whether the real clang agrees.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::process::Stdio;

use sqtt_hipcc::invocation::flags::{Shape, TABLE, find};

mod llvm;

use llvm::Llvm;

#[test]
fn table_is_sorted_and_has_no_row_twice() {
    for pair in TABLE.windows(2) {
        assert!(pair[0].spelling < pair[1].spelling, "{} before {}", pair[0].spelling, pair[1].spelling);
    }
}

/// A word, the value in it, and how many words follow.
type Case = (Vec<u8>, Option<&'static [u8]>, usize);

#[test]
fn every_row_is_found_in_every_one_of_its_shapes() {
    for flag in TABLE {
        let spelled = |tail: &str| format!("{}{tail}", flag.spelling).into_bytes();
        let cases: Vec<Case> = match flag.shape {
            Shape::Alone => vec![(spelled(""), None, 0)],
            Shape::Joined => vec![(spelled("v"), Some(b"v"), 0), (spelled(""), Some(b""), 0)],
            Shape::Separate => vec![(spelled(""), None, 1)],
            Shape::Either => vec![(spelled("v"), Some(b"v"), 0), (spelled(""), None, 1)],
            Shape::SeparateOrEquals => vec![(spelled("=v"), Some(b"v"), 0), (spelled(""), None, 1)],
            Shape::JoinedAndSeparate => vec![(spelled("v"), Some(b"v"), 1)],
            Shape::Values(count) => vec![(spelled(""), None, usize::from(count))],
        };
        for (word, joined, following) in cases {
            let found = find(&word).unwrap_or_else(|| panic!("{} not found", String::from_utf8_lossy(&word)));
            assert_eq!(found.flag.spelling, flag.spelling, "{}", String::from_utf8_lossy(&word));
            assert_eq!((found.joined, found.following), (joined, following), "{}", flag.spelling);
        }
    }
}

#[test]
fn joined_values_may_be_any_bytes() {
    assert_eq!(find(b"-o\xff\x00\n").and_then(|found| found.joined), Some(b"\xff\x00\n".as_slice()));
}

#[test]
fn longest_spelling_wins() {
    let spelling = |word: &str| find(word.as_bytes()).map(|found| found.flag.spelling);
    assert_eq!(spelling("-MFa.d"), Some("-MF"));
    assert_eq!(spelling("-MM"), Some("-MM"));
    assert_eq!(spelling("-include-pch"), Some("-include-pch"));
    assert_eq!(spelling("-includea.h"), Some("-include"));
    assert_eq!(spelling("-Xopenmp-target=nvptx64"), Some("-Xopenmp-target="));
    assert_eq!(spelling("-print-ivar-layout"), Some("-print-ivar-layout"));
    assert_eq!(spelling("-print-search-dirs"), Some("-print-"));
}

#[test]
fn options_that_only_begin_like_a_row_are_unknown() {
    for word in
        ["-emain", "-Xclangs", "-MD", "-cc", "-Sfoo", "--versions", "-target-cpu", "-fsyntax-only=1", "-Xlinkers"]
    {
        assert_eq!(find(word.as_bytes()), None, "{word}");
    }
}

#[test]
fn inputs_are_no_options() {
    for word in ["a.hip", "", "o", "c++"] {
        assert_eq!(find(word.as_bytes()), None, "{word}");
    }
}

/// What clang says to `-### WORDS...` after an input.
fn asked(llvm: &Llvm, words: &[&str]) -> String {
    let mut clang = llvm.tool("clang++");
    let output = clang.args(["-###", "-xc", "/dev/null"]).args(words).stdin(Stdio::null()).output();
    String::from_utf8_lossy(&output.unwrap().stderr).into_owned()
}

fn lacks_a_value(llvm: &Llvm, word: &str) -> bool {
    asked(llvm, &[word]).contains(&format!("argument to '{word}' is missing"))
}

#[test]
fn clang_takes_the_next_word_exactly_where_the_table_says_so() {
    let releases = llvm::releases();
    for flag in TABLE {
        let word = match flag.shape {
            Shape::JoinedAndSeparate => format!("{}x", flag.spelling),
            _ => flag.spelling.to_owned(),
        };
        let separate = find(word.as_bytes()).is_some_and(|found| found.following > 0);
        let anywhere = releases.iter().any(|llvm| lacks_a_value(llvm, &word));
        assert_eq!(anywhere, separate, "{word}");
    }
}

/// Options that clang completes and that could take the next word: not warnings, features and machine options, which
/// have none with a separate value that the table does not show.
fn completed_options(llvm: &Llvm) -> BTreeSet<String> {
    let output = llvm::success(llvm.tool("clang++").arg("--autocomplete=-"));
    let uninteresting = ["-W", "-f", "-m", "-cl-", "-objcmt", "-g", "-R", "-std"];
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.len() > 1 && !word.ends_with('=') && !word.ends_with(','))
        .filter(|word| !uninteresting.iter().any(|prefix| word.starts_with(prefix)))
        .filter(|word| find(word.as_bytes()).is_none())
        .map(str::to_owned)
        .collect()
}

#[test]
fn clang_has_no_option_with_a_separate_value_that_the_table_lacks() {
    for llvm in &llvm::releases() {
        let options = completed_options(llvm);
        assert!(options.len() > 100, "LLVM {} completes only {} options", llvm.major, options.len());
        let missing: Vec<&String> = options.iter().filter(|option| lacks_a_value(llvm, option)).collect();
        assert_eq!(missing, Vec::<&String>::new(), "LLVM {}", llvm.major);
    }
}
