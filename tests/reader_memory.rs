//! What the reader allocates stays below a small multiple of the file and of what the file unpacks to.
//!
//! A program of its own with one test: the count is of the whole process.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::ops::ControlFlow;
use std::path::Path;

use peak_alloc::PeakAlloc;
use reader_support::make::{Method, bundle, ccob, ccob_of, hash};
use reader_support::samples::samples;
use sqtt_hipcc::code_object::{FileBytes, Limits, read_with, visit};
use sqtt_hipcc::validate::{Expected, validate, validate_file};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most that `work` has allocated at a time, in bytes.
fn peak(work: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    MEMORY.peak_usage() - before
}

/// What may be allocated for a file of this size beside what it unpacks to. zlib and zstd have windows and tables.
fn allowed(size: usize) -> usize {
    (1 << 20) + 16 * size
}

fn samples_and_their_parts() {
    let limits = Limits { unpacked: 256 << 10, ..Limits::default() };
    for (name, bytes) in samples() {
        for length in (0..bytes.len()).rev().step_by(97).chain([bytes.len()]) {
            let part = &bytes[..length];
            let taken = peak(|| {
                validate(Path::new("x"), &read_with(part, &limits), &Expected::default());
            });
            let most = allowed(length) + 2 * (256 << 10);
            assert!(taken <= most, "{name} cut to {length} took {taken} bytes, more than {most}");
        }
    }
}

/// Bundles of the smallest code objects, so that what is kept for each counts.
fn many_bundles(plain: &[u8], directory: &Path) {
    let path = directory.join("many");
    std::fs::write(&path, plain.repeat(20_000)).unwrap();
    let taken = peak(|| {
        let report = validate_file(&path, &Expected::default()).unwrap();
        assert_eq!((report.code_objects, report.findings.len()), (20_000, 0));
    });
    assert!(taken < 1 << 20, "{taken} bytes for 20,000 code objects");
}

/// One bundle is unpacked at a time, and given back before the next one.
fn many_packed_bundles(code_object: &[u8], directory: &Path) {
    const UNPACKED: usize = 4 << 20;
    let padded = [code_object, &vec![0; UNPACKED]].concat();
    let one = ccob(3, Method::Zlib, &bundle([(0, code_object.len() as u64)], &padded));
    let path = directory.join("packed");
    std::fs::write(&path, one.repeat(20)).unwrap();
    let taken = peak(|| {
        let file = FileBytes::open(&path).unwrap();
        let mut found = 0;
        let limits = Limits { growth: u64::MAX, ..Limits::default() };
        visit(file.bytes(), &limits, |code_object| {
            found += code_object.kernel_descriptors().unwrap().len();
            ControlFlow::Continue(())
        });
        assert_eq!(found, 20);
    });
    assert!(taken < 3 * UNPACKED, "{taken} bytes for bundles of {UNPACKED}");
}

/// A size that is declared is no reason to allocate it.
fn liars() {
    let limits = Limits { unpacked: u64::MAX, growth: u64::MAX };
    for (method, version) in [(Method::Zlib, 3), (Method::Zstd, 3), (Method::Zlib, 1), (Method::Zstd, 2)] {
        let size = if version == 3 { 1 << 50 } else { u32::MAX.into() };
        let bytes = ccob_of(version, method as u16, size, hash(b""), &method.pack(&[7; 5000]));
        let taken = peak(|| assert_eq!(read_with(&bytes, &limits).problems.len(), 1));
        assert!(taken < allowed(5000), "{taken} bytes for {method:?}");
    }
}

#[test]
fn memory_stays_within_a_small_multiple_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let code_object = std::fs::read(reader_support::fixture("gfx1100.co")).unwrap();
    let plain = bundle([(0, code_object.len() as u64)], &code_object);
    samples_and_their_parts();
    many_bundles(&plain, directory.path());
    many_packed_bundles(&code_object, directory.path());
    liars();
}
