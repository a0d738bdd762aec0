//! Offload binaries: those that LLVM's tools write, and those of later versions, made byte by byte.

#![allow(clippy::unwrap_used)]

mod reader_support;

use reader_support::make::{Image, METHODS, Method, compressed_offload_binary, offload_binary};
use reader_support::{LLVMS, Workshop, contents, fixture, lines};
use sqtt_hipcc::code_object::{Limits, Malformed, Unverified, read, read_with};

const TRIPLE: &str = "triple=amdgcn-amd-amdhsa";

/// What is read of `tests/fixtures/reader/gfx942.co` as an image.
fn line(place: &str, arch: &str, unpacked: &str) -> String {
    format!("{place}: amdgcn-amd-amdhsa--{arch} [amdgcn-amd-amdhsa--{arch}] {unpacked}8 rows, k2/64")
}

fn sample() -> Vec<u8> {
    std::fs::read(fixture("gfx942.co")).unwrap()
}

#[test]
fn the_packagers_images_are_read_with_their_target() {
    for (llvm, tool) in [(19, "clang-offload-packager"), (22, "clang-offload-packager"), (22, "llvm-offload-binary")] {
        let workshop = Workshop::new(llvm);
        workshop.write("a.co", sample());
        workshop.write("host.o", "host");
        let images = [
            format!("--image=file=a.co,{TRIPLE},arch=gfx942:xnack-,kind=hip"),
            "--image=file=host.o,triple=x86_64-unknown-linux-gnu,arch=,kind=openmp".to_owned(),
            "--image=file=host.o,triple=nvptx64-nvidia-cuda,arch=sm_70,kind=cuda".to_owned(),
            format!("--image=file=a.co,{TRIPLE},arch=gfx942,kind=openmp,feature=+x"),
        ];
        workshop.tool(tool, ["-o", "images"].into_iter().chain(images.iter().map(String::as_str)));
        let expected = |section: &str| {
            vec![
                line(&format!("{section}offload binary 0"), "gfx942:xnack-", ""),
                line(&format!("{section}offload binary 3"), "gfx942", ""),
            ]
        };
        assert_eq!(contents(&workshop.path("images")), expected(""), "{tool} {llvm}");
        // The same in a section of an object, and of two objects linked into one.
        workshop.write("host.c", "int f(void) { return 1; }");
        workshop.tool("clang", ["-c", "host.c", "-o", "plain.o"]);
        workshop.tool("llvm-objcopy", ["--add-section=.llvm.offloading=images", "plain.o", "fat.o"]);
        assert_eq!(contents(&workshop.path("fat.o")), expected(".llvm.offloading: "), "{tool} {llvm}");
        workshop.write("other.c", "int g(void) { return 1; }");
        workshop.tool("clang", ["-c", "other.c", "-o", "plain.o"]);
        workshop.tool("llvm-objcopy", ["--add-section=.llvm.offloading=images", "plain.o", "other.o"]);
        workshop.tool("clang", ["-r", "-fuse-ld=lld", "fat.o", "other.o", "-o", "two.o"]);
        let found = contents(&workshop.path("two.o"));
        assert_eq!((found.len(), &found[2]), (4, &line(".llvm.offloading: offload binary 4", "gfx942:xnack-", "")));
    }
}

#[test]
fn bitcode_images_are_named_with_their_target() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let flags = "--offload-arch=gfx942:xnack+ -c -fgpu-rdc --offload-new-driver";
        assert_eq!(
            contents(&workshop.hip("a.o", flags)),
            [".llvm.offloading: offload binary 0: amdgcn-amd-amdhsa--gfx942:xnack+: \
              cannot be verified yet: bitcode, whose markers are final only after the link"]
        );
    }
}

/// The images of [`several`] that are read.
fn expected(unpacked: &str) -> Vec<String> {
    vec![
        line("offload binary 0", "gfx942", unpacked),
        line("offload binary 0", "gfx942:sramecc+", unpacked),
        format!("offload binary 0: image of an unnamed target [amdgcn-amd-amdhsa--gfx942] {unpacked}8 rows, k2/64"),
    ]
}

fn several(version: u32) -> Vec<u8> {
    let sample = sample();
    let image = |strings, flags| Image { strings, flags, bytes: &sample };
    offload_binary(
        version,
        &[
            image(&[("triple", "amdgcn-amd-amdhsa"), ("arch", "gfx942")], 0),
            image(&[("triple", "nvptx64-nvidia-cuda"), ("arch", "sm_90")], 0),
            image(&[("arch", "gfx942:sramecc+"), ("other", ""), ("triple", "amdgcn-amd-amdhsa")], 0),
            image(&[("triple", "amdgcn-amd-amdhsa"), ("arch", "gfx1100")], 1),
            image(&[], 0),
        ],
    )
}

#[test]
fn later_versions_hold_several_images() {
    for version in [2, 3] {
        let bytes = several(version);
        assert_eq!(lines(&read(&bytes), &bytes), expected(""), "version {version}");
    }
}

#[test]
fn the_latest_version_may_be_compressed() {
    for method in METHODS {
        let plain = several(3);
        let packed = compressed_offload_binary(method, &plain);
        assert_eq!(lines(&read(&packed), &packed), expected("unpacked, "), "{method:?}");
        let limits = Limits { unpacked: plain.len() as u64 - 1, ..Limits::default() };
        let contents = read_with(&packed, &limits);
        assert!(matches!(contents.unverified[..], [(_, Unverified::OverLimit { .. })]), "{contents:?}");
        let mut liar = packed.clone();
        liar[32..40].copy_from_slice(&(plain.len() as u64 + 1).to_le_bytes());
        let contents = read(&liar);
        assert!(matches!(contents.problems[0].malformed, Malformed::UnpacksToLess { .. }), "{contents:?}");
    }
}

#[test]
fn a_version_that_is_not_known_is_named_and_passed_over() {
    let mut newer = several(2);
    newer[4] = 9;
    let bytes = [newer, several(2)].concat();
    let contents = read(&bytes);
    assert_eq!(contents.unverified[0].1, Unverified::OffloadBinary { version: 9 });
    assert_eq!((contents.code_objects.len(), contents.problems.len()), (3, 0));
}

#[test]
fn fields_that_point_outside_are_problems() {
    let good = several(2);
    let broken = |at: usize, value: u64| {
        let mut bytes = good.clone();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        let problems = read(&bytes).problems;
        problems.first().map(|problem| problem.malformed.clone())
    };
    // Size of the whole, where the entries are, how many.
    for size in [0, 31, good.len() as u64 + 1, u64::MAX] {
        assert_eq!(broken(8, size), Some(Malformed::OffloadBinaryHeader), "{size}");
    }
    for (at, value) in [(16, u64::MAX), (16, good.len() as u64), (24, u64::MAX), (24, 1 << 40)] {
        assert_eq!(broken(at, value), Some(Malformed::OffloadEntry), "{at} {value}");
    }
    // Of the first entry: its strings, its image's place and size; of the first string: key, value, size.
    let strings = 32 + 5 * 40;
    for at in [32 + 8, 32 + 24, 32 + 32, strings, strings + 8, strings + 16] {
        assert_eq!(broken(at, u64::MAX), Some(Malformed::OffloadEntry), "{at}");
    }
    let junk = [&good[..], b"\0\0junk"].concat();
    assert_eq!(read(&junk).problems[0].malformed, Malformed::NoOffloadBinary { offset: good.len() + 2 });
    let packed = compressed_offload_binary(Method::Zstd, &several(3));
    let mut outside = packed.clone();
    outside[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    assert_eq!(read(&outside).problems[0].malformed, Malformed::OffloadBinaryHeader);
}
