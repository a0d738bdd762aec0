//! The map of a module: its rows, and the section that carries them.

use std::fmt::Write;

use sqtt_contract::funcmap::{self, Row, Text};

use crate::functions;
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Function, Module};
use crate::numbering::Numbering;

/// The rows in the order that readers know from AMD's pass: functions by id, kernels in module order, then names
/// in the order in which they were first met.
pub(crate) fn rows(ledger: &Ledger, numbering: &Numbering, kernels: &[Function]) -> Vec<Row> {
    let numbered = |entry: &Entry| numbering.get(&entry.id).copied();
    let is_function = |entry: &&Entry| entry.kind == Kind::Function;
    let mut functions: Vec<(u32, &Entry)> =
        ledger.entries().iter().filter(is_function).filter_map(|entry| Some((numbered(entry)?, entry))).collect();
    functions.sort_by_key(|(id, _)| *id);
    let functions = functions.into_iter().map(|(id, entry)| Row::Function {
        id,
        name: text(&entry.name),
        location: entry.location.as_deref().map(text),
    });
    let kernels = kernels.iter().map(|kernel| Row::Kernel {
        name: text(&kernel.name()),
        location: functions::definition_place(*kernel).as_deref().map(text),
    });
    let names = ledger.entries().iter().filter(|entry| !is_function(entry)).filter_map(|entry| {
        let (id, name) = (numbered(entry)?, text(&entry.name));
        Some(if entry.kind == Kind::Scope { Row::Scope { id, name } } else { Row::Point { id, name, location: None } })
    });
    functions.chain(kernels).chain(names).collect()
}

fn text(bytes: &[u8]) -> Text {
    Text::from(bytes)
}

/// Writes the section as file-scope assembly.
///
/// A global in `llvm.used`, as the specification has it, is dropped by `ld.lld --gc-sections`; a section that is
/// allocated and retained ("aR") stays through that, `ld -r`, `llvm-strip`, llvm-link and LTO.
pub(crate) fn emit(module: Module, rows: &[Row]) {
    let mut assembly = format!("\t.pushsection {},\"aR\",@progbits\n", funcmap::SECTION);
    for line in funcmap::write(rows).split_inclusive(|byte| *byte == b'\n') {
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
