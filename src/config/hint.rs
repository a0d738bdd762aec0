//! Values that are accepted and likely not meant.

use sqtt_contract::variables::{Kind, Variable};

use super::Setting;

/// What to say about a scope mask that is written as one writes an index; `None` for all else.
///
/// A decimal number up to 31 may be meant either way; hexadecimal says that a mask is meant.
pub(super) fn mask(variable: &Variable, setting: &Setting) -> Option<String> {
    let text = setting.value.to_str().filter(|_| variable.kind == Kind::Mask)?;
    let number: u32 = text.parse().ok().filter(|number: &u32| *number < 32 && number.to_string() == text)?;
    let chosen: Vec<String> = (0..32).filter(|bit| number >> bit & 1 == 1).map(|bit: u32| bit.to_string()).collect();
    let chosen = match chosen.as_slice() {
        [] => "none".to_owned(),
        [one] => format!("number {one}"),
        [first @ .., last] => format!("numbers {} and {last}", first.join(", ")),
    };
    Some(format!(
        "`{}`: {number} is a mask and lets {chosen} emit; write `0x{:X}` for number {number} alone, or `0x{number:X}` \
         for this mask",
        setting.origin,
        1u32 << number
    ))
}
