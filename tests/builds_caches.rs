//! Real compiler caches, in front of the driver and below it: what has changed is compiled, what has not is not.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::ffi::OsString;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{Llvm, success};
use sqtt_contract::variables;

/// The driver is `$DRIVER` where the text says so.
struct Arrangement {
    name: &'static str,
    /// What is in front of the words of a compile.
    start: fn(&Place) -> Vec<OsString>,
    /// The compiler that the driver is told.
    compiler: fn(&Place) -> PathBuf,
}

const DRIVER: &str = env!("CARGO_BIN_EXE_sqtt-hipcc");

const ARRANGEMENTS: [Arrangement; 5] = [
    Arrangement {
        name: "ccache in front",
        start: |_| vec!["ccache".into(), DRIVER.into()],
        compiler: |place| place.counter.clone(),
    },
    Arrangement {
        name: "ccache below, as the compiler",
        start: |_| vec![DRIVER.into()],
        compiler: |place| place.path("masquerade/clang++"),
    },
    Arrangement {
        name: "ccache below, launched",
        start: |place| vec![DRIVER.into(), "--sqtt-launch".into(), "ccache".into(), place.counter.clone().into()],
        compiler: |place| place.path("unused"),
    },
    Arrangement {
        name: "sccache in front",
        start: |_| vec![sccache().into(), DRIVER.into()],
        compiler: |place| place.counter.clone(),
    },
    Arrangement {
        name: "sccache below, launched",
        start: |place| vec![DRIVER.into(), "--sqtt-launch".into(), sccache().into(), place.counter.clone().into()],
        compiler: |place| place.path("unused"),
    },
];

/// Where ci/setup puts it.
fn sccache() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools/sccache");
    assert!(path.exists(), "no `{}`: run ci/setup", path.display());
    path
}

/// A directory with a source, a compiler that counts its compiles, a plugin, and empty caches.
struct Place {
    directory: tempfile::TempDir,
    /// A script around the real clang++.
    counter: PathBuf,
}

impl Place {
    fn new(llvm: &Llvm) -> Place {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = |name: &str| directory.path().join(name);
        for name in ["compiler", "masquerade", "home"] {
            std::fs::create_dir(path(name)).expect("the directory is writable");
        }
        let counter = path("compiler/clang++");
        // A compile, not the preprocessing for it or a probe of the compiler's kind.
        let script = format!(
            "#!/bin/sh\ncase \" $* \" in *\" -E \"*) ;; *\" -c \"*) echo >>'{}' ;; esac\nexec '{}' \"$@\"\n",
            path("compiles").display(),
            llvm.tool("clang++").get_program().display()
        );
        std::fs::write(&counter, script).expect("the directory is writable");
        std::fs::set_permissions(&counter, PermissionsExt::from_mode(0o755)).expect("the script is ours");
        symlink("/usr/bin/ccache", path("masquerade/clang++")).expect("the directory is writable");
        std::fs::write(path("k.hip"), KERNEL).expect("the directory is writable");
        let mut build = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        build.env(variables::CACHE_DIR, Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        let built = success(build.args(["plugin", "build", "--compiler"]).arg(llvm.tool("clang++").get_program()));
        let built = String::from_utf8(built.stdout).expect("the path is UTF-8");
        std::fs::copy(built.trim_end(), path("plugin.so")).expect("the plugin can be copied");
        Place { counter, directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A command in the directory, in an environment that has what the caches and the driver read, and no more.
    fn command(&self, program: &OsString, compiler: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.directory.path()).env_clear();
        // ccache as the compiler looks for the next compiler of that name.
        let path = format!("{}:/usr/bin:/bin", self.path("compiler").display());
        command.env("PATH", path).env("HOME", self.path("home")).env("CCACHE_CONFIGPATH", self.path("no.conf"));
        command.env("CCACHE_DIR", self.path("ccache")).env("SCCACHE_DIR", self.path("sccache"));
        command.env("SCCACHE_SERVER_UDS", self.path("socket")).env("SCCACHE_IDLE_TIMEOUT", "60");
        command.env(variables::HIPCC, compiler).env(variables::PLUGIN, self.path("plugin.so"));
        command.env(variables::CACHE_DIR, self.path("cache"));
        command
    }

    /// Compiles, with what a step changes, and gives the object and how many compiles that took.
    fn compile(&self, arrangement: &Arrangement, step: &Step) -> (Vec<u8>, usize) {
        _ = std::fs::remove_file(self.path("compiles"));
        _ = std::fs::remove_file(self.path("k.o"));
        if let Some(prepare) = step.prepare {
            prepare(self);
        }
        let start = (arrangement.start)(self);
        let mut command = self.command(&start[0], &(arrangement.compiler)(self));
        command.args(&start[1..]).envs(step.environment.iter().copied()).args(step.words).args(COMPILE);
        success(&mut command);
        let compiles = std::fs::read(self.path("compiles")).unwrap_or_default().len();
        (std::fs::read(self.path("k.o")).expect("there is an object"), compiles)
    }

    /// What the driver makes without a cache.
    fn fresh(&self, step: &Step) -> Vec<u8> {
        let arrangement =
            Arrangement { name: "", start: |_| vec![DRIVER.into()], compiler: |place| place.counter.clone() };
        self.compile(&arrangement, &Step { prepare: None, ..*step }).0
    }
}

/// The name of a symbol is made of the arguments unless it is given.
const COMPILE: [&str; 9] =
    ["--cuda-device-only", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-cuid=0", "-c", "k.hip", "-o", "k.o"];

const KERNEL: &str = "\
#if __has_include(\"markers.hpp\")
#include \"markers.hpp\"
#endif
__attribute__((device, noinline)) int g(int *p) { return p[0] * 7 + p[1] / p[2]; }
__attribute__((global)) void k(int *p) {
#ifdef SQTT_ENABLED
  sqtt_marker_enter(\"load\");
#endif
  *p = g(p);
#ifdef SQTT_ENABLED
  sqtt_marker_exit(\"load\");
#endif
}
";

/// A compile that follows another.
#[derive(Clone, Copy)]
struct Step {
    what: &'static str,
    prepare: Option<fn(&Place)>,
    environment: &'static [(&'static str, &'static str)],
    words: &'static [&'static str],
    /// Nothing has changed since some earlier step.
    hits: bool,
}

const SAME: Step = Step { what: "nothing changed", prepare: None, environment: &[], words: &[], hits: true };
const NEW: Step = Step { hits: false, ..SAME };

/// A compile that is switched off comes first, when no cache knows a stamp yet.
fn steps() -> Vec<Step> {
    vec![
        Step { what: "off", environment: &[(variables::OFF, "1")], ..NEW },
        Step { what: "off again", environment: &[(variables::OFF, "1")], ..SAME },
        Step { what: "on again", ..NEW },
        SAME,
        Step { what: "a variable", environment: &[(variables::INSTRUMENT_FUNCTIONS, "3")], ..NEW },
        Step { what: "the same variable", environment: &[(variables::INSTRUMENT_FUNCTIONS, "3")], ..SAME },
        Step { what: "without the variable", ..SAME },
        Step { what: "a flag", words: &["--sqtt-scope-cu=8"], ..NEW },
        Step { what: "a settings file", prepare: Some(settings_file), ..NEW },
        Step { what: "the same settings file", ..SAME },
        Step { what: "another plugin", prepare: Some(another_plugin), ..NEW },
        SAME,
        Step { what: "another header", prepare: Some(another_header), ..NEW },
        SAME,
        Step { what: "off, with another header", environment: &[(variables::OFF, "1")], ..NEW },
        Step { what: "off with it again", environment: &[(variables::OFF, "1")], ..SAME },
    ]
}

fn settings_file(place: &Place) {
    std::fs::write(place.path("sqtt.toml"), "[scope]\ncu = -1\n").expect("the directory is writable");
}

/// Other bytes with the old length and the old time.
fn another_plugin(place: &Place) {
    let path = place.path("plugin.so");
    let time = path.metadata().and_then(|file| file.modified()).expect("the file has a time");
    let mut bytes = std::fs::read(&path).expect("the plugin is there");
    let at = bytes.windows(4).position(|text| text == b"GCC:").expect("the compiler's name is in the plugin");
    bytes[at] = b'g';
    std::fs::write(&path, bytes).expect("the plugin is ours");
    let file = std::fs::File::options().write(true).open(&path).expect("the plugin is ours");
    file.set_modified(time).expect("the time can be set");
}

/// A declaration more, in the place of a comment: the length says nothing to the driver either.
fn another_header(place: &Place) {
    let include = std::fs::read_dir(place.path("cache/include")).expect("the headers are there");
    for directory in include {
        let path = directory.expect("the directory is readable").path().join("markers.hpp");
        let text = std::fs::read_to_string(&path).expect("the header is there");
        let comment = text.lines().find(|line| line.starts_with("// ") && line.len() > 12).expect("it has a comment");
        let declaration = format!("{:<1$}", "struct new_;", comment.len());
        std::fs::write(&path, text.replacen(comment, &declaration, 1)).expect("the header is ours");
    }
}

#[test]
fn what_changes_the_object_is_compiled_and_nothing_else() {
    let llvm = Llvm::find(22);
    for arrangement in &ARRANGEMENTS {
        let place = Place::new(&llvm);
        for (number, step) in steps().iter().enumerate() {
            let context = format!("{}, step {number}: {}", arrangement.name, step.what);
            let (object, compiles) = place.compile(arrangement, step);
            assert_eq!(compiles, usize::from(!step.hits), "{context}");
            assert!(object == place.fresh(step), "{context}: not the object of a compile without a cache");
        }
        let mut stop = place.command(&sccache().into(), &place.counter);
        _ = stop.arg("--stop-server").output();
    }
}
