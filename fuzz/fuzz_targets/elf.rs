//! Whatever follows the first bytes of an ELF file of 64 bits is read to the end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sqtt_hipcc::code_object::Kind;

fuzz_target!(|data: &[u8]| sqtt_fuzz::exhaust_as(Kind::Elf, b"\x7fELF\x02\x01\x01", data));
