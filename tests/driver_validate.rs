//! What happens to the outputs of an instrumented compile that cannot be decoded.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

#[path = "fixtures/driver/support.rs"]
mod driver_support;
mod llvm;

use driver_support::{Fake, stderr};

/// Bundles with one kernel each: without a map, the same compressed, and with a map.
struct Bundles {
    directory: tempfile::TempDir,
}

fn bundles() -> &'static Bundles {
    static MADE: OnceLock<Bundles> = OnceLock::new();
    MADE.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let kernel = "extern \"C\" __attribute__((global)) void k(int *p) { *p = 1; }\n";
        let map = "__attribute__((device, used, section(\".sqtt_funcmap\"))) const char map[] = \"K:k\\n\";\n";
        let sources = [
            ("bare", kernel.to_owned(), "--no-offload-compress"),
            ("packed", kernel.to_owned(), "--offload-compress"),
            ("mapped", format!("{kernel}{map}"), "--no-offload-compress"),
            ("host", "int main() { return 0; }\n".to_owned(), "--cuda-host-only"),
        ];
        for (name, source, compression) in sources {
            let file = directory.path().join(format!("{name}.hip"));
            std::fs::write(&file, source).unwrap();
            let mut clang = llvm::Llvm::find(22).tool("clang++");
            clang.args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "--offload-arch=gfx942", "-c"]);
            llvm::success(clang.arg(compression).arg(&file).arg("-o").arg(directory.path().join(name)));
        }
        Bundles { directory }
    })
}

impl Bundles {
    fn bare(&self) -> String {
        self.directory.path().join("bare").display().to_string()
    }

    fn packed(&self) -> String {
        self.directory.path().join("packed").display().to_string()
    }

    /// An object without device code.
    fn host(&self) -> String {
        self.directory.path().join("host").display().to_string()
    }

    fn mapped(&self) -> String {
        self.directory.path().join("mapped").display().to_string()
    }
}

fn run(fake: &Fake, script: &str, words: &[&str]) -> Output {
    let output = fake.driver().env("FAKE_SHELL", script).args(words).output().unwrap();
    assert_eq!(output.stdout, b"", "{words:?}");
    assert!(stderr(&output).lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{}", stderr(&output));
    output
}

fn exists(fake: &Fake, name: &str) -> bool {
    fake.work().join(name).exists()
}

#[test]
fn output_without_a_map_is_removed_and_the_call_fails() {
    let fake = Fake::hipcc();
    let output = run(&fake, &format!("cp {} a.o", bundles().bare()), &["-c", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o")), (Some(125), false));
    let text = stderr(&output);
    assert!(
        text.starts_with("sqtt-hipcc: error: a.o: ") && text.contains("gfx942") && text.contains("kernel `k`"),
        "{text}"
    );
    assert!(text.lines().last().unwrap().contains("--sqtt-validate=warn"), "{text}");
}

#[test]
fn compressed_output_without_a_map_is_removed_too() {
    let fake = Fake::hipcc();
    let output = run(&fake, &format!("cp {} a.o", bundles().packed()), &["-c", "--offload-compress", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o")), (Some(125), false));
    assert!(stderr(&output).contains("kernel `k`"), "{}", stderr(&output));
}

#[test]
fn output_with_a_map_is_left_in_silence() {
    let fake = Fake::hipcc();
    let output = run(&fake, &format!("cp {} a.o", bundles().mapped()), &["-c", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o"), stderr(&output)), (Some(0), true, String::new()));
}

/// The compiler drops one bundle of two: the mapped code object is for gfx942.
#[test]
fn output_without_code_for_a_target_that_was_asked_for_is_removed() {
    let fake = Fake::hipcc();
    let script = format!("cp {} a.o", bundles().mapped());
    for words in [
        &["--offload-arch=gfx942", "--offload-arch=gfx1100", "-c", "a.hip"][..],
        &["--offload-arch=gfx942,gfx1100", "-c", "a.hip"],
        &["--amdgpu-target=gfx1100", "--cuda-device-only", "a.hip", "-o", "a.o"],
    ] {
        let output = run(&fake, &script, words);
        assert_eq!((output.status.code(), exists(&fake, "a.o")), (Some(125), false), "{words:?}");
        let text = stderr(&output);
        assert!(text.starts_with("sqtt-hipcc: error: a.o: no code object for `gfx1100`"), "{text}");
        assert!(!text.contains("`gfx942`"), "{text}");
    }
}

#[test]
fn targets_that_were_not_asked_for_are_not_missed() {
    let fake = Fake::hipcc();
    let script = format!("cp {} a.o", bundles().mapped());
    for words in [
        &["-c", "a.hip"][..],
        &["--offload-arch=gfx942", "-c", "a.hip"],
        &["--offload-arch=native", "-c", "a.hip"],
        &["--offload-arch=gfx942", "--offload-arch=gfx1100", "--no-offload-arch=gfx1100", "-c", "a.hip"],
        &["--offload-arch=gfx1100", "--no-offload-arch=all", "-c", "a.hip"],
    ] {
        let output = run(&fake, &script, words);
        assert_eq!((output.status.code(), exists(&fake, "a.o"), stderr(&output)), (Some(0), true, String::new()));
    }
    // Defaults of hipcc, and what its variables take back.
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", &script).env("HCC_AMDGPU_TARGET", "gfx1100").args(["-c", "a.hip"]);
    assert_eq!(driver.output().unwrap().status.code(), Some(0));
    let mut driver = fake.driver();
    driver.env("HIPCC_COMPILE_FLAGS_APPEND", "-DX --no-offload-arch=gfx1100").env("FAKE_SHELL", &script);
    driver.args(["--offload-arch=gfx942,gfx1100", "-c", "a.hip"]);
    assert_eq!(driver.output().unwrap().status.code(), Some(0));
}

/// clang leaves device code out where there is no kernel to launch.
#[test]
fn host_code_alone_is_not_asked_for_targets_but_device_code_is() {
    let fake = Fake::hipcc();
    let script = format!("cp {} a.o", bundles().host());
    let output = run(&fake, &script, &["--offload-arch=gfx942", "-c", "a.hip"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let output = run(&fake, &script, &["--offload-arch=gfx942", "--cuda-device-only", "a.hip", "-o", "a.o"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr(&output).contains("no code object for `gfx942`"), "{}", stderr(&output));
}

/// Libraries and other objects may be the ones that have code, for other targets.
#[test]
fn missing_target_in_a_link_with_other_code_is_a_warning() {
    let fake = Fake::hipcc();
    let script = format!("cp {} a.out", bundles().mapped());
    for words in [["--offload-arch=gfx1100", "b.o", "a.hip"], ["--offload-arch=gfx1100", "a.hip", "-lb"]] {
        let output = run(&fake, &script, &words);
        assert_eq!((output.status.code(), exists(&fake, "a.out")), (Some(0), true), "{words:?}");
        assert!(stderr(&output).starts_with("sqtt-hipcc: warning: a.out: no code object for `gfx1100`"), "{words:?}");
    }
    let output = run(&fake, &script, &["--offload-arch=gfx1100", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.out")), (Some(125), false));
}

#[test]
fn every_output_of_the_call_is_removed() {
    let fake = Fake::hipcc();
    let script = format!("cp {} b.o; cp {} a.o", bundles().bare(), bundles().mapped());
    let output = run(&fake, &script, &["-c", "a.hip", "b.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o"), exists(&fake, "b.o")), (Some(125), false, false));
}

#[test]
fn warn_says_so_and_off_does_not_look() {
    let fake = Fake::hipcc();
    let script = format!("cp {} a.o", bundles().bare());
    let output = run(&fake, &script, &["--sqtt-validate=warn", "-c", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o")), (Some(0), true));
    assert!(stderr(&output).starts_with("sqtt-hipcc: warning: a.o: "), "{}", stderr(&output));
    let output = run(&fake, &script, &["--sqtt-validate=off", "-c", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o"), stderr(&output)), (Some(0), true, String::new()));
}

#[test]
fn failed_compile_is_not_looked_at() {
    let fake = Fake::hipcc();
    let output = run(&fake, &format!("cp {} a.o; exit 1", bundles().bare()), &["-c", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.o"), stderr(&output)), (Some(1), true, String::new()));
}

#[test]
fn calls_that_pass_through_are_not_looked_at() {
    let fake = Fake::hipcc();
    for words in [["-c", "a.c"], ["a.o", "-oa.o"], ["--sqtt-off", "a.hip"]] {
        let output = run(&fake, &format!("cp {0} a.o; cp {0} a.out", bundles().bare()), &words);
        assert_eq!((output.status.code(), exists(&fake, "a.o"), stderr(&output)), (Some(0), true, String::new()));
    }
}

/// Where the prediction is wrong (`-Wl,-o,x`) an old file may stand at the predicted place.
#[test]
fn file_that_the_compiler_did_not_write_is_not_touched() {
    let fake = Fake::hipcc();
    std::fs::copy(bundles().bare(), fake.work().join("a.out")).unwrap();
    let output = run(&fake, "true", &["a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.out"), stderr(&output)), (Some(0), true, String::new()));
    let output = run(&fake, &format!("cat {} > a.out", bundles().bare()), &["a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.out")), (Some(125), false), "written in place");
}

/// The code of another call may never have been instrumented.
#[test]
fn missing_map_in_a_link_with_other_objects_is_a_warning() {
    let fake = Fake::hipcc();
    let output = run(&fake, &format!("cp {} a.out", bundles().bare()), &["b.o", "a.hip"]);
    assert_eq!((output.status.code(), exists(&fake, "a.out")), (Some(0), true));
    assert!(stderr(&output).starts_with("sqtt-hipcc: warning: a.out: "), "{}", stderr(&output));
}

#[test]
fn only_regular_files_are_outputs() {
    let fake = Fake::hipcc();
    for name in ["/dev/null", "-", "directory"] {
        let script = format!("mkdir -p directory; cat {} > /dev/null", bundles().bare());
        let output = run(&fake, &script, &["-c", "a.hip", "-o", name]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{name}");
    }
    assert!(Path::new("/dev/null").exists() && exists(&fake, "directory"));
}

#[test]
fn names_of_outputs_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let fake = Fake::hipcc();
    let name = std::ffi::OsStr::from_bytes(b"out put\n\xff'\".o");
    let script = format!("for last; do :; done; cp {} \"$last\"", bundles().bare());
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", script);
    let output = driver.args(["-c", "a.hip", "-o"]).arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert_eq!(std::fs::read_dir(fake.work()).unwrap().count(), 0, "the output stays");
    assert!(stderr(&output).lines().all(|line| line.starts_with("sqtt-hipcc: ")), "{}", stderr(&output));
}
