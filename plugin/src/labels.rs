//! From the label argument of a named marker to the literal that it is.

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

/// How many loads and offsets are followed.
const MAX_DEPTH: u32 = 16;

/// Resolves a label. Seen through: casts, constant offsets, a local variable that is stored once (every parameter
/// at -O0 is one), and a constant global that points to a literal.
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
        Some(pointer) if instruction.is_load() => loaded(pointer.without_casts(), depth),
        // The literal behind a constant offset was found above; of the rest only the origin matters.
        Some(base) if instruction.is_address_computation() => match resolve_at(base, depth + 1) {
            Label::Parameter => Label::Parameter,
            _ => Label::Unknown,
        },
        _ => Label::Unknown,
    }
}

fn loaded(pointer: Value, depth: u32) -> Label {
    if let Some(initializer) = pointer.constant_initializer() {
        return resolve_at(initializer, depth + 1);
    }
    let variable = pointer.as_instruction().filter(|instruction| instruction.is_alloca());
    match variable.and_then(only_stored_value) {
        Some(value) => resolve_at(value, depth + 1),
        None => Label::Unknown,
    }
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
