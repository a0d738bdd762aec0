//! The rule that only this project's own maps keep: rows are written in one way.

use sqtt_contract::funcmap;

use super::Rule;
use super::findings::Findings;

/// Compares the bytes of a section with its rows written anew: a name that needed encoding and has none, a blank, an
/// escape that stands for a plain character. Other producers may write such rows, and readers take them.
pub(super) fn check(section: &[u8], findings: &mut Findings) {
    let parsed = funcmap::parse(section);
    let units = section.split(|byte| *byte == 0).filter(|unit| !unit.trim_ascii().is_empty());
    for (map, unit) in parsed.maps.iter().zip(units) {
        let mut wanted = funcmap::write(map.rows());
        wanted.pop();
        let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (wanted, found) = (lines(&wanted), lines(unit));
        if wanted == found {
            continue;
        }
        let at = wanted.iter().zip(&found).take_while(|(wanted, found)| wanted == found).count();
        // Lines are counted over the whole section.
        let line = map.lines.get(at).map_or(0, |line| line.number);
        findings.add(Rule::Spelling, format!("line {line} is not written as `sqtt-hipcc` writes rows"));
    }
}
