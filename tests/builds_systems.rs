//! Real build systems around the driver: they build what they would with the compiler itself, with markers.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{Llvm, success};

const DRIVER: &str = env!("CARGO_BIN_EXE_sqtt-hipcc");

/// `program` in `directory`, with the driver on PATH and set to that compiler.
fn tool(program: &str, directory: &Path, compiler: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, value) in real::driver(compiler).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // Meson puts ccache in front of the compiler of C.
    command.current_dir(directory).env("PATH", real::path_with_driver()).env("CCACHE_DISABLE", "1");
    command
}

/// tests/project with the files for other build systems, in a directory of its own.
fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for source in ["tests/project", "tests/systems"] {
        for entry in std::fs::read_dir(Path::new(real::ROOT).join(source)).expect("the project is there") {
            let file = entry.expect("the project is readable");
            std::fs::copy(file.path(), directory.path().join(file.file_name())).expect("the directory is writable");
        }
    }
    directory
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program runs, and the map of the library's kernel is there.
fn works(llvm: &Llvm, build: &Path, library: &str) {
    let said = success(&mut Command::new(build.join("program"))).stdout;
    assert_eq!(text(&said), "project 1\n");
    let rows = real::map(llvm, &build.join(library), "gfx942");
    assert!(rows.iter().any(|row| row.starts_with("U:") && row.ends_with(":scale")), "{rows:#?}");
}

/// A unit without HIP's headers, which take most of a compile.
fn unit(number: usize) -> String {
    format!(
        "#include \"common.h\"\n#include \"markers.hpp\"\n\
         __attribute__((global)) void kernel_{number}(int *p) {{\n\
         sqtt_marker_enter(\"unit_{number}\"); *p = {number}; sqtt_marker_exit(\"unit_{number}\");\n}}\n"
    )
}

const COMMON: &str = "#pragma once\nstruct dim3 { unsigned x, y, z; };\n\
    extern \"C\" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);\n";

/// Writes that many units, `common.h`, and gives their names without extension.
fn units(directory: &Path, count: usize) -> Vec<String> {
    std::fs::write(directory.join("common.h"), COMMON).expect("the directory is writable");
    let write = |number: usize| {
        let name = format!("unit_{number}");
        std::fs::write(directory.join(&name).with_extension("hip"), unit(number)).expect("the directory is writable");
        name
    };
    (0..count).map(write).collect()
}

/// The named scopes in all maps of a file, as the reader prints them.
fn scopes(file: &Path) -> Vec<String> {
    let table = success(Command::new(env!("CARGO_BIN_EXE_sqtt")).arg("funcmap").arg(file)).stdout;
    let mut names: Vec<String> = text(&table)
        .lines()
        .filter(|line| line.trim_start().starts_with("user "))
        .filter_map(|line| line.split_whitespace().nth(3).map(str::to_owned))
        .collect();
    names.sort();
    names
}

fn wait_for_a_new_second() {
    std::thread::sleep(std::time::Duration::from_millis(1100));
}

fn clang(llvm: &Llvm) -> PathBuf {
    llvm.tool("clang++").get_program().into()
}

const MAKEFILE: &str = "\
CXXFLAGS = --offload-arch=gfx942 -nogpulib -nogpuinc -fPIC -MD -MP
all:
\t+$(MAKE) library.so
library.so: $(patsubst %.hip,%.o,$(wildcard *.hip))
\t$(CXX) -shared $^ -o $@
%.o: %.hip
\t$(CXX) $(CXXFLAGS) -c $< -o $@
-include *.d
";

/// make and a make below it share their jobs through inherited descriptors.
#[test]
fn a_library_of_two_hundred_units_builds_in_parallel() {
    let llvm = Llvm::find(22);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut names = units(directory.path(), 200);
    std::fs::write(directory.path().join("Makefile"), MAKEFILE).expect("the directory is writable");
    let make = || {
        let output = success(tool("make", directory.path(), &clang(&llvm)).args(["-j4", "CXX=sqtt-hipcc"]));
        assert_eq!(text(&output.stderr), "");
        text(&output.stdout)
    };
    make();
    names.sort();
    assert_eq!(scopes(&directory.path().join("library.so")), names);
    assert!(make().contains("is up to date"));
    wait_for_a_new_second();
    std::fs::write(directory.path().join("unit_7.hip"), unit(700)).expect("the directory is writable");
    assert_eq!(make().matches(" -c ").count(), 1);
    assert!(scopes(&directory.path().join("library.so")).contains(&"unit_700".to_owned()));
}

const NINJA: &str = "\
rule hip
  command = sqtt-hipcc --offload-arch=gfx942 -nogpulib -nogpuinc -fPIC -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule link
  command = sqtt-hipcc -shared @$out.rsp -o $out
  rspfile = $out.rsp
  rspfile_content = $in
";

#[test]
fn ninja_reads_the_dependencies_and_links_with_a_response_file() {
    let llvm = Llvm::find(22);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let names = units(directory.path(), 4);
    let mut rules = NINJA.to_owned();
    names.iter().for_each(|name| rules += &format!("build {name}.o: hip {name}.hip\n"));
    rules += &format!("build library.so: link {}\n", names.iter().map(|name| format!("{name}.o ")).collect::<String>());
    std::fs::write(directory.path().join("build.ninja"), rules).expect("the directory is writable");
    let ninja = || text(&success(&mut tool("ninja", directory.path(), &clang(&llvm))).stdout);
    assert!(ninja().contains("[5/5]"));
    assert_eq!(scopes(&directory.path().join("library.so")), names);
    assert!(ninja().contains("no work to do"));
    wait_for_a_new_second();
    std::fs::write(directory.path().join("common.h"), COMMON).expect("the directory is writable");
    assert!(ninja().contains("[5/5]"), "the header is a dependency");
}

/// cmake, its ROCm in ROCM_PATH, and what it says; `with` are definitions.
fn cmake(hipcc: &Path, directory: &Path, with: &[OsString]) -> String {
    let rocm = hipcc.ancestors().nth(2).expect("hipcc is in a bin");
    let mut cmake = tool("cmake", directory, hipcc);
    cmake.env("ROCM_PATH", rocm).args(["-S", ".", "-B", "build", "-DCMAKE_HIP_ARCHITECTURES=gfx942"]).args(with);
    let mut said = text(&success(&mut cmake).stdout);
    let mut build = tool("cmake", directory, hipcc);
    said += &text(&success(build.env("ROCM_PATH", rocm).args(["--build", "build", "--verbose"])).stdout);
    said
}

fn definition(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(format!("-D{name}="));
    word.push(value);
    word
}

#[test]
fn cmakes_hip_language_takes_the_driver_as_its_compiler() {
    let llvm = Llvm::find(22);
    let (directory, prefix) = (project(), tempfile::tempdir().expect("a temporary directory"));
    success(Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["install", "--no-crates", "--prefix"]).arg(prefix.path()));
    let with = [
        "-GNinja".into(),
        definition("CMAKE_HIP_COMPILER", prefix.path().join("bin/sqtt-clang++")),
        definition("CMAKE_CXX_COMPILER", DRIVER),
    ];
    let said = cmake(&real::hipcc(&llvm), directory.path(), &with);
    assert!(said.contains("The HIP compiler identification is Clang 22"), "{said}");
    let build = directory.path().join("build");
    works(&llvm, &build, "libscale.so");
    assert_eq!(std::fs::read_to_string(build.join("checks")).expect("cmake wrote it"), "1  1 \n");
    let again = cmake(&real::hipcc(&llvm), directory.path(), &[]);
    assert!(again.contains("no work to do"), "{again}");
}

#[test]
fn cmake_takes_the_driver_as_a_launcher() {
    let llvm = Llvm::find(22);
    let directory = project();
    let hipcc = real::hipcc(&llvm);
    let with = [
        definition("CMAKE_HIP_COMPILER", hipcc.ancestors().nth(2).expect("a prefix").join("lib/llvm/bin/clang++")),
        definition("CMAKE_HIP_COMPILER_LAUNCHER", format!("{DRIVER};--sqtt-launch")),
        definition("CMAKE_CXX_COMPILER_LAUNCHER", format!("{DRIVER};--sqtt-launch")),
        definition("CMAKE_C_COMPILER_LAUNCHER", format!("{DRIVER};--sqtt-launch")),
    ];
    let said = cmake(&hipcc, directory.path(), &with);
    assert!(said.contains("--sqtt-launch"), "{said}");
    works(&llvm, &directory.path().join("build"), "libscale.so");
}

/// A hipcc that runs `"$HIP_CLANG_LAUNCHER" "CLANG" ...`, as later ones do: the real one, whose clang is a script that
/// does so. (Debian's, 5.2.3, does not know the variable.)
fn launching_hipcc(hipcc: &Path, directory: &Path) -> PathBuf {
    let bin = hipcc.ancestors().nth(2).expect("a prefix").join("lib/llvm/bin");
    let launching = directory.join("launching");
    std::fs::create_dir(&launching).expect("the directory is writable");
    for entry in std::fs::read_dir(&bin).expect("the tool chain is there") {
        let program = entry.expect("the tool chain is readable").path();
        let link = launching.join(program.file_name().expect("a name"));
        std::os::unix::fs::symlink(&program, link).expect("the directory is writable");
    }
    let script = |path: &Path, text: &str| {
        // A process of its own writes it, so that it can be executed while another test forks.
        _ = std::fs::remove_file(path);
        let write = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
        success(Command::new("sh").args(["-c", write, "sh"]).arg(path).arg(text));
    };
    let clang = format!("#!/bin/sh\nexec \"$HIP_CLANG_LAUNCHER\" '{}' \"$@\"\n", bin.join("clang++").display());
    script(&launching.join("clang++-15"), &clang);
    let text = std::fs::read_to_string(hipcc).expect("it is a script");
    let path = directory.join("hipcc");
    script(&path, &text.replace(&bin.display().to_string(), &launching.display().to_string()));
    path
}

#[test]
fn hipcc_takes_the_driver_as_the_launcher_of_its_clang() {
    for llvm in &llvm::releases() {
        let (directory, prefix) = (project(), tempfile::tempdir().expect("a temporary directory"));
        success(Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["install", "--prefix"]).arg(prefix.path()));
        let hipcc = launching_hipcc(&real::hipcc(llvm), prefix.path());
        let mut compile = tool(hipcc.to_str().expect("the path is UTF-8"), directory.path(), &hipcc);
        compile.env_remove("SQTT_HIPCC").env("HIP_CLANG_LAUNCHER", prefix.path().join("bin/sqtt-launch"));
        success(compile.args(["--offload-arch=gfx942", "-c", "scale.hip", "-o", "scale.o"]));
        let rows = real::map(llvm, &directory.path().join("scale.o"), "gfx942");
        assert!(rows.iter().any(|row| row.starts_with("U:") && row.ends_with(":scale")), "{rows:#?}");
    }
}

#[test]
fn meson_sees_the_compiler_that_it_would_see_without_the_driver() {
    let llvm = Llvm::find(22);
    let hipcc = real::hipcc(&llvm);
    let directory = project();
    for name in ["main", "scale"] {
        let source = directory.path().join(name).with_extension("hip");
        std::fs::rename(&source, source.with_extension("cpp")).expect("it can be renamed");
    }
    let setup = |build: &str, compiler: &str| {
        let mut meson = tool("meson", directory.path(), &hipcc);
        meson.env("CXX", format!("{compiler} --offload-arch=gfx942")).args(["setup", build]);
        let said = text(&success(&mut meson).stdout).replace(compiler, "COMPILER");
        said.lines().filter(|line| !line.starts_with("Build dir")).map(str::to_owned).collect::<Vec<_>>()
    };
    let bare = setup("bare", hipcc.to_str().expect("the path is UTF-8"));
    assert!(bare.iter().any(|line| line.contains("COMPILER --offload-arch=gfx942 (clang ")), "{bare:#?}");
    assert_eq!(setup("build", "sqtt-hipcc"), bare);
    success(tool("ninja", directory.path(), &hipcc).args(["-C", "build"]));
    works(&llvm, &directory.path().join("build"), "libscale.so");
}

/// A real configure script, run with the bare compiler and with the driver: all answers are the same.
#[test]
fn a_configure_script_has_the_same_answers() {
    let llvm = Llvm::find(22);
    let hipcc = real::hipcc(&llvm);
    let directory = project();
    success(tool("autoheader", directory.path(), &hipcc).env("AUTOHEADER", "autoheader"));
    success(&mut tool("autoconf", directory.path(), &hipcc));
    let configure = |build: &str, compiler: &str| {
        let path = directory.path().join(build);
        std::fs::create_dir(&path).expect("the directory is writable");
        let mut script = tool("../configure", &path, &hipcc);
        let output = success(script.env("CXX", format!("{compiler} --offload-arch=gfx942")));
        let said = text(&output.stdout).replace(compiler, "COMPILER") + &text(&output.stderr);
        (said, std::fs::read_to_string(path.join("config.h")).expect("configure wrote it"))
    };
    let bare = configure("bare", hipcc.to_str().expect("the path is UTF-8"));
    assert!(bare.1.contains("#define HAVE_VECTOR 1") && bare.1.contains("#define SIZEOF_LONG 8"), "{}", bare.1);
    assert_eq!(configure("driver", "sqtt-hipcc"), bare);
}
