//! The marker automaton against waves of compiled kernels: what a wave traces it accepts, and what was done to it is found.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod check_support;
mod machine_support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use check_support::random::Random;
use check_support::{Scope, Traced, headers, headers_at, run};
use machine_support::llvm::{self, Llvm};
use machine_support::{Machine, clang};
use sqtt_contract::marker::Marker;
use sqtt_contract::variables;
use sqtt_hipcc::machine::automaton::{Automaton, Change, Edges, Fault};
use sqtt_hipcc::machine::{Entry, flow};

const WHOLE: Edges = Edges { begin: true, end: true };
const GPUS: [&str; 5] = ["gfx942", "gfx1100", "gfx906", "gfx1201", "gfx1030"];
const LEVELS: [&str; 4] = ["-O2", "-O0", "-O3", "-O1"];
type Settings = &'static [(&'static str, &'static str)];
const SETTINGS: [Settings; 4] = [
    &[("SQTT_SCOPE_CU", "0x3"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_BARRIERS", "1")],
    &[("SQTT_SCOPE_CU", "-1"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_MEMORY", "2:4")],
    &[("SQTT_SCOPE_CU", "0x1"), ("SQTT_TRACE_ADDRESSES", "memory,lds")],
    &[("SQTT_SCOPE_WAVE", "0x5"), ("SQTT_SHADER_CLOCK_BITS", "12"), ("SQTT_INSTRUMENT_FUNCTIONS", "1")],
];

/// Sources whose scopes and markers are many; no numbers of the user's own, which can look like a payload's header.
fn sources() -> Vec<PathBuf> {
    let tests = llvm::root().join("tests");
    let mut found = Vec::new();
    for directory in [
        "pass/named",
        "pass/balance",
        "pass/functions",
        "pass/data",
        "pass/convergence",
        "pass/features",
        "pass/addresses",
        "cases",
    ] {
        for entry in fs_err::read_dir(tests.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "hip") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

struct Program {
    name: String,
    machine: Machine,
    kernels: Vec<Kernel>,
}

struct Kernel {
    name: String,
    automaton: Automaton,
    /// One for each seed; `None` where the wave could not be followed.
    waves: Vec<Option<Traced>>,
}

/// Waves of each kernel; every sixth is outside the scope filter.
const WAVES: u64 = 12;

/// A program as it is compiled.
struct Job {
    source: PathBuf,
    arguments: Vec<String>,
    settings: Vec<(String, String)>,
}

/// Each source once, the rest in turn; and programs that say themselves how they are compiled: those of the random tests
/// that failed once, and all in the directory that `AUTOMATON_PROGRAMS` names.
fn jobs(major: u32) -> Vec<Job> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let in_turn = sources().into_iter().enumerate().map(|(index, source)| Job {
        source,
        arguments: vec![format!("--offload-arch={}", GPUS[index % 5]), LEVELS[index / 2 % 4].to_owned()],
        settings: SETTINGS[index / 3 % 4].iter().map(owned).collect(),
    });
    let more = std::env::var_os("AUTOMATON_PROGRAMS").map(PathBuf::from);
    let directories = [llvm::root().join("tests/random/seeds")].into_iter().chain(more);
    let files = directories.flat_map(|directory| fs_err::read_dir(directory).unwrap());
    let mut seeds: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    in_turn.chain(seeds.into_iter().filter_map(|source| seed(source, major))).collect()
}

/// What the first lines of a program of the random tests say; nothing when it is for the other LLVM.
fn seed(source: PathBuf, major: u32) -> Option<Job> {
    let text = fs_err::read_to_string(&source).unwrap();
    let all = |key: &str| -> Vec<String> {
        let prefix = format!("// {key}: ");
        text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
    };
    let owned = |line: String| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = all("setting").into_iter().filter_map(owned).collect();
    let enabled = format!("-D{}=1", variables::ENABLED_MACRO);
    let flags = all("flags");
    let flags = flags.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned);
    let arguments = flags.chain([enabled]).collect();
    (all("llvm") == [major.to_string()]).then_some(Job { source, arguments, settings })
}

/// What the settings allow of all jobs.
fn compile(major: u32) -> Vec<Program> {
    let (llvm, directory) = (Llvm::new(major), tempfile::tempdir().unwrap());
    let plugin = format!("-fpass-plugin={}", llvm.plugin().unwrap().display());
    let mut found = Vec::new();
    for Job { source, arguments, settings } in jobs(major) {
        let output = directory.path().join("program.co");
        let mut clang = hip(&llvm, directory.path());
        clang.args(&arguments).arg(&plugin).envs(settings.iter().cloned()).arg(&source).arg("-o").arg(&output);
        if clang.output().unwrap().status.success() {
            let machine = Machine::read(&llvm, &fs_err::read(&output).unwrap());
            let name = format!("{} {arguments:?} LLVM {major} {settings:?}", source.display());
            found.push(Program { name, kernels: kernels(&machine), machine });
        }
    }
    found
}

/// clang for the device half of a HIP file.
fn hip(llvm: &Llvm, directory: &Path) -> Command {
    let mut clang = clang(llvm, directory);
    clang.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-w"]);
    for include in ["headers", "tests/pass/inputs", "tests/cases"] {
        clang.arg(format!("-I{}", llvm::root().join(include).display()));
    }
    clang
}

fn kernels(machine: &Machine) -> Vec<Kernel> {
    let Machine { program: code, map, .. } = machine;
    let flow = flow::analyse(code, map);
    let kernels = (0..code.functions.len()).filter(|index| code.functions[*index].entry == Entry::Kernel);
    let kernel = |index: usize| {
        let scope = |seed: u64| if seed % 6 == 5 { Scope::Outside } else { Scope::Inside };
        Kernel {
            name: code.functions[index].name.clone(),
            automaton: Automaton::build(code, map, &flow, index).unwrap(),
            waves: (0..WAVES).map(|seed| run(code, index, scope(seed), seed)).collect(),
        }
    };
    kernels.map(kernel).collect()
}

fn programs(major: u32) -> &'static [Program] {
    static COMPILED: [OnceLock<Vec<Program>>; 2] = [OnceLock::new(), OnceLock::new()];
    COMPILED[usize::from(major != 19)].get_or_init(|| compile(major))
}

fn all_kernels(major: u32) -> impl Iterator<Item = (&'static Program, &'static Kernel)> {
    programs(major).iter().flat_map(|program| program.kernels.iter().map(move |kernel| (program, kernel)))
}

/// Waves that traced something and came to their end, of kernels of which all is known.
fn whole_waves() -> impl Iterator<Item = (&'static Program, &'static Kernel, &'static Traced)> {
    let known = llvm::MAJORS.into_iter().flat_map(all_kernels);
    let known = known.filter(|(_, kernel)| kernel.automaton.is_certain());
    known.flat_map(|(program, kernel)| {
        let ended = kernel.waves.iter().flatten().filter(|wave| wave.ended && !wave.words.is_empty());
        ended.map(move |wave| (program, kernel, wave))
    })
}

fn every_wave_is_accepted(major: u32) {
    let (mut waves, mut cut, mut lost, mut complaints) = (0, 0, 0, Vec::new());
    for (program, kernel) in all_kernels(major) {
        lost += kernel.waves.iter().filter(|wave| wave.is_none()).count();
        for traced in kernel.waves.iter().flatten() {
            waves += 1;
            cut += usize::from(!traced.ended);
            let headers = headers(&traced.words, &program.machine.map);
            let judgement = kernel.automaton.judge(&headers, Edges { end: traced.ended, ..WHOLE });
            // Whatever part of it a trace holds.
            let (from, to) = (headers.len() / 3, headers.len() - headers.len() / 4);
            let part = kernel.automaton.judge(&headers[from..to], Edges { begin: false, end: false });
            if !judgement.conforms() || !part.conforms() {
                complaints.push(format!("{} {}: {judgement:?}\n {headers:?}", program.name, kernel.name));
                break;
            }
        }
    }
    eprintln!("LLVM {major}: {waves} waves, {cut} of them cut off, {lost} not followed");
    assert!(complaints.is_empty(), "{} false alarms:\n{}", complaints.len(), complaints.join("\n"));
    assert!(waves > 1000 && lost * 20 < waves && cut * 5 < waves, "{waves} waves, {cut} cut off, {lost} not followed");
}

#[test]
fn every_wave_is_accepted_with_llvm_19() {
    every_wave_is_accepted(19);
}

#[test]
fn every_wave_is_accepted_with_llvm_22() {
    every_wave_is_accepted(22);
}

/// What is done to the headers of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    Drop,
    Duplicate,
    Swap,
    Corrupt,
    Cut,
}

impl Harm {
    const ALL: [Harm; 5] = [Harm::Drop, Harm::Duplicate, Harm::Swap, Harm::Corrupt, Harm::Cut];

    /// The headers with one harm at index `at`, and by how many changes that can be undone; `None` when nothing changes.
    fn apply(self, headers: &[Marker], at: usize, random: &mut Random, ids: &[u32]) -> Option<(Vec<Marker>, usize)> {
        let mut harmed = headers.to_vec();
        let changes = match self {
            Harm::Drop => {
                harmed.remove(at);
                1
            }
            Harm::Duplicate => {
                harmed.insert(at, headers[at]);
                1
            }
            Harm::Swap => {
                harmed.swap(at, (at + 1) % headers.len());
                2
            }
            Harm::Corrupt => {
                let [enter, exit] = [random.below(2) == 0, random.below(2) == 0];
                harmed[at] = Marker { id: ids[random.below(ids.len())], enter, exit };
                1
            }
            Harm::Cut => {
                // Nothing at all is what a wave outside of the filter traces.
                harmed.truncate(at.max(1));
                headers.len() - at
            }
        };
        (harmed != headers).then_some((harmed, changes))
    }
}

/// How many harms of a kind there were, how many were found, and of how many the explanation is what was done.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    done: usize,
    found: usize,
    fewest: usize,
    exact: usize,
}

impl Rate {
    fn percent(part: usize, all: usize) -> usize {
        part * 100 / all.max(1)
    }
}

/// Harms one header of a wave and looks at what is said of it. The least number of faults never exceeds what was done.
fn harm(program: &Program, kernel: &Kernel, headers: &[Marker], harm: Harm, random: &mut Random, rate: &mut Rate) {
    let at = random.below(headers.len());
    let ids: Vec<u32> = program.machine.map.rows().filter_map(|row| row.marker_id()).chain([0, 999]).collect();
    let Some((harmed, changes)) = harm.apply(headers, at, random, &ids) else { return };
    let judgement = kernel.automaton.judge(&harmed, WHOLE);
    assert!(judgement.at_least <= changes, "{harm:?} at {at}, {}: {judgement:?}", program.name);
    rate.done += 1;
    if judgement.conforms() {
        return;
    }
    rate.found += 1;
    // More than 32 changes in one place are not explained.
    assert!(judgement.is_explained || changes > 32, "{harm:?} at {at}, {}", program.name);
    rate.fewest += usize::from(judgement.faults.len() <= changes);
    let exact = match (harm, judgement.faults.as_slice()) {
        (Harm::Drop, [Fault { at: found, change: Change::Lost(node) }]) => {
            *found == at && kernel.automaton.nodes()[*node].headers.iter().any(|header| header.matches(headers[at]))
        }
        (Harm::Duplicate, [Fault { change: Change::Extra, at: found }]) => *found == at || *found == at + 1,
        (Harm::Swap, [first, second]) => first.at >= at && second.at <= at + 2,
        (Harm::Corrupt, [Fault { change: Change::Changed(_), at: found }]) => *found == at,
        (Harm::Cut, [first, ..]) => first.at == at.max(1),
        _ => false,
    };
    rate.exact += usize::from(exact);
}

/// Per cent of each kind that are found at least, as tests/README.md reports it. What is not found is something that
/// another path traces.
const FOUND: [usize; 5] = [85, 90, 95, 95, 80];

#[test]
fn what_was_done_to_a_wave_is_found() {
    let mut rates = [Rate::default(); Harm::ALL.len()];
    let mut random = Random::new(5);
    for (program, kernel, traced) in whole_waves() {
        let headers = headers(&traced.words, &program.machine.map);
        for (kind, rate) in Harm::ALL.into_iter().zip(&mut rates).filter(|_| headers.len() > 1) {
            harm(program, kernel, &headers, kind, &mut random, rate);
        }
    }
    for (kind, Rate { done, found, fewest, exact }) in Harm::ALL.into_iter().zip(rates) {
        let (of_done, of_found) = (Rate::percent(found, done), [fewest, exact].map(|part| Rate::percent(part, found)));
        eprintln!(
            "{kind:?}: {done} done, {of_done} % found; {} % fewest changes, {} % exact",
            of_found[0], of_found[1]
        );
    }
    for ((kind, least), Rate { done, found, fewest, .. }) in Harm::ALL.into_iter().zip(FOUND).zip(rates) {
        assert!(done > 500 && Rate::percent(found, done) >= least, "{kind:?}: {found} of {done}");
        assert!(Rate::percent(fewest, found) >= 99, "{kind:?}: {fewest} of {found}");
    }
}

/// A record that is lost inside of a payload shifts what follows it: the reader takes the next header for data, or the
/// payload is too short.
#[test]
fn a_record_lost_inside_of_a_payload_is_found() {
    let (mut done, mut found) = (0, 0);
    let mut random = Random::new(6);
    for (program, kernel, traced) in whole_waves() {
        let map = &program.machine.map;
        let places: Vec<usize> = headers_at(&traced.words, map).into_iter().map(|(at, _)| at).collect();
        let inside: Vec<usize> = (0..traced.words.len()).filter(|at| !places.contains(at)).collect();
        if inside.is_empty() {
            continue;
        }
        let mut words = traced.words.clone();
        words.remove(inside[random.below(inside.len())]);
        let headers = headers_at(&words, map);
        let (last, marker) = headers[headers.len() - 1];
        let is_short = words.len() - last - 1 < usize::try_from(map.index().payload_count(marker.id)).unwrap();
        let headers: Vec<Marker> = headers.into_iter().map(|(_, marker)| marker).collect();
        done += 1;
        found += usize::from(is_short || !kernel.automaton.judge(&headers, WHOLE).conforms());
    }
    eprintln!("payload: {done} done, {found} found");
    assert!(done > 100 && found * 100 >= done * 95, "{found} of {done}");
}
