//! Traces made by hand, and a sink that writes down what it is told.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)] // Helpers of tests; each test program uses a part of them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sqtt_contract::funcmap::{self, Row};
use sqtt_hipcc::export::stacks::Stacks;
use sqtt_hipcc::trace::{
    self, Close, Diagnostics, Kind, Marker, Moment, Options, Payload, Record, Role, Sink, Totals, Wave,
};
use tempfile::TempDir;

pub mod model;

/// A `ui_` directory in the making.
pub struct Trace {
    directory: TempDir,
    shaderdata: BTreeMap<u32, Vec<Vec<Value>>>,
    occupancy: BTreeMap<u32, Vec<Value>>,
    kernels: BTreeMap<u64, String>,
    maps: BTreeMap<u64, String>,
}

/// An exit marker.
pub const EXIT: u32 = 1;

/// An enter marker.
pub const fn enter(id: u32) -> u32 {
    id << 2 | 2
}

/// A fused exit and enter.
pub const fn exit_enter(id: u32) -> u32 {
    id << 2 | 3
}

/// A point marker.
pub const fn point(id: u32) -> u32 {
    id << 2
}

/// A header with a clock of 12 bits.
pub const fn packed(word: u32, clock: u32) -> u32 {
    clock << 20 | word
}

impl Trace {
    pub fn new() -> Trace {
        let (shaderdata, occupancy) = (BTreeMap::new(), BTreeMap::new());
        let directory = tempfile::tempdir().unwrap();
        Trace { directory, shaderdata, occupancy, kernels: BTreeMap::new(), maps: BTreeMap::new() }
    }

    /// The `ui_` directory.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("ui_output_agent_1_dispatch_2")
    }

    /// The directory around it.
    pub fn parent(&self) -> &Path {
        self.directory.path()
    }

    /// Code object `id` with a map of `rows`, kernels of which are named by [`kernel`](Trace::kernel).
    pub fn map(mut self, id: u64, rows: &str) -> Trace {
        self.maps.insert(id, rows.to_owned());
        self
    }

    /// What a wave with kernel number `id` runs.
    pub fn kernel(mut self, id: u64, name: &str) -> Trace {
        self.kernels.insert(id, name.to_owned());
        self
    }

    /// A wave in slot `[cu, simd, wave]` of `engine`, from a cycle to another.
    pub fn wave(mut self, engine: u32, slot: [u8; 3], cycles: [i64; 2], kernel: u64) -> Trace {
        let [cu, simd, wave] = slot;
        let rows = self.occupancy.entry(engine).or_default();
        rows.push(json!([cycles[0], cu, simd, wave, 1, kernel]));
        rows.push(json!([cycles[1], cu, simd, wave, 0, kernel]));
        self
    }

    /// The begin of a wave whose end is not seen.
    pub fn begin(mut self, engine: u32, slot: [u8; 3], cycles: i64, kernel: u64) -> Trace {
        let [cu, simd, wave] = slot;
        self.occupancy.entry(engine).or_default().push(json!([cycles, cu, simd, wave, 1, kernel]));
        self
    }

    /// A file of records of `engine`: cycles and value, all in `slot`.
    pub fn values(self, engine: u32, slot: [u8; 3], values: &[(i64, u32)]) -> Trace {
        let [cu, simd, slot] = slot;
        let record = |(cycles, value): &(i64, u32)| Record { cycles: *cycles, value: *value, cu, simd, slot, flags: 0 };
        self.records(engine, &values.iter().map(record).collect::<Vec<_>>())
    }

    /// A file of records of `engine`.
    pub fn records(mut self, engine: u32, records: &[Record]) -> Trace {
        let row = |r: &Record| json!([r.cycles, r.value, r.cu, r.simd, r.slot, r.flags]);
        self.shaderdata.entry(engine).or_default().push(records.iter().map(row).collect());
        self
    }

    /// Writes the files.
    pub fn write(self) -> Trace {
        let path = self.path();
        std::fs::create_dir_all(&path).unwrap();
        for (engine, files) in &self.shaderdata {
            for (part, rows) in files.iter().enumerate() {
                put(&path.join(format!("shaderdata_{engine}_{part}.json")), &json!({ "records": rows }));
            }
        }
        if !self.occupancy.is_empty() {
            let mut occupancy: serde_json::Map<String, Value> =
                self.occupancy.iter().map(|(engine, rows)| (engine.to_string(), json!(rows))).collect();
            let kernels: BTreeMap<String, &String> =
                self.kernels.iter().map(|(id, name)| (id.to_string(), name)).collect();
            occupancy.insert("dispatches".to_owned(), json!(kernels));
            put(&path.join("occupancy.json"), &json!(occupancy));
        }
        if !self.maps.is_empty() {
            put(&path.join("code.json"), &self.tables());
        }
        self
    }

    /// The maps as the tables of `code.json`.
    fn tables(&self) -> Value {
        let (mut names, mut layouts, mut payloads) = (Vec::new(), Vec::new(), Vec::new());
        for (code_object, text) in &self.maps {
            for row in funcmap::parse(text.as_bytes()).rows() {
                match row {
                    Row::Payload { id, count } => payloads.push(json!([code_object, id, count])),
                    Row::Layout { clock_bits, clock_shift } => {
                        layouts.push(json!([code_object, clock_bits, clock_shift]));
                    }
                    Row::WaveSize(_) => {}
                    row => names.push(json!([
                        code_object,
                        row.marker_id().unwrap_or(0),
                        row.letter().to_string(),
                        row.name().unwrap().to_str(),
                        row.location().map(|location| location.to_str().into_owned()).unwrap_or_default(),
                        0
                    ])),
                }
            }
        }
        json!({ "sqtt_funcmap": names, "sqtt_funcmap_layout": layouts, "sqtt_funcmap_payloads": payloads })
    }

    /// Reads it.
    pub fn read(&self) -> Told {
        read(&self.path(), &Options::default())
    }
}

fn put(path: &Path, document: &Value) {
    std::fs::write(path, document.to_string()).unwrap();
}

/// What a sink was told and what was wrong.
#[derive(Debug, Default)]
pub struct Told {
    /// A line each event.
    pub events: Vec<String>,
    /// `folded stack -> (cycles, pieces)`.
    pub stacks: BTreeMap<String, (u64, u64)>,
    /// Cycles, value, role of every record.
    pub records: Vec<(i64, u32, Role)>,
    pub diagnostics: Diagnostics,
    pub totals: Totals,
}

impl Told {
    pub fn of(&self, kind: Kind) -> u64 {
        self.diagnostics.of(kind)
    }

    /// The stacks with their cycles.
    pub fn folded(&self) -> Vec<String> {
        self.stacks.iter().map(|(stack, (cycles, _))| format!("{stack} {cycles}")).collect()
    }

    /// Cycles and values of all records.
    pub fn values(&self) -> Vec<(i64, u32)> {
        self.records.iter().map(|(cycles, value, _)| (*cycles, *value)).collect()
    }
}

/// Reads what is at or below `path`.
pub fn read(path: &Path, options: &Options) -> Told {
    let mut told = Told::default();
    let found = trace::discover(&[path.to_owned()], &mut told.diagnostics).unwrap();
    let (mut events, mut stacks) = (Events::default(), Stacks::default());
    let mut both = Both(&mut events, &mut stacks);
    told.totals = trace::read(&found, options, &mut both, &mut told.diagnostics, &mut |_, _| {}).unwrap();
    told.stacks = stacks.iter().map(|stack| (stack.frames.join(";"), (stack.cycles, stack.pieces))).collect();
    told.events = events.lines;
    told.records = events.records;
    assert!(events.depths.is_empty(), "waves never ended: {:?}", events.depths);
    told
}

/// Writes down what it is told, and checks that it is told so in the order that is promised.
#[derive(Default)]
struct Events {
    lines: Vec<String>,
    records: Vec<(i64, u32, Role)>,
    /// Open scopes and latest cycles of each wave.
    depths: BTreeMap<u32, (usize, i64)>,
}

impl Events {
    fn line(&mut self, at: &Moment<'_>, what: &str) {
        let slot = at.wave.slot;
        let chain: Vec<&str> = at.scope_chain().map(|scope| &*scope.name).collect();
        let (depth, last) = self.depths.get_mut(&at.wave.index).unwrap();
        assert_eq!((*depth, *last <= at.cycles), (chain.len(), true), "{what} at {}", at.cycles);
        *last = at.cycles;
        let place = format!("{}/{}/{}/{}#{}", slot.engine, slot.cu, slot.simd, slot.wave, at.wave.instance);
        let inferred = at.inferred_since.map_or_else(String::new, |since| format!(", inferred since {since}"));
        self.lines.push(format!("{place} {} {what} in [{}]{inferred}", at.cycles, chain.join(";")));
    }
}

impl Sink for Events {
    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        assert!(self.depths.insert(wave.index, (0, i64::MIN)).is_none(), "wave {} begins twice", wave.index);
        Ok(())
    }

    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        assert_eq!(at.cycles, record.cycles);
        self.records.push((record.cycles, record.value, role));
        Ok(())
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        self.line(at, &format!("enter {}", scope.name));
        self.depths.get_mut(&at.wave.index).unwrap().0 += 1;
        Ok(())
    }

    fn exit(&mut self, at: &Moment<'_>, scope: &Marker, close: Close) -> io::Result<()> {
        self.depths.get_mut(&at.wave.index).unwrap().0 -= 1;
        self.line(at, &format!("{close:?} {}", scope.name));
        Ok(())
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        // A block comes when it is whole, at the time of its header.
        if payload.declared == 0 {
            self.line(at, &format!("point {}", marker.name));
        } else {
            let cut = if payload.is_cut() { " cut" } else { "" };
            self.line(at, &format!("block {} {:?}{cut}", marker.name, payload.words));
        }
        Ok(())
    }

    fn end_wave(&mut self, wave: &Wave, cycles: i64) -> io::Result<()> {
        let (depth, last) = self.depths.remove(&wave.index).unwrap();
        assert_eq!((depth, last <= cycles), (0, true));
        Ok(())
    }
}

/// Tells two sinks.
struct Both<'a>(&'a mut dyn Sink, &'a mut dyn Sink);

impl Sink for Both<'_> {
    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        self.0.begin_wave(wave)?;
        self.1.begin_wave(wave)
    }

    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        self.0.record(at, record, role)?;
        self.1.record(at, record, role)
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        self.0.enter(at, scope)?;
        self.1.enter(at, scope)
    }

    fn exit(&mut self, at: &Moment<'_>, scope: &Marker, close: Close) -> io::Result<()> {
        self.0.exit(at, scope, close)?;
        self.1.exit(at, scope, close)
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        self.0.point(at, marker, payload)?;
        self.1.point(at, marker, payload)
    }

    fn end_wave(&mut self, wave: &Wave, cycles: i64) -> io::Result<()> {
        self.0.end_wave(wave, cycles)?;
        self.1.end_wave(wave, cycles)
    }
}
