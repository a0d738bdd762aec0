//! The compiler's process is as if the driver were not there: environment, working directory, descriptors, signals,
//! standard streams and status.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};

use sqtt_contract::variables::{self, Reader, TABLE};

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{DRIVER, Fake, Record, stderr};

const COMPILE: [&str; 2] = ["-c", "a.hip"];
const LINK: [&str; 1] = ["a.o"];

/// The record without what the driver is there to change.
fn without_ours(mut record: Record) -> Record {
    record.argv.clear();
    let plugins = TABLE.iter().filter(|row| row.reader == Reader::Plugin).map(|row| row.name);
    for name in plugins.chain([variables::DRIVER_ACTIVE]) {
        record.environment.remove(std::ffi::OsStr::new(name));
    }
    record
}

#[test]
fn environment_directory_descriptors_and_signals_are_inherited() {
    let fake = Fake::hipcc();
    for words in [COMPILE.as_slice(), &LINK, &["--version"]] {
        let direct = fake.record(fake.direct().args(words));
        let through = fake.record(fake.driver().args(words));
        assert_eq!(without_ours(through), without_ours(direct), "{words:?}");
    }
}

/// Runs `program words` below a shell that opens more descriptors and ignores signals first.
fn below_a_shell(fake: &Fake, preparation: &str, driver: bool, words: &[&str]) -> Record {
    let prepared = if driver { fake.driver() } else { fake.direct() };
    let mut shell = Command::new("bash");
    shell.arg("-c").arg(format!("{preparation}; exec \"$0\" \"$@\"")).arg(prepared.get_program()).args(words);
    shell.current_dir(fake.work()).env_clear();
    shell.envs(prepared.get_envs().filter_map(|(name, value)| Some((name, value?))));
    fake.record(&mut shell)
}

/// A jobserver's pipe is two inherited descriptors.
#[test]
fn descriptors_of_a_jobserver_are_inherited() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("tokens"), "").unwrap();
    for words in [COMPILE.as_slice(), &LINK] {
        let preparation = "exec 7<>tokens 8>tokens 9</dev/null 0<&-";
        let direct = below_a_shell(&fake, preparation, false, words);
        let through = below_a_shell(&fake, preparation, true, words);
        assert!(direct.descriptors.iter().any(|descriptor| descriptor.to_string_lossy().starts_with("7 ")));
        assert_eq!(through.descriptors, direct.descriptors, "{words:?}");
    }
}

#[test]
fn ignored_signals_stay_ignored() {
    let fake = Fake::hipcc();
    for words in [COMPILE.as_slice(), &LINK] {
        let direct = below_a_shell(&fake, "trap '' HUP INT QUIT", false, words);
        let through = below_a_shell(&fake, "trap '' HUP INT QUIT", true, words);
        assert_eq!(through.signals, direct.signals, "{words:?}");
        assert_ne!(through.signals, below_a_shell(&fake, ":", true, words).signals, "the shell ignores nothing");
    }
}

#[test]
fn blocked_signals_stay_blocked() {
    let fake = Fake::hipcc();
    for words in [COMPILE.as_slice(), &LINK] {
        let blocking = |driver| below_a_shell(&fake, "exec env --block-signal=USR1,TERM \"$0\" \"$@\"", driver, words);
        assert_eq!(blocking(true).signals, blocking(false).signals, "{words:?}");
        assert_ne!(blocking(true).signals[0], 0, "nothing was blocked");
    }
}

#[test]
fn variables_of_the_pass_are_the_merged_settings_or_gone() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("sqtt.toml"), "scope.cu = 0x8\ninstrument.functions = 1").unwrap();
    let mut driver = fake.driver();
    driver.env(variables::INSTRUMENT_FUNCTIONS, "2").env(variables::MEM_BARRIER, "asm").env(variables::SCOPE_WG, "");
    let record = fake.record(driver.args(["--sqtt-functions=3", "--sqtt-mem-barrier="]).args(COMPILE));
    let set: Vec<(&str, Option<&str>)> = TABLE
        .iter()
        .filter(|row| row.reader == Reader::Plugin)
        .map(|row| {
            (row.name, record.environment.get(std::ffi::OsStr::new(row.name)).map(|value| value.to_str().unwrap()))
        })
        .filter(|(_, value)| value.is_some())
        .collect();
    assert_eq!(set, [(variables::SCOPE_CU, Some("0x8")), (variables::INSTRUMENT_FUNCTIONS, Some("3"))]);
}

#[test]
fn other_variables_of_ours_reach_the_compiler_as_they_are() {
    let fake = Fake::hipcc();
    let mut driver = fake.driver();
    driver.env("SQTT_SOMETHING_ELSE", "x");
    let record = fake.record(driver.args(COMPILE));
    let get = |name: &str| record.environment.get(std::ffi::OsStr::new(name)).cloned();
    assert_eq!(get("SQTT_SOMETHING_ELSE"), Some("x".into()));
    assert_eq!(get(variables::HIPCC), Some(fake.compiler.clone().into()));
}

fn run(fake: &Fake, script: &str, words: &[&str]) -> (Output, Output) {
    let both = [fake.direct(), fake.driver()]
        .map(|mut command| command.env("FAKE_SHELL", script).args(words).output().unwrap());
    let [direct, through] = both;
    (direct, through)
}

#[test]
fn status_and_both_streams_are_the_compilers() {
    let fake = Fake::hipcc();
    for status in [0, 1, 2, 125, 126, 127, 128, 139, 255] {
        for words in [COMPILE.as_slice(), &LINK, &["--version"], &["-E", "a.hip"]] {
            let (direct, through) = run(&fake, &format!("printf 'out\\n\\0'; printf err >&2; exit {status}"), words);
            assert_eq!(through, direct, "{status} {words:?}");
            assert_eq!(through.status.code(), Some(status));
        }
    }
}

#[test]
fn a_signal_that_kills_the_compiler_kills_us() {
    let fake = Fake::hipcc();
    for (name, number) in
        [("SEGV", 11), ("KILL", 9), ("ABRT", 6), ("TERM", 15), ("INT", 2), ("HUP", 1), ("PIPE", 13), ("XCPU", 24)]
    {
        for words in [COMPILE.as_slice(), &LINK] {
            let (direct, through) = run(&fake, &format!("kill -{name} $$"), words);
            assert_eq!(through, direct, "{name} {words:?}");
            assert_eq!(through.status.signal(), Some(number), "{name}");
        }
    }
}

#[test]
fn standard_input_is_the_compilers() {
    let fake = Fake::hipcc();
    for words in [["-x", "hip", "-c", "-"], ["-E", "-dM", "-x", "c"]] {
        std::fs::write(fake.work().join("input"), "int x;").unwrap();
        let mut driver = fake.driver();
        driver.env("FAKE_SHELL", "cat").args(words).stdin(std::fs::File::open(fake.work().join("input")).unwrap());
        assert_eq!(driver.output().unwrap().stdout, b"int x;");
    }
}

#[test]
fn compiler_that_is_missing_or_cannot_run_is_our_failure() {
    let fake = Fake::hipcc();
    let output = fake.driver().arg("--sqtt-compiler=no/such/hipcc").args(COMPILE).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(
        stderr(&output).contains("no/such/hipcc") && stderr(&output).contains("--sqtt-compiler="),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{}", stderr(&output));
}

/// Linux allows 128 KiB for one word; our `-I` is short, but a plan may not hide that the compiler does not start.
#[test]
fn call_that_the_kernel_refuses_is_our_failure() {
    let fake = Fake::hipcc();
    let broken = fake.work().join("hipcc");
    std::fs::write(&broken, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&broken, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for words in [COMPILE.as_slice(), &LINK] {
        let output = fake.driver().arg("--sqtt-compiler=./hipcc").args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
        assert!(stderr(&output).starts_with("sqtt-hipcc: error: cannot run `"), "{}", stderr(&output));
    }
}

#[test]
fn compiler_that_calls_the_driver_is_passed_through_once_and_stopped_in_a_loop() {
    let fake = Fake::hipcc();
    // As HIP_CLANG_PATH with a link to us: the outer compiler runs us for another one.
    let inner = fake.work().join("clang++");
    std::os::unix::fs::symlink(&fake.compiler, &inner).unwrap();
    let again = |compiler: &str| format!("FAKE_SHELL= exec '{DRIVER}' --sqtt-compiler={compiler} \"$@\"");
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", again(inner.to_str().unwrap()));
    assert!(driver.args(COMPILE).output().unwrap().status.success());
    let [outer, nested] = <[Record; 2]>::try_from(fake.records()).unwrap();
    assert_eq!(nested.argv[0], inner.as_os_str());
    assert_eq!(nested.arguments(), outer.arguments(), "nothing is added twice");

    let mut driver = fake.driver();
    let output = driver.env("FAKE_SHELL", again(fake.compiler.to_str().unwrap())).args(COMPILE).output().unwrap();
    assert_eq!((output.status.code(), fake.records().len()), (Some(125), 1));
    assert!(stderr(&output).contains("runs sqtt-hipcc again"), "{}", stderr(&output));
}

#[test]
fn spirv_is_refused_before_anything_is_compiled() {
    let fake = Fake::hipcc();
    let output = fake.driver().args(["--offload-arch=amdgcnspirv", "-c", "a.hip"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(125));
    assert!(text.contains("`amdgcnspirv`") && text.contains("--sqtt-off"), "{text}");
    assert_eq!(fake.records().len(), 0);
    let off = fake.driver().args(["--sqtt-off", "--offload-arch=amdgcnspirv", "-c", "a.hip"]).output().unwrap();
    assert_eq!(off.status.code(), Some(0));
}
