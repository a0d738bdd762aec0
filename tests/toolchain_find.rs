//! Which compiler is taken for the real one, in an environment of fake ones.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use sqtt_hipcc::environment::Environment;
use sqtt_hipcc::toolchain::{Compiler, CompilerKind, FindRequest, ToolchainError, find_compiler};
use support::{Sandbox, environment};

/// A PATH of `first` and `second`, a ROCm in `rocm`, and ourselves in `own/sqtt-hipcc`.
struct Machine {
    sandbox: Sandbox,
    environment: Environment,
    own: PathBuf,
}

impl Machine {
    fn new() -> Machine {
        let sandbox = Sandbox::new();
        let path = format!("{}:{}", sandbox.path("first").display(), sandbox.path("second").display());
        let rocm = sandbox.path("rocm").display().to_string();
        let own = sandbox.script("own/sqtt-hipcc", "# not the real driver");
        Machine { environment: environment([("PATH", path), ("ROCM_PATH", rocm)]), sandbox, own }
    }

    fn compiler(&self, below: &str) -> PathBuf {
        self.sandbox.script(below, &format!("echo {below}"))
    }

    fn find(&self) -> Result<Compiler, ToolchainError> {
        find_compiler(&FindRequest { explicit: None, environment: &self.environment, own_executable: &self.own })
    }

    fn find_explicit(&self, value: impl AsRef<Path>) -> Result<Compiler, ToolchainError> {
        let explicit = Some((value.as_ref().to_owned(), "sqtt.toml:3".to_owned()));
        find_compiler(&FindRequest { explicit, environment: &self.environment, own_executable: &self.own })
    }
}

#[test]
fn candidates_are_taken_in_the_documented_order() {
    let order = [
        ("first/hipcc", CompilerKind::Hipcc),
        ("second/hipcc", CompilerKind::Hipcc),
        ("rocm/bin/hipcc", CompilerKind::Hipcc),
        ("second/amdclang++", CompilerKind::Amdclang),
        ("rocm/bin/amdclang++", CompilerKind::Amdclang),
        ("rocm/lib/llvm/bin/amdclang++", CompilerKind::Amdclang),
        ("rocm/llvm/bin/amdclang++", CompilerKind::Amdclang),
        ("first/clang++", CompilerKind::Clang),
        ("rocm/lib/llvm/bin/clang++", CompilerKind::Clang),
        ("second/clang++-22", CompilerKind::Clang),
        ("first/clang++-19", CompilerKind::Clang),
        ("first/clang++-99", CompilerKind::Clang),
        ("first/clang++-15", CompilerKind::Clang),
    ];
    let machine = Machine::new();
    for (below, _) in order {
        machine.compiler(below);
    }
    for (below, kind) in order {
        let found = machine.find().unwrap();
        assert_eq!((found.path.as_path(), found.kind), (machine.sandbox.path(below).as_path(), kind));
        std::fs::remove_file(found.path).unwrap();
    }
    let message = machine.find().unwrap_err().to_string();
    assert!(message.contains(&format!("in PATH or in `{}`", machine.sandbox.path("rocm").display())), "{message}");
    assert!(message.lines().last().unwrap().contains("--sqtt-compiler=PATH"), "{message}");
}

#[test]
fn what_is_no_program_is_passed_over() {
    let machine = Machine::new();
    machine.sandbox.file("first/hipcc", "not executable");
    std::fs::create_dir_all(machine.sandbox.path("second/hipcc")).unwrap();
    machine.sandbox.link("nowhere", "rocm/bin/hipcc");
    machine.sandbox.file("first/clang++-docs", "");
    let clang = machine.compiler("second/clang++");
    assert_eq!(machine.find().unwrap().path, clang);
}

#[test]
fn we_are_passed_over_in_every_disguise() {
    type Disguise = fn(&Machine) -> PathBuf;
    let disguises: [(&str, Disguise); 6] = [
        ("link", |machine| machine.sandbox.link(&machine.own, "first/hipcc")),
        ("link to a link", |machine| {
            let link = machine.sandbox.link("../own/sqtt-hipcc", "links/a");
            machine.sandbox.link(link, "first/hipcc")
        }),
        ("hard link", |machine| {
            let path = machine.sandbox.path("first/hipcc");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::hard_link(&machine.own, &path).unwrap();
            path
        }),
        ("copy", |machine| machine.sandbox.script("first/hipcc", "# not the real driver")),
        ("script with our path", |machine| {
            let own = machine.own.display().to_string().replace(' ', "\\ ");
            machine.sandbox.script("first/hipcc", &format!("exec {own} \"$@\""))
        }),
        ("script with our name", |machine| machine.sandbox.script("first/hipcc", "exec \"$HERE/sqtt-hipcc\" \"$@\"")),
    ];
    for (name, disguise) in disguises {
        let machine = Machine::new();
        let disguised = disguise(&machine);
        let message = machine.find().unwrap_err().to_string();
        assert!(message.contains(&format!("skipped `{}`", disguised.display())), "{name}: {message}");

        let real = machine.compiler("second/hipcc");
        assert_eq!(machine.find().unwrap().path, real, "{name}");
        assert_eq!(machine.find_explicit("hipcc").unwrap().path, real, "{name}: a bare name is looked up");

        let message = machine.find_explicit(&disguised).unwrap_err().to_string();
        assert!(message.contains("is sqtt-hipcc itself") && message.contains("sqtt.toml:3"), "{name}: {message}");
    }
}

#[test]
fn a_script_that_only_mentions_us_is_a_compiler() {
    let machine = Machine::new();
    let script = machine.sandbox.script("first/hipcc", "# wrapped by sqtt-hipcc\nexec /usr/bin/hipcc.pl \"$@\"");
    assert_eq!(machine.find().unwrap().path, script);
}

#[test]
fn scripts_of_the_real_hipcc_are_not_us_when_we_are_called_hipcc() {
    let mut machine = Machine::new();
    machine.own = machine.sandbox.script("own/hipcc", "# not the real driver");
    let script = machine.sandbox.script("first/hipcc", "exec /opt/rocm/bin/hipcc \"$@\"");
    assert_eq!(machine.find().unwrap().path, script);
}

#[test]
fn an_explicit_compiler_is_kept_as_it_was_named() {
    let machine = Machine::new();
    let real = machine.compiler("elsewhere/clang-real");
    let link = machine.sandbox.link(&real, "elsewhere/amdclang++");
    let found = machine.find_explicit(&link).unwrap();
    assert_eq!((found.path, found.kind), (link, CompilerKind::Amdclang));
    assert!(found.identity.is_same_file(&machine.find_explicit(&real).unwrap().identity));
}

#[test]
fn an_explicit_name_may_be_any_bytes() {
    let machine = Machine::new();
    let name = std::ffi::OsString::from_vec(b"odd \xff name".to_vec());
    let odd = machine.sandbox.script(&name, "");
    let found = machine.find_explicit(&odd).unwrap();
    assert_eq!((found.path, found.kind), (odd, CompilerKind::Hipcc));
}

#[test]
fn an_explicit_compiler_that_is_not_there_is_an_error_that_names_its_origin() {
    let machine = Machine::new();
    machine.compiler("second/hipcc");
    let plain = machine.sandbox.file("plain", "");
    let cases = [
        ("no-such-hipcc".to_owned(), "no such program in PATH"),
        ("ccache hipcc".to_owned(), "one path, not a command line"),
        (String::new(), "it is empty"),
        (machine.sandbox.path("missing").display().to_string(), "No such file"),
        (plain.display().to_string(), "not executable"),
        (machine.sandbox.path("second").display().to_string(), "not a file"),
    ];
    for (value, reason) in cases {
        let message = machine.find_explicit(&value).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
        assert!(message.contains("(sqtt.toml:3)") && message.contains(&format!("`{value}`")), "{message}");
    }
}

#[test]
fn without_a_path_only_the_rocm_is_searched() {
    let machine = Machine::new();
    let hipcc = machine.compiler("rocm/bin/hipcc");
    let rocm = machine.sandbox.path("rocm");
    let bare = environment([("ROCM_PATH", rocm)]);
    let request = FindRequest { explicit: None, environment: &bare, own_executable: &machine.own };
    assert_eq!(find_compiler(&request).unwrap().path, hipcc);
}

#[test]
fn the_kind_is_told_by_the_name() {
    for (name, kind) in [
        ("/usr/bin/hipcc", CompilerKind::Hipcc),
        ("/opt/rocm/bin/hipcc.pl", CompilerKind::Hipcc),
        ("/opt/rocm/bin/hipcc.bin", CompilerKind::Hipcc),
        ("/opt/rocm/bin/amdclang++", CompilerKind::Amdclang),
        ("/usr/bin/clang++-22", CompilerKind::Clang),
        ("/opt/clang/wrapper", CompilerKind::Hipcc),
    ] {
        assert_eq!(CompilerKind::of_name(Path::new(name)), kind, "{name}");
    }
}
