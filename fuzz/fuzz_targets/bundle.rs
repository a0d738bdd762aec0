//! Whatever follows the magic of an offload bundle is read to the end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sqtt_hipcc::code_object::Kind;

fuzz_target!(|data: &[u8]| sqtt_fuzz::exhaust_as(Kind::Bundle, b"__CLANG_OFFLOAD_BUNDLE__", data));
