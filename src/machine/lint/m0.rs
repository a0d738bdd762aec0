//! `m0-sequence` and `m0-reader`: what goes through M0 belongs to one marker.

use super::{Findings, Rule};
use crate::machine::instruction::{Control, Instruction};
use crate::machine::markers::{Source, is_marker};
use crate::machine::program::Function;
use crate::machine::register::Register;

pub(super) fn check(function: &Function, findings: &mut Findings) {
    if !function.has_markers() {
        return;
    }
    for marker in function.markers() {
        match (marker.source, marker.setup) {
            (Source::Immediate(_), _) => {}
            (_, None) => findings.add(Rule::M0Sequence, function, marker.address, || {
                "`s_ttracedata` traces what happens to be in M0: nothing writes it for this marker\n\
                 write M0 and wait with `s_nop` right in front of it"
                    .to_owned()
            }),
            (_, Some(setup)) if !setup.waits => findings.add(Rule::M0Sequence, function, marker.address, || {
                "nothing stands between the write of M0 and `s_ttracedata`, which may trace the value before it\n\
                 put an `s_nop` between them"
                    .to_owned()
            }),
            (_, Some(_)) => {}
        }
    }
    check_readers(function, findings);
}

/// Instructions that read M0 where some path leaves a marker's word in it.
fn check_readers(function: &Function, findings: &mut Findings) {
    let mut at_entry = vec![false; function.blocks.len()];
    let mut pending: Vec<usize> = (0..function.blocks.len()).rev().collect();
    while let Some(index) = pending.pop() {
        let left = run(function, index, at_entry[index], &mut |_| {});
        for edge in function.blocks[index].edges.iter().filter(|_| left) {
            if !std::mem::replace(&mut at_entry[edge.to], true) {
                pending.push(edge.to);
            }
        }
    }
    for (index, holds_word) in at_entry.into_iter().enumerate() {
        run(function, index, holds_word, &mut |reader: &Instruction| {
            findings.add(Rule::M0Reader, function, reader.address, || {
                format!(
                    "`{}` reads M0, in which a marker left its word\n\
                     let the marker tell the compiler that it writes M0, as the pass plugin does",
                    reader.mnemonic
                )
            });
        });
    }
}

/// Runs a block; whether a marker's word is in M0 at its end. Tells `found` each instruction that reads one.
fn run(function: &Function, index: usize, mut holds_word: bool, found: &mut dyn FnMut(&Instruction)) -> bool {
    for at in function.blocks[index].instructions.clone() {
        let instruction = &function.instructions[at];
        if is_marker(instruction) {
            holds_word |= instruction.is("s_ttracedata");
            continue;
        }
        if holds_word && reads_m0(instruction) {
            found(instruction);
        }
        if instruction.writes(Register::M0) || instruction.control() == Control::Call {
            holds_word = false;
        }
    }
    holds_word
}

/// M0 is an operand, or one of the instruction's own (ISA manuals, "M0").
fn reads_m0(instruction: &Instruction) -> bool {
    const OWN: [&str; 13] = [
        "ds_append",
        "ds_consume",
        "ds_gws_",
        "ds_ordered_count",
        "ds_param_load",
        "ds_direct_load",
        "global_load_lds_",
        "lds_direct_load",
        "lds_param_load",
        "s_movrel",
        "v_interp_",
        "v_movrel",
        "v_swaprel",
    ];
    let names = |index: usize| instruction.registers(index).is_some_and(|registers| registers.contains(Register::M0));
    let first = instruction.results().count();
    let is_operand = (first..instruction.operands.len()).any(names);
    let to_lds =
        instruction.mnemonic.starts_with("buffer_load") && instruction.modifiers.split(' ').any(|one| one == "lds");
    let by_lane = instruction.mnemonic.contains("_addtid_");
    is_operand
        || to_lds
        || by_lane
        || sends_m0(instruction)
        || OWN.iter().any(|own| instruction.mnemonic.starts_with(own))
}

/// The message that gives registers back to the hardware carries nothing.
fn sends_m0(instruction: &Instruction) -> bool {
    let sends = instruction.is("s_sendmsg") || instruction.is("s_sendmsghalt");
    sends && !instruction.operands.iter().any(|operand| format!("{operand:?}").contains("DEALLOC_VGPRS"))
}
