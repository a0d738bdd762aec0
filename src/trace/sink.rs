//! What a reader of traces is told: the one interface between the reader and everything that is made from a trace.

use std::io;

use super::domain::Domain;
use super::marker::{Marker, MarkerIndex, Markers};
use super::record::Record;
use super::wave::Wave;

/// Takes what happened in the waves of traces, one event at a time.
///
/// For each domain: [`begin_domain`](Sink::begin_domain), then its shader engines one after the other, then
/// [`end_domain`](Sink::end_domain). Inside of an engine the events of all its waves come interleaved; the events of one
/// wave come in the order of their cycles. For one wave: [`begin_wave`](Sink::begin_wave), then for each scope one
/// [`enter`](Sink::enter) and one [`exit`](Sink::exit), properly nested, and [`point`](Sink::point) anywhere between,
/// then [`end_wave`](Sink::end_wave). Every scope that was entered is left before the wave ends, so a sink never has to
/// repair anything. What was wrong with the trace is in [`Diagnostics`](super::Diagnostics), not here.
///
/// A wave without a record is not told of. All methods do nothing unless a sink says otherwise. Errors are those of the
/// sink's own output; the reader stops at the first one and passes it on.
pub trait Sink {
    /// A `ui_` directory begins: a time domain of its own, whose cycles say nothing about those of another.
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        let _ = domain;
        Ok(())
    }

    /// The first record of a wave is about to come. [`Wave::begin`] says when it was launched.
    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        let _ = wave;
        Ok(())
    }

    /// A record of a wave, before what it brings about. Most sinks need no records: everything that they mean comes as
    /// events. An exit record without an open scope and a record without a meaning bring nothing about. What
    /// [`Repairs`](super::Repairs) put in has no record, and what they leave out is not told of.
    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        let _ = (at, record, role);
        Ok(())
    }

    /// `scope` opens. [`Moment::scopes`] are those around it.
    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        let _ = (at, scope);
        Ok(())
    }

    /// `scope`, the innermost one, closes. [`Moment::scopes`] are those around it.
    fn exit(&mut self, at: &Moment<'_>, scope: &Marker, close: Close) -> io::Result<()> {
        let _ = (at, scope, close);
        Ok(())
    }

    /// Something that has no duration happened: a point marker, a marker of unknown id without flags, or the header of a
    /// payload block, at the cycles of the header.
    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        let _ = (at, marker, payload);
        Ok(())
    }

    /// The wave is over: no event of it follows. `cycles` is its end as [`Wave::end`] says or its last record, whichever
    /// is later.
    fn end_wave(&mut self, wave: &Wave, cycles: i64) -> io::Result<()> {
        let _ = (wave, cycles);
        Ok(())
    }

    /// The directory is through.
    fn end_domain(&mut self, domain: &Domain) -> io::Result<()> {
        let _ = domain;
        Ok(())
    }
}

/// Where and when an event happened.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// In which wave.
    pub wave: &'a Wave,
    /// When, in cycles of the shader clock from the start of the engine's trace; corrected if the map packs the clock.
    pub cycles: i64,
    /// The open scopes around the event, outermost first, without the one that an [`enter`](Sink::enter) opens or an
    /// [`exit`](Sink::exit) closes.
    pub scopes: &'a [MarkerIndex],
    /// What indices stand for.
    pub markers: &'a Markers,
    /// Of an event that no record of the trace is behind, but one of [`Repairs`](super::Repairs): cycles of the last record
    /// before it. The event was then or later, up to `cycles`.
    pub inferred_since: Option<i64>,
}

impl<'a> Moment<'a> {
    /// Whether the event is put in by [`Repairs`](super::Repairs).
    pub fn is_inferred(&self) -> bool {
        self.inferred_since.is_some()
    }

    /// The open scopes around the event, outermost first.
    pub fn scope_chain(&self) -> impl DoubleEndedIterator<Item = &'a Marker> + use<'a> {
        let markers = self.markers;
        self.scopes.iter().map(move |index| markers.get(*index))
    }
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A header with an id.
    Marker(MarkerIndex),
    /// The bare exit.
    Exit,
    /// Id 0 and not the bare exit: reserved, without a meaning.
    NoOp,
    /// Word `word`, from 0, of the payload of `marker`.
    Payload {
        /// Whose payload.
        marker: MarkerIndex,
        /// Which word of it.
        word: u32,
    },
    /// Written by the trap handler.
    Privileged,
}

/// How a scope was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Close {
    /// By an exit marker.
    Exit,
    /// By the exit half of a fused exit+enter: at the same cycles another scope opens.
    Fused,
    /// By nothing: it was open when the wave ended, or when the trace did.
    Cut,
}

/// The raw records behind a marker that has an `R:` row: those of an address trace (`sqtt_contract::addresses`), or the
/// data of a data marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payload<'a> {
    /// One 32-bit value a record, in the order of the trace.
    pub words: &'a [u32],
    /// How many the map declares. `words` are fewer when the block was cut by the end of the wave or of the trace.
    pub declared: u32,
}

impl Payload<'_> {
    /// Whether records of the block are missing.
    pub fn is_cut(&self) -> bool {
        (self.words.len() as u64) < u64::from(self.declared)
    }
}
