//! From the label argument of a named marker to the literal that it is.

use crate::faults::{Point, lacks};
use crate::llvm::{Instruction, Value};

/// What a label argument is known to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// One literal, without its NUL.
    Literal(Vec<u8>),
    /// The enclosing function's own parameter (or a place inside the string it points to).
    Parameter,
    /// Something else: a choice, a computed pointer, memory.
    Unknown,
}

/// How many loads and offsets are followed: one per level of wrappers at -O0.
const MAX_DEPTH: u32 = 2000;

/// Resolves a label. Seen through: casts, constant offsets, a local variable that is stored once (every parameter
/// at -O0 is one), constants that point to a literal, and a member that was stored just before.
pub(crate) fn resolve(label: Value) -> Label {
    resolve_at(label, 0)
}

fn resolve_at(label: Value, depth: u32) -> Label {
    if let Some(text) = label.literal() {
        return Label::Literal(text);
    }
    if depth > MAX_DEPTH {
        return Label::Unknown;
    }
    let label = label.without_casts();
    if label.is_argument() {
        return Label::Parameter;
    }
    let Some(instruction) = label.as_instruction() else { return Label::Unknown };
    let source = instruction.operand(0);
    match source {
        Some(pointer) if instruction.is_load() => loaded(instruction, pointer.without_casts(), depth),
        // The literal behind a constant offset was found above; of the rest only the origin matters.
        Some(base) if instruction.is_address_computation() => match resolve_at(base, depth + 1) {
            Label::Parameter => Label::Parameter,
            _ => Label::Unknown,
        },
        _ => Label::Unknown,
    }
}

fn loaded(load: Instruction, pointer: Value, depth: u32) -> Label {
    if lacks(Point::NamesThroughMemory) {
        return Label::Unknown;
    }
    let variable = pointer.as_instruction().filter(|instruction| instruction.is_alloca());
    let value = load
        .loaded_constant()
        .or_else(|| variable.and_then(only_stored_value))
        .or_else(|| stored_before(load, pointer));
    value.map_or(Label::Unknown, |value| resolve_at(value, depth + 1))
}

/// The value that was stored to the same place before a load, in its block and with nothing between that could have
/// changed it: at -O0 a guard stores its label into a member and passes the member on.
fn stored_before(load: Instruction, pointer: Value) -> Option<Value> {
    for instruction in load.preceding() {
        if !instruction.is_store() {
            if instruction.may_have_side_effects() {
                return None;
            }
            continue;
        }
        let (value, address) = (instruction.operand(0)?, instruction.operand(1)?.without_casts());
        if is_same_place(address, pointer) {
            return Some(value);
        }
        // A local variable of its own cannot be the member; the one that the member is reached by moves it.
        let variable = address.as_instruction().filter(|address| address.is_alloca());
        if variable.is_none() || is_reached_by(pointer, address) {
            return None;
        }
    }
    None
}

/// Whether a pointer is computed from what a variable holds.
fn is_reached_by(pointer: Value, variable: Value) -> bool {
    let base = |value: &Value| value.as_instruction().and_then(|i| i.operand(0)).map(Value::without_casts);
    std::iter::successors(Some(pointer), base).take(MAX_DEPTH as usize).any(|value| value == variable)
}

/// Whether two pointers are computed alike from the same base; at -O0 the base itself is reloaded for each.
fn is_same_place(left: Value, right: Value) -> bool {
    if left == right {
        return true;
    }
    let (Some(left), Some(right)) = (left.as_instruction(), right.as_instruction()) else { return false };
    let is_address = left.is_address_computation() && right.indexes_like(left);
    let is_reload = left.is_load() && right.is_load() && left.operand(0) == right.operand(0);
    let same = |index| match (left.operand(index), right.operand(index)) {
        (None, None) => true,
        (Some(left), Some(right)) => is_same_place(left.without_casts(), right.without_casts()),
        _ => false,
    };
    is_reload || (is_address && (0..4).all(same))
}

/// The value of a local variable that is written exactly once and whose address goes nowhere else.
fn only_stored_value(variable: Instruction) -> Option<Value> {
    let mut stored = None;
    let mut names = vec![variable.value()];
    while let Some(name) = names.pop() {
        for user in name.users() {
            let user = user.as_instruction()?;
            if user.is_store() {
                let (value, address) = (user.operand(0)?, user.operand(1)?);
                if address != name || stored.replace(value).is_some() {
                    return None;
                }
            } else if user.is_cast() {
                names.push(user.value());
            } else if !user.is_load() && !user.is_descriptive() {
                return None;
            }
        }
    }
    stored
}
