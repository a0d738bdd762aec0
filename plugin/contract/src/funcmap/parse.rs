//! Reading a section: never fails, reports what is malformed and goes on.

use std::fmt;

use super::{CLOCK_BITS_FIELD, CLOCK_SHIFT_FIELD, Funcmap, Index, PAYLOAD_FIELD, Row, Text, percent};
use crate::marker::{Encoding, LayoutError};
use crate::spelling::shown;

/// One unit's map: the rows of one NUL-terminated string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    /// The well-formed rows, in order.
    pub lines: Vec<Line>,
    /// What the last `M:` row says, [`Encoding::PLAIN`] when it is malformed; `None` without such a row.
    pub(super) layout: Option<Encoding>,
}

impl Map {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.lines.iter().map(|line| &line.row)
    }

    /// The marker layout of this unit; [`Encoding::PLAIN`] without an `M:` row and with a malformed one.
    pub fn encoding(&self) -> Encoding {
        self.layout.unwrap_or(Encoding::PLAIN)
    }

    /// The row of `id`; of several the last.
    pub fn find(&self, id: u32) -> Option<&Row> {
        self.lines.iter().rev().map(|line| &line.row).find(|row| row.marker_id() == Some(id))
    }

    /// Look-up tables over this unit alone.
    pub fn index(&self) -> Index<'_> {
        Index::new(&self.lines)
    }
}

/// A row and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 1, over the whole section: newlines end a line, and NULs that stand right after text.
    pub number: usize,
    /// The row.
    pub row: Row,
}

/// A line that is no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line number, counted as in [`Line::number`].
    pub line: usize,
    /// The line, shortened, in one line of printable text.
    pub text: String,
    /// What is wrong with it.
    pub reason: Reason,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} in `{}`", self.line, self.reason, self.text)
    }
}

/// Why a line is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Reason {
    /// It does not begin with a letter and a colon.
    #[error("no row letter")]
    NoLetter,
    /// It begins with another letter than F K U P W R M.
    #[error("unknown row letter")]
    UnknownLetter,
    /// The id is no decimal number of 32 bits.
    #[error("no decimal id")]
    Id,
    /// There is no name.
    #[error("no name")]
    Name,
    /// The wave size is neither 32 nor 64.
    #[error("no wave size of 32 or 64")]
    WaveSize,
    /// The payload count is missing, or no decimal number of 32 bits.
    #[error("no `{PAYLOAD_FIELD}=N`")]
    PayloadCount,
    /// The fields of the layout are not as they should be.
    #[error("no `{CLOCK_BITS_FIELD}=N;{CLOCK_SHIFT_FIELD}=S`")]
    LayoutFields,
    /// The layout cannot be.
    #[error("impossible clock layout ({0})")]
    Layout(LayoutError),
}

/// Reads the bytes of a section.
///
/// CRLF line ends, blank lines, blanks around a row and any number of NULs between maps are taken as they come. Rows are
/// taken in any order, from any producer; names and locations are decoded. Only the first `@` of an `F`, `K` or `P` row
/// separates the location (design note "Funcmap reading").
pub fn parse(section: &[u8]) -> Funcmap {
    let mut funcmap = Funcmap { terminated: section.last() == Some(&0), ..Funcmap::default() };
    let mut number = 0;
    for unit in section.split(|byte| *byte == 0).filter(|unit| !unit.is_empty()) {
        let mut map = Map::default();
        let mut is_blank = true;
        let unit = unit.strip_suffix(b"\n").unwrap_or(unit);
        for line in unit.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
            number += 1;
            if line.is_empty() {
                continue;
            }
            is_blank = false;
            let row = parse_row(line);
            if line.starts_with(b"M:") {
                map.layout = Some(layout_of(&row));
            }
            match row {
                Ok(row) => map.lines.push(Line { number, row }),
                Err(reason) => {
                    let text = shown(&String::from_utf8_lossy(line));
                    funcmap.problems.push(Problem { line: number, text, reason });
                }
            }
        }
        if !is_blank {
            funcmap.maps.push(map);
        }
    }
    funcmap
}

/// A malformed layout is the plain one (spec "GFX12 Shader Clock Packing").
fn layout_of(row: &Result<Row, Reason>) -> Encoding {
    match row {
        Ok(Row::Layout { clock_bits, clock_shift }) => Encoding::packed(*clock_bits, *clock_shift).unwrap_or_default(),
        _ => Encoding::PLAIN,
    }
}

fn parse_row(line: &[u8]) -> Result<Row, Reason> {
    let [letter, b':', fields @ ..] = line else { return Err(Reason::NoLetter) };
    match letter {
        b'F' => {
            let (id, fields) = id(fields)?;
            let (name, location) = name_and_location(fields)?;
            Ok(Row::Function { id, name, location })
        }
        b'K' => {
            let (name, location) = name_and_location(fields)?;
            Ok(Row::Kernel { name, location })
        }
        b'U' => {
            // No location to look for: an `@` that another producer left in a label belongs to it.
            let (id, fields) = id(fields)?;
            Ok(Row::Scope { id, name: name(fields)? })
        }
        b'P' => {
            let (id, fields) = id(fields)?;
            let (name, location) = name_and_location(fields)?;
            Ok(Row::Point { id, name, location })
        }
        b'W' => match fields {
            b"32" => Ok(Row::WaveSize(32)),
            b"64" => Ok(Row::WaveSize(64)),
            _ => Err(Reason::WaveSize),
        },
        b'R' => {
            let (id, fields) = id(fields)?;
            let [count] = numbers(fields, [PAYLOAD_FIELD]).ok_or(Reason::PayloadCount)?;
            Ok(Row::Payload { id, count: count.ok_or(Reason::PayloadCount)? })
        }
        b'M' => layout(fields),
        _ => Err(Reason::UnknownLetter),
    }
}

fn layout(fields: &[u8]) -> Result<Row, Reason> {
    let [bits, shift] = numbers(fields, [CLOCK_BITS_FIELD, CLOCK_SHIFT_FIELD]).ok_or(Reason::LayoutFields)?;
    let clock_bits = bits.ok_or(Reason::LayoutFields)?;
    // Without a clock there is nothing to shift.
    let clock_shift = if clock_bits == 0 { shift.unwrap_or(0) } else { shift.ok_or(Reason::LayoutFields)? };
    Encoding::packed(clock_bits, clock_shift).map_err(Reason::Layout)?;
    Ok(Row::Layout { clock_bits, clock_shift })
}

/// A decimal number of 32 bits, without sign or blank.
fn number(digits: &[u8]) -> Option<u32> {
    let is_decimal = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_decimal.then(|| str::from_utf8(digits).ok()?.parse().ok()).flatten()
}

/// The id and what follows its colon.
fn id(fields: &[u8]) -> Result<(u32, &[u8]), Reason> {
    let (digits, rest) = split_once(fields, b':').unwrap_or((fields, b""));
    Ok((number(digits).ok_or(Reason::Id)?, rest))
}

/// `key=number` fields between semicolons, in any order; `None` when one is malformed, unknown or there twice.
fn numbers<const N: usize>(fields: &[u8], keys: [&str; N]) -> Option<[Option<u32>; N]> {
    let mut values = [None; N];
    for field in fields.split(|byte| *byte == b';') {
        let (key, digits) = split_once(field, b'=')?;
        let at = keys.iter().position(|known| known.as_bytes() == key)?;
        if values[at].replace(number(digits)?).is_some() {
            return None;
        }
    }
    Some(values)
}

fn name(encoded: &[u8]) -> Result<Text, Reason> {
    if encoded.is_empty() { Err(Reason::Name) } else { Ok(percent::decode(encoded).into()) }
}

fn name_and_location(fields: &[u8]) -> Result<(Text, Option<Text>), Reason> {
    let (encoded, location) = split_once(fields, b'@').unwrap_or((fields, b""));
    let location = (!location.is_empty()).then(|| percent::decode(location).into());
    Ok((name(encoded)?, location))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}
