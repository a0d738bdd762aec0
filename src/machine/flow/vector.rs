//! What vector instructions and stack memory do to a state, as far as scalar values and lane masks pass through them.

use super::Context;
use super::bits::Bits;
use super::scalar::{self, read};
use super::state::{Fact, Id, Place, State};
use crate::machine::exec::{BitOp, exec};
use crate::machine::instruction::Instruction;
use crate::machine::operand::Operand;
use crate::machine::register::{Register, Registers};

/// Runs an instruction that is no scalar one.
pub(super) fn step(state: &mut State, instruction: &Instruction, context: &Context) {
    let name = instruction.base_mnemonic();
    if let Some(comparison) = name.strip_prefix("v_cmpx_") {
        return compare(state, instruction, comparison, true, context);
    }
    if let Some(comparison) = name.strip_prefix("v_cmp_") {
        return compare(state, instruction, comparison, false, context);
    }
    match name {
        "v_writelane_b32" => return write_lane(state, instruction),
        "v_readlane_b32" => return read_lane(state, instruction),
        "v_readfirstlane_b32" => return read_first_lane(state, instruction),
        "v_accvgpr_write_b32" | "v_accvgpr_read_b32" | "v_accvgpr_mov_b32" => return copy(state, instruction),
        _ => {}
    }
    if !spill(state, instruction, name) {
        arithmetic(state, instruction, name.strip_prefix("v_").unwrap_or(name), context);
    }
    if let Some(second) = &instruction.second {
        step(state, second, context);
    }
}

/// A comparison of every lane. With operands that are known and the same in all lanes the mask is all of them or none;
/// it is only ever used where no more lanes are active than where it was made.
fn compare(state: &mut State, instruction: &Instruction, comparison: &str, to_exec: bool, context: &Context) {
    // From gfx10 on `v_cmpx` has no result but EXEC.
    let names_result = instruction.operands.len() > 2;
    let result = instruction.registers(0).filter(|result| names_result && !result.iter().any(Register::is_vector));
    let first = usize::from(result.is_some());
    let outcome = known_outcome(state, instruction, comparison, first);
    let targets = if to_exec { Some(exec(context.wave_size)) } else { None };
    for (half, _) in (0_u16..).zip(exec(context.wave_size).iter()) {
        let value = match outcome {
            Some(true) if to_exec => match Registers::EXEC.get(half) {
                Some(old) => state.register(old),
                None => continue,
            },
            Some(outcome) => state.constant(if outcome { u32::MAX } else { 0 }),
            None => state.fresh(Fact { is_mask: true, ..Fact::UNKNOWN }),
        };
        for registers in [targets, result].into_iter().flatten() {
            if let Some(register) = registers.get(half) {
                state.set_register(register, value);
            }
        }
    }
}

fn known_outcome(state: &mut State, instruction: &Instruction, comparison: &str, first: usize) -> Option<bool> {
    let (relation, kind) = comparison.rsplit_once('_')?;
    if instruction.mnemonic.contains("dpp") || instruction.mnemonic.contains("sdwa") {
        return None;
    }
    let (a, b) = (read(state, instruction, first, 0), read(state, instruction, first + 1, 0));
    let (a, b) = (state.bits(a).value()?, state.bits(b).value()?);
    scalar::holds(scalar::ordering(a.into(), b.into(), kind)?, relation)
}

fn vector(instruction: &Instruction, index: usize) -> Option<Register> {
    instruction.registers(index)?.get(0).filter(|register| register.is_vector())
}

/// The lane that operand 2 names.
fn lane_number(state: &mut State, instruction: &Instruction) -> Option<u8> {
    let lane = read(state, instruction, 2, 0);
    state.bits(lane).value().and_then(|lane| u8::try_from(lane).ok())
}

fn write_lane(state: &mut State, instruction: &Instruction) {
    let Some(vector) = vector(instruction, 0) else { return };
    let value = read(state, instruction, 1, 0);
    state.places.remove(&Place::Register(vector));
    match lane_number(state, instruction) {
        Some(lane) => _ = state.places.insert(Place::Lane(vector, lane), value),
        None => state.places.retain(|place, _| !matches!(place, Place::Lane(one, _) if *one == vector)),
    }
}

fn read_lane(state: &mut State, instruction: &Instruction) {
    let Some(result) = instruction.registers(0).and_then(|result| result.get(0)) else { return };
    let value = match (vector(instruction, 1), lane_number(state, instruction)) {
        (Some(vector), Some(lane)) => scalar::lane(state, vector, lane),
        _ => state.unknown(),
    };
    state.set_register(result, value);
}

fn read_first_lane(state: &mut State, instruction: &Instruction) {
    let Some(result) = instruction.registers(0).and_then(|result| result.get(0)) else { return };
    let value = read(state, instruction, 1, 0);
    state.set_register(result, value);
}

/// Vector registers that are kept in the stack frame; false when the instruction does no such thing.
///
/// `scratch_store_b64 off, v[1:2], s33 offset:80`; `buffer_store_dword v0, off, s[0:3], s33 offset:68`.
fn spill(state: &mut State, instruction: &Instruction, name: &str) -> bool {
    let (is_store, vectors, base) = match name {
        _ if name.starts_with("scratch_store_") => (true, 1, 2),
        _ if name.starts_with("scratch_load_") => (false, 0, 2),
        _ if name.starts_with("buffer_store_") => (true, 0, 3),
        _ if name.starts_with("buffer_load_") => (false, 0, 3),
        _ => return false,
    };
    let whole = ["_b32", "_b64", "_b96", "_b128", "_dword", "_dwordx2", "_dwordx3", "_dwordx4"];
    let is_whole = whole.iter().any(|width| name.ends_with(width));
    let Some(vectors) = instruction.registers(vectors) else { return false };
    let frame = frame(instruction, base).filter(|_| is_whole);
    for (index, register) in (0_i64..).zip(vectors.iter()) {
        let slot = frame.map(|(base, offset)| (base, offset.saturating_add(index * 4)));
        match (is_store, slot) {
            (true, Some(slot)) => store(state, register, slot),
            (false, Some(slot)) => load(state, register, slot),
            (false, None) => state.forget_register(register),
            (true, None) => {}
        }
    }
    true
}

type Slot = (Option<Register>, i64);

/// Base register and offset in bytes, of an access that is not indexed by lane.
fn frame(instruction: &Instruction, base: usize) -> Option<Slot> {
    let is_off = |operand: Option<&Operand>| matches!(operand, Some(Operand::Other(text)) if &**text == "off");
    // The lane's own offset stands in front of the base of both kinds, but for the value that scratch stores put between.
    let lane_offset = if base == 3 || instruction.mnemonic.starts_with("scratch_load") { 1 } else { 0 };
    if !is_off(instruction.operands.get(lane_offset)) {
        return None;
    }
    let base = match instruction.operands.get(base)? {
        Operand::Registers(registers) => Some(registers.get(0)?),
        Operand::Constant(0) => None,
        operand if is_off(Some(operand)) => None,
        _ => return None,
    };
    let offset = instruction.modifiers.split(' ').find_map(|modifier| modifier.strip_prefix("offset:"));
    let offset = offset.map_or(Some(0), |offset| offset.parse().ok())?;
    Some((base, offset))
}

fn store(state: &mut State, register: Register, (base, offset): Slot) {
    state.places.retain(|place, _| !matches!(place, Place::Slot(one, at, _) if *one == base && *at == offset));
    for (lane, id) in contents(state, register) {
        state.places.insert(Place::Slot(base, offset, lane), id);
    }
}

fn load(state: &mut State, register: Register, (base, offset): Slot) {
    let of_slot = state.places.iter().filter_map(|(place, id)| match place {
        Place::Slot(one, at, lane) if *one == base && *at == offset => Some((*lane, *id)),
        _ => None,
    });
    let kept: Vec<(Option<u8>, Id)> = of_slot.collect();
    fill(state, register, kept);
}

/// A vector register kept in an accumulator, or back.
fn copy(state: &mut State, instruction: &Instruction) {
    let (Some(result), Some(source)) = (vector(instruction, 0), vector(instruction, 1)) else {
        return forget_results(state, instruction);
    };
    let kept = contents(state, source);
    fill(state, result, kept);
}

/// What a vector register holds: by lane, and without a lane what is the same in all.
fn contents(state: &State, register: Register) -> Vec<(Option<u8>, Id)> {
    let of_register = state.places.iter().filter_map(|(place, id)| match place {
        Place::Register(one) if *one == register => Some((None, *id)),
        Place::Lane(one, lane) if *one == register => Some((Some(*lane), *id)),
        _ => None,
    });
    of_register.collect()
}

fn fill(state: &mut State, register: Register, contents: Vec<(Option<u8>, Id)>) {
    state.forget_register(register);
    for (lane, id) in contents {
        state.places.insert(lane.map_or(Place::Register(register), |lane| Place::Lane(register, lane)), id);
    }
}

/// Moves and bit operations on values that are the same in all lanes; of the rest only that results are unknown.
fn arithmetic(state: &mut State, instruction: &Instruction, name: &str, context: &Context) {
    let plain = !instruction.mnemonic.contains("dpp") && !instruction.mnemonic.contains("sdwa");
    let name = name.strip_prefix("dual_").unwrap_or(name);
    let mut bits = |index| {
        let id = read(state, instruction, index, 0);
        state.bits(id)
    };
    let result = match name {
        "mov_b32" => Some(bits(1)),
        "and_b32" => Some(Bits::apply(BitOp::And, bits(1), bits(2))),
        "or_b32" => Some(Bits::apply(BitOp::Or, bits(1), bits(2))),
        "lshlrev_b32" => bits(1).value().map(|by| bits(2).shift_left(by)),
        "lshrrev_b32" => bits(1).value().map(|by| bits(2).shift_right(by)),
        "lshl_or_b32" => bits(2).value().map(|by| Bits::apply(BitOp::Or, bits(1).shift_left(by), bits(3))),
        "and_or_b32" => Some(Bits::apply(BitOp::Or, Bits::apply(BitOp::And, bits(1), bits(2)), bits(3))),
        "cndmask_b32" => match selected(state, instruction, context) {
            Some(index) => {
                let id = read(state, instruction, index, 0);
                Some(state.bits(id))
            }
            None => None,
        },
        _ => None,
    };
    forget_results(state, instruction);
    let register = instruction.registers(0).and_then(|result| result.get(0)).filter(|register| register.is_vector());
    if let (Some(bits), Some(register), true) = (result.filter(|bits| *bits != Bits::UNKNOWN), register, plain) {
        let value = state.fresh(Fact { bits, ..Fact::UNKNOWN });
        state.set_register(register, value);
    }
}

/// The operand that `v_cndmask` takes in all lanes.
fn selected(state: &mut State, instruction: &Instruction, context: &Context) -> Option<usize> {
    let halves = exec(context.wave_size).count();
    let masks: Vec<Id> = (0..halves).map(|half| read(state, instruction, 3, half)).collect();
    let all = |value| masks.iter().all(|mask| state.bits(*mask).value() == Some(value));
    if all(u32::MAX) { Some(2) } else { all(0).then_some(1) }
}

/// What an instruction that is not modelled may write.
fn forget_results(state: &mut State, instruction: &Instruction) {
    for register in instruction.results().flat_map(Registers::iter) {
        state.forget_register(register);
    }
}
