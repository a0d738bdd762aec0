//! What markers cost beyond themselves is found beside them, and what stands elsewhere is not held against them:
//! hand-made kernels, each beside the same without markers.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use machine_support::assembly::{GPUS, Gpu, Kernel};
use machine_support::cases::ROWS;
use machine_support::llvm::{Llvm, MAJORS};
use machine_support::{Machine, rules};
use sqtt_contract::settings::Boundary;
use sqtt_hipcc::machine::{Report, Rule, lint_against};

/// A kernel, the same without markers, and what is found with which boundary.
struct Case {
    name: &'static str,
    marked: &'static str,
    plain: &'static str,
    boundary: Boundary,
    broken: &'static [Rule],
}

const fn case(
    name: &'static str,
    boundary: Boundary,
    broken: &'static [Rule],
    marked: &'static str,
    plain: &'static str,
) -> Case {
    Case { name, marked, plain, boundary, broken }
}

/// `@memory` and `@lds` wait for loads, `@inv` invalidates a cache.
fn spelled(gpu: Gpu, body: &str) -> String {
    let (memory, lds) = match gpu.name {
        "gfx1201" => ("s_wait_loadcnt 0", "s_wait_dscnt 0"),
        _ => ("s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)"),
    };
    let (inv, barrier) = match gpu.name {
        "gfx1201" => ("global_inv scope:SCOPE_DEV", "s_barrier_signal -1\n s_barrier_wait -1"),
        "gfx1030" => ("buffer_gl0_inv", "s_barrier"),
        _ => ("buffer_wbinvl1_vol", "s_barrier"),
    };
    let words = [("@memory", memory), ("@lds", lds), ("@inv", inv), ("@barrier", barrier)];
    words.into_iter().fold(body.to_owned(), |body, (word, text)| body.replace(word, text))
}

const WAITS: &[Rule] = &[Rule::ExtraWait];
const CACHES: &[Rule] = &[Rule::CacheMaintenance];

const CASES: &[Case] = &[
    case("for memory in front of a marker", Boundary::Fence, WAITS, "@memory\n @mark 12\n v_mov_b32 v1, v0", ""),
    case("through M0", Boundary::Fence, WAITS, "@memory\n @m0 12\n v_mov_b32 v1, v0", ""),
    case("between two markers", Boundary::None, WAITS, "@mark 12\n @lds\n @m0 12\n v_mov_b32 v1, v0", ""),
    case("as many as without markers", Boundary::Fence, &[], "@memory\n @mark 12\n v_mov_b32 v1, v0", "@memory"),
    case("behind a marker", Boundary::None, &[], "@mark 12\n @memory\n v_mov_b32 v1, v0", ""),
    case("for LDS, as a fence does", Boundary::Fence, &[], "@lds\n @mark 12\n v_mov_b32 v1, v0", ""),
    case("for LDS without a fence", Boundary::Asm, WAITS, "@lds\n @mark 12\n v_mov_b32 v1, v0", ""),
    case("for a word that is loaded", Boundary::Asm, &[], "@lds\n @m0 s9\n v_mov_b32 v1, v0", ""),
    case("of a store", Boundary::Asm, &[], "ds_write_b32 v0, v1\n @lds\n @mark 12\n v_mov_b32 v1, v0", ""),
    case("of a barrier", Boundary::Asm, &[], "@lds\n @mark 12\n @barrier", "@barrier"),
    case(
        "of a barrier further down",
        Boundary::Asm,
        &[],
        "@lds\n @mark 12\n v_mov_b32 v1, v0\n @barrier",
        "v_mov_b32 v1, v0\n @barrier",
    ),
    case("of a fence of the program", Boundary::Asm, &[], "@inv\n @lds\n @mark 12\n v_mov_b32 v1, v0", "@inv"),
    case("of another load", Boundary::Asm, &[], "@mark 12\n v_mov_b32 v1, v0\n @lds\n v_mov_b32 v1, v0", ""),
    case("a cache beside a marker", Boundary::Fence, CACHES, "@inv\n @mark 12\n v_mov_b32 v1, v0", ""),
    case(
        "a cache between a marker and a wait",
        Boundary::Fence,
        CACHES,
        "@mark 12\n @lds\n @inv\n v_mov_b32 v1, v0",
        "",
    ),
    case("a cache elsewhere", Boundary::Fence, &[], "@mark 12\n v_mov_b32 v1, v0\n @inv", ""),
    case("the cache of a barrier", Boundary::Fence, &[], "@barrier\n @mark 12\n @inv\n v_mov_b32 v1, v0", "@barrier"),
    case("as much as without markers", Boundary::Fence, &[], "@inv\n @mark 12\n v_mov_b32 v1, v0", "@inv"),
];

#[test]
fn what_stands_beside_a_marker_is_found_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for llvm in MAJORS.map(Llvm::new) {
        for gpu in GPUS.into_iter().filter(|gpu| ["gfx906", "gfx1030", "gfx1201"].contains(&gpu.name)) {
            let assemble = |body: &str| -> Machine {
                let body = spelled(gpu, &format!("v_mov_b32 v0, 0\n {body}"));
                let kernel = Kernel { name: "kernel", body: &body, functions: &[] };
                gpu.assemble(&llvm, directory.path(), &gpu.program(ROWS, &[kernel]))
            };
            for case in CASES {
                let (marked, plain) = (assemble(case.marked), assemble(case.plain));
                let findings = lint_against(&marked.program, &plain.program, case.boundary);
                let found = rules(&Report { findings, ..Report::default() });
                if found != case.broken {
                    wrong.push(format!("{}, {}, LLVM {}: {found:?}", case.name, gpu.name, llvm.major));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
