//! Compressed offload bundles, and bundles of any contents, are read to the end.

#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use md5::{Digest, Md5};
use sqtt_hipcc::code_object::Kind;

// A compressed bundle as it is, or any contents compressed: no change of a stream leads to good contents of a new kind.
fuzz_target!(|data: &[u8]| {
    if Kind::of(data) == Kind::CompressedBundle {
        sqtt_fuzz::exhaust(data);
    } else if let Some((how, contents)) = data.split_first() {
        let packed = compress(how & 1 != 0, contents);
        let size = (contents.len() as u64).wrapping_add_signed([0, 1, -1, 0][usize::from(how >> 6)]);
        let version = u16::from(how >> 1 & 3);
        sqtt_fuzz::exhaust(&bundle(version, u16::from(how & 1), size, contents, &packed));
    }
});

fn compress(zstd: bool, contents: &[u8]) -> Vec<u8> {
    if zstd {
        return ruzstd::encoding::compress_to_vec(contents, ruzstd::encoding::CompressionLevel::Fastest);
    }
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(contents).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

fn bundle(version: u16, method: u16, size: u64, contents: &[u8], packed: &[u8]) -> Vec<u8> {
    let small = size as u32;
    let sizes = match version {
        1 => small.to_le_bytes().to_vec(),
        2 => [24 + packed.len() as u32, small].map(u32::to_le_bytes).concat(),
        _ => [32 + packed.len() as u64, size].map(u64::to_le_bytes).concat(),
    };
    let hash = Md5::digest(contents);
    let head = [b"CCOB", &version.to_le_bytes()[..], &method.to_le_bytes()].concat();
    [&head, &sizes[..], &hash[..8], packed].concat()
}
