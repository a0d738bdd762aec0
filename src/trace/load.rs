//! The files of one shader engine -> its records in the order of their cycles, in batches.
//!
//! Files are almost always in order, and then no more than [`LIMIT`] records are ever held. That they are is seen before
//! the first batch goes out: what is beyond the limit is read a second time. What is not in order is held and sorted.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::diagnostics::{Diagnostics, Kind};
use super::engine::Places;
use super::record::Record;
use super::shaderdata::{self, Summary};
use crate::code_object::FileBytes;

/// Records of an engine that are held, if it is in order, 16 bytes each.
const LIMIT: usize = 1 << 20;

/// Records of a batch of those that are not held.
const BATCH: usize = 1 << 16;

/// What is to be known of the files of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    pub(super) files: u64,
    pub(super) bytes: u64,
    pub(super) diagnostics: Diagnostics,
}

/// Reads `files` and passes their records on with `send`, until that breaks. `whole` sends all of them in one batch.
pub(super) fn load(files: &[PathBuf], whole: bool, send: &mut dyn FnMut(Vec<Record>) -> ControlFlow<()>) -> Report {
    let mut report = Report::default();
    let mut head = Vec::new();
    let (mut order, mut counts) = (Order::default(), Vec::new());
    let limit = if whole { usize::MAX } else { LIMIT };
    for file in files {
        let mut count = 0;
        let summary = read(file, &mut report, |record| {
            order.see(&record);
            count += 1;
            if head.len() < limit {
                head.push(record);
            }
            ControlFlow::Continue(())
        });
        if let Some(summary) = summary {
            complain(file, &summary, &mut report.diagnostics);
        }
        counts.push(count);
    }
    report.diagnostics.add(Kind::Unsorted, order.unsorted);
    let (held, is_sorted) = (head.len() as u64, order.unsorted == 0);
    let is_all = held == counts.iter().sum::<u64>();
    let rest = |each: &mut dyn FnMut(Record) -> ControlFlow<()>| again(files, &counts, held, each);
    if !is_all && !is_sorted {
        rest(&mut |record| {
            head.push(record);
            ControlFlow::Continue(())
        });
    }
    if !is_sorted {
        head.sort_by_key(|record| record.cycles);
    }
    if send(head).is_break() || is_all || !is_sorted {
        return report;
    }
    let mut batch = Vec::with_capacity(BATCH);
    rest(&mut |record| {
        batch.push(record);
        if batch.len() < BATCH {
            return ControlFlow::Continue(());
        }
        send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)))
    });
    let _ = send(batch);
    report
}

/// Calls `each` with all records but the first `skip`, of files that were read before and hold `counts` records.
fn again(files: &[PathBuf], counts: &[u64], mut skip: u64, each: &mut dyn FnMut(Record) -> ControlFlow<()>) {
    for (file, count) in files.iter().zip(counts) {
        if *count <= skip {
            skip -= count;
            continue;
        }
        let mut left = *count - skip;
        let mut stopped = false;
        // What is wrong was said the first time.
        read(file, &mut Report::default(), |record| {
            if skip > 0 {
                skip -= 1;
                return ControlFlow::Continue(());
            }
            // A file that grew meanwhile has records that nobody has checked.
            if left == 0 {
                return ControlFlow::Break(());
            }
            left -= 1;
            let flow = each(record);
            stopped = flow.is_break();
            flow
        });
        if stopped {
            return;
        }
    }
}

fn read(file: &Path, report: &mut Report, each: impl FnMut(Record) -> ControlFlow<()>) -> Option<Summary> {
    match FileBytes::open(file) {
        Ok(bytes) => {
            report.files += 1;
            report.bytes += bytes.bytes().len() as u64;
            Some(shaderdata::read(bytes.bytes(), each))
        }
        Err(error) => {
            report.diagnostics.message(error);
            None
        }
    }
}

fn complain(file: &Path, summary: &Summary, diagnostics: &mut Diagnostics) {
    let (name, records) = (file.display(), summary.records);
    if let Some(malformed) = &summary.malformed {
        diagnostics.message(format_args!("`{name}`: {malformed}; the {records} records before are used"));
    }
    if let Some(column) = summary.missing_column {
        diagnostics.message(format_args!("`{name}`: its schema has no column `{column}`; the file is left out"));
    }
    diagnostics.add(Kind::MalformedRow, summary.malformed_rows);
    diagnostics.add(Kind::Saturated, summary.saturated);
    let read = records + summary.malformed_rows;
    diagnostics.add(Kind::MissingRecord, summary.declared.map_or(0, |declared| declared.saturating_sub(read)));
}

/// Whether the records of each wave slot come in order.
#[derive(Default)]
struct Order {
    places: Places,
    last: Vec<i64>,
    unsorted: u64,
}

impl Order {
    #[inline]
    fn see(&mut self, record: &Record) {
        let Some(at) = self.places.find(record) else {
            self.places.insert(record, self.last.len());
            self.last.push(record.cycles);
            return;
        };
        let last = &mut self.last[at];
        self.unsorted += u64::from(record.cycles < *last);
        *last = record.cycles.max(*last);
    }
}
