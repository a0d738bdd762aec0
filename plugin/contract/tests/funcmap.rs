//! What is written reads back, and nothing that is read can do harm.

use proptest::prelude::*;
use sqtt_contract::funcmap::{self, Reason, Row, UNNAMED, parse, percent, write};
use sqtt_contract::marker::Encoding;

/// Names that look like what breaks rows, mixed with arbitrary bytes.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        any::<String>().prop_map(String::into_bytes),
        prop::sample::select(vec![
            "%", "%4", "%41", "%zz", "@", " ", "\t", "\n", "\r", "\0", ":", ";", "=", "é", "\u{2028}"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    bytes().prop_filter("an empty name becomes a placeholder", |name| !name.is_empty())
}

fn location() -> impl Strategy<Value = Option<Vec<u8>>> {
    prop::option::of(name())
}

fn row() -> impl Strategy<Value = Row> {
    let text = |location: Option<Vec<u8>>| location.map(Into::into);
    prop_oneof![
        (any::<u32>(), name(), location()).prop_map(move |(id, name, at)| Row::Function {
            id,
            name: name.into(),
            location: text(at)
        }),
        (name(), location()).prop_map(move |(name, at)| Row::Kernel { name: name.into(), location: text(at) }),
        (any::<u32>(), name()).prop_map(|(id, name)| Row::Scope { id, name: name.into() }),
        (any::<u32>(), name(), location()).prop_map(move |(id, name, at)| Row::Point {
            id,
            name: name.into(),
            location: text(at)
        }),
        prop::sample::select(vec![32, 64]).prop_map(Row::WaveSize),
        any::<(u32, u32)>().prop_map(|(id, count)| Row::Payload { id, count }),
        (0..=29u32)
            .prop_flat_map(|bits| (Just(bits), 0..=(32 - bits).min(31)))
            .prop_map(|(clock_bits, clock_shift)| Row::Layout { clock_bits, clock_shift }),
    ]
}

proptest! {
    #[test]
    fn names_and_locations_survive(text in bytes()) {
        for encoded in [percent::encode_name(&text), percent::encode_location(&text)] {
            prop_assert!(!encoded.contains(['\n', '\r', '\0']));
            prop_assert_eq!(encoded.trim_matches([' ', '\t']), &encoded);
            let expected = if encoded == UNNAMED && text.is_empty() { UNNAMED.as_bytes() } else { &text };
            prop_assert_eq!(percent::decode(&encoded), expected);
        }
        prop_assert!(!percent::encode_name(&text).contains('@'));
    }

    #[test]
    fn strings_survive(text in ".*") {
        prop_assert_eq!(percent::decode(percent::encode_location(text.as_bytes())), text.as_bytes());
    }

    #[test]
    fn maps_read_back_as_written(units in prop::collection::vec(prop::collection::vec(row(), 1..6), 0..4), padding in 0..3usize) {
        let section: Vec<u8> = units.iter().flat_map(|rows| [write(rows), vec![0; padding]].concat()).collect();
        let read = parse(&section);
        prop_assert_eq!(&read.problems, &[]);
        prop_assert_eq!(read.terminated, !units.is_empty());
        let maps: Vec<Vec<Row>> = read.maps.iter().map(|map| map.rows().cloned().collect()).collect();
        prop_assert_eq!(&maps, &units);
        let lines: Vec<usize> = read.lines().map(|line| line.number).collect();
        prop_assert_eq!(lines, (1..=units.concat().len()).collect::<Vec<_>>());
    }

    #[test]
    fn maps_survive_a_visit_to_windows(rows in prop::collection::vec(row(), 1..6)) {
        let section = String::from_utf8(write(&rows)).unwrap().replace('\n', " \r\n\r\n");
        let read = parse(section.as_bytes());
        prop_assert_eq!(&read.problems, &[]);
        prop_assert_eq!(read.rows().cloned().collect::<Vec<_>>(), rows);
    }

    #[test]
    fn any_bytes_are_read(section in prop::collection::vec(any::<u8>(), 0..200)) {
        let read = parse(&section);
        for problem in &read.problems {
            prop_assert!(!problem.to_string().contains(char::is_control));
        }
        read.index();
    }

    #[test]
    fn every_line_is_a_row_or_a_problem(lines in prop::collection::vec("[FKUPWRMQ]:[0-9@:;=a-z_%+ -]{0,12}|R:1:extra_payload_count=[0-9]{1,11}|M:shader_clock_bits=[0-9]{1,3};shader_clock_shift=[0-9]{1,3}", 0..6)) {
        let read = parse(lines.join("\n").as_bytes());
        prop_assert_eq!(read.rows().count() + read.problems.len(), lines.len());
        for row in read.rows() {
            let again = parse(&write([row]));
            prop_assert_eq!(again.rows().collect::<Vec<_>>(), vec![row]);
        }
    }
}

fn reasons(section: &str) -> Vec<(usize, Reason)> {
    parse(section.as_bytes()).problems.iter().map(|problem| (problem.line, problem.reason)).collect()
}

#[test]
fn rows_are_written_as_the_spec_has_them() {
    let rows = [
        Row::Layout { clock_bits: 12, clock_shift: 4 },
        Row::Function { id: 4, name: "_Z6devicev".into(), location: Some("file.hip:42".into()) },
        Row::Kernel { name: "_Z6kernelv".into(), location: Some("file.hip:80".into()) },
        Row::Scope { id: 5, name: "load".into() },
        Row::Point { id: 6, name: "addr_trace_load".into(), location: Some("k.hip:59 -> h.h:264".into()) },
        Row::Payload { id: 6, count: 130 },
        Row::WaveSize(64),
        Row::Point { id: 7, name: "".into(), location: None },
        Row::Kernel { name: "k".into(), location: Some("".into()) },
    ];
    let expected = "M:shader_clock_bits=12;shader_clock_shift=4\nF:4:_Z6devicev@file.hip:42\nK:_Z6kernelv@file.hip:80\n\
        U:5:load\nP:6:addr_trace_load@k.hip:59 -> h.h:264\nR:6:extra_payload_count=130\nW:64\nP:7:<unnamed>\nK:k\n\0";
    assert_eq!(String::from_utf8(write(&rows)).unwrap(), expected);
}

#[test]
fn a_section_without_rows_is_one_nul_and_reads_as_empty() {
    assert_eq!(write([]), [0]);
    assert!(parse(&[0]).is_empty() && parse(&[0]).maps.is_empty() && parse(&[0]).terminated);
    assert!(parse(&[]).is_empty() && !parse(&[]).terminated);
    assert!(!parse(b"K:k\n").terminated);
}

#[test]
fn malformed_rows_are_reported_and_reading_goes_on() {
    let section = "K:k\nnonsense\nQ:1:x\nF:x:f\nF:-1:f\nF:+1:f\nF: 1:f\nF:4294967296:f\nF:1\n\nF:1:\nF:1:@a:2\nK:\nK:@a:2\nU::u\n\
        W:48\nW:\nW:032\nR:1\nR:1:payload=1\nR:1:extra_payload_count=\nR:1:extra_payload_count=4294967296\nF\nf:1:x\nP:9:last\n\0";
    let expected = [
        (2, Reason::NoLetter),
        (3, Reason::UnknownLetter),
        (4, Reason::Id),
        (5, Reason::Id),
        (6, Reason::Id),
        (7, Reason::Id),
        (8, Reason::Id),
        (9, Reason::Name),
        (11, Reason::Name),
        (12, Reason::Name),
        (13, Reason::Name),
        (14, Reason::Name),
        (15, Reason::Id),
        (16, Reason::WaveSize),
        (17, Reason::WaveSize),
        (18, Reason::WaveSize),
        (19, Reason::PayloadCount),
        (20, Reason::PayloadCount),
        (21, Reason::PayloadCount),
        (22, Reason::PayloadCount),
        (23, Reason::NoLetter),
        (24, Reason::UnknownLetter),
    ];
    assert_eq!(reasons(section), expected);
    let rows: Vec<String> = parse(section.as_bytes()).rows().map(ToString::to_string).collect();
    assert_eq!(rows, ["K:k", "P:9:last"]);
}

#[test]
fn a_malformed_layout_is_reported_and_is_the_plain_one() {
    let malformed = |fields: &str| {
        let read = parse(format!("M:{fields}\nK:k\n\0").as_bytes());
        assert_eq!(read.problems.len(), 1, "{fields}");
        assert_eq!(read.encoding(), Encoding::PLAIN, "{fields}");
    };
    for fields in [
        "",
        "12;4",
        "shader_clock_bits=12",
        "shader_clock_shift=4",
        "shader_clock_bits=12;",
        "shader_clock_bits=12;shader_clock_shift=",
        "shader_clock_bits=12;shader_clock_shift=4;",
        "shader_clock_bits=12;shader_clock_shift=4;shader_clock_shift=4",
        "shader_clock_bits=12;shader_clock_shift=4;colour=1",
        "shader_clock_bits=30;shader_clock_shift=0",
        "shader_clock_bits=1;shader_clock_shift=32",
        "shader_clock_bits=12;shader_clock_shift=21",
        "shader_clock_bits=0x12;shader_clock_shift=4",
        "shader_clock_bits=4294967295;shader_clock_shift=4294967295",
    ] {
        malformed(fields);
    }
    let encoding = |section: &str| parse(section.as_bytes()).encoding();
    let packed = Encoding::packed(12, 4).unwrap();
    assert_eq!(encoding("M:shader_clock_bits=12;shader_clock_shift=4\n\0"), packed);
    assert_eq!(encoding("M:shader_clock_shift=4;shader_clock_bits=12\n\0"), packed);
    assert_eq!(encoding("M:shader_clock_bits=0\n\0"), Encoding::PLAIN);
    assert_eq!(encoding("K:k\n\0"), Encoding::PLAIN);
    assert_eq!(encoding("M:shader_clock_bits=12;shader_clock_shift=4\nM:shader_clock_bits=12\n\0"), Encoding::PLAIN);
    assert!(parse(b"M:shader_clock_bits=0\n\0").problems.is_empty());
}

#[test]
fn each_unit_keeps_its_own_map() {
    let section = "M:shader_clock_bits=12;shader_clock_shift=4\nU:1:a\n\0\0\0\r\n\0U:1:b\nbad\n\0U:2:c\0";
    let read = parse(section.as_bytes());
    let maps: Vec<Vec<String>> = read.maps.iter().map(|map| map.rows().map(ToString::to_string).collect()).collect();
    assert_eq!(maps, [&["M:shader_clock_bits=12;shader_clock_shift=4", "U:1:a"][..], &["U:1:b"], &["U:2:c"]]);
    assert_eq!(read.maps[0].encoding(), Encoding::packed(12, 4).unwrap());
    assert_eq!(read.maps[1].encoding(), Encoding::PLAIN);
    assert_eq!(read.encoding(), Encoding::packed(12, 4).unwrap());
    assert_eq!(read.lines().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 4, 6]);
    assert_eq!(reasons(section), [(5, Reason::NoLetter)]);
    assert_eq!(read.find(1).unwrap().name().unwrap(), &"b");
    assert_eq!(read.maps[0].find(1).unwrap().name().unwrap(), &"a");
}

#[test]
fn only_the_first_at_separates_the_location() {
    let read = parse(b"F:1:f@a@b:3\nU:2:u@v\nP:3:p%40q@c:4 -> d:5\nK:k@\n\0");
    let rows: Vec<&Row> = read.rows().collect();
    assert_eq!(rows[0], &Row::Function { id: 1, name: "f".into(), location: Some("a@b:3".into()) });
    assert_eq!(rows[1], &Row::Scope { id: 2, name: "u@v".into() });
    assert_eq!(rows[2], &Row::Point { id: 3, name: "p@q".into(), location: Some("c:4 -> d:5".into()) });
    assert_eq!(rows[3], &Row::Kernel { name: "k".into(), location: None });
}

#[test]
fn of_duplicate_ids_the_last_wins_and_all_are_listed() {
    let read = parse(b"R:1:extra_payload_count=2\nF:1:a\nU:1:b\nP:2:c\nP:1:d\nR:2:extra_payload_count=7\nW:64\n\0");
    let index = read.index();
    assert_eq!(index.find(1).unwrap().name().unwrap(), &"d");
    assert!(index.contains(2) && !index.contains(3));
    assert_eq!((index.payload_count(1), index.payload_count(2), index.payload_count(3)), (2, 7, 0));
    assert_eq!(index.wave_size(), Some(64));
    let duplicates: Vec<_> = index.duplicates().iter().map(|d| (d.id, d.earlier, d.later)).collect();
    assert_eq!(duplicates, [(1, 2, 3), (1, 3, 5)]);
}

#[test]
fn names_of_other_producers_are_taken_as_they_are() {
    let read = parse(b"U:1:100% of tab\there\nU:2:\xff\nF:3:x::y<a, b>(c)\n\0");
    let names: Vec<String> = read.rows().map(|row| row.name().unwrap().to_string()).collect();
    assert_eq!(names, ["100% of tab\there", "%FF", "x::y<a, b>(c)"]);
    assert_eq!(read.find(2).unwrap().name().unwrap().as_bytes(), b"\xff");
    assert_eq!(read.find(2).unwrap().to_string(), "U:2:%FF");
}

#[test]
fn a_problem_shows_its_line_shortened_and_printable() {
    let long = format!("{}\u{1b}[31m\n", "é".repeat(500));
    let problem = &parse(long.as_bytes()).problems[0];
    assert_eq!(problem.to_string(), format!("line 1: no row letter in `{}...`", "é".repeat(120)));
    assert_eq!(parse(b"F:a\x1b:x").problems[0].to_string(), "line 1: no decimal id in `F:a\\u{1b}:x`");
}

#[test]
fn the_section_has_its_name() {
    assert_eq!(funcmap::SECTION, ".sqtt_funcmap");
}
