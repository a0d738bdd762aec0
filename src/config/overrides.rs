//! `[[override]]`: other settings for some sources.

use std::path::{Component, Path, PathBuf};

use globset::{Glob, GlobBuilder};

use super::Given;
use super::origin::Origin;

/// Settings for the sources that one of its globs matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Override {
    pub(super) files: Files,
    pub(super) given: Vec<Given>,
    /// Where it starts.
    pub(super) origin: Origin,
}

impl Override {
    /// Whether it is for `source`, taken from `cwd`.
    pub(super) fn is_for(&self, source: &Path, cwd: &Path) -> bool {
        let base = self.origin.directory().unwrap_or(cwd);
        self.files.matches(&below(base, &cwd.join(source)))
    }
}

/// Globs for paths of sources: `*` and `?` stop at a slash, `**` does not, `{a,b}` and `[a-z]` are choices. A glob
/// without a slash is for files of that name in any directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    typed: Vec<String>,
    globs: Vec<Glob>,
}

impl Files {
    /// Adds a glob; says what is wrong with one that is none.
    pub(super) fn add(&mut self, typed: &str) -> Result<(), String> {
        let from_here = typed.strip_prefix("./").unwrap_or(typed);
        let anywhere = format!("**/{typed}");
        let pattern = if typed.contains('/') { from_here } else { &anywhere };
        let mut glob = GlobBuilder::new(pattern);
        let glob = glob.literal_separator(true).build();
        let glob = glob.map_err(|error| format!("`{typed}` is no glob: {}", error.kind()))?;
        self.typed.push(typed.to_owned());
        self.globs.push(glob);
        Ok(())
    }

    /// The globs as typed.
    pub(super) fn typed(&self) -> &[String] {
        &self.typed
    }

    fn matches(&self, path: &Path) -> bool {
        self.globs.iter().any(|glob| glob.compile_matcher().is_match(path))
    }
}

/// `path` as globs see it: from `base` when it is below that, by its name or through links, else absolute. Both are
/// absolute. `..` is taken back in the text, as a reader of the glob would.
fn below(base: &Path, path: &Path) -> PathBuf {
    let (base, path) = (plain(base), plain(path));
    if let Ok(inside) = path.strip_prefix(&base) {
        return inside.to_owned();
    }
    let real = |path: &Path| path.canonicalize().ok();
    let directory = path.parent().and_then(real);
    match (real(&base), directory, path.file_name()) {
        (Some(base), Some(directory), Some(name)) => match directory.strip_prefix(&base) {
            Ok(inside) => inside.join(name),
            Err(_) => path,
        },
        _ => path,
    }
}

/// `path` without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
mod tests {
    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        let mut files = Files::default();
        files.add(glob).unwrap();
        files.matches(&below(Path::new("/p"), &Path::new("/p/build").join(path)))
    }

    #[test]
    fn globs_are_taken_from_the_directory_of_the_file() {
        for (glob, path) in [
            ("src/a.hip", "../src/a.hip"),
            ("src/*.hip", "/p/src/a.hip"),
            ("./src/*.hip", "/p/./src/x/../a.hip"),
            ("src/**", "../src/x/y/a.hip"),
            ("**/x/*.hip", "/p/src/x/a.hip"),
            ("*.hip", "/p/src/x/a.hip"),
            ("a.{hip,cpp}", "../a.cpp"),
            ("./a.hip", "../a.hip"),
            ("/q/**", "/q/a.hip"),
            ("*.hip", "/q/a.hip"),
        ] {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("src/*.hip", "../src/x/a.hip"),
            ("a.hip", "../ba.hip"),
            ("./a.hip", "../src/a.hip"),
            ("src/**", "../src.hip"),
            ("src/*.hip", "/q/src/a.hip"),
        ] {
            assert!(!matches(glob, path), "{glob} {path}");
        }
    }

    #[test]
    fn a_directory_is_known_through_a_link() {
        let sandbox = tempfile::tempdir().unwrap();
        std::fs::create_dir(sandbox.path().join("real")).unwrap();
        std::os::unix::fs::symlink("real", sandbox.path().join("link")).unwrap();
        let (real, link) = (sandbox.path().join("real"), sandbox.path().join("link"));
        assert_eq!(below(&real, &link.join("a.hip")), Path::new("a.hip"));
        assert_eq!(below(&link, &real.join("a.hip")), Path::new("a.hip"));
    }

    #[test]
    fn what_is_no_glob_is_said() {
        assert_eq!(Files::default().add("a[").unwrap_err(), "`a[` is no glob: unclosed character class; missing ']'");
    }
}
