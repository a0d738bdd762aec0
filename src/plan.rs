//! (Invocation, Config, toolchain facts) -> Plan; pure: it starts nothing, reads nothing and writes nothing.

mod show;

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use sqtt_contract::settings::Validation;
use sqtt_contract::variables::{DRIVER_ACTIVE, ENABLED_MACRO, LINKS_LATER};

pub use show::show;

use crate::config::Config;
use crate::invocation::flags::Stage;
use crate::invocation::{Answer, Invocation, Output, Reading, Work, predict};
use crate::run::Change;
use crate::toolchain::Compiler;

/// Where the pass plugin comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginSource {
    /// The user names a file; where.
    Given {
        /// Absolute.
        path: PathBuf,
        /// The source of the setting.
        origin: String,
    },
    /// It is in the cache.
    Cached {
        /// Absolute.
        path: PathBuf,
        /// Version of the LLVM that it is for.
        llvm: String,
    },
    /// The user has the compiler load a marker plugin, so that none is injected; where.
    Users {
        /// Absolute.
        path: PathBuf,
        /// What loads it: an option or a variable.
        origin: String,
    },
    /// None: the call only reads its sources.
    Unneeded,
    /// It is not in the cache and is built before the compiler runs; a plan that is only printed leaves it so.
    ToBuild {
        /// Version of the LLVM that it will be for.
        llvm: String,
    },
}

/// What is injected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// The pass plugin.
    pub plugin: PluginSource,
    /// The directory of the device headers, absolute; `None` when the plugin is the user's.
    pub headers: Option<PathBuf>,
    /// A header whose text changes when the settings or the plugin do, absolute; `None` when the plugin is the user's,
    /// or not built yet.
    pub stamp: Option<PathBuf>,
}

/// Directories that clang looks for headers of C++ in, behind those of its command line. Symbols are named after the words
/// of the command line, so what is compiled there is what the bare compiler makes.
pub const INCLUDE_PATH: &str = "CPLUS_INCLUDE_PATH";

/// What a call gets that is switched off, but would be instrumented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Off {
    /// The value of [`INCLUDE_PATH`] with the directory of the device headers: sources that include them compile without
    /// markers, too.
    pub include_path: Option<OsString>,
    /// What is included for the sake of a compiler cache, absolute.
    pub stamp: Option<PathBuf>,
}

/// What was found out about the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The real compiler.
    pub compiler: &'a Compiler,
    /// What the compiler is started through: a program, absolute, and its own words; usually nothing.
    pub through: &'a [OsString],
    /// What to inject; `None` unless the call is instrumented.
    pub tools: Option<&'a Tools>,
    /// What a call gets that is switched off.
    pub off: Option<&'a Off>,
    /// The compilers that outer runs of the driver are waiting for, as they left it in the environment.
    pub outer: Option<&'a OsStr>,
}

/// All that is done for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What is started, absolute: the compiler, or what it is started through.
    pub program: PathBuf,
    /// The call itself names the compiler.
    pub launched: bool,
    /// What is done, and why.
    pub answer: Answer,
    /// Where the plugin comes from, when the call is instrumented.
    pub plugin: Option<PluginSource>,
    /// The words that are put right after `argv[0]`; without instrumentation empty, or what changes no code.
    pub block: Vec<OsString>,
    /// argv without `argv[0]`: the compiler if it is started through another program, the block, then the words as
    /// typed without ours.
    pub arguments: Vec<OsString>,
    /// Changes to the environment.
    pub environment: Vec<Change>,
    /// Files to validate afterwards.
    pub outputs: Vec<Output>,
    /// What a failed validation does.
    pub validation: Validation,
    /// What is said before the compiler runs, one line each.
    pub notes: Vec<String>,
}

impl Plan {
    /// Whether the compiler gets our block and its outputs are looked at; else it replaces us.
    pub fn instruments(&self) -> bool {
        matches!(self.answer, Answer::Instrument(_))
    }

    /// Which GPUs the compiler compiles for is not known after all: outputs are not asked for code for each.
    pub fn forget_targets(&mut self) {
        self.outputs.iter_mut().for_each(|output| output.targets.clear());
    }
}

/// Decides all that is done for a call.
pub fn plan(invocation: &Invocation, reading: &Reading, answer: Answer, config: &Config, facts: &Facts<'_>) -> Plan {
    let (mut block, mut outputs) = (Vec::new(), Vec::new());
    let mut environment = vec![(DRIVER_ACTIVE.into(), Some(chain(facts.outer, &facts.compiler.path)))];
    if let (Answer::Instrument(work), Some(tools)) = (&answer, facts.tools) {
        block = injected(work, tools);
        environment.extend(settings(config));
        environment.push((LINKS_LATER.into(), work.is_linked.then(|| "1".into())));
        if config.validation() != Validation::Off {
            outputs = predict(reading);
        }
    } else if let Some(off) = facts.off {
        environment.extend(off.include_path.as_ref().map(|path| (INCLUDE_PATH.into(), Some(path.clone()))));
        block.extend(off.stamp.as_deref().map(|stamp| joined("-include", stamp)));
    }
    // argv with argv[0].
    let mut words: VecDeque<OsString> = facts.through.iter().cloned().collect();
    words.push_back(facts.compiler.path.clone().into());
    words.extend(block.iter().chain(&invocation.forwarded).cloned());
    Plan {
        launched: invocation.launch.is_some(),
        program: words.pop_front().unwrap_or_default().into(),
        answer,
        plugin: facts.tools.map(|tools| tools.plugin.clone()),
        arguments: words.into(),
        block,
        environment,
        outputs,
        validation: config.validation(),
        notes: facts.tools.and_then(|tools| note(tools, reading)).into_iter().collect(),
    }
}

/// What is said of a compile whose plugin is the user's.
fn note(tools: &Tools, reading: &Reading) -> Option<String> {
    let PluginSource::Users { path, origin } = &tools.plugin else { return None };
    let said = format!("`{origin}` loads the marker plugin `{}`, so sqtt-hipcc inserts nothing", path.display());
    (reading.stage > Stage::Check).then_some(said)
}

/// What stands for a file that is there only when the compiler runs.
const TO_BUILD: &str = "(built before the compiler runs)";

/// The block: no word without a dash, because hipcc takes every bare word for an input; and no option that the inputs leave
/// unused, because clang warns about it.
fn injected(work: &Work, tools: &Tools) -> Vec<OsString> {
    let plugin = match &tools.plugin {
        PluginSource::Users { .. } => return Vec::new(),
        PluginSource::Given { path, .. } | PluginSource::Cached { path, .. } => Some(path.as_path()),
        PluginSource::ToBuild { .. } => Some(Path::new(TO_BUILD)),
        PluginSource::Unneeded => None,
    };
    let mut block = Vec::new();
    if let (Some(plugin), false) = (plugin, work.inputs.is_empty()) {
        // Warnings of the plugin, and those of transformations that markers are in the way of, fail no -Werror build.
        block.extend([joined("-fpass-plugin=", plugin), "-Wno-error=pass-failed".into()]);
    }
    if let (Some(plugin), true) = (plugin, work.links) {
        block.extend(["-Xoffload-linker".into(), joined("--load-pass-plugin=", plugin)]);
    }
    if let (true, Some(headers)) = (work.preprocesses, &tools.headers) {
        block.extend([joined("-I", headers), format!("-D{ENABLED_MACRO}=1").into()]);
    }
    if work.cacheable {
        block.push(joined("-include", tools.stamp.as_deref().unwrap_or(Path::new(TO_BUILD))));
    }
    block
}

fn joined(option: &str, value: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(value);
    word
}

/// Every variable of the pass, set to its merged value or taken away: a variable that the user has exported must not
/// get around a flag or the default that the plan shows.
fn settings(config: &Config) -> impl Iterator<Item = Change> {
    config.plugin_variables().map(|(variable, value)| (variable.name.into(), value.map(OsStr::to_owned)))
}

/// What separates the compilers in the guard.
const SEPARATOR: u8 = b':';

/// The guard for the compiler `path`: the outer ones and it.
fn chain(outer: Option<&OsStr>, path: &Path) -> OsString {
    let mut chain = outer.filter(|outer| !outer.is_empty()).map_or_else(OsString::new, |outer| {
        let mut chain = outer.to_owned();
        chain.push(":");
        chain
    });
    chain.push(path);
    chain
}

/// Whether an outer run of the driver is waiting for this very compiler: it has called us, and would again for ever.
pub fn is_loop(outer: Option<&OsStr>, path: &Path) -> bool {
    let compilers = outer.map(OsStr::as_encoded_bytes).unwrap_or_default().split(|byte| *byte == SEPARATOR);
    compilers.into_iter().any(|compiler| compiler == path.as_os_str().as_encoded_bytes())
}
