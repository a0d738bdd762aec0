//! A machine on which `sqtt plugin build` runs a fake cargo.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use sqtt_contract::variables;

use super::Sandbox;

/// A fake LLVM 22 in `llvm`, a PATH with a fake cargo and compilers, and an empty cache.
pub struct Machine {
    pub sandbox: Sandbox,
}

/// Makes a plugin of one byte, says so as cargo does.
pub const SUCCEED: &str = r#"
mkdir -p "$CARGO_TARGET_DIR/release"
echo x > "$CARGO_TARGET_DIR/release/libsqttinstrumentpass.so"
echo "   Compiling sqtt-instrument-pass" >&2
echo '{"reason":"compiler-artifact","filenames":["/other/libinkwell.rlib"]}'
echo "{\"reason\":\"compiler-artifact\",\"filenames\":[\"$CARGO_TARGET_DIR/release/libsqttinstrumentpass.so\"]}"
"#;

impl Machine {
    pub fn new() -> Machine {
        let machine = Machine { sandbox: Sandbox::new() };
        machine.headers("llvm", "22.1.8");
        machine.sandbox.script("bin/c++", "");
        machine.sandbox.script("bin/cc", "");
        machine.cargo(SUCCEED);
        machine
    }

    pub fn headers(&self, prefix: &str, version: &str) {
        let header = format!("{prefix}/include/llvm/Config/llvm-config.h");
        self.sandbox.file(header, &format!("#define LLVM_VERSION_STRING \"{version}\"\n"));
    }

    /// A cargo that notes its words, variables and directory, and then does `body`.
    pub fn cargo(&self, body: &str) {
        let notes = self.sandbox.path("notes");
        std::fs::create_dir_all(&notes).unwrap();
        let body = format!(
            "[ \"$1\" = --version ] && echo 'cargo 1.95.0 (f2d3ce0bd 2026-03-21)' && exit\n\
             N='{notes}'\n/usr/bin/env -0 > \"$N/env\"; pwd > \"$N/cwd\"; echo \"$@\" >> \"$N/runs\"\n\
             PATH=/usr/bin:/bin\ncat > \"$N/stdin\"\n{body}",
            notes = notes.display()
        );
        self.sandbox.script("bin/cargo", &body);
    }

    /// A cargo that does `body` once [`Machine::go`] was called.
    pub fn cargo_that_waits(&self, body: &str) {
        self.cargo(&format!("touch \"$N/waits\"; until [ -e \"$N/go\" ]; do sleep 0.05; done\n{body}"));
    }

    pub fn wait_for_cargo(&self) {
        wait_until("cargo runs", || self.sandbox.path("notes/waits").exists());
    }

    pub fn go(&self) {
        self.sandbox.file("notes/go", "");
    }

    pub fn runs(&self) -> Vec<String> {
        let runs = std::fs::read_to_string(self.sandbox.path("notes/runs")).unwrap_or_default();
        runs.lines().map(str::to_owned).collect()
    }

    /// The variables of the last cargo, as `NAME=value`.
    pub fn environment(&self) -> Vec<String> {
        let noted = std::fs::read_to_string(self.sandbox.path("notes/env")).unwrap();
        noted.split_terminator('\0').map(str::to_owned).collect()
    }

    pub fn sqtt(&self, verb: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        let prefix = self.sandbox.path("llvm");
        command.args(["plugin", verb]).arg("--llvm-prefix").arg(prefix).env_clear();
        command.env("PATH", self.sandbox.path("bin")).env(variables::CACHE_DIR, self.sandbox.path("cache"));
        command
    }

    pub fn build(&self) -> Output {
        self.sqtt("build").output().unwrap()
    }

    /// Plugins in the cache, finished or not.
    pub fn plugins(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.sandbox.path("cache/plugin")).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
    }
}

pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited for: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The path that was printed: the only line on stdout.
pub fn printed(output: &Output) -> PathBuf {
    assert!(output.status.success(), "{output:?}");
    let line = output.stdout.strip_suffix(b"\n").unwrap();
    assert!(!line.contains(&b'\n'), "{output:?}");
    PathBuf::from(OsStr::from_bytes(line))
}

/// The message of a failure that printed nothing on stdout, without the program's name before each line.
pub fn message(output: &Output) -> String {
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{output:?}");
    let said = std::str::from_utf8(&output.stderr).unwrap();
    said.lines().map(|line| format!("{}\n", line.strip_prefix("sqtt: ").unwrap())).collect()
}
