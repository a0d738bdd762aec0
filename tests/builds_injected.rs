//! Nothing is injected that the inputs leave unused, and nothing at all where the user loads a marker plugin.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;
#[path = "fixtures/driver/support.rs"]
mod support;

use std::ffi::OsString;
use std::path::Path;

use llvm::{Llvm, releases, success};
use support::{Fake, stderr};

const HIP: &str =
    "__attribute__((device)) int f(int x);\n__attribute__((device, used)) int f(int x) { return x + 1; }\n";
const IR: &str = "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @f() {\n  ret i32 1\n}\n";

/// One source of every kind, and an object.
fn sources(directory: &Path) {
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).expect("the directory is writable");
    write("a.hip", HIP);
    write("a.hipi", HIP);
    write("a.c", "int c(void);\nint c(void) { return 1; }\n");
    write("a.s", "nop\n");
    write("a.S", "#define N nop\nN\n");
    write("a.ll", IR);
    write("a.ii", "int i() { return 1; }\n");
}

/// The driver in front of that LLVM's own clang.
fn clang(llvm: &Llvm, directory: &Path) -> std::process::Command {
    let mut driver = real::driver(Path::new(llvm.tool("clang++").get_program()));
    driver.current_dir(directory);
    driver
}

#[test]
fn no_input_makes_clang_warn_about_what_is_injected() {
    let strict = ["-Werror", "-Wall", "-Wextra", "-Wno-deprecated"];
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        sources(directory.path());
        success(llvm.tool("clang").current_dir(directory.path()).args(["-c", "a.c", "-o", "a.o"]));
        for line in [
            "-c a.hip",
            "-c a.hip -Weverything -Wno-c++98-compat",
            "-S a.hip -o text",
            "-E a.hip",
            "-M a.hip",
            "-fsyntax-only a.hip",
            "--cuda-device-only -c a.hipi",
            "--cuda-host-only -c a.hip",
            "-c a.c",
            "-c a.s",
            "-c a.S",
            "-c a.ll",
            "-x ir -c a.ll",
            "-c a.ii",
            "-c a.hip a.c a.s a.S a.ii",
            "-r a.o -o linked.o",
            "-x hip -c a.hip -x c a.c",
            "-emit-llvm --cuda-host-only -S a.hip -o text",
        ] {
            let no_libraries = match line {
                _ if line.contains(".hipi") => &["-nogpulib"][..],
                _ if line.contains(".hip") => &["-nogpulib", "-nogpuinc"],
                _ => &[],
            };
            let words = || strict.iter().chain(no_libraries).copied().chain(line.split(' '));
            let bare = success(llvm.tool("clang++").current_dir(directory.path()).args(words()));
            assert_eq!(stderr(&bare), "", "LLVM {}: {line} is no test", llvm.major);
            let output = success(clang(llvm, directory.path()).args(words()));
            // Another test may be building the plugin: that is said once, and is no warning of the compiler.
            let said = stderr(&output);
            let said: Vec<&str> = said.lines().filter(|line| !line.contains(": waiting for another process")).collect();
            assert!(said.is_empty(), "LLVM {}: {line}: {said:?}", llvm.major);
        }
    }
}

/// The words that reach the compiler, and what is said.
fn forwarded(fake: &Fake, words: &[&str], environment: &[(&str, &str)]) -> (Vec<OsString>, String) {
    let output = fake.driver().args(words).envs(environment.iter().copied()).output().expect("the driver starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (fake.records().remove(0).arguments().to_vec(), stderr(&output))
}

const APPEND: &str = "HIPCC_COMPILE_FLAGS_APPEND";

#[test]
fn the_users_marker_plugin_is_the_only_one_however_it_is_loaded() {
    let fake = Fake::hipcc();
    let write = |name: &str, text: &[u8]| std::fs::write(fake.work().join(name), text).expect("it is writable");
    write("args", b"-O2 '-fpass-plugin=/opt/my dir/libsqtt-marker.so'");
    write("renamed.so", b"\0.sqtt_funcmap\0");
    let flag = "-fpass-plugin=";
    for (words, environment, plugin, origin) in [
        (&["-fpass-plugin=/opt/libsqtt-marker.so", "-c", "a.hip"][..], &[][..], "/opt/libsqtt-marker.so", flag),
        (&["-c", "a.hip", "-Xclang", "-fpass-plugin=/x/libSQTTplugin.so"], &[], "/x/libSQTTplugin.so", flag),
        (&["-Xarch_device", "-fpass-plugin=/x/sqtt.so", "-c", "a.hip"], &[], "/x/sqtt.so", flag),
        (&["-fgpu-rdc", "a.o", "-Xoffload-linker", "--load-pass-plugin=/x/sqtt.so"], &[], "/x/sqtt.so", flag),
        (&["-c", "@args", "a.hip"], &[], "/opt/my dir/libsqtt-marker.so", flag),
        (&["-c", "-fpass-plugin=renamed.so", "a.hip"], &[], "renamed.so", flag),
        (&["-c", "a.hip"], &[(APPEND, "-O1 -fpass-plugin='/x y/sqtt.so'")], "/x y/sqtt.so", APPEND),
        (&["a.hip"], &[("HIPCC_LINK_FLAGS_APPEND", "-fpass-plugin=/sqtt.so")], "/sqtt.so", "HIPCC_LINK_FLAGS_APPEND"),
    ] {
        let (reached, said) = forwarded(&fake, words, environment);
        assert_eq!(reached, words.iter().map(OsString::from).collect::<Vec<_>>());
        let plugin = fake.work().join(plugin);
        let note = format!("sqtt-hipcc: note: `{origin}` loads the marker plugin `{}`, so", plugin.display());
        assert!(said.starts_with(&note) && said.lines().count() == 1, "{said}");
    }
    // What compiles nothing has nothing to be told.
    assert_eq!(forwarded(&fake, &["-E", "-fpass-plugin=/sqtt.so", "a.hip"], &[]).1, "");
}

#[test]
fn another_pass_plugin_is_no_reason_to_inject_nothing() {
    let fake = Fake::hipcc();
    std::fs::write(fake.work().join("other.so"), "no map").expect("the directory is writable");
    let ours = |words: &[&str], environment: &[(&str, &str)]| {
        let (reached, said) = forwarded(&fake, words, environment);
        assert_eq!(said, "");
        reached[0].to_string_lossy().ends_with("/plugin.so")
    };
    assert!(ours(&["-c", "a.hip", "-fpass-plugin=other.so"], &[]));
    assert!(ours(&["-c", "a.hip", "-fpass-plugin=missing.so"], &[]));
    assert!(ours(&["-c", "a.hip", "-D", "-fpass-plugin=sqtt.so"], &[]));
    // hipcc adds these only where it links.
    assert!(ours(&["-c", "a.hip"], &[("HIPCC_LINK_FLAGS_APPEND", "-fpass-plugin=/sqtt.so")]));
    // clang does not read hipcc's variables.
    let clang = Fake::named("clang++");
    let (reached, _) = forwarded(&clang, &["-c", "a.hip"], &[(APPEND, "-fpass-plugin=/sqtt.so")]);
    assert!(reached[0].to_string_lossy().starts_with("-fpass-plugin="));
}

#[test]
fn what_the_users_plugin_makes_is_validated() {
    let fake = Fake::hipcc();
    let mut driver = fake.driver();
    driver.env("FAKE_SHELL", "printf '\\177ELF' > a.o").args(["-c", "a.hip", "-fpass-plugin=/sqtt.so"]);
    let output = driver.output().expect("the driver starts");
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
    assert!(!fake.work().join("a.o").exists());
}

/// A kernel that compiles without HIP's headers.
const KERNEL: &str = "struct dim3 { unsigned x, y, z; };\n\
    extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);\n\
    #include \"markers.hpp\"\n\
    __attribute__((global)) void k(int *p) { sqtt_marker_enter(\"load\"); *p = 1; sqtt_marker_exit(\"load\"); }\n";

/// With two plugins there would be two markers of each.
#[test]
fn a_real_plugin_on_the_command_line_marks_once() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        std::fs::write(directory.path().join("k.hip"), KERNEL).expect("the directory is writable");
        let compile = |words: &[String]| {
            let mut driver = clang(llvm, directory.path());
            success(
                driver
                    .args(["--offload-arch=gfx942", "-nogpulib", "-nogpuinc", "-c", "k.hip", "-o", "k.o"])
                    .args(words),
            );
            real::map(llvm, &directory.path().join("k.o"), "gfx942")
        };
        let ours = compile(&[]);
        let plan = success(clang(llvm, directory.path()).args(["--sqtt-print-plan", "-c", "k.hip"]));
        let plan = String::from_utf8(plan.stdout).expect("the plan is UTF-8");
        let inserted = plan.split_once("inserted after argv[0]:\n").expect("the plan has a block").1;
        let words = shlex::split(inserted.split_once("\nchanges").expect("the block ends").0).expect("it is quoted");
        assert!(words[0].starts_with("-fpass-plugin="), "{words:?}");
        let without_stamp = words.iter().filter(|word| !word.starts_with("-include")).cloned().collect::<Vec<_>>();
        assert_eq!(compile(&without_stamp), ours, "LLVM {}", llvm.major);
    }
}
