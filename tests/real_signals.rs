//! Signals while a real compiler works on a long unit: it ends as it would without the driver, and so do we. What it had
//! begun to write is gone, and no file is left that it does not leave without the driver: clang keeps the places that it
//! has reserved for the results of its steps.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::collections::BTreeSet;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use machine_support::hipcc;
use machine_support::llvm::{Llvm, MAJORS};

/// A unit that keeps the front end busy for minutes.
const SOURCE: &str = "constexpr unsigned long busy(unsigned long n) {\n\
    unsigned long sum = 0;\n\
    for (unsigned long i = 0; i < n; ++i) sum = sum * 31 + i;\n\
    return sum;\n}\n\
    __attribute__((global)) void k(unsigned long *p) { constexpr auto sum = busy(2000000000); *p = sum; }\n";

/// Longer than a compiler takes to start on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + LONG;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A directory to compile in and one for temporary files.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().unwrap();
        for name in ["work", "temporary"] {
            fs_err::create_dir(directory.path().join(name)).unwrap();
        }
        fs_err::write(directory.path().join("long.hip"), SOURCE).unwrap();
        Place { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Everything that a compile has put down so far: its directory and its extension, as its name is random.
    fn files(&self) -> Files {
        let list = |place: &'static str| {
            let names = fs_err::read_dir(self.path(place)).unwrap().map(|entry| entry.unwrap().file_name());
            names.map(move |name| (place, name.to_string_lossy().rsplit('.').next().unwrap_or_default().to_owned()))
        };
        list("work").chain(list("temporary")).collect()
    }

    /// `program` at work on the unit, the first of a process group of its own.
    fn start(&self, program: &Path, compiler: &Path, plugin: &Path) -> Child {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.directory.path());
        command.env("TMPDIR", self.path("temporary")).env("SQTT_HIPCC", compiler).env("SQTT_PLUGIN", plugin);
        command.env("SQTT_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("signal-cache"));
        command.args(["-nogpuinc", "-nogpulib", "--offload-arch=gfx942", "-std=c++17", "-fconstexpr-steps=2147483647"]);
        command.args(["-c", "../long.hip", "-o", "long.o"]).current_dir(self.path("work")).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }
}

/// Who gets the signal.
#[derive(Clone, Copy, Debug)]
enum To {
    /// Everybody, as from a terminal or from make.
    Group,
    /// The first process alone.
    Leader,
}

type Files = BTreeSet<(&'static str, String)>;

/// How `program` ends when it is told to in the midst of work, and what is left of it.
fn interrupted(program: &Path, compiler: &Path, plugin: &Path, signal: &str, to: To) -> (ExitStatus, Files) {
    let place = Place::new();
    let mut child = place.start(program, compiler, plugin);
    // The front end writes beside the place that was reserved for it.
    let is_at_work = || place.files().iter().any(|(_, extension)| extension == "tmp");
    wait_for("front end", || is_at_work().then_some(()));
    assert_eq!(child.try_wait().unwrap(), None, "the unit is too short");
    let target = if matches!(to, To::Group) { format!("-{}", child.id()) } else { child.id().to_string() };
    assert!(Command::new("kill").args(["-s", signal, "--", &target]).status().unwrap().success());
    let status = wait_for("end", || child.try_wait().unwrap());
    let group = child.id();
    // A compiler below a shell that died may take a moment more.
    wait_for("end of the group", || is_gone(group).then_some(()));
    (status, place.files())
}

/// Whether no process of the group is left.
fn is_gone(group: u32) -> bool {
    let signalled = Command::new("kill").args(["-0", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
    !signalled.unwrap().success()
}

const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("HUP", 1)];

fn driver() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_sqtt-hipcc"))
}

#[test]
fn clang_ends_as_without_the_driver() {
    for llvm in MAJORS.map(Llvm::new) {
        let (clang, plugin) = (llvm.program("clang++"), llvm.plugin().unwrap());
        for (signal, number) in SIGNALS {
            let bare = interrupted(&clang, &clang, plugin, signal, To::Group);
            assert_eq!(bare.0.signal(), Some(number));
            assert!(!bare.1.iter().any(|(place, extension)| *place == "work" || extension == "tmp"), "{:?}", bare.1);
            let ours = interrupted(driver(), &clang, plugin, signal, To::Group);
            assert_eq!(ours, bare, "LLVM {}, {signal}", llvm.major);
            // Told to us alone, as make does it, it reaches all the same.
            let (status, left) = interrupted(driver(), &clang, plugin, signal, To::Leader);
            assert_eq!(status, bare.0, "LLVM {}, {signal}", llvm.major);
            assert!(left.is_subset(&bare.1), "LLVM {}, {signal}: {left:?}, not {:?}", llvm.major, bare.1);
        }
    }
}

#[test]
fn hipcc_ends_as_without_the_driver() {
    let llvm = Llvm::new(22);
    let (hipcc, plugin) = (hipcc(&llvm), llvm.plugin().unwrap());
    for (signal, _) in SIGNALS {
        let bare = interrupted(&hipcc, &hipcc, plugin, signal, To::Group);
        let ours = interrupted(driver(), &hipcc, plugin, signal, To::Group);
        assert_eq!(ours, bare, "{signal}");
    }
}
