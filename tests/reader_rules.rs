//! The rules that hold a map against its code object, each with a map that breaks it and one that does not.

#![allow(clippy::unwrap_used)]

mod reader_support;

use reader_support::Workshop;
use sqtt_hipcc::code_object::Target;
use sqtt_hipcc::validate::{Expected, Report, Rule, Severity, validate_file};

/// The report for a bare code object with these rows, one a line, and the kernel's row.
fn report(arch: &str, flags: &str, rows: &str, strict: bool) -> Report {
    let workshop = Workshop::new(22);
    let mut map: String = rows.lines().map(|row| format!("{}\\n", row.trim())).collect();
    map += "K:_Z6kernelPi\\n\\0";
    let flags = format!("--cuda-device-only --no-gpu-bundle-output --offload-arch={arch} {flags}");
    let expected = Expected { strict, ..Expected::default() };
    validate_file(&workshop.hip_with_map("a.co", Some(&map), &flags), &expected).unwrap()
}

/// The rules that these rows break on gfx942.
fn broken(rows: &str) -> Vec<Rule> {
    rules(&report("gfx942", "", rows, false))
}

fn rules(report: &Report) -> Vec<Rule> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn an_id_must_be_one_that_a_header_can_carry() {
    assert_eq!(broken("P:0:nothing"), [Rule::IdRange]);
    assert_eq!(broken("P:1073741823:largest"), []);
    assert_eq!(broken("P:1073741824:too large"), [Rule::IdRange]);
    let packed = |id: u32| format!("M:shader_clock_bits=12;shader_clock_shift=4\nF:{id}:f");
    assert_eq!(rules(&report("gfx1201", "", &packed(0x3ffff), false)), []);
    assert_eq!(rules(&report("gfx1201", "", &packed(0x40000), false)), [Rule::IdRange]);
}

#[test]
fn a_payload_belongs_to_a_point() {
    assert_eq!(broken("P:1:p\nR:1:extra_payload_count=1"), []);
    assert_eq!(broken("U:1:scope\nR:1:extra_payload_count=1"), [Rule::Payload]);
    assert_eq!(broken("U:1:scope\nR:1:extra_payload_count=0"), []);
}

#[test]
fn an_address_trace_has_the_records_of_its_kind_and_wave_size() {
    for (name, records) in [("load", 130), ("lds_atomic", 66), ("buffer_store", 69), ("struct_buffer_load", 133)] {
        let rows = |count| format!("W:64\nP:1:addr_trace_{name}@a.hip:1\nR:1:extra_payload_count={count}");
        assert_eq!(broken(&rows(records)), [], "{name}");
        assert_eq!(broken(&rows(records + 1)), [Rule::AddressPayload], "{name}");
    }
    assert_eq!(broken("W:64\nP:1:addr_trace_load"), [Rule::AddressPayload]);
    assert_eq!(broken("W:64\nP:1:addr_trace_teleport\nR:1:extra_payload_count=1"), [Rule::AddressPayload]);
    // A function of 32 lanes beside a kernel of 64.
    assert_eq!(broken("W:64\nP:1:addr_trace_lds_load\nR:1:extra_payload_count=34"), []);
}

#[test]
fn the_wave_size_is_a_kernels_and_is_told_when_addresses_are_traced() {
    let load = "P:1:addr_trace_lds_load\nR:1:extra_payload_count=34";
    for (arch, flags, lanes, other) in
        [("gfx942", "", 64, 32), ("gfx1100", "", 32, 64), ("gfx1100", "-mwavefrontsize64", 64, 32)]
    {
        let of = |rows: &str| rules(&report(arch, flags, rows, false));
        assert_eq!(of(&format!("W:{lanes}\n{load}")), [], "{arch} {flags}");
        assert_eq!(of(&format!("W:{other}\n{load}")), [Rule::WaveSize], "{arch} {flags}");
        assert_eq!(of(&format!("W:{lanes}\nW:{other}")), [Rule::WaveSize], "{arch} {flags}");
    }
    assert_eq!(broken(load), [Rule::WaveSize]);
}

#[test]
fn only_gfx12_packs_the_clock_and_not_beside_payloads() {
    let layout = "M:shader_clock_bits=12;shader_clock_shift=4\nP:1:p";
    let payload = format!("{layout}\nR:1:extra_payload_count=1");
    for arch in ["gfx1201", "gfx1250", "gfx12-generic"] {
        assert_eq!(rules(&report(arch, "", layout, false)), [], "{arch}");
        assert_eq!(rules(&report(arch, "", &payload, false)), [Rule::ClockLayout], "{arch}");
    }
    assert_eq!(broken(layout), [Rule::ClockLayout]);
    assert_eq!(broken("M:shader_clock_bits=0;shader_clock_shift=4\nP:1:p"), []);
}

#[test]
fn kernel_rows_are_the_kernels() {
    let report = report("gfx942", "", "K:_Z5otherPi\nP:1:p", false);
    assert_eq!(rules(&report), [Rule::UnknownKernel]);
    assert!(!report.has_errors());
    let workshop = Workshop::new(22);
    let flags = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";
    let path = workshop.hip_with_map("b.co", Some("P:1:p\\n\\0"), flags);
    let report = validate_file(&path, &Expected::default()).unwrap();
    assert_eq!(rules(&report), [Rule::MissingKernel]);
    assert!(report.findings[0].message.contains("`_Z6kernelPi`"), "{report:?}");
}

#[test]
fn a_function_row_is_no_kernel_and_no_data() {
    assert_eq!(broken("F:1:_Z6helperi\nF:2:inlined_everywhere"), []);
    assert_eq!(broken("F:1:_Z6kernelPi"), [Rule::FunctionSymbol]);
    assert_eq!(broken("F:1:_Z6kernelPi.kd"), [Rule::FunctionSymbol]);
}

#[test]
fn the_same_map_twice_is_a_warning_of_its_own() {
    let workshop = Workshop::new(22);
    let map = "F:1:f\\nK:_Z6kernelPi\\n\\0";
    let flags = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";
    let path = workshop.hip_with_map("a.co", Some(&format!("{map}\\0\\0{map}")), flags);
    let report = validate_file(&path, &Expected::default()).unwrap();
    assert_eq!(rules(&report), [Rule::RepeatedMap]);
    assert!(!report.has_errors());
}

#[test]
fn strict_is_about_what_only_our_own_maps_keep_to() {
    for (rows, rule) in [
        ("P:1:p\nP:3:q", Rule::IdGap),
        ("P:2:p", Rule::IdGap),
        ("P:1:a%41", Rule::Spelling),
        ("P:1: p", Rule::Spelling),
        ("P:01:p", Rule::Spelling),
    ] {
        assert_eq!(broken(rows), [], "{rows}");
        let strict = report("gfx942", "", rows, true);
        assert_eq!(rules(&strict), [rule], "{rows}");
        assert!(!strict.has_errors());
    }
    let line = &report("gfx942", "", "P:1:p\nP:02:q", true).findings[0].message;
    assert!(line.starts_with("line 2 "), "{line}");
}

#[test]
fn every_target_that_was_asked_for_has_a_code_object() {
    let workshop = Workshop::new(22);
    let path = workshop.hip("a.hipfb", "--cuda-device-only --offload-arch=gfx942:xnack- --offload-arch=gfx1100");
    let report = |targets: &[&str]| {
        let targets = targets.iter().map(|target| (*target).to_owned()).collect();
        validate_file(&path, &Expected { targets, strict: false }).unwrap()
    };
    assert_eq!(report(&["gfx942", "gfx1100"]).findings, []);
    assert_eq!(report(&["gfx942:xnack-", "gfx1100"]).findings, []);
    let missing = report(&["gfx942:xnack+", "gfx90a", "gfx1100"]);
    assert_eq!(rules(&missing), [Rule::MissingTarget; 2]);
    assert!(missing.has_errors());
    assert!(missing.findings[1].message.contains("`gfx90a`"), "{missing:?}");
}

#[test]
fn a_target_serves_what_names_it_with_features_or_without() {
    let target = Target::from_entry_id("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-").unwrap();
    for wanted in ["gfx90a", "gfx90a:xnack-", "gfx90a:xnack-:sramecc+"] {
        assert!(target.serves(wanted), "{wanted}");
    }
    for wanted in ["", "gfx90", "gfx90a:xnack+", "gfx942"] {
        assert!(!target.serves(wanted), "{wanted}");
    }
}

#[test]
fn every_rule_has_its_section() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/validation.md")).unwrap();
    let mut rest = page.as_str();
    for rule in Rule::all() {
        let severity = if rule.severity() == Severity::Error { "error" } else { "warning" };
        let heading = format!("### {} `{}` ({severity})\n", rule.code(), rule.name());
        let at = rest.find(&heading).unwrap_or_else(|| panic!("no section, or not in its place: {heading}"));
        rest = &rest[at + heading.len()..];
    }
    assert!(!rest.contains("\n### M"), "a section for a rule that does not exist");
}
