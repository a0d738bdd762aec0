//! Signals that are sent to the driver alone reach everything that the compiler started, once; the compiler decides.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{Fake, wait_for};

/// A loop that a test ends, and time if the test does not.
const UNTIL_GO: &str = "i=0; while [ ! -e go ] && [ $((i += 1)) -lt 3000 ]; do sleep 0.01; done";

fn start(fake: &Fake, script: &str) -> Child {
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", script).env("UNTIL_GO", UNTIL_GO).args(["-c", "a.hip"]);
    // A test that fails leaves processes behind, which must not hold the harness's streams.
    driver.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The number that a script writes to `name` (with a newline) when it is ready.
fn number(fake: &Fake, name: &str) -> u32 {
    wait_for(name, || {
        let text = std::fs::read_to_string(fake.work().join(name)).ok()?;
        text.strip_suffix('\n')?.parse().ok()
    })
}

fn send(signal: &str, pid: u32) {
    assert!(Command::new("kill").args(["-s", signal, &pid.to_string()]).status().unwrap().success());
}

fn ended(child: &mut Child) -> ExitStatus {
    wait_for("end of the driver", || child.try_wait().unwrap())
}

/// Whether the process is there and not only waiting to be asked how it ended.
fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with(['Z', 'X']))
}

/// A compiler like hipcc: a script that waits for a shell that waits for clang.
const TREE: &str = "sh -c 'sh -c \"echo \\$\\$ > leaf; exec sleep 30\"; exit 7'; exit 7";

#[test]
fn a_signal_to_us_reaches_the_leaves() {
    for (name, number_of) in [("TERM", 15), ("HUP", 1), ("INT", 2), ("QUIT", 3)] {
        let fake = Fake::hipcc();
        let mut driver = start(&fake, TREE);
        let leaf = number(&fake, "leaf");
        assert!(lives(leaf));
        send(name, driver.id());
        assert_eq!(ended(&mut driver).signal(), Some(number_of), "{name}");
        assert!(!lives(leaf), "{name}: what the compiler started goes on");
    }
}

/// Perl's `system` ignores INT while it waits; hipcc then reports the death of clang its own way.
#[test]
fn the_compiler_decides_what_a_signal_means() {
    let fake = Fake::hipcc();
    let mut driver = start(&fake, "trap 'exit 3' INT; echo $$ > ready; sleep 30 & wait");
    number(&fake, "ready");
    send("INT", driver.id());
    assert_eq!(ended(&mut driver).code(), Some(3));

    let fake = Fake::hipcc();
    let mut driver = start(&fake, "trap '' TERM; echo $$ > ready; eval \"$UNTIL_GO\"; exit 0");
    number(&fake, "ready");
    send("TERM", driver.id());
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(driver.try_wait().unwrap(), None, "the compiler goes on, so do we");
    std::fs::write(fake.work().join("go"), "").unwrap();
    assert_eq!(ended(&mut driver).code(), Some(0));
}

#[test]
fn nobody_is_told_twice() {
    let fake = Fake::hipcc();
    let mut driver = start(&fake, "trap 'echo told >> log' TERM; echo $$ > ready; eval \"$UNTIL_GO\"");
    number(&fake, "ready");
    send("TERM", driver.id());
    let log = || std::fs::read_to_string(fake.work().join("log")).ok();
    wait_for("message", log);
    std::thread::sleep(Duration::from_millis(100));
    std::fs::write(fake.work().join("go"), "").unwrap();
    ended(&mut driver);
    assert_eq!(log().unwrap(), "told\n");
}

/// clang removes its files when it is told to end; make must not go on before.
#[test]
fn we_end_after_what_the_compiler_started() {
    let fake = Fake::hipcc();
    let leaf = "trap 'sleep 0.3; rm temporary; exit 1' TERM; touch temporary; echo $$ > leaf; eval \"$UNTIL_GO\"";
    std::fs::write(fake.work().join("leaf.sh"), leaf).unwrap();
    let mut driver = start(&fake, "sh leaf.sh & wait");
    number(&fake, "leaf");
    send("TERM", driver.id());
    assert_eq!(ended(&mut driver).signal(), Some(15));
    assert!(!fake.work().join("temporary").exists());
}

/// A compiler cache may start its server from a compile.
#[test]
fn a_process_that_left_the_group_is_left_alone() {
    let fake = Fake::hipcc();
    let mut driver = start(&fake, "setsid sh -c 'echo $$ > server; exec sleep 30' & echo $$ > ready; wait");
    let server = number(&fake, "server");
    send("TERM", driver.id());
    assert_eq!(ended(&mut driver).signal(), Some(15));
    assert!(lives(server));
    send("KILL", server);
}

#[test]
fn a_signal_before_the_compiler_runs_is_not_lost() {
    for _ in 0..20 {
        let fake = Fake::hipcc();
        let mut driver = start(&fake, "sleep 30");
        send("TERM", driver.id());
        assert_eq!(ended(&mut driver).signal(), Some(15));
    }
}

#[test]
fn an_interrupted_compile_is_not_validated() {
    let fake = Fake::hipcc();
    // Succeeding all the same, as a script might: then the output counts.
    for (end, output_stays) in [("exit 1", true), ("exit 0", false)] {
        _ = std::fs::remove_file(fake.work().join("ready"));
        let bad = format!("trap '{end}' TERM; printf '\\177ELF' > a.o; echo $$ > ready; sleep 30 & wait");
        let mut driver = start(&fake, &bad);
        number(&fake, "ready");
        send("TERM", driver.id());
        ended(&mut driver);
        assert_eq!(fake.work().join("a.o").exists(), output_stays, "{end}");
    }
}

/// The real hipcc: Perl, which runs a shell, which runs clang.
#[test]
fn clang_below_the_real_hipcc_ends_with_us() {
    let fake = Fake::named("clang++-15");
    let mut driver = fake.driver();
    driver.env("SQTT_HIPCC", "/usr/bin/hipcc").env("HIP_PLATFORM", "amd");
    driver.env("HIP_CLANG_PATH", fake.compiler.parent().unwrap());
    // hipcc asks for version and target first.
    driver.env(
        "FAKE_SHELL",
        "case \"$*\" in *a.hip*) echo $$ > leaf; exec sleep 30;; *) echo clang version 15.0.0;; esac",
    );
    driver.args(["--offload-arch=gfx942", "-c", "a.hip"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut driver = driver.spawn().unwrap();
    let leaf = number(&fake, "leaf");
    send("TERM", driver.id());
    assert_eq!(ended(&mut driver).signal(), Some(15));
    assert!(!lives(leaf), "clang goes on");
}
