//! The marker tables of `code.json`, for code objects whose files are not there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sqtt_contract::funcmap::{Row, Text};

use super::json::Malformed;

/// Rows of the maps by the id of their code object.
pub(super) type Tables = BTreeMap<u64, Vec<Row>>;

/// What is needed of the file; the rest, which is most of it, is passed over.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    sqtt_funcmap: Option<Vec<Named>>,
    #[serde(default)]
    sqtt_funcmap_layout: Option<Vec<(u64, u32, u32)>>,
    #[serde(default)]
    sqtt_funcmap_payloads: Option<Vec<(u64, u32, u32)>>,
}

/// Code object, id, letter, name, location, address.
#[derive(Deserialize)]
struct Named(u64, u32, String, String, Option<String>, IgnoredAny);

/// Reads the tables in a file of `bytes`; there are none in files of older versions.
///
/// Rows of a kind that is not known are left out. Errors: no JSON, or a table of another shape; it gives nothing then.
pub(super) fn read(bytes: &[u8]) -> Result<Tables, Malformed> {
    let document: Document = serde_json::from_slice(bytes).map_err(|error| Malformed::new(bytes, &error))?;
    let mut tables = Tables::new();
    for Named(code_object, id, kind, name, location, _) in document.sqtt_funcmap.unwrap_or_default() {
        let name = Text::from(name);
        let location = location.filter(|location| !location.is_empty()).map(Text::from);
        let row = match kind.as_str() {
            "F" => Row::Function { id, name, location },
            "K" => Row::Kernel { name, location },
            "U" => Row::Scope { id, name },
            "P" => Row::Point { id, name, location },
            _ => continue,
        };
        tables.entry(code_object).or_default().push(row);
    }
    for (code_object, clock_bits, clock_shift) in document.sqtt_funcmap_layout.unwrap_or_default() {
        tables.entry(code_object).or_default().push(Row::Layout { clock_bits, clock_shift });
    }
    for (code_object, id, count) in document.sqtt_funcmap_payloads.unwrap_or_default() {
        tables.entry(code_object).or_default().push(Row::Payload { id, count });
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_tables_become_rows() {
        let text = r#"{"code": null, "sqtt_funcmap": [[7, 1, "U", "load", "", 0], [7, 0, "K", "k", "k.hip:1", 4096],
            [8, 2, "F", "_Z1fv", "f.hip:3", 256], [8, 3, "Z", "later", "", 0]],
            "sqtt_funcmap_layout": [[7, 12, 4]], "sqtt_funcmap_payloads": [[8, 2, 1]]}"#;
        let tables = read(text.as_bytes()).unwrap();
        let rows: Vec<String> = tables[&7].iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["U:1:load", "K:k@k.hip:1", "M:shader_clock_bits=12;shader_clock_shift=4"]);
        let rows: Vec<String> = tables[&8].iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["F:2:_Z1fv@f.hip:3", "R:2:extra_payload_count=1"]);
    }

    #[test]
    fn a_file_without_tables_has_none_and_a_broken_one_is_an_error() {
        assert_eq!(read(br#"{"code": [["s_nop", 0, 1]]}"#).unwrap(), Tables::new());
        assert_eq!(read(br#"{"code": [["#).unwrap_err().offset, 11);
        assert!(read(br#"{"sqtt_funcmap": [[1]]}"#).is_err());
    }
}
