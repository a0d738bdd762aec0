//! The rules over marker maps: their numbers, names and severities. `docs/validation.md` has a section for each.

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A trace cannot be decoded, or not rightly.
    Error,
    /// Worth knowing.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A code object with a kernel has a map.
    MissingMap,
    /// A map has rows.
    EmptyMap,
    /// Each line of a map is a row.
    MalformedRow,
    /// A map ends with a NUL; one that does not may be cut off.
    UnterminatedMap,
    /// No two rows of a map name one id.
    DuplicateId,
    /// No two maps of a code object mean different things by one id.
    SharedId,
    /// No map stands in a code object twice.
    RepeatedMap,
    /// An id is at least 1 and fits the layout of the headers.
    IdRange,
    /// The ids of a code object are 1, 2, 3, ... without a gap.
    IdGap,
    /// A payload row speaks of an id that its map names, and no other row contradicts it.
    Payload,
    /// An address trace has the payload of its kind and wave size.
    AddressPayload,
    /// The wave size of the map is that of a kernel, and is there when addresses are traced.
    WaveSize,
    /// Only gfx12 packs the clock, and only where no marker has a payload.
    ClockLayout,
    /// A kernel row is a kernel of the code object.
    UnknownKernel,
    /// A kernel of the code object has its row.
    MissingKernel,
    /// A function row is a function, not a kernel or data; one without a symbol was inlined.
    FunctionSymbol,
    /// Rows are written as this project's plugin writes them.
    Spelling,
    /// Every target that was asked for has a code object.
    MissingTarget,
    /// The container and the code object can be read.
    Malformed,
    /// What may hold code objects can be looked into.
    Unverified,
}

/// Each rule once, with its number and name; numbers are never used again for something else.
const RULES: &[(Rule, u32, &str)] = &[
    (Rule::MissingMap, 1, "missing-map"),
    (Rule::EmptyMap, 2, "empty-map"),
    (Rule::MalformedRow, 3, "malformed-row"),
    (Rule::UnterminatedMap, 4, "unterminated-map"),
    (Rule::DuplicateId, 5, "duplicate-id"),
    (Rule::SharedId, 6, "shared-id"),
    (Rule::RepeatedMap, 7, "repeated-map"),
    (Rule::IdRange, 8, "id-range"),
    (Rule::IdGap, 9, "id-gap"),
    (Rule::Payload, 10, "payload"),
    (Rule::AddressPayload, 11, "address-payload"),
    (Rule::WaveSize, 12, "wave-size"),
    (Rule::ClockLayout, 13, "clock-layout"),
    (Rule::UnknownKernel, 14, "unknown-kernel"),
    (Rule::MissingKernel, 15, "missing-kernel"),
    (Rule::FunctionSymbol, 16, "function-symbol"),
    (Rule::Spelling, 17, "spelling"),
    (Rule::MissingTarget, 18, "missing-target"),
    (Rule::Malformed, 19, "malformed"),
    (Rule::Unverified, 20, "unverified"),
];

impl Rule {
    /// Every rule, by number.
    pub fn all() -> impl Iterator<Item = Rule> {
        RULES.iter().map(|(rule, ..)| *rule)
    }

    /// Its code, `M06`: M for the map, and a number that stays.
    pub fn code(self) -> String {
        format!("M{:02}", self.row().0)
    }

    /// Its name, `shared-id`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// How bad it is to break this rule.
    pub fn severity(self) -> Severity {
        match self {
            Rule::UnterminatedMap
            | Rule::RepeatedMap
            | Rule::IdGap
            | Rule::UnknownKernel
            | Rule::MissingKernel
            | Rule::Spelling
            | Rule::Unverified => Severity::Warning,
            _ => Severity::Error,
        }
    }

    fn row(self) -> (u32, &'static str) {
        let row = RULES.iter().find(|(rule, ..)| *rule == self);
        row.map_or((0, "unknown"), |(_, number, name)| (*number, *name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_from_one_and_names_differ() {
        let numbers: Vec<u32> = RULES.iter().map(|(_, number, _)| *number).collect();
        assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
        for (at, rule) in Rule::all().enumerate() {
            assert!(Rule::all().skip(at + 1).all(|other| other != rule && other.name() != rule.name()));
        }
    }
}
