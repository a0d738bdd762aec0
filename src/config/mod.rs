//! What is wanted: `sqtt.toml` < environment < `--sqtt-*` flags, each value with its origin.
//!
//! Within the file its top level is weakest, then the profile that was chosen, then the overrides for a source in the
//! order of the file. Every value of every source is checked, also one that a stronger source overrides. An empty value
//! stands for the default. Nothing here runs anything; the only I/O is reading the settings file, and the links on the
//! way to sources and to it.

pub mod environment;
pub mod error;
pub mod file;
pub mod flags;
pub mod help;
mod hint;
mod layers;
mod near;
pub mod origin;
mod overrides;
pub mod schema;
mod snippet;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sqtt_contract::settings::{self, Settings, Validation};
use sqtt_contract::variables::{self, Kind, Reader, TABLE, Variable};

pub use error::ConfigError;
pub use flags::{Action, OwnFlags};
pub use layers::Divided;
pub use origin::Origin;

use crate::environment::Environment;
use layers::Layers;

/// One value and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The text, in the contract's spelling; for a path, absolute. Never empty.
    pub value: OsString,
    /// Where it was set.
    pub origin: Origin,
}

/// One value of one source, before the sources are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What is set.
    pub variable: &'static Variable,
    /// As given, not checked; empty for "back to the default".
    pub value: OsString,
    /// Where.
    pub origin: Origin,
}

/// The settings of one call, all sources merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    settings: BTreeMap<&'static str, Setting>,
    /// The settings file that was read.
    pub file: Option<PathBuf>,
    /// The profile that was chosen.
    pub profile: Option<String>,
    /// Messages for the user, one line each; they stop nothing.
    pub warnings: Vec<String>,
    /// Values that may not mean what the user wants, one line each.
    pub hints: Vec<String>,
    /// Why sources of one command cannot be compiled together: their settings differ.
    pub divided: Option<Divided>,
    layers: Layers,
}

/// Where settings can come from.
#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    /// The `--sqtt-*` words.
    pub flags: &'a OwnFlags,
    /// The environment.
    pub environment: &'a Environment,
    /// The working directory.
    pub cwd: &'a Path,
    /// The directory of the first source on the command line.
    pub source_directory: Option<&'a Path>,
}

impl Config {
    /// Merges and checks all sources. Overrides for some sources are read and not applied: see
    /// [`for_sources`](Config::for_sources).
    ///
    /// Errors name the source of the value: unknown key, value that is not accepted, memory markers together with address
    /// traces, a clock window that no marker can carry, settings file that cannot be read, unknown profile.
    pub fn resolve(sources: &Sources<'_>) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        let environment = environment::read(sources.environment);
        config.warnings = environment.warnings;
        let outer: Vec<Given> = environment.given.into_iter().chain(sources.flags.given.iter().cloned()).collect();
        config.file = file::locate(&outer, sources)?;
        let file = config.file.as_ref().map(|path| file::read(path, sources.cwd)).transpose()?;
        config.layers = Layers::new(file, outer, sources.cwd, config.file.as_deref())?;
        config.with(&[], sources.cwd)
    }

    /// The settings with these values of overrides, checked.
    fn with(mut self, overrides: &[&Given], cwd: &Path) -> Result<Config, ConfigError> {
        self.settings.clear();
        for given in self.layers.in_order(overrides) {
            let Given { variable, value, origin } = given.clone();
            if value.is_empty() {
                self.settings.remove(variable.name);
            } else {
                let value = if variable.kind == Kind::Path { absolute(variable, value, &origin, cwd) } else { value };
                self.settings.insert(variable.name, Setting { value, origin });
            }
        }
        self.profile = self.get(variables::PROFILE).map(|name| name.to_string_lossy().into_owned());
        let set = TABLE.iter().filter_map(|variable| Some((variable, self.settings.get(variable.name)?)));
        self.hints = set.filter_map(|(variable, setting)| hint::mask(variable, setting)).collect();
        self.check_features()?;
        Ok(self)
    }

    fn check_features(&self) -> Result<(), ConfigError> {
        let settings = self.plugin_settings();
        if let Some(conflict) = settings.conflict() {
            let origins = [variables::INSTRUMENT_MEMORY, variables::TRACE_ADDRESSES].map(|name| self.origin(name));
            return Err(ConfigError::Conflict { origins: Box::new(origins), conflict });
        }
        // The pass would refuse it on gfx12 only; a window that no register has is wrong whatever the target.
        settings.clock.encoding().map(drop).map_err(|problem| {
            let names = [variables::SHADER_CLOCK_BITS, variables::SHADER_CLOCK_SHIFT];
            let origins = names.map(|name| self.origin(name)).into_iter().filter(|origin| *origin != Origin::Default);
            ConfigError::Layout { origins: origins.collect(), problem }
        })
    }

    /// Every setting with a flag in the order of the table: its value, empty when it has none, and where that is from.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Variable, &OsStr, Origin)> {
        let variables = TABLE.iter().filter(|variable| variable.flag.is_some());
        variables.map(|variable| {
            let value = self.get(variable.name).unwrap_or(OsStr::new(variable.default));
            (variable, value, self.origin(variable.name))
        })
    }

    /// The value of `name` that some source set.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.settings.get(name).map(|setting| setting.value.as_os_str())
    }

    /// Where the value of `name` comes from.
    pub fn origin(&self, name: &str) -> Origin {
        self.settings.get(name).map_or(Origin::Default, |setting| setting.origin.clone())
    }

    /// What the pass is told, typed.
    pub fn plugin_settings(&self) -> Settings {
        Settings::read(|name| self.get(name).map(OsStr::to_owned)).0
    }

    /// The variables of the pass, in the order of the table, each with its value if some source set one.
    pub fn plugin_variables(&self) -> impl Iterator<Item = (&'static Variable, Option<&OsStr>)> {
        let variables = TABLE.iter().filter(|variable| variable.reader == Reader::Plugin);
        variables.map(|variable| (variable, self.get(variable.name)))
    }

    /// A path setting with its origin.
    pub fn path(&self, name: &str) -> Option<(PathBuf, String)> {
        let setting = self.settings.get(name)?;
        Some((PathBuf::from(&setting.value), setting.origin.to_string()))
    }

    /// Where instrumentation was switched off; `None` when it was not.
    pub fn off(&self) -> Option<Origin> {
        let on = self.text(variables::OFF, |variable, text| settings::switch(variable, text)).unwrap_or_default();
        on.then(|| self.origin(variables::OFF))
    }

    /// What a failed validation does.
    pub fn validation(&self) -> Validation {
        self.text(variables::VALIDATE, |variable, text| settings::validation(variable, text)).unwrap_or_default()
    }

    /// A checked value, read by the contract.
    fn text<T, E>(&self, name: &str, read: impl Fn(&'static Variable, &str) -> Result<T, E>) -> Option<T> {
        read(variables::find(name)?, self.get(name)?.to_str()?).ok()
    }
}

/// A path is taken from the directory of the settings file that names it, else from the working directory. The name of
/// a compiler without a slash stays: it is looked up in PATH.
fn absolute(variable: &Variable, value: OsString, origin: &Origin, cwd: &Path) -> OsString {
    let path = Path::new(&value);
    if variable.name == variables::HIPCC && !value.as_bytes().contains(&b'/') {
        return value;
    }
    origin.directory().unwrap_or(cwd).join(path).into_os_string()
}
