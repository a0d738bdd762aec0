//! Guards as `-O0` and other levels write them: two that go by one value go the same way, and no others do.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use machine_support::assembly::Gpu;
use machine_support::cases::{Case, ROWS, case, run, run_on};
use sqtt_hipcc::machine::Rule;

/// `@test R L` goes to L where R is zero, by way of a lane mask; `@not R L` where it is not.
fn guarded(body: &str) -> &'static str {
    let mut text = String::new();
    for line in body.lines().map(str::trim) {
        let mut words = line.split(' ');
        let (word, register, label) = (words.next(), words.next().unwrap_or(""), words.next().unwrap_or(""));
        let line = match word {
            Some("@test") => format!(
                "s_mov_b32 s20, 0\n s_cmp_eq_u32 {register}, s20\n s_cselect_@b @A, -1, 0\n \
                 s_and_@b @vcc, @exec, @A\n s_cbranch_vccnz {label}"
            ),
            Some("@not") => format!(
                "s_cmp_lg_u32 {register}, 0\n s_cselect_@b @A, -1, 0\n s_@andn2_@b @vcc, @exec, @A\n \
                 s_cbranch_vccz {label}"
            ),
            _ => line.to_owned(),
        };
        text.push_str(&line);
        text.push('\n');
    }
    Box::leak(text.into_boxed_str())
}

const OPEN: &[Rule] = &[Rule::ScopeBalance];

#[test]
fn guards_of_one_value_go_the_same_way() {
    let both = |second: &str| guarded(&format!("@test s9 @L\n @mark 6\n @L:\n {second}\n @mark 1\n @M:"));
    run(
        ROWS,
        &[
            case("as one mask", &[], both("@test s9 @M")),
            case("as a branch on SCC", &[], both("s_cmp_eq_u32 s9, 0\n s_cbranch_scc1 @M")),
            case("the other way around", OPEN, both("@not s9 @M")),
            case("of another value", OPEN, both("@test s8 @M")),
            case("of a value that changed", OPEN, both("s_add_u32 s9, s9, 1\n @test s9 @M")),
            case(
                "of a value that was kept in a lane",
                &[],
                guarded(
                    "v_writelane_b32 v0, s9, 3\n @test s9 @L\n @mark 6\n @L:\n s_mov_b32 s9, 7\n \
                     v_readlane_b32 s8, v0, 3\n @test s8 @M\n @mark 1\n @M:",
                ),
            ),
            case(
                "by a mask that lasts",
                &[],
                guarded(
                    "s_cmp_eq_u32 s9, 0\n s_cselect_@b @B, -1, 0\n s_and_@b @vcc, @exec, @B\n s_cbranch_vccnz @L\n \
                     @mark 6\n @L:\n s_xor_@b @C, @B, -1\n s_and_@b @vcc, @exec, @C\n s_cbranch_vccz @M\n @mark 1\n @M:",
                ),
            ),
            case(
                "by a mask of a condition that is not known",
                &[],
                guarded(
                    "s_cmp_lt_u32 s9, s10\n s_cselect_@b @B, -1, 0\n s_and_@b @vcc, @exec, @B\n s_cbranch_vccz @L\n \
                     @mark 6\n @L:\n s_@andn2_@b @vcc, @exec, @B\n s_cbranch_vccnz @M\n @mark 1\n @M:",
                ),
            ),
            case(
                "by two masks of such a condition",
                OPEN,
                guarded(
                    "s_cmp_lt_u32 s9, s10\n s_cselect_@b @B, -1, 0\n s_cmp_lt_u32 s9, s11\n s_cselect_@b @C, -1, 0\n \
                     s_and_@b @vcc, @exec, @B\n s_cbranch_vccz @L\n @mark 6\n @L:\n s_and_@b @vcc, @exec, @C\n \
                     s_cbranch_vccz @M\n @mark 1\n @M:",
                ),
            ),
        ],
    );
}

/// What is known of the mask holds behind two ways that meet.
#[test]
fn a_mask_that_lasts_past_a_branch_still_tells() {
    let body = |between: &str, last: &str| {
        guarded(&format!(
            "s_cmp_eq_u32 s9, 0\n s_cselect_@b @B, -1, 0\n s_cmp_eq_u32 s10, 3\n s_cbranch_scc1 @L\n {between}\n @L:\n \
             s_and_@b @vcc, @exec, @B\n s_cbranch_vccnz 3\n s_mov_b32 m0, 6\n s_nop 0\n s_ttracedata\n {last}\n \
             s_cbranch_scc1 @M\n @mark 1\n @M:"
        ))
    };
    run(
        ROWS,
        &[
            case("of the same value", &[], body("v_mov_b32 v0, 0", "s_cmp_eq_u32 s9, 0")),
            case("of one that changed on one way", OPEN, body("s_mov_b32 s9, s11", "s_cmp_eq_u32 s9, 0")),
            case("negated", OPEN, body("v_mov_b32 v0, 0", "s_cmp_lg_u32 s9, 0")),
        ],
    );
}

/// `(value << id) & mask` instead of `value & (mask >> id)`, which LLVM makes of a comparison with zero.
#[test]
fn a_scope_check_can_shift_the_value_to_the_mask() {
    let cases = |check: &'static str| -> Vec<Case> {
        let with = |value: &str, rest: &str| {
            let start = format!("{check}{value}\n s_lshl_b32 s3, s3, s2\n s_and_b32 s3, s3, 6\n ");
            guarded(&(start + rest))
        };
        let pair = "@test s3 @L\n @mark 6\n @L:\n s_mov_b32 s8, s3\n @test s8 @M\n @mark 1\n @M:";
        // The second guard computes the check anew.
        let anew = "@test s3 @L\n @mark 6\n @L:\n s_mov_b32 s8, 1\n s_lshl_b32 s8, s8, s2\n s_and_b32 s8, s8, 6\n \
                    @test s8 @M\n @mark 1\n @M:";
        vec![
            case("of one field", &[], with("s_mov_b32 s3, 1", pair)),
            case("computed twice", &[], with("s_mov_b32 s3, 1", anew)),
            case("of two fields", &[], with("s_lshr_b32 s3, 3, s2\n s_and_b32 s3, s3, 1", pair)),
            case("the exit unguarded", OPEN, with("s_mov_b32 s3, 1", "@test s3 @L\n @mark 6\n @L:\n @mark 1")),
            case("of a value that is not known", OPEN, with("s_mov_b32 s3, s11", &pair.replace("s8, s3", "s8, s9"))),
        ]
    };
    let is_new = |gpu: Gpu| gpu.name == "gfx1250";
    run_on(|gpu| gpu.lanes == 64, ROWS, &cases("s_getreg_b32 s2, hwreg(HW_REG_HW_ID, 8, 4)\n "));
    let rdna = cases("s_getreg_b32 s2, hwreg(HW_REG_HW_ID1, 8, 4)\n ");
    run_on(|gpu| gpu.lanes == 32 && !is_new(gpu), ROWS, &rdna);
    run_on(is_new, ROWS, &cases("s_getreg_b32 s2, hwreg(23, 8, 4)\n "));
}

/// EXEC is kept in the last lane of one register and the first of another.
#[test]
fn halves_of_a_mask_can_be_apart() {
    let body = |restored: &str| {
        guarded(&format!(
            "s_mov_b64 s[6:7], exec\n s_and_b64 s[4:5], s[6:7], vcc\n s_xor_b64 s[6:7], s[4:5], s[6:7]\n \
             v_writelane_b32 v0, s6, 63\n v_writelane_b32 v1, s7, 0\n s_mov_b64 exec, s[4:5]\n s_cbranch_execz @L\n \
             @mark 6\n @mark 1\n s_mov_b64 s[6:7], s[12:13]\n @L:\n v_readlane_b32 s8, v0, 63\n \
             v_readlane_b32 s9, {restored}\n s_or_b64 exec, exec, s[8:9]\n @mark 12"
        ))
    };
    run_on(
        |gpu| gpu.lanes == 64,
        ROWS,
        &[
            case("restored", &[], body("v1, 0")),
            case("half of it from elsewhere", &[Rule::PhantomMarker], body("v1, 1")),
            case("not restored", &[Rule::PhantomMarker], {
                let lost = body("v1, 0").replace("s_or_b64 exec, exec, s[8:9]\n", "");
                Box::leak(lost.into_boxed_str())
            }),
        ],
    );
}
