//! Builds to compare, of one source with the pass plugin or of assembly by hand. Not a test itself.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(unreachable_pub, reason = "the module of one test program")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::machine_support::assembly::{Gpu, Kernel};
use crate::machine_support::llvm::{Llvm, MAJORS};
use crate::machine_support::{clang, hip, output_of};

/// A kernel with a scope around its load, or around its store, and with more of them where macros say so.
pub const SOURCE: &str = r#"#include "device.h"
NOINLINE u32 mixed(u32 x) {
  for (int i = 0; i < 9; ++i) x = (x ^ (x >> 3)) * 0x9e3779b1u + (x << 7) - (x % 11);
  return x;
}
SHARED u32 shared[64];
extern "C" KERNEL void k(volatile u32 *p, u32 n) {
#ifndef MOVED
  enter("work");
#endif
  u32 x = p[lane()];
#ifndef MOVED
  leave("work");
#endif
#ifdef MORE
  enter("mix");
#endif
  x = mixed(x);
#ifdef MORE
  leave("mix");
#endif
  shared[lane()] = x;
#if defined(INSIDE)
  for (u32 i = 0; i < n; ++i) { point("turn"); p[i] = shared[i]; }
#else
  point("turn");
  for (u32 i = 0; i < n; ++i) p[i] = shared[i];
#endif
#ifdef MOVED
  enter("work");
#endif
  p[lane() + 64] = x;
#ifdef MOVED
  leave("work");
#endif
}
"#;

pub struct Workshop {
    pub llvm: Llvm,
    directory: tempfile::TempDir,
}

impl Workshop {
    pub fn new(major: u32) -> Workshop {
        Workshop { llvm: Llvm::new(major), directory: tempfile::tempdir().unwrap() }
    }

    /// One of each LLVM.
    pub fn each() -> [Workshop; 2] {
        MAJORS.map(Workshop::new)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// [`SOURCE`] with the plugin to `name`.
    pub fn build(&self, name: &str, gpu: &str, settings: &[(&str, &str)], flags: &[&str]) -> PathBuf {
        let source = self.path("k.hip");
        fs_err::write(&source, SOURCE).unwrap();
        self.compile(&source, name, gpu, settings, flags).unwrap()
    }

    /// `source` with the plugin to `name`; `None` where the compiler refuses it.
    pub fn compile(
        &self,
        source: &Path,
        name: &str,
        gpu: &str,
        settings: &[(&str, &str)],
        flags: &[&str],
    ) -> Option<PathBuf> {
        let mut command = hip(&self.llvm, gpu, self.directory.path());
        let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
        plugin.push(self.llvm.plugin().unwrap());
        command.envs(settings.iter().copied()).args(["-O2", "-gline-tables-only"]).args(flags).arg(plugin).arg(source);
        output_of(&mut command, &self.path(name))?;
        Some(self.path(name))
    }

    /// A program of these kernels and map, written by hand, to `name`.
    pub fn assemble(&self, name: &str, gpu: Gpu, rows: &[&str], kernels: &[(&str, &str)]) -> PathBuf {
        let kernels: Vec<Kernel<'_>> =
            kernels.iter().map(|(name, body)| Kernel { name, body, functions: &[] }).collect();
        let source = self.path("program.s");
        fs_err::write(&source, gpu.program(rows, &kernels)).unwrap();
        let mut command = clang(&self.llvm, self.directory.path());
        command.args(["-target", "amdgcn-amd-amdhsa", &format!("-mcpu={}", gpu.name), "-x", "assembler"]).arg(&source);
        output_of(&mut command, &self.path(name)).unwrap();
        self.path(name)
    }

    /// What `sqtt diff` says, with the objdump of this LLVM.
    pub fn diff(&self, a: &Path, b: &Path, flags: &[&str]) -> (Option<i32>, String) {
        let mut objdump = std::ffi::OsString::from("--objdump=");
        objdump.push(self.llvm.program("llvm-objdump"));
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.arg("diff").arg(a).arg(b).args(flags);
        if !flags.contains(&"--maps-only") {
            sqtt.arg(objdump);
        }
        let output = sqtt.output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }

    /// The lines of changes, without the last one; that one apart.
    pub fn changes(&self, a: &Path, b: &Path, flags: &[&str]) -> (Option<i32>, Vec<String>, String) {
        let (status, text) = self.diff(a, b, flags);
        let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
        let summary = lines.pop().unwrap();
        let changes = ["added", "lost", "moved", "renumbered", "altered"];
        lines.retain(|line| changes.iter().any(|change| line.starts_with(&format!("{change} "))));
        (status, lines, summary)
    }
}

/// The start of each line up to its places.
pub fn heads(lines: &[String]) -> Vec<String> {
    let head = |line: &String| line.split(": ").next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    lines.iter().map(head).collect()
}
