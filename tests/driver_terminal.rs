//! At a terminal: ^C, ^\ and ^Z reach the compiler as if the driver were not there, once, and it may read.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs::File;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

#[path = "fixtures/driver/support.rs"]
mod support;

use support::{Fake, wait_for};

/// A session with a terminal of its own.
struct Session {
    keyboard: File,
    child: Child,
}

impl Session {
    /// Runs `command` as the foreground of a new terminal.
    fn start(command: &Command) -> Session {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let terminal = || File::options().read(true).write(true).open(&name).unwrap();
        let mut session = Command::new("setsid");
        session.args(["--ctty", "--wait"]).arg(command.get_program()).args(command.get_args());
        session.current_dir(command.get_current_dir().unwrap()).env_clear();
        session.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let child = session.stdin(terminal()).stdout(terminal()).stderr(terminal()).spawn().unwrap();
        Session { keyboard: File::from(master), child }
    }

    fn type_in(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
    }

    fn ended(mut self) -> ExitStatus {
        wait_for("end", || self.child.try_wait().unwrap())
    }
}

fn line(fake: &Fake, name: &str) -> String {
    wait_for(name, || {
        let text = std::fs::read_to_string(fake.work().join(name)).ok()?;
        text.ends_with('\n').then(|| text.trim_end().to_owned())
    })
}

fn driver(fake: &Fake, script: &str) -> Command {
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", script).args(["-x", "hip", "-c", "-"]);
    driver
}

#[test]
fn interrupt_reaches_the_compiler_once() {
    let fake = Fake::hipcc();
    let script = "trap 'echo told >> log' INT; echo $$ > ready; i=0; while [ ! -e go ] && [ $((i += 1)) -lt 3000 ]; do sleep 0.01; done; exit 4";
    let mut session = Session::start(&driver(&fake, script));
    line(&fake, "ready");
    session.type_in(b"\x03");
    line(&fake, "log");
    std::thread::sleep(Duration::from_millis(100));
    std::fs::write(fake.work().join("go"), "").unwrap();
    assert_eq!(session.ended().code(), Some(4));
    assert_eq!(line(&fake, "log"), "told");
}

#[test]
fn interrupt_and_quit_end_us_as_they_end_the_compiler() {
    for (key, signal) in [(b"\x03", 2), (b"\x1c", 3)] {
        let fake = Fake::hipcc();
        let mut session = Session::start(&driver(&fake, "echo $$ > ready; exec sleep 30"));
        line(&fake, "ready");
        session.type_in(key);
        assert_eq!(session.ended().signal(), Some(signal));
    }
}

/// In a group of its own the compiler would be stopped when it reads from the terminal.
#[test]
fn the_compiler_reads_from_the_terminal() {
    let fake = Fake::hipcc();
    let mut session = Session::start(&driver(&fake, "echo $$ > ready; read line; echo \"$line\" > seen"));
    line(&fake, "ready");
    session.type_in(b"int x;\n");
    assert_eq!(session.ended().code(), Some(0));
    assert_eq!(line(&fake, "seen"), "int x;");
}

/// The state letter of a process.
fn state(pid: &str) -> Option<char> {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid).join("stat")).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

#[test]
fn suspended_and_resumed_by_a_shell() {
    let fake = Fake::hipcc();
    // One process: a shell that waits for a child it has not started yet cannot be seen to stop.
    let waits = r#"select(undef, undef, undef, 0.01) while !-e "go" && $i++ < 3000; exit 4"#;
    let driver = driver(&fake, &format!("echo $$ > ready; exec perl -e '{waits}'"));
    let mut shell = Command::new("bash");
    let script = "\"$0\" \"$@\"; echo $? > stopped; i=0; while [ ! -e resume ] && [ $((i += 1)) -lt 3000 ]; do sleep 0.01; done; fg; echo $? > finished";
    shell.args(["-m", "-c", script]).arg(driver.get_program()).args(driver.get_args());
    shell.current_dir(fake.work()).envs(driver.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut session = Session::start(&shell);
    let compiler = line(&fake, "ready");
    session.type_in(b"\x1a");
    assert_eq!(line(&fake, "stopped"), "148", "the shell sees us stopped");
    wait_for("stopped compiler", || (state(&compiler) == Some('T')).then_some(()));
    std::fs::write(fake.work().join("resume"), "").unwrap();
    wait_for("running compiler", || (state(&compiler) != Some('T')).then_some(()));
    std::fs::write(fake.work().join("go"), "").unwrap();
    assert_eq!(line(&fake, "finished"), "4");
    session.ended();
}
