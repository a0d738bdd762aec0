//! What the readers of JSON files share: numbers of any kind, and where in a file it stops to be JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Where a file is no longer JSON, or no longer what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {reason}")]
pub struct Malformed {
    /// From the beginning of the file, in bytes.
    pub offset: usize,
    /// What is wrong there.
    pub reason: String,
}

impl Malformed {
    /// The place of `error` in `bytes`, which the error is about.
    pub fn new(bytes: &[u8], error: &serde_json::Error) -> Malformed {
        let before = error.line().saturating_sub(1);
        let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line = before.checked_sub(1).and_then(|nth| lines.map(|(at, _)| at + 1).nth(nth)).unwrap_or(0);
        let offset = (line + error.column()).min(bytes.len());
        let text = error.to_string();
        // The text ends in line and column, which say nothing in a file of one line.
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        Malformed { offset, reason: reason.to_owned() }
    }
}

/// A value of which only numbers matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Unsigned(u64),
    Negative(i64),
    /// Anything else, numbers with a fraction too.
    Other,
}

impl Cell {
    /// As a number of `T`, if it fits.
    pub(super) fn to<T: TryFrom<u64>>(self) -> Option<T> {
        match self {
            Cell::Unsigned(number) => T::try_from(number).ok(),
            Cell::Negative(_) | Cell::Other => None,
        }
    }

    /// As cycles, and whether they had to be cut down to what 64 bits with a sign can hold.
    pub(super) fn cycles(self) -> Option<(i64, bool)> {
        match self {
            Cell::Unsigned(number) => Some((i64::try_from(number).unwrap_or(i64::MAX), i64::try_from(number).is_err())),
            Cell::Negative(number) => Some((number, false)),
            Cell::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    #[inline]
    fn visit_u64<E>(self, number: u64) -> Result<Cell, E> {
        Ok(Cell::Unsigned(number))
    }

    #[inline]
    fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
        Ok(u64::try_from(number).map_or(Cell::Negative(number), Cell::Unsigned))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Cell, E> {
        Ok(Cell::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Cell, E> {
        Ok(Cell::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Cell, E> {
        Ok(Cell::Other)
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Cell, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Cell::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cell, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Cell::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_bytes_from_the_start_of_the_file() {
        let place = |text: &str| {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let found = Malformed::new(text.as_bytes(), &error);
            (found.offset, found.reason)
        };
        assert_eq!(place("[1, 2"), (5, "EOF while parsing a list".to_owned()));
        assert_eq!(place("[1,\n 2,\n x]"), (10, "expected value".to_owned()));
        assert_eq!(place(""), (0, "EOF while parsing a value".to_owned()));
    }

    #[test]
    fn numbers_are_kept_and_everything_else_is_one() {
        let cells: Vec<Cell> =
            serde_json::from_str(r#"[1, -2, 18446744073709551615, 1.5, "a", null, [1, [2]], {"a": {}}, true]"#)
                .unwrap();
        let other = [Cell::Other; 6];
        assert_eq!(cells[..3], [Cell::Unsigned(1), Cell::Negative(-2), Cell::Unsigned(u64::MAX)]);
        assert_eq!(cells[3..], other);
        assert_eq!(cells[2].cycles(), Some((i64::MAX, true)));
        assert_eq!((cells[0].to::<u8>(), cells[2].to::<u8>(), cells[1].to::<u8>()), (Some(1), None, None));
    }
}
