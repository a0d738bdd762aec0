//! Address tracing: which operations are traced, and the records of one (spec "Address Tracing").

use std::collections::HashMap;

use sqtt_contract::addresses::Form;
use sqtt_contract::funcmap::ADDRESS_PREFIX;
use sqtt_contract::settings::Addresses;

use crate::Error;
use crate::ledger::{Entry, Kind, Ledger};
use crate::llvm::{AsmCall, Builder, DebugLocation, Function, Instruction, Value, insert_lane_loop};
use crate::lower::{Lowering, Word};
use crate::marks::Mark;
use crate::operations::{self, Access, Class, Operation, Source};
use crate::report::Untraced;

/// The operations whose addresses are traced, each by its mark.
pub(crate) type Traced = HashMap<Instruction, Operation>;

/// Puts a mark in front of every operation of a function that is to be traced. Each operation has an id of its own.
pub(crate) fn place(
    function: Function,
    wanted: Addresses,
    lanes: u32,
    ledger: &mut Ledger,
    traced: &mut Traced,
    untraced: &mut Untraced,
) {
    for instruction in function.instructions() {
        let operation = match operations::classify(instruction) {
            Class::Named(operation) if is_wanted(operation.source, wanted) => operation,
            Class::Buffer(_, name) | Class::Other(name) => {
                untraced.operation(name.to_owned());
                continue;
            }
            Class::Named(_) | Class::Nothing => continue,
        };
        let payload = form_of(operation.source).payload_count(lanes);
        let location = instruction.location().map(inline_chain);
        let entry = Entry::new(Kind::Addresses, name_of(operation).into_bytes());
        let id = ledger.add(Entry { location, payload, ..entry });
        let mark = Mark::Addresses(id).place(&Builder::before(instruction, instruction.location()));
        traced.insert(mark, operation);
    }
}

fn is_wanted(source: Source, wanted: Addresses) -> bool {
    match source {
        Source::Memory(_) | Source::Buffer { .. } => wanted.memory,
        Source::Lds(_) | Source::Permute(..) => wanted.lds,
    }
}

fn form_of(source: Source) -> Form {
    match source {
        Source::Memory(_) => Form::Pointer,
        Source::Lds(_) | Source::Permute(..) => Form::Word,
        Source::Buffer { index: None, .. } => Form::Buffer,
        Source::Buffer { index: Some(_), .. } => Form::StructBuffer,
    }
}

fn name_of(operation: Operation) -> String {
    let access = match operation.access {
        Access::Load => "load",
        Access::Store => "store",
        Access::Atomic => "atomic",
    };
    match operation.source {
        Source::Memory(_) => format!("{ADDRESS_PREFIX}{access}"),
        Source::Lds(_) => format!("{ADDRESS_PREFIX}lds_{access}"),
        Source::Buffer { index: None, .. } => format!("{ADDRESS_PREFIX}buffer_{access}"),
        Source::Buffer { index: Some(_), .. } => format!("{ADDRESS_PREFIX}struct_buffer_{access}"),
        Source::Permute(name, _) => format!("{ADDRESS_PREFIX}{name}"),
    }
}

/// `file:line -> file:line`: where the operation stands, then the calls that it was inlined through.
fn inline_chain(location: DebugLocation) -> Vec<u8> {
    let mut chain = Vec::new();
    for location in location.inline_chain() {
        let (file, line) = location.place();
        if !chain.is_empty() {
            chain.extend_from_slice(b" -> ");
        }
        chain.extend_from_slice(&file);
        chain.extend_from_slice(format!(":{line}").as_bytes());
    }
    chain
}

/// Emits the payload of one traced operation in front of `end`: EXEC, then what the operation's kind has.
///
/// All lanes are traced, whatever EXEC: the reader filters. The loops are never unrolled.
pub(crate) fn emit_payload(
    end: Instruction,
    operation: Operation,
    lanes: u32,
    lowering: Lowering,
    location: Option<DebugLocation>,
) -> Result<(), Error> {
    let builder = Builder::before(end, location);
    lowering.emit_exec(&builder);
    let words: Vec<Vec<Value>> = match operation.source {
        Source::Memory(pointer) => {
            let address = builder.pointer_bits(pointer, 64);
            vec![vec![builder.word_of(address, 0), builder.word_of(address, 1)]]
        }
        Source::Lds(pointer) => vec![vec![builder.pointer_bits(pointer, 32)]],
        Source::Permute(_, index) => vec![vec![builder.as_i32(index)]],
        Source::Buffer { descriptor, index, lane_offset, wave_offset } => {
            let (low, high) = descriptor_words(&builder, descriptor);
            for word in [low, high, wave_offset] {
                lowering.emit(&builder, Word::of(word))?;
            }
            std::iter::once(lane_offset).chain(index).map(|value| vec![value]).collect()
        }
    };
    for lane_words in words {
        let lane_words: Vec<Value> = lane_words.into_iter().map(|word| opaque(&builder, word)).collect();
        insert_lane_loop(end, lanes, location, |builder, lane| {
            lane_words.iter().try_for_each(|word| lowering.emit_lane(builder, *word, lane))
        })?;
    }
    Ok(())
}

/// A value that the code generator knows nothing about. Of one that is the same in all lanes LLVM 22 drops the
/// `readlane`, and the vector register that it may be in is no operand of a scalar move.
fn opaque(builder: &Builder, value: Value) -> Value {
    builder.asm(AsmCall { text: "", constraints: "=v,0", result: true, arguments: &[value] }).value()
}

/// The two lowest words of a descriptor: base address, its high part and the stride.
fn descriptor_words(builder: &Builder, descriptor: Value) -> (Value, Value) {
    if descriptor.is_pointer() {
        let bits = builder.pointer_bits(descriptor, 128);
        return (builder.word_of(bits, 0), builder.word_of(bits, 1));
    }
    (builder.element(descriptor, 0), builder.element(descriptor, 1))
}
