//! What is to be done with a call: instrument it, pass it through because ..., or it is no compilation.

use std::ffi::OsString;
use std::fmt;

use super::flags::Stage;
use super::language::Language;
use super::reading::Reading;

/// The three-way answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// HIP inputs are compiled, or preprocessed as for a compile: the compiler gets our block.
    Instrument(Work),
    /// A compilation that the compiler does without us.
    PassThrough(Reason),
    /// Not a compilation at all.
    NotACompilation(Purpose),
}

/// What of the call concerns the pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The HIP inputs as typed; none where device code is only linked.
    pub inputs: Vec<OsString>,
    /// One of them is preprocessed by this call: only then are `-I` and `-D` used, and no warning about unused ones.
    pub preprocesses: bool,
    /// Device code of several units becomes one code object in this call, where the pass gives it one map.
    pub links: bool,
    /// Such a link follows, in this call or in another.
    pub is_linked: bool,
    /// A compiler cache may keep what the call writes: preprocessed text of a HIP source, or what is made from it.
    pub cacheable: bool,
}

impl Work {
    /// No code is made of the sources, so that no pass runs: the names of included files are listed, or the sources are
    /// checked.
    pub fn only_reads(&self) -> bool {
        self.preprocesses && !self.cacheable
    }
}

/// Why a compilation is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Switched off; where that was said.
    Off(String),
    /// An outer run of the driver has already added what there is to add.
    Nested,
    /// The option stops the compiler before any machine code.
    Stops(&'static str),
    /// No input is HIP.
    NoHipInput,
    /// Only objects and libraries.
    OnlyLinks,
    /// The first word is clang's inner command line.
    Frontend(&'static str),
}

/// What a call that compiles nothing is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The compiler answers a question.
    Query(OsString),
    /// The compiler shows what it would do.
    DryRun(&'static str),
    /// There is no input.
    NoInput,
}

/// Circumstances outside the command line that decide before it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// Where instrumentation was switched off.
    pub off: Option<String>,
    /// An outer run of the driver is waiting for us.
    pub nested: bool,
}

/// The answer for a call.
pub fn classify(reading: &Reading, circumstances: &Circumstances) -> Answer {
    if let Some(flag) = reading.frontend {
        return Answer::PassThrough(Reason::Frontend(flag));
    }
    if let Some(flag) = &reading.query {
        return Answer::NotACompilation(Purpose::Query(flag.clone()));
    }
    if let Some(flag) = reading.dry_run {
        return Answer::NotACompilation(Purpose::DryRun(flag));
    }
    if reading.inputs.is_empty() {
        return Answer::NotACompilation(Purpose::NoInput);
    }
    if circumstances.nested {
        return Answer::PassThrough(Reason::Nested);
    }
    if let Some(origin) = &circumstances.off {
        return Answer::PassThrough(Reason::Off(origin.clone()));
    }
    let Some(flag) = reading.stop.filter(|_| reading.stage <= Stage::Check) else { return by_inputs(reading) };
    // A HIP file that is only preprocessed or checked needs the header and the macro of its compile: a dependency
    // scan fails without, and a compiler cache compares preprocessed text. A probe (standard input, `/dev/null`) is left alone.
    let is_probe = reading.inputs.iter().any(|input| input.text == "-" || input.text == "/dev/null");
    match by_inputs(reading) {
        Answer::Instrument(work) if work.preprocesses && !is_probe => Answer::Instrument(work),
        _ => Answer::PassThrough(Reason::Stops(flag)),
    }
}

fn by_inputs(reading: &Reading) -> Answer {
    let inputs: Vec<OsString> = reading.hip_inputs().map(|input| input.text.clone()).collect();
    let links = reading.links_device_code();
    if links || !inputs.is_empty() {
        let preprocesses = reading.hip_inputs().any(|input| input.language == Language::Hip);
        let cacheable = preprocesses && !matches!(reading.stage, Stage::Dependencies | Stage::Check);
        let is_linked = reading.device_code_is_linked();
        return Answer::Instrument(Work { inputs, preprocesses, links, is_linked, cacheable });
    }
    match reading.inputs.iter().all(|input| input.language == Language::Linker) {
        true => Answer::PassThrough(Reason::OnlyLinks),
        false => Answer::PassThrough(Reason::NoHipInput),
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Instrument(work) if work.inputs.is_empty() => f.write_str("instrument: device code is linked"),
            Answer::Instrument(work) => {
                let names: Vec<String> = work.inputs.iter().map(|name| format!("`{}`", name.display())).collect();
                let verb = if names.len() == 1 { "is" } else { "are" };
                write!(f, "instrument: {} {verb} read as HIP", names.join(", "))
            }
            Answer::PassThrough(reason) => write!(f, "pass through: {reason}"),
            Answer::NotACompilation(purpose) => write!(f, "not a compilation: {purpose}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Off(origin) => write!(f, "switched off by `{origin}`"),
            Reason::Nested => f.write_str("an outer run of the driver has added what there is to add"),
            Reason::Stops(flag) => write!(f, "`{flag}` stops before machine code"),
            Reason::NoHipInput => f.write_str("no input is compiled as HIP"),
            Reason::OnlyLinks => f.write_str("nothing is compiled, only linked"),
            Reason::Frontend(flag) => write!(f, "`{flag}` starts the compiler's inner command line"),
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Query(flag) => write!(f, "`{}` asks the compiler about itself", flag.display()),
            Purpose::DryRun(flag) => write!(f, "`{flag}` shows what would be done"),
            Purpose::NoInput => f.write_str("there is no input"),
        }
    }
}
