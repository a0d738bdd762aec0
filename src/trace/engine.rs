//! The records of one shader engine -> the events of its waves.
//!
//! Records come in the order of their cycles within each wave slot. Each is given to the wave that was launched last in its
//! slot; a wave takes its records apart into scopes, points and payload blocks and keeps the stack of open scopes.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::codebook::Codebook;
use super::context::Context;
use super::diagnostics::Diagnostics;
use super::live::{Live, Teller};
use super::occupancy::{EngineOccupancy, Launch};
use super::record::Record;
use super::repair::{Pending, Repairs};
use super::select::Selection;
use super::sink::Sink;
use super::totals::Totals;
use super::wave::{Slot, Wave};

/// What all engines of a run share.
pub(super) struct Shared<'a> {
    pub(super) book: &'a mut Codebook,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) selection: &'a Selection,
    pub(super) repairs: &'a Repairs,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) totals: &'a mut Totals,
}

/// One shader engine of one domain.
pub(super) struct Engine<'a> {
    number: u32,
    context: &'a Context,
    occupancy: Option<&'a EngineOccupancy>,
    streams: Vec<Stream<'a>>,
    places: Places,
    /// The latest time that was seen, in records and in the occupancy.
    last: Option<i64>,
}

/// The waves of one slot, one after the other.
struct Stream<'a> {
    slot: Slot,
    launches: &'a [Launch],
    /// The launch of the live wave, or the one that is next if there is none.
    at: usize,
    live: Option<Live>,
    is_selected: bool,
}

impl<'a> Engine<'a> {
    pub(super) fn new(number: u32, context: &'a Context) -> Engine<'a> {
        let occupancy = context.occupancy.engines.get(&number);
        let last = occupancy.and_then(|occupancy| occupancy.last);
        Engine { number, context, occupancy, streams: Vec::new(), places: Places::default(), last }
    }

    /// Takes the next records.
    pub(super) fn take(&mut self, records: &[Record], shared: &mut Shared<'_>) -> io::Result<()> {
        for record in records {
            shared.totals.records += 1;
            let at = match self.places.find(record) {
                Some(at) => at,
                None => self.add(record, shared),
            };
            self.last = self.last.max(Some(record.cycles));
            let stream = &mut self.streams[at];
            if !stream.is_selected {
                shared.totals.deselected += 1;
                continue;
            }
            stream.advance(record.cycles, shared)?;
            let live = match &mut stream.live {
                Some(live) => live,
                none => {
                    let live =
                        begin(stream.slot, stream.launches.get(stream.at), stream.at, record, self.context, shared)?;
                    none.insert(live)
                }
            };
            if live.is_selected {
                live.take(record, &mut shared.teller())?;
            } else {
                shared.totals.deselected += 1;
            }
        }
        Ok(())
    }

    /// Ends the waves that are left: the trace is over.
    pub(super) fn finish(mut self, shared: &mut Shared<'_>) -> io::Result<()> {
        for stream in &mut self.streams {
            // Without occupancy nothing says how long a wave ran on.
            let last = if stream.launches.is_empty() { None } else { self.last };
            let next = stream.launches.get(stream.at + 1).map(|next| next.begin);
            stream.end(next.or(last), shared)?;
        }
        Ok(())
    }

    fn add(&mut self, record: &Record, shared: &mut Shared<'_>) -> usize {
        let slot = Slot { engine: self.number, cu: record.cu, simd: record.simd, wave: record.slot };
        let launches = self.occupancy.and_then(|occupancy| occupancy.launches.get(&record.place()));
        let launches = launches.map_or(&[][..], Vec::as_slice);
        let is_selected = shared.selection.has_slot(slot);
        self.places.insert(record, self.streams.len());
        self.streams.push(Stream { slot, launches, at: 0, live: None, is_selected });
        self.streams.len() - 1
    }
}

impl Stream<'_> {
    /// Goes on to the wave that ran at `cycles`: the last one that was launched at or before; before the first launch, the
    /// first.
    fn advance(&mut self, cycles: i64, shared: &mut Shared<'_>) -> io::Result<()> {
        let Some(next) = self.launches.get(self.at + 1).filter(|next| next.begin <= cycles) else { return Ok(()) };
        self.end(Some(next.begin), shared)?;
        self.at += self.launches[self.at + 1..].partition_point(|launch| launch.begin <= cycles);
        Ok(())
    }

    /// Ends the live wave; at `limit` at the latest when the trace does not say when, unless it has later records.
    fn end(&mut self, limit: Option<i64>, shared: &mut Shared<'_>) -> io::Result<()> {
        let Some(live) = self.live.take() else { return Ok(()) };
        if live.is_selected { live.end(limit, &mut shared.teller()) } else { Ok(()) }
    }
}

/// A new wave, of which `record` is the first.
fn begin(
    slot: Slot,
    launch: Option<&Launch>,
    instance: usize,
    record: &Record,
    context: &Context,
    shared: &mut Shared<'_>,
) -> io::Result<Live> {
    let kernel = launch.and_then(|launch| context.kernels.get(&launch.kernel)).map(Arc::clone);
    let is_selected = shared.selection.has_kernel(kernel.as_deref());
    let code_object = kernel.as_ref().map_or(context.fallback, |kernel| kernel.code_object);
    let wave = Wave {
        index: shared.totals.waves,
        slot,
        instance: u32::try_from(instance).unwrap_or(u32::MAX),
        begin: launch.map_or(record.cycles, |launch| launch.begin),
        end: launch.and_then(|launch| launch.end),
        kernel,
    };
    if is_selected {
        shared.totals.waves += 1;
        shared.sink.begin_wave(&wave)?;
    }
    let repairs = if is_selected { shared.repairs.of(wave.index) } else { Pending::default() };
    Ok(Live::new(wave, code_object, launch.is_some(), is_selected, record.cycles, repairs))
}

impl Shared<'_> {
    fn teller(&mut self) -> Teller<'_> {
        Teller { book: self.book, sink: self.sink, diagnostics: self.diagnostics, totals: self.totals }
    }
}

/// Which stream a record is of. A table, as every record asks; numbers that no GPU has go into a map.
#[derive(Default)]
pub(super) struct Places {
    /// Streams by cu, simd (2 bits) and slot (5 bits), plus one; empty until there is one.
    table: Vec<u32>,
    others: HashMap<u32, usize>,
}

impl Places {
    fn index(record: &Record) -> Option<usize> {
        let (cu, simd, slot) = (usize::from(record.cu), usize::from(record.simd), usize::from(record.slot));
        (simd < 4 && slot < 32).then_some(cu << 7 | simd << 5 | slot)
    }

    #[inline]
    pub(super) fn find(&self, record: &Record) -> Option<usize> {
        match Places::index(record) {
            Some(index) => (*self.table.get(index)? as usize).checked_sub(1),
            None => self.others.get(&record.place()).copied(),
        }
    }

    pub(super) fn insert(&mut self, record: &Record, stream: usize) {
        match Places::index(record) {
            Some(index) => {
                self.table.resize(1 << 15, 0);
                self.table[index] = stream as u32 + 1;
            }
            None => {
                self.others.insert(record.place(), stream);
            }
        }
    }
}
