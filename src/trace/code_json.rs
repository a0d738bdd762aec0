//! The marker tables of `code.json`, for code objects whose files are not there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use sqtt_contract::funcmap::{Row, Text};

use super::json::Malformed;

/// What the tables say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables {
    /// Rows of the maps by the id of their code object.
    pub(super) rows: BTreeMap<u64, Vec<Row>>,
    /// Rows of another shape, which are left out.
    pub(super) malformed_rows: u64,
}

/// What is needed of the file; the rest, which is most of it, is passed over.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    sqtt_funcmap: Option<Vec<Value>>,
    #[serde(default)]
    sqtt_funcmap_layout: Option<Vec<Value>>,
    #[serde(default)]
    sqtt_funcmap_payloads: Option<Vec<Value>>,
}

/// Code object, id, letter, name, location, address.
#[derive(Deserialize)]
struct Named(u64, u32, String, String, Option<String>, IgnoredAny);

/// Reads the tables in a file of `bytes`; there are none in files of older versions.
///
/// Rows of a kind that is not known are passed over. Errors: no JSON, or a table that is none; nothing is read then.
pub(super) fn read(bytes: &[u8]) -> Result<Tables, Malformed> {
    let document: Document = serde_json::from_slice(bytes).map_err(|error| Malformed::new(bytes, &error))?;
    let mut tables = Tables::default();
    tables.take(document.sqtt_funcmap, |Named(code_object, id, kind, name, location, _)| {
        let name = Text::from(name);
        let location = location.filter(|location| !location.is_empty()).map(Text::from);
        let row = match kind.as_str() {
            "F" => Row::Function { id, name, location },
            "K" => Row::Kernel { name, location },
            "U" => Row::Scope { id, name },
            "P" => Row::Point { id, name, location },
            _ => return None,
        };
        Some((code_object, row))
    });
    tables.take(document.sqtt_funcmap_layout, |(code_object, clock_bits, clock_shift)| {
        Some((code_object, Row::Layout { clock_bits, clock_shift }))
    });
    tables.take(document.sqtt_funcmap_payloads, |(code_object, id, count)| {
        Some((code_object, Row::Payload { id, count }))
    });
    Ok(tables)
}

impl Tables {
    /// Adds the rows of one table, each of the shape `T`.
    fn take<T: DeserializeOwned>(&mut self, table: Option<Vec<Value>>, row: impl Fn(T) -> Option<(u64, Row)>) {
        for cells in table.unwrap_or_default() {
            match serde_json::from_value(cells) {
                Ok(cells) => {
                    if let Some((code_object, row)) = row(cells) {
                        self.rows.entry(code_object).or_default().push(row);
                    }
                }
                Err(_) => self.malformed_rows += 1,
            }
        }
    }
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
        let rows: Vec<String> = tables.rows[&7].iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["U:1:load", "K:k@k.hip:1", "M:shader_clock_bits=12;shader_clock_shift=4"]);
        let rows: Vec<String> = tables.rows[&8].iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["F:2:_Z1fv@f.hip:3", "R:2:extra_payload_count=1"]);
    }

    #[test]
    fn a_file_without_tables_has_none_and_a_broken_one_is_an_error() {
        assert_eq!(read(br#"{"code": [["s_nop", 0, 1]]}"#).unwrap(), Tables::default());
        assert_eq!(read(br#"{"code": [["#).unwrap_err().offset, 11);
        assert!(read(br#"{"sqtt_funcmap": 1}"#).is_err());
    }

    #[test]
    fn rows_of_another_shape_are_counted_and_left_out() {
        let rows = r#"[7, 1, "U", "a", "", 0], [7], 1, [7, -1, "U", "b", "", 0], [7, 2, "U", "c", null, "0x10"]"#;
        let tables = read(format!("{{\"sqtt_funcmap\": [{rows}]}}").as_bytes()).unwrap();
        let rows: Vec<String> = tables.rows[&7].iter().map(ToString::to_string).collect();
        assert_eq!((rows.join(" "), tables.malformed_rows), ("U:1:a U:2:c".to_owned(), 3));
    }
}
