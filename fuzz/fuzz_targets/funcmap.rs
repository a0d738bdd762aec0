//! Marker maps of any bytes: what was read is what is read again after it was written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sqtt_contract::funcmap::{Row, parse, write};

// A map of any bytes is read, and what was read is what is read again after it was written.
fuzz_target!(|data: &[u8]| {
    let funcmap = parse(data);
    let rows: Vec<Row> = funcmap.rows().cloned().collect();
    let index = funcmap.index();
    for row in &rows {
        let _ = row.name().map(|name| name.to_str().into_owned());
        let _ = row.marker_id().map(|id| (index.find(id).is_some(), index.payload_count(id)));
    }
    let _: Vec<String> = funcmap.problems.iter().map(ToString::to_string).collect();
    let again = parse(&write(&rows));
    assert_eq!(again.rows().cloned().collect::<Vec<_>>(), rows);
    assert_eq!(again.problems, []);
});
