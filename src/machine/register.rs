//! Registers, as the disassembler writes them.

use std::fmt;

/// A 32-bit register of a wave.
///
/// A scalar register has the number that instructions encode it by (AMD's ISA manuals, "Scalar operands"): `s0` is 0,
/// VCC 106 and 107, M0 124, EXEC 126 and 127. Vector registers follow from 256 up, accumulators from 2048 up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(u16);

impl Register {
    /// Low half of VCC.
    pub const VCC_LO: Register = Register(106);
    /// High half of VCC.
    pub const VCC_HI: Register = Register(107);
    /// M0.
    pub const M0: Register = Register(124);
    /// Reads as 0, and what is written is dropped.
    pub const NULL: Register = Register(125);
    /// EXEC of lanes 0 to 31.
    pub const EXEC_LO: Register = Register(126);
    /// EXEC of lanes 32 to 63.
    pub const EXEC_HI: Register = Register(127);

    const TTMP: u16 = 108;
    const VECTOR: u16 = 256;
    const ACCUMULATOR: u16 = 2048;

    /// `s0` and on; `None` from 106 on.
    pub const fn scalar(number: u16) -> Option<Register> {
        if number < Self::VCC_LO.0 { Some(Register(number)) } else { None }
    }

    /// `v0` and on.
    pub const fn vector(number: u16) -> Option<Register> {
        if number < Self::ACCUMULATOR - Self::VECTOR { Some(Register(Self::VECTOR + number)) } else { None }
    }

    /// Whether it is a vector register or an accumulator.
    pub const fn is_vector(self) -> bool {
        self.0 >= Self::VECTOR
    }

    /// The number of a vector register.
    pub const fn vector_number(self) -> Option<u16> {
        if self.0 >= Self::VECTOR && self.0 < Self::ACCUMULATOR { Some(self.0 - Self::VECTOR) } else { None }
    }

    /// The number of a general scalar register, 0 to 105.
    pub const fn scalar_number(self) -> Option<u16> {
        if self.0 < Self::VCC_LO.0 { Some(self.0) } else { None }
    }

    /// The register `offset` behind this one; `None` past the end of its file.
    pub const fn after(self, offset: u16) -> Option<Register> {
        match self.0.checked_add(offset) {
            Some(number) if (self.0 < Self::VECTOR) == (number < Self::VECTOR) => Some(Register(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::VCC_LO => f.write_str("vcc_lo"),
            Self::VCC_HI => f.write_str("vcc_hi"),
            Self::M0 => f.write_str("m0"),
            Self::NULL => f.write_str("null"),
            Self::EXEC_LO => f.write_str("exec_lo"),
            Self::EXEC_HI => f.write_str("exec_hi"),
            Register(number) if number < Self::VCC_LO.0 => write!(f, "s{number}"),
            Register(number) if number < Self::VECTOR => write!(f, "ttmp{}", number - Self::TTMP),
            Register(number) if number < Self::ACCUMULATOR => write!(f, "v{}", number - Self::VECTOR),
            Register(number) => write!(f, "a{}", number - Self::ACCUMULATOR),
        }
    }
}

/// Registers in a row, such as `s[4:5]`; at most [`Registers::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    first: Register,
    count: u16,
}

impl Registers {
    /// The longest row that an instruction names.
    pub const MOST: u16 = 32;

    /// The row of one.
    pub const fn one(register: Register) -> Registers {
        Registers { first: register, count: 1 }
    }

    /// EXEC of a wave of 64 lanes.
    pub const EXEC: Registers = Registers { first: Register::EXEC_LO, count: 2 };
    /// VCC of a wave of 64 lanes.
    pub const VCC: Registers = Registers { first: Register::VCC_LO, count: 2 };

    /// The register of one, and the next: a mask of 64 lanes where one of 32 was named. NULL stays one.
    pub(super) fn doubled(self) -> Registers {
        let has_next = self.first != Register::NULL && self.first.after(1).is_some();
        Registers { count: if has_next { self.count + 1 } else { self.count }, ..self }
    }

    /// How many registers.
    pub const fn count(self) -> u16 {
        self.count
    }

    /// The register at `index`, from 0; `None` past the end.
    pub fn get(self, index: u16) -> Option<Register> {
        if index < self.count { self.first.after(index) } else { None }
    }

    /// From the lowest on.
    pub fn iter(self) -> impl Iterator<Item = Register> {
        (0..self.count).filter_map(move |index| self.get(index))
    }

    /// Whether `register` is one of them.
    pub fn contains(self, register: Register) -> bool {
        self.iter().any(|one| one == register)
    }

    /// What `text` names: `s4`, `s[4:5]`, `vcc`, `exec_lo`, `m0`, `v[0:3]`.
    pub fn parse(text: &str) -> Option<Registers> {
        let named = |first, count| Some(Registers { first, count });
        match text {
            "vcc" => return named(Register::VCC_LO, 2),
            "vcc_lo" => return named(Register::VCC_LO, 1),
            "vcc_hi" => return named(Register::VCC_HI, 1),
            "exec" => return named(Register::EXEC_LO, 2),
            "exec_lo" => return named(Register::EXEC_LO, 1),
            "exec_hi" => return named(Register::EXEC_HI, 1),
            "m0" => return named(Register::M0, 1),
            "null" => return named(Register::NULL, 1),
            // Not in the general file, but at its end where a target has them.
            "flat_scratch" => return named(Register(102), 2),
            "flat_scratch_lo" => return named(Register(102), 1),
            "flat_scratch_hi" => return named(Register(103), 1),
            "xnack_mask" => return named(Register(104), 2),
            _ => {}
        }
        let (base, limit, rest) = [
            ("ttmp", Register::TTMP, Register::M0.0),
            ("s", 0, Register::VCC_LO.0),
            ("v", Register::VECTOR, Register::ACCUMULATOR),
            ("a", Register::ACCUMULATOR, u16::MAX),
        ]
        .into_iter()
        .find_map(|(prefix, base, limit)| Some((base, limit, text.strip_prefix(prefix)?)))?;
        let (first, last) = match rest.strip_prefix('[').and_then(|range| range.strip_suffix(']')) {
            Some(range) => range.split_once(':').unwrap_or((range, range)),
            None => (rest, rest),
        };
        let number = |digits: &str| {
            let digit = digits.bytes().all(|byte| byte.is_ascii_digit());
            base.checked_add(digits.parse::<u16>().ok().filter(|_| digit)?).filter(|number| *number < limit)
        };
        let (first, last) = (number(first)?, number(last)?);
        let count = last.checked_sub(first)? + 1;
        (count <= Self::MOST).then_some(Registers { first: Register(first), count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let registers = Registers::parse(text)?;
        Some(registers.iter().map(|register| register.to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn rows_of_every_file_are_read() {
        for (text, expected) in [
            ("s4", "s4"),
            ("s[4:5]", "s4 s5"),
            ("vcc", "vcc_lo vcc_hi"),
            ("exec", "exec_lo exec_hi"),
            ("exec_hi", "exec_hi"),
            ("v[10:11]", "v10 v11"),
            ("a[0:1]", "a0 a1"),
            ("ttmp[4:5]", "ttmp4 ttmp5"),
            ("v1000", "v1000"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_register_is_none() {
        for text in
            ["", "s", "s106", "s[5:4]", "s[0:99]", "v", "4", "off", "s-1", "s[1:+2]", "v99999", "a65535", "src_vccz"]
        {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
