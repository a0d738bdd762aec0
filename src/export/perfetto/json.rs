//! The Trace Event Format: one JSON object an event, one event a line, written as it comes.
//!
//! Times are microseconds with three decimals, as the format has them. What is the same for all events of a marker or of a
//! wave is made into text once.

use std::io::{self, Write as _};

use rustc_hash::FxHashMap;
use serde_json::json;

use super::category;
use super::timeline::{Event, Process, Thread, Timeline, fields};
use crate::export::access::Access;
use crate::export::whole_file::{self, WholeFile};
use crate::trace::{Close, Domain, Marker, Markers, Payload};

/// Writes a timeline as JSON.
#[derive(Debug, Default)]
pub(super) struct Json {
    /// What stands behind the events.
    metadata: serde_json::Value,
    /// The text of each marker, by its index; empty for those that were not met.
    markers: Vec<String>,
    /// The texts of threads that are under way, by their number.
    threads: FxHashMap<u32, Texts>,
    /// Lines that are not written yet.
    lines: Vec<u8>,
}

/// What the events of a wave have in common.
#[derive(Debug)]
struct Texts {
    /// The process and the thread.
    place: String,
    /// Arguments.
    arguments: String,
    /// The same, and which kernel it is.
    all_arguments: String,
}

impl Timeline for Json {
    fn process(&mut self, _: &mut WholeFile, process: &Process<'_>) -> io::Result<()> {
        let (pid, domain, clock) = (process.pid, process.domain, process.clock);
        self.metadata = json!({
            "producer": concat!("sqtt ", env!("CARGO_PKG_VERSION")),
            "directory": process.directory(),
            "agent": domain.agent,
            "dispatch": domain.dispatch,
            "clock": clock.words(),
            "clock_rate_ghz": clock.ghz(),
            "kernels": kernels(domain),
        });
        // No comma before the first.
        self.lines.extend_from_slice(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        let name = json!({"ph": "M", "pid": pid, "tid": 0, "name": "process_name", "args": {"name": process.name()}});
        let labels =
            json!({"ph": "M", "pid": pid, "tid": 0, "name": "process_labels", "args": {"labels": clock.words()}});
        write!(self.lines, "{name},\n{labels}")
    }

    fn thread(&mut self, _: &mut WholeFile, thread: &Thread) -> io::Result<()> {
        let (pid, tid, number) = (thread.pid, thread.tid, thread.number);
        let name = json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": thread.name}});
        let index = json!({"ph": "M", "pid": pid, "tid": tid, "name": "thread_sort_index",
                           "args": {"sort_index": number}});
        write!(self.lines, ",\n{name},\n{index}")?;
        let place = format!("\"pid\":{pid},\"tid\":{tid},\"ts\":");
        let mut arguments: String = fields(&thread.wave).map(|(name, value)| format!(",\"{name}\":{value}")).concat();
        let mut kernel_name = String::new();
        if let Some(kernel) = &thread.wave.kernel {
            arguments += &format!(",\"kernel_id\":{}", kernel.id);
            kernel_name = format!(",\"kernel\":{}", json!(*kernel.name));
        }
        let all_arguments = format!("{arguments}{kernel_name}");
        self.threads.insert(number, Texts { place, arguments, all_arguments });
        Ok(())
    }

    fn enter(&mut self, out: &mut WholeFile, event: &Event<'_>, scope: &Marker) -> io::Result<()> {
        self.begin(b"\"B\"", event);
        self.describe(event, scope);
        self.end(out)
    }

    fn exit(&mut self, out: &mut WholeFile, event: &Event<'_>, close: Close) -> io::Result<()> {
        self.begin(b"\"E\"", event);
        self.lines.extend_from_slice(b",\"args\":{\"end_cycles\":");
        self.integer(event.moment.cycles);
        if close == Close::Cut {
            self.lines.extend_from_slice(b",\"cut\":true");
        }
        if let Some(since) = event.moment.inferred_since {
            self.lines.extend_from_slice(b",\"end_inferred_since\":");
            self.integer(since);
        }
        self.end(out)
    }

    fn point(
        &mut self,
        out: &mut WholeFile,
        event: &Event<'_>,
        marker: &Marker,
        payload: Payload<'_>,
    ) -> io::Result<()> {
        self.begin(b"\"i\",\"s\":\"t\"", event);
        self.describe(event, marker);
        if payload.declared > 0 {
            self.payload(marker, payload)?;
        }
        self.end(out)
    }

    fn leave(&mut self, thread: &Thread) {
        self.threads.remove(&thread.number);
    }

    fn finish(&mut self, out: &mut WholeFile, early: u64) -> io::Result<()> {
        self.metadata["events_before_the_start"] = json!(early);
        writeln!(self.lines, "\n],\"otherData\":{}}}", self.metadata)?;
        out.write_all(&self.lines)
    }
}

impl Json {
    /// Begins the line of an event: its phase, its thread and its time.
    fn begin(&mut self, phase: &[u8], event: &Event<'_>) {
        let line = &mut self.lines;
        line.extend_from_slice(b",\n{\"ph\":");
        line.extend_from_slice(phase);
        line.push(b',');
        if let Some(texts) = self.threads.get(&event.thread.number) {
            line.extend_from_slice(texts.place.as_bytes());
        }
        self.integer(event.ns / 1000);
        let rest = (event.ns % 1000) as u16;
        let digit = |unit: u16| b'0' + (rest / unit % 10) as u8;
        self.lines.extend_from_slice(&[b'.', digit(100), digit(10), digit(1)]);
    }

    /// Adds what `marker` is, and begins the arguments. The kernel's name, which can be long, is in outermost events only.
    fn describe(&mut self, event: &Event<'_>, marker: &Marker) {
        let index = marker.index.get();
        if self.markers.len() <= index {
            self.markers.resize(index + 1, String::new());
        }
        if self.markers[index].is_empty() {
            self.markers[index] = text(marker, event.moment.markers);
        }
        self.lines.extend_from_slice(self.markers[index].as_bytes());
        if let Some(texts) = self.threads.get(&event.thread.number) {
            let is_outermost = event.moment.scopes.is_empty();
            let arguments = if is_outermost { &texts.all_arguments } else { &texts.arguments };
            self.lines.extend_from_slice(arguments.as_bytes());
        }
        self.lines.extend_from_slice(b",\"cycles\":");
        self.integer(event.moment.cycles);
        if let Some(since) = event.moment.inferred_since {
            self.lines.extend_from_slice(b",\"inferred_since\":");
            self.integer(since);
        }
    }

    /// Adds arguments that say what the records behind `marker` are.
    fn payload(&mut self, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        let line = &mut self.lines;
        if payload.is_cut() {
            line.extend_from_slice(b",\"cut\":true");
        }
        let Some(access) = marker.form.and_then(|form| Access::read(form, payload)) else {
            line.extend_from_slice(b",\"payload\":");
            return Ok(serde_json::to_writer(line, payload.words)?);
        };
        write!(line, ",\"exec\":\"{:#x}\"", access.exec)?;
        if let Some(buffer) = access.buffer {
            let (base, stride, soffset) = (buffer.base, buffer.stride, buffer.soffset);
            write!(line, ",\"base\":\"{base:#x}\",\"stride\":{stride},\"soffset\":{soffset}")?;
        }
        line.extend_from_slice(b",\"addresses\":{");
        for (at, (lane, address)) in access.addresses.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(line, "{comma}\"{lane}\":\"{address:#x}\"")?;
        }
        line.push(b'}');
        Ok(())
    }

    fn integer(&mut self, value: impl itoa::Integer) {
        self.lines.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// Ends the arguments and the line, and writes the lines if there are enough.
    fn end(&mut self, out: &mut WholeFile) -> io::Result<()> {
        self.lines.extend_from_slice(b"}}");
        if self.lines.len() < whole_file::BUFFER_BYTES {
            return Ok(());
        }
        out.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }
}

/// What an event says of its marker, up to the first arguments.
fn text(marker: &Marker, markers: &Markers) -> String {
    let (category, name, id) = (category(marker.kind), json!(*marker.name), marker.id);
    let mut text = format!(",\"cat\":\"{category}\",\"name\":{name},\"args\":{{\"id\":{id}");
    if let Some(code_object) = marker.code_object {
        text += &format!(",\"code_object\":{}", markers.code_object(code_object).key.id);
    }
    if let Some(location) = &marker.location {
        text += &format!(",\"source\":{}", json!(**location));
    }
    text
}

/// Names of kernels by their number.
fn kernels(domain: &Domain) -> serde_json::Value {
    domain.kernels.iter().map(|kernel| (kernel.id.to_string(), json!(*kernel.name))).collect()
}
