//! Text that clang writes with `-S`, alone or as a bundle, is read to the end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sqtt_hipcc::code_object::Kind;

fuzz_target!(|data: &[u8]| match Kind::of(data) {
    Kind::Assembly | Kind::TextBundle => sqtt_fuzz::exhaust(data),
    Kind::Other => sqtt_fuzz::exhaust(&[b".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n", data].concat()),
    _ => {}
});
