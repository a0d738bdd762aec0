//! What the compiler makes, under the lint: everything that the pass instruments is clean at every level on every
//! target, and what is known to be wrong is found. See tests/README.md for the whole matrix.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::path::{Path, PathBuf};
use std::process::Command;

use machine_support::llvm::{self, Llvm};
use machine_support::{Machine, hip, output_of, rules};
use sqtt_contract::settings::Boundary;
use sqtt_hipcc::machine::{Finding, Rule, lint_against};

const GPUS: [&str; 10] =
    ["gfx906", "gfx1030", "gfx90a", "gfx1100", "gfx942", "gfx1201", "gfx908", "gfx1010", "gfx1150", "gfx1200"];
const GPUS_SINCE_22: [&str; 2] = ["gfx950", "gfx1250"];
const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

/// Settings that together switch on everything.
const SETTINGS: [&[(&str, &str)]; 4] = [
    &[
        ("SQTT_SCOPE_CU", "0x3"),
        ("SQTT_INSTRUMENT_FUNCTIONS", "1"),
        ("SQTT_INSTRUMENT_BARRIERS", "1"),
        ("SQTT_INSTRUMENT_MEMORY", "2:4"),
    ],
    &[("SQTT_SCOPE_CU", "-1"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_BARRIERS", "1")],
    &[
        ("SQTT_SCOPE_CU", "-1"),
        ("SQTT_SHADER_CLOCK_BITS", "12"),
        ("SQTT_MEM_BARRIER", "asm"),
        ("SQTT_INSTRUMENT_FUNCTIONS", "1"),
    ],
    &[("SQTT_SCOPE_WAVE", "0x5"), ("SQTT_MEM_BARRIER", "none"), ("SQTT_TRACE_ADDRESSES", "memory,lds")],
];

/// Sources whose lanes leave a scope apart, on purpose: exactly that is found.
const UNBALANCED: [&str; 2] = ["16_loops_divergence.hip", "exit_for_part_of_a_wave_warns.hip"];

/// Sources that trace numbers of their own which mean something else as markers. They can break any rule about words.
const NUMBERS: [&str; 5] = [
    "07_clock_gfx1201.hip",
    "constant.hip",
    "constants_with_the_high_bit.hip",
    "divergent_value.hip",
    // It also opens a scope and closes it under a name that is not known.
    "verified.hip",
];

/// Directories of sources that are no program on their own, or are unbalanced on purpose: `machine_units.rs` has those.
const LEFT_OUT: [&str; 2] = ["rdc", "balance"];

/// One program as it is compiled once.
struct Job<'a> {
    source: &'a Path,
    gpu: &'a str,
    level: &'a str,
    settings: &'a [(&'a str, &'a str)],
}

fn sources() -> Vec<PathBuf> {
    let tests = llvm::root().join("tests");
    let mut found = Vec::new();
    let mut pending = vec![tests.join("pass"), tests.join("cases"), llvm::root().join("examples")];
    while let Some(directory) = pending.pop() {
        for entry in fs_err::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !LEFT_OUT.iter().any(|name| path.ends_with(name)) {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "hip") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The whole matrix when `LINT_MATRIX` is `full`; else each source once, the rest in turn.
fn jobs<'a>(sources: &'a [PathBuf], gpus: &'a [&str]) -> Vec<Job<'a>> {
    let full = std::env::var_os("LINT_MATRIX").is_some_and(|value| value == "full");
    let mut jobs = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        for (at, gpu) in gpus.iter().enumerate() {
            for (turn, level) in LEVELS.iter().enumerate() {
                for (setting, settings) in SETTINGS.into_iter().enumerate() {
                    let here = index % gpus.len() == at && (index / 2) % LEVELS.len() == turn;
                    if full || (here && (index / 3) % SETTINGS.len() == setting) {
                        jobs.push(Job { source, gpu, level, settings });
                    }
                }
            }
        }
    }
    jobs
}

/// The code object of a job; `None` where the settings do not allow what the source does.
fn compile(job: &Job<'_>, llvm: &Llvm, directory: &Path) -> Option<Vec<u8>> {
    let mut command = if job.source.starts_with(llvm::root().join("examples")) {
        let mut hipcc = Command::new(machine_support::hipcc(llvm));
        hipcc.args(["--genco", "-DSQTT_ENABLED=1", "-w", &format!("--offload-arch={}", job.gpu)]);
        hipcc.arg(format!("-I{}", llvm::root().join("headers").display()));
        hipcc
    } else {
        hip(llvm, job.gpu, directory)
    };
    command.envs(job.settings.iter().copied()).arg(job.level).arg(job.source);
    let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
    plugin.push(llvm.plugin().unwrap());
    command.arg(plugin);
    let output = directory.join("job.co");
    let ran = command.arg("-o").arg(&output).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    // The clock beside a payload; a built-in function that the GPU does not have; a symbol that no linker takes.
    let is_refused = ["payload markers require", "needs target feature", "undefined version name"];
    match ran.status.success() {
        true => Some(fs_err::read(output).unwrap()),
        false if is_refused.iter().any(|reason| said.contains(reason)) => None,
        false => panic!("{}: {said}", job.name(llvm)),
    }
}

impl Job<'_> {
    fn name(&self, llvm: &Llvm) -> String {
        format!("{} {} {} LLVM {} {:?}", self.source.display(), self.gpu, self.level, llvm.major, self.settings)
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.source.ends_with(name))
    }

    /// What is wrong with what the lint says of it.
    fn complaint(&self, machine: &Machine) -> Option<String> {
        let mut report = machine.lint();
        let text = fs_err::read_to_string(self.source).unwrap();
        let has_numbers = ["number(", "ttracedata", "features.h", "uint32_t"].iter().any(|word| text.contains(word));
        if has_numbers {
            report.findings.retain(|finding| finding.rule != Rule::MarkerId);
        }
        let found = rules(&report);
        let fits = match (self.is_one_of(&UNBALANCED), self.is_one_of(&NUMBERS)) {
            (true, _) => found == [Rule::ScopeBalance],
            (_, true) => !found.contains(&Rule::PhantomMarker) && !found.contains(&Rule::M0Sequence),
            (false, false) => found.is_empty(),
        };
        let is_blind = report.unseen.functions + report.unseen.calls + report.unseen.paths + report.unseen.masks > 0;
        let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        (!fits || is_blind).then(|| format!("{:?}\n  {}", report.unseen, findings.join("\n  ")))
    }
}

fn whole_matrix_is_clean(major: u32) {
    let directory = tempfile::tempdir().unwrap();
    let (llvm, sources) = (Llvm::new(major), sources());
    let gpus: Vec<&str> = GPUS.into_iter().chain(GPUS_SINCE_22.into_iter().filter(|_| major >= 22)).collect();
    let jobs = jobs(&sources, &gpus);
    let (mut complaints, mut linted) = (Vec::new(), 0);
    for job in &jobs {
        let Some(bytes) = compile(job, &llvm, directory.path()) else { continue };
        linted += 1;
        let complaint = job.complaint(&Machine::read(&llvm, &bytes));
        complaints.extend(complaint.map(|complaint| format!("{}: {complaint}", job.name(&llvm))));
    }
    eprintln!("{linted} of {} programs", jobs.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(linted * 10 > jobs.len() * 9, "{linted} of {} programs compile", jobs.len());
}

#[test]
fn what_the_pass_makes_is_clean_with_llvm_19() {
    whole_matrix_is_clean(19);
}

#[test]
fn what_the_pass_makes_is_clean_with_llvm_22() {
    whole_matrix_is_clean(22);
}

/// Plain intrinsics: the backend drops the branch around a cheap block, and the wave traces for no lane.
#[test]
fn plain_intrinsics_in_a_cheap_divergent_block_are_phantoms() {
    const SOURCE: &str = "#include \"device.h\"\n\
        KERNEL void divergent(volatile u32 *p, u32 n) {\n\
          u32 v = p[lane()];\n\
          if (v > n) { number(12); v += 3; }\n\
          p[lane()] = v;\n\
        }\n\
        KERNEL void uniform(volatile u32 *p, u32 n) { if (n > 3) number(12); p[0] = n; }\n\
        KERNEL void straight(volatile u32 *p) { number(12); p[lane()] = 1; number(1); }\n";
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("plain.hip");
    fs_err::write(&source, SOURCE).unwrap();
    for (major, more) in [(19, &[][..]), (22, &GPUS_SINCE_22[..])] {
        let llvm = Llvm::new(major);
        for gpu in GPUS.iter().chain(more) {
            let bytes = output_of(
                hip(&llvm, gpu, directory.path()).arg("-O2").arg(&source),
                &directory.path().join("plain.co"),
            );
            let report = Machine::read(&llvm, &bytes.unwrap()).lint();
            let phantoms: Vec<&str> = report
                .findings
                .iter()
                .filter(|finding| finding.rule == Rule::PhantomMarker)
                .map(|finding| finding.function.as_str())
                .collect();
            assert_eq!(phantoms, ["_Z9divergentPVjj"], "{gpu} LLVM {major}: {:?}", report.findings);
        }
    }
}

/// Calls of the marker API that do nothing, for the same program without markers.
const NO_MARKERS: &str = "extern \"C\" {\n\
    __attribute__((device)) inline void __sqtt_named_marker_enter(const char *) {}\n\
    __attribute__((device)) inline void __sqtt_named_marker_exit(const char *) {}\n\
    __attribute__((device)) inline void __sqtt_named_marker_point(const char *) {}\n\
    }\n";

const LDS: &str = "#include \"device.h\"\n\
    KERNEL void tile(volatile u32 *p) {\n\
      SHARED u32 tile[64];\n\
      enter(\"all\");\n\
      tile[lane()] = p[lane()];\n\
      __builtin_amdgcn_s_sleep(1);\n\
      point(\"written\");\n\
      p[64] = 1;\n\
      __builtin_amdgcn_s_barrier();\n\
      p[lane()] = tile[lane() ^ 1];\n\
      leave(\"all\");\n\
    }\n";

/// A boundary as a wrong tag makes it: the fence orders global memory too.
const WIDE: &str = "#define enter(name) (__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"agent\"), (enter)(name))\n";

#[test]
fn boundaries_cost_what_they_may() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs_err::write(path("none.h"), NO_MARKERS).unwrap();
    fs_err::write(path("tile.hip"), LDS).unwrap();
    fs_err::write(path("wide.hip"), LDS.replacen('\n', &format!("\n{WIDE}"), 1)).unwrap();
    for llvm in llvm::MAJORS.map(Llvm::new) {
        for gpu in ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"] {
            let make = |source: &str, settings: &[(&str, &str)], arguments: &[&str]| {
                let mut clang = hip(&llvm, gpu, directory.path());
                clang.arg("-O2").args(arguments).envs(settings.iter().copied()).arg(path(source));
                Machine::read(&llvm, &output_of(&mut clang, &path("tile.co")).unwrap())
            };
            let plugin = format!("-fpass-plugin={}", llvm.plugin().unwrap().display());
            let plain = make("tile.hip", &[], &["-include", "none.h"]);
            for (boundary, name) in [(Boundary::Fence, "fence"), (Boundary::Asm, "asm"), (Boundary::None, "none")] {
                let marked = make("tile.hip", &[("SQTT_MEM_BARRIER", name), ("SQTT_SCOPE_CU", "-1")], &[&plugin]);
                let findings = lint_against(&marked.program, &plain.program, boundary);
                assert_eq!(findings, [], "{gpu} LLVM {} {name}", llvm.major);
            }
            let wide = make("wide.hip", &[("SQTT_SCOPE_CU", "-1"), ("SQTT_MEM_BARRIER", "none")], &[&plugin]);
            let found = lint_against(&wide.program, &plain.program, Boundary::None);
            let is_found = |found: &[Finding], rule| found.iter().any(|finding| finding.rule == rule);
            assert!(is_found(&found, Rule::CacheMaintenance), "{gpu} LLVM {}: {found:?}", llvm.major);
            // Waits of a fence where none is allowed.
            let fenced = make("tile.hip", &[("SQTT_SCOPE_CU", "-1")], &[&plugin]);
            let found = lint_against(&fenced.program, &plain.program, Boundary::Asm);
            // Where the fence costs something; on others there is nothing to wait for here.
            let costs = gpu == "gfx90a" || gpu == "gfx942";
            assert!(!costs || is_found(&found, Rule::ExtraWait), "{gpu} LLVM {}: {found:?}", llvm.major);
        }
    }
}
