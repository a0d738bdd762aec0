//! Clock correction: times of headers that carry a packed shader clock (spec "GFX12 Shader Clock Packing").
//!
//! A record arrives some cycles after the instruction that wrote it. The clock that a header carries says how much later
//! than others of its SIMD it arrived, modulo the window that is sampled; each header is moved earlier by that.

use std::collections::HashMap;

use sqtt_contract::marker::Encoding;

use super::codebook::{Codebook, IdMap};
use super::context::Context;
use super::engine::Places;
use super::occupancy::Launch;
use super::record::Record;

/// Corrects all `records` of shader engine `engine`, which are in the order of their cycles: headers lose their packed
/// clock, those that arrived late are moved, and the order is restored. Returns how many were moved.
///
/// Left alone: immediates, records of the trap handler, payload, and waves whose code object is not known. The headers of a
/// code object that has payload markers, which no compiler of ours packs, lose the clock only.
pub(super) fn correct(records: &mut [Record], engine: u32, context: &Context, book: &Codebook) -> u64 {
    let mut headers = Headers::default();
    let mut waves = Waves { streams: Vec::new(), places: Places::default(), engine, context, book };
    for (at, record) in records.iter_mut().enumerate() {
        if record.is_privileged() {
            continue;
        }
        let Some(map) = waves.header(record) else { continue };
        let decoded = map.decode(record.value, record.is_immediate());
        let Some(clock) = decoded.clock else { continue };
        if let Ok(plain) = Encoding::PLAIN.encode(decoded.marker, 0) {
            record.value = plain;
        }
        if !map.has_payloads {
            headers.add(at, record, map.encoding, clock);
        }
    }
    let moved = headers.move_earlier(records);
    if moved > 0 {
        records.sort_by_key(|record| record.cycles);
    }
    moved
}

/// Which wave a record is of, and whether it is payload.
struct Waves<'a> {
    streams: Vec<Stream<'a>>,
    places: Places,
    engine: u32,
    context: &'a Context,
    book: &'a Codebook,
}

struct Stream<'a> {
    launches: &'a [Launch],
    at: usize,
    map: Option<&'a IdMap>,
    /// Records of the block under way that are to come.
    payload: u32,
}

impl<'a> Waves<'a> {
    /// The map of the wave that `record` is a header of; `None` for payload, and where no code object is known.
    fn header(&mut self, record: &Record) -> Option<&'a IdMap> {
        let at = self.places.find(record).unwrap_or_else(|| self.add(record));
        let stream = &mut self.streams[at];
        let next = stream.at + 1;
        if stream.launches.get(next).is_some_and(|launch| launch.begin <= record.cycles) {
            stream.at += stream.launches[next..].partition_point(|launch| launch.begin <= record.cycles);
            stream.map = map_of(stream.launches.get(stream.at), self.context, self.book);
            stream.payload = 0;
        }
        if stream.payload > 0 {
            stream.payload -= 1;
            return None;
        }
        let map = stream.map?;
        let marker = map.decode(record.value, record.is_immediate()).marker;
        let found = map.find(marker.id).filter(|_| marker.id != 0);
        stream.payload = found.map_or(0, |index| self.book.markers.get(index).payload_count);
        Some(map)
    }

    fn add(&mut self, record: &Record) -> usize {
        let engine = self.context.occupancy.engines.get(&self.engine);
        let launches = engine.and_then(|engine| engine.launches.get(&record.place())).map_or(&[][..], Vec::as_slice);
        let map = map_of(launches.first(), self.context, self.book);
        self.places.insert(record, self.streams.len());
        self.streams.push(Stream { launches, at: 0, map, payload: 0 });
        self.streams.len() - 1
    }
}

fn map_of<'a>(launch: Option<&Launch>, context: &Context, book: &'a Codebook) -> Option<&'a IdMap> {
    let kernel = launch.and_then(|launch| context.kernels.get(&launch.kernel));
    let code_object = kernel.map_or(context.fallback, |kernel| kernel.code_object);
    code_object.map(|code_object| book.map(Some(code_object)))
}

/// The headers with a clock, by what they can be compared with.
#[derive(Default)]
struct Headers {
    groups: Vec<Group>,
    by_key: HashMap<(u8, u8, u32, u32), usize>,
    /// Place among the records, group, and delay beside the origin of the group, in cycles.
    headers: Vec<(usize, usize, i64)>,
}

/// The headers of one SIMD in one layout.
struct Group {
    /// Cycles of the bucket of the clock: no difference below can be told.
    bucket: i64,
    origin_cycles: i64,
    origin_clock: u32,
    least: i64,
    /// Whether the clock ever ran; one that is always the same says nothing.
    varies: bool,
}

impl Headers {
    fn add(&mut self, at: usize, record: &Record, layout: Encoding, clock: u32) {
        let (bits, shift) = (layout.clock_bits(), layout.clock_shift());
        let groups = &mut self.groups;
        let group = *self.by_key.entry((record.cu, record.simd, bits, shift)).or_insert_with(|| {
            let (bucket, least) = (1 << shift, 0);
            groups.push(Group { bucket, origin_cycles: record.cycles, origin_clock: clock, least, varies: false });
            groups.len() - 1
        });
        let found = &mut groups[group];
        let window = (1u64 << (bits + shift)) - 1;
        let half = window.div_ceil(2);
        let arrived = record.cycles.wrapping_sub(found.origin_cycles) as u64;
        let sampled = (u64::from(clock) << shift).wrapping_sub(u64::from(found.origin_clock) << shift);
        let delay = (arrived.wrapping_sub(sampled).wrapping_add(half) & window) as i64 - half as i64;
        found.least = found.least.min(delay);
        found.varies |= clock != found.origin_clock;
        self.headers.push((at, group, delay));
    }

    /// Moves those that arrived later than the quickest; returns how many that are.
    fn move_earlier(&self, records: &mut [Record]) -> u64 {
        let mut moved = 0;
        for (at, group, delay) in &self.headers {
            let group = &self.groups[*group];
            let late = delay - group.least - (group.bucket - 1);
            if group.varies && late > 0 {
                records[*at].cycles = records[*at].cycles.saturating_sub(late);
                moved += 1;
            }
        }
        moved
    }
}
