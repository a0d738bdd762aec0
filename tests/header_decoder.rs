//! The decoder headers for C++: every compiler takes them, and their own suite passes.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod headers_cxx;
mod llvm;

use std::path::Path;
use std::process::Command;

use headers_cxx::{COMPILERS, Compiler, code_objects, sources};
use llvm::{failure, success};

const HEADERS: [&str; 4] = ["marker_encoding.hpp", "funcmap.hpp", "elf_section.hpp", "code_printing.hpp"];
const SUITE: [&str; 5] = ["main.cc", "encoding.cc", "funcmap.cc", "elf.cc", "codeobj.cc"];

/// Several sources in one program: no function of a header is defined twice.
fn suite_passes(compiler: Compiler, flags: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("suite");
    compiler.build(&SUITE, flags, &program);
    let output = success(Command::new(&program).args(code_objects()));
    let text = String::from_utf8(output.stdout).expect("test names are UTF-8");
    let ran = text.lines().filter(|line| line.starts_with("ok    ")).count();
    let written: usize = SUITE.iter().map(|name| source(name).matches("\nTEST(").count()).sum();
    assert!(written > 30 && ran == written, "{compiler:?}: {ran} of {written} tests: {text}");
}

fn source(name: &str) -> String {
    std::fs::read_to_string(sources().join(name)).expect("the source is there")
}

#[test]
fn the_suite_passes_with_every_compiler() {
    for compiler in COMPILERS {
        suite_passes(compiler, &["-O1"]);
    }
}

#[test]
fn the_suite_passes_under_the_sanitizers() {
    suite_passes(Compiler::Gcc, &["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
}

#[test]
fn each_header_stands_alone_and_all_together_in_every_standard() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("alone.cc");
    let include = |header: &str| format!("#include <rocprof_trace_decoder/cxx/{header}>\n").repeat(2);
    let compiles = |compiler: Compiler, standard: &str, text: &str| {
        std::fs::write(&path, text).expect("the temporary directory is writable");
        success(compiler.strict().args(["-fsyntax-only", standard]).arg(&path));
    };
    for header in HEADERS {
        compiles(Compiler::Gcc, "-std=c++17", &include(header));
    }
    for compiler in COMPILERS {
        for standard in ["-std=c++17", "-std=c++20", "-std=c++23"] {
            compiles(compiler, standard, &HEADERS.map(include).concat());
        }
    }
}

#[test]
fn an_older_standard_is_told_which_one_it_takes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("older.cc");
    for header in HEADERS {
        std::fs::write(&path, format!("#include <rocprof_trace_decoder/cxx/{header}>\n"))
            .expect("the temporary directory is writable");
        for compiler in COMPILERS {
            let said = failure(compiler.strict().args(["-fsyntax-only", "-std=c++14"]).arg(&path));
            let first = said.lines().find(|line| line.contains("error: ")).unwrap_or_default();
            assert!(first.contains("the decoder headers need C++17"), "{compiler:?} {header}: {said}");
        }
    }
}

/// The code in a header's first comment: its lines that are indented behind `//`.
fn example(header: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("headers/rocprof_trace_decoder/cxx").join(header);
    let text = std::fs::read_to_string(path).expect("the header is there");
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    let is_code = |line: &&str| line.starts_with("   ") && line.contains("; ") | line.ends_with(';');
    lines.filter(is_code).collect::<Vec<&str>>().join("\n")
}

#[test]
fn the_examples_in_the_headers_compile() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("example.cc");
    let wrapped = [
        (
            "code_printing.hpp",
            "std::uint32_t use(std::uint32_t word)",
            "return marker.id + encoding.shader_clock_bits;",
        ),
        ("funcmap.hpp", "std::uint32_t use(std::string_view section, std::uint32_t word)", "return marker.id;"),
        ("elf_section.hpp", "std::uint32_t use(const char *data, std::size_t size)", "return section ? 1 : 0;"),
    ];
    for (header, function, rest) in wrapped {
        let example = example(header);
        assert!(example.matches(';').count() >= 2, "{header}: {example}");
        let text = format!(
            "#include <cstdio>\n#include <rocprof_trace_decoder/cxx/{header}>\n\
             using namespace rocprof_trace_decoder::codeobj;\n{function};\n{function} {{\n{example}\n{rest}\n}}\n"
        );
        std::fs::write(&path, &text).expect("the temporary directory is writable");
        for compiler in COMPILERS {
            success(compiler.strict().args(["-fsyntax-only", "-std=c++17"]).arg(&path));
        }
    }
}

/// `docs/format.md` shows a reader, the words that it is given and what it prints.
#[test]
fn the_reader_that_the_documents_show_prints_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/format.md")).expect("the page is there");
    let (_, section) = page.split_once("## A reader in C++").expect("the page shows a reader");
    let between = |start: &str, end: &str| {
        let (_, rest) = section.split_once(start).expect("the section has it");
        rest.split_once(end).expect("the section has it").0
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, words) = (directory.path().join("reader.cc"), directory.path().join("words"));
    std::fs::write(&source, between("```cpp\n", "```")).expect("the temporary directory is writable");
    std::fs::write(&words, between("the words `", "`")).expect("the temporary directory is writable");
    for compiler in COMPILERS {
        let program = directory.path().join("reader");
        success(compiler.strict().arg("-std=c++17").arg(&source).arg("-o").arg(&program));
        let words = std::fs::File::open(&words).expect("the words are there");
        let output = success(Command::new(&program).arg(root.join(between("For `", "`"))).stdin(words));
        assert_eq!(String::from_utf8_lossy(&output.stdout), between("```text\n", "```"), "{compiler:?}");
    }
}
