//! Perfetto's own format: packets of one sequence, in which every string is written once.
//!
//! What is the same for all events of a marker or of a wave is encoded once; as the fields of a message may come in any
//! order, and messages in parts, an event is those parts one after the other.

use std::io::{self, Write as _};

use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint};
use rustc_hash::FxHashMap;

use super::category;
use super::proto::{
    DebugAnnotation, INCREMENTAL_STATE_CLEARED, Interned, InternedData, NEEDS_INCREMENTAL_STATE, ProcessDescriptor,
    TRACK_EVENT, ThreadDescriptor, TracePacket, TrackDescriptor, TrackEvent, Type,
};
use super::timeline::{Event, Process, Thread, Timeline, fields};
use crate::export::access::Access;
use crate::export::whole_file::WholeFile;
use crate::trace::{Close, Marker, Markers, Payload};

/// The one sequence of the file.
const SEQUENCE: u32 = 1;

/// The track of the process; those of threads are behind it.
const PROCESS_TRACK: u64 = 1;

/// Bytes before a packet, at most: its key, and its length as a number of 64 bits in groups of 7.
const HEAD_BYTES: usize = 11;

/// Writes a timeline as packets.
#[derive(Debug, Default)]
pub(super) struct Native {
    strings: Strings,
    /// The encoded part of each marker, by its index; empty for those that were not met.
    markers: Vec<Vec<u8>>,
    /// The encoded parts of threads that are under way, by their number.
    threads: FxHashMap<u32, Vec<u8>>,
    /// An event and a packet that are put together.
    event: Vec<u8>,
    packet: Vec<u8>,
}

/// Interned strings by kind, and those that no packet has told of yet.
#[derive(Debug, Default)]
struct Strings {
    known: [FxHashMap<String, u64>; 4],
    count: u64,
    new: InternedData,
}

/// Kinds of interned strings, each with numbers of its own.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Category,
    Event,
    Argument,
    Value,
}

impl Strings {
    fn iid(&mut self, kind: Kind, name: &str) -> u64 {
        if let Some(known) = self.known[kind as usize].get(name) {
            return *known;
        }
        // Numbers of different kinds may be equal, and need not.
        self.count += 1;
        let iid = self.count;
        self.known[kind as usize].insert(name.to_owned(), iid);
        let new = &mut self.new;
        let list = match kind {
            Kind::Category => &mut new.event_categories,
            Kind::Event => &mut new.event_names,
            Kind::Argument => &mut new.debug_annotation_names,
            Kind::Value => &mut new.debug_annotation_string_values,
        };
        list.push(Interned { iid, name: name.to_owned() });
        iid
    }

    /// An argument called `name`, yet without a value.
    fn argument(&mut self, name: &str) -> DebugAnnotation {
        DebugAnnotation { name_iid: Some(self.iid(Kind::Argument, name)), ..DebugAnnotation::default() }
    }

    fn number(&mut self, name: &str, value: u64) -> DebugAnnotation {
        DebugAnnotation { uint_value: Some(value), ..self.argument(name) }
    }

    fn pointer(&mut self, name: &str, value: u64) -> DebugAnnotation {
        DebugAnnotation { pointer_value: Some(value), ..self.argument(name) }
    }

    fn cycles(&mut self, name: &str, value: i64) -> DebugAnnotation {
        DebugAnnotation { int_value: Some(value), ..self.argument(name) }
    }

    fn text(&mut self, name: &str, value: &str) -> DebugAnnotation {
        let iid = self.iid(Kind::Value, value);
        DebugAnnotation { string_value_iid: Some(iid), ..self.argument(name) }
    }

    fn cut(&mut self) -> DebugAnnotation {
        DebugAnnotation { bool_value: Some(true), ..self.argument("cut") }
    }
}

impl Timeline for Native {
    fn process(&mut self, out: &mut WholeFile, process: &Process<'_>) -> io::Result<()> {
        let agent = process.domain.agent.map(|agent| format!("agent {agent}"));
        let descriptor = ProcessDescriptor {
            pid: i32::try_from(process.pid).ok(),
            process_name: process.name(),
            process_labels: [Some(process.clock.words()), agent].into_iter().flatten().collect(),
        };
        let track = TrackDescriptor { uuid: PROCESS_TRACK, process: Some(descriptor), ..TrackDescriptor::default() };
        self.describe(out, track, INCREMENTAL_STATE_CLEARED)
    }

    fn thread(&mut self, out: &mut WholeFile, thread: &Thread) -> io::Result<()> {
        let descriptor = ThreadDescriptor {
            pid: i32::try_from(thread.pid).ok(),
            tid: Some(thread.tid.into()),
            legacy_sort_index: i32::try_from(thread.number).ok(),
            thread_name: thread.name.clone(),
        };
        let track_uuid = PROCESS_TRACK + 1 + u64::from(thread.number);
        let parent_uuid = Some(PROCESS_TRACK);
        let track = TrackDescriptor { uuid: track_uuid, thread: Some(descriptor), parent_uuid, process: None };
        self.describe(out, track, NEEDS_INCREMENTAL_STATE)?;
        let mut arguments: Vec<DebugAnnotation> =
            fields(&thread.wave).map(|(name, value)| self.strings.number(name, value.into())).into();
        if let Some(kernel) = &thread.wave.kernel {
            arguments.push(self.strings.number("kernel_id", kernel.id));
            arguments.push(self.strings.text("kernel", &kernel.name));
        }
        let part = TrackEvent { debug_annotations: arguments, ..TrackEvent::default() };
        self.threads.insert(thread.number, part.encode_to_vec());
        Ok(())
    }

    fn enter(&mut self, out: &mut WholeFile, event: &Event<'_>, scope: &Marker) -> io::Result<()> {
        let arguments = self.when(event);
        self.write(out, event, Type::SliceBegin, Some(scope), arguments)
    }

    fn exit(&mut self, out: &mut WholeFile, event: &Event<'_>, close: Close) -> io::Result<()> {
        let mut arguments = vec![self.strings.cycles("end_cycles", event.moment.cycles)];
        if close == Close::Cut {
            arguments.push(self.strings.cut());
        }
        if let Some(since) = event.moment.inferred_since {
            arguments.push(self.strings.cycles("end_inferred_since", since));
        }
        self.write(out, event, Type::SliceEnd, None, arguments)
    }

    fn point(
        &mut self,
        out: &mut WholeFile,
        event: &Event<'_>,
        marker: &Marker,
        payload: Payload<'_>,
    ) -> io::Result<()> {
        let mut arguments = self.when(event);
        if payload.declared > 0 {
            self.payload(marker, payload, &mut arguments);
        }
        self.write(out, event, Type::Instant, Some(marker), arguments)
    }

    fn leave(&mut self, thread: &Thread) {
        self.threads.remove(&thread.number);
    }

    fn finish(&mut self, _: &mut WholeFile, _: u64) -> io::Result<()> {
        Ok(())
    }
}

impl Native {
    /// When a scope began or a point was, and whether that is inferred.
    fn when(&mut self, event: &Event<'_>) -> Vec<DebugAnnotation> {
        let mut arguments = vec![self.strings.cycles("cycles", event.moment.cycles)];
        if let Some(since) = event.moment.inferred_since {
            arguments.push(self.strings.cycles("inferred_since", since));
        }
        arguments
    }

    fn describe(&mut self, out: &mut WholeFile, track: TrackDescriptor, sequence_flags: u32) -> io::Result<()> {
        let packet = TracePacket {
            trusted_packet_sequence_id: SEQUENCE,
            sequence_flags,
            track_descriptor: Some(track),
            ..TracePacket::default()
        };
        self.packet.clear();
        packet.encode_raw(&mut self.packet);
        self.put(out)
    }

    /// Writes an event; one that is not the end of a slice is of `marker`.
    fn write(
        &mut self,
        out: &mut WholeFile,
        event: &Event<'_>,
        kind: Type,
        marker: Option<&Marker>,
        debug_annotations: Vec<DebugAnnotation>,
    ) -> io::Result<()> {
        let track_uuid = PROCESS_TRACK + 1 + u64::from(event.thread.number);
        let part = TrackEvent { r#type: Some(kind.into()), track_uuid, debug_annotations, ..TrackEvent::default() };
        self.event.clear();
        part.encode_raw(&mut self.event);
        if let Some(marker) = marker {
            self.marker(marker, event.moment.markers);
            self.event.extend_from_slice(self.threads.get(&event.thread.number).map_or(&[], Vec::as_slice));
        }
        let new = std::mem::take(&mut self.strings.new);
        let packet = TracePacket {
            timestamp: Some(event.ns),
            trusted_packet_sequence_id: SEQUENCE,
            interned_data: (new != InternedData::default()).then_some(new),
            sequence_flags: NEEDS_INCREMENTAL_STATE,
            track_descriptor: None,
        };
        self.packet.clear();
        packet.encode_raw(&mut self.packet);
        encode_key(TRACK_EVENT, WireType::LengthDelimited, &mut self.packet);
        encode_varint(self.event.len() as u64, &mut self.packet);
        self.packet.extend_from_slice(&self.event);
        self.put(out)
    }

    /// Adds what `marker` is.
    fn marker(&mut self, marker: &Marker, markers: &Markers) {
        let index = marker.index.get();
        if self.markers.len() <= index {
            self.markers.resize(index + 1, Vec::new());
        }
        if self.markers[index].is_empty() {
            let strings = &mut self.strings;
            let mut arguments = vec![strings.number("id", marker.id.into())];
            if let Some(code_object) = marker.code_object {
                arguments.push(strings.number("code_object", markers.code_object(code_object).key.id));
            }
            if let Some(location) = &marker.location {
                arguments.push(strings.text("source", location));
            }
            let part = TrackEvent {
                category_iids: vec![strings.iid(Kind::Category, category(marker.kind))],
                name_iid: strings.iid(Kind::Event, &marker.name),
                debug_annotations: arguments,
                ..TrackEvent::default()
            };
            self.markers[index] = part.encode_to_vec();
        }
        self.event.extend_from_slice(&self.markers[index]);
    }

    /// Adds arguments that say what the records behind `marker` are.
    fn payload(&mut self, marker: &Marker, payload: Payload<'_>, arguments: &mut Vec<DebugAnnotation>) {
        let strings = &mut self.strings;
        if payload.is_cut() {
            arguments.push(strings.cut());
        }
        let Some(access) = marker.form.and_then(|form| Access::read(form, payload)) else {
            let word = |word: &u32| DebugAnnotation { uint_value: Some((*word).into()), ..DebugAnnotation::default() };
            let array_values = payload.words.iter().map(word).collect();
            arguments.push(DebugAnnotation { array_values, ..strings.argument("payload") });
            return;
        };
        arguments.push(strings.pointer("exec", access.exec));
        if let Some(buffer) = access.buffer {
            arguments.push(strings.pointer("base", buffer.base));
            arguments.push(strings.number("stride", buffer.stride.into()));
            arguments.push(strings.number("soffset", buffer.soffset.into()));
        }
        let dict_entries =
            access.addresses.iter().map(|(lane, address)| strings.pointer(&lane.to_string(), *address)).collect();
        arguments.push(DebugAnnotation { dict_entries, ..strings.argument("addresses") });
    }

    /// Writes the packet.
    fn put(&self, out: &mut WholeFile) -> io::Result<()> {
        let mut head = [0; HEAD_BYTES];
        let mut rest = &mut head[..];
        encode_key(1, WireType::LengthDelimited, &mut rest);
        encode_varint(self.packet.len() as u64, &mut rest);
        let unused = rest.len();
        out.write_all(&head[..HEAD_BYTES - unused])?;
        out.write_all(&self.packet)
    }
}
