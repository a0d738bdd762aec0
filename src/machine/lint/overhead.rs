//! `cache-maintenance` and `extra-wait`: what markers cost beyond themselves, told by the same program without them.

use std::collections::BTreeMap;

use sqtt_contract::settings::Boundary;
use sqtt_contract::variables;

use super::{Findings, Rule};
use crate::machine::instruction::Instruction;
use crate::machine::markers::{Source, is_marker};
use crate::machine::operand::Operand;
use crate::machine::program::{Function, Program};

pub(super) fn check(program: &Program, plain: &Program, boundary: Boundary, findings: &mut Findings) {
    check_caches(program, plain, findings);
    check_waits(program, plain, boundary, findings);
}

type IsKind = fn(&Instruction) -> bool;

/// Waits, all functions together: no more than without markers, but for what is allowed. A fence allows one for
/// outstanding LDS and scalar operations, and there is one on each side of a marker (spec "Marker reorder boundary");
/// LLVM 22 leaves out the second, LLVM 19 does not. A word that is known at run time
/// must be there before it is traced, and a block that a marker's guard made can need a wait of its own.
fn check_waits(program: &Program, plain: &Program, boundary: Boundary, findings: &mut Findings) {
    let markers: Vec<Source> =
        program.functions.iter().flat_map(Function::markers).map(|marker| marker.source).collect();
    let is_computed = |source: &&Source| matches!(source, Source::Scalar(_) | Source::Computed | Source::Stale);
    let blocks = |program: &Program| program.functions.iter().map(|function| function.blocks.len()).sum::<usize>();
    let computed = 2 * markers.iter().filter(is_computed).count();
    let needed = computed + blocks(program).saturating_sub(blocks(plain));
    let fences = if boundary == Boundary::Fence { 2 * markers.len() } else { 0 };
    let kinds: [(&str, IsKind, usize); 2] = [("", is_wait, needed + fences), (" for memory", is_memory_wait, needed)];
    for (what, is_kind, allowed) in kinds {
        let count = |program: &Program| {
            program.functions.iter().flat_map(|function| &function.instructions).filter(|one| is_kind(one)).count()
        };
        let (with, without) = (count(program), count(plain));
        let Some(function) = program.functions.iter().find(|function| function.has_markers()) else { return };
        if with > without + allowed {
            findings.add(Rule::ExtraWait, function, function.address, || {
                format!(
                    "{with} waits{what} with markers, {without} without: more than {allowed} more\n\
                     compile with `{}=asm` or `none`, and report it",
                    variables::MEM_BARRIER
                )
            });
        }
    }
}

/// A wait for outstanding operations of any kind.
fn is_wait(instruction: &Instruction) -> bool {
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

/// Of each such instruction the program has no more than without markers, all functions together: markers can keep a
/// function from being inlined.
fn check_caches(program: &Program, plain: &Program, findings: &mut Findings) {
    let (with, without) = (maintenance(program), maintenance(plain));
    for (mnemonic, count) in with {
        let before = without.get(mnemonic).copied().unwrap_or(0);
        if count <= before {
            continue;
        }
        let marked = program.functions.iter().filter(|function| function.has_markers());
        let first = marked.into_iter().find_map(|function| {
            let instruction = function.instructions.iter().find(|instruction| instruction.is(mnemonic))?;
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

fn is_maintenance(instruction: &Instruction) -> bool {
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
