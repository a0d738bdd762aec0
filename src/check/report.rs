//! What is said of waves, one by one and in all. Texts are as the files hold them: escape where a terminal reads.

use std::collections::BTreeMap;

use sqtt_contract::marker::Marker;

use super::gather::Gathered;
use super::programs::Loaded;
use super::{Automaton, Judgement};
use crate::machine::automaton::{Change, Fault, Header};
use crate::trace::{Domain, Slot};

/// What was found in all traces.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By the kernel's name; waves of which no kernel is known are under the empty name.
    pub kernels: BTreeMap<String, KernelReport>,
    /// Why code objects could not be looked at.
    pub problems: Vec<String>,
}

/// What was found in the waves of one kernel.
#[derive(Clone, Debug, Default)]
pub struct KernelReport {
    /// How many there are of everything.
    pub counts: Counts,
    /// The waves in which something is wrong, in the order in which they end: the first ones, if not all are listed.
    pub faulty: Vec<WaveReport>,
    /// How often a record is lost at one place: by what the place traces, and where it is.
    pub lost_at: BTreeMap<String, u64>,
}

/// Numbers of waves and faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Waves with records.
    pub waves: u64,
    /// Of those, what some path of the kernel traces.
    pub conforming: u64,
    /// Not looked at: no kernel, no code object, or too large a kernel.
    pub unjudged: u64,
    /// Looked at only up to a place where the code leads to an unknown one.
    pub partly: u64,
    /// The trace ended before the wave did.
    pub cut: u64,
    /// Records of waves that ran when the trace began.
    pub early: u64,
    /// Faults, at least: so many parts of waves are traced by no path.
    pub at_least: u64,
    /// Records that are lost, in one explanation of all faults.
    pub lost: u64,
    /// Of those, exits: readers of the trace close these scopes at another place.
    pub lost_exits: u64,
    /// Headers that are too many.
    pub extra: u64,
    /// Headers that are others than the program traced.
    pub changed: u64,
    /// Of the headers that are too many or others, those that no place of the kernel traces.
    pub foreign: u64,
    /// Waves that ended inside of a payload.
    pub short: u64,
    /// Waves in which so much is wrong that not all of it is explained.
    pub unexplained: u64,
}

impl Counts {
    /// Waves in which something is wrong.
    pub fn faulty(&self) -> u64 {
        self.waves - self.conforming - self.unjudged
    }
}

/// A wave in which something is wrong.
#[derive(Clone, Debug, serde::Serialize)]
pub struct WaveReport {
    /// The directory.
    pub directory: String,
    /// Shader engine.
    pub se: u32,
    /// Compute unit, as in the files.
    pub cu: u8,
    /// SIMD.
    pub simd: u8,
    /// Wave slot.
    pub wave: u8,
    /// Waves before it in the slot.
    pub instance: u32,
    /// Headers that it has.
    pub headers: usize,
    /// Faults, at least.
    pub at_least: usize,
    /// One explanation of them.
    pub faults: Vec<Told>,
    /// Whether that explains everything.
    pub explained: bool,
    /// It ended inside of a payload.
    pub short: bool,
}

/// A fault.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Told {
    /// What is wrong.
    pub kind: Kind,
    /// Cycles of the header that is wrong, or of the one behind a lost one; of the wave's end behind the last.
    pub cycles: i64,
    /// The marker: of a header too many what is there, else what the program traced.
    pub marker: String,
    /// What is there in its place, of one that is changed.
    pub found: Option<String>,
    /// Mangled function that traced it.
    pub function: Option<String>,
    /// Address of the marker's instruction, when the code object is loaded at 0.
    pub address: Option<u64>,
    /// No place of the kernel traces what is there.
    pub foreign: bool,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A record is missing.
    Lost,
    /// A header is one too many.
    Extra,
    /// A header is another than was traced.
    Changed,
}

impl Report {
    /// The counts of all kernels.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for Counts {
            waves,
            conforming,
            unjudged,
            partly,
            cut,
            early,
            at_least,
            lost,
            lost_exits,
            extra,
            changed,
            foreign,
            short,
            unexplained,
        } in self.kernels.values().map(|kernel| kernel.counts)
        {
            total.waves += waves;
            total.conforming += conforming;
            total.unjudged += unjudged;
            total.partly += partly;
            total.cut += cut;
            total.early += early;
            total.at_least += at_least;
            total.lost += lost;
            total.lost_exits += lost_exits;
            total.extra += extra;
            total.changed += changed;
            total.foreign += foreign;
            total.short += short;
            total.unexplained += unexplained;
        }
        total
    }

    pub(super) fn kernel(&mut self, name: Option<&str>) -> &mut Counts {
        &mut self.kernels.entry(name.unwrap_or_default().to_owned()).or_default().counts
    }

    /// Counts a wave in which something is wrong, and lists it if the kernel has fewer than `most_listed`.
    pub(super) fn add(&mut self, name: Option<&str>, wave: WaveReport, most_listed: usize) {
        let kernel = self.kernels.entry(name.unwrap_or_default().to_owned()).or_default();
        let counts = &mut kernel.counts;
        counts.at_least += wave.at_least as u64;
        counts.short += u64::from(wave.short);
        counts.unexplained += u64::from(!wave.explained);
        for told in &wave.faults {
            counts.foreign += u64::from(told.foreign);
            match told.kind {
                Kind::Lost => {
                    counts.lost += 1;
                    counts.lost_exits += u64::from(told.marker == EXIT);
                    let function = told.function.as_deref().unwrap_or("unknown code");
                    let place = format!("{} in `{function}` at {:#x}", told.marker, told.address.unwrap_or(0));
                    *kernel.lost_at.entry(place).or_default() += 1;
                }
                Kind::Extra => counts.extra += 1,
                Kind::Changed => counts.changed += 1,
            }
        }
        if kernel.faulty.len() < most_listed {
            kernel.faulty.push(wave);
        }
    }
}

const EXIT: &str = "`exit`";

/// What is said of a wave. A wave that ended inside of a payload has lost a record, whatever else.
pub(super) fn tell(
    domain: &Domain,
    gathered: &Gathered,
    loaded: &Loaded,
    automaton: &Automaton,
    judgement: &Judgement,
    is_short: bool,
) -> WaveReport {
    let Slot { engine, cu, simd, wave } = gathered.wave.slot;
    WaveReport {
        directory: domain.path.to_string_lossy().into_owned(),
        se: engine,
        cu,
        simd,
        wave,
        instance: gathered.wave.instance,
        headers: gathered.headers.len(),
        at_least: judgement.at_least.max(usize::from(is_short)),
        faults: judgement.faults.iter().map(|fault| told(gathered, loaded, automaton, *fault)).collect(),
        explained: judgement.is_explained,
        short: is_short,
    }
}

fn told(gathered: &Gathered, loaded: &Loaded, automaton: &Automaton, fault: Fault) -> Told {
    let here = gathered.headers.get(fault.at);
    let last = gathered.headers.last().map_or(0, |header| header.cycles);
    let cycles = here.map_or_else(|| gathered.wave.end.unwrap_or(last), |header| header.cycles);
    let found = here.map(|header| header.marker);
    let is_foreign = found.is_some_and(|marker| !automaton.has(marker));
    let shown = |marker: Option<Marker>| marker.map_or_else(String::new, |marker| show(Header::of(marker), loaded));
    let at_node = |node: usize| {
        let node = automaton.nodes().get(node);
        let header = node.and_then(|node| node.headers.first()).copied().unwrap_or(Header::Any);
        let place = node.and_then(|node| node.place);
        let function = place.and_then(|place| loaded.program.functions.get(place.function));
        (show(header, loaded), function.map(|function| function.name.clone()), place.map(|place| place.address))
    };
    let (kind, marker, function, address) = match fault.change {
        Change::Extra => (Kind::Extra, shown(found), None, None),
        Change::Lost(node) => {
            let (marker, function, address) = at_node(node);
            (Kind::Lost, marker, function, address)
        }
        Change::Changed(node) => {
            let (marker, function, address) = at_node(node);
            (Kind::Changed, marker, function, address)
        }
    };
    let foreign = is_foreign && kind != Kind::Lost;
    Told { kind, cycles, marker, found: (kind == Kind::Changed).then(|| shown(found)), function, address, foreign }
}

/// `` `enter load` ``, with the id where no row has a name for it.
fn show(header: Header, loaded: &Loaded) -> String {
    let (id, enter, exit) = match header {
        Header::Known { id: 0, enter: false, exit: true } => return EXIT.to_owned(),
        Header::Known { id, enter, exit } => (id, enter, exit),
        Header::Flags { enter, exit } => return format!("a marker with enter {enter}, exit {exit}"),
        Header::Any => return "a word that is known at run time only".to_owned(),
    };
    let row = loaded.map.find(id);
    let name = row.and_then(|row| row.name()).map_or_else(|| format!("id {id}"), ToString::to_string);
    let does = match (enter, exit) {
        (true, true) => "exit, enter ",
        (true, false) => "enter ",
        (false, true) => "exit ",
        (false, false) => "point ",
    };
    format!("`{does}{name}`")
}
