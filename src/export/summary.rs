//! How often each scope was entered and how long it took, per kernel, and per compute unit if asked for.

pub mod histogram;
pub mod table;

use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cost::{Bounds, Metered};
use crate::trace::{Close, Marker, MarkerKind, Moment, Sink, Wave};
use histogram::Histogram;

/// Sums up scopes. Scopes of one kernel with the same kind, name and location are one, whichever code object they are of.
#[derive(Debug, Default)]
pub struct Summary {
    per_cu: bool,
    rows: Vec<Row>,
    by_key: FxHashMap<Key, usize>,
    /// Rows by what events know: kernel, place and marker.
    by_event: FxHashMap<(usize, Place, usize), usize>,
    kernels: Vec<Arc<str>>,
    waves: FxHashMap<u32, WaveState>,
}

/// Shader engine and compute unit; `None` when they do not matter.
type Place = Option<(u32, u8)>;
type Key = (usize, Place, MarkerKind, Arc<str>, Option<Arc<str>>);

/// One scope of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The kernel; empty when it is not known.
    pub kernel: Arc<str>,
    /// Shader engine and compute unit, of a summary per compute unit.
    pub place: Option<(u32, u8)>,
    /// What kind of marker it is.
    pub kind: MarkerKind,
    /// The scope.
    pub name: Arc<str>,
    /// Where it is in the source.
    pub location: Option<Arc<str>>,
    /// How often it was entered.
    pub calls: u64,
    /// How many of the calls were cut at the end of their wave: their time is counted, as far as it was seen, but is none
    /// of [`durations`](Row::durations).
    pub cut: u64,
    /// How many of the calls begin or end where no record is but an inferred marker; they are none of
    /// [`durations`](Row::durations) either, as when that was is not known.
    pub inferred: u64,
    /// Cycles in which it was the innermost scope.
    pub self_cycles: u64,
    /// Cycles in which it was open in a wave. A scope inside of itself counts once.
    pub total_cycles: u64,
    /// Of [`self_cycles`](Row::self_cycles), those in which markers issued; none when nothing measured that.
    pub self_spent: Bounds,
    /// Of [`total_cycles`](Row::total_cycles), those in which markers issued.
    pub total_spent: Bounds,
    /// How long calls took, inner scopes included.
    pub durations: Histogram,
}

#[derive(Debug, Default)]
struct WaveState {
    kernel: usize,
    stack: Vec<Open>,
    /// How often each row is open.
    open: FxHashMap<usize, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    row: usize,
    since: i64,
    /// Whether that is inferred.
    is_inferred: bool,
    /// Cycles of the scopes inside.
    inner: u64,
    /// Cycles in which markers issued while it was the innermost scope, and in the scopes inside.
    spent: [Bounds; 2],
}

impl Summary {
    /// Without a scope; `per_cu` keeps compute units apart.
    pub fn new(per_cu: bool) -> Summary {
        Summary { per_cu, ..Summary::default() }
    }

    /// The rows: by kernel and place, those with most time of their own first.
    pub fn rows(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|one, other| {
            let place = (&one.kernel, one.place).cmp(&(&other.kernel, other.place));
            let time = other.self_cycles.cmp(&one.self_cycles);
            place.then(time).then_with(|| (&one.name, &one.location).cmp(&(&other.name, &other.location)))
        });
        rows
    }

    fn row(&mut self, kernel: usize, at: &Moment<'_>, scope: &Marker) -> usize {
        let place = self.per_cu.then_some((at.wave.slot.engine, at.wave.slot.cu));
        let event = (kernel, place, scope.index.get());
        if let Some(known) = self.by_event.get(&event) {
            return *known;
        }
        let key = (kernel, place, scope.kind, Arc::clone(&scope.name), scope.location.clone());
        let (rows, kernels) = (&mut self.rows, &self.kernels);
        let row = *self.by_key.entry(key).or_insert_with(|| {
            rows.push(Row {
                kernel: Arc::clone(&kernels[kernel]),
                place,
                kind: scope.kind,
                name: Arc::clone(&scope.name),
                location: scope.location.clone(),
                calls: 0,
                cut: 0,
                inferred: 0,
                self_cycles: 0,
                total_cycles: 0,
                self_spent: Bounds::default(),
                total_spent: Bounds::default(),
                durations: Histogram::default(),
            });
            rows.len() - 1
        });
        self.by_event.insert(event, row);
        row
    }
}

impl Sink for Summary {
    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        let name = wave.kernel.as_ref().map_or_else(|| Arc::from(""), |kernel| Arc::clone(&kernel.name));
        let kernel = self.kernels.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.kernels.push(name);
            self.kernels.len() - 1
        });
        self.waves.insert(wave.index, WaveState { kernel, ..WaveState::default() });
        Ok(())
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        let Some(kernel) = self.waves.get(&at.wave.index).map(|wave| wave.kernel) else { return Ok(()) };
        let row = self.row(kernel, at, scope);
        self.rows[row].calls += 1;
        if let Some(wave) = self.waves.get_mut(&at.wave.index) {
            wave.stack.push(Open {
                row,
                since: at.cycles,
                is_inferred: at.is_inferred(),
                inner: 0,
                spent: Default::default(),
            });
            *wave.open.entry(row).or_default() += 1;
        }
        Ok(())
    }

    fn exit(&mut self, at: &Moment<'_>, _: &Marker, close: Close) -> io::Result<()> {
        let Some(wave) = self.waves.get_mut(&at.wave.index) else { return Ok(()) };
        let Some(closed) = wave.stack.pop() else { return Ok(()) };
        let cycles = at.cycles.abs_diff(closed.since);
        let [own, inside] = closed.spent;
        let mut spent = own;
        spent += inside;
        if let Some(outer) = wave.stack.last_mut() {
            outer.inner = outer.inner.saturating_add(cycles);
            outer.spent[1] += spent;
        }
        let row = &mut self.rows[closed.row];
        row.self_cycles = row.self_cycles.saturating_add(cycles.saturating_sub(closed.inner));
        row.self_spent += own;
        let others = wave.open.entry(closed.row).or_default();
        *others = others.saturating_sub(1);
        if *others == 0 {
            row.total_cycles = row.total_cycles.saturating_add(cycles);
            row.total_spent += spent;
        }
        let is_inferred = closed.is_inferred || at.is_inferred();
        row.cut += u64::from(close == Close::Cut);
        row.inferred += u64::from(is_inferred);
        if close != Close::Cut && !is_inferred {
            row.durations.add(cycles);
        }
        Ok(())
    }

    fn end_wave(&mut self, wave: &Wave, _: i64) -> io::Result<()> {
        self.waves.remove(&wave.index);
        Ok(())
    }
}

impl Metered for Summary {
    fn spend(&mut self, wave: &Wave, cycles: Bounds) {
        let innermost = self.waves.get_mut(&wave.index).and_then(|wave| wave.stack.last_mut());
        if let Some(scope) = innermost {
            scope.spent[0] += cycles;
        }
    }
}
