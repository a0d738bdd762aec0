//! What the module does that is not traced although it was asked for: said once per module.

use std::collections::BTreeMap;

use crate::llvm::Instruction;

/// Counts by intrinsic name.
#[derive(Debug, Default)]
pub(crate) struct Untraced {
    barriers: BTreeMap<String, u32>,
    operations: BTreeMap<String, u32>,
}

impl Untraced {
    /// A barrier of a kind that gets no marker.
    pub(crate) fn barrier(&mut self, instruction: Instruction) {
        *self.barriers.entry(name_of(instruction)).or_default() += 1;
    }

    /// A memory operation of a kind that gets no marker.
    pub(crate) fn operation(&mut self, name: String) {
        *self.operations.entry(name).or_default() += 1;
    }

    /// Prints the counts, as the other warnings of the bare plugin: on stderr and not as a diagnostic, which would
    /// break builds with `-Werror`.
    pub(crate) fn print(&self) {
        for (what, counts) in [("barrier", &self.barriers), ("memory operation", &self.operations)] {
            let total: u32 = counts.values().sum();
            if total == 0 {
                continue;
            }
            let names: Vec<String> = counts.iter().map(|(name, count)| format!("{name} ({count})")).collect();
            let plural = if total == 1 { "" } else { "s" };
            eprintln!("SQTT: warning: {total} {what}{plural} of kinds that are not traced: {}", names.join(", "));
        }
    }
}

/// The intrinsic that an instruction calls.
fn name_of(instruction: Instruction) -> String {
    instruction.intrinsic_name().unwrap_or("?").to_owned()
}
