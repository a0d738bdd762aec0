//! The JSON schema of `sqtt.toml`, for editors: made from the contract's table, so it knows every key.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value, json};
use sqtt_contract::variables::{Kind, TABLE, Variable};

use super::file::{FILES, OVERRIDE, PROFILE, Place};

/// The schema (draft 7, which editors of TOML understand).
///
/// What it takes, the driver takes as far as types go; what a pattern cannot say (two settings that exclude each other)
/// only the driver knows.
pub fn schema() -> Schema {
    let mut top = settings(Place::Top);
    top.insert(
        PROFILE.to_owned(),
        json!({
            "description": "sets of settings, of which --sqtt-profile= chooses one",
            "type": "object",
            "additionalProperties": table(&settings(Place::Profile), &[]),
        }),
    );
    let mut one = settings(Place::Override);
    let glob = json!({ "type": "string", "minLength": 1 });
    one.insert(
        FILES.to_owned(),
        json!({
            "description": "globs for source paths, taken from the directory of the file",
            "anyOf": [glob, { "type": "array", "minItems": 1, "items": glob }],
        }),
    );
    top.insert(
        OVERRIDE.to_owned(),
        json!({
            "description": "other settings for some sources; of several the later wins",
            "type": "array",
            "items": table(&one, &[FILES]),
        }),
    );
    json_schema!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "sqtt.toml",
        "description": "settings of sqtt-hipcc",
        "type": "object",
        "additionalProperties": false,
        "properties": top,
    })
}

fn table(properties: &Map<String, Value>, required: &[&str]) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties, "required": required })
}

/// The keys of a place, in their tables.
fn settings(place: Place) -> Map<String, Value> {
    let mut top = Map::new();
    for variable in TABLE {
        let Some(key) = place.key(variable) else { continue };
        match key.split_once('.') {
            None => _ = top.insert(key.to_owned(), setting(variable)),
            Some((section, name)) => {
                let section = top.entry(section).or_insert_with(|| table(&Map::new(), &[]));
                section["properties"][name] = setting(variable);
            }
        }
    }
    top
}

fn setting(variable: &Variable) -> Value {
    let mut schema = of_kind(variable.kind);
    schema["description"] = json!(format!("{}; accepts {}", variable.doc, variable.accepts));
    if !variable.default.is_empty() {
        schema["default"] = native(variable);
    }
    schema
}

/// The default as one would write it in the file.
fn native(variable: &Variable) -> Value {
    match (variable.kind, variable.default.parse::<u64>()) {
        (Kind::Bool, _) => json!(variable.default == "1"),
        (_, Ok(number)) => json!(number),
        (Kind::Mask, Err(_)) => {
            let digits = variable.default.trim_start_matches("0x");
            u64::from_str_radix(digits, 16).map_or_else(|_| json!(variable.default), |mask| json!(mask))
        }
        _ => json!(variable.default),
    }
}

/// The types that `sqtt.toml` has for a kind, and what numbers and short words it takes; longer texts are any text here.
fn of_kind(kind: Kind) -> Value {
    let text = || json!({ "type": "string" });
    let texts = || json!({ "type": "array", "items": text() });
    let number = |least: i64, most: u32| json!({ "type": "integer", "minimum": least, "maximum": most });
    match kind {
        Kind::Bool => any_of([json!({ "type": "boolean" }), number(0, 1), text()]),
        Kind::Threshold => any_of([json!({ "type": "integer", "minimum": 0 }), text()]),
        Kind::Chunks => any_of([json!({ "const": 0 }), text()]),
        Kind::Categories => any_of([json!({ "type": "array", "items": { "enum": ["memory", "lds"] } }), text()]),
        Kind::Patterns => any_of([texts(), text()]),
        Kind::Boundary => any_of([number(0, 2), text()]),
        Kind::Mask => any_of([number(-1, u32::MAX), text()]),
        Kind::Bits => any_of([number(0, u32::MAX), text()]),
        Kind::Nops => any_of([number(0, 15), text()]),
        Kind::Validation | Kind::Path | Kind::Text => text(),
    }
}

fn any_of(schemas: impl Into<Vec<Value>>) -> Value {
    json!({ "anyOf": schemas.into() })
}
