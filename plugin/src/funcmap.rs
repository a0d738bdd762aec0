//! The map of a module: its rows, and the section that carries them.

use std::fmt::Write;

use sqtt_contract::funcmap::{self, Row, Text};
use sqtt_contract::settings::Clock;

use crate::faults::{Point, lacks};
use crate::functions;
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Function, Module};
use crate::numbering::Numbering;

/// The rows in the order that readers know from AMD's pass: the layout, functions by id, kernels in module order,
/// names in the order in which they were first met, the groups, the wave size, addresses.
pub(crate) fn rows(
    ledger: &Ledger,
    numbering: &Numbering,
    kernels: &[Function],
    layout: Option<Clock>,
    lanes: Option<u32>,
) -> Vec<Row> {
    let of_kinds = |kinds: &[Kind]| {
        let wanted = |entry: &&Entry| kinds.contains(&entry.kind);
        let entries = ledger.entries().iter().filter(wanted);
        entries.filter_map(|entry| Some((*numbering.get(&entry.id)?, entry))).collect::<Vec<(u32, &Entry)>>()
    };
    let mut functions = of_kinds(&[Kind::Function]);
    functions.sort_by_key(|(id, _)| *id);
    let kernels = kernels.iter().map(|kernel| Row::Kernel {
        name: text(&kernel.name()),
        location: functions::definition_place(*kernel).as_deref().map(text),
    });
    let marked = |entries: Vec<(u32, &Entry)>| -> Vec<Row> {
        entries.into_iter().flat_map(|(id, entry)| rows_of(id, entry)).collect()
    };
    let layout = layout.map(|clock| Row::Layout { clock_bits: clock.bits, clock_shift: clock.shift });
    layout
        .into_iter()
        .chain(marked(functions))
        .chain(kernels)
        .chain(marked(of_kinds(&[Kind::Scope, Kind::Point])))
        .chain(marked(of_kinds(&[Kind::System])))
        .chain(lanes.map(Row::WaveSize))
        .chain(marked(of_kinds(&[Kind::Addresses])))
        .collect()
}

/// An entry's row, and its payload's behind it.
fn rows_of(id: u32, entry: &Entry) -> Vec<Row> {
    let (name, location) = (text(&entry.name), entry.location.as_deref().map(text));
    let row = match entry.kind {
        Kind::Function => Row::Function { id, name, location },
        Kind::Scope => Row::Scope { id, name },
        Kind::Point | Kind::System | Kind::Addresses => Row::Point { id, name, location },
    };
    let payload = (entry.payload > 0).then_some(Row::Payload { id, count: entry.payload });
    std::iter::once(row).chain(payload).collect()
}

fn text(bytes: &[u8]) -> Text {
    Text::from(bytes)
}

/// Writes the section as file-scope assembly.
///
/// A global in `llvm.used`, as the specification has it, is dropped by `ld.lld --gc-sections`; a section that is
/// allocated and retained ("aR") stays through that, `ld -r`, `llvm-strip`, llvm-link and LTO.
pub(crate) fn emit(module: Module, rows: &[Row], made: Made) {
    let mut map = funcmap::write(rows);
    if lacks(Point::EncodedNames) {
        map = funcmap::percent::decode(&map);
    }
    let flags = match made {
        Made::ForAll if lacks(Point::Retention) => "\"a\",@progbits",
        Made::ForAll => "\"aR\",@progbits",
        Made::ForLink => return module.add_section(GLOBAL, funcmap::SECTION, &map),
        Made::AtLink => "\"aMSR\",@progbits,1",
    };
    let mut assembly = format!("{}{flags}\n", start());
    for line in map.split_inclusive(|byte| *byte == b'\n') {
        assembly.push_str("\t.ascii \"");
        for byte in line {
            match byte {
                b'"' | b'\\' => assembly.extend(['\\', char::from(*byte)]),
                b' '..=b'~' => assembly.push(char::from(*byte)),
                // Three octal digits end an escape whatever follows. Writing to a string cannot fail.
                _ => _ = write!(assembly, "\\{byte:03o}"),
            }
        }
        assembly.push_str("\"\n");
    }
    assembly.push_str("\t.popsection\n");
    module.append_assembly(&assembly);
}

/// Which compile makes a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// One whose object is final.
    ForAll,
    /// One of a unit that will be linked with others. Its map is a global after all: clang-offload-bundler crashes on
    /// an archive with a unit that has file-scope assembly (LLVM 19 and 22).
    ForLink,
    /// The link. It may cut the module into parts, and each gets all file-scope assembly: the section's flags let the
    /// linker merge equal maps ("MS").
    AtLink,
}

/// The name of the global that holds the map of a unit for a link.
const GLOBAL: &str = "sqtt.funcmap";

/// How the assembly of a map starts.
fn start() -> String {
    format!("\t.pushsection {},", funcmap::SECTION)
}

/// Removes the maps that a link replaces by one of its own. Returns whether there are others.
pub(crate) fn remove_linkable(module: Module) -> bool {
    module.remove_sections(funcmap::SECTION);
    let start = start();
    module.assembly().split(|byte| *byte == b'\n').any(|line| line.starts_with(start.as_bytes()))
}
