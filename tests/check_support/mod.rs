//! A wave of a compiled kernel, run instruction by instruction with made-up data, and what it traces. Not a test itself.
//!
//! It shares nothing with the analysis under test but the instructions themselves: EXEC, SCC, registers and spilled
//! registers have values, branches are taken by them, calls go where the program counter goes. What is loaded from memory,
//! and what instructions make that are not modelled, is drawn: so branches of all kinds go either way, both arms of a
//! divergent branch run one after the other, and loops end.
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs of it")]

pub mod bench;
pub mod memory;
pub mod random;
pub mod scalar;
pub mod vector;
pub mod wave;

use sqtt_contract::funcmap::Funcmap;
use sqtt_contract::marker::Marker;
use sqtt_hipcc::machine::Program;

use random::Random;
use wave::Wave;

/// What a wave traced.
pub struct Traced {
    /// Every word, in order.
    pub words: Vec<u32>,
    /// The wave came to its end; otherwise it ran for too long.
    pub ended: bool,
}

/// Where a wave is, as its scope check sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All hardware ids are 0, which every mask of the tests has.
    Inside,
    /// All hardware ids are the largest, which no mask of the tests has.
    Outside,
}

/// Instructions that a wave runs at most.
pub const MOST_STEPS: usize = 8_000;

/// Runs one wave of the kernel at index `kernel`; `None` when it goes where this does not follow: a function pointer
/// that was loaded, or off the code.
pub fn run(program: &Program, kernel: usize, scope: Scope, seed: u64) -> Option<Traced> {
    let function = &program.functions[kernel];
    let mut wave = Wave::new(function.address, function.wave_size, scope, Random::new(seed));
    for _ in 0..MOST_STEPS {
        let index = program.functions.partition_point(|function| function.address <= wave.pc).checked_sub(1)?;
        let function = &program.functions[index];
        let at = function.instructions.binary_search_by_key(&wave.pc, |instruction| instruction.address).ok()?;
        if !wave.step(&function.instructions[at]) {
            return Some(Traced { words: wave.traced, ended: true });
        }
    }
    Some(Traced { words: wave.traced, ended: false })
}

/// The headers of a wave's words, as whoever reads a trace takes them: behind a header with payload that many records
/// are its own.
pub fn headers(words: &[u32], map: &Funcmap) -> Vec<Marker> {
    headers_at(words, map).into_iter().map(|(_, marker)| marker).collect()
}

/// The same, each with the index of its word.
pub fn headers_at(words: &[u32], map: &Funcmap) -> Vec<(usize, Marker)> {
    let (index, encoding) = (map.index(), map.encoding());
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(word) = words.get(at) {
        let marker = encoding.decode_among(*word, |id| index.contains(id)).marker;
        found.push((at, marker));
        at += 1 + usize::try_from(if marker.id == 0 { 0 } else { index.payload_count(marker.id) }).unwrap();
    }
    found
}
