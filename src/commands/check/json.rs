//! The JSON document of `sqtt check --json`; `docs/check.md` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::check::{Counts, Report, WaveReport};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    total: Counts,
    kernels: Vec<Kernel<'a>>,
    problems: &'a [String],
}

#[derive(Serialize)]
struct Kernel<'a> {
    name: &'a str,
    counts: Counts,
    lost_at: Vec<Lost<'a>>,
    waves: &'a [WaveReport],
}

#[derive(Serialize)]
struct Lost<'a> {
    place: &'a str,
    records: u64,
}

pub(super) fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let kernels = report.kernels.iter().map(|(name, kernel)| Kernel {
        name,
        counts: kernel.counts,
        lost_at: kernel.lost_at.iter().map(|(place, records)| Lost { place, records: *records }).collect(),
        waves: &kernel.faulty,
    });
    let document =
        Document { version: 1, total: report.total(), kernels: kernels.collect(), problems: &report.problems };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
