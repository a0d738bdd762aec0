//! Compiles the source of a case with the plugin and reads the facts off the code object.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use sqtt_contract::funcmap;

use crate::disassembly;
use crate::facts::{Case, Facts};
use crate::llvm::Llvm;
use crate::process;

/// The file in the scratch directory that a case is compiled to.
pub(crate) const OBJECT: &str = "case.co";

/// What the plugin of `llvm` makes of `case`, whose source is in `sources`; files go to the empty directory `scratch`.
pub(crate) fn observe(case: &Case, llvm: &Llvm, sources: &Path, scratch: &Path) -> Result<Facts> {
    let object = scratch.join(OBJECT);
    let output = compile(case, llvm, sources, scratch, &object)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let ours = stderr.lines().filter(|line| line.to_lowercase().contains("sqtt: "));
    let mut facts = Facts {
        exit_ok: output.status.success(),
        messages: ours.map(str::to_owned).collect(),
        funcmap_trailing_nul: false,
        funcmap: Vec::new(),
        functions: Default::default(),
    };
    if !facts.exit_ok {
        ensure!(!facts.messages.is_empty(), "the compiler failed without a word of ours:\n{stderr}");
        return Ok(facts);
    }
    let map = section(llvm, scratch, &object)?;
    facts.funcmap_trailing_nul = map.ends_with("\n\0") && map.matches('\0').count() == 1;
    facts.funcmap = map.trim_end_matches('\0').lines().map(str::to_owned).collect();
    let mut objdump = process::command(&llvm.program("llvm-objdump"), &llvm.prefix.join("bin"), scratch);
    objdump.args(["-d", "--no-show-raw-insn", "--no-leading-addr"]).arg(&object);
    facts.functions = disassembly::markers(&text(&mut objdump)?);
    Ok(facts)
}

fn compile(case: &Case, llvm: &Llvm, sources: &Path, scratch: &Path, object: &Path) -> Result<Output> {
    let mut clang = process::command(&llvm.program("clang"), &llvm.prefix.join("bin"), scratch);
    if case.source.ends_with(".ll") {
        clang.args(["-target", "amdgcn-amd-amdhsa", &format!("-mcpu={}", case.arch), "-nogpulib", "-x", "ir"]);
    } else {
        clang.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-I."]);
        clang.arg(format!("--offload-arch={}", case.arch));
    }
    let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
    plugin.push(llvm.plugin()?);
    clang.current_dir(sources).envs(&case.env);
    clang.arg(&case.source).args(&case.flags).arg(plugin).arg("-o").arg(object);
    clang.output().context("cannot start clang")
}

/// The bytes of the map; empty when the code object has none.
fn section(llvm: &Llvm, scratch: &Path, object: &Path) -> Result<String> {
    let dump: PathBuf = scratch.join("funcmap");
    let mut objcopy = process::command(&llvm.program("llvm-objcopy"), &llvm.prefix.join("bin"), scratch);
    let mut option = std::ffi::OsString::from(format!("--dump-section={}=", funcmap::SECTION));
    option.push(&dump);
    // With a second operand, or objcopy writes the code object anew in place.
    let output =
        objcopy.arg(option).arg(object).arg(scratch.join("copy.co")).output().context("cannot start llvm-objcopy")?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(error.contains("not found"), "llvm-objcopy: {error}");
        return Ok(String::new());
    }
    Ok(fs_err::read_to_string(dump)?)
}

fn text(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}
