//! A small file of every form that the reader knows.

use super::make::{self, Image, Method};
use super::{LLVMS, Workshop, fixture};

/// The name of each and its bytes. All are whole: none has a problem.
pub fn samples() -> Vec<(String, Vec<u8>)> {
    let mut samples: Vec<_> = LLVMS.into_iter().flat_map(written).collect();
    samples.push(("gfx942.co".to_owned(), std::fs::read(fixture("gfx942.co")).unwrap()));
    samples.extend(made());
    samples
}

/// Those that the tools of one LLVM write.
fn written(llvm: u32) -> Vec<(String, Vec<u8>)> {
    let workshop = Workshop::new(llvm);
    let arch = "--offload-arch=gfx1100 --no-offload-new-driver";
    let device = "--cuda-device-only";
    workshop.hip("a.o", &format!("{arch} -c"));
    workshop.hip("packed.o", &format!("{arch} -c --offload-compress"));
    workshop.hip("rdc.o", &format!("{arch} -c -fgpu-rdc"));
    workshop.hip("new.o", "--offload-arch=gfx1100 -c -fgpu-rdc --offload-new-driver");
    workshop.hip("flto.o", &format!("{arch} -c -flto"));
    workshop.hip("a.s", &format!("{arch} -S"));
    workshop.hip("a.out", &format!("{arch} -DMAIN"));
    workshop.hip("a.so", &format!("{arch} -fPIC -shared --offload-compress"));
    workshop.hip("a.hipfb", &format!("{arch} {device}"));
    workshop.hip("packed.hipfb", &format!("{arch} {device} --offload-compress"));
    workshop.code_object("a.hsaco", "gfx942", "");
    workshop.tool("llvm-objcopy", ["--only-keep-debug", "a.out", "a.debug"]);
    workshop.tool("llvm-ar", ["rc", "--thin", "thin.a", "packed.o", "a.hipfb"]);
    let image = "--image=file=a.hsaco,triple=amdgcn-amd-amdhsa,arch=gfx942,kind=hip";
    workshop.tool("clang-offload-packager", ["-o", "images", image, image]);
    workshop.tool("llvm-ar", ["rc", "lib.a", "packed.hipfb", "a.hsaco", "images"]);
    let mut names = vec![
        "a.o",
        "packed.o",
        "rdc.o",
        "new.o",
        "flto.o",
        "a.s",
        "a.out",
        "a.so",
        "a.hipfb",
        "packed.hipfb",
        "a.hsaco",
        "a.debug",
        "lib.a",
        "thin.a",
        "images",
    ];
    // The text of one is like that of the other, and slow to read without optimization.
    names.retain(|name| llvm == 22 || *name != "a.s");
    let sample = |name: &str| (format!("{name} of LLVM {llvm}"), std::fs::read(workshop.path(name)).unwrap());
    names.into_iter().map(sample).collect()
}

/// Those that no tool here writes.
fn made() -> Vec<(String, Vec<u8>)> {
    let code_object = std::fs::read(fixture("gfx1100.co")).unwrap();
    let bundle = make::bundle([(0, code_object.len() as u64)], &code_object);
    let mut samples = Vec::new();
    for method in make::METHODS {
        for version in [1, 2, 3] {
            samples.push((format!("CCOB {version} {method:?}"), make::ccob(version, method, &bundle)));
        }
    }
    samples.push(("mixed".to_owned(), [bundle.clone(), vec![0; 99], make::ccob(1, Method::Zstd, &bundle)].concat()));
    let strings = [("triple", "amdgcn-amd-amdhsa"), ("arch", "gfx1100")];
    let image = || Image { strings: &strings, flags: 0, bytes: &code_object };
    for version in [2, 3] {
        let name = format!("offload binary {version}");
        samples.push((name, make::offload_binary(version, &[image(), image()])));
    }
    for method in make::METHODS {
        let plain = make::offload_binary(3, &[image(), image()]);
        samples.push((format!("offload binary {method:?}"), make::compressed_offload_binary(method, &plain)));
    }
    samples
}
