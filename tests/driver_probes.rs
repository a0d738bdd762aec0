//! Whatever asks the compiler something, checks, preprocesses or compiles without the device gets the very same answer
//! through the driver as from the compiler itself: standard output, standard error, status and files, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use machine_support::hipcc;
use machine_support::llvm::Llvm;

/// What stands in the directory of the calls.
const FILES: &[(&str, &str)] = &[
    ("c.c", "#include \"own.h\"\nint c(int x) { return x + OWN; }\n"),
    ("own.h", "#define OWN 3\n"),
    ("warn.c", "int warn(int x) { int unused; return x; }\n"),
    ("bad.c", "int bad( { return nothing; }\n"),
    ("main.c", "int main(void) { return 0; }\n"),
    ("cpp.cc", "#include \"own.h\"\nint cpp(int x = OWN) { return x; }\n"),
    ("asm.s", ".text\n.globl one\none:\n  ret\n"),
    ("pre.S", "#include \"own.h\"\n.text\n.globl two\ntwo:\n  ret\n"),
    ("ir.ll", "define i32 @ir() {\n  ret i32 7\n}\n"),
    ("pre.i", "int pre(void) { return 1; }\n"),
    ("plain.hip", "#include \"own.h\"\n__attribute__((global)) void k(int *p) { *p = OWN; }\n"),
    ("warn.hip", "__attribute__((global)) void k(int *p) { int unused; *p = 1; }\n"),
    ("bad.hip", "__attribute__((global)) void k(int *p) { *p = nothing; }\n"),
    ("words.rsp", "-fsyntax-only -Wall \"warn.c\"\n"),
    ("nested.rsp", "@words.rsp -Wextra\n"),
    ("query.rsp", "-dumpmachine\n"),
];

/// What is written to standard input of every call.
const STDIN: &str = "int from_stdin(int x) { return x; }\n";

/// Questions and odd calls, as configure scripts and people make them.
const QUESTIONS: &[&str] = &[
    "",
    "--version",
    "-v",
    "-V",
    "-qversion",
    "-version",
    "--help",
    "--help-hidden",
    "-help",
    "-dumpversion",
    "-dumpmachine",
    "-dumpversion -dumpmachine",
    "-print-search-dirs",
    "-print-prog-name=ld",
    "-print-prog-name ld",
    "--print-prog-name=as",
    "-print-file-name=libc.so",
    "--print-file-name libm.so",
    "-print-libgcc-file-name",
    "-print-resource-dir",
    "-print-runtime-dir",
    "-print-targets",
    "-print-target-triple",
    "-print-effective-triple",
    "-print-multi-lib",
    "-print-multi-directory",
    "-print-multi-os-directory",
    "-print-sysroot",
    "-print-supported-cpus -target amdgcn-amd-amdhsa",
    "-target x86_64-pc-linux-gnu -mcpu=help",
    "--autocomplete=-fsyn",
    "-cc1 -version",
    "-cc1 -fsyntax-only c.c",
    "-cc1as -help",
    "-Wl,--version",
    "-Wl,--version main.c",
    "-Wl,-v main.c -o main",
    "-c",
    "-o",
    "-x",
    "-x c",
    "-Xclang",
    "-no-such-option",
    "-no-such-option -c c.c",
    "--no-such-option -fsyntax-only c.c",
    "no-such-file",
    "-c no-such-file.c",
    "no-such-file.o",
    "@no-such-file",
    "@words.rsp",
    "@nested.rsp",
    "@query.rsp",
    "-",
    "-c -",
    "-E",
    "-M",
    "-E -dM -",
    "-E -dM - -",
    "-fsyntax-only --",
    "-c -- c.c",
    "-c c.c -o /no/such/directory/c.o",
    "-c c.c cpp.cc -o both.o",
    "-c c.c cpp.cc",
    "main.c -lno-such-library",
    "main.c -o main",
    "main.c c.c -o main",
    "-shared -fPIC c.c -o libc.so",
    "-r c.c -o c.o",
    "-flto -c c.c",
    "-Werror -Wall -c warn.c",
    "-Wall -c warn.c -lm",
    "-Werror -c c.c -lm -Lx -Wl,-x",
    "-MD -c c.c",
    "-MMD -MP -MF c.dep -MT target -c c.c",
    "-MJ c.json -c c.c",
    "-save-temps -c c.c",
    "-ftime-report -fsyntax-only no-such-file.c",
    "-fopenmp -fsyntax-only c.c",
    "-emit-ast c.c",
    "-rewrite-objc no-such-file.m",
    "--analyze c.c",
    "-module-file-info no-such-file.pcm",
    "-x c++-header own.h -o own.h.pch",
];

/// Where the compiler stops.
const STOPS: &[&str] =
    &["-E", "-E -P", "-E -dM", "-M", "-MM", "-MM -MG -MP", "-fsyntax-only -Wall", "-S -o -", "-c -v", "-c -###"];

/// What it is given: nothing of it is HIP, for clang.
const INPUTS: &[&str] = &[
    "c.c",
    "warn.c",
    "bad.c",
    "cpp.cc",
    "asm.s",
    "pre.S",
    "ir.ll",
    "pre.i",
    "no-such-file.c",
    "-x c -",
    "-x c++ -",
    "-x assembler -",
    "-x c plain.hip",
    "-x c /dev/null",
];

/// HIP sources without markers, where clang makes no code for the device.
const HIP: &[&str] = &[
    "-M plain.hip",
    "-MM plain.hip",
    "-MM -MG -MP -MT t plain.hip",
    "-M bad.hip",
    "-fsyntax-only plain.hip",
    "-fsyntax-only -Wall -Wextra warn.hip",
    "-fsyntax-only -Wall -Werror warn.hip",
    "-fsyntax-only -Weverything -Werror plain.hip",
    "-fsyntax-only bad.hip",
    "-fsyntax-only no-such-file.hip",
    "-fsyntax-only --cuda-host-only plain.hip",
    "-fsyntax-only --cuda-device-only --offload-arch=gfx942,gfx1100 warn.hip -Wall",
    "-### -c plain.hip",
    "-### plain.hip -o x",
    "-### --cuda-device-only --offload-arch=gfx942 plain.hip",
    "-ccc-print-phases plain.hip",
    "-ccc-print-bindings -c plain.hip",
    "-fdriver-only -c plain.hip",
    "-M --offload-new-driver -save-temps --offload-arch=gfx942 plain.hip",
    "-fsyntax-only --offload-new-driver -save-temps --offload-arch=gfx942 warn.hip -Wall",
    "-fsyntax-only --offload-new-driver -foffload-lto=thin --offload-arch=gfx942 plain.hip",
    "-M --offload-arch=amdgcnspirv plain.hip",
    "-E -dM -x hip /dev/null",
    "-E -x hip -",
    "-E -dM -x hip -",
    "-fsyntax-only -x hip -",
    "-M -x hip -",
    "-x hip --version",
    "plain.hip -print-search-dirs",
    "-dumpmachine -c plain.hip",
];

/// What hipcc is asked. It takes most C++ files for HIP.
const HIPCC: &[&str] = &[
    "--version",
    "--short-version",
    "--cxxflags",
    "--ldflags",
    "-dumpversion",
    "-print-search-dirs",
    "-print-prog-name=ld",
    "-v",
    "-V",
    "-qversion",
    "-c c.c",
    "-c warn.c -Wall -Werror",
    "-c bad.c",
    "-E c.c",
    "-E -dM -x c /dev/null",
    "-E -dM -x c -",
    "-E -x c++ -",
    "-E -x hip -",
    "-fsyntax-only c.c",
    "-fsyntax-only -x c++ cpp.cc",
    "-S -o - c.c",
    "-c asm.s",
    "-c pre.S",
    "-M c.c",
    "-MM -x c++ cpp.cc",
    "-c no-such-file.c",
    "-no-such-option -c c.c",
    "-c c.c -o c.o -MD -MF c.d",
    "@query.rsp",
    "-M plain.hip --offload-arch=gfx942",
    "-fsyntax-only plain.hip --offload-arch=gfx942 -nogpuinc -nogpulib",
    "-fsyntax-only bad.hip --offload-arch=gfx942 -nogpuinc -nogpulib",
    "-### -c plain.hip --offload-arch=gfx942 -nogpulib",
];

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: Option<i32>,
    stdout: String,
    stderr: String,
    /// Each file that is new.
    files: BTreeMap<OsString, Vec<u8>>,
}

/// The names of temporary files hold six random digits.
fn settled(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut settled = String::new();
    let mut rest = &*text;
    while let Some(at) = rest.find('-') {
        let (head, tail) = rest.split_at(at + 1);
        settled += head;
        let is_random = tail.len() > 6 && tail.as_bytes()[..6].iter().all(u8::is_ascii_hexdigit);
        rest = if is_random && tail[6..].starts_with('.') { &tail[6..] } else { tail };
    }
    settled + rest
}

struct Probe {
    directory: tempfile::TempDir,
    compiler: PathBuf,
    plugin: PathBuf,
}

impl Probe {
    fn new(compiler: &Path, plugin: &Path) -> Probe {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in FILES {
            fs_err::write(directory.path().join(name), text).unwrap();
        }
        Probe { directory, compiler: compiler.to_owned(), plugin: plugin.to_owned() }
    }

    fn ask(&self, program: &Path, line: &str) -> Answer {
        let mut command = Command::new(program);
        command.args(shlex::split(line).unwrap()).current_dir(self.directory.path()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", self.directory.path()).env("TMPDIR", std::env::temp_dir());
        command.env("SQTT_HIPCC", &self.compiler).env("SQTT_PLUGIN", &self.plugin);
        // Compiles that are instrumented are warned of it, and get a hint.
        command.env("SQTT_NO_SUCH_SETTING", "1").env("SQTT_SCOPE_CU", "3");
        command.env("SQTT_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe-cache"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Most calls read nothing of it.
        _ = child.stdin.take().unwrap().write_all(STDIN.as_bytes());
        let output = child.wait_with_output().unwrap();
        let mut files = BTreeMap::new();
        for entry in fs_err::read_dir(self.directory.path()).unwrap() {
            let entry = entry.unwrap();
            if !FILES.iter().any(|(name, _)| entry.file_name() == *name) && entry.path().is_file() {
                files.insert(entry.file_name(), fs_err::read(entry.path()).unwrap());
                fs_err::remove_file(entry.path()).unwrap();
            }
        }
        let (stdout, stderr) = (settled(&output.stdout), settled(&output.stderr));
        Answer { status: output.status.code(), stdout, stderr, files }
    }

    /// The lines that are answered in another way through the driver.
    fn differing(&self, lines: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut differing = Vec::new();
        for line in lines {
            let bare = self.ask(&self.compiler, &line);
            let ours = self.ask(Path::new(env!("CARGO_BIN_EXE_sqtt-hipcc")), &line);
            if bare != ours {
                let shown = |answer: &Answer| {
                    let files: Vec<_> = answer.files.iter().map(|(name, bytes)| (name, bytes.len())).collect();
                    let Answer { status, stdout, stderr, .. } = answer;
                    format!("status {status:?}, files {files:?}\n{stdout:.1000}\n--\n{stderr:.1000}")
                };
                differing.push(format!("{line}\n== compiler: {}\n== driver: {}", shown(&bare), shown(&ours)));
            }
        }
        differing
    }
}

fn strings(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn clang_answers(major: u32) {
    let llvm = Llvm::new(major);
    let probe = Probe::new(&llvm.program("clang++"), llvm.plugin().unwrap());
    let products = STOPS.iter().flat_map(|stop| INPUTS.iter().map(move |input| format!("{stop} {input}")));
    let hip = HIP.iter().map(|line| format!("-nogpuinc -nogpulib {line}"));
    let lines: Vec<String> = strings(QUESTIONS).into_iter().chain(products).chain(hip).collect();
    assert!(lines.len() > 240, "{}", lines.len());
    let differing = probe.differing(lines);
    assert!(differing.is_empty(), "LLVM {major}: {}\n{}", differing.len(), differing.join("\n\n"));
}

#[test]
fn clang_19_answers_as_without_the_driver() {
    clang_answers(19);
}

#[test]
fn clang_22_answers_as_without_the_driver() {
    clang_answers(22);
}

#[test]
fn hipcc_answers_as_without_the_driver() {
    let llvm = Llvm::new(22);
    let probe = Probe::new(&hipcc(&llvm), llvm.plugin().unwrap());
    let differing = probe.differing(strings(HIPCC));
    assert!(differing.is_empty(), "{}\n{}", differing.len(), differing.join("\n\n"));
}

/// A dependency scan or a check waits for no plugin to be built, and does not fail where it cannot be.
#[test]
fn what_only_reads_hip_needs_no_plugin() {
    let llvm = Llvm::new(22);
    let probe = Probe::new(&llvm.program("clang++"), Path::new("/no/such/plugin.so"));
    let lines =
        ["-M plain.hip", "-MM plain.hip", "-fsyntax-only warn.hip", "-fsyntax-only bad.hip", "--analyze plain.hip"];
    let differing = probe.differing(lines.map(|line| format!("-nogpuinc -nogpulib {line}")));
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
    let compile = probe.ask(Path::new(env!("CARGO_BIN_EXE_sqtt-hipcc")), "-nogpuinc -nogpulib -c plain.hip");
    assert_eq!(compile.status, Some(125), "{compile:?}");
}

/// What the comparison is for: it sees a word more.
#[test]
fn a_driver_that_said_something_would_be_found() {
    let llvm = Llvm::new(22);
    let probe = Probe::new(&llvm.program("clang++"), llvm.plugin().unwrap());
    let line = "-E -nogpuinc -nogpulib plain.hip";
    let differing = probe.differing([line.to_owned()]);
    assert_eq!(differing.len(), 1, "preprocessed HIP holds the settings, for compiler caches: {differing:?}");
    assert!(probe.differing(["-E c.c".to_owned()]).is_empty());
}
