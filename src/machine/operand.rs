//! Operands of an instruction.

use super::register::Registers;

/// One operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Registers.
    Registers(Registers),
    /// An integer constant, sign-extended where the text has a sign.
    Constant(i64),
    /// Anything else, as it is written: `off`, `hwreg(...)`, `lgkmcnt(0)`, a modified or floating-point operand.
    Other(Box<str>),
}

impl Operand {
    pub(super) fn parse(text: &str) -> Operand {
        if let Some(registers) = Registers::parse(text) {
            return Operand::Registers(registers);
        }
        match constant(text) {
            Some(value) => Operand::Constant(value),
            None => Operand::Other(text.into()),
        }
    }

    /// The registers, if it is some.
    pub fn registers(&self) -> Option<Registers> {
        match self {
            Operand::Registers(registers) => Some(*registers),
            _ => None,
        }
    }

    /// The constant, if it is one.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Operand::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

/// `5`, `-1`, `0x1f`, and `lit(0x1f)` as newer disassemblers write constants that could be encoded shorter.
fn constant(text: &str) -> Option<i64> {
    let text = text
        .strip_prefix("lit(")
        .or_else(|| text.strip_prefix("lit64("))
        .map_or(Some(text), |inner| inner.strip_suffix(')'))?;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?.cast_signed(),
        None => digits.parse().ok()?,
    };
    if negative { value.checked_neg() } else { Some(value) }
}

/// Splits what stands behind a mnemonic into operands and modifiers. Modifiers stand behind the last operand, each
/// after a blank: `v1, off, s33 offset:80`.
pub(super) fn split(text: &str) -> (Vec<&str>, &str) {
    let mut operands = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                operands.push(text[start..at].trim());
                start = at + 1;
            }
            ' ' if depth == 0 && !text[start..at].trim().is_empty() => {
                operands.push(text[start..at].trim());
                return (operands, text[at..].trim());
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        operands.push(last);
    }
    (operands, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_every_spelling_are_read() {
        for (text, value) in [("0", 0), ("-1", -1), ("0x1f", 31), ("lit(0xffffffff)", 0xffff_ffff), ("64", 64)] {
            assert_eq!(Operand::parse(text).constant(), Some(value), "{text}");
        }
        for text in ["1.0", "-4.0", "off", "0xzz", "", "-", "lit(", "-v1", "--1"] {
            assert_eq!(Operand::parse(text).constant(), None, "{text}");
        }
        let _ = Operand::parse("-0x8000000000000000");
    }

    #[test]
    fn modifiers_are_no_operands() {
        assert_eq!(split("off, v1, s33 offset:80"), (vec!["off", "v1", "s33"], "offset:80"));
        assert_eq!(split("s2, hwreg(HW_REG_HW_ID, 8, 4)"), (vec!["s2", "hwreg(HW_REG_HW_ID, 8, 4)"], ""));
        assert_eq!(split("v0, off, s[0:3], s33 offset:20 glc"), (vec!["v0", "off", "s[0:3]", "s33"], "offset:20 glc"));
        assert_eq!(split(""), (vec![], ""));
        assert_eq!(split("lgkmcnt(0)"), (vec!["lgkmcnt(0)"], ""));
    }
}
