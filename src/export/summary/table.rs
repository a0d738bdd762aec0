//! A summary as text, JSON and CSV.

use std::io::{self, Write};

use serde::Serialize;

use super::Row;
use crate::terminal::printable;

/// One row of the JSON and CSV documents; all times in cycles of the shader clock.
#[derive(Serialize)]
struct Line<'a> {
    /// Nothing when it is not known.
    kernel: Option<&'a str>,
    se: Option<u32>,
    cu: Option<u8>,
    scope: &'a str,
    kind: &'a str,
    location: Option<&'a str>,
    calls: u64,
    cut: u64,
    /// Calls of which an end is inferred; of a summary of traces that are put right.
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<u64>,
    self_cycles: u64,
    total_cycles: u64,
    min_cycles: Option<u64>,
    p50_cycles: Option<u64>,
    p99_cycles: Option<u64>,
    max_cycles: Option<u64>,
    /// Without what markers issued, at least and at most; of a summary that knows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    self_lower_cycles: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_upper_cycles: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lower_cycles: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_upper_cycles: Option<u64>,
}

/// What a summary knows beside what all do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// Nothing.
    #[default]
    Usual,
    /// Bounds without what markers issued.
    WithoutMarkers,
    /// How many calls begin or end where a marker is inferred.
    Repaired,
}

impl<'a> Line<'a> {
    fn new(row: &'a Row, columns: Columns) -> Line<'a> {
        let is_metered = columns == Columns::WithoutMarkers;
        let own = is_metered.then(|| row.self_spent.left_of(row.self_cycles));
        let total = is_metered.then(|| row.total_spent.left_of(row.total_cycles));
        let percentiles = row.durations.percentiles([0.5, 0.99]);
        Line {
            kernel: Some(&*row.kernel).filter(|kernel| !kernel.is_empty()),
            se: row.place.map(|(engine, _)| engine),
            cu: row.place.map(|(_, cu)| cu),
            scope: &row.name,
            kind: row.kind.word(),
            location: row.location.as_deref(),
            calls: row.calls,
            cut: row.cut,
            inferred: (columns == Columns::Repaired).then_some(row.inferred),
            self_cycles: row.self_cycles,
            total_cycles: row.total_cycles,
            min_cycles: row.durations.min(),
            p50_cycles: percentiles.map(|[median, _]| median),
            p99_cycles: percentiles.map(|[_, p99]| p99),
            max_cycles: row.durations.max(),
            self_lower_cycles: own.map(|left| left.least),
            self_upper_cycles: own.map(|left| left.most),
            total_lower_cycles: total.map(|left| left.least),
            total_upper_cycles: total.map(|left| left.most),
        }
    }
}

/// Writes one JSON document: `{"scopes": [...]}`, with `assumptions`, what the bounds without markers take for granted, if
/// there are some. Errors: those of `out`.
pub fn json(rows: &[&Row], columns: Columns, assumptions: Option<&[String]>, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a> {
        scopes: Vec<Line<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        assumptions: Option<&'a [String]>,
    }
    let scopes = rows.iter().map(|row| Line::new(row, columns)).collect();
    serde_json::to_writer_pretty(&mut *out, &Document { scopes, assumptions })?;
    writeln!(out)
}

/// Writes a line of column names and a line each row. Errors: those of `out`.
pub fn csv(rows: &[&Row], columns: Columns, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows {
        writer.serialize(Line::new(row, columns)).map_err(io::Error::other)?;
    }
    writer.flush()
}

/// Writes a table each kernel, and each compute unit if these are apart. Errors: those of `out`.
pub fn text(rows: &[&Row], columns: Columns, out: &mut dyn Write) -> io::Result<()> {
    let of_one = |one: &&Row, other: &&Row| (&one.kernel, one.place) == (&other.kernel, other.place);
    for (number, group) in rows.chunk_by(of_one).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        heading(group[0], out)?;
        write!(out, "{:>10} {:>6} ", "calls", "cut")?;
        if columns == Columns::Repaired {
            write!(out, "{:>8} ", "inferred")?;
        }
        write!(out, "{:>14} {:>14}", "self cycles", "total cycles")?;
        if columns == Columns::WithoutMarkers {
            write!(out, " {:>24} {:>24}", "self without markers", "total without markers")?;
        }
        writeln!(out, " {:>10} {:>10} {:>10} {:>10}  scope", "min", "p50", "p99", "max")?;
        group.iter().try_for_each(|row| line(row, columns, out))?;
    }
    Ok(())
}

fn line(row: &Row, columns: Columns, out: &mut dyn Write) -> io::Result<()> {
    let line = Line::new(row, columns);
    write!(out, "{:>10} {:>6} ", line.calls, line.cut)?;
    if let Some(inferred) = line.inferred {
        write!(out, "{inferred:>8} ")?;
    }
    write!(out, "{:>14} {:>14}", line.self_cycles, line.total_cycles)?;
    let own = line.self_lower_cycles.zip(line.self_upper_cycles);
    let total = line.total_lower_cycles.zip(line.total_upper_cycles);
    for (lower, upper) in own.into_iter().chain(total) {
        write!(out, " {:>24}", format!("{lower}..{upper}"))?;
    }
    for cycles in [line.min_cycles, line.p50_cycles, line.p99_cycles, line.max_cycles] {
        let cell = cycles.map_or_else(|| "-".to_owned(), |cycles| cycles.to_string());
        write!(out, " {cell:>10}")?;
    }
    write!(out, "  {}", printable(line.scope))?;
    match line.location {
        Some(location) => writeln!(out, "  @ {}", printable(location)),
        None => writeln!(out),
    }
}

fn heading(row: &Row, out: &mut dyn Write) -> io::Result<()> {
    let kernel = if row.kernel.is_empty() { "unknown kernel" } else { &row.kernel };
    write!(out, "{}", printable(kernel))?;
    match row.place {
        Some((engine, cu)) => writeln!(out, ", SE {engine}, CU {cu}"),
        None => writeln!(out),
    }
}
