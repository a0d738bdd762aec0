//! The driver inside builds: make, many compiles at once, and the plugin built in the middle of one.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::path::Path;
use std::process::Command;

use llvm::{releases, success};
use real::{driver, example, hipcc, map, path_with_driver};
use sqtt_contract::variables;

/// Copies tests/project into `directory`.
fn copy_project(directory: &Path) {
    let project = Path::new(real::ROOT).join("tests/project");
    for entry in std::fs::read_dir(project).expect("the project is there") {
        let file = entry.expect("the project is readable");
        std::fs::copy(file.path(), directory.join(file.file_name())).expect("the temporary directory is writable");
    }
}

/// make with what `driver` sets, and the driver on PATH.
fn make(hipcc: &Path, directory: &Path) -> Command {
    let mut make = Command::new("make");
    for (name, value) in driver(hipcc).get_envs() {
        match value {
            Some(value) => make.env(name, value),
            None => make.env_remove(name),
        };
    }
    make.env("PATH", path_with_driver()).arg("-C").arg(directory);
    make
}

#[test]
fn a_project_of_make_builds_with_the_driver_as_cxx() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        copy_project(directory.path());
        let build = || {
            let mut make = make(&hipcc(llvm), directory.path());
            let output = success(make.args(["-j4", "CXX=sqtt-hipcc --offload-arch=gfx942"]));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        build();
        let program = directory.path().join("program");
        let said = success(&mut Command::new(&program)).stdout;
        assert_eq!(String::from_utf8_lossy(&said), "project 1\n");
        let rows = map(llvm, &directory.path().join("scale.o"), "gfx942");
        assert!(rows.iter().any(|row| row.starts_with("U:") && row.ends_with(":scale")), "{rows:#?}");

        assert!(build().contains("up to date"), "LLVM {}: the second build made something", llvm.major);
        let header = directory.path().join("scale.h");
        let text = std::fs::read_to_string(&header).expect("the header is there");
        std::thread::sleep(std::time::Duration::from_millis(1100));
        std::fs::write(&header, text).expect("the temporary directory is writable");
        let rebuilt = build();
        assert!(rebuilt.contains("-c scale.hip") && rebuilt.contains("-c main.hip"), "{rebuilt}");
        assert!(!rebuilt.contains("version.c"), "{rebuilt}");
    }
}

/// Recipes inherit an exported CXX, and the build of the plugin runs a C++ compiler: it must not be the driver.
#[test]
fn the_first_build_of_the_plugin_is_not_disturbed_by_an_exported_cxx() {
    let llvm = &releases()[1];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let object = directory.path().join("vector_add.o");
    let mut first = driver(&hipcc(llvm));
    first
        .env(variables::CACHE_DIR, directory.path().join("cache"))
        .env("PATH", path_with_driver())
        .envs([("CXX", "sqtt-hipcc"), ("CC", "sqtt-hipcc"), ("CXXFLAGS", "--offload-arch=gfx942 -flto")])
        .envs([
            ("RUSTFLAGS", "-Cnonsense"),
            ("MAKEFLAGS", "-j4 --jobserver-auth=97,98"),
            ("CARGO_BUILD_TARGET", "none"),
        ])
        .args(["--offload-arch=gfx942", "-c"])
        .arg(example("vector_add.hip"))
        .arg("-o")
        .arg(&object);
    success(&mut first);
    let rows = map(llvm, &object, "gfx942");
    assert!(rows.iter().any(|row| row.starts_with("U:") && row.ends_with(":load")), "{rows:#?}");
}

/// make -j starts many drivers before there is a plugin: one builds it, the others wait for it.
#[test]
fn many_first_compiles_at_once_share_one_plugin() {
    let llvm = &releases()[0];
    let hipcc = hipcc(llvm);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let cache = directory.path().join("cache");
    let children: Vec<_> = (0..6)
        .map(|number| {
            let object = directory.path().join(format!("{number}.o"));
            let mut driver = driver(&hipcc);
            driver.env(variables::CACHE_DIR, &cache).args(["--offload-arch=gfx1100", "-c"]);
            let child = driver.arg(example("vector_add.hip")).arg("-o").arg(&object).spawn();
            (object, child.expect("the driver starts"))
        })
        .collect();
    for (object, mut child) in children {
        assert!(child.wait().expect("the driver ends").success());
        let rows = map(llvm, &object, "gfx1100");
        assert!(rows.iter().any(|row| row.ends_with(":load")), "{rows:#?}");
    }
    let plugins = success(Command::new("find").arg(&cache).args([
        "-name",
        "libsqttinstrumentpass.so",
        "-not",
        "-path",
        "*/release/*",
    ]));
    assert_eq!(String::from_utf8_lossy(&plugins.stdout).lines().count(), 1);
}
