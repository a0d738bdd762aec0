//! Timelines for <https://ui.perfetto.dev>: a file for each `ui_` directory, a process for its dispatch, a thread for each
//! wave, a slice for each scope and an instant for each point (spec "Exporting traces to Perfetto").

mod clock;
mod json;
mod native;
mod place;
mod proto;
mod timeline;

use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use self::clock::Clock;
use self::json::Json;
use self::native::Native;
use self::place::{Files, Tids};
use self::timeline::{Event, Process, Thread, Timeline};
use super::whole_file::WholeFile;
use crate::trace::{Close, Domain, Marker, MarkerKind, Moment, Payload, Sink, Wave};

/// How timelines are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The directory of the files; beside each `ui_` directory by default.
    pub output: Option<PathBuf>,
    /// The format of the files.
    pub format: Format,
    /// Cycles per nanosecond, in the place of what `realtime.json` says.
    pub clock_rate_ghz: Option<f64>,
}

/// Formats of timelines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Trace Event Format, which many viewers read: `.perfetto.json`
    #[default]
    Json,
    /// Perfetto's own, smaller and quicker to open: `.pftrace`
    Pftrace,
}

/// Writes timelines. Holds what one wave needs for each that is under way, and a text for each marker.
#[derive(Default)]
pub struct Perfetto {
    options: Options,
    files: Files,
    domain: Option<Domain>,
    current: Option<Current>,
    written: Vec<PathBuf>,
    early: u64,
}

/// The file of a domain.
struct Current {
    out: WholeFile,
    timeline: Box<dyn Timeline>,
    pid: u32,
    clock: Clock,
    tids: Tids,
    threads: FxHashMap<u32, Thread>,
    count: u32,
    early: u64,
}

impl Perfetto {
    /// Without a file yet.
    pub fn new(options: Options) -> Perfetto {
        Perfetto { options, ..Perfetto::default() }
    }

    /// The files that are complete. A directory in which nothing happens has none.
    pub fn written(&self) -> &[PathBuf] {
        &self.written
    }

    /// Events that were before the start of their trace, and are drawn at it.
    pub fn early(&self) -> u64 {
        self.early
    }

    /// The file of the domain that is under way, begun if it is not yet.
    fn current(&mut self) -> io::Result<&mut Current> {
        match (&mut self.current, &self.domain) {
            (Some(current), _) => Ok(current),
            (none, Some(domain)) => {
                let options = &self.options;
                let path = self.files.of(&domain.path, options.output.as_deref(), options.format.extension());
                Ok(none.insert(Current::begin(&path, options, domain)?))
            }
            (None, None) => Err(io::Error::other("an event is of no directory")),
        }
    }
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Json => "perfetto.json",
            Format::Pftrace => "pftrace",
        }
    }
}

impl Current {
    fn begin(path: &Path, options: &Options, domain: &Domain) -> io::Result<Current> {
        let mut timeline: Box<dyn Timeline> = match options.format {
            Format::Json => Box::new(Json::default()),
            Format::Pftrace => Box::new(Native::default()),
        };
        let (pid, clock) = (place::pid(domain), Clock::of(domain, options.clock_rate_ghz));
        let mut out = WholeFile::create(path)?;
        timeline.process(&mut out, &Process { pid, domain, clock })?;
        let tids = Tids::new(domain);
        Ok(Current { out, timeline, pid, clock, tids, threads: FxHashMap::default(), count: 0, early: 0 })
    }

    /// Calls `write` with the event at `moment`, and before the first of a wave writes its thread.
    fn event(
        &mut self,
        moment: &Moment<'_>,
        write: impl FnOnce(&mut dyn Timeline, &mut WholeFile, &Event<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let wave = moment.wave;
        let thread = match self.threads.entry(wave.index) {
            Entry::Occupied(known) => &*known.into_mut(),
            Entry::Vacant(new) => {
                let (tid, name) = (self.tids.of(wave), self.tids.name(wave));
                let thread = Thread { pid: self.pid, tid, number: self.count, name, wave: wave.clone() };
                self.count += 1;
                self.timeline.thread(&mut self.out, &thread)?;
                &*new.insert(thread)
            }
        };
        self.early += u64::from(moment.cycles < 0);
        write(&mut *self.timeline, &mut self.out, &Event { thread, ns: self.clock.ns(moment.cycles), moment })
    }
}

impl Sink for Perfetto {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.domain = Some(domain.clone());
        Ok(())
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        self.current()?.event(at, |timeline, out, event| timeline.enter(out, event, scope))
    }

    fn exit(&mut self, at: &Moment<'_>, _: &Marker, close: Close) -> io::Result<()> {
        self.current()?.event(at, |timeline, out, event| timeline.exit(out, event, close))
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        self.current()?.event(at, |timeline, out, event| timeline.point(out, event, marker, payload))
    }

    fn end_wave(&mut self, wave: &Wave, _: i64) -> io::Result<()> {
        if let Some(current) = &mut self.current
            && let Some(thread) = current.threads.remove(&wave.index)
        {
            current.timeline.leave(&thread);
        }
        Ok(())
    }

    fn end_domain(&mut self, _: &Domain) -> io::Result<()> {
        self.domain = None;
        let Some(mut current) = self.current.take() else { return Ok(()) };
        current.timeline.finish(&mut current.out, current.early)?;
        self.early += current.early;
        self.written.push(current.out.commit(false)?);
        Ok(())
    }
}

/// The category of a marker's events.
fn category(kind: MarkerKind) -> &'static str {
    match kind {
        MarkerKind::Function => "sqtt.function",
        MarkerKind::Scope => "sqtt.user",
        MarkerKind::Point => "sqtt.point",
        MarkerKind::Unknown => "sqtt.unknown",
    }
}
