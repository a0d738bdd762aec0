//! Costs for a person.
//!
//! ```text
//! a.co
//! kernel `_Z4tilePj`: 46 instructions, 236 bytes; of these for markers 19, 84 bytes (41 %)
//!   markers 9 (36 bytes), scope check 8 (40 bytes), boundaries 2 (8 bytes)
//!   without instrumentation 27, 152 bytes: 19 more, 84 bytes
//!   registers: 4 vector (4), 12 scalar (8); scratch 0 bytes (0), LDS 256 bytes (256)
//!   id  kind   sites  short  instructions  bytes  loops  name
//!    1  U          1      0             3     12      0  tile
//! ```

use std::io::{self, Write};

use sqtt_contract::funcmap::Row;

use super::read::{Beside, Object};
use crate::code_object::Resources;
use crate::cost::{Advice, Amount, FunctionCost};
use crate::terminal::printable;

pub(super) fn print(object: &Object, advise: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", printable(&object.name))?;
    let marked = object.costs.functions.iter().filter(|function| function.added() != Amount::default());
    let mut is_marked = false;
    for function in marked {
        is_marked = true;
        print_function(object, function, out)?;
    }
    if !is_marked {
        writeln!(out, "  no instrumentation")?;
    }
    if let Some(plain) = &object.plain {
        print_total(object, plain, out)?;
    }
    if advise {
        print_advice(&object.advice, out)?;
    }
    Ok(())
}

fn print_function(object: &Object, function: &FunctionCost, out: &mut dyn Write) -> io::Result<()> {
    let (total, added) = (function.total, function.added());
    let kind = if function.is_kernel { "kernel" } else { "function" };
    let share = added.instructions * 100 / total.instructions.max(1);
    writeln!(
        out,
        "{kind} `{}`: {} instructions, {} bytes; of these for markers {}, {} bytes ({share} %)",
        printable(&function.name),
        total.instructions,
        total.bytes,
        added.instructions,
        added.bytes
    )?;
    let part = |amount: Amount| format!("{} ({} bytes)", amount.instructions, amount.bytes);
    writeln!(
        out,
        "  markers {}, scope check {}, boundaries {}",
        part(function.markers),
        part(function.checks),
        part(function.boundaries)
    )?;
    let grown = object.plain.iter().flat_map(|plain| &plain.growth).find(|growth| growth.name == function.name);
    if let Some(grown) = grown {
        match grown.without {
            Some(without) => writeln!(out, "  {}", difference(total, without))?,
            None => writeln!(out, "  without instrumentation there is no such function")?,
        }
    }
    let resources = object.resources.iter().find(|(name, _)| *name == function.name);
    if let Some((name, resources)) = resources {
        let plain = object.plain.iter().flat_map(|plain| &plain.resources).find(|(plain, _)| plain == name);
        writeln!(out, "  {}", taken(resources, plain.map(|(_, resources)| resources)))?;
    }
    print_markers(object, function, out)
}

fn difference(with: Amount, without: Amount) -> String {
    let more = |with: u64, without: u64, unit: &str| match with.checked_sub(without) {
        Some(more) => format!("{more} more {unit}"),
        None => format!("{} fewer {unit}", without - with),
    };
    format!(
        "without instrumentation {} instructions, {} bytes: {}, {}",
        without.instructions,
        without.bytes,
        more(with.instructions as u64, without.instructions as u64, "instructions"),
        more(with.bytes, without.bytes, "bytes")
    )
}

fn taken(with: &Resources, without: Option<&Resources>) -> String {
    let pair = |of: fn(&Resources) -> u32, unit: &str| {
        let beside = without.map_or_else(String::new, |without| format!(" (without {})", of(without)));
        format!("{}{unit}{beside}", of(with))
    };
    let mut text = format!(
        "registers: {} vector, {} scalar; scratch {}, LDS {}",
        pair(|r| r.vgprs, ""),
        pair(|r| r.sgprs, ""),
        pair(|r| r.scratch_bytes, " bytes"),
        pair(|r| r.lds_bytes, " bytes")
    );
    if with.spilled_vgprs + with.spilled_sgprs > 0 {
        let (vector, scalar) = (pair(|r| r.spilled_vgprs, ""), pair(|r| r.spilled_sgprs, ""));
        text += &format!("; spilled {vector} vector, {scalar} scalar");
    }
    text
}

fn print_markers(object: &Object, function: &FunctionCost, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "    id  kind  sites  short  instructions  bytes  loops  name")?;
    let index = object.map.index();
    for (id, cost) in &function.by_marker {
        let row = id.and_then(|id| index.find(id));
        let name = match (id, row) {
            (Some(0), _) => "(exits)".to_owned(),
            (None, _) => "(known at run time)".to_owned(),
            (Some(_), None) => "(not in the map)".to_owned(),
            (Some(_), Some(row)) => row.name().map(ToString::to_string).unwrap_or_default(),
        };
        let kind = row.map_or('-', Row::letter);
        let id = id.filter(|id| *id > 0).map_or_else(|| "-".to_owned(), |id| id.to_string());
        writeln!(
            out,
            "  {id:>4}  {kind:<4}  {:>5}  {:>5}  {:>12}  {:>5}  {:>5}  {}",
            cost.sites,
            cost.short_sites,
            cost.amount.instructions,
            cost.amount.bytes,
            cost.heat,
            printable(&name)
        )?;
    }
    Ok(())
}

fn print_total(object: &Object, plain: &Beside, out: &mut dyn Write) -> io::Result<()> {
    let (mut with, mut without, mut added) = (Amount::default(), Amount::default(), Amount::default());
    for growth in &plain.growth {
        with += growth.with.unwrap_or_default();
        without += growth.without.unwrap_or_default();
        if growth.with.is_none() {
            writeln!(out, "function `{}` is there without instrumentation only", printable(&growth.name))?;
        }
    }
    object.costs.functions.iter().for_each(|function| added += function.added());
    writeln!(
        out,
        "in all {} instructions, {} bytes; {}; told from the program {} instructions, {} bytes",
        with.instructions,
        with.bytes,
        difference(with, without),
        added.instructions,
        added.bytes
    )
}

fn print_advice(advice: &[Advice], out: &mut dyn Write) -> io::Result<()> {
    if advice.is_empty() {
        return writeln!(out, "advice: nothing stands out");
    }
    writeln!(out, "advice:")?;
    for one in advice {
        writeln!(out, "  - {}", printable(&one.reason))?;
        if let Some((table, line)) = one.setting.as_ref().and_then(|setting| setting.lines()) {
            writeln!(out, "    in sqtt.toml:")?;
            writeln!(out, "      {table}")?;
            writeln!(out, "      {}", printable(&line))?;
        }
    }
    Ok(())
}
