//! What markers issued while a trace was written, told to what is made from it: between two records of a wave, what is
//! behind the first and in front of the second.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

use sqtt_contract::funcmap::Funcmap;

use super::issue::{Bounds, Generation};
use super::price::Prices;
use crate::beside::{Programs, ReadProgram};
use crate::code_object::Target;
use crate::machine::Program;
use crate::trace::{Close, CodeObjectKey, Directory, Domain, Marker, Moment, Payload, Record, Role, Sink, Wave};

/// A sink that also takes what markers issued.
pub trait Metered: Sink {
    /// Markers of `wave` issued for so many cycles between its last event and the next one, which is told behind this.
    fn spend(&mut self, wave: &Wave, cycles: Bounds);
}

/// Passes everything on to a sink, with what markers issued.
pub struct Meter<'a, S> {
    sink: &'a mut S,
    programs: Programs<'a, Rc<Prices>>,
    directory: PathBuf,
    waves: HashMap<u32, Live>,
    taken: Taken,
}

/// What was taken out, and of what nothing was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The GPUs whose issue costs these are.
    pub generations: BTreeSet<Generation>,
    /// Records of markers whose cost is known.
    pub records: u64,
    /// Records of markers that the machine code of their wave does not trace, or that is not known.
    pub unknown_records: u64,
    /// Why code objects could not be looked at: lines, the last of which says what to do.
    pub problems: Vec<String>,
}

#[derive(Default)]
struct Live {
    /// Whether prices were looked for.
    is_known: bool,
    prices: Option<Rc<Prices>>,
    /// What the last marker issued behind its record.
    after: Bounds,
}

impl<'a, S: Metered> Meter<'a, S> {
    /// For traces in `directories`, the code objects of which are read with `read`.
    pub fn new(directories: &'a [Directory], read: &'a mut ReadProgram<'a>, sink: &'a mut S) -> Meter<'a, S> {
        let make = |program: Program, map: Funcmap, target: &Target| Rc::new(Prices::of(&program, &map, target));
        let programs = Programs::new(directories, read, make);
        Meter { sink, programs, directory: PathBuf::new(), waves: HashMap::new(), taken: Taken::default() }
    }

    /// What was taken out.
    pub fn finish(self) -> Taken {
        Taken { problems: self.programs.into_problems(), ..self.taken }
    }

    /// Makes sure that the prices of the wave are known, if they can be.
    fn look(&mut self, index: u32, key: Option<&CodeObjectKey>) {
        let Some(key) = key.filter(|_| self.waves.get(&index).is_none_or(|live| !live.is_known)) else { return };
        let prices = self.programs.load(&self.directory, key).map(Rc::clone);
        self.taken.generations.extend(prices.as_ref().map(|prices| prices.generation));
        let live = self.waves.entry(index).or_default();
        (live.is_known, live.prices) = (true, prices);
    }

    /// Tells what was issued up to the next event, in front of that.
    fn spend(&mut self, wave: &Wave, before: Bounds, after: Bounds) {
        let live = self.waves.entry(wave.index).or_default();
        let mut cycles = std::mem::replace(&mut live.after, after);
        cycles += before;
        if cycles != Bounds::default() {
            self.sink.spend(wave, cycles);
        }
    }
}

impl<S: Metered> Sink for Meter<'_, S> {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.directory.clone_from(&domain.path);
        self.sink.begin_domain(domain)
    }

    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        self.waves.remove(&wave.index);
        self.look(wave.index, wave.kernel.as_ref().and_then(|kernel| kernel.code_object_key.as_ref()));
        self.sink.begin_wave(wave)
    }

    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        let id = match role {
            Role::Marker(index) => {
                // Without occupancy only the markers say which code object it is.
                let marker = at.markers.get(index);
                self.look(at.wave.index, marker.code_object.map(|index| &at.markers.code_object(index).key));
                Some(marker.id)
            }
            Role::Exit | Role::NoOp => Some(0),
            Role::Payload { .. } | Role::Privileged => None,
        };
        if let Some(id) = id {
            let prices = self.waves.get(&at.wave.index).and_then(|live| live.prices.as_ref());
            let price = prices.and_then(|prices| prices.get(id));
            *(if price.is_some() { &mut self.taken.records } else { &mut self.taken.unknown_records }) += 1;
            let price = price.unwrap_or_default();
            self.spend(at.wave, price.before, price.after);
        }
        self.sink.record(at, record, role)
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        self.sink.enter(at, scope)
    }

    fn exit(&mut self, at: &Moment<'_>, scope: &Marker, close: Close) -> io::Result<()> {
        if close == Close::Cut {
            self.spend(at.wave, Bounds::default(), Bounds::default());
        }
        self.sink.exit(at, scope, close)
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        self.sink.point(at, marker, payload)
    }

    fn end_wave(&mut self, wave: &Wave, cycles: i64) -> io::Result<()> {
        self.waves.remove(&wave.index);
        self.sink.end_wave(wave, cycles)
    }

    fn end_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.sink.end_domain(domain)
    }
}
