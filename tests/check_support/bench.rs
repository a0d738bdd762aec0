//! A trace of waves of a compiled kernel, with something done to some of them, and the commands that read it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sqtt_hipcc::machine::Entry;

use super::{Scope, run};
use crate::machine_support::llvm::Llvm;
use crate::machine_support::{Machine, hip, output_of};

/// Loops, a call, a point and a data marker.
pub const SOURCE: &str = "#include \"device.h\"\n\
    NOINLINE u32 helper(volatile u32 *p, u32 x, u32 n) {\n\
      enter(\"helper\");\n\
      for (u32 i = 0; i < n; i++) { enter(\"step\"); x = x * 5u + p[i]; leave(\"step\"); }\n\
      leave(\"helper\");\n\
      return x;\n\
    }\n\
    KERNEL void tile(volatile u32 *p, u32 n) {\n\
      enter(\"all\");\n\
      u32 v = helper(p, p[lane()], n);\n\
      point(\"half\");\n\
      __sqtt_named_marker_data(\"word\", v);\n\
      p[lane()] = v;\n\
      leave(\"all\");\n\
    }\n";

/// Seeds of waves that run the loop of [`SOURCE`].
pub const WAVES: [u64; 3] = [1, 2, 4];

/// The records of a wave: cycles and words.
pub type Words = Vec<(i64, u32)>;

/// Something that happens to the records of a wave: which wave, and what is left of its records.
pub type Harm = fn(usize, &mut Words);

/// A trace in the making.
pub struct Bench {
    pub llvm: Llvm,
    pub directory: tempfile::TempDir,
    pub machine: Machine,
    pub code_object: Vec<u8>,
}

impl Bench {
    pub fn new(source: &str) -> Bench {
        Bench::with_scope(source, "0x3")
    }

    pub fn with_scope(source: &str, mask: &str) -> Bench {
        let (llvm, directory) = (Llvm::new(22), tempfile::tempdir().unwrap());
        let code_object = compile(&llvm, directory.path(), source, mask);
        let machine = Machine::read(&llvm, &code_object);
        Bench { llvm, directory, machine, code_object }
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().join("ui_output_agent_1_dispatch_1")
    }

    /// Waves in slots of their own, after `harm`; each begins at its 1000s and traces every 10 cycles.
    pub fn trace(&self, waves: &[u64], with_ends: bool, mut harm: impl FnMut(usize, &mut Words)) -> Vec<Vec<u32>> {
        let functions = &self.machine.program.functions;
        let kernel = functions.iter().position(|function| function.entry == Entry::Kernel).unwrap();
        let (mut records, mut occupancy, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, seed) in waves.iter().enumerate() {
            let traced = run(&self.machine.program, kernel, Scope::Inside, *seed).unwrap();
            assert!(traced.ended && traced.words.len() > 6);
            let begin = 1000 * (i64::try_from(slot).unwrap() + 1);
            let mut words: Words = (1..).map(|n| begin + 10 * n).zip(traced.words.iter().copied()).collect();
            let end = words.last().unwrap().0 + 10;
            all.push(traced.words);
            harm(slot, &mut words);
            records.extend(words.iter().map(|(cycles, value)| json!([cycles, value, 1, 2, slot, 0])));
            occupancy.push(json!([begin, 1, 2, slot, 1, 5]));
            occupancy.extend(with_ends.then(|| json!([end, 1, 2, slot, 0, 5])));
        }
        self.put(&records, &occupancy, &functions[kernel].name);
        self.put_code_object(&self.code_object);
        all
    }

    /// Writes records and occupancy of shader engine 0, whose kernel 5 has the name `kernel`.
    pub fn put(&self, records: &[Value], occupancy: &[Value], kernel: &str) {
        let path = self.path();
        fs_err::create_dir_all(&path).unwrap();
        let put = |name: &str, value: Value| fs_err::write(path.join(name), value.to_string()).unwrap();
        put("shaderdata_0_0.json", json!({ "records": records }));
        put("occupancy.json", json!({ "0": occupancy, "dispatches": { "5": kernel } }));
    }

    pub fn put_code_object(&self, bytes: &[u8]) {
        fs_err::write(self.directory.path().join("1_gfx1100_code_object_id_1.out"), bytes).unwrap();
    }

    /// Status, standard output and standard error of `sqtt check`.
    pub fn check(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        self.sqtt("check", arguments)
    }

    /// The same of another command that looks at machine code.
    pub fn sqtt(&self, command: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.arg(command).arg("--objdump").arg(self.llvm.program("llvm-objdump")).args(arguments);
        let output = sqtt.arg("ui_output_agent_1_dispatch_1").current_dir(self.directory.path()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.check(&["--json"]).1).unwrap()
    }
}

pub fn compile(llvm: &Llvm, directory: &Path, source: &str, mask: &str) -> Vec<u8> {
    compile_for(llvm, directory, source, "gfx1100", &[("SQTT_SCOPE_CU", mask)])
}

/// The code object of `source` for `gpu`, compiled with these variables of the plugin.
pub fn compile_for(llvm: &Llvm, directory: &Path, source: &str, gpu: &str, variables: &[(&str, &str)]) -> Vec<u8> {
    fs_err::write(directory.join("source.hip"), source).unwrap();
    let plugin = format!("-fpass-plugin={}", llvm.plugin().unwrap().display());
    let mut clang = hip(llvm, gpu, directory);
    clang.args(["-O2", &plugin]).envs(variables.iter().copied()).arg(directory.join("source.hip"));
    output_of(&mut clang, &directory.join("source.co")).unwrap()
}
