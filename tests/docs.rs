//! The documents hold: every link leads somewhere, every command prints what is shown, every example compiles.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod docs_support;
mod llvm;
mod real;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use docs_support::console;
use docs_support::members::{names, printed};
use docs_support::pages::{self, Page};

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut broken = Vec::new();
    for page in pages::all() {
        for link in page.links() {
            if let Err(problem) = pages::follow(&page, &link) {
                broken.push(format!("{}: `{link}`: {problem}", page.name));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_link_to_nowhere_is_found() {
    let page = Page::of("docs/made.md", "[a](nowhere.md) [b](format.md#no-such-heading) [c](format.md#payload)");
    let results: Vec<_> = page.links().iter().map(|link| pages::follow(&page, link).is_ok()).collect();
    assert_eq!(results, [false, false, true]);
}

#[test]
fn the_summary_lists_every_page_of_the_book() {
    let listed: BTreeSet<_> = Page::read("docs/SUMMARY.md").links().into_iter().collect();
    let there: BTreeSet<_> = pages::all()
        .iter()
        .filter_map(|page| page.name.strip_prefix("docs/").map(str::to_owned))
        .filter(|name| name != "SUMMARY.md")
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn the_commands_print_what_is_shown() {
    let sandbox = console::Sandbox::new();
    let mut ran = 0;
    for page in pages::all() {
        for block in page.blocks("console") {
            ran += sandbox.run(&page.name, &block);
        }
    }
    assert!(ran >= 4, "only {ran} commands of the documents were run");
}

#[test]
fn members_of_json_are_those_that_the_documents_list() {
    let objdump = llvm::releases()[1].tool("llvm-objdump");
    let objdump = objdump.get_program().to_str().expect("the path is UTF-8");
    let listed = |page: &str, heading: &str| Page::read(page).first_column(heading);

    let records = printed(&["records", "."]);
    assert_eq!(names(&records, &[]), listed("docs/traces.md", "sqtt records"));

    let mut scopes = BTreeSet::new();
    for flag in ["--cost", "--repair"] {
        let summary = printed(&["summary", "--json", "--per-cu", flag, "--objdump", objdump, "."]);
        scopes.extend(names(&summary, &["scopes", "*"]));
    }
    assert_eq!(scopes, listed("docs/traces.md", "sqtt summary"));

    let memory = printed(&["memory", "."]);
    let mut operations = names(&memory, &["operations", "*"]);
    assert!(operations.len() > 15, "{operations:?}");
    // The traces have no buffers, and nothing is missing in them.
    operations.extend(["base", "stride", "swizzle", "soffset", "cut"].map(str::to_owned));
    assert_eq!(operations, listed("docs/memory.md", "The JSON"));

    let maps = printed(&["funcmap", "--json", "{map}"]);
    let objects: &[&str] = &["files", "*", "code_objects", "*"];
    let mut shown = names(&maps, objects);
    shown.extend(names(&maps, &[objects, &["funcmap", "units", "*"]].concat()));
    assert_eq!(shown, listed("docs/format.md", "The map as JSON"));
}

#[test]
fn settings_files_that_are_shown_are_valid() {
    let mut read = 0;
    for page in pages::all() {
        for block in page.blocks("toml") {
            let directory = tempfile::tempdir().expect("a temporary directory");
            fs::write(directory.path().join("sqtt.toml"), &block).expect("the directory is writable");
            let mut show = Command::new(env!("CARGO_BIN_EXE_sqtt"));
            let output = show.args(["config", "show"]).current_dir(directory.path()).output().expect("sqtt runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{}:\n{block}\n{said}", page.name);
            read += 1;
        }
    }
    assert!(read >= 2, "only {read} settings files are shown");
}

#[test]
fn sources_that_are_shown_compile() {
    let hipcc = real::hipcc(&llvm::releases()[1]);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut compiled = 0;
    for page in pages::all() {
        for block in page.blocks("cpp") {
            if !block.contains("__global__") {
                continue;
            }
            let source = directory.path().join("shown.hip");
            let header = if block.contains("#include <hip/") { "" } else { "#include <hip/hip_runtime.h>\n" };
            fs::write(&source, format!("{header}{block}")).expect("the directory is writable");
            let mut driver = real::driver(&hipcc);
            driver.args(["--offload-arch=gfx942", "-c"]).arg(&source).arg("-o").arg(Path::new("shown.o"));
            real::compile(driver.current_dir(directory.path()));
            compiled += 1;
        }
    }
    assert!(compiled >= 2, "only {compiled} sources are shown");
}

#[test]
fn messages_that_the_troubleshooting_cites_are_those_of_the_program() {
    let page = fs::read_to_string(Path::new(real::ROOT).join("docs/troubleshooting.md")).expect("the page is there");
    let (_, table) = page.split_once("| it says | cause | do |\n|---|---|---|\n").expect("the page has the table");
    let program: String = ["src/trace/totals.rs", "src/commands/trace_args.rs"]
        .map(|file| fs::read_to_string(Path::new(real::ROOT).join(file)).expect("the source is there"))
        .concat();
    let cited: Vec<_> = table.lines().map_while(|row| row.strip_prefix("| ")?.split(" | ").next()).collect();
    assert!(cited.len() >= 5, "only {} messages are cited", cited.len());
    let unknown: Vec<_> = cited.iter().filter(|message| !program.contains(**message)).collect();
    assert!(unknown.is_empty(), "no message says {unknown:?}");
}
