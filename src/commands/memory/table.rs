//! The sums of memory operations as a table, the worst line first.

use std::cmp::Reverse;
use std::io::{self, Write};

use crate::export::access::Space;
use crate::export::memory::lines::Lines;
use crate::export::memory::strides::{Stride, Strides};
use crate::export::memory::summary::{Place, Totals};
use crate::terminal::printable;

/// The columns; the first is the last one printed, as lines of source have any length.
const HEAD: [&str; 9] =
    ["Operations", "Lanes", "64 B lines", "used", "128 B lines", "used", "32 banks", "64 banks", "Stride"];

/// Prints `places`: per operation the lanes, cache lines and passes through LDS, and how much of the lines is used.
pub(super) fn print(out: &mut dyn Write, places: &[(Place, Totals)]) -> io::Result<()> {
    let mut places: Vec<&(Place, Totals)> = places.iter().collect();
    places.sort_by_key(|(place, totals)| (Reverse(totals.wasted()), place));
    let rows: Vec<[String; 9]> = places.iter().map(|(place, totals)| row(place, totals)).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).max(HEAD[at].len());
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut line = |cells: &mut dyn Iterator<Item = &str>, kind: &str, source: &str| {
        for (width, cell) in widths.iter().zip(cells) {
            write!(out, "{cell:>width$}  ")?;
        }
        writeln!(out, "{kind:<12}  {source}")
    };
    line(&mut HEAD.into_iter(), "Kind", "Source")?;
    for ((place, _), row) in places.into_iter().zip(&rows) {
        let source = printable(&place.name()).to_string();
        line(&mut row.iter().map(String::as_str), &printable(&place.kind).to_string(), &source)?;
    }
    Ok(())
}

fn row(place: &Place, totals: &Totals) -> [String; 9] {
    let is_memory = matches!(place.space, Space::Global | Space::Buffer);
    let each = |count: u64| format!("{:.1}", count as f64 / totals.operations as f64);
    let touched = |lines: Lines| if is_memory { each(lines.touched) } else { "-".to_owned() };
    let used = |lines: Lines| match lines.efficiency() {
        Some(share) if is_memory => format!("{:.0}%", 100.0 * share),
        _ => "-".to_owned(),
    };
    let passes = |at: usize| if place.space == Space::Lds { each(totals.passes[at].taken) } else { "-".to_owned() };
    let [small, large] = totals.lines;
    [
        totals.operations.to_string(),
        each(totals.lanes),
        touched(small),
        used(small),
        touched(large),
        used(large),
        passes(0),
        passes(1),
        stride(&totals.strides, totals.operations),
    ]
}

/// The most frequent stride, and its share if there are others.
fn stride(strides: &Strides, operations: u64) -> String {
    let Some((stride, count)) = strides.most() else { return "-".to_owned() };
    let word = match stride {
        Stride::Idle => "no lane".to_owned(),
        Stride::Single => "one lane".to_owned(),
        Stride::Same => "same".to_owned(),
        Stride::Unit => "unit".to_owned(),
        Stride::Constant(bytes) => format!("{bytes} B"),
        Stride::Random => "random".to_owned(),
    };
    if count == operations { word } else { format!("{word} {:.0}%", 100.0 * count as f64 / operations as f64) }
}
