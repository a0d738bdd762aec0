//! Words that are known at run time only, in code that will be optimized again.
//!
//! A record's word comes straight from `readfirstlane` or `readlane`. An optimizer may move those in front of what
//! computes their operand (a conversion, say); code generation then computes the word in a vector register, which a
//! record cannot read. Between a unit's compile and the link the operand is therefore shielded by assembly without
//! instructions; behind the last optimizer the shield goes, and what was moved all the same is made uniform again.

use crate::llvm::{AsmCall, Builder, Function, Instruction, Module, Value, asm_text};
use crate::{Error, effects};

const SHIELD: &str = "; sqtt.value";
const FIRST_LANE: &str = "llvm.amdgcn.readfirstlane";
const LANE: &str = "llvm.amdgcn.readlane";

/// Shields what the words of all records are read from.
pub(crate) fn shield(module: Module) {
    for (_, word) in run_time_words(module) {
        let Some((read, value)) = read_of(word) else { continue };
        let builder = Builder::before(read, read.location());
        let call = AsmCall { text: SHIELD, constraints: "=v,0", result: true, arguments: &[value] };
        let shielded = builder.asm(call);
        effects::harmless(shielded);
        read.set_operand(0, shielded.value());
    }
}

/// Takes the shields away, and makes words uniform that no longer come from a read of a lane. Returns whether anything
/// changed.
pub(crate) fn settle(module: Module) -> Result<bool, Error> {
    let mut changed = false;
    for (record, word) in run_time_words(module) {
        let Some((read, value)) = read_of(word) else {
            let first = module.intrinsic(FIRST_LANE).ok_or(Error::Intrinsic(FIRST_LANE))?;
            let builder = Builder::before(record, record.location());
            record.set_operand(0, builder.call(first, &[word]).value());
            changed = true;
            continue;
        };
        let shield = value.as_instruction().filter(|i| asm_text(*i) == Some(SHIELD.as_bytes()));
        if let Some((shield, value)) = shield.and_then(|shield| Some((shield, shield.argument(0)?))) {
            read.set_operand(0, value);
            if shield.value().is_unused() {
                shield.erase();
            }
            changed = true;
        }
    }
    Ok(changed)
}

/// Every record whose word is no constant, with the word.
fn run_time_words(module: Module) -> Vec<(Instruction, Value)> {
    let records = module.definitions().into_iter().flat_map(Function::calls).filter(is_record);
    let words = records.filter_map(|record| Some((record, record.argument(0)?)));
    words.filter(|(_, word)| word.as_constant().is_none()).collect()
}

fn is_record(instruction: &Instruction) -> bool {
    asm_text(*instruction).is_some_and(|text| text.windows(12).any(|part| part == b"s_ttracedata"))
}

/// The read of a lane that yields a word, and what it reads.
fn read_of(word: Value) -> Option<(Instruction, Value)> {
    let read = word.as_instruction().filter(|i| i.calls_intrinsic(FIRST_LANE) || i.calls_intrinsic(LANE))?;
    Some((read, read.argument(0)?))
}
