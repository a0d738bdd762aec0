//! The table of the spec's "Extracting the funcmap".

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use super::listing::{Entry, Listing, Unit};
use crate::code_object::CodeObject;
use crate::terminal::printable;

/// Prints the tables of one run one after the other.
pub(super) struct Printer {
    has_several_files: bool,
    /// Whether each table needs a heading that says whose it is.
    has_headings: bool,
    is_first: bool,
}

impl Printer {
    pub(super) fn new(has_several_files: bool) -> Printer {
        Printer { has_several_files, has_headings: false, is_first: true }
    }

    /// What follows is of the next file, which holds that many code objects.
    pub(super) fn begin_file(&mut self, code_objects: usize) {
        self.has_headings = self.has_several_files || code_objects > 1;
    }

    /// Prints the map of a code object, or that it has none.
    pub(super) fn print(
        &mut self,
        out: &mut dyn Write,
        path: &Path,
        code_object: &CodeObject<'_>,
        listing: Option<&Listing>,
    ) -> io::Result<()> {
        if self.has_headings {
            let gap = if self.is_first { "" } else { "\n" };
            writeln!(out, "{gap}{}:", heading(path, code_object))?;
        }
        match listing {
            Some(listing) => print_map(out, listing)?,
            None if self.has_headings => writeln!(out, "  no map")?,
            None => {}
        }
        self.is_first = false;
        Ok(())
    }
}

/// The containers around a code object and its target, unless the innermost container is named after that.
fn heading(path: &Path, code_object: &CodeObject<'_>) -> String {
    let place = code_object.place().in_file(path);
    let target = code_object.target().to_string();
    if place.ends_with(&target) { place } else { format!("{place}, {}", printable(&target)) }
}

fn print_map(out: &mut dyn Write, listing: &Listing) -> io::Result<()> {
    writeln!(out, "{:>6}{:>10}  {:>18}  Name", "Type", "ID", "Vaddr")?;
    writeln!(out, "{:>6}{:>10}  {:>18}  ----", "----", "---", "-----")?;
    for (index, unit) in listing.units.iter().enumerate() {
        if listing.units.len() > 1 {
            writeln!(out, "  unit {} of {}:", index + 1, listing.units.len())?;
        }
        print_unit(out, unit)?;
    }
    Ok(())
}

fn print_unit(out: &mut dyn Write, unit: &Unit) -> io::Result<()> {
    if let Some(lanes) = unit.wave_size {
        writeln!(out, "  wave_size: {lanes}")?;
    }
    if let Some((bits, shift)) = unit.clock {
        writeln!(out, "  shader_clock: {bits} bits, shift {shift}")?;
    }
    unit.entries.iter().try_for_each(|entry| writeln!(out, "{}", line(entry)))
}

fn line(entry: &Entry) -> String {
    let id = entry.id.map_or_else(|| "-".to_owned(), |id| id.to_string());
    let address = entry.address.map_or_else(|| "-".to_owned(), |address| format!("{address:#018x}"));
    let name = printable(entry.demangled.as_ref().unwrap_or(&entry.name));
    let mut line = format!("{:>6}{id:>10}  {address:>18}  {name}", entry.kind.word());
    // Writing to a string cannot fail.
    if let Some(location) = &entry.location {
        let _ = write!(line, "  @ {}", printable(location));
    }
    if entry.is_inlined {
        line += "  (inlined)";
    }
    match entry.payload_records {
        0 => {}
        1 => line += "  (1 payload record)",
        count => {
            let _ = write!(line, "  ({count} payload records)");
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::listing::EntryKind;
    use super::*;

    fn entry(kind: EntryKind, id: Option<u32>, name: &str) -> Entry {
        let name = name.to_owned();
        let (address, demangled, location) = (None, None, None);
        Entry { kind, id, address, name, demangled, location, is_inlined: false, payload_records: 0 }
    }

    #[test]
    fn the_table_is_the_specs() {
        let located = |location: &str, entry: Entry| Entry { location: Some(location.to_owned()), ..entry };
        let at = |address, entry: Entry| Entry { address: Some(address), ..entry };
        let entries = vec![
            at(0x1000, located("kernel.hip:80", entry(EntryKind::Kernel, None, "_Z8kernelAi"))),
            entry(EntryKind::Scope, Some(1), "load_input"),
            at(0x1200, located("kernel.hip:42", entry(EntryKind::Function, Some(3), "_Z4syncv"))),
            Entry {
                is_inlined: true,
                ..located("helper.hpp:17", entry(EntryKind::Function, Some(4), "_Z12helper_funcv"))
            },
            entry(EntryKind::Point, Some(5), "barrier_signal"),
        ];
        let unit = Unit { wave_size: None, clock: None, entries };
        let mut out = Vec::new();
        print_map(&mut out, &Listing { units: vec![unit], warnings: Vec::new() }).unwrap();
        let expected = "  Type        ID               Vaddr  Name
  ----       ---               -----  ----
kernel         -  0x0000000000001000  _Z8kernelAi  @ kernel.hip:80
  user         1                   -  load_input
  func         3  0x0000000000001200  _Z4syncv  @ kernel.hip:42
  func         4                   -  _Z12helper_funcv  @ helper.hpp:17  (inlined)
 point         5                   -  barrier_signal
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_name_cannot_act_on_the_terminal() {
        let hostile =
            Entry { location: Some("a\u{1b}]0;x\u{7}".to_owned()), ..entry(EntryKind::Point, Some(1), "p\r\n") };
        assert_eq!(line(&hostile), " point         1                   -  p\\u{d}\\u{a}  @ a\\u{1b}]0;x\\u{7}");
    }
}
