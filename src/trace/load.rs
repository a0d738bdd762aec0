//! The files of one shader engine -> its records in the order of their cycles, in batches.
//!
//! Files are almost always in order, and then no more than [`Memory::held`] records are ever held. That they are is seen before
//! the first batch goes out: what is beyond the limit is read a second time. What is not in order is held and sorted.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::diagnostics::{Diagnostics, Kind};
use super::engine::Places;
use super::record::Record;
use super::shaderdata::{self, Summary};
use crate::code_object::FileBytes;

/// How much of an engine is held, in records of 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// If it is in order; they go out in one batch.
    pub(super) held: usize,
    /// Of each batch of the others.
    pub(super) batch: usize,
}

impl Memory {
    /// What there is on any machine.
    pub(super) const USUAL: Memory = Memory { held: 1 << 21, batch: 1 << 16 };

    /// All of an engine in one batch.
    pub(super) const WHOLE: Memory = Memory { held: usize::MAX, batch: 1 };
}

/// What is to be known of the files of an engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    pub(super) files: u64,
    pub(super) diagnostics: Diagnostics,
}

/// Reads `files` and passes their records on with `send`, until that breaks. Adds the bytes that are read to `done`.
pub(super) fn load(
    files: &[PathBuf],
    memory: Memory,
    done: &AtomicU64,
    send: &mut dyn FnMut(Vec<Record>) -> ControlFlow<()>,
) -> Report {
    let mut report = Report::default();
    let mut head = Vec::new();
    let (mut order, mut counts) = (Order::default(), Vec::new());
    for file in files {
        let mut count = 0;
        let summary = read(file, &mut report, done, |record| {
            order.see(&record);
            count += 1;
            if head.len() < memory.held {
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
    let mut batch = Vec::with_capacity(memory.batch);
    rest(&mut |record| {
        batch.push(record);
        if batch.len() < memory.batch {
            return ControlFlow::Continue(());
        }
        send(std::mem::replace(&mut batch, Vec::with_capacity(memory.batch)))
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
        read(file, &mut Report::default(), &AtomicU64::new(0), |record| {
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

fn read(
    file: &Path,
    report: &mut Report,
    done: &AtomicU64,
    each: impl FnMut(Record) -> ControlFlow<()>,
) -> Option<Summary> {
    match FileBytes::open(file) {
        Ok(bytes) => {
            report.files += 1;
            let summary = shaderdata::read(bytes.bytes(), each);
            done.fetch_add(bytes.bytes().len() as u64, Ordering::Relaxed);
            Some(summary)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The cycles of all batches that come of files with these cycles, each in the wave slot that is its last digit.
    fn batches(files: &[&[i64]], memory: Memory, take: usize) -> (Vec<Vec<i64>>, u64) {
        let directory = tempfile::tempdir().unwrap();
        let write = |(number, cycles): (usize, &&[i64])| {
            let path = directory.path().join(number.to_string());
            let rows: Vec<String> = cycles.iter().map(|cycles| format!("[{cycles},4,0,0,{},0]", cycles % 10)).collect();
            std::fs::write(&path, format!("{{\"records\": [{}]}}", rows.join(","))).unwrap();
            path
        };
        let paths: Vec<PathBuf> = files.iter().enumerate().map(write).collect();
        let mut batches: Vec<Vec<i64>> = Vec::new();
        let report = load(&paths, memory, &AtomicU64::new(0), &mut |batch| {
            batches.push(batch.iter().map(|record| record.cycles).collect());
            if batches.len() < take { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        batches.retain(|batch| !batch.is_empty());
        (batches, report.diagnostics.of(Kind::Unsorted))
    }

    const FEW: Memory = Memory { held: 3, batch: 2 };
    const FILES: [&[i64]; 4] = [&[10, 20], &[], &[30, 40, 50], &[60, 70, 80]];

    #[test]
    fn what_is_beyond_the_limit_comes_in_batches_and_in_order() {
        assert_eq!(batches(&FILES, FEW, 99).0, [vec![10, 20, 30], vec![40, 50], vec![60, 70], vec![80]]);
        assert_eq!(batches(&FILES, Memory { held: 2, batch: 9 }, 99).0, [vec![10, 20], vec![30, 40, 50, 60, 70, 80]]);
        assert_eq!(batches(&FILES, Memory::WHOLE, 99).0, [vec![10, 20, 30, 40, 50, 60, 70, 80]]);
        assert_eq!(batches(&FILES, FEW, 2).0, [vec![10, 20, 30], vec![40, 50]]);
    }

    #[test]
    fn what_is_not_in_order_comes_sorted_wherever_the_disorder_is() {
        let files: [&[i64]; 3] = [&[10, 20], &[30, 40], &[50, 20, 60]];
        assert_eq!(batches(&files, FEW, 99), (vec![vec![10, 20, 20, 30, 40, 50, 60]], 1));
        // The order of different wave slots does not matter.
        let files: [&[i64]; 2] = [&[15, 27, 14], &[13, 37]];
        assert_eq!(batches(&files, FEW, 99), (vec![vec![15, 27, 14], vec![13, 37]], 0));
    }
}
