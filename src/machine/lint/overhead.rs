//! `cache-maintenance` and `extra-wait`: what markers cost beyond themselves, told by the same program without them.
//!
//! That a program has more of something proves nothing alone: a marker between two loads parts the wait for both, and
//! the compiler copies other code than before. What is found stands beside a marker as well, where only the marker can
//! be the reason.

use std::collections::BTreeMap;

use sqtt_contract::settings::Boundary;
use sqtt_contract::variables;

use super::{Findings, Rule, beside};
use crate::machine::instruction::Instruction;
use crate::machine::markers::is_marker;
use crate::machine::operand::Operand;
use crate::machine::program::Program;

pub(super) fn check(program: &Program, plain: &Program, boundary: Boundary, findings: &mut Findings) {
    check_caches(program, plain, findings);
    check_waits(program, plain, boundary, findings);
}

type IsKind = fn(&Instruction) -> bool;

/// Waits, all functions together: where there are more than without markers, those right in front of markers are extra.
/// A fence may wait for outstanding LDS and scalar operations (spec "Marker reorder boundary"), but not for memory.
fn check_waits(program: &Program, plain: &Program, boundary: Boundary, findings: &mut Findings) {
    let (what, is_kind): (&str, IsKind) =
        if boundary == Boundary::Fence { (" for memory", is_memory_wait) } else { ("", is_wait) };
    let count = |program: &Program| {
        program.functions.iter().flat_map(|function| &function.instructions).filter(|one| is_kind(one)).count()
    };
    let (with, without) = (count(program), count(plain));
    let beside = program.functions.iter().flat_map(|one| beside::waits(one).into_iter().map(move |wait| (one, wait)));
    let beside = beside.filter(|(_, wait)| is_kind(wait));
    for (function, wait) in beside.take(with.saturating_sub(without)) {
        findings.add(Rule::ExtraWait, function, wait.address, || {
            format!(
                "a marker waits{what}; there are {with} such waits with markers and {without} without\n\
                 compile with `{}=asm` or `none`, and report it",
                variables::MEM_BARRIER
            )
        });
    }
}

/// A wait for outstanding operations of any kind.
pub(super) fn is_wait(instruction: &Instruction) -> bool {
    let name = &*instruction.mnemonic;
    let old = name == "s_waitcnt" || (name.starts_with("s_waitcnt_") && name.ends_with("cnt"));
    old || (name.starts_with("s_wait_") && name.ends_with("cnt"))
}

/// A wait for loads from memory or stores to it.
fn is_memory_wait(instruction: &Instruction) -> bool {
    const COUNTERS: [&str; 5] = ["vmcnt", "vscnt", "loadcnt", "storecnt", "samplecnt"];
    let operands = instruction.operands.iter().map(|operand| match operand {
        Operand::Other(text) => text,
        _ => "",
    });
    let mut texts = operands.chain([&*instruction.mnemonic, &*instruction.modifiers]);
    is_wait(instruction) && texts.any(|text| COUNTERS.iter().any(|counter| text.contains(counter)))
}

/// Of each such instruction the program has no more than without markers, all functions together, as markers can keep a
/// function from being inlined; else those beside markers are theirs.
fn check_caches(program: &Program, plain: &Program, findings: &mut Findings) {
    let (with, without) = (maintenance(program), maintenance(plain));
    for (mnemonic, count) in with {
        let before = without.get(mnemonic).copied().unwrap_or(0);
        if count <= before {
            continue;
        }
        let first = program.functions.iter().find_map(|function| {
            let instruction = beside::maintenance(function).into_iter().find(|one| one.is(mnemonic))?;
            Some((function, instruction.address))
        });
        if let Some((function, address)) = first {
            findings.add(Rule::CacheMaintenance, function, address, || {
                format!(
                    "{count} `{mnemonic}` with markers, {before} without\n\
                     compile with `{}=asm` or `none`, and report it",
                    variables::MEM_BARRIER
                )
            });
        }
    }
}

fn maintenance(program: &Program) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    let instructions = program.functions.iter().flat_map(|function| &function.instructions);
    for instruction in instructions.filter(|instruction| is_maintenance(instruction)) {
        *counts.entry(&*instruction.mnemonic).or_insert(0) += 1;
    }
    counts
}

pub(super) fn is_maintenance(instruction: &Instruction) -> bool {
    const PREFIXES: [&str; 8] = [
        "buffer_gl0_inv",
        "buffer_gl1_inv",
        "buffer_inv",
        "buffer_wbinvl1",
        "buffer_wbl2",
        "global_inv",
        "global_wb",
        "s_dcache_",
    ];
    !is_marker(instruction) && PREFIXES.iter().any(|prefix| instruction.mnemonic.starts_with(prefix))
}
