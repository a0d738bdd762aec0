//! Every lint rule finds what breaks it, and is silent about what looks alike and does not: hand-made code objects of
//! every generation, through the real assembler, linker and disassembler of both LLVMs.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use machine_support::cases::{Case, ROWS, case, run, run_on};
use sqtt_hipcc::machine::Rule;

#[test]
fn every_rule_is_documented() {
    let page = fs_err::read_to_string(machine_support::llvm::root().join("docs/lint.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| [`")).collect();
    assert_eq!(rows.len(), Rule::ALL.len());
    for (row, rule) in rows.iter().zip(Rule::ALL) {
        let severity = format!("{:?}", rule.severity()).to_lowercase();
        assert!(row.starts_with(&format!("| [`{rule}`](#{rule}) |")), "{row}");
        assert!(row.ends_with(&format!("| {severity} |")), "{row}");
        assert!(page.contains(&format!("\n## {rule}\n")), "{rule}");
    }
}

#[test]
fn identity() {
    run(
        ROWS,
        &[
            case("a scope, a point, an exit", &[], "@mark 6\n @mark 12\n @mark 11\n @m0 1"),
            case("an id that is in no row", &[Rule::MarkerId], "@mark 28"),
            case("a scope as a point", &[Rule::MarkerKind], "@mark 4"),
            case("a point that opens a scope", &[Rule::MarkerKind], "@mark 14\n @mark 1"),
            case("an exit by id", &[Rule::MarkerKind], "@mark 6\n @mark 5"),
            case("a point that closes a scope", &[Rule::MarkerKind], "@mark 6\n @mark 13"),
            case("a reserved word", &[Rule::MarkerId], "@mark 3"),
            case("a large id through M0", &[Rule::MarkerId], "@m0 0x12345678"),
            case("a word known at run time only", &[], "@m0 s0"),
        ],
    );
}

#[test]
fn clock() {
    const PACKED: &[&str] = &["U:2:u", "P:3:p", "M:shader_clock_bits=12;shader_clock_shift=4"];
    // A sample of the clock in the high bits, as known at run time only.
    const SAMPLE: &str = "s_lshl_b32 s2, s3, 20\n s_or_b32 s2, s2, ";
    const TRACE: &str = "\n @m0 s2\n ";
    let packed = |words: &[u32]| -> &'static str {
        Box::leak(words.iter().map(|word| format!("{SAMPLE}{word}{TRACE}")).collect::<String>().into_boxed_str())
    };
    run(
        PACKED,
        &[
            case("opened and closed", &[], packed(&[10, 12, 1])),
            case("left open", &[Rule::ScopeBalance], packed(&[10, 12])),
            case("a scope as a point", &[Rule::MarkerKind], packed(&[8])),
            case("an id that is in no row", &[Rule::MarkerId], packed(&[24])),
        ],
    );
}

#[test]
fn m0() {
    run(
        ROWS,
        &[
            case("no wait", &[Rule::M0Sequence], "s_mov_b32 m0, 12\n s_ttracedata"),
            case("no write", &[Rule::M0Sequence], "s_nop 0\n s_ttracedata"),
            case("one write for two", &[Rule::M0Sequence], "@m0 12\n s_nop 0\n s_ttracedata"),
            case(
                "a write in another block",
                &[Rule::M0Sequence],
                "s_mov_b32 m0, 12\n s_cbranch_scc0 @L\n @L:\n s_nop 0\n s_ttracedata",
            ),
            case("a wait of several states", &[], "s_mov_b32 m0, 12\n s_nop 3\n s_ttracedata"),
            case("another instruction for a wait", &[], "s_mov_b32 m0, 12\n v_mov_b32_e32 v1, v2\n s_ttracedata"),
            case("a later message", &[Rule::M0Reader], "s_mov_b32 m0, s1\n @m0 12\n s_sendmsg sendmsg(MSG_INTERRUPT)"),
            case(
                "a later message with its own word",
                &[],
                "@m0 12\n s_mov_b32 m0, s1\n s_nop 0\n s_sendmsg sendmsg(MSG_INTERRUPT)",
            ),
            case("a message on one path", &[Rule::M0Reader], "s_cbranch_scc0 @L\n @m0 12\n @L:\n s_mov_b32 s4, m0"),
            case("M0 as LDS base", &[Rule::M0Reader], "@m0 12\n ds_append v1"),
            case("M0 as LDS base, written again", &[], "@m0 12\n s_mov_b32 m0, s1\n ds_append v1"),
        ],
    );
}

#[test]
fn the_immediate_form_does_not_exist_on_gfx9() {
    // As words, since the assembler for gfx9 does not know it: the encodings of gfx10, and of gfx11 and gfx12.
    let words = [
        case("as gfx10", &[Rule::ImmediateForm], ".long 0xbfa8000c"),
        case("as gfx11", &[Rule::ImmediateForm], ".long 0xbfbb000c"),
    ];
    run_on(|gpu| gpu.lanes == 64, ROWS, &words);
    run_on(|gpu| gpu.lanes == 32, ROWS, &[case("by name", &[], "s_ttracedata_imm 12")]);
}

#[test]
fn balance_along_scalar_branches() {
    use Rule::ScopeBalance as Balance;
    run(
        ROWS,
        &[
            case("opened and closed", &[], "@mark 6\n @mark 10\n @mark 1\n @mark 1"),
            case("left open", &[Balance], "@mark 6"),
            case("closed twice", &[Balance], "@mark 6\n @mark 1\n @mark 1"),
            case("one for the other", &[], "@mark 6\n @mark 11\n @mark 1"),
            case("one for the other where none is open", &[Balance], "@mark 11\n @mark 1"),
            case("left open on one way", &[Balance], "@mark 6\n s_cbranch_scc0 @L\n @mark 1\n @L:"),
            case(
                "closed on both ways",
                &[],
                "@mark 6\n s_cbranch_scc0 @L\n @mark 1\n s_branch @M\n @L:\n @mark 1\n @M:",
            ),
            case("a wave that ends early", &[Balance], "@mark 6\n s_cbranch_scc0 @L\n @mark 1\n s_endpgm\n @L:"),
            case("a loop", &[], "@L:\n @mark 6\n @mark 1\n s_sub_u32 s2, s2, s3\n s_cbranch_scc0 @L"),
            case("a loop that opens", &[Balance], "@L:\n @mark 6\n s_sub_u32 s2, s2, s3\n s_cbranch_scc0 @L\n @mark 1"),
            case("a trap", &[], "@mark 6\n s_cbranch_scc0 @L\n s_trap 2\n @L:\n @mark 1"),
            // Whether s2 is zero is the same question both times.
            case(
                "one condition twice",
                &[],
                "s_cmp_eq_u32 s2, 0\n s_cbranch_scc1 @L\n @mark 6\n @L:\n s_cmp_eq_u32 s2, 0\n s_cbranch_scc1 @M\n @mark 1\n @M:",
            ),
            case(
                "two conditions",
                &[Balance],
                "s_cmp_eq_u32 s2, 0\n s_cbranch_scc1 @L\n @mark 6\n @L:\n s_cmp_eq_u32 s3, 0\n s_cbranch_scc1 @M\n @mark 1\n @M:",
            ),
        ],
    );
}

#[test]
fn balance_where_lanes_part() {
    use Rule::ScopeBalance as Balance;
    run(
        ROWS,
        &[
            case(
                "inside one arm",
                &[],
                "s_and_saveexec_@b @A, @vcc\n s_cbranch_execz @L\n @mark 6\n @mark 1\n @L:\n s_or_@b @exec, @exec, @A",
            ),
            case(
                "closed in one arm",
                &[Balance],
                "@mark 6\n s_and_saveexec_@b @A, @vcc\n s_cbranch_execz @L\n @mark 1\n @L:\n s_or_@b @exec, @exec, @A",
            ),
            case(
                "closed in both arms",
                &[Balance],
                "@mark 6\n s_and_saveexec_@b @A, @vcc\n s_xor_@b @A, @exec, @A\n s_cbranch_execz @L\n @mark 1\n @L:\n \
             s_@andn2_saveexec_@b @A, @A\n s_cbranch_execz @M\n @mark 1\n @M:\n s_or_@b @exec, @exec, @A",
            ),
            case(
                "a loop of lanes",
                &[],
                "s_mov_@b @A, 0\n @L:\n @mark 6\n @mark 1\n s_or_@b @A, @vcc, @A\n s_@andn2_@b @exec, @exec, @A\n s_cbranch_execnz @L\n s_or_@b @exec, @exec, @A\n @mark 12",
            ),
            case(
                "a loop of lanes that opens",
                &[Balance],
                "s_mov_@b @A, 0\n @L:\n @mark 6\n s_or_@b @A, @vcc, @A\n s_@andn2_@b @exec, @exec, @A\n s_cbranch_execnz @L\n s_or_@b @exec, @exec, @A\n @mark 1",
            ),
        ],
    );
}

#[test]
fn balance_under_the_scope_check() {
    let cases = |check: &'static str| {
        let with = |rest: &str| -> &'static str {
            let guard = rest.replace("@guard ", "s_cmp_eq_u32 s3, 0\n s_cbranch_scc1 ");
            Box::leak(format!("{check}s_lshr_b32 s2, 3, s2\n s_and_b32 s3, s2, 1\n {guard}").into_boxed_str())
        };
        [
            case("both guarded", &[], with("@guard @L\n @mark 6\n @L:\n s_mov_b32 s8, s3\n @guard @M\n @mark 1\n @M:")),
            case(
                "both guarded, once as a lane mask",
                &[],
                with(
                    "s_bitcmp1_b32 s2, 0\n s_cselect_@b @A, -1, 0\n @guard @L\n @mark 6\n @L:\n \
                     s_@andn2_@b @vcc, @exec, @A\n s_cbranch_vccnz @M\n @mark 1\n @M:",
                ),
            ),
            case("the exit unguarded", &[Rule::ScopeBalance], with("@guard @L\n @mark 6\n @L:\n @mark 1")),
            case(
                "the exit under another condition",
                &[Rule::ScopeBalance],
                with("@guard @L\n @mark 6\n @L:\n s_cmp_eq_u32 s9, 0\n s_cbranch_scc1 @M\n @mark 1\n @M:"),
            ),
            case(
                "half of a payload unguarded",
                &[Rule::PayloadRecords],
                with("@guard @L\n @m0 16\n @m0 7\n @L:\n @m0 s9"),
            ),
        ]
    };
    run_on(|gpu| gpu.lanes == 64, ROWS, &cases("s_getreg_b32 s2, hwreg(HW_REG_HW_ID, 8, 4)\n "));
    let rdna = cases("s_getreg_b32 s2, hwreg(HW_REG_HW_ID1, 8, 4)\n ");
    run_on(|gpu| gpu.lanes == 32 && gpu.name != "gfx1250", ROWS, &rdna);
    // The register's name is another one.
    run_on(|gpu| gpu.name == "gfx1250", ROWS, &cases("s_getreg_b32 s2, hwreg(23, 8, 4)\n "));
}

#[test]
fn balance_across_calls() {
    use Rule::ScopeBalance as Balance;
    const RETURN: &str = "s_setpc_b64 s[30:31]";
    let call = |name, broken, body, functions| Case { name, body, functions, broken };
    run(
        ROWS,
        &[
            call(
                "a callee that closes what it opens",
                &[],
                "@mark 6\n @call f\n @mark 1",
                &[("f", "@mark 10\n @mark 1\n s_setpc_b64 s[30:31]")],
            ),
            call(
                "a callee that opens for its caller",
                &[],
                "@call f\n @mark 1",
                &[("f", "@mark 6\n s_setpc_b64 s[30:31]")],
            ),
            call("a callee that opens", &[Balance], "@call f", &[("f", "@mark 6\n s_setpc_b64 s[30:31]")]),
            call("a callee that closes", &[Balance], "@call f", &[("f", "@mark 1\n s_setpc_b64 s[30:31]")]),
            call(
                "a callee that opens on one way",
                &[Balance],
                "@call f",
                &[("f", "s_cbranch_scc0 @L\n @mark 6\n @L:\n s_setpc_b64 s[30:31]")],
            ),
            call(
                "a callee of a callee",
                &[Balance],
                "@call f",
                &[("f", "@call g\n s_setpc_b64 s[30:31]"), ("g", "@mark 6\n s_setpc_b64 s[30:31]")],
            ),
            call(
                "a callee of which nothing is known",
                &[],
                "@mark 6\n s_load_dwordx2 s[20:21], s[0:1], 0x0\n s_swappc_b64 s[30:31], s[20:21]\n @mark 1",
                &[("f", RETURN)],
            ),
        ],
    );
}

#[test]
fn phantoms() {
    use Rule::PhantomMarker as Phantom;
    run(
        ROWS,
        &[
            case(
                "no branch behind saveexec",
                &[Phantom],
                "s_and_saveexec_@b @A, @vcc\n @mark 12\n s_or_@b @exec, @exec, @A",
            ),
            case(
                "a branch behind saveexec",
                &[],
                "s_and_saveexec_@b @A, @vcc\n s_cbranch_execz @L\n @mark 12\n @L:\n s_or_@b @exec, @exec, @A\n @mark 12",
            ),
            case(
                "no branch behind a comparison",
                &[Phantom],
                "s_mov_@b @A, @exec\n @cmpx v0, v1\n @mark 12\n s_mov_@b @exec, @A",
            ),
            case(
                "a branch behind a comparison",
                &[],
                "s_mov_@b @A, @exec\n @cmpx v0, v1\n s_cbranch_execz @L\n @mark 12\n @L:\n s_mov_@b @exec, @A\n @mark 12",
            ),
            case(
                "a mask that is moved",
                &[Phantom],
                "s_mov_@b @A, @exec\n s_and_@b @B, @A, @vcc\n s_mov_@b @exec, @B\n @mark 12\n s_mov_@b @exec, @A",
            ),
            case(
                "the other arm",
                &[Phantom],
                "s_and_saveexec_@b @A, @vcc\n s_xor_@b @A, @exec, @A\n s_cbranch_execz @L\n s_nop 0\n @L:\n s_@andn2_saveexec_@b @A, @A\n @mark 12\n s_or_@b @exec, @exec, @A",
            ),
            case(
                "behind a loop, before lanes are back",
                &[Phantom],
                "s_mov_@b @A, 0\n @L:\n s_or_@b @A, @vcc, @A\n s_@andn2_@b @exec, @exec, @A\n s_cbranch_execnz @L\n @mark 12\n s_or_@b @exec, @exec, @A",
            ),
            case("the lanes that are off", &[Phantom], "s_xor_saveexec_@b @A, -1\n @mark 12\n s_mov_@b @exec, @A"),
            case("all lanes", &[], "s_or_saveexec_@b @A, -1\n @mark 12\n s_mov_@b @exec, @A\n @mark 12"),
            case("a mask of unknown origin", &[], "s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_mov_@b @exec, @A\n @mark 12"),
            case(
                "masks kept in lanes",
                &[],
                "s_and_saveexec_@b @A, @vcc\n v_writelane_b32 v9, s4, 0\n v_writelane_b32 v9, s5, 1\n s_cbranch_execz @L\n @mark 12\n @L:\n v_readlane_b32 s6, v9, 0\n v_readlane_b32 s7, v9, 1\n s_or_@b @exec, @exec, @B\n @mark 12",
            ),
        ],
    );
}

#[test]
fn phantoms_in_callees() {
    use Rule::PhantomMarker as Phantom;
    let functions: &[(&str, &str)] = &[("f", "@mark 12\n s_setpc_b64 s[30:31]")];
    let call = |name, broken, body| Case { name, body, functions, broken };
    run(
        ROWS,
        &[
            call(
                "a call without a branch",
                &[Phantom],
                "s_and_saveexec_@b @A, @vcc\n @call f\n s_or_@b @exec, @exec, @A",
            ),
            call(
                "a call behind a branch",
                &[],
                "s_and_saveexec_@b @A, @vcc\n s_cbranch_execz @L\n @call f\n @L:\n s_or_@b @exec, @exec, @A",
            ),
        ],
    );
}

#[test]
fn payloads() {
    use Rule::PayloadRecords as Payload;
    const LOOP: &str = "@mark 20\n s_mov_b32 s8, 0\n @L:\n v_readlane_b32 s9, v1, s8\n @m0 s9\n s_add_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 32\n s_cbranch_scc1 @L\n @mark 12";
    run(
        ROWS,
        &[
            case("two records", &[], "@mark 16\n @m0 s2\n @m0 6\n @mark 12"),
            case("one record of two", &[Payload], "@mark 16\n @m0 s2"),
            case("a barrier between", &[Payload], "@mark 16\n @m0 s2\n s_sleep 1\n @m0 s3"),
            case("one record of two on one way", &[Payload], "@mark 16\n @m0 s2\n s_cbranch_scc0 @L\n @m0 s3\n @L:"),
            case("a loop over the lanes", &[], LOOP),
            case(
                "a loop over too few lanes",
                &[Payload],
                "@mark 20\n s_mov_b32 s8, 1\n @L:\n v_readlane_b32 s9, v1, s8\n @m0 s9\n s_add_u32 s8, s8, 1\n s_cmp_lg_u32 s8, 32\n s_cbranch_scc1 @L",
            ),
        ],
    );
}
