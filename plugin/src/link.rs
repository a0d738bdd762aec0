//! The link of several units (`-fgpu-rdc`, device LTO): one map for all of them, and ids that are unique in it.
//!
//! Every unit was made complete by its own compile: code, map, tables ([`crate::units`]). Here, behind the link's
//! optimizer, nothing is instrumented any more; only the ids in the records change, and the units' maps become one.

use std::collections::HashMap;

use sqtt_contract::funcmap::Row;
use sqtt_contract::marker::{Encoding, Marker};
use sqtt_contract::settings::Clock;
use sqtt_contract::variables;

use crate::faults::{Point, lacks};
use crate::funcmap::{self, Made};
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{Builder, Function, Instruction, Module, Severity};
use crate::lower::Lowering;
use crate::numbering::{self, Numbering};
use crate::records::{self, Tag};
use crate::target::{self, Lookup, instrumentable};
use crate::units::Unit;
use crate::{Error, effects, uniform};

/// Runs the phase. Returns whether the module was changed.
pub(crate) fn run(module: Module) -> Result<bool, Error> {
    let units = Unit::load(module);
    if units.is_empty() || lacks(Point::LinkedUnits) {
        return Ok(false);
    }
    if module.is_for_thin_lto() {
        return Err(Error::NotWhole);
    }
    let layout = common_layout(&units)?;
    let encoding = layout.map_or(Ok(Encoding::PLAIN), Clock::encoding)?;
    let by_key: HashMap<u64, &Unit> = units.iter().map(|unit| (unit.key, unit)).collect();
    let merged = Merged::of(&units);
    let records = records::tagged(module);
    let mut counts = HashMap::new();
    for (_, tag) in &records {
        *counts.entry(merged.provisional(tag)?).or_insert(0) += 1;
    }
    let numbering = numbering::number(&merged.ledger, merged.early, &counts);
    for (record, tag) in records {
        let unit = by_key.get(&tag.unit).ok_or(Error::NotWhole)?;
        // Numbering covers every record that is in the code.
        let id = numbering.get(&merged.provisional(&tag)?).ok_or(Error::NotWhole)?;
        renumber(record, tag.marker, *id, unit, encoding)?;
    }
    write_map(module, &units, &merged.ledger, &numbering, layout);
    Unit::forget(module);
    uniform::settle(module)?;
    Ok(true)
}

/// The layout of all headers, which is the code object's: there is one `M:` row.
fn common_layout(units: &[Unit]) -> Result<Option<Clock>, Error> {
    let mut marked = units.iter().filter(|unit| unit.facts.headers);
    let Some(first) = marked.next() else { return Ok(None) };
    match marked.find(|unit| unit.facts.clock != first.facts.clock) {
        Some(other) => Err(Error::Conflict(format!(
            "`{}` has markers with {}, `{}` with {}, and no reader could tell them apart: compile all units with the same \
             {} and {}",
            String::from_utf8_lossy(&first.source),
            described(first.facts.clock),
            String::from_utf8_lossy(&other.source),
            described(other.facts.clock),
            variables::SHADER_CLOCK_BITS,
            variables::SHADER_CLOCK_SHIFT,
        ))),
        None => Ok(first.facts.clock),
    }
}

fn described(clock: Option<Clock>) -> String {
    clock.map_or_else(
        || "no clock".to_owned(),
        |Clock { bits, shift }| format!("{bits} bits of the clock from bit {shift}"),
    )
}

/// The markers of all units, each that means the same once.
struct Merged {
    ledger: Ledger,
    /// How many entries at the front are functions and names; groups and addresses follow.
    early: usize,
    /// Provisional ids by unit and the id there.
    ids: HashMap<(u64, u32), u32>,
}

impl Merged {
    fn of(units: &[Unit]) -> Merged {
        let mut merged = Merged { ledger: Ledger::default(), early: 0, ids: HashMap::new() };
        let mut known = HashMap::new();
        let is_early = |kind: Kind| matches!(kind, Kind::Function | Kind::Scope | Kind::Point);
        for wants_early in [true, false] {
            for unit in units {
                for entry in unit.entries.iter().filter(|entry| is_early(entry.kind) == wants_early) {
                    let mut add = || merged.ledger.add(entry.clone());
                    let id = match identity(unit, entry) {
                        Some(identity) => *known.entry(identity).or_insert_with(add),
                        None => add(),
                    };
                    merged.ids.insert((unit.key, entry.id), id);
                }
            }
            if wants_early {
                merged.early = merged.ledger.entries().len();
            }
        }
        merged
    }

    fn provisional(&self, tag: &Tag) -> Result<u32, Error> {
        self.ids.get(&(tag.unit, tag.marker.id)).copied().ok_or(Error::NotWhole)
    }
}

/// What makes two units' markers one: a name, a group, a function that is the same wherever it is named. A local
/// function is its unit's own, and so is a memory operation.
fn identity<'a>(unit: &Unit, entry: &'a Entry) -> Option<(Kind, u32, &'a [u8], u64)> {
    let owner = match entry.kind {
        Kind::Addresses => return None,
        Kind::Function if entry.local => unit.key,
        _ => 0,
    };
    Some((entry.kind, entry.payload, &entry.name, owner))
}

/// Gives a record its id in the linked code.
fn renumber(record: Instruction, marker: Marker, id: u32, unit: &Unit, encoding: Encoding) -> Result<(), Error> {
    records::untag(record);
    let module = record.function().module();
    let words = encoding.encode(marker, 0).and_then(|old| Ok((old, encoding.encode(Marker { id, ..marker }, 0)?)));
    let (old, new) = match words {
        Ok(words) => words,
        Err(problem) => {
            module.report(Some(record.into()), Severity::Error, &format!("sqtt: {problem}"));
            return Ok(());
        }
    };
    if old == new {
        return Ok(());
    }
    let builder = Builder::before(record, record.location());
    match record.argument(0) {
        // The clock is in the word already, and the id in bits of its own: what is added stays there.
        Some(word) if word.as_constant().is_none() => {
            record.set_operand(0, builder.add(word, builder.i32(new.wrapping_sub(old))));
        }
        _ => {
            let function = record.function();
            let Lookup::Known(target) = target::of(function) else { return Ok(()) };
            let controlled = effects::uses_convergence_tokens(function);
            let lowering = Lowering::new(module, target, unit.facts.m0_nop, controlled, None);
            lowering.emit_short(&builder, new).copy_metadata_of(record);
            record.erase();
        }
    }
    Ok(())
}

/// Puts one map in the place of the units'.
fn write_map(module: Module, units: &[Unit], ledger: &Ledger, numbering: &Numbering, layout: Option<Clock>) {
    let others = funcmap::remove_linkable(module);
    if others {
        let text = "sqtt: some units have markers that were not made for a link with others: their ids may be those of \
                    other markers; compile all units with sqtt-hipcc and the options of this link";
        module.report(None, Severity::Warning, text);
    }
    let functions = instrumentable(module).into_iter().map(|(function, _)| function);
    let kernels: Vec<Function> = functions.filter(|f| f.is_kernel()).collect();
    let lanes = units.iter().filter_map(|unit| unit.facts.lanes).max();
    let rows: Vec<Row> = funcmap::rows(ledger, numbering, &kernels, layout, lanes);
    // The assembler takes one set of flags per section.
    funcmap::emit(module, &rows, if others { Made::ForAll } else { Made::AtLink });
}
