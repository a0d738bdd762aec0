//! Differences for a person.
//!
//! ```text
//! amdgcn-amd-amdhsa--gfx942
//!   map
//!     added       scope `store`, id 3
//!     renumbered  scope `load`: id 1 -> id 2
//!   kernel `scale`
//!     moved       enter scope `load`: block 0 of 3 between a load and a store, a.hip:12 -> block 1 of 3 at the start
//! before/a.out -> after/a.out: 1 code object, 1 added, 0 lost, 1 moved, 1 renumbered, 0 altered
//! ```

use std::borrow::Cow;
use std::io::{self, Write};

use super::report::{Object, Report, Side};
use crate::demangle::demangle;
use crate::diff::{Change, MarkerChange, RowChange, RowSide, Spot};
use crate::machine::{Action, Label, Landmark, Subject};
use crate::terminal::printable;

pub(super) fn print(report: &Report, demangled: bool, out: &mut dyn Write) -> io::Result<()> {
    let names = Names { demangled };
    for object in report.objects.iter().filter(|object| !object.is_same()) {
        names.object(object, out)?;
    }
    let counts = Change::ALL.iter().zip(report.counts()).map(|(change, count)| format!("{count} {change}"));
    let objects = report.objects.len();
    let objects = format!("{objects} code object{}", if objects == 1 { "" } else { "s" });
    let counts: Vec<String> = std::iter::once(objects).chain(counts).collect();
    writeln!(out, "{} -> {}: {}", printable(&report.a), printable(&report.b), counts.join(", "))?;
    for side in report.objects.iter().flat_map(|object| [&object.a, &object.b]).flatten() {
        if let Some(reason) = side.unseen {
            writeln!(out, "  only the map was compared: {}: {reason}", side.place)?;
        }
    }
    Ok(())
}

struct Names {
    demangled: bool,
}

impl Names {
    fn object(&self, object: &Object, out: &mut dyn Write) -> io::Result<()> {
        let presence = match (&object.a, &object.b) {
            (None, Some(side)) => format!(": added: {}", side.place),
            (Some(side), None) => format!(": lost: {}", side.place),
            _ => String::new(),
        };
        writeln!(out, "{}{presence}", printable(&object.target))?;
        if !object.diff.rows.is_empty() {
            writeln!(out, "  map")?;
        }
        for row in &object.diff.rows {
            writeln!(out, "    {:<11} {}", row.change, printable(&self.row(row)))?;
        }
        for function in &object.diff.functions {
            let kind = if function.is_kernel { "kernel" } else { "function" };
            writeln!(out, "  {}", printable(&format!("{kind} `{}`", self.name(&function.name))))?;
            for change in &function.changes {
                let text = self.marker(object, &function.name, change);
                writeln!(out, "    {:<11} {}", change.change, printable(&text))?;
            }
        }
        Ok(())
    }

    fn name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        let demangled = if self.demangled { demangle(name.as_bytes()) } else { None };
        demangled.map_or(Cow::Borrowed(name), Cow::Owned)
    }

    fn row(&self, row: &RowChange) -> String {
        let name = match kind(row.letter) {
            kind if row.name.is_empty() => kind.to_owned(),
            kind => format!("{kind} `{}`", self.name(&row.name)),
        };
        let id = |side: &RowSide| side.id.map(|id| format!("id {id}"));
        let place = |side: &RowSide| side.location.clone().unwrap_or_else(|| "no place".to_owned());
        let told =
            |side: &RowSide| side.says.clone().unwrap_or_else(|| format!("{} payload records", side.payload_records));
        let to = |side: &dyn Fn(&RowSide) -> String| {
            let side = |one: &Option<RowSide>| one.as_ref().map(side).unwrap_or_default();
            format!("{name}: {} -> {}", side(&row.a), side(&row.b))
        };
        match row.change {
            Change::Moved => to(&place),
            Change::Renumbered => to(&|side| id(side).unwrap_or_default()),
            Change::Altered => to(&told),
            Change::Added | Change::Lost => {
                let side = row.a.as_ref().or(row.b.as_ref());
                let at = side.and_then(|side| side.location.as_ref()).map(|location| format!("at {location}"));
                let says = side.and_then(|side| side.says.clone());
                let more = [says, at, side.and_then(id)].into_iter().flatten();
                std::iter::once(name).chain(more).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn marker(&self, object: &Object, function: &str, change: &MarkerChange) -> String {
        let spot = |spot: &Option<Spot>, side: &Option<Side>| Some(self.spot(function, spot.as_ref()?, side.as_ref()?));
        let spots = [spot(&change.a, &object.a), spot(&change.b, &object.b)];
        format!("{}: {}", self.label(&change.label), spots.into_iter().flatten().collect::<Vec<_>>().join(" -> "))
    }

    fn label(&self, label: &Label) -> String {
        let action = match label.action {
            Action::Enter => "enter",
            Action::Exit => "exit",
            Action::Point => "point",
        };
        match &label.subject {
            Subject::Row('P', name) => format!("{action} `{}`", self.name(name)),
            Subject::Row(letter, name) => format!("{action} {} `{}`", kind(*letter), self.name(name)),
            Subject::Number(number) => format!("{action} {number}"),
            Subject::Unknown => format!("{action} of unknown name"),
        }
    }

    /// The function is named where it is not the one that this stands below.
    fn spot(&self, below: &str, spot: &Spot, side: &Side) -> String {
        let mut text = format!("block {} of {} {}", spot.block, spot.blocks, surroundings(spot));
        if spot.function != below {
            text += &format!(" of `{}`", self.name(&spot.function));
        }
        if let Some(source) = side.sources.get(&spot.address) {
            text += &format!(", {}:{}", source.file, source.line);
        }
        text
    }
}

fn surroundings(spot: &Spot) -> String {
    match (spot.after, spot.before) {
        (None, None) => "alone".to_owned(),
        (None, Some(before)) => format!("before {}", landmark(before)),
        (Some(after), None) => format!("after {}", landmark(after)),
        (Some(after), Some(before)) => format!("between {} and {}", landmark(after), landmark(before)),
    }
}

fn kind(letter: char) -> &'static str {
    match letter {
        'K' => "kernel",
        'F' => "function",
        'U' => "scope",
        'P' => "point",
        'W' => "wave size",
        _ => "packed clock",
    }
}

fn landmark(landmark: Landmark) -> &'static str {
    match landmark {
        Landmark::Barrier => "a barrier",
        Landmark::Call => "a call",
        Landmark::Load => "a load",
        Landmark::Store => "a store",
        Landmark::Atomic => "an atomic",
        Landmark::LdsRead => "a read of LDS",
        Landmark::LdsWrite => "a write of LDS",
        Landmark::Matrix => "a matrix operation",
        Landmark::LanesPart => "lanes going off",
        Landmark::LanesJoin => "lanes coming on",
        Landmark::LanesOther => "a change of EXEC",
        Landmark::Fork => "a branch",
        Landmark::Join => "the end of a branch",
        Landmark::LoopStart => "the start of a loop",
        Landmark::LoopEnd => "the end of a loop",
    }
}
