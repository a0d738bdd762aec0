//! Compressed offload bundles: those that clang writes, and those of other versions and methods, made byte by byte.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::ops::ControlFlow;

use reader_support::make::{METHODS, Method, bundle, ccob, ccob_of, hash};
use reader_support::{LLVMS, TWO_ARCHS, Workshop, both, both_unpacked, contents, fixture, lines};
use sqtt_hipcc::code_object::{Contents, Limits, Malformed, Unverified, read, read_with, visit};

/// The bundle of a [`TWO_ARCHS`] compile.
fn plain_bundle() -> Vec<u8> {
    let workshop = Workshop::new(22);
    std::fs::read(workshop.hip("a.hipfb", &format!("{TWO_ARCHS} --cuda-device-only --no-offload-new-driver"))).unwrap()
}

fn problems<'a>(contents: &'a Contents<'_>) -> Vec<&'a Malformed> {
    contents.problems.iter().map(|problem| &problem.malformed).collect()
}

#[test]
fn what_clang_compresses_is_read_like_what_it_does_not() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let compress = format!("{TWO_ARCHS} --no-offload-new-driver --offload-compress");
        for (name, flags) in [("a.o", "-c"), ("a.out", "-DMAIN"), ("a.so", "-fPIC -shared")] {
            let path = workshop.hip(name, &format!("{compress} {flags}"));
            assert_eq!(contents(&path), both_unpacked(".hip_fatbin bundle 0", "hipv4"), "{name}");
        }
        for level in ["1", "9", "20"] {
            let flags = format!("{compress} --cuda-device-only --offload-compression-level={level}");
            let path = workshop.hip("a.hipfb", &flags);
            let version = std::fs::read(&path).unwrap()[4];
            assert_eq!(version, if llvm == 19 { 2 } else { 3 });
            assert_eq!(contents(&path), both_unpacked("bundle 0", "hipv4"), "level {level}");
        }
        workshop.tool("llvm-ar", ["rc", "lib.a", "a.o"]);
        let found = contents(&workshop.path("lib.a"));
        assert_eq!(found, both_unpacked("member a.o: .hip_fatbin bundle 0", "hipv4"));
    }
}

#[test]
fn the_new_driver_compresses_too() {
    // That of LLVM 19 passes the flag on to the host's linker, which does not know it.
    let workshop = Workshop::new(22);
    let flags = format!("{TWO_ARCHS} -DMAIN -fgpu-rdc --offload-new-driver --offload-compress");
    let mut expected = both_unpacked(".hip_fatbin bundle 0", "hip");
    expected.reverse();
    assert_eq!(contents(&workshop.hip("a.out", &flags)), expected);
}

#[test]
fn the_bundler_compresses_too() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        workshop.code_object("a.co", "gfx942", "");
        workshop.write("host", "");
        let targets = "-targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942";
        for kind in ["o", "bc"] {
            let kind = format!("-type={kind}");
            workshop.tool(
                "clang-offload-bundler",
                [&kind, targets, "-input=host", "-input=a.co", "-output=a.hipfb", "-compress", "-compression-level=5"],
            );
            assert_eq!(contents(&workshop.path("a.hipfb")), both_unpacked("bundle 0", "hipv4")[1..], "{kind}");
        }
    }
}

#[test]
fn every_version_and_method_stands_beside_any_other() {
    let plain = plain_bundle();
    let (mut file, mut expected, mut index) = (Vec::new(), Vec::new(), 0);
    for version in [1, 2, 3] {
        for method in METHODS {
            for padding in [0, 1, 5000] {
                file.extend(ccob(version, method, &plain));
                file.resize(file.len() + padding, 0);
                expected.extend(both_unpacked(&format!("bundle {index}"), "hipv4"));
                index += 1;
            }
            file.extend(&plain);
            expected.extend(both(&format!("bundle {index}"), "hipv4"));
            index += 1;
        }
    }
    assert_eq!(lines(&read(&file), &file), expected);
}

#[test]
fn one_whose_contents_are_damaged_is_told_and_the_next_one_read() {
    let plain = plain_bundle();
    let good = ccob(1, Method::Zstd, &plain);
    for version in [2, 3] {
        for method in METHODS {
            let packed = method.pack(&plain);
            let of = |size: u64, hash, packed: &[u8]| {
                let bytes = [ccob_of(version, method as u16, size, hash, packed), good.clone()].concat();
                let contents = read(&bytes);
                let problems: Vec<Malformed> = problems(&contents).into_iter().cloned().collect();
                (contents.code_objects.len(), problems)
            };
            let (size, right) = (plain.len() as u64, hash(&plain));
            assert_eq!(of(size, right, &packed), (4, vec![]));
            assert_eq!(of(size, [7; 8], &packed), (4, vec![Malformed::UnpackedHash]), "read all the same");
            assert_eq!(of(size - 1, right, &packed), (2, vec![Malformed::UnpacksToMore { declared: size - 1 }]));
            assert_eq!(of(0, right, &packed), (2, vec![Malformed::UnpacksToMore { declared: 0 }]));
            let less = Malformed::UnpacksToLess { declared: size + 1, real: size };
            assert_eq!(of(size + 1, right, &packed), (2, vec![less]));
            let (found, problems) = of(size, right, &packed[..packed.len() / 2]);
            assert!(found == 2 && matches!(problems[..], [Malformed::Packed(_)]), "{problems:?}");
            let text = b"text";
            let (found, problems) = of(4, hash(text), &method.pack(text));
            assert_eq!((found, problems), (2, vec![Malformed::NoBundle { offset: 0 }]));
        }
    }
}

#[test]
fn forms_that_are_not_known_are_named() {
    let plain = plain_bundle();
    let mut bytes = ccob(3, Method::Zstd, &plain);
    bytes[6] = 2;
    for version in [3, 4] {
        bytes[4] = version;
        let contents = read(&bytes);
        assert_eq!(contents.unverified[0].1, Unverified::Compressed { version: version.into(), method: 2 });
        assert!(contents.problems.is_empty() && contents.code_objects.is_empty());
    }
}

#[test]
fn what_unpacks_to_more_than_the_limit_is_named_with_it() {
    let plain = plain_bundle();
    let bytes = ccob(3, Method::Zstd, &plain);
    let size = plain.len() as u64;
    let limits = Limits { unpacked: size - 1, ..Limits::default() };
    let contents = read_with(&bytes, &limits);
    assert!(contents.code_objects.is_empty() && contents.problems.is_empty());
    let [(place, what)] = &contents.unverified[..] else { panic!("{contents:?}") };
    assert_eq!(
        format!("{place}: {what}"),
        format!(
            "bundle 0: cannot be verified yet: it unpacks to {size} bytes, more than the {} that `Limits::unpacked` \
             leaves to it",
            size - 1
        )
    );
    let limits = Limits { unpacked: size, ..Limits::default() };
    assert_eq!(read_with(&bytes, &limits).code_objects.len(), 2);
}

#[test]
fn bombs_are_unpacked_no_further_than_the_limits() {
    // One that declares what it is, one that lies, and many that are small on their own.
    let zeros = vec![0; 96 << 20];
    let bomb = Method::Zlib.pack(&zeros);
    let honest = ccob_of(3, 0, zeros.len() as u64, hash(b""), &bomb);
    let contents = read(&honest);
    assert!(
        matches!(contents.unverified[..], [(_, Unverified::OverLimit { name: "Limits::growth", .. })]),
        "{contents:?}"
    );
    let liar = ccob_of(3, 0, 100, hash(b""), &bomb);
    assert_eq!(problems(&read(&liar)), [&Malformed::UnpacksToMore { declared: 100 }]);
    let endless = ccob_of(3, 0, u64::MAX, hash(b""), &bomb);
    let contents = read(&endless);
    assert!(matches!(contents.unverified[..], [(_, Unverified::OverLimit { name: "Limits::unpacked", .. })]));
    let small = ccob_of(3, 0, 8 << 20, hash(&zeros[..8 << 20]), &Method::Zlib.pack(&zeros[..8 << 20]));
    let many = small.repeat(100);
    let contents = read(&many);
    let unpacked = contents.problems.iter().filter(|problem| problem.malformed == Malformed::NoBundle { offset: 0 });
    let most = (Limits::GROWTH_BASE + Limits::default().growth * many.len() as u64) / (8 << 20);
    assert_eq!(unpacked.count() as u64, most);
    assert_eq!(contents.unverified.len() as u64, 100 - most);
}

#[test]
fn compressed_in_compressed_is_not_followed() {
    let inner = ccob(3, Method::Zstd, &plain_bundle());
    let outer = ccob(3, Method::Zstd, &bundle([(0, inner.len() as u64)], &inner));
    let contents = read(&outer);
    assert_eq!((problems(&contents), contents.code_objects.len()), (vec![&Malformed::TooDeep], 0));
}

#[test]
fn a_visitor_gets_each_code_object_as_it_is_found_and_may_stop() {
    let plain = plain_bundle();
    let bytes = [ccob(3, Method::Zstd, &plain), plain.clone(), b"rubbish".to_vec()].concat();
    let expected = lines(&read(&bytes), &bytes);
    let mut found = Vec::new();
    let notes = visit(&bytes, &Limits::default(), |code_object| {
        let unpacked = if code_object.offset().is_none() { "unpacked, " } else { "" };
        found.push(format!("{} [{}] {unpacked}", code_object.place(), code_object.target()));
        ControlFlow::Continue(())
    });
    assert_eq!((found.len(), notes.problems.len()), (4, 1));
    assert!(expected.iter().zip(&found).all(|(expected, found)| expected.starts_with(found)), "{expected:?} {found:?}");
    let mut found = 0;
    let notes = visit(&bytes, &Limits::default(), |_| {
        found += 1;
        if found == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((found, notes.problems.len()), (2, 0));
}

#[test]
fn code_objects_share_what_was_unpacked_and_outlive_the_rest() {
    let plain = plain_bundle();
    let bytes = ccob(2, Method::Zlib, &plain);
    let mut code_objects = read(&bytes).code_objects;
    let (second, first) = (code_objects.pop().unwrap(), code_objects.pop().unwrap());
    let distance = second.bytes().as_ptr() as usize - first.bytes().as_ptr() as usize;
    assert!(distance < plain.len(), "two copies");
    drop(first);
    assert_eq!(second.kernel_descriptors().unwrap().len(), 1);
    assert_eq!(read(&std::fs::read(fixture("gfx942.co")).unwrap()).code_objects[0].offset(), Some(0));
}
