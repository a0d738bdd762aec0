//! A wave whose records are being read: its stack of open scopes, and the payload block that is under way.

use std::io;

use sqtt_contract::marker::Marker as Header;

use super::codebook::Codebook;
use super::diagnostics::{Diagnostics, Kind};
use super::marker::{CodeObjectIndex, MarkerIndex, MarkerKind};
use super::record::Record;
use super::repair::{Pending, Repair};
use super::sink::{Close, Moment, Payload, Role, Sink};
use super::totals::Totals;
use super::wave::Wave;

/// What a wave tells of itself, and to whom.
pub(super) struct Teller<'a> {
    pub(super) book: &'a mut Codebook,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) totals: &'a mut Totals,
}

/// One wave.
pub(super) struct Live {
    wave: Wave,
    code_object: Option<CodeObjectIndex>,
    /// Whether the occupancy has it.
    is_launched: bool,
    pub(super) is_selected: bool,
    stack: Vec<MarkerIndex>,
    block: Option<Block>,
    words: Vec<u32>,
    /// Cycles of its latest record; before the first, of its begin.
    last: i64,
    /// The same of the one before that.
    before: i64,
    /// Exits without a scope.
    orphans: u64,
    /// Whether its first record came after its launch, so that all of it was seen.
    is_from_begin: bool,
    /// Its records so far came before its launch, and are taken for those of a wave that ran in the slot when the trace began.
    is_early: bool,
    /// Headers that it had.
    headers: usize,
    repairs: Pending,
    /// Payload records that are left out with their header.
    dropped: u32,
    /// If its last header is put in by a repair: cycles of the record before it.
    inferred_since: Option<i64>,
}

/// What a header is known from.
#[derive(Clone, Copy)]
enum Source<'a> {
    Record(&'a Record),
    /// Something that repairs it: it was traced at these cycles, or later up to those that it is told at.
    Inferred {
        since: i64,
    },
}

/// A payload block of which records are missing.
#[derive(Clone, Copy)]
struct Block {
    marker: MarkerIndex,
    /// Cycles of its header.
    cycles: i64,
    declared: u32,
}

impl Live {
    pub(super) fn new(
        wave: Wave,
        code_object: Option<CodeObjectIndex>,
        is_launched: bool,
        is_selected: bool,
        first: i64,
        repairs: Pending,
    ) -> Live {
        Live {
            is_from_begin: is_launched && first >= wave.begin,
            is_early: repairs.is_from_launch && first < wave.begin,
            last: first.min(wave.begin),
            before: first.min(wave.begin),
            wave,
            code_object,
            is_launched,
            is_selected,
            stack: Vec::new(),
            block: None,
            words: Vec::new(),
            orphans: 0,
            headers: 0,
            repairs,
            dropped: 0,
            inferred_since: None,
        }
    }

    /// Takes its next record.
    pub(super) fn take(&mut self, record: &Record, to: &mut Teller<'_>) -> io::Result<()> {
        if self.is_early && record.cycles >= self.wave.begin {
            self.leave_early(to)?;
        }
        self.before = self.last;
        self.last = self.last.max(record.cycles);
        if record.is_privileged() {
            to.totals.privileged += 1;
            return self.tell(record, Role::Privileged, to);
        }
        if !self.is_launched {
            to.diagnostics.count(Kind::NoWave);
        }
        if let Some(block) = self.block {
            return self.payload(record, block, to);
        }
        if self.dropped > 0 {
            self.dropped -= 1;
            to.totals.dropped += 1;
            return Ok(());
        }
        let found = to.book.map(self.code_object).decode(record.value, record.is_immediate()).marker;
        if self.repair(record.cycles, to)? {
            let index = to.book.map(self.code_object).find(found.id);
            self.dropped = index.map_or(0, |index| to.book.markers.get(index).payload_count);
            to.totals.dropped += 1;
            return Ok(());
        }
        self.header(found, record.cycles, Source::Record(record), to)
    }

    /// Leaves the wave that ran in the slot when the trace began: what it has open is none of this one's.
    fn leave_early(&mut self, to: &mut Teller<'_>) -> io::Result<()> {
        self.is_early = false;
        self.cut_block(to)?;
        self.dropped = 0;
        self.inferred_since = None;
        self.last = self.last.max(self.wave.begin);
        self.cut_scopes(self.wave.begin, to)
    }

    /// Ends a payload block of which records are missing.
    fn cut_block(&mut self, to: &mut Teller<'_>) -> io::Result<()> {
        let Some(block) = self.block.take() else { return Ok(()) };
        to.diagnostics.count(Kind::CutBlock);
        self.point(block.marker, block.cycles, block.declared, to)
    }

    /// Cuts the scopes that are open.
    fn cut_scopes(&mut self, cycles: i64, to: &mut Teller<'_>) -> io::Result<()> {
        to.diagnostics.add(Kind::OpenScope, self.stack.len() as u64);
        while !self.stack.is_empty() {
            self.pop(cycles, Close::Cut, to)?;
        }
        Ok(())
    }

    /// Puts in what has to be in front of the next header, or in its place; whether that is to be left out.
    fn repair(&mut self, cycles: i64, to: &mut Teller<'_>) -> io::Result<bool> {
        let (number, mut is_dropped) = (self.headers, false);
        self.headers += 1;
        while let Some(repair) = self.repairs.next_at(number) {
            is_dropped |= !matches!(repair, Repair::Insert(_));
            let (marker, since) = match repair {
                Repair::Insert(marker) => (marker, self.before),
                Repair::Replace(marker) => (marker, cycles),
                Repair::Drop => continue,
            };
            to.totals.inferred += 1;
            self.header(marker, cycles, Source::Inferred { since }, to)?;
        }
        Ok(is_dropped)
    }

    /// Takes its next header.
    fn header(&mut self, header: Header, cycles: i64, source: Source<'_>, to: &mut Teller<'_>) -> io::Result<()> {
        let (record, inferred_since) = match source {
            Source::Record(record) => (Some(record), None),
            Source::Inferred { since } => (None, Some(since)),
        };
        self.inferred_since = inferred_since;
        let tell = |live: &Live, role, to: &mut Teller<'_>| record.map_or(Ok(()), |record| live.tell(record, role, to));
        if header.is_no_op() {
            to.totals.no_ops += 1;
            return tell(self, Role::NoOp, to);
        }
        if header.is_bare_exit() {
            tell(self, Role::Exit, to)?;
            return self.pop(cycles, Close::Exit, to);
        }
        let index = to.book.map(self.code_object).find(header.id);
        let index = index.unwrap_or_else(|| to.book.unknown(self.code_object, header.id));
        tell(self, Role::Marker(index), to)?;
        let found = to.book.markers.get(index);
        let (kind, payload_count) = (found.kind, found.payload_count);
        // A point's flags say nothing.
        let (exit, enter) = if kind == MarkerKind::Point { (false, false) } else { (header.exit, header.enter) };
        if kind == MarkerKind::Unknown {
            to.diagnostics.count(Kind::UnknownId);
            if exit && !enter {
                // No marker is written so; popping for it would unbalance what the map does explain.
                return Ok(());
            }
        }
        if exit {
            self.pop(cycles, if enter { Close::Fused } else { Close::Exit }, to)?;
        }
        if enter {
            to.totals.enters += 1;
            to.sink.enter(&self.moment(cycles, to.book), to.book.markers.get(index))?;
            self.stack.push(index);
        }
        if payload_count > 0 && record.is_some() {
            self.block = Some(Block { marker: index, cycles, declared: payload_count });
        } else if !exit && !enter {
            self.point(index, cycles, payload_count, to)?;
        }
        Ok(())
    }

    /// Ends it: cuts what is open. `limit` is when, if the trace does not say.
    pub(super) fn end(mut self, limit: Option<i64>, to: &mut Teller<'_>) -> io::Result<()> {
        self.cut_block(to)?;
        if self.orphans > 0 && self.is_from_begin {
            to.diagnostics.count(Kind::SuspectedLoss);
        }
        let cycles = self.wave.end.or(limit).map_or(self.last, |end| end.max(self.last));
        self.before = self.last;
        self.repair(cycles, to)?;
        self.inferred_since = None;
        self.cut_scopes(cycles, to)?;
        to.sink.end_wave(&self.wave, cycles)
    }

    fn payload(&mut self, record: &Record, block: Block, to: &mut Teller<'_>) -> io::Result<()> {
        to.totals.payload_words += 1;
        self.tell(record, Role::Payload { marker: block.marker, word: self.words.len() as u32 }, to)?;
        self.words.push(record.value);
        if self.words.len() as u64 >= u64::from(block.declared) {
            self.block = None;
            self.point(block.marker, block.cycles, block.declared, to)?;
        }
        Ok(())
    }

    fn pop(&mut self, cycles: i64, close: Close, to: &mut Teller<'_>) -> io::Result<()> {
        let Some(scope) = self.stack.pop() else {
            to.diagnostics.count(Kind::OrphanExit);
            self.orphans += 1;
            return Ok(());
        };
        to.sink.exit(&self.moment(cycles, to.book), to.book.markers.get(scope), close)
    }

    fn point(&mut self, index: MarkerIndex, cycles: i64, declared: u32, to: &mut Teller<'_>) -> io::Result<()> {
        to.totals.points += 1;
        let payload = Payload { words: &self.words, declared };
        to.sink.point(&self.moment(cycles, to.book), to.book.markers.get(index), payload)?;
        self.words.clear();
        Ok(())
    }

    fn tell(&self, record: &Record, role: Role, to: &mut Teller<'_>) -> io::Result<()> {
        to.sink.record(&self.moment(record.cycles, to.book), record, role)
    }

    fn moment<'a>(&'a self, cycles: i64, book: &'a Codebook) -> Moment<'a> {
        Moment {
            wave: &self.wave,
            cycles,
            scopes: &self.stack,
            markers: &book.markers,
            inferred_since: self.inferred_since,
        }
    }
}
