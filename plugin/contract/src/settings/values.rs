//! One function per kind of value: text in, typed value or what is wrong with it out.
//!
//! Each accepts what the reference accepts. What the reference reads as something else than was written (a word that is
//! silently "off", a 64-bit mask cut to 32 bits, a negative number, leading blanks) is a fault. Values are never empty
//! here: an empty one is the default.

use std::ffi::OsStr;

use super::invalid::Fault;
use super::{Addresses, Boundary, Chunks, Invalid, Threshold, Validation};
use crate::spelling::nearest_word;
use crate::variables::Variable;

/// Reads `value` as on or off, for `variable` of [`Kind::Bool`](crate::variables::Kind::Bool); empty is off.
pub fn switch(variable: &'static Variable, value: impl AsRef<OsStr>) -> Result<bool, Invalid> {
    typed(variable, value.as_ref(), bool)
}

/// Reads `value` as a [`Validation`], for `variable` of [`Kind::Validation`](crate::variables::Kind::Validation); empty
/// is the default.
pub fn validation(variable: &'static Variable, value: impl AsRef<OsStr>) -> Result<Validation, Invalid> {
    typed(variable, value.as_ref(), validation_word)
}

fn typed<T: Default>(
    variable: &'static Variable,
    value: &OsStr,
    parse: impl FnOnce(&str) -> Result<T, Fault>,
) -> Result<T, Invalid> {
    if value.is_empty() {
        return Ok(T::default());
    }
    text(value).and_then(parse).map_err(|fault| Invalid::new(variable, value, fault))
}

/// `value` as text that a process can be given.
pub(super) fn text(value: &OsStr) -> Result<&str, Fault> {
    without_nul(value)?;
    value.to_str().ok_or_else(|| Fault::new(&value.to_string_lossy(), "is not valid UTF-8"))
}

/// No environment and no command line can carry a NUL.
pub(super) fn without_nul(value: &OsStr) -> Result<(), Fault> {
    if value.as_encoded_bytes().contains(&0) {
        return Err(Fault::new(&value.to_string_lossy(), "holds a NUL byte"));
    }
    Ok(())
}

const TRUE: [&str; 5] = ["1", "y", "yes", "true", "on"];
const FALSE: [&str; 5] = ["0", "n", "no", "false", "off"];

pub(super) fn bool(value: &str) -> Result<bool, Fault> {
    let is = |word: &&str| value.eq_ignore_ascii_case(word);
    if TRUE.iter().any(is) {
        return Ok(true);
    }
    if FALSE.iter().any(is) {
        return Ok(false);
    }
    let nearest = match value.trim().to_ascii_lowercase().as_str() {
        "enable" | "enabled" | "t" => Some("on"),
        "disable" | "disabled" | "none" | "f" => Some("off"),
        word => TRUE.into_iter().chain(FALSE).find(|known| *known == word).or_else(|| {
            let words: Vec<_> = TRUE.into_iter().chain(FALSE).collect();
            nearest_word(word, &words)
        }),
    };
    Err(Fault::new(value, "is neither on nor off").or_rather(nearest))
}

const BOUNDARIES: [(&str, Boundary); 11] = [
    ("none", Boundary::None),
    ("off", Boundary::None),
    ("0", Boundary::None),
    ("asm", Boundary::Asm),
    ("compiler", Boundary::Asm),
    ("clobber", Boundary::Asm),
    ("1", Boundary::Asm),
    ("fence", Boundary::Fence),
    ("on", Boundary::Fence),
    ("hw", Boundary::Fence),
    ("2", Boundary::Fence),
];

pub(super) fn boundary(value: &str) -> Result<Boundary, Fault> {
    if let Some((_, boundary)) = BOUNDARIES.iter().find(|(word, _)| value.eq_ignore_ascii_case(word)) {
        return Ok(*boundary);
    }
    let word = value.trim();
    let nearest = match word.to_ascii_lowercase().as_str() {
        "n" | "no" | "false" => Some("none"),
        "y" | "yes" | "true" => Some("fence"),
        _ => nearest_word(word, &BOUNDARIES.map(|(word, _)| word)),
    };
    Err(Fault::new(value, "is no reorder boundary").or_rather(nearest))
}

pub(super) fn validation_word(value: &str) -> Result<Validation, Fault> {
    let words = [("error", Validation::Error), ("warn", Validation::Warn), ("off", Validation::Off)];
    if let Some((_, validation)) = words.iter().find(|(word, _)| value.eq_ignore_ascii_case(word)) {
        return Ok(*validation);
    }
    let word = value.trim();
    let nearest = match word.to_ascii_lowercase().as_str() {
        "warning" | "warnings" => Some("warn"),
        "0" | "n" | "no" | "none" | "false" => Some("off"),
        "1" | "y" | "yes" | "on" | "true" => Some("error"),
        _ => nearest_word(word, &words.map(|(word, _)| word)),
    };
    Err(Fault::new(value, "is no way to validate").or_rather(nearest))
}

/// Digits and nothing else: no sign, no blank, no separator.
fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The decimal number that `value` likely stands for, with sign, blanks or separators gone.
fn likely_decimal(value: &str) -> Option<String> {
    let text: String =
        value.trim().trim_start_matches('+').chars().filter(|c| !matches!(c, '_' | '\'' | ',')).collect();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).filter(|digits| !digits.starts_with('+'));
    match hex {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(|number| number.to_string()),
        None => is_decimal(&text).then_some(text),
    }
}

pub(super) fn threshold(value: &str) -> Result<Threshold, Fault> {
    let (is_cost, digits) = match value.strip_prefix("cost:") {
        Some(digits) => (true, digits),
        None => (false, value),
    };
    if is_decimal(digits) {
        let size = digits.parse().map_err(|_| Fault::new(value, "is too large"))?;
        return Ok(match (size, is_cost) {
            (0, _) => Threshold::Off,
            (size, true) => Threshold::Cost(size),
            (size, false) => Threshold::Instructions(size),
        });
    }
    Err(Fault::new(value, "is neither a decimal count nor a decimal cost").or_rather(likely_threshold(value)))
}

fn likely_threshold(value: &str) -> Option<String> {
    let word = value.trim();
    if let Some((prefix, digits)) = word.split_once([':', '=']) {
        let digits = likely_decimal(digits)?;
        return match nearest_word(prefix, &["cost", "count", "instructions"])? {
            "cost" => Some(format!("cost:{digits}")),
            _ => Some(digits),
        };
    }
    if FALSE.iter().chain(&["none"]).any(|off| word.eq_ignore_ascii_case(off)) {
        return Some("0".to_owned());
    }
    likely_decimal(word)
}

pub(super) fn chunks(value: &str) -> Result<Option<Chunks>, Fault> {
    if value == "0" || value.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let Some((ops, gap)) = value.split_once(':') else {
        return Err(Fault::new(value, "is not of the form N:M").or_rather(likely_chunks(value)));
    };
    if !is_decimal(ops) || !is_decimal(gap) {
        return Err(Fault::new(value, "is not two decimal numbers").or_rather(likely_chunks(value)));
    }
    let (Ok(ops), Ok(gap)) = (ops.parse(), gap.parse()) else {
        return Err(Fault::new(value, "has a number that does not fit 32 bits"));
    };
    if ops == 0 {
        return Err(Fault::new(value, "asks for markers of 0 operations").or_rather(Some("off")));
    }
    Ok(Some(Chunks { ops, gap }))
}

fn likely_chunks(value: &str) -> Option<String> {
    let word = value.trim();
    if FALSE.iter().chain(&["none"]).any(|off| word.eq_ignore_ascii_case(off)) {
        return Some("off".to_owned());
    }
    let (ops, gap) = word.split_once([':', ',', ';', '/', '-', '.', 'x']).or_else(|| word.split_once(' '))?;
    Some(format!("{}:{}", ops.trim(), gap.trim()))
}

/// The good categories and a fault for each bad one, in order.
pub(super) fn addresses(value: &str) -> (Addresses, Vec<Fault>) {
    let mut addresses = Addresses::default();
    let list = value.trim();
    if list.is_empty() || list.eq_ignore_ascii_case("off") {
        return (addresses, Vec::new());
    }
    let mut bad = Vec::new();
    for item in list.split(',').map(str::trim) {
        match item {
            "memory" => addresses.memory = true,
            "lds" => addresses.lds = true,
            _ => bad.push(item),
        }
    }
    let likely = if bad.is_empty() { None } else { likely_addresses(list) };
    let fault = |item: &str| {
        let what = "is no address category";
        let fault = if item.is_empty() {
            Fault::new(item, &format!("{what}: a comma too many"))
        } else {
            Fault::new(item, what)
        };
        Fault { item: Some(item.to_owned()), ..fault }.or_rather(likely.as_deref())
    };
    (addresses, bad.into_iter().map(fault).collect())
}

/// The list with every item spelled right; `None` when one of them is like nothing.
fn likely_addresses(list: &str) -> Option<String> {
    let mut likely = Addresses::default();
    let mut is_off = false;
    for item in list.split([',', ';', ' ', '|', '+', ':', '\t']).filter(|item| !item.is_empty()) {
        match item.to_ascii_lowercase().as_str() {
            "all" | "both" | "on" => likely = Addresses { memory: true, lds: true },
            "mem" | "global" | "vmem" => likely.memory = true,
            "shared" | "local" => likely.lds = true,
            "0" | "no" | "none" | "false" | "off" => is_off = true,
            word => match nearest_word(word, &["memory", "lds"])? {
                "memory" => likely.memory = true,
                _ => likely.lds = true,
            },
        }
    }
    let spelling = match (likely.memory, likely.lds) {
        (true, true) => "memory,lds",
        (true, false) => "memory",
        (false, true) => "lds",
        (false, false) => "off",
    };
    (is_off != likely.is_on()).then(|| spelling.to_owned())
}

/// As `strtoul` with base 0 reads it, but without blanks, negative numbers other than -1, and cutting to 32 bits.
pub(super) fn mask(value: &str) -> Result<u32, Fault> {
    if value == "-1" {
        return Ok(u32::MAX);
    }
    let (digits, radix) = radix(value.strip_prefix('+').unwrap_or(value));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(malformed_mask(value));
    }
    u32::from_str_radix(digits, radix).map_err(|_| {
        let is_all_ones = radix == 16 && digits.to_ascii_lowercase().ends_with("ffffffff");
        Fault::new(value, "does not fit 32 bits").or_rather(is_all_ones.then_some("-1"))
    })
}

fn radix(number: &str) -> (&str, u32) {
    match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if number.len() > 1 && number.starts_with('0') => (&number[1..], 8),
        None => (number, 10),
    }
}

fn malformed_mask(value: &str) -> Fault {
    let word = value.trim();
    if let Some(digits) = word.strip_prefix('-') {
        let bits = digits.parse::<u32>().ok().filter(|number| *number != 0).map(|number| number.wrapping_neg());
        let nearest = bits.map(|bits| if bits == u32::MAX { "-1".to_owned() } else { format!("0x{bits:X}") });
        return Fault::new(value, "is negative, only -1 has a meaning").or_rather(nearest);
    }
    if word != value {
        return Fault::new(value, "has blanks around the number").or_rather(Some(word));
    }
    let binary = word.strip_prefix("0b").or_else(|| word.strip_prefix("0B"));
    let likely = match word.to_ascii_lowercase().as_str() {
        "all" | "any" | "*" => Some("-1".to_owned()),
        _ if is_decimal(word) => Some(word.trim_start_matches('0').to_owned()),
        _ => match binary {
            Some(digits) => u32::from_str_radix(digits, 2).ok().map(|mask| format!("0x{mask:X}")),
            None => word.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| format!("0x{word}")),
        },
    };
    Fault::new(value, "is no mask").or_rather(likely)
}

pub(super) fn bits(value: &str) -> Result<u32, Fault> {
    decimal(value).and_then(|number| number.try_into().map_err(|_| Fault::new(value, "is too large")))
}

pub(super) fn nops(value: &str) -> Result<u8, Fault> {
    match decimal(value)? {
        number @ 0..=15 => Ok(number as u8),
        _ => Err(Fault::new(value, "is more than 15")),
    }
}

fn decimal(value: &str) -> Result<u64, Fault> {
    if !is_decimal(value) {
        return Err(Fault::new(value, "is no decimal number").or_rather(likely_decimal(value)));
    }
    value.parse().map_err(|_| Fault::new(value, "is too large"))
}
