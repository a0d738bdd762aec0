//! `immediate-form`: gfx9 has no `s_ttracedata_imm`.

use super::{Findings, Rule};
use crate::code_object::Target;
use crate::machine::instruction::Instruction;
use crate::machine::program::Function;

pub(super) fn check(function: &Function, target: &Target, findings: &mut Findings) {
    if has_immediate_form(&target.processor) {
        return;
    }
    for instruction in function.instructions.iter().filter(|instruction| is_immediate_form(instruction)) {
        findings.add(Rule::ImmediateForm, function, instruction.address, || {
            format!(
                "`s_ttracedata_imm` does not exist on {}\ncompile with a pass plugin that knows the GPU",
                target.processor
            )
        });
    }
}

/// Every generation from gfx10 on (RDNA ISA manuals, "SOPP"); of what is no GPU of those nothing is claimed.
fn has_immediate_form(processor: &str) -> bool {
    !processor.starts_with("gfx9")
}

/// The disassembler of a GPU without the instruction sees a word that it does not know.
fn is_immediate_form(instruction: &Instruction) -> bool {
    const ENCODINGS: [u32; 2] = [
        0xBFA8_0000, // gfx10
        0xBFBB_0000, // gfx11 and gfx12
    ];
    let unknown = instruction.is(".long") && ENCODINGS.contains(&(instruction.word & 0xFFFF_0000));
    unknown || instruction.is("s_ttracedata_imm")
}
