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

impl Place {
    /// The file itself.
    pub fn top() -> Place {
        Place::default()
    }

    /// One container further in.
    pub(super) fn inside(&self, step: impl Into<String>) -> Place {
        let mut steps = self.steps.clone();
        steps.push(step.into());
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
    fn a_hostile_member_name_cannot_reach_the_terminal() {
        assert_eq!(Place::top().inside("member \u{1b}c").to_string(), "member \\u{1b}c");
    }
}
