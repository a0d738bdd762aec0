//! Targets are read from ELF headers as the assembler writes them.

#![allow(clippy::unwrap_used)]

mod reader_support;

use reader_support::{LLVMS, Workshop};
use sqtt_hipcc::code_object::{FileBytes, read};

/// Processors that LLVM 19 and 22 both know.
const BOTH: &[&str] = &[
    "gfx600",
    "gfx601",
    "gfx602",
    "gfx700",
    "gfx701",
    "gfx702",
    "gfx703",
    "gfx704",
    "gfx705",
    "gfx801",
    "gfx802",
    "gfx803",
    "gfx805",
    "gfx810",
    "gfx900",
    "gfx902",
    "gfx904",
    "gfx906",
    "gfx908",
    "gfx909",
    "gfx90a",
    "gfx90c",
    "gfx942",
    "gfx1010",
    "gfx1011",
    "gfx1012",
    "gfx1013",
    "gfx1030",
    "gfx1031",
    "gfx1032",
    "gfx1033",
    "gfx1034",
    "gfx1035",
    "gfx1036",
    "gfx1100",
    "gfx1101",
    "gfx1102",
    "gfx1103",
    "gfx1150",
    "gfx1151",
    "gfx1152",
    "gfx1200",
    "gfx1201",
    "gfx9-generic",
    "gfx10-1-generic",
    "gfx10-3-generic",
    "gfx11-generic",
    "gfx12-generic",
];

#[test]
fn every_processor_is_known_by_its_number() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        workshop.write("empty.s", "");
        let own: &[&str] = if llvm == 19 {
            &["gfx940", "gfx941"]
        } else {
            &["gfx950", "gfx1153", "gfx1250", "gfx1251", "gfx9-4-generic"]
        };
        for processor in BOTH.iter().chain(own) {
            let cpu = format!("-mcpu={processor}");
            let arguments = ["-triple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "empty.s", "-o", "empty.o"];
            workshop.tool("llvm-mc", arguments);
            let file = FileBytes::open(&workshop.path("empty.o")).unwrap();
            let contents = read(file.bytes());
            let [code_object] = &contents.code_objects[..] else { panic!("{contents:?}") };
            assert_eq!(code_object.target().to_string(), format!("amdgcn-amd-amdhsa--{processor}"), "LLVM {llvm}");
            assert!(code_object.is_relocatable());
        }
    }
}

#[test]
fn the_header_and_the_bundle_agree_on_the_features() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for arch in ["gfx90a", "gfx90a:xnack+", "gfx942:sramecc-", "gfx942:sramecc+:xnack-", "gfx1030"] {
            for version in [4, 5, 6] {
                let flags = format!("-mcode-object-version={version}");
                let bare = workshop.code_object("a.co", arch, &flags);
                let bundle = workshop.hip("a.hipfb", &format!("--cuda-device-only --offload-arch={arch} {flags}"));
                for path in [bare, bundle] {
                    let file = FileBytes::open(&path).unwrap();
                    let target = read(file.bytes()).code_objects[0].target().to_string();
                    assert_eq!(target, format!("amdgcn-amd-amdhsa--{arch}"), "LLVM {llvm}, version {version}");
                }
            }
        }
    }
}
