//! The sources of settings from the weakest to the strongest, and which overrides a source of the program gets.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sqtt_contract::variables;
use thiserror::Error;

use super::error::ConfigError;
use super::file::FromFile;
use super::overrides::Override;
use super::{Config, Given, Origin, near};

/// All that was given, before it is merged for some source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Layers {
    /// The file's top level, then the profile.
    below: Vec<Given>,
    pub(super) overrides: Vec<Override>,
    /// The environment, then the flags.
    above: Vec<Given>,
}

/// Two sources of one command with different settings: the compiler has one environment for both.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{}` and `{}` are in one command, and {} for one of them only\n\
     a command has one set of settings: compile them one by one, or let the globs match both",
    sources[0].display(), sources[1].display(), overrides(origins)
)]
pub struct Divided {
    /// As typed.
    pub sources: Box<[PathBuf; 2]>,
    /// The overrides that only one of the two gets.
    pub origins: Vec<Origin>,
}

fn overrides(origins: &[Origin]) -> String {
    let shown: Vec<String> = origins.iter().map(|origin| format!("`{origin}`")).collect();
    let (noun, verb) = if shown.len() == 1 { ("the override", "is") } else { ("the overrides", "are") };
    format!("{noun} {} {verb}", shown.join(", "))
}

impl Layers {
    /// Sorts and checks what was given. Errors on a value that its variable does not take, wherever it stands, and on a
    /// profile that is not in the file.
    pub(super) fn new(
        file: Option<FromFile>,
        above: Vec<Given>,
        cwd: &Path,
        path: Option<&Path>,
    ) -> Result<Layers, ConfigError> {
        let FromFile { top, mut profiles, overrides } = file.unwrap_or_default();
        let in_overrides = overrides.iter().flat_map(|one| &one.given);
        for given in top.iter().chain(profiles.values().flatten()).chain(in_overrides).chain(&above) {
            if let Err(invalid) = given.variable.check(&given.value) {
                return Err(ConfigError::Invalid { origin: given.origin.clone(), invalid: Box::new(invalid) });
            }
        }
        let mut below = top;
        let chosen = above.iter().rfind(|given| given.variable.name == variables::PROFILE);
        if let Some(chosen) = chosen.filter(|chosen| !chosen.value.is_empty()) {
            let name = chosen.value.to_string_lossy();
            let Some(profile) = profiles.remove(&*name) else {
                let shown = path.map(|path| path.strip_prefix(cwd).unwrap_or(path));
                let problem = no_profile(&name, &profiles, shown);
                return Err(ConfigError::Profile { origin: chosen.origin.clone(), problem });
            };
            below.extend(profile);
        }
        Ok(Layers { below, overrides, above })
    }

    /// All values, the stronger ones later.
    pub(super) fn in_order<'a>(&'a self, overrides: &[&'a Given]) -> Vec<&'a Given> {
        self.below.iter().chain(overrides.iter().copied()).chain(&self.above).collect()
    }
}

fn no_profile(name: &str, profiles: &BTreeMap<String, Vec<Given>>, file: Option<&Path>) -> String {
    let Some(file) = file else {
        return format!("there is no profile `{name}`, as there is no sqtt.toml; write one, or choose none");
    };
    let names = || profiles.keys().map(String::as_str);
    let advice = match near::nearest(name, names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if profiles.is_empty() => format!("write it below `[profile.{name}]`, or choose none"),
        None => format!("it has {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    format!("there is no profile `{name}` in `{}`; {advice}", file.display())
}

impl Config {
    /// The settings for `sources` of one command, as typed: with the overrides that match them.
    ///
    /// Where sources differ, [`divided`](Config::divided) says so, and the settings are those of the first one that is
    /// not switched off. A call without sources, such as a link, gets none of the overrides.
    ///
    /// Errors when what an override sets does not go with the rest.
    pub fn for_sources<'a>(
        self,
        sources: impl IntoIterator<Item = &'a Path>,
        cwd: &Path,
    ) -> Result<Config, ConfigError> {
        if self.layers.overrides.is_empty() {
            return Ok(self);
        }
        let mut kept: Option<(Config, &Path)> = None;
        let mut divided = None;
        for source in sources {
            let config = self.clone().with(&self.values_for(source, cwd), cwd)?;
            match &kept {
                None => kept = Some((config, source)),
                Some((first, other)) if first.values() != config.values() => {
                    divided = divided.or_else(|| Some(self.division(other, source, cwd)));
                    if first.off().is_some() {
                        kept = Some((config, source));
                    }
                }
                Some(_) => {}
            }
        }
        let config = kept.map_or(self, |(config, _)| config);
        Ok(Config { divided, ..config })
    }

    /// What each override is for, where it stands, and what it sets.
    pub fn overrides(&self) -> impl Iterator<Item = (&[String], &Origin, &[Given])> {
        self.layers.overrides.iter().map(|one| (one.files.typed(), &one.origin, one.given.as_slice()))
    }

    fn values_for(&self, source: &Path, cwd: &Path) -> Vec<&Given> {
        let matching = self.layers.overrides.iter().filter(|one| one.is_for(source, cwd));
        matching.flat_map(|one| &one.given).collect()
    }

    fn values(&self) -> BTreeMap<&'static str, &OsString> {
        self.settings.iter().map(|(name, setting)| (*name, &setting.value)).collect()
    }

    fn division(&self, first: &Path, second: &Path, cwd: &Path) -> Divided {
        let both = self.layers.overrides.iter();
        let one_only = both.filter(|one| one.is_for(first, cwd) != one.is_for(second, cwd));
        let origins = one_only.map(|one| one.origin.clone()).collect();
        Divided { sources: Box::new([first.to_owned(), second.to_owned()]), origins }
    }
}
