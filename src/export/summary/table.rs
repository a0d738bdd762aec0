//! A summary as text, JSON and CSV.

use std::io::{self, Write};

use serde::Serialize;

use super::Row;
use crate::terminal::printable;

/// One row of the JSON and CSV documents; all times in cycles of the shader clock.
#[derive(Serialize)]
struct Line<'a> {
    kernel: &'a str,
    se: Option<u32>,
    cu: Option<u8>,
    scope: &'a str,
    kind: &'a str,
    location: Option<&'a str>,
    calls: u64,
    cut: u64,
    self_cycles: u64,
    total_cycles: u64,
    min_cycles: Option<u64>,
    p50_cycles: Option<u64>,
    p99_cycles: Option<u64>,
    max_cycles: Option<u64>,
}

impl<'a> Line<'a> {
    fn new(row: &'a Row) -> Line<'a> {
        let percentiles = row.durations.percentiles([0.5, 0.99]);
        Line {
            kernel: &row.kernel,
            se: row.place.map(|(engine, _)| engine),
            cu: row.place.map(|(_, cu)| cu),
            scope: &row.name,
            kind: row.kind.word(),
            location: row.location.as_deref(),
            calls: row.calls,
            cut: row.cut,
            self_cycles: row.self_cycles,
            total_cycles: row.total_cycles,
            min_cycles: row.durations.min(),
            p50_cycles: percentiles.map(|[median, _]| median),
            p99_cycles: percentiles.map(|[_, p99]| p99),
            max_cycles: row.durations.max(),
        }
    }
}

/// Writes one JSON document: `{"scopes": [...]}`. Errors: those of `out`.
pub fn json(rows: &[&Row], out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        scopes: Vec<Line<'a>>,
    }
    let document = Document { scopes: rows.iter().map(|row| Line::new(row)).collect() };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Writes a line of column names and a line each row. Errors: those of `out`.
pub fn csv(rows: &[&Row], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows {
        writer.serialize(Line::new(row)).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a table each kernel, and each compute unit if these are apart. Errors: those of `out`.
pub fn text(rows: &[&Row], out: &mut dyn Write) -> io::Result<()> {
    let of_one = |one: &&Row, other: &&Row| (&one.kernel, one.place) == (&other.kernel, other.place);
    for (number, group) in rows.chunk_by(of_one).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        heading(group[0], out)?;
        writeln!(
            out,
            "{:>10} {:>6} {:>14} {:>14} {:>10} {:>10} {:>10} {:>10}  scope",
            "calls", "cut", "self cycles", "total cycles", "min", "p50", "p99", "max"
        )?;
        for row in group {
            let line = Line::new(row);
            let cell = |cycles: Option<u64>| cycles.map_or_else(|| "-".to_owned(), |cycles| cycles.to_string());
            write!(
                out,
                "{:>10} {:>6} {:>14} {:>14} {:>10} {:>10} {:>10} {:>10}  {}",
                line.calls,
                line.cut,
                line.self_cycles,
                line.total_cycles,
                cell(line.min_cycles),
                cell(line.p50_cycles),
                cell(line.p99_cycles),
                cell(line.max_cycles),
                printable(line.scope)
            )?;
            match line.location {
                Some(location) => writeln!(out, "  @ {}", printable(location))?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}

fn heading(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let kernel = if row.kernel.is_empty() { "unknown kernel" } else { &row.kernel };
    write!(out, "{}", printable(kernel))?;
    match row.place {
        Some((engine, cu)) => writeln!(out, ", SE {engine}, CU {cu}"),
        None => writeln!(out),
    }
}
