//! Where inside a file something stands.

use std::fmt;
use std::path::Path;

use crate::terminal::printable;

/// The containers around something, outermost first: `member a.o`, `.hip_fatbin bundle 0, hipv4-...`. Not the file's
/// own name, which only the caller knows ([`Place::in_file`] puts the two together).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    steps: Vec<String>,
}

/// Longest step in bytes. Names in a hostile file may be as long as the file, and every piece inside carries them.
const STEP_LIMIT: usize = 240;

impl Place {
    /// The file itself.
    pub fn top() -> Place {
        Place::default()
    }

    /// One container further in. Of a step longer than [`STEP_LIMIT`] only the beginning is kept.
    pub(super) fn inside(&self, step: impl Into<String>) -> Place {
        let mut step = step.into();
        if step.len() > STEP_LIMIT {
            step.truncate(step.floor_char_boundary(STEP_LIMIT));
            step.push_str("...");
        }
        let mut steps = self.steps.clone();
        steps.push(step);
        Place { steps }
    }

    /// Whether this is the file itself.
    pub fn is_top(&self) -> bool {
        self.steps.is_empty()
    }

    /// The full description, `a.out: .hip_fatbin bundle 0, hipv4-...`, safe to print.
    pub fn in_file(&self, file: &Path) -> String {
        let file = file.to_string_lossy();
        if self.is_top() { printable(&file).to_string() } else { format!("{}: {self}", printable(&file)) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(": ")?;
            }
            printable(step).fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_and_the_containers_are_told_from_outside_in() {
        let place = Place::top().inside("member a.o").inside(".hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942");
        assert_eq!(
            place.in_file(Path::new("libx.a")),
            "libx.a: member a.o: .hip_fatbin bundle 0, hipv4-amdgcn-amd-amdhsa--gfx942"
        );
        assert_eq!(Place::top().in_file(Path::new("k.co")), "k.co");
    }

    #[test]
    fn an_endless_name_is_cut_between_characters() {
        let place = Place::top().inside("ö".repeat(1 << 20) + "!");
        assert_eq!(place.to_string(), "ö".repeat(120) + "...");
    }

    #[test]
    fn a_hostile_member_name_cannot_reach_the_terminal() {
        assert_eq!(Place::top().inside("member \u{1b}c").to_string(), "member \\u{1b}c");
    }
}
