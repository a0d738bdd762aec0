//! `cache-maintenance` and `extra-wait`: what markers cost beyond themselves, told by the same program without them.

use std::collections::BTreeMap;

use sqtt_contract::settings::Boundary;
use sqtt_contract::variables;

use super::{Findings, Rule};
use crate::machine::instruction::Instruction;
use crate::machine::markers::is_marker;
use crate::machine::program::Program;

pub(super) fn check(program: &Program, plain: &Program, boundary: Boundary, findings: &mut Findings) {
    let _ = boundary;
    check_caches(program, plain, findings);
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
