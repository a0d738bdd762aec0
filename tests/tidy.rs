//! Properties of the source tree itself: the invariants of ARCHITECTURE.md that a compiler does not check.
//! Every rule is also given a file that breaks it, and has to say so.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

#[path = "tidy/functions.rs"]
mod functions;
#[path = "tidy/source.rs"]
mod source;

use source::{File, Line, files, has_any, has_word};

/// Passes when the rule finds nothing in the tree, and something in an offender, a file made up at `path`.
fn holds(rule: impl Fn(&[File]) -> Vec<String>, path: &str, offence: &str) {
    let offender = File { path: path.to_owned(), text: offence.to_owned() };
    assert!(!rule(&[offender]).is_empty(), "the rule does not see `{offence}` in `{path}`");
    let found = rule(&files());
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// `path:line` of every line of Rust that is no test, is in none of `allowed`, and that `wrong` is true for.
fn rust_outside(files: &[File], allowed: &[&str], wrong: impl Fn(&Line) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !allowed.iter().any(|place| file.is_in(place))) {
        let lines = file.rust_lines();
        let bad = lines.iter().filter(|line| !line.test && wrong(line));
        found.extend(bad.map(|line| format!("{}:{}: {}", file.path, line.number, line.code.trim())));
    }
    found
}

#[test]
fn files_are_short() {
    let rule = |files: &[File]| {
        let long = |file: &File| {
            let lines = file.text.lines().count();
            (file.is_source() && lines > 400).then(|| format!("{}: {lines} lines", file.path))
        };
        files.iter().filter_map(long).collect()
    };
    holds(rule, "src/long.rs", &"\n".repeat(401));
}

#[test]
fn files_say_what_they_are_for() {
    // A file of a fixture is as it was when what was made of it was made.
    let rule = |files: &[File]| {
        let silent = |file: &&File| {
            let mut lines = file.text.lines().skip_while(|line| line.starts_with("#!/"));
            let first = lines.next().unwrap_or_default();
            file.is_source()
                && !file.path.starts_with("tests/fixtures/")
                && !["//", "/*", "# "].iter().any(|comment| first.starts_with(comment))
        };
        files.iter().filter(silent).map(|file| format!("{}: does not begin with what it is for", file.path)).collect()
    };
    holds(rule, "src/silent.rs", "use std::io;\n\n//! Late.\n");
    holds(rule, "ci/silent", "#!/usr/bin/env bash\nset -e\n# Late.\n");
}

#[test]
fn functions_are_short() {
    let rule = |files: &[File]| {
        let long = |file: &File| functions::longer_than(60, file);
        // Programs that a generator wrote are as long as they had to be to show something.
        let is_written = |file: &&File| file.is_source() && !file.path.starts_with("tests/random/seeds/");
        files.iter().filter(is_written).flat_map(long).collect()
    };
    let body = "    call();\n".repeat(59);
    holds(rule, "src/long.rs", &format!("impl A {{\n    pub fn long(\n        &self,\n    ) {{\n{body}    }}\n}}\n"));
    holds(rule, "ci/long.sh", &format!("long() {{\n{body}}}\n"));
    holds(rule, "plugin/cpp/long.cc", &format!("void Long(int a) {{\n{body}}}\n"));
}

#[test]
fn unsafe_is_in_two_places() {
    let rule = |files: &[File]| {
        rust_outside(files, &["plugin/src/llvm/", "src/code_object/map.rs"], |line| has_word(&line.code, "unsafe"))
    };
    holds(rule, "src/driver.rs", "let byte = unsafe { *pointer };\n");
}

#[test]
fn llvm_versions_are_told_apart_in_one_place() {
    let versioned = |line: &Line| {
        has_any(&line.code, &["cfg", "cfg_attr"]) && line.strings.iter().any(|string| string.starts_with("llvm"))
    };
    let rule = |files: &[File]| rust_outside(files, &["plugin/src/llvm/"], versioned);
    holds(rule, "plugin/src/late.rs", "#[cfg(any(feature = \"llvm19\", test))]\n");
}

#[test]
fn variable_names_are_in_the_contract() {
    let named = |line: &Line| line.strings.iter().any(|string| string.contains("SQTT_"));
    let rule = |files: &[File]| rust_outside(files, &["plugin/contract/"], named);
    holds(rule, "src/driver.rs", "let scope = get(\"SQTT_SCOPE_CU\");\n");
}

#[test]
fn the_section_name_is_in_the_funcmap_module() {
    let named = |line: &Line| line.strings.iter().any(|string| string.contains(".sqtt_funcmap"));
    let rule = |files: &[File]| {
        rust_outside(files, &["plugin/contract/src/funcmap.rs", "plugin/contract/src/funcmap/"], named)
    };
    holds(rule, "src/validate.rs", "let name = b\".sqtt_funcmap\";\n");
}

#[test]
fn processes_are_started_in_two_places() {
    let starts = |line: &Line| {
        let standard = has_word(&line.code, "process") && has_word(&line.code, "Command");
        standard || has_any(&line.code, &["duct", "posix_spawn", "execve"])
    };
    let rule = |files: &[File]| rust_outside(files, &["src/run.rs", "src/run/", "src/toolchain/"], starts);
    holds(rule, "src/validate.rs", "use std::process::{Command, Stdio};\n");
}

#[test]
fn the_environment_is_read_once() {
    let calls = ["env::var", "env::var_os", "env::vars", "env::vars_os", "env::temp_dir", "env::home_dir"];
    let allowed = ["src/environment.rs", "src/bin/", "build.rs", "plugin/build.rs", "plugin/src/config.rs"];
    let rule = |files: &[File]| rust_outside(files, &allowed, |line| has_any(&line.code, &calls));
    holds(rule, "src/config/mod.rs", "let home = std::env::var_os(\"HOME\");\n");
}

#[test]
fn the_own_process_is_never_changed() {
    let rule = |files: &[File]| {
        rust_outside(files, &[], |line| has_any(&line.code, &["set_var", "remove_var", "set_current_dir"]))
    };
    holds(rule, "src/bin/sqtt.rs", "std::env::set_current_dir(path)?;\n");
}

#[test]
fn nothing_is_printed_on_stdout_by_the_driver() {
    let prints = |line: &Line| has_any(&line.code, &["println!", "print!"]);
    let allowed = ["src/bin/", "src/commands/", "build.rs", "plugin/build.rs"];
    let rule = |files: &[File]| rust_outside(files, &allowed, prints);
    holds(rule, "src/run.rs", "    println!(\"done\");\n");
}

/// What can be switched on, one module each. Everything else in the plugin is what these are made of.
const PLUGIN_FEATURES: [&str; 7] =
    ["named_markers", "functions", "barriers", "memory", "addresses", "clock", "balance"];

#[test]
fn features_of_the_pass_do_not_know_one_another() {
    let rule = |files: &[File]| {
        let mut found = Vec::new();
        for feature in PLUGIN_FEATURES {
            let (own, below) = (format!("plugin/src/{feature}.rs"), format!("plugin/src/{feature}/"));
            for file in files.iter().filter(|file| file.is_in(&own) || file.is_in(&below)) {
                let mut known = file.crate_modules();
                known.retain(|name| name != feature && PLUGIN_FEATURES.contains(&name.as_str()));
                found.extend(known.iter().map(|name| format!("{}: knows `{name}`", file.path)));
            }
        }
        found
    };
    holds(rule, "plugin/src/balance.rs", "use crate::functions::exits;\n");
    holds(rule, "plugin/src/memory.rs", "use crate::{\n    ledger::{Entry, Ledger},\n    functions,\n};\n");
}

#[test]
fn layers_do_not_look_up() {
    let upper = ["crate::invocation", "crate::config", "crate::plan", "crate::run", "crate::driver"];
    let io = ["std::fs", "fs_err", "std::io", "std::env", "std::process"];
    let made_of_traces = ["crate::export", "crate::commands"];
    let layers: [(&str, &[&str]); 7] = [
        ("src/trace/", &upper),
        ("src/trace/", &made_of_traces),
        ("src/export/", &upper),
        ("src/code_object/", &upper),
        ("src/validate.rs", &upper),
        ("src/plan.rs", &io),
        ("plugin/contract/src/", &io),
    ];
    for (lower, names) in layers {
        let rule = |files: &[File]| {
            let inside: Vec<File> = files.iter().filter(|file| file.is_in(lower)).cloned().collect();
            rust_outside(&inside, &[], |line| has_any(&line.code, names))
        };
        let path = if lower.ends_with('/') { format!("{lower}elf.rs") } else { lower.to_owned() };
        holds(rule, &path, &format!("use {}::something;\n", names[0]));
    }
}

#[test]
fn nothing_is_unfinished_or_skipped() {
    let rule = |files: &[File]| {
        let unfinished =
            |line: &Line| has_any(&line.code, &["todo!", "unimplemented!", "dbg!"]) || line.code.contains("#[ignore");
        let mut found = Vec::new();
        for file in files.iter().filter(|file| file.is_rust()) {
            let lines = file.rust_lines();
            let bad = lines.iter().filter(|line| unfinished(line));
            found.extend(bad.map(|line| format!("{}:{}: {}", file.path, line.number, line.code.trim())));
        }
        found
    };
    holds(rule, "tests/some.rs", "    #[ignore = \"slow\"]\n");
}

#[test]
fn no_path_of_one_machine_is_in_the_tree() {
    // Put together here, or this file would hold them.
    let places = ["work", "farm", "root"].map(|name| format!("/{name}/"));
    let rule = |files: &[File]| {
        let mut found = Vec::new();
        for file in files {
            let lines = file.text.lines().enumerate();
            let bad = lines.filter(|(_, line)| places.iter().any(|place| line.contains(place)));
            found.extend(bad.map(|(index, line)| format!("{}:{}: {}", file.path, index + 1, line.trim())));
        }
        found
    };
    holds(rule, "README.md", &format!("see {}me\n", places[2]));
}

#[test]
fn every_module_is_in_the_code_map() {
    let map = files().into_iter().find(|file| file.path == "ARCHITECTURE.md").map(|file| file.text).unwrap_or_default();
    let rule = |files: &[File]| {
        let mut found = Vec::new();
        for place in ["src/", "plugin/src/", "plugin/contract/src/"] {
            let below = files.iter().filter_map(|file| file.path.strip_prefix(place));
            let mut modules: Vec<&str> = below.filter_map(|path| path.split('/').next()).collect();
            modules.dedup();
            modules.retain(|module| !["lib.rs", "bin", "mod.rs"].contains(module));
            // A module's directory may go by its file: `funcmap` beside `funcmap.rs`.
            let named =
                |module: &&str| map.contains(&format!("`{module}`")) || map.contains(&format!("{place}{module}"));
            found.extend(modules.into_iter().filter(|module| !named(module)).map(|module| format!("{place}{module}")));
        }
        found
    };
    holds(rule, "src/secret.rs", "");
}

#[test]
fn files_that_the_code_map_names_shortly_are_beside_the_others_of_their_row() {
    let rule = |files: &[File]| {
        let map = files.iter().find(|file| file.path == "ARCHITECTURE.md");
        let mut found = Vec::new();
        for row in map.iter().flat_map(|map| map.text.lines()).filter(|line| line.starts_with("| ")) {
            let (paths, short): (Vec<&str>, Vec<&str>) =
                row.split('`').skip(1).step_by(2).partition(|word| word.contains('/'));
            let is_there = |name: &str| {
                let directories = paths.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).chain([""]);
                let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
                directories.into_iter().any(|directory| root.join(directory).join(name).exists())
            };
            let gone = short.into_iter().filter(|name| name.ends_with(".rs") && !is_there(name));
            found.extend(gone.map(|name| format!("no `{name}` where this row is: {row}")));
        }
        found
    };
    holds(rule, "ARCHITECTURE.md", "| how a command line is read: options (`nowhere.rs`) | `src/invocation/` |\n");
}
