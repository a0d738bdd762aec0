//! What the fuzz targets have in common.

use std::ops::ControlFlow;
use std::path::Path;

use sqtt_hipcc::code_object::{self, Kind, Limits, read_with};
use sqtt_hipcc::validate::{Expected, validate};

/// Small ones, so that an input that meets them is found soon.
const LIMITS: Limits = Limits { unpacked: 1 << 20, growth: 16 };

/// Reads everything that can be read of a file of `bytes`, and checks what must be true of any.
pub fn exhaust(bytes: &[u8]) {
    let contents = read_with(bytes, &LIMITS);
    for found in &contents.code_objects {
        let _ = (found.symbols(), found.kernel_descriptors(), found.funcmap());
        let _ = (found.place().to_string(), found.target().to_string());
        if let Some(offset) = found.offset() {
            let start = usize::try_from(offset).expect("an offset in the file");
            assert_eq!(bytes[start..start + found.bytes().len()].as_ptr(), found.bytes().as_ptr());
        }
    }
    let report = validate(Path::new("file"), &contents, &Expected { strict: true, ..Expected::default() });
    assert_eq!(report.code_objects, contents.code_objects.len());
    for finding in &report.findings {
        assert!(!finding.to_string().contains(char::is_control));
    }
    let mut visited = 0;
    let notes = code_object::visit(bytes, &LIMITS, |_| {
        visited += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((visited, notes.problems.len()), (contents.code_objects.len(), contents.problems.len()));
}

/// Reads `data` as a file of this kind: with `magic` in front of it where it begins like no file at all.
pub fn exhaust_as(kind: Kind, magic: &[u8], data: &[u8]) {
    match Kind::of(data) {
        found if found == kind => exhaust(data),
        Kind::Other => exhaust(&[magic, data].concat()),
        _ => {}
    }
}
