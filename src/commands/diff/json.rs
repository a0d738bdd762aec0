//! The JSON document of `sqtt diff --json`.
//!
//! ```json
//! {
//!   "version": 1,
//!   "a": "before/a.out", "b": "after/a.out",
//!   "counts": {"added": 1, "lost": 0, "moved": 1, "renumbered": 1, "altered": 0},
//!   "code_objects": [{
//!     "target": "amdgcn-amd-amdhsa--gfx942", "presence": null,
//!     "a": {"place": "before/a.out: ...", "maps_only": null}, "b": {"place": "after/a.out: ...", "maps_only": null},
//!     "rows": [{
//!       "change": "renumbered", "row": "U", "name": "load",
//!       "a": {"id": 1, "location": null, "payload_records": 0, "says": null}, "b": {"id": 2, ...}
//!     }],
//!     "functions": [{
//!       "name": "_Z5scalePf", "kernel": true,
//!       "markers": [{
//!         "change": "moved", "action": "enter", "row": "U", "name": "load", "number": null,
//!         "a": {"function": "_Z5scalePf", "address": 5684, "block": 0, "blocks": 3, "after": null, "before": "load",
//!               "source": {"file": "a.hip", "line": 12}},
//!         "b": {...}
//!       }]
//!     }]
//!   }],
//!   "errors": []
//! }
//! ```
//!
//! Code objects without a difference have empty lists. `presence` is `added` or `lost` for one that is in one build only;
//! the other side is then null. `a` and `b` of a change are null where it is not. `row` and `name` are null for a marker
//! whose name is not known; `number` is an id that no row names. Addresses are in bytes. Later versions may add fields;
//! `version` counts up when a field changes or goes.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::report::{Object, Report, Side};
use crate::diff::{Change, FunctionDiff, MarkerChange, RowChange, RowSide, Spot};
use crate::machine::{Action, Landmark, Subject};

pub(super) fn print(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let counts =
        Change::ALL.iter().zip(report.counts()).map(|(change, count)| (change.word().to_owned(), json!(count)));
    let document = json!({
        "version": 1,
        "a": report.a,
        "b": report.b,
        "counts": counts.collect::<Map<_, _>>(),
        "code_objects": report.objects.iter().map(object).collect::<Vec<_>>(),
        "errors": report.errors,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn object(object: &Object) -> Value {
    let side = |side: &Option<Side>| side.as_ref().map(|side| json!({"place": side.place, "maps_only": side.unseen}));
    json!({
        "target": object.target,
        "presence": object.presence.map(Change::word),
        "a": side(&object.a),
        "b": side(&object.b),
        "rows": object.diff.rows.iter().map(row).collect::<Vec<_>>(),
        "functions": object.diff.functions.iter().map(|one| function(object, one)).collect::<Vec<_>>(),
    })
}

fn row(row: &RowChange) -> Value {
    let side = |side: &Option<RowSide>| {
        side.as_ref().map(|side| {
            json!({
                "id": side.id, "location": side.location, "payload_records": side.payload_records, "says": side.says
            })
        })
    };
    json!({
        "change": row.change.word(),
        "row": row.letter.to_string(),
        "name": row.name,
        "a": side(&row.a),
        "b": side(&row.b),
    })
}

fn function(object: &Object, function: &FunctionDiff) -> Value {
    json!({
        "name": function.name,
        "kernel": function.is_kernel,
        "markers": function.changes.iter().map(|change| marker(object, change)).collect::<Vec<_>>(),
    })
}

fn marker(object: &Object, change: &MarkerChange) -> Value {
    let (row, name, number) = match &change.label.subject {
        Subject::Row(letter, name) => (Some(letter.to_string()), Some(name), None),
        Subject::Number(number) => (None, None, Some(number)),
        Subject::Unknown => (None, None, None),
    };
    let action = match change.label.action {
        Action::Enter => "enter",
        Action::Exit => "exit",
        Action::Point => "point",
    };
    json!({
        "change": change.change.word(),
        "action": action,
        "row": row,
        "name": name,
        "number": number,
        "a": spot(change.a.as_ref(), object.a.as_ref()),
        "b": spot(change.b.as_ref(), object.b.as_ref()),
    })
}

fn spot(spot: Option<&Spot>, side: Option<&Side>) -> Value {
    let (Some(spot), Some(side)) = (spot, side) else { return Value::Null };
    json!({
        "function": spot.function,
        "address": spot.address,
        "block": spot.block,
        "blocks": spot.blocks,
        "after": spot.after.map(landmark),
        "before": spot.before.map(landmark),
        "source": side.sources.get(&spot.address),
    })
}

fn landmark(landmark: Landmark) -> &'static str {
    match landmark {
        Landmark::Barrier => "barrier",
        Landmark::Call => "call",
        Landmark::Load => "load",
        Landmark::Store => "store",
        Landmark::Atomic => "atomic",
        Landmark::LdsRead => "lds-read",
        Landmark::LdsWrite => "lds-write",
        Landmark::Matrix => "matrix",
        Landmark::LanesPart => "lanes-part",
        Landmark::LanesJoin => "lanes-join",
        Landmark::LanesOther => "lanes-other",
        Landmark::Fork => "fork",
        Landmark::Join => "join",
        Landmark::LoopStart => "loop-start",
        Landmark::LoopEnd => "loop-end",
    }
}
