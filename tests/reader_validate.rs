//! The rules over marker maps, on code objects that a real compiler wrote.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::path::Path;

use reader_support::{LLVMS, MAP, Workshop, file_of, fixture};
use sqtt_hipcc::code_object::read;
use sqtt_hipcc::validate::{self, Expected, Finding, Report, Rule, Severity, ValidateError, validate};

fn validate_file(path: &Path) -> Result<Report, ValidateError> {
    validate::validate_file(path, &Expected::default())
}

/// The report for a gfx942 code object with this map, the text of a C string.
fn report(map: Option<&str>, flags: &str) -> Report {
    // A map of rows names the kernel, in its last row.
    let named = |map: &str| match map.strip_suffix("\\n\\0") {
        Some(rows) if rows.contains(':') && !flags.contains("-DNO_KERNEL") => format!("{rows}\\nK:_Z6kernelPi\\n\\0"),
        _ => map.to_owned(),
    };
    let map = map.map(named);
    let workshop = Workshop::new(22);
    let arch = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";
    validate_file(&workshop.hip_with_map("a.co", map.as_deref(), &format!("{arch} {flags}"))).unwrap()
}

fn rules(report: &Report) -> Vec<Rule> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_good_map_has_no_findings_in_any_container() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for (name, flags) in [("a.o", "-c"), ("a.out", "-DMAIN"), ("a.hipfb", "--cuda-device-only")] {
            let path = workshop.hip(name, &format!("--offload-arch=gfx942 --offload-arch=gfx1201 {flags}"));
            assert_eq!(validate_file(&path).unwrap(), Report { code_objects: 2, ..Report::default() }, "{name}");
        }
    }
    for sample in ["gfx942.co", "gfx1100.co", "gfx1201.co"] {
        assert_eq!(validate_file(&fixture(sample)).unwrap().findings, [], "{sample}");
    }
}

#[test]
fn a_missing_map_is_an_error_that_names_the_object_and_the_kernel() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.hip_with_map("a.o", None, "-c --offload-arch=gfx942 --no-offload-new-driver");
        let report = validate_file(&path).unwrap();
        assert!(report.has_errors());
        let [finding] = &report.findings[..] else { panic!("{report:?}") };
        assert_eq!((finding.rule, finding.severity), (Rule::MissingMap, Severity::Error));
        assert_eq!(
            finding.to_string(),
            format!(
                "error: {}: .hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942: \
                 no `.sqtt_funcmap` section, but there is code to trace: kernel `_Z6kernelPi`",
                path.display()
            )
        );
    }
}

#[test]
fn only_the_architecture_without_a_map_is_named() {
    let workshop = Workshop::new(22);
    workshop.code_object("with.co", "gfx942", "");
    let arch = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx1100";
    workshop.hip_with_map("without.co", None, arch);
    workshop.write("empty", "");
    let targets =
        "-targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942,hipv4-amdgcn-amd-amdhsa--gfx1100";
    let files = ["-input=empty", "-input=with.co", "-input=without.co", "-output=two.hipfb"];
    workshop.tool("clang-offload-bundler", ["-type=o", "-bundle-align=4096", targets].iter().chain(&files));
    let report = validate_file(&workshop.path("two.hipfb")).unwrap();
    assert_eq!((rules(&report), report.code_objects), (vec![Rule::MissingMap], 2));
    assert!(report.findings[0].object.ends_with("two.hipfb: bundle 0, hipv4-amdgcn-amd-amdhsa--gfx1100"), "{report:?}");
}

#[test]
fn a_code_object_without_kernels_needs_no_map() {
    assert_eq!(report(None, "-DNO_KERNEL"), Report { code_objects: 1, ..Report::default() });
    // What it has is checked all the same.
    assert_eq!(rules(&report(Some("F:x:f\\n\\0"), "-DNO_KERNEL")), [Rule::MalformedRow]);
}

#[test]
fn an_empty_map_is_an_error() {
    for map in ["", "\\0", "\\n\\n\\0"] {
        assert_eq!(rules(&report(Some(map), "")), [Rule::EmptyMap], "{map:?}");
    }
}

#[test]
fn each_malformed_row_is_an_error_with_its_line() {
    let report = report(Some("F:1:f\\nF:2\\nX:3:g\\nM:shader_clock_bits=12\\n\\0"), "");
    assert_eq!(rules(&report), [Rule::MalformedRow; 3]);
    let lines: Vec<bool> = report
        .findings
        .iter()
        .zip(2..)
        .map(|(finding, line)| finding.message.contains(&format!("line {line}: ")))
        .collect();
    assert_eq!(lines, [true; 3], "{report:?}");
}

#[test]
fn one_id_for_two_rows_is_an_error() {
    let report = report(Some("F:1:f\\nU:1:load\\nP:2:point\\n\\0"), "");
    assert_eq!(rules(&report), [Rule::DuplicateId]);
    assert_eq!(report.findings[0].message, "id 1 is named by lines 1 and 2");
}

#[test]
fn an_id_that_means_two_things_in_maps_of_two_units_is_an_error() {
    let report = report(Some("F:1:f\\n\\0\\0\\0F:1:g\\nU:2:load\\n\\0"), "");
    assert_eq!(rules(&report), [Rule::SharedId]);
    assert!(report.has_errors());
}

#[test]
fn a_payload_must_belong_to_a_row_before_or_after_it() {
    let good =
        "R:1:extra_payload_count=130\\nP:1:addr_trace_load@a.hip:1\\nP:2:p\\nR:2:extra_payload_count=1\\nW:64\\n\\0";
    assert_eq!(report(Some(good), "").findings, []);
    let dangling = report(Some("P:1:p\\nR:2:extra_payload_count=1\\n\\0"), "");
    assert_eq!(rules(&dangling), [Rule::Payload]);
    assert_eq!(dangling.findings[0].message, "line 2 gives id 2 a payload, but no row names that id");
    let contradiction = "P:1:p\\nR:1:extra_payload_count=1\\nR:1:extra_payload_count=2\\n\\0";
    assert_eq!(rules(&report(Some(contradiction), "")), [Rule::Payload]);
    // A row of another unit is not the one that is meant.
    let elsewhere = "P:1:p\\n\\0P:2:q\\nR:1:extra_payload_count=1\\n\\0";
    assert_eq!(rules(&report(Some(elsewhere), "")), [Rule::Payload]);
}

#[test]
fn a_map_that_is_cut_off_at_a_row_is_a_warning() {
    let report = report(Some(MAP.trim_end_matches("\\0")), "");
    assert_eq!(rules(&report), [Rule::UnterminatedMap]);
    assert!(!report.has_errors());
}

#[test]
fn what_cannot_be_verified_yet_is_a_warning_and_counted() {
    let workshop = Workshop::new(22);
    let report =
        validate_file(&workshop.hip("a.o", "--offload-arch=gfx942 -c -fgpu-rdc --no-offload-new-driver")).unwrap();
    assert_eq!((report.code_objects, report.unverified), (0, 1));
    assert_eq!(rules(&report), [Rule::Unverified]);
    assert!(!report.has_errors());
    assert!(report.findings[0].to_string().contains("cannot be verified yet: bitcode"), "{report:?}");
}

#[test]
fn files_that_hold_no_code_object_are_let_pass_and_unreadable_ones_are_not() {
    for bytes in [&b""[..], b"a.o: a.hip\n", b"\x7fELx"] {
        assert_eq!(validate_file(file_of(bytes).path()).unwrap(), Report::default());
    }
    let directory = tempfile::tempdir().unwrap();
    for path in [directory.path().to_owned(), directory.path().join("none")] {
        let error = validate_file(&path).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
}

#[test]
fn a_broken_code_object_is_an_error() {
    let bytes = std::fs::read(fixture("gfx942.co")).unwrap();
    let report = validate_file(file_of(&bytes[..bytes.len() - 1]).path()).unwrap();
    assert_eq!(rules(&report), [Rule::Malformed]);
    assert!(report.has_errors());
}

#[test]
fn a_map_of_nothing_but_rubbish_is_told_in_a_few_lines() {
    let workshop = Workshop::new(22);
    workshop.write("map", "rubbish \u{1b}[2J\n".repeat(100_000));
    let file = workshop.path("a.co");
    let sample = fixture("gfx942.co");
    let section = "--update-section=.sqtt_funcmap=map";
    workshop.tool("llvm-objcopy", [section, sample.to_str().unwrap(), file.to_str().unwrap()]);
    let bytes = std::fs::read(&file).unwrap();
    let report = validate(Path::new("\u{1b}.co"), &read(&bytes), &Expected::default());
    assert_eq!(report.findings.len(), 21, "20 malformed rows and the missing NUL");
    assert!(report.findings[19].message.ends_with("(and 99980 more of the kind)"), "{:?}", report.findings[19]);
    assert!(report.findings.iter().map(Finding::to_string).all(|line| !line.contains(char::is_control)));
}

#[test]
fn a_section_name_in_a_message_cannot_act_on_the_terminal() {
    let workshop = Workshop::new(22);
    let arch = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";
    let mut bytes = std::fs::read(workshop.hip_with_map("a.co", None, arch)).unwrap();
    let at = bytes.windows(8).position(|window| window == b".strtab\0").unwrap();
    bytes[at + 1] = 0x1b;
    // The string table of the symbols now lies beyond the file.
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (headers, count) = (word(40), usize::from(bytes[60]));
    let is_symbols = |index: &usize| bytes[headers + index * 64 + 4] == 2;
    let symbols = (0..count).find(is_symbols).unwrap();
    let strings = usize::from(bytes[headers + symbols * 64 + 40]);
    bytes[headers + strings * 64 + 31] = 0x40;
    let report = validate(Path::new("a.co"), &read(&bytes), &Expected::default());
    assert_eq!(rules(&report), [Rule::Malformed]);
    assert_eq!(report.findings[0].message, "section `.\\u{1b}trtab` reaches beyond the end of the file");
}

#[test]
fn assembly_is_checked_like_what_it_assembles_to() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for flags in ["-S", "-S --cuda-device-only --no-gpu-bundle-output"] {
            let flags = format!("--offload-arch=gfx942:xnack- --no-offload-new-driver {flags}");
            let path = workshop.hip("a.s", &flags);
            assert_eq!(validate_file(&path).unwrap(), Report { code_objects: 1, ..Report::default() }, "{flags}");
            let without = validate_file(&workshop.hip_with_map("a.s", None, &flags)).unwrap();
            assert_eq!(rules(&without), [Rule::MissingMap], "{flags}");
            assert!(without.findings[0].message.ends_with("kernel `_Z6kernelPi`"), "{without:?}");
            let broken = validate_file(&workshop.hip_with_map("a.s", Some("F:x:f\\n\\0"), &flags)).unwrap();
            assert_eq!(rules(&broken), [Rule::MalformedRow], "{flags}");
        }
        let ir = workshop.hip("a.ll", "--offload-arch=gfx942 --no-offload-new-driver -S -emit-llvm");
        assert_eq!(rules(&validate_file(&ir).unwrap()), [Rule::Unverified]);
    }
}

#[test]
fn compressed_code_is_checked_too() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let flags = "-c --offload-arch=gfx942 --no-offload-new-driver --offload-compress";
        assert_eq!(
            validate_file(&workshop.hip("a.o", flags)).unwrap(),
            Report { code_objects: 1, ..Report::default() }
        );
        let without = validate_file(&workshop.hip_with_map("a.o", None, flags)).unwrap();
        assert_eq!(rules(&without), [Rule::MissingMap]);
    }
}
