//! Containers that no tool here writes, byte by byte.

use std::io::Write;

use md5::{Digest, Md5};

/// How a compressed bundle is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Zlib = 0,
    Zstd = 1,
}

pub const METHODS: [Method; 2] = [Method::Zlib, Method::Zstd];

impl Method {
    pub fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Method::Zlib => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                encoder.write_all(bytes).unwrap();
                encoder.finish().unwrap()
            }
            Method::Zstd => ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest),
        }
    }
}

/// The hash that a compressed bundle has of its contents.
pub fn hash(bundle: &[u8]) -> [u8; 8] {
    Md5::digest(bundle)[..8].try_into().unwrap()
}

/// A compressed bundle of version 1, 2 or 3 out of `bundle`.
pub fn ccob(version: u16, method: Method, bundle: &[u8]) -> Vec<u8> {
    ccob_of(version, method as u16, bundle.len() as u64, hash(bundle), &method.pack(bundle))
}

/// A compressed bundle with these fields around `packed`.
pub fn ccob_of(version: u16, method: u16, size: u64, hash: [u8; 8], packed: &[u8]) -> Vec<u8> {
    let small = |value: u64| u32::try_from(value).unwrap().to_le_bytes().to_vec();
    let (header, sizes) = match version {
        1 => (20, small(size)),
        2 => (24, [small(24 + packed.len() as u64), small(size)].concat()),
        _ => (32, [(32 + packed.len() as u64).to_le_bytes(), size.to_le_bytes()].concat()),
    };
    let bytes = [b"CCOB", &version.to_le_bytes()[..], &method.to_le_bytes(), &sizes, &hash, packed].concat();
    assert_eq!(bytes.len(), header + packed.len());
    bytes
}

/// A bundle with one entry for gfx942 at each of these offsets behind the header, of these sizes.
pub fn bundle(entries: impl IntoIterator<Item = (u64, u64)>, body: &[u8]) -> Vec<u8> {
    let id = b"hip-amdgcn-amd-amdhsa--gfx942";
    let entries: Vec<_> = entries.into_iter().collect();
    let header = 32 + entries.len() as u64 * (24 + id.len() as u64);
    let mut bytes = [&b"__CLANG_OFFLOAD_BUNDLE__"[..], &(entries.len() as u64).to_le_bytes()].concat();
    for (offset, size) in entries {
        for field in [header + offset, size, id.len() as u64] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(id);
    }
    bytes.extend(body);
    bytes
}

/// An image of an offload binary: what its strings say, and its bytes.
pub struct Image<'a> {
    pub strings: &'a [(&'a str, &'a str)],
    pub flags: u32,
    pub bytes: &'a [u8],
}

/// An offload binary of version 2 or 3, not compressed.
pub fn offload_binary(version: u32, images: &[Image<'_>]) -> Vec<u8> {
    let header = if version >= 3 { 40 } else { 32 };
    let strings: usize = images.iter().map(|image| image.strings.len()).sum();
    let texts_at = header + images.len() * 40 + strings * 24;
    let mut texts = Vec::new();
    let mut table = Vec::new();
    let mut text = |text: &str| {
        let at = (texts_at + texts.len()) as u64;
        texts.extend(text.bytes().chain([0]));
        at
    };
    for (key, value) in images.iter().flat_map(|image| image.strings) {
        for field in [text(key), text(value), value.len() as u64] {
            table.extend(field.to_le_bytes());
        }
    }
    texts.resize((texts_at + texts.len()).next_multiple_of(8) - texts_at, 0);
    let mut strings_at = (header + images.len() * 40) as u64;
    let mut image_at = (texts_at + texts.len()) as u64;
    let (mut entries, mut bodies) = (Vec::new(), Vec::new());
    for image in images {
        entries.extend([1, 0, 4, 0]);
        entries.extend(image.flags.to_le_bytes());
        let size = image.bytes.len() as u64;
        for field in [strings_at, image.strings.len() as u64, image_at, size] {
            entries.extend(field.to_le_bytes());
        }
        strings_at += image.strings.len() as u64 * 24;
        image_at += size;
        bodies.extend(image.bytes);
    }
    let body = [entries, table, texts, bodies].concat();
    let size = (header + body.len()).next_multiple_of(8) as u64;
    let mut bytes = [&[0x10, 0xff, 0x10, 0xad], &version.to_le_bytes()[..]].concat();
    for field in [size, header as u64, images.len() as u64, 0].iter().take(header / 8 - 1) {
        bytes.extend(field.to_le_bytes());
    }
    bytes.extend(body);
    bytes.resize(size as usize, 0);
    bytes
}

/// The offload binary of version 3 that `plain`, one of version 3, is when it is compressed.
pub fn compressed_offload_binary(method: Method, plain: &[u8]) -> Vec<u8> {
    let packed = method.pack(&plain[40..]);
    let mut bytes = plain[..40].to_vec();
    bytes[8..16].copy_from_slice(&(40 + packed.len() as u64).to_le_bytes());
    bytes[32..40].copy_from_slice(&(plain.len() as u64).to_le_bytes());
    [bytes, packed].concat()
}
