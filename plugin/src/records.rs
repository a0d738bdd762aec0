//! How a trace record of a unit that will be linked says which marker it is.
//!
//! Its assembly ends with a comment: the unit and the word of the marker. A comment costs nothing, and unlike metadata
//! no optimizer drops it; a record that was inlined into another unit still names its own.

use sqtt_contract::marker::{Encoding, Marker};

use crate::llvm::{Function, Instruction, Module, asm_text, set_asm_text};
use crate::marked::Marked;
use crate::marks::{self, Mark};
use crate::numbering::Numbering;
use crate::sites;

/// The metadata that a mark hands on to its record while code is made of it.
const WORD: &str = "sqtt.word";
/// What stands between a record's instructions and its unit.
const TAG: &str = " ; sqtt.record ";

/// Which marker a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The unit whose ids it uses.
    pub(crate) unit: u64,
    /// The marker, without a packed clock.
    pub(crate) marker: Marker,
}

/// Gives every mark with an id its word, for [`seal`] to find at its record. Returns whether anything will be traced
/// with a header.
pub(crate) fn announce(marked: &[Marked], numbering: &Numbering) -> bool {
    let mut headers = false;
    for instruction in marked.iter().flat_map(|marked| marked.markers.iter().copied()) {
        let marker = Mark::of(instruction).and_then(|mark| sites::marker_of(mark, numbering));
        headers |= marker.is_some() || marks::is_foreign_exit(instruction);
        let Some(marker) = marker.filter(|marker| marker.id != 0) else { continue };
        // An id that does not fit is an error where its code is made.
        if let Ok(word) = Encoding::PLAIN.encode(marker, 0) {
            instruction.set_metadata_integer(WORD, Some(u64::from(word)));
        }
    }
    headers
}

/// Writes the tags, once there is code and the unit is known.
pub(crate) fn seal(module: Module, unit: u64) {
    for instruction in module.definitions().into_iter().flat_map(Function::calls) {
        let Some(word) = instruction.metadata_integer(WORD) else { continue };
        instruction.set_metadata_integer(WORD, None);
        if let Some(text) = asm_text(instruction) {
            set_asm_text(instruction, &[text, format!("{TAG}{unit:016x} {word}").as_bytes()].concat());
        }
    }
}

/// All tagged records of a module.
pub(crate) fn tagged(module: Module) -> Vec<(Instruction, Tag)> {
    let records = module.definitions().into_iter().flat_map(Function::calls);
    records.filter_map(|instruction| Some((instruction, read(asm_text(instruction)?)?))).collect()
}

/// Takes a record's tag away.
pub(crate) fn untag(record: Instruction) {
    if let Some((code, _)) = asm_text(record).and_then(split) {
        set_asm_text(record, code.as_bytes());
    }
}

fn read(text: &[u8]) -> Option<Tag> {
    let (unit, word) = split(text)?.1.split_once(' ')?;
    let (unit, word) = (u64::from_str_radix(unit, 16).ok()?, word.parse().ok()?);
    Some(Tag { unit, marker: Encoding::PLAIN.decode(word).marker })
}

/// A record's instructions, and what its tag says.
fn split(text: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(text).ok()?.split_once(TAG)
}
