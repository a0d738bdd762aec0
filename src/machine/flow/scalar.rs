//! What scalar instructions do to a state.

use super::bits::Bits;
use super::state::{Fact, Id, Mask, Place, Scc, State};
use super::{Context, World};
use crate::machine::calls;
use crate::machine::exec::{BitOp, Form, ScalarOp};
use crate::machine::instruction::Instruction;
use crate::machine::operand::Operand;
use crate::machine::register::{Register, Registers};

/// Runs a scalar instruction.
pub(super) fn step(state: &mut State, instruction: &Instruction, context: &Context) {
    if let Some(op) = ScalarOp::of(instruction) {
        return bitwise(state, instruction, op, context);
    }
    let name = instruction.mnemonic.strip_prefix("s_").unwrap_or("");
    if let Some(relation) = name.strip_prefix("cmpk_").or_else(|| name.strip_prefix("cmp_")) {
        return compare(state, instruction, relation);
    }
    match name {
        "bitcmp0_b32" | "bitcmp1_b32" => return bit_test(state, instruction, name == "bitcmp1_b32", context),
        "cselect_b32" | "cselect_b64" => return select(state, instruction),
        "getreg_b32" => return hardware_register(state, instruction),
        _ if calls::is_program_counter(instruction) => return program_counter(state, instruction),
        _ => {}
    }
    let known = arithmetic(state, instruction, name, context);
    if !known {
        forget_results(state, instruction);
    }
}

/// What an instruction that is not modelled may write.
fn forget_results(state: &mut State, instruction: &Instruction) {
    let mut has_result = false;
    for register in instruction.results().flat_map(Registers::iter) {
        has_result = true;
        state.forget_register(register);
    }
    // A barrier that tells in SCC alone whether this was the first signal, or whether the wave was a member.
    has_result |= ["s_barrier_signal_isfirst", "s_barrier_leave"].contains(&&*instruction.mnemonic);
    let loads = ["s_load", "s_buffer_load", "s_scratch_load", "s_mov", "s_cmov", "s_get", "s_sendmsg_rtn", "s_sext"];
    if has_result && !loads.iter().any(|prefix| instruction.mnemonic.starts_with(prefix)) {
        state.scc = Scc::Unknown;
    }
}

/// The value of half `half` of operand `index`.
pub(super) fn read(state: &mut State, instruction: &Instruction, index: usize, half: u16) -> Id {
    match instruction.operands.get(index) {
        Some(Operand::Constant(value)) => state.constant(part(*value, half)),
        Some(Operand::Registers(registers)) => match registers.get(half) {
            Some(register) => state.register(register),
            // `null`, and one half for two.
            None if registers.contains(Register::NULL) => state.constant(0),
            None => state.unknown(),
        },
        _ => state.unknown(),
    }
}

/// The low or high 32 bits.
fn part(value: i64, half: u16) -> u32 {
    let bytes = value.to_le_bytes();
    let at = if half == 0 { 0 } else { 4 };
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The value of operand `index`.
fn read_mask(state: &mut State, instruction: &Instruction, index: usize, wide: bool) -> Mask {
    let low = read(state, instruction, index, 0);
    Mask { low, high: wide.then(|| read(state, instruction, index, 1)) }
}

fn write_mask(state: &mut State, registers: Registers, mask: Mask) {
    for (register, id) in registers.iter().zip(mask.halves()) {
        state.set_register(register, id);
    }
}

fn bitwise(state: &mut State, instruction: &Instruction, op: ScalarOp, context: &Context) {
    let Some(result) = instruction.registers(0) else { return };
    let a = read_mask(state, instruction, 1, op.wide);
    let exec = if op.wide { Registers::EXEC } else { Registers::one(Register::EXEC_LO) };
    let b = match op.form {
        Form::Plain if op.op == BitOp::Mov || op.op == BitOp::Not => a,
        Form::Plain => read_mask(state, instruction, 2, op.wide),
        Form::SaveExec | Form::WriteExec => state.mask(exec),
    };
    let value = state.combine(op.op, a, b);
    if op.op == BitOp::And && !op.wide {
        scope_bit(state, a.low, b.low, value.low, context);
    }
    if op.form != Form::Plain {
        write_mask(state, exec, value);
    }
    write_mask(state, result, if op.form == Form::SaveExec { b } else { value });
    if op.op != BitOp::Mov || op.form != Form::Plain {
        // The high half of EXEC is no part of a wave of 32 lanes.
        let narrow = op.form != Form::Plain && context.wave_size == 32;
        state.scc = zero(state, if narrow { Mask::narrow(value.low) } else { value }, false);
    }
}

/// SCC that is `when` if `mask` is zero.
fn zero(state: &State, mask: Mask, when: bool) -> Scc {
    if state.is_nonzero(mask) {
        Scc::Known(!when)
    } else if state.is_zero(mask) {
        Scc::Known(when)
    } else {
        Scc::Zero { mask, when }
    }
}

fn compare(state: &mut State, instruction: &Instruction, relation: &str) {
    let Some((relation, kind)) = relation.rsplit_once('_') else { return };
    let wide = kind.ends_with("64");
    let (left, right) = (read_mask(state, instruction, 0, wide), read_mask(state, instruction, 1, wide));
    let number = |mask: Mask| -> Option<u64> {
        let high = mask.high.map_or(Some(0), |high| state.bits(high).value())?;
        Some(u64::from(high) << 32 | u64::from(state.bits(mask.low).value()?))
    };
    let is_equality = matches!(relation, "eq" | "lg");
    state.scc = match (number(left), number(right)) {
        (Some(a), Some(b)) => {
            ordering(a, b, kind).and_then(|order| holds(order, relation)).map_or(Scc::Unknown, Scc::Known)
        }
        (None, Some(0)) if is_equality => zero(state, left, relation == "eq"),
        (Some(0), None) if is_equality => zero(state, right, relation == "eq"),
        _ => Scc::Unknown,
    };
}

/// How `a` compares with `b` as numbers of `kind`: `i32`, `u32`, `u64`; other kinds are not modelled.
pub(super) fn ordering(a: u64, b: u64, kind: &str) -> Option<std::cmp::Ordering> {
    let low = |value: u64| part(value.cast_signed(), 0);
    match kind {
        "i32" => Some(low(a).cast_signed().cmp(&low(b).cast_signed())),
        "u32" | "b32" => Some(low(a).cmp(&low(b))),
        "u64" | "b64" => Some(a.cmp(&b)),
        _ => None,
    }
}

/// Whether an order satisfies a relation as comparisons name it.
pub(super) fn holds(order: std::cmp::Ordering, relation: &str) -> Option<bool> {
    Some(match relation {
        "eq" => order.is_eq(),
        "lg" | "ne" => order.is_ne(),
        "gt" => order.is_gt(),
        "ge" => order.is_ge(),
        "lt" => order.is_lt(),
        "le" => order.is_le(),
        _ => return None,
    })
}

fn bit_test(state: &mut State, instruction: &Instruction, when: bool, context: &Context) {
    let (value, index) = (read(state, instruction, 0, 0), read(state, instruction, 1, 0));
    let by_hardware = scope_mask(state, value, index, context);
    let bits = by_hardware.unwrap_or_else(|| match state.bits(index).value() {
        Some(by) => state.bits(value).shift_right(by),
        None => Bits::UNKNOWN,
    });
    state.scc = bits.value_of(1).map_or(Scc::Unknown, |bit| Scc::Known((bit == 1) == when));
}

/// A constant mask shifted down by a hardware id: the check of which waves emit. Its lowest bit is what the world says.
fn scope_mask(state: &State, mask: Id, by: Id, context: &Context) -> Option<Bits> {
    let mask = state.bits(mask).value().filter(|_| state.fact(by).is_hardware_id)?;
    Some(Bits::lowest(context.world == World::Inside, mask))
}

/// `(value << id) & mask`, as `value & (mask >> id)` is compared with zero too: zero or not, by what the world says of the
/// bit of a constant mask that a hardware id names.
fn scope_bit(state: &mut State, a: Id, b: Id, result: Id, context: &Context) {
    for (shifted, mask) in [(a, b), (b, a)] {
        let Some(value) = state.fact(shifted).at_hardware_id else { continue };
        if state.bits(mask).value().is_none() {
            continue;
        }
        // A result whose bits say otherwise belongs to no such check.
        _ = match context.world {
            World::Inside if value.value_of(1) == Some(1) => state.make_nonzero(Mask::narrow(result)),
            World::Outside if value.value_of(!1) == Some(0) => state.make_zero(Mask::narrow(result)),
            _ => continue,
        };
    }
}

fn select(state: &mut State, instruction: &Instruction) {
    let Some(result) = instruction.registers(0) else { return };
    let wide = result.count() > 1;
    let choices = [read_mask(state, instruction, 1, wide), read_mask(state, instruction, 2, wide)];
    let value = match state.scc.clone() {
        Scc::Known(true) => choices[0],
        Scc::Known(false) => choices[1],
        Scc::Zero { mask, when } => state.selected(mask, when, choices),
        Scc::Unknown => {
            // What it goes by gets a number, so that a second selection by it is known to go the same way.
            let mask = Mask::narrow(state.unknown());
            state.scc = Scc::Zero { mask, when: false };
            state.selected(mask, false, choices)
        }
    };
    write_mask(state, result, value);
}

fn hardware_register(state: &mut State, instruction: &Instruction) {
    let Some(register) = instruction.registers(0).and_then(|result| result.get(0)) else { return };
    let is_hardware_id = match instruction.operands.get(1) {
        // `HW_REG_HW_ID`, `HW_REG_HW_ID1`, `HW_REG_WAVE_HW_ID2`; of older disassemblers the number.
        Some(Operand::Other(name)) => {
            ["HW_ID", "hwreg(4,", "hwreg(23,", "hwreg(24,"].iter().any(|id| name.contains(id))
        }
        _ => false,
    };
    let value = state.fresh(Fact { is_hardware_id, ..Fact::UNKNOWN });
    state.set_register(register, value);
}

fn program_counter(state: &mut State, instruction: &Instruction) {
    let Some(result) = instruction.registers(0) else { return };
    for (half, register) in (0_u16..).zip(result.iter()) {
        let value = state.constant(part(instruction.end().cast_signed(), half));
        state.set_register(register, value);
    }
}

/// Shifts and sums of what is known; false when `name` is none of those.
fn arithmetic(state: &mut State, instruction: &Instruction, name: &str, context: &Context) -> bool {
    let Some(result) = instruction.registers(0).and_then(|result| result.get(0)) else { return false };
    let (a, b) = (read(state, instruction, 1, 0), read(state, instruction, 2, 0));
    let (bits_a, bits_b) = (state.bits(a), state.bits(b));
    let values = bits_a.value().zip(bits_b.value());
    let carry = match state.scc {
        Scc::Known(bit) => Some(u32::from(bit)),
        _ => None,
    };
    let sum = |a: u32, b: u32, carry: u32| {
        let (sum, one) = a.overflowing_add(b);
        let (sum, two) = sum.overflowing_add(carry);
        (sum, Some(one || two))
    };
    let (bits, carry) = match name {
        "lshl_b32" => (bits_b.value().map_or(Bits::UNKNOWN, |by| bits_a.shift_left(by)), None),
        "lshr_b32" => {
            let shifted = bits_b.value().map_or(Bits::UNKNOWN, |by| bits_a.shift_right(by));
            (scope_mask(state, a, b, context).unwrap_or(shifted), None)
        }
        "movk_i32" => (bits_a, None),
        "sext_i32_i16" => (bits_a.value().map_or(Bits::UNKNOWN, |value| Bits::constant(sign_extended(value))), None),
        "add_u32" | "add_co_u32" | "add_i32" | "add_co_i32" => known(values.map(|(a, b)| sum(a, b, 0))),
        "addc_u32" | "add_co_ci_u32" => known(values.zip(carry).map(|((a, b), carry)| sum(a, b, carry))),
        "sub_u32" | "sub_co_u32" | "sub_i32" | "sub_co_i32" => {
            known(values.map(|(a, b)| (a.wrapping_sub(b), Some(a < b))))
        }
        "addk_i32" | "addk_co_i32" => {
            let old = state.register(result);
            known(state.bits(old).value().zip(bits_a.value()).map(|(old, a)| (old.wrapping_add(a), None)))
        }
        "add_nc_u64" | "add_u64" => return wide_sum(state, instruction),
        _ => return false,
    };
    let at_hardware_id = (name == "lshl_b32" && state.fact(b).is_hardware_id).then_some(bits_a);
    let value = state.fresh(Fact { bits, at_hardware_id, ..Fact::UNKNOWN });
    state.set_register(result, value);
    let leaves_scc = name == "movk_i32" || name == "sext_i32_i16";
    if !leaves_scc {
        let shifts = name.starts_with("lsh");
        state.scc =
            if shifts { zero(state, Mask::narrow(value), false) } else { carry.map_or(Scc::Unknown, Scc::Known) };
    }
    // A wide shift is not modelled; its name ends differently.
    true
}

fn known(value: Option<(u32, Option<bool>)>) -> (Bits, Option<bool>) {
    value.map_or((Bits::UNKNOWN, None), |(value, carry)| (Bits::constant(value), carry))
}

fn sign_extended(value: u32) -> u32 {
    let [low, high, ..] = value.to_le_bytes();
    i32::from(i16::from_le_bytes([low, high])).cast_unsigned()
}

fn wide_sum(state: &mut State, instruction: &Instruction) -> bool {
    let Some(result) = instruction.registers(0) else { return false };
    let mut number = |index| {
        let halves = [read(state, instruction, index, 0), read(state, instruction, index, 1)];
        let [low, high] = halves.map(|id| state.bits(id).value());
        Some(u64::from(high?) << 32 | u64::from(low?))
    };
    let sum = number(1).zip(number(2)).map(|(a, b)| a.wrapping_add(b));
    for (half, register) in (0_u16..).zip(result.iter()) {
        let value = match sum {
            Some(sum) => state.constant(part(sum.cast_signed(), half)),
            None => state.unknown(),
        };
        state.set_register(register, value);
    }
    true
}

/// What is at a vector register or a lane of one.
pub(super) fn lane(state: &mut State, vector: Register, lane: u8) -> Id {
    match state.places.get(&Place::Register(vector)) {
        // The same in every lane.
        Some(id) if state.bits(*id).value().is_some() => *id,
        _ => state.get(Place::Lane(vector, lane)),
    }
}
