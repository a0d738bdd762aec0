//! Every container that clang and the linker write is taken apart down to its code objects.

#![allow(clippy::unwrap_used)]

mod reader_support;

use reader_support::{LLVMS, TWO_ARCHS, Workshop, both, contents, fixture};
use sqtt_hipcc::code_object::{CodeObject, FileBytes, Kind, SymbolKind, read};

#[test]
fn objects_executables_and_shared_libraries_hold_a_bundle() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for (name, flags) in [("a.o", "-c"), ("a.out", "-DMAIN"), ("a.so", "-fPIC -shared")] {
            let path = workshop.hip(name, &format!("{TWO_ARCHS} --no-offload-new-driver {flags}"));
            assert_eq!(contents(&path), both(".hip_fatbin bundle 0", "hipv4"), "{name}");
        }
    }
}

#[test]
fn the_new_offload_driver_writes_the_other_order_and_id() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let mut expected = both(".hip_fatbin bundle 0", "hip");
        expected.reverse();
        let linked = workshop.hip("rdc.out", &format!("{TWO_ARCHS} -DMAIN -fgpu-rdc --offload-new-driver"));
        assert_eq!(contents(&linked), expected);
        let object = workshop.hip("new.o", &format!("{TWO_ARCHS} -c --offload-new-driver"));
        // LLVM 19 still lets the old bundler write this one.
        let old = both(".hip_fatbin bundle 0", "hipv4");
        assert_eq!(contents(&object), if llvm == 19 { old } else { expected });
    }
}

#[test]
fn a_linked_rdc_program_holds_a_bundle() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.hip("a.out", &format!("{TWO_ARCHS} -DMAIN -fgpu-rdc --no-offload-new-driver"));
        assert_eq!(contents(&path), both(".hip_fatbin bundle 0", "hipv4"));
    }
}

#[test]
fn a_bundle_file_needs_no_host_file_around_it() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.hip("a.hipfb", &format!("{TWO_ARCHS} --cuda-device-only"));
        assert_eq!(contents(&path), both("bundle 0", "hipv4"));
    }
}

#[test]
fn a_bare_code_object_tells_its_own_target() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.code_object("a.co", "gfx942:sramecc+:xnack-", "");
        assert_eq!(contents(&path), [" [amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-] 3 rows, _Z6kernelPi/64"]);
        let path = workshop.code_object("w64.co", "gfx1100", "-mwavefrontsize64");
        assert_eq!(contents(&path), [" [amdgcn-amd-amdhsa--gfx1100] 3 rows, _Z6kernelPi/64"]);
        let path = workshop.code_object("device.co", "gfx1100", "-DNO_KERNEL");
        assert_eq!(contents(&path), [" [amdgcn-amd-amdhsa--gfx1100] 3 rows, "]);
    }
}

#[test]
fn each_unit_of_a_program_has_its_own_bundle_compressed_or_not() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let arch = "--offload-arch=gfx1100 --no-offload-new-driver -c";
        workshop.hip("a.o", &format!("{arch} -DMAIN -DKERNEL=first -DUNIT=_a"));
        workshop.hip("b.o", &format!("{arch} -DKERNEL=second -DUNIT=_b --offload-compress"));
        workshop.hip("c.o", &format!("{arch} -DKERNEL=third -DUNIT=_c"));
        workshop.tool("clang++", ["a.o", "b.o", "c.o", "-o", "all"]);
        let id = "hipv4-amdgcn-amd-amdhsa--gfx1100 [amdgcn-amd-amdhsa--gfx1100]";
        let expected = [
            format!(".hip_fatbin bundle 0, {id} 3 rows, _Z5firstPi/32"),
            format!(".hip_fatbin bundle 1, {id} unpacked, 3 rows, _Z6secondPi/32"),
            format!(".hip_fatbin bundle 2, {id} 3 rows, _Z5thirdPi/32"),
        ];
        assert_eq!(contents(&workshop.path("all")), expected);
    }
}

#[test]
fn padding_of_any_length_stands_between_and_after_bundles() {
    let workshop = Workshop::new(22);
    let bundle = std::fs::read(workshop.hip("a.hipfb", "--offload-arch=gfx1100 --cuda-device-only")).unwrap();
    let both = [&bundle[..], &[0; 1000], &bundle[..], &[0; 5000]].concat();
    let found = contents(&workshop.write("both.hipfb", both));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].starts_with("bundle 1, hipv4-"), "{found:?}");
    let found = contents(&workshop.write("junk.hipfb", [&bundle[..], &[0; 16], b"junk"].concat()));
    assert_eq!(found[1], format!("bundle 1: problem: no offload bundle begins at byte {}", bundle.len() + 16));
}

#[test]
fn archive_members_are_read_wherever_they_stand() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        workshop.hip("a.o", &format!("{TWO_ARCHS} -c --no-offload-new-driver"));
        workshop.code_object("a-member-with-a-long-name.co", "gfx1201", "");
        workshop.write("readme.txt", "odd");
        workshop.tool("llvm-ar", ["rc", "lib.a", "readme.txt", "a-member-with-a-long-name.co", "a.o"]);
        let mut expected =
            vec!["member a-member-with-a-long-name.co [amdgcn-amd-amdhsa--gfx1201] 3 rows, _Z6kernelPi/32".to_owned()];
        expected.extend(both("member a.o: .hip_fatbin bundle 0", "hipv4"));
        assert_eq!(contents(&workshop.path("lib.a")), expected);
        workshop.tool("llvm-ar", ["rc", "--thin", "thin.a", "a.o"]);
        assert_eq!(
            contents(&workshop.path("thin.a")),
            [": cannot be verified yet: a thin archive, whose members are in other files: `a.o`"]
        );
    }
}

#[test]
fn what_cannot_be_looked_into_yet_is_named() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let bitcode = "cannot be verified yet: bitcode, whose markers are final only after the link";
        let unread = |name: &str, flags: &str| contents(&workshop.hip(name, &format!("{TWO_ARCHS} {flags}")));
        let section = "__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--";
        assert_eq!(
            unread("rdc.o", "-c -fgpu-rdc --no-offload-new-driver"),
            [format!("{section}gfx1100: {bitcode}"), format!("{section}gfx942: {bitcode}")]
        );
        let image =
            |index, arch| format!(".llvm.offloading: offload binary {index}: amdgcn-amd-amdhsa--{arch}: {bitcode}");
        assert_eq!(unread("rdcnew.o", "-c -fgpu-rdc --offload-new-driver"), [image(0, "gfx1100"), image(1, "gfx942")]);
        assert_eq!(unread("lto.o", "-c -flto"), [format!(": {bitcode}")]);
        let ir = unread("a.ll", "-S -emit-llvm --no-offload-new-driver");
        let text = "cannot be verified yet: IR text, or assembly that is not understood";
        assert_eq!(ir, ["gfx1100", "gfx942"].map(|arch| format!("hip-amdgcn-amd-amdhsa--{arch}: {text}")));
    }
}

#[test]
fn assembly_holds_its_map_as_text() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let path = workshop.hip("a.s", &format!("{TWO_ARCHS} -S --no-offload-new-driver"));
        // A text does not tell how many lanes a kernel's waves have.
        let line = |arch| format!("hip-amdgcn-amd-amdhsa--{arch} [amdgcn-amd-amdhsa--{arch}] 3 rows, _Z6kernelPi/0");
        assert_eq!(contents(&path), [line("gfx1100"), line("gfx942")]);
        let path = workshop.code_object("device.s", "gfx942:sramecc+:xnack-", "-S");
        assert_eq!(contents(&path), [" [amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-] 3 rows, _Z6kernelPi/0"]);
    }
}

#[test]
fn a_debug_companion_file_is_named() {
    let workshop = Workshop::new(22);
    workshop.hip("a.out", "--offload-arch=gfx942 -DMAIN");
    workshop.tool("llvm-objcopy", ["--only-keep-debug", "a.out", "a.debug"]);
    assert_eq!(
        contents(&workshop.path("a.debug")),
        [".hip_fatbin: cannot be verified yet: the bundles' contents were stripped (a debug companion file)"]
    );
}

#[test]
fn a_code_object_whose_map_cannot_be_looked_for_is_never_taken_for_one_without() {
    let workshop = Workshop::new(22);
    workshop.code_object("a.co", "gfx942", "");
    workshop.tool("llvm-objcopy", ["--only-keep-debug", "a.co", "a.debug"]);
    assert_eq!(
        contents(&workshop.path("a.debug")),
        [": cannot be verified yet: the map's contents were stripped (a debug companion file)"]
    );
    workshop.tool("llvm-objcopy", ["--strip-sections", "a.co", "bare.co"]);
    assert_eq!(
        contents(&workshop.path("bare.co")),
        [": problem: the code object has no section table, so its map cannot be found"]
    );
    workshop.write("host.c", "int f(void) { return 1; }");
    workshop.tool("clang", ["--target=i386-linux-gnu", "-c", "host.c", "-o", "host.o"]);
    let mut bytes = std::fs::read(workshop.path("host.o")).unwrap();
    bytes[18] = 224;
    assert_eq!(
        contents(&workshop.write("r600.o", bytes)),
        [": problem: an AMDGPU code object must be 64-bit and little-endian"]
    );
}

#[test]
fn a_file_whose_code_moved_to_a_kpack_is_named() {
    let workshop = Workshop::new(22);
    workshop.hip("a.out", "--offload-arch=gfx942 -DMAIN");
    workshop.write("reference", "x");
    workshop.write("zeros", [0; 4096]);
    let arguments = ["--add-section=.rocm_kpack_ref=reference", "--update-section=.hip_fatbin=zeros", "a.out", "split"];
    workshop.tool("llvm-objcopy", arguments);
    assert_eq!(
        contents(&workshop.path("split")),
        [": cannot be verified yet: its code objects are in a `.kpack` file"]
    );
    let kpack = workshop.write("a.kpack", [&b"KPAK"[..], &1_u32.to_le_bytes(), &16_u64.to_le_bytes()].concat());
    assert_eq!(contents(&kpack), [": cannot be verified yet: a `.kpack` file"]);
}

#[test]
fn a_thin_archive_names_its_members() {
    let workshop = Workshop::new(22);
    let names: Vec<String> = (0..10).map(|n| format!("member-with-a-long-name-{n}.o")).collect();
    for name in &names {
        workshop.write(name, "");
    }
    workshop.tool("llvm-ar", ["rc", "--thin", "thin.a"].into_iter().chain(names.iter().map(String::as_str)));
    let [told] = &contents(&workshop.path("thin.a"))[..] else { panic!("one line") };
    assert!(told.contains(": `member-with-a-long-name-0.o`, `member-with-a-long-name-1.o`, "), "{told}");
    assert!(told.ends_with("`member-with-a-long-name-7.o` and 2 more"), "{told}");
}

#[test]
fn host_files_of_any_machine_hold_nothing_and_are_not_searched_for_magics() {
    let workshop = Workshop::new(22);
    workshop.write(
        "host.c",
        "const char text[] = \"__CLANG_OFFLOAD_BUNDLE__ CCOB \\x7f\" \"ELF\"; int f(void) { return 1; }",
    );
    for target in ["x86_64-linux-gnu", "i386-linux-gnu", "powerpc64-linux-gnu", "powerpc-linux-gnu"] {
        workshop.tool("clang", [&format!("--target={target}"), "-c", "host.c", "-o", "host.o"]);
        let file = FileBytes::open(&workshop.path("host.o")).unwrap();
        assert_eq!(read(file.bytes()).kind, Kind::Elf);
        assert_eq!(contents(&workshop.path("host.o")), [""; 0], "{target}");
    }
}

#[test]
fn functions_have_addresses_until_they_are_stripped() {
    let file = FileBytes::open(&fixture("gfx942.co")).unwrap();
    let contents = read(file.bytes());
    let [code_object] = &contents.code_objects[..] else { panic!("{contents:?}") };
    let functions = |code_object: &CodeObject<'_>| -> Vec<(String, u64)> {
        let symbols = code_object.symbols().unwrap();
        let functions = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
        functions.map(|symbol| (String::from_utf8_lossy(symbol.name).into_owned(), symbol.address)).collect()
    };
    assert!(!code_object.is_stripped() && !code_object.is_relocatable());
    let kernel = ("k2".to_owned(), 0x1700);
    assert_eq!(functions(code_object), [("_Z6helperjj".to_owned(), 0x1600), kernel.clone(), kernel.clone()]);
    assert_eq!(code_object.kernel_descriptors().unwrap().len(), 1, "one, though two tables have it");

    let workshop = Workshop::new(22);
    let stripped = workshop.path("stripped.co");
    workshop.tool("llvm-strip", ["-s", fixture("gfx942.co").to_str().unwrap(), "-o", stripped.to_str().unwrap()]);
    let file = FileBytes::open(&stripped).unwrap();
    let contents = read(file.bytes());
    assert!(contents.code_objects[0].is_stripped());
    assert_eq!(functions(&contents.code_objects[0]), [kernel]);
}
