//! From an example's source to Perfetto: compiled, its waves run, traced, drawn and imported. The trace is left where
//! `ci/pictures` makes the pictures of the documents from it.

#![allow(clippy::unwrap_used)]

mod check_support;
mod export_support;
mod machine_support;

use std::path::{Path, PathBuf};
use std::process::Command;

use check_support::random::Random;
use check_support::wave::Wave;
use check_support::{MOST_STEPS, Scope};
use export_support::imported::{Imported, Slice, imported};
use export_support::sqtt;
use machine_support::llvm::{self, Llvm};
use machine_support::{Machine, hipcc};
use serde_json::{Value, json};
use sqtt_contract::variables;
use sqtt_hipcc::machine::{Entry, Program};

/// Words of a wave, and after how many instructions it traced each; how many instructions it ran.
type Timed = (Vec<(i64, u32)>, i64);

/// The code object of `examples/reduction.hip`, compiled by the driver as its first lines say, for one GPU.
fn compile(llvm: &Llvm) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let mut driver = Command::new(env!("CARGO_BIN_EXE_sqtt-hipcc"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(variables::PREFIX)) {
        driver.env_remove(name);
    }
    // From the root, so that the map has the paths of the repository.
    driver.current_dir(llvm::root()).env(variables::HIPCC, hipcc(llvm)).env(variables::PLUGIN, llvm.plugin().unwrap());
    driver.args(["--sqtt-functions=10", "--sqtt-functions-exclude=__*", "-g", "-O3", "--offload-arch=gfx1100"]);
    driver.args(["--cuda-device-only", "--no-gpu-bundle-output", "-c", "examples/reduction.hip"]);
    machine_support::output_of(&mut driver, &directory.path().join("reduction.co")).unwrap()
}

/// Runs a wave of the kernel as [`check_support::run`] does, and counts. `None` when it runs for too long.
fn run(program: &Program, seed: u64) -> Option<Timed> {
    let kernel = program.functions.iter().find(|function| function.entry == Entry::Kernel).unwrap();
    let mut wave = Wave::new(kernel.address, kernel.wave_size, Scope::Inside, Random::new(seed));
    let mut times = Vec::new();
    for count in 1..=i64::try_from(MOST_STEPS).unwrap() {
        let index = program.functions.partition_point(|function| function.address <= wave.pc).checked_sub(1)?;
        let instructions = &program.functions[index].instructions;
        let at = instructions.binary_search_by_key(&wave.pc, |instruction| instruction.address).ok()?;
        if !wave.step(&instructions[at]) {
            return Some((times.into_iter().zip(wave.traced).collect(), count));
        }
        times.resize(wave.traced.len(), count);
    }
    None
}

/// Traces four waves on four SIMDs, each launched 16 instructions after the one before it; where the trace is.
fn trace() -> PathBuf {
    let (llvm, parent) = (Llvm::new(22), Path::new(env!("CARGO_TARGET_TMPDIR")).join("example_trace"));
    let path = parent.join("ui_output_agent_1_dispatch_1");
    fs_err::create_dir_all(&path).unwrap();
    let code_object = compile(&llvm);
    let program = Machine::read(&llvm, &code_object).program;
    let (mut records, mut occupancy) = (Vec::new(), Vec::new());
    let waves: Vec<Timed> = (0..100).filter_map(|seed| run(&program, seed)).take(4).collect();
    assert_eq!(waves.len(), 4);
    for (simd, (words, count)) in waves.iter().enumerate() {
        let begin = 16 * i64::try_from(simd).unwrap();
        occupancy.extend([json!([begin, 1, simd, 0, 1, 5]), json!([begin + count, 1, simd, 0, 0, 5])]);
        records
            .extend(words.iter().map(|(cycles, word)| (begin + cycles, json!([begin + cycles, word, 1, simd, 0, 0]))));
    }
    records.sort_by_key(|(cycles, _)| *cycles);
    let records: Vec<Value> = records.into_iter().map(|(_, record)| record).collect();
    let put = |name: &str, value: Value| fs_err::write(path.join(name), value.to_string()).unwrap();
    put("shaderdata_0_0.json", json!({ "records": records }));
    put("occupancy.json", json!({ "0": occupancy, "dispatches": { "5": "_Z9reductionPKfPfj" } }));
    fs_err::write(parent.join("1_gfx1100_code_object_id_1.out"), code_object).unwrap();
    parent
}

/// The slices of `tid` within `outer`, one level further in.
fn within<'a>(imported: &'a Imported, outer: &Slice) -> Vec<&'a Slice> {
    let is_inner = |slice: &&Slice| {
        slice.tid == outer.tid
            && slice.depth == outer.depth + 1
            && slice.ts >= outer.ts
            && slice.ts + slice.dur.unsigned_abs() <= outer.ts + outer.dur.unsigned_abs()
    };
    imported.slices.iter().filter(is_inner).collect()
}

fn names<'a>(slices: &[&'a Slice]) -> Vec<&'a str> {
    slices.iter().map(|slice| slice.name.as_str()).collect()
}

#[test]
fn the_scopes_of_an_example_are_nested_in_perfetto_as_in_its_source() {
    let trace = trace();
    let files = ["json", "pftrace"].map(|format| {
        let ended =
            sqtt(["perfetto", "--demangle", "--strict", &format!("--format={format}"), trace.to_str().unwrap()]);
        assert_eq!((ended.status, ended.messages.as_str()), (0, ""));
        PathBuf::from(ended.out.trim_end())
    });
    for imported in imported(&files) {
        assert_eq!((imported.errors.as_slice(), imported.threads.len()), (&[][..], 4));
        let kernels: Vec<&Slice> = imported.slices.iter().filter(|slice| slice.depth == 0).collect();
        assert_eq!(names(&kernels), ["reduction"; 4]);
        for kernel in kernels {
            let parts = within(&imported, kernel);
            assert_eq!(names(&parts), ["gather", "block_sum(float*, float)", "reduced"]);
            assert!(names(&within(&imported, parts[0])).iter().all(|name| *name == "sine(float)"));
            let steps = within(&imported, parts[1]);
            assert_eq!(names(&steps), ["step"; 8]);
            let strides: Vec<&str> = steps
                .iter()
                .flat_map(|step| within(&imported, step))
                .map(|stride| stride.arguments["payload[0]"].as_str())
                .collect();
            assert_eq!(strides, ["128", "64", "32", "16", "8", "4", "2", "1"]);
        }
    }
}
