//! Several units in one code object (`-fgpu-rdc`, device LTO), through the driver and a real hipcc.
#![allow(clippy::expect_used, reason = "a test whose preparation fails has failed")]

mod llvm;
mod real;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{Llvm, failure, releases, success};
use real::{bare, compile, driver, hipcc};
use sqtt_hipcc::code_object::{self, FileBytes};

const OLD: &str = "--no-offload-new-driver";
const NEW: &str = "--offload-new-driver";
const ARCHS: [&str; 2] = ["gfx942", "gfx1100"];

/// Calls the other unit's function; has a local function of the same name.
const MAIN: &str = r#"
#include <hip/hip_runtime.h>
#include "markers.hpp"
__device__ unsigned other(unsigned *p);
static __device__ __attribute__((noinline)) unsigned local(unsigned *p) { return p[1] * p[2] + 1; }
__global__ void first(unsigned *p) {
  sqtt_marker_enter("both");
  p[0] = other(p) + local(p);
  sqtt_marker_exit("both");
  sqtt_marker_point("one");
}
int main() { return 0; }
"#;
const OTHER: &str = r#"
#include <hip/hip_runtime.h>
#include "markers.hpp"
static __device__ __attribute__((noinline)) unsigned local(unsigned *p) { return p[3] * p[4] + 2; }
__device__ __attribute__((noinline)) unsigned other(unsigned *p) {
  sqtt_marker_enter("inside");
  unsigned value = p[0] * p[1] + local(p);
  sqtt_marker_exit("inside");
  return value;
}
__global__ void second(unsigned *p) {
  sqtt_marker_enter("both");
  p[0] = other(p);
  sqtt_marker_exit("both");
}
"#;

/// A directory with the two units.
struct Units {
    directory: tempfile::TempDir,
    llvm: Llvm,
    /// Options of every call.
    options: Vec<String>,
}

impl Units {
    fn new(llvm: Llvm, options: &[&str]) -> Units {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in [("main.hip", MAIN), ("other.hip", OTHER)] {
            std::fs::write(directory.path().join(name), text).expect("the temporary directory is writable");
        }
        Units { directory, llvm, options: options.iter().map(ToString::to_string).collect() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn call(&self, mut command: Command, arguments: &[&str]) -> Command {
        command.current_dir(self.directory.path()).args(ARCHS.map(|arch| format!("--offload-arch={arch}")));
        command.arg("--hipcc-func-supp").args(&self.options).args(arguments);
        command
    }

    /// The driver, which must succeed.
    fn driver(&self, arguments: &[&str]) {
        compile(&mut self.call(driver(&hipcc(&self.llvm)), arguments));
    }

    /// Compiles both units to objects.
    fn objects(&self) {
        self.driver(&["--sqtt-functions=1", "-c", "main.hip", "-o", "main.o"]);
        self.driver(&["--sqtt-functions=1", "-c", "other.hip", "-o", "other.o"]);
    }

    /// Fails unless `file` has one map per arch with what both units have, and no id twice.
    fn holds_both(&self, file: &str) {
        let maps = maps(&self.path(file));
        let context = format!("LLVM {} {:?} {file}: {maps:#?}", self.llvm.major, self.options);
        assert_eq!(maps.len(), ARCHS.len(), "{context}");
        for rows in &maps {
            let ids: Vec<&str> =
                rows.iter().filter(|row| !row.starts_with('K')).filter_map(|row| row.split(':').nth(1)).collect();
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{context}");
            let count =
                |kind: &str, name: &str| rows.iter().filter(|row| row.starts_with(kind) && row.ends_with(name)).count();
            for (kind, name, wanted) in [
                ("K:", ":_Z5firstPj", 1),
                ("K:", ":_Z6secondPj", 1),
                ("F:", ":_Z5otherPj", 1),
                ("F:", ":_ZL5localPj", 2),
                ("U:", ":both", 1),
                ("U:", ":inside", 1),
                ("P:", ":one", 1),
            ] {
                assert_eq!(count(kind, name), wanted, "{kind}{name}: {context}");
            }
        }
    }
}

/// The rows of each code object in `file`; each has one map.
fn maps(file: &Path) -> Vec<Vec<String>> {
    let bytes = FileBytes::open(file).expect("the file is there");
    let contents = code_object::read(bytes.bytes());
    let rows = contents.code_objects.iter().map(|code_object| {
        let map = code_object.funcmap().unwrap_or_else(|| panic!("{}: no map", file.display()));
        assert!(map.problems.is_empty() && map.terminated, "{}: {:?}", file.display(), map.problems);
        assert_eq!(map.maps.len(), 1, "{}: several maps", file.display());
        map.rows().map(ToString::to_string).collect()
    });
    rows.collect()
}

/// What links device code as it should.
fn tool_chains() -> Vec<(Llvm, &'static str)> {
    let [old, new] = releases();
    let again = || releases().into_iter().nth(1).expect("two releases");
    vec![(old, OLD), (new, OLD), (again(), NEW)]
}

/// One after the other, because the compiles are what takes long.
#[test]
fn units_link_to_one_map() {
    for (llvm, offload) in tool_chains() {
        let units = Units::new(llvm, &["-fgpu-rdc", offload]);
        units.objects();
        units.driver(&["--hip-link", "main.o", "other.o", "-o", "program"]);
        units.holds_both("program");
        success(&mut Command::new(units.path("program")));
        units.driver(&["-shared", "-fPIC", "main.o", "other.o", "-o", "library.so"]);
        units.holds_both("library.so");
        links_an_archive(&units);
        keeps_every_map_without_the_driver(&units);
        keeps_markers_beside_a_unit_without(&units);
    }
}

fn links_an_archive(units: &Units) {
    let mut archive = units.llvm.tool("llvm-ar");
    success(archive.current_dir(units.directory.path()).args(["rcs", "libother.a", "other.o"]));
    units.driver(&["main.o", "-L.", "-lother", "-o", "program"]);
    units.holds_both("program");
    success(&mut Command::new(units.path("program")));
}

/// A bare link still has the units' maps: not one, but none is lost.
fn keeps_every_map_without_the_driver(units: &Units) {
    success(&mut units.call(bare(&hipcc(&units.llvm)), &["main.o", "other.o", "-o", "program"]));
    let bytes = FileBytes::open(&units.path("program")).expect("the program is there");
    for code_object in code_object::read(bytes.bytes()).code_objects {
        assert_eq!(code_object.funcmap().expect("a map").maps.len(), 2);
    }
}

fn keeps_markers_beside_a_unit_without(units: &Units) {
    let headers = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/headers");
    success(&mut units.call(bare(&hipcc(&units.llvm)), &["-c", "other.hip", headers, "-o", "other.o"]));
    units.driver(&["main.o", "other.o", "-o", "program"]);
    for rows in maps(&units.path("program")) {
        assert!(rows.iter().any(|row| row == "K:_Z6secondPj"), "{rows:#?}");
        assert!(rows.iter().any(|row| row.ends_with(":one")), "{rows:#?}");
        assert!(!rows.iter().any(|row| row.ends_with(":inside")), "{rows:#?}");
    }
}

#[test]
fn sources_link_in_one_call() {
    for (llvm, offload) in tool_chains() {
        let units = Units::new(llvm, &["-fgpu-rdc", offload]);
        units.driver(&["--sqtt-functions=1", "main.hip", "other.hip", "-o", "program"]);
        units.holds_both("program");
    }
}

#[test]
fn temporary_files_change_nothing() {
    for (llvm, offload) in tool_chains().into_iter().filter(|(_, offload)| *offload == OLD) {
        let units = Units::new(llvm, &["-fgpu-rdc", offload, "--save-temps"]);
        units.objects();
        units.driver(&["main.o", "other.o", "-o", "program"]);
        units.holds_both("program");
    }
}

#[test]
fn device_lto_of_one_unit_has_one_map() {
    for (llvm, offload) in tool_chains() {
        let units = Units::new(llvm, &["-foffload-lto", offload]);
        std::fs::write(units.path("one.hip"), OTHER).expect("the temporary directory is writable");
        units.driver(&["--sqtt-functions=1", "-c", "one.hip", "-o", "one.o"]);
        for rows in maps(&units.path("one.o")) {
            assert_eq!(rows.iter().filter(|row| row.ends_with(":inside")).count(), 1, "{rows:#?}");
        }
    }
}

/// What the driver says of a call that must fail.
fn refused(units: &Units, arguments: &[&str]) -> String {
    failure(&mut units.call(driver(&hipcc(&units.llvm)), arguments))
}

#[test]
fn what_would_lose_markers_is_refused() {
    let [old, new] = releases();
    let units = Units::new(old, &["-fgpu-rdc", NEW]);
    units.objects();
    let said = refused(&units, &["main.o", "other.o", "-o", "program"]);
    assert!(said.contains("new offload driver of LLVM 19") && said.contains(OLD), "{said}");
    assert!(!units.path("program").exists());
    let units = Units::new(new, &[NEW]);
    for rdc in [&["-fgpu-rdc"][..], &[]] {
        let said = refused(&units, &[rdc, &["--save-temps", "-c", "main.hip", "-o", "main.o"]].concat());
        assert!(said.contains("--save-temps") && said.contains(OLD), "{said}");
    }
    let said = refused(&units, &["-foffload-lto=thin", "-c", "other.hip", "-o", "other.o"]);
    assert!(said.contains("-foffload-lto=full"), "{said}");
}
