//! The log, the report and the directory for bug reports.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "fixtures/driver/support.rs"]
mod driver_support;
mod llvm;
mod real;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use driver_support::{Fake, stderr};
use serde_json::Value;
use sqtt_contract::variables;

fn run(fake: &Fake, script: &str, words: &[&str]) -> Output {
    let output = fake.driver().env("FAKE_SHELL", script).args(words).output().unwrap();
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(stderr(&output).lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{output:?}");
    output
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn the_log_goes_to_stderr_or_to_a_file_that_several_calls_share() {
    let fake = Fake::hipcc();
    let said = stderr(&run(&fake, "", &["--sqtt-log=debug", "-c", "a.hip"]));
    assert!(said.contains("instrument: `a.hip` is read as HIP"), "{said}");
    let off = fake.driver().env(variables::LOG, "debug").args(["--sqtt-log=", "-c", "a.hip"]).output().unwrap();
    assert_eq!(stderr(&off), "", "an empty flag takes the variable away");

    for source in ["a.hip", "b.hip"] {
        assert_eq!(stderr(&run(&fake, "", &["--sqtt-log-file=log", "-c", source])), "");
    }
    let log = std::fs::read_to_string(fake.work().join("log")).unwrap();
    for source in ["a.hip", "b.hip"] {
        assert_eq!(log.matches(&format!("instrument: `{source}` is read as HIP")).count(), 1, "{log}");
    }
    assert!(log.lines().all(|line| line.split(' ').next().unwrap().parse::<u32>().is_ok()), "{log}");
    let output = run(&fake, "", &["--sqtt-log-file=missing/log", "-c", "a.hip"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).contains("missing/log`: No such file"), "{}", stderr(&output));
}

#[test]
fn the_report_has_settings_and_how_the_compiler_ended() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("sqtt.toml"), "instrument.functions = 10\nscope.cu = 3\n").unwrap();
    let file = fake.work().join("r/report.json");
    for (script, status, outcome) in [("exit 0", 0, "exited"), ("exit 3", 3, "exited"), ("kill -9 $$", -1, "killed")] {
        let output = run(&fake, script, &["--sqtt-report=r/report.json", "-c", "a.hip", "-DA=b c"]);
        let report = json(&file);
        assert_eq!(report["outcome"][outcome], if status < 0 { 9 } else { status }, "{report:#}");
        assert!(output.status.code().unwrap_or(-1) == status, "{output:?}");
        let functions = report["settings"].as_array().unwrap().iter();
        let functions: Vec<_> = functions.filter(|row| row["variable"] == variables::INSTRUMENT_FUNCTIONS).collect();
        assert_eq!(
            (functions[0]["value"].as_str(), functions[0]["origin"].as_str()),
            (Some("10"), Some("sqtt.toml:1"))
        );
        assert_eq!(report["arguments"].as_array().unwrap().last().unwrap(), "-DA=b c");
        assert!(report["hints"][0].as_str().unwrap().contains("3 is a mask"), "{report:#}");
        assert_eq!(report["error"], Value::Null);
        std::fs::remove_file(&file).unwrap();
    }
    // A call that is not instrumented becomes the compiler, so nobody is there to report.
    run(&fake, "", &["--sqtt-report=r/report.json", "-c", "a.c"]);
    assert!(!file.exists());
}

#[test]
fn an_output_that_is_removed_is_still_in_the_report() {
    let fake = Fake::hipcc();
    let output = run(&fake, "printf '\\177ELF' > a.o", &["--sqtt-report=report.json", "-c", "a.hip"]);
    assert_eq!(output.status.code(), Some(125));
    let report = json(&fake.work().join("report.json"));
    assert!(report["outputs"][0]["path"].as_str().unwrap().ends_with("a.o"), "{report:#}");
    assert_eq!(report["outputs"][0]["findings"][0]["severity"], "error", "{report:#}");
    assert!(report["error"].as_str().unwrap().contains("removed `"), "{report:#}");
}

#[test]
fn a_report_that_cannot_be_written_says_so() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("file"), "").unwrap();
    for words in [["--sqtt-report=file/report.json", "-c", "a.hip"], ["--sqtt-save-dir=file/x", "-c", "a.hip"]] {
        let output = run(&fake, "", &words);
        assert_eq!(output.status.code(), Some(125));
        let said = stderr(&output);
        assert!(said.contains("file") && said.ends_with("name another place, or leave the setting out\n"), "{said}");
    }
    let stream = run(&fake, "", &["--sqtt-report=/dev/null", "-c", "a.hip"]);
    assert!(stream.status.success() && Path::new("/dev/null").metadata().is_ok_and(|file| !file.is_file()));
}

/// The only directory in `parent`.
fn only_directory(parent: &Path) -> PathBuf {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

#[test]
fn what_is_saved_compiles_to_the_same_without_the_driver() {
    for llvm in llvm::releases() {
        let hipcc = real::hipcc(&llvm);
        let directory = tempfile::Builder::new().prefix("it's saved ").tempdir().unwrap();
        let work = directory.path();
        let source = "#include <hip/hip_runtime.h>\n#include \"part.h\"\n#include \"markers.hpp\"\n__global__ void k(int *p) {\n  sqtt_marker_enter(\"a\");\n  *p = PART;\n  sqtt_marker_exit(\"a\");\n}\n";
        std::fs::write(work.join("a.hip"), source).unwrap();
        std::fs::write(work.join("part.h"), "#define PART 4711\n").unwrap();
        std::fs::write(work.join("sqtt.toml"), "instrument.functions = 5\n").unwrap();
        let mut driver = real::driver(&hipcc);
        driver.current_dir(work).env("TOKEN", "secret").env("HIPCC_VERBOSE", "0");
        // Else clang names a symbol after its words, and the saved plugin is elsewhere.
        driver.args([
            "--sqtt-save-dir=saved",
            "--hipcc-func-supp",
            "-cuid=1",
            "--offload-arch=gfx942",
            "-c",
            "a.hip",
            "-o",
            "a.o",
        ]);
        real::compile(&mut driver);
        let first = std::fs::read(work.join("a.o")).unwrap();
        let saved = only_directory(&work.join("saved"));
        let name = saved.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("a.hip-"), "{name}");
        assert_eq!(std::fs::read_to_string(saved.join("inputs/0-a.hip")).unwrap(), source);
        assert_eq!(std::fs::read(saved.join("outputs/0-a.o")).unwrap(), first);
        let text = |name: &str| String::from_utf8_lossy(&std::fs::read(saved.join(name)).expect(name)).into_owned();
        assert!(text("preprocessed").contains("4711") && text("plan.txt").contains("instrument: `a.hip`"));
        assert!(text("compiler.txt").contains("clang version ") && text("sqtt.toml").contains("functions = 5"));
        let environment = text("environment.txt");
        assert!(environment.contains("HIPCC_VERBOSE=0\n") && !environment.contains("secret"), "{environment}");
        let report = json(&saved.join("report.json"));
        let object = &report["outputs"][0]["code_objects"][0];
        assert_eq!((object["target"].as_str(), object["markers"]["scopes"].as_u64()), (Some("gfx942"), Some(1)));

        std::fs::remove_file(work.join("a.o")).unwrap();
        // The plugin of the cache may be gone by then.
        let rerun = Command::new("sh").arg(saved.join("reproduce.sh")).current_dir("/").env_clear().output().unwrap();
        assert!(rerun.status.success(), "{rerun:?}");
        assert_eq!(std::fs::read(work.join("a.o")).unwrap(), first);
        assert!(text("reproduce.sh").contains("plugin.so"));
    }
}
