//! No bytes make the reader panic, hang or take memory beyond a small multiple of the file.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use reader_support::make::{bundle, ccob_of};
use reader_support::samples::samples;
use reader_support::{Workshop, file_of, fixture};
use sqtt_hipcc::code_object::{Contents, Kind, Malformed, read};
use sqtt_hipcc::commands::funcmap::{FuncmapArgs, run};
use sqtt_hipcc::validate::{Expected, validate};

/// Reads everything that can be read of `bytes`.
fn exhaust(bytes: &[u8]) -> Contents<'_> {
    let contents = read(bytes);
    let report = validate(Path::new("x"), &contents, &Expected { strict: true, ..Expected::default() });
    assert_eq!(report.code_objects, contents.code_objects.len());
    for code_object in &contents.code_objects {
        let _ = (code_object.symbols(), code_object.kernel_descriptors(), code_object.funcmap());
        let _ = (code_object.place().to_string(), code_object.target().to_string());
    }
    contents
}

/// What `sqtt funcmap` makes of `bytes`: output and messages.
fn print(bytes: &[u8], json: bool) -> (Vec<u8>, Vec<u8>) {
    let file = file_of(bytes);
    let args = FuncmapArgs { files: vec![file.path().to_owned()], demangle: true, json };
    let (mut out, mut messages) = (Vec::new(), Vec::new());
    run(&args, &mut out, &mut messages).unwrap();
    (out, messages)
}

#[test]
fn every_truncation_of_every_sample_ends_in_a_result() {
    for (name, bytes) in samples() {
        let whole = exhaust(&bytes);
        assert!(whole.problems.is_empty(), "{name} is no good sample: {:?}", whole.problems);
        for length in 0..bytes.len() {
            let contents = exhaust(&bytes[..length]);
            let is_told = !contents.problems.is_empty() || !contents.unverified.is_empty();
            assert!(is_told || may_be_whole(&name, &contents), "{name} cut to {length} bytes was taken for whole");
        }
    }
}

/// Whether a part of a sample can be a whole file: one that is no container, an archive or a row of bundles or texts that
/// ends with a member.
fn may_be_whole(name: &str, contents: &Contents<'_>) -> bool {
    let rows = ["lib.a", "a.s", "mixed", "images", "offload binary"];
    contents.kind == Kind::Other || rows.iter().any(|row| name.starts_with(row))
}

#[test]
fn a_truncated_code_object_is_always_reported() {
    let bytes = std::fs::read(fixture("gfx942.co")).unwrap();
    for length in 4..bytes.len() {
        assert!(!exhaust(&bytes[..length]).problems.is_empty(), "cut to {length} bytes");
    }
}

/// A change of some bytes of a sample.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Word(Index, u64),
    Copy(Index, Index, usize),
    Cut(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let word = prop_oneof![any::<u64>(), 0..8_u64, (0..8_u64).prop_map(|less| u64::MAX - less), 0..0x8000_u64];
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (any::<Index>(), word).prop_map(|(at, word)| Change::Word(at, word)),
        (any::<Index>(), any::<Index>(), 1..300_usize).prop_map(|(from, to, size)| Change::Copy(from, to, size)),
        any::<Index>().prop_map(Change::Cut),
    ]
}

fn apply(bytes: &mut Vec<u8>, changes: &[Change]) {
    for change in changes {
        if bytes.is_empty() {
            return;
        }
        match change {
            Change::Set(at, byte) => *at.get_mut(bytes) = *byte,
            Change::Word(at, word) => {
                // Most fields of headers and tables are aligned.
                let at = at.index(bytes.len()) & !7;
                let size = bytes.len().min(at + 8) - at;
                bytes[at..at + size].copy_from_slice(&word.to_le_bytes()[..size]);
            }
            Change::Copy(from, to, size) => {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let size = (*size).min(bytes.len() - from.max(to));
                bytes.copy_within(from..from + size, to);
            }
            Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
}

#[test]
fn changed_samples_never_panic() {
    let samples = samples();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(3000)
    });
    runner
        .run(&(any::<Index>(), vec(change(), 1..12)), |(sample, changes)| {
            let mut bytes = sample.get(&samples).1.clone();
            apply(&mut bytes, &changes);
            exhaust(&bytes);
            Ok(())
        })
        .unwrap();
}

#[test]
fn changed_samples_print_nothing_that_a_terminal_would_act_on() {
    let samples = samples();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    });
    runner
        .run(&(any::<Index>(), vec(change(), 1..12), any::<bool>()), |(sample, changes, json)| {
            let mut bytes = sample.get(&samples).1.clone();
            apply(&mut bytes, &changes);
            let (out, messages) = print(&bytes, json);
            // JSON is for programs: there a name stands as it is.
            let shown = if json { messages } else { [out.clone(), messages].concat() };
            if json {
                serde_json::from_slice::<serde_json::Value>(&out).unwrap();
            }
            let shown = String::from_utf8(shown).unwrap();
            prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
            Ok(())
        })
        .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_after_any_magic_end_in_a_result(
        magic in prop::sample::select(vec![
            &b"\x7fELF\x02\x01\x01"[..], b"\x7fELF\x01\x02\x01", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB\x01\0\0\0",
            b"CCOB\x02\0\x01\0", b"CCOB\x03\0\x01\0", b"!<arch>\n", b"!<thin>\n", b"\x10\xff\x10\xad\x01\0\0\0",
            b"\x10\xff\x10\xad\x02\0\0\0", b"\x10\xff\x10\xad\x03\0\0\0", b"BC\xc0\xde", b"KPAK\x01\0\0\0",
            b"# __CLANG_OFFLOAD_BUNDLE____START__ ", b"",
        ]),
        tail in vec(prop_oneof![Just(0_u8), any::<u8>()], 0..600),
    ) {
        exhaust(&[magic, &tail].concat());
    }
}

/// Runs `work`, which a reader without limits would need minutes or gigabytes for.
fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    result
}

#[test]
fn entries_that_overlap_do_not_multiply_the_work() {
    let code_object = std::fs::read(fixture("gfx942.co")).unwrap();
    let size = code_object.len() as u64;
    let bytes = bundle((0..100_000).map(|_| (0, size)), &code_object);
    let contents = quickly(|| exhaust(&bytes));
    assert!(contents.problems.iter().any(|problem| problem.malformed == Malformed::OverlappingPieces));
    assert!(contents.code_objects.len() < 20_000, "{}", contents.code_objects.len());
    assert!(contents.problems.len() <= 101, "{}", contents.problems.len());
}

#[test]
fn strings_that_entries_share_do_not_multiply_the_work() {
    // Every entry of an offload binary names the same 64 strings, the longest there may be.
    let (count, text) = (200_000_u64, vec![b'x'; 255]);
    let strings_at = 32 + count * 40;
    let text_at = strings_at + 64 * 16;
    let mut bytes = [&b"\x10\xff\x10\xad\x02\0\0\0"[..]].concat();
    for field in [text_at + 256, 32, count] {
        bytes.extend(field.to_le_bytes());
    }
    for _ in 0..count {
        for field in [0, strings_at, 64, 0, 0] {
            bytes.extend(field.to_le_bytes());
        }
    }
    (0..64).for_each(|_| bytes.extend([text_at, text_at, 0].map(u64::to_le_bytes).concat()));
    bytes.extend(&text);
    bytes.resize(bytes.len() + 64 * 24, 0);
    let contents = quickly(|| exhaust(&bytes));
    assert!(!contents.problems.is_empty());
}

#[test]
fn streams_that_declare_nothing_do_not_come_free() {
    // Each is a block of 128 KiB of one byte.
    let frame = b"\x28\xb5\x2f\xfd\x00\x50\x03\x00\x10x";
    let one = ccob_of(3, 1, 0, [0; 8], frame);
    let bytes = one.repeat(100_000);
    let contents = quickly(|| exhaust(&bytes));
    assert_eq!(contents.problems[0].malformed, Malformed::UnpacksToMore { declared: 0 });
    assert!(!contents.unverified.is_empty(), "all of them were unpacked");
}

#[test]
fn bundles_in_bundles_end_somewhere() {
    let mut bytes = std::fs::read(fixture("gfx942.co")).unwrap();
    for _ in 0..50 {
        bytes = bundle([(0, bytes.len() as u64)], &bytes);
    }
    let contents = quickly(|| exhaust(&bytes));
    assert!(contents.code_objects.is_empty());
    let malformed: Vec<_> = contents.problems.iter().map(|problem| &problem.malformed).collect();
    assert_eq!(malformed, [&Malformed::TooDeep]);
}

#[test]
fn an_endless_id_is_not_copied_for_every_piece() {
    let inner = bundle((0..20_000).map(|n| (n * 4, 4)), &[1; 80_000]);
    let mut bytes = bundle([(0, inner.len() as u64)], &inner);
    let id = [&b"hip-amdgcn-amd-amdhsa--"[..], &vec![b'x'; 10 << 20]].concat();
    // The outer entry: its id is longer, and its contents stand that much further back.
    let old = b"hip-amdgcn-amd-amdhsa--gfx942".len();
    let grown = (id.len() - old) as u64;
    bytes.splice(56..56 + old, id.iter().copied());
    bytes[48..56].copy_from_slice(&(id.len() as u64).to_le_bytes());
    let offset = 56 + old as u64 + grown;
    bytes[32..40].copy_from_slice(&offset.to_le_bytes());
    let contents = quickly(|| exhaust(&bytes));
    assert_eq!(contents.problems[0].malformed, Malformed::BundleHeader);
}

#[test]
fn a_count_of_entries_allocates_nothing() {
    let bytes = [&b"__CLANG_OFFLOAD_BUNDLE__"[..], &u64::MAX.to_le_bytes(), &[0; 64]].concat();
    let contents = quickly(|| exhaust(&bytes));
    assert_eq!(contents.problems[0].malformed, Malformed::BundleHeader);
}

#[test]
fn symbols_that_share_one_long_name_do_not_multiply_the_work() {
    let workshop = Workshop::new(22);
    // 100,000 symbols, whose names are then all set to the longest string.
    let symbols: String = (0..100_000).map(|n| format!(".type s{n},@function\ns{n}:\n")).collect();
    let long = "x".repeat(1 << 20);
    workshop.write("a.s", format!("{symbols}.type {long},@function\n{long}:\n"));
    workshop.tool("llvm-mc", ["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-filetype=obj", "a.s", "-o", "a.o"]);
    let mut bytes = std::fs::read(workshop.path("a.o")).unwrap();
    let (table, entries, name) = symbol_table(&bytes, long.as_bytes());
    for entry in 1..entries {
        bytes[table + entry * 24..][..4].copy_from_slice(&name.to_le_bytes());
    }
    let contents = read(&bytes);
    let result = quickly(|| contents.code_objects[0].symbols().map(|symbols| symbols.len()));
    assert_eq!(result, Err(Malformed::OverlappingNames));
}

/// Where the symbol table is, how many entries it has and where `name` stands in the string table.
fn symbol_table(bytes: &[u8], name: &[u8]) -> (usize, usize, u32) {
    use object::read::elf::{ElfFile64, SectionHeader};
    let file = ElfFile64::<object::LittleEndian>::parse(bytes).unwrap();
    let endian = object::LittleEndian;
    let sections = file.elf_section_table();
    let (_, table) =
        sections.enumerate().find(|(_, section)| section.sh_type(endian) == object::elf::SHT_SYMTAB).unwrap();
    let strings = sections.section(table.link(endian)).unwrap().data(endian, bytes).unwrap();
    let at = strings.windows(name.len()).position(|window| window == name).unwrap();
    (table.sh_offset(endian) as usize, table.sh_size(endian) as usize / 24, at as u32)
}
