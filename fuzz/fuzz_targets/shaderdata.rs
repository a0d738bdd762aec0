//! Files of records: the reader of streams finds what a tree of the whole document holds.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use sqtt_hipcc::trace::{Record, shaderdata};

const NAMES: [&str; 6] = ["time", "value", "cu", "simd", "wave_id", "flags"];

/// The records of a whole document, out of a tree of it. `None` where a column that is needed is missing.
fn slowly(document: &Value) -> Option<Vec<Record>> {
    let schema = document.get("records_schema").and_then(Value::as_array);
    let names: Vec<&str> =
        schema.map_or(NAMES.to_vec(), |names| names.iter().map(|name| name.as_str().unwrap_or_default()).collect());
    let column = |name: &str| names.iter().position(|known| *known == name);
    let columns: Option<Vec<usize>> = NAMES[..5].iter().map(|name| column(name)).collect();
    let columns = columns?;
    let record = |row: &Value| {
        let number = |at: usize| row.get(columns[at])?.as_u64();
        let cycles = row.get(columns[0])?;
        let cycles = cycles.as_i64().or(cycles.as_u64().map(|_| i64::MAX))?;
        let flags = match column("flags").and_then(|at| row.get(at)) {
            Some(flags) => flags.as_u64()?,
            None => 0,
        };
        Some(Record {
            cycles,
            value: number(1)?.try_into().ok()?,
            cu: number(2)?.try_into().ok()?,
            simd: number(3)?.try_into().ok()?,
            slot: number(4)?.try_into().ok()?,
            flags: flags.try_into().ok()?,
        })
    };
    Some(document.get("records")?.as_array()?.iter().filter(|row| row.is_array()).filter_map(record).collect())
}

fn records(data: &[u8], most: usize) -> (Vec<Record>, shaderdata::Summary) {
    let mut records = Vec::new();
    let summary = shaderdata::read(data, |record| {
        records.push(record);
        if records.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (records, summary)
}

// A file of any bytes is read as far as it goes, and one that is whole as a reader that holds it as a tree would.
fuzz_target!(|data: &[u8]| {
    let (found, summary) = records(data, usize::MAX);
    assert_eq!(found.len() as u64, summary.records);
    if let Some(malformed) = &summary.malformed {
        assert!(malformed.offset <= data.len());
    }
    let (first, _) = records(data, 2);
    assert!(found.starts_with(&first));
    // Where a member stands twice, and where names are escaped, the tree says something else.
    let text = String::from_utf8_lossy(data);
    let once = |name: &str| text.matches(&format!("\"{name}\"")).count() <= 1;
    if summary.malformed.is_some() || text.contains('\\') || !once("records") || !once("records_schema") {
        return;
    }
    if let Ok(document) = serde_json::from_slice::<Value>(data)
        && let Some(expected) = slowly(&document)
    {
        assert_eq!(found, expected);
    }
});
