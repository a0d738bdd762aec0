//! What an installation has beside its programs: plugins that are built already, and the crates to build one from.
//!
//! ```text
//! PREFIX/bin/                      the programs
//! PREFIX/lib/sqtt/plugin/KEY/      plugins, as in the cache
//! PREFIX/share/sqtt/plugin-src/    the plugin's sources as they are embedded; DIGEST says which; vendor/ has their crates
//! ```
//!
//! All of it is found from where the program is, so a prefix may be moved. Only `sqtt install` writes there.

use std::path::{Path, PathBuf};

use super::sources;

/// Below a prefix: plugins.
pub const PLUGINS: &str = "lib/sqtt/plugin";
/// Below a prefix: the plugin's sources.
pub const SOURCES: &str = "share/sqtt/plugin-src";
/// Beside the sources: the digest that they are embedded with.
pub const DIGEST: &str = "DIGEST";
/// Below the sources: the crates.
pub const VENDOR: &str = "vendor";

/// The installation that a program belongs to, if it belongs to one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    prefix: Option<PathBuf>,
}

impl Installed {
    /// The one whose `bin` a program is in. Whether anything is there is not looked at.
    pub fn around(own_executable: &Path) -> Installed {
        let bin = own_executable.parent().filter(|bin| bin.ends_with("bin"));
        Installed { prefix: bin.and_then(Path::parent).map(Path::to_owned) }
    }

    /// Where its plugins are.
    pub(super) fn plugins(&self) -> Option<PathBuf> {
        Some(self.prefix.as_ref()?.join(PLUGINS))
    }

    /// The crates of this program's own plugin sources; none beside those of another release.
    pub(super) fn crates(&self) -> Option<PathBuf> {
        let sources = self.prefix.as_ref()?.join(SOURCES);
        let digest = std::fs::read_to_string(sources.join(DIGEST)).unwrap_or_default();
        let crates = sources.join(VENDOR);
        (digest.trim() == sources::PLUGIN.digest && crates.is_dir()).then_some(crates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_in_a_bin_is_of_an_installation() {
        let installed = Installed::around(Path::new("/opt/sqtt/bin/sqtt"));
        assert_eq!(installed.plugins(), Some(PathBuf::from("/opt/sqtt/lib/sqtt/plugin")));
        for other in ["/opt/target/debug/sqtt", "/opt/bin2/sqtt", "sqtt", "/"] {
            assert_eq!(Installed::around(Path::new(other)), Installed::default(), "{other}");
        }
    }
}
