//! The driver's other names, calls that name the compiler themselves, and what must not run for ever.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{DRIVER, Fake, Record, stderr};

/// Another fake program beside the compiler.
fn beside(fake: &Fake, name: &str) -> PathBuf {
    let path = fake.compiler.parent().unwrap().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(std::fs::canonicalize(&fake.compiler).unwrap(), &path).unwrap();
    path
}

/// The driver under another name; no setting names a compiler, PATH has those of the fake.
fn named(fake: &Fake, name: &str) -> Command {
    let link = fake.work().join(name);
    _ = std::fs::remove_file(&link);
    symlink(DRIVER, &link).unwrap();
    let driver = fake.driver();
    let mut command = Command::new(link);
    command.current_dir(fake.work()).env_clear();
    command.envs(driver.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env_remove("SQTT_HIPCC").env("PATH", path(fake));
    command
}

fn path(fake: &Fake) -> OsString {
    let mut path = fake.compiler.parent().unwrap().as_os_str().to_owned();
    path.push(":/usr/bin:/bin");
    path
}

/// Our block and the words behind it, after `start`.
fn assert_block(fake: &Fake, record: &Record, start: &[&Path], words: &[&str]) {
    let started: Vec<&OsStr> = record.argv.iter().take(start.len()).map(AsRef::as_ref).collect();
    assert_eq!(started, start);
    let rest = Record { argv: record.argv[start.len() - 1..].to_vec(), ..record.clone() };
    let expected: Vec<OsString> =
        fake.block(&rest, true, false, true).into_iter().chain(words.iter().map(OsString::from)).collect();
    assert_eq!(rest.arguments(), expected);
}

const WORDS: [&str; 4] = ["-c", "a.hip", "-o", "a.o"];

#[test]
fn a_launch_names_the_compiler_and_the_block_is_behind_it() {
    let fake = Fake::named("clang++");
    let name = fake.compiler.to_str().unwrap();
    for start in [vec!["--sqtt-launch", name], vec!["--sqtt-functions=3", "--sqtt-launch", "clang++"]] {
        let record = fake.record(fake.driver().env("PATH", path(&fake)).args(&start).args(WORDS));
        assert_block(&fake, &record, &[&fake.compiler], &WORDS);
        let functions = record.environment.get(OsStr::new("SQTT_INSTRUMENT_FUNCTIONS"));
        assert_eq!(functions.map(OsString::as_os_str), start[0].strip_prefix("--sqtt-functions=").map(OsStr::new));
    }
    let record = fake.record(named(&fake, "sqtt-launch").arg("../clang++").args(WORDS).arg("--sqtt-mem-barrier=asm"));
    assert_block(&fake, &record, &[&fake.work().join("../clang++")], &WORDS);
    assert_eq!(record.environment[OsStr::new("SQTT_MEM_BARRIER")], "asm");
}

#[test]
fn a_launch_goes_through_other_launchers() {
    let fake = Fake::named("clang++");
    let ccache = beside(&fake, "ccache");
    let launch = |words: &[&str]| {
        let mut driver = fake.driver();
        fake.record(driver.env("PATH", path(&fake)).arg("--sqtt-launch").args(words).args(WORDS))
    };
    assert_block(&fake, &launch(&["ccache", "clang++"]), &[&ccache, &fake.compiler], &WORDS);
    let record = launch(&["ccache", "depend_mode=true", "sccache", "clang++"]);
    let through = [ccache.as_path(), Path::new("depend_mode=true"), Path::new("sccache"), &fake.compiler];
    assert_block(&fake, &record, &through, &WORDS);
}

/// `CMAKE_CXX_COMPILER_LAUNCHER` comes before a compiler of the host, for which a `.cpp` is no HIP.
#[test]
fn a_launched_host_compiler_is_left_alone() {
    for name in ["g++", "c++", "clang++", "cc"] {
        let fake = Fake::named(name);
        let words = ["-c", "a.cpp", "-o", "a.o"];
        let mut driver = fake.driver();
        let record = fake.record(driver.arg("--sqtt-launch").arg(&fake.compiler).args(words));
        assert_eq!(record.arguments(), words, "{name}");
    }
}

#[test]
fn a_launch_of_nothing_or_of_ourselves_is_an_error() {
    let fake = Fake::hipcc();
    for (words, message) in [
        (&["--sqtt-launch"][..], "no compiler to launch"),
        (&["--sqtt-launch", "-c", "a.hip"], "no compiler to launch"),
        (&["--sqtt-launch", "ccache", "-c", "a.hip"], "no compiler to launch"),
        (&["--sqtt-launch", DRIVER, "-c", "a.hip"], "is sqtt-hipcc itself"),
        (&["--sqtt-launch", "no-such-compiler", "-c"], "no such program in PATH"),
        (&["-c", "a.hip", "--sqtt-launch", "clang++"], "--sqtt-launch"),
    ] {
        let output = fake.driver().args(words).output().unwrap();
        assert_eq!((output.status.code(), fake.records().len()), (Some(125), 0), "{words:?}");
        assert!(stderr(&output).contains(message), "{words:?}: {}", stderr(&output));
    }
}

/// A hipcc that starts what the variable says, as newer ones do: alone, and below a driver.
#[test]
fn hipcc_with_the_driver_as_its_launcher_inserts_once() {
    let fake = Fake::hipcc();
    let clang = beside(&fake, "clang++");
    let script = "FAKE_SHELL= exec $HIP_CLANG_LAUNCHER clang++ \"$@\"";
    for launcher in
        [format!("{DRIVER} --sqtt-launch"), named(&fake, "sqtt-launch").get_program().to_str().unwrap().into()]
    {
        for outer in [fake.direct(), fake.driver()] {
            let mut hipcc = outer;
            hipcc.env("PATH", path(&fake)).env("HIP_CLANG_LAUNCHER", &launcher).env("FAKE_SHELL", script);
            let output = hipcc.args(WORDS).output().unwrap();
            assert!(output.status.success(), "{}", stderr(&output));
            let [_, inner] = <[Record; 2]>::try_from(fake.records()).unwrap();
            assert_block(&fake, &inner, &[&clang], &WORDS);
        }
    }
}

#[test]
fn the_name_that_stands_for_clang_wraps_clang() {
    let fake = Fake::hipcc();
    let clang = beside(&fake, "clang++");
    let record = fake.record(named(&fake, "sqtt-clang++").args(WORDS));
    assert_block(&fake, &record, &[&clang], &WORDS);
    // clang's own file extensions.
    let record = fake.record(named(&fake, "sqtt-clang++").args(["-c", "a.cpp"]));
    assert_eq!(record.arguments(), ["-c", "a.cpp"]);
    let amdclang = beside(&fake, "amdclang++");
    let record = fake.record(named(&fake, "sqtt-amdclang++").args(WORDS));
    assert_block(&fake, &record, &[&amdclang], &WORDS);
    // Any other name is hipcc's.
    let record = fake.record(named(&fake, "mycompiler").args(WORDS));
    assert_block(&fake, &record, &[&fake.compiler], &WORDS);
}

#[test]
fn a_clang_that_is_set_counts_for_that_name_and_a_hipcc_stands_for_its_clang() {
    let fake = Fake::hipcc();
    beside(&fake, "clang++");
    let (hipcc, clang) = (beside(&fake, "rocm/bin/hipcc"), beside(&fake, "rocm/lib/llvm/bin/clang++"));
    for set in [&hipcc, &clang] {
        let record = fake.record(named(&fake, "sqtt-clang++").env("SQTT_HIPCC", set).args(WORDS));
        assert_block(&fake, &record, &[&clang], &WORDS);
    }
}

#[test]
fn the_driver_is_passed_over_under_any_name() {
    let fake = Fake::named("clang++");
    let front = fake.work().join("front");
    std::fs::create_dir(&front).unwrap();
    symlink(DRIVER, front.join("hipcc")).unwrap();
    symlink(DRIVER, front.join("amdclang++")).unwrap();
    std::fs::write(front.join("clang++"), format!("#!/bin/sh\nexec {DRIVER} \"$@\"\n")).unwrap();
    std::fs::set_permissions(front.join("clang++"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut all = front.into_os_string();
    all.push(":");
    all.push(fake.compiler.parent().unwrap());
    for name in ["sqtt-clang++", "sqtt-hipcc"] {
        let record = fake.record(named(&fake, name).env("PATH", &all).env("ROCM_PATH", "/nowhere").args(WORDS));
        assert_block(&fake, &record, &[&fake.compiler], &WORDS);
    }
}

#[test]
fn installed_programs_have_all_names_and_work() {
    let fake = Fake::named("clang++");
    let prefix = fake.work().join("a prefix");
    for _ in 0..2 {
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        let mut option = OsString::from("--prefix=");
        option.push(&prefix);
        let output = sqtt.args(["install", "--no-crates"]).arg(option).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(String::from_utf8(output.stdout).unwrap().contains("bin/sqtt-clang++ -> sqtt-hipcc\n"));
    }
    let names: Vec<OsString> = std::fs::read_dir(prefix.join("bin")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for (name, start) in [("sqtt-clang++", &[][..]), ("sqtt-hipcc", &[]), ("sqtt-launch", &["clang++"])] {
        let mut installed = Command::new(prefix.join("bin").join(name));
        let driver = fake.driver();
        installed.current_dir(fake.work()).env_clear();
        installed.envs(driver.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let record = fake.record(installed.env("PATH", path(&fake)).args(start).args(WORDS));
        assert_block(&fake, &record, &[&fake.compiler], &WORDS);
    }
}

#[test]
fn a_prefix_that_cmake_would_refuse_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("my-hipcc");
    let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["install", "--prefix"]).arg(&prefix).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("choose another prefix"), "{}", stderr(&output));
    assert!(!prefix.exists());
}
