//! The examples, built as they say through the driver for a CDNA and an RDNA GPU: sound maps, clean machine code, and the
//! markers that each is there to show.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{Llvm, releases, success};
use real::{compile, driver, example, hipcc, map};

const ARCHS: [&str; 2] = ["gfx942", "gfx1201"];

/// What an example has to show in the map of each of its code objects: rows without their ids.
type Shows = &'static [&'static str];

const PROGRAMS: [(&str, Shows); 4] = [
    ("vector_add", &["K:_Z10vector_addPKfS0_Pfj", "U:load", "U:store", "P:loaded"]),
    ("reduction", &["F:_Z9block_sumPff", "F:_Z4sinef", "U:reduction", "U:gather", "U:step", "P:stride", "P:reduced"]),
    ("producer_consumer", &["U:pipeline", "U:produce", "U:consume", "U:mean", "U:store", "U:wait", "P:barrier"]),
    ("matrix_tile", &["U:tile", "U:load", "U:multiply", "U:store", "P:depth"]),
];

/// A row as [`Shows`] has it: without id and location.
fn bare(row: &str) -> String {
    let (letter, rest) = row.split_once(':').expect("a row has a letter");
    let rest = rest.split('@').next().unwrap_or(rest);
    let named = |rest: &str| rest.split_once(':').map_or(rest.to_owned(), |(_, name)| name.to_owned());
    format!("{letter}:{}", if letter == "K" { rest.to_owned() } else { named(rest) })
}

/// Every code object of `file` has those rows, and the checks of `sqtt verify` find nothing.
fn holds(llvm: &Llvm, file: &Path, shows: Shows) {
    for arch in ARCHS {
        let rows: Vec<String> = map(llvm, file, arch).iter().map(|row| bare(row)).collect();
        for row in shows {
            let count = rows.iter().filter(|other| other == row).count();
            assert_eq!(count, 1, "LLVM {} {arch} {}: `{row}` in {rows:#?}", llvm.major, file.display());
        }
    }
    is_clean(llvm, file);
}

fn is_clean(llvm: &Llvm, file: &Path) {
    let mut verify = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    for (name, value) in driver(&hipcc(llvm)).get_envs() {
        match value {
            Some(value) => verify.env(name, value),
            None => verify.env_remove(name),
        };
    }
    let said = text(&success(verify.args(["verify", "--strict"]).arg(file)).stdout);
    assert!(said.contains("2 code objects, 0 errors, 0 warnings"), "LLVM {} {}: {said}", llvm.major, file.display());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the host side says where there is no GPU.
fn says_no_device(program: &Path) {
    assert!(success(&mut Command::new(program)).stdout.starts_with(b"no device"), "{}", program.display());
}

/// The words after `sqtt-hipcc` on the line of an example that says how it is compiled, with our archs.
fn words(source: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(source).expect("the example is there");
    let line = source.lines().find_map(|line| line.strip_prefix("//   sqtt-hipcc "));
    let words = line.expect("the example says how it is compiled").split(' ');
    let flags = words.filter(|word| word.starts_with("--sqtt-")).map(str::to_owned);
    flags.chain(ARCHS.map(|arch| format!("--offload-arch={arch}"))).collect()
}

#[test]
fn programs_have_their_markers_and_pass_every_check() {
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, shows) in PROGRAMS {
            let (source, program) = (example(name).with_extension("hip"), directory.path().join(name));
            let mut driver = driver(&hipcc(llvm));
            driver.args(words(&source)).args(["-O2", "-g", "-Wall", "-Wextra", "-Werror"]);
            compile(driver.arg(&source).arg("-o").arg(&program));
            holds(llvm, &program, shows);
            says_no_device(&program);
        }
    }
}

#[test]
fn the_matrix_tile_has_the_matrix_instructions_of_its_gpu() {
    let matrix = [
        ("gfx942", "v_mfma_f32_16x16x4"),
        ("gfx1201", "v_wmma_f32_16x16x16_f16"),
        ("gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("gfx1030", ""),
    ];
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let output = directory.path().join("code_object");
        for (arch, instruction) in matrix {
            let mut driver = driver(&hipcc(llvm));
            driver.args(["-O2", "--cuda-device-only", "--no-gpu-bundle-output", &format!("--offload-arch={arch}")]);
            compile(driver.arg(example("matrix_tile.hip")).arg("-o").arg(&output));
            let code = llvm.instructions(&output);
            let found = code.iter().filter(|code| code.starts_with("v_wmma") || code.starts_with("v_mfma"));
            let found: Vec<&String> = found.collect();
            let is_right = |code: &&String| !instruction.is_empty() && code.starts_with(instruction);
            assert_eq!(found.is_empty(), instruction.is_empty(), "LLVM {} {arch}: {found:?}", llvm.major);
            assert!(found.iter().all(is_right), "LLVM {} {arch}: {found:?}", llvm.major);
        }
    }
}

/// A copy of the examples, to build projects in.
fn copied() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    copy(&example(""), directory.path());
    directory
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("the examples are there") {
        let path = entry.expect("the examples are readable").path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            std::fs::create_dir(&to).expect("the temporary directory is writable");
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("the temporary directory is writable");
        }
    }
}

/// `program` in `directory`, with the driver on PATH and that compiler behind it.
fn tool(program: impl AsRef<OsStr>, directory: &Path, llvm: &Llvm) -> Command {
    let mut command = Command::new(program);
    let hipcc = hipcc(llvm);
    for (name, value) in driver(&hipcc).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("PATH", real::path_with_driver()).env("ROCM_PATH", hipcc.ancestors().nth(2).unwrap_or(&hipcc));
    command.current_dir(directory);
    command
}

fn make(name: &str, llvm: &Llvm, directory: &Path) -> PathBuf {
    let directory = directory.join(name);
    success(tool("make", &directory, llvm).args(["CXX=sqtt-hipcc", "ARCHS=gfx942 gfx1201"]));
    directory.join("program")
}

#[test]
fn the_rdc_project_has_one_map_of_program_and_library() {
    for llvm in &releases() {
        let examples = copied();
        let program = make("rdc", llvm, examples.path());
        holds(llvm, &program, &["K:_Z6limitsPfj", "U:limits", "U:geometric"]);
        says_no_device(&program);
    }
}

#[test]
fn the_make_project_is_marked_by_its_settings_alone() {
    for llvm in &releases() {
        let examples = copied();
        let program = make("make", llvm, examples.path());
        holds(llvm, &program, &["K:_Z9blur_tilePKfPfj", "F:_Z7nearestPKfii", "P:barrier"]);
        says_no_device(&program);
    }
}

#[test]
fn the_cmake_project_builds_with_the_other_name_of_the_driver() {
    for llvm in &releases() {
        let (examples, prefix) = (copied(), tempfile::tempdir().expect("a temporary directory"));
        success(
            Command::new(env!("CARGO_BIN_EXE_sqtt")).args(["install", "--no-crates", "--prefix"]).arg(prefix.path()),
        );
        let directory = examples.path().join("cmake");
        let mut configure = tool("cmake", &directory, llvm);
        let compiler = prefix.path().join("bin/sqtt-clang++");
        configure.arg(format!("-DCMAKE_HIP_COMPILER={}", compiler.display()));
        success(configure.args(["-B", "build", "-DCMAKE_HIP_ARCHITECTURES=gfx942;gfx1201"]));
        success(tool("cmake", &directory, llvm).args(["--build", "build"]));
        let program = directory.join("build/program");
        holds(llvm, &program, &["K:_Z14transpose_tilePKfPfj", "U:read", "U:write"]);
        says_no_device(&program);
    }
}

#[test]
fn every_example_is_in_the_list_and_says_what_it_shows() {
    let list = std::fs::read_to_string(example("README.md")).expect("the list is there");
    let mut pending = vec![example("")];
    let mut projects = 0;
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).expect("the examples are readable") {
            let path = entry.expect("the examples are readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                projects += 1;
                assert!(list.contains(&format!("| `{name}/` |")), "`{name}` is not in the list");
                pending.push(path);
                continue;
            }
            let is_listed = path.parent() != Some(&example("")) || list.contains(&format!("`{name}`"));
            assert!(is_listed || name == "README.md", "`{name}` is not in the list");
            let first = std::fs::read_to_string(&path).expect("the example is text");
            let is_said = ["// ", "# "].iter().any(|comment| first.starts_with(comment));
            assert!(is_said, "{}: the first line does not say what it shows", path.display());
        }
    }
    let programs = PROGRAMS.iter().filter(|(name, _)| list.contains(&format!("| `{name}.hip` |"))).count();
    assert_eq!((programs, projects), (list.matches(".hip` |").count(), 3), "each is built by a test");
}

/// What the driver's `-I` leads to: every header that comes with it.
#[test]
fn all_headers_are_found_under_the_driver() {
    const SOURCE: &str = "#include <hip/hip_runtime.h>\n#include <amd_sqtt_marker/sqtt_marker.h>\n#include <markers.hpp>\n\
        #include <rocprof_trace_decoder/cxx/code_printing.hpp>\n#include <rocprof_trace_decoder/cxx/markers.hpp>\n\
        __global__ void kernel(unsigned *p) {\n  SQTT_SCOPE(\"scope\");\n  sqtt_marker_point_id(*p);\n  *p = 1;\n}\n\
        int main() { return static_cast<int>(rocprof_trace_decoder::codeobj::decode_marker_value(0).id); }\n";
    for llvm in &releases() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (source, program) = (directory.path().join("all.hip"), directory.path().join("all"));
        std::fs::write(&source, SOURCE).expect("the temporary directory is writable");
        let mut driver = driver(&hipcc(llvm));
        compile(driver.args(["-std=c++17", "--offload-arch=gfx942"]).arg(&source).arg("-o").arg(&program));
        assert!(map(llvm, &program, "gfx942").iter().any(|row| row == "U:1:scope"));
        success(&mut Command::new(&program));
    }
}
