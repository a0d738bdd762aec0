//! Which settings file, and the walk through its text: keys, values, and what is said about wrong ones.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sqtt_contract::variables::{self, Kind, Reader, TABLE, Variable};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::error::ConfigError;
use super::origin::Origin;
use super::overrides::{Files, Override};
use super::{Given, Sources, near, snippet};

/// The name that is looked for.
pub const FILE_NAME: &str = "sqtt.toml";

/// The table of the profiles.
pub(super) const PROFILE: &str = "profile";
/// The array of the overrides.
pub(super) const OVERRIDE: &str = "override";
/// The key of an override that says which sources it is for.
pub(super) const FILES: &str = "files";

/// What a settings file says, values not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FromFile {
    /// Outside of profiles and overrides.
    pub(super) top: Vec<Given>,
    /// By name.
    pub(super) profiles: BTreeMap<String, Vec<Given>>,
    /// In the order of the file: of two that match a source and set the same, the later one wins.
    pub(super) overrides: Vec<Override>,
}

/// The settings file of a call: the one that flag or environment name, else the one found upwards from the working
/// directory, else from the first source's directory. `None` when there is none.
///
/// `outer` are the values of environment and flags, the stronger ones last. Errors when a file was named and is not
/// there.
pub(super) fn locate(outer: &[Given], sources: &Sources<'_>) -> Result<Option<PathBuf>, ConfigError> {
    let named = outer.iter().rfind(|given| given.variable.name == variables::CONFIG);
    if let Some(named) = named.filter(|given| !given.value.is_empty()) {
        let path = sources.cwd.join(&named.value);
        let unreadable = |source| ConfigError::Unreadable { origin: named.origin.to_string(), source };
        return fs_err::metadata(&path).map(|_| Some(path)).map_err(unreadable);
    }
    Ok(upwards(sources.cwd).or_else(|| sources.source_directory.and_then(upwards)))
}

fn upwards(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().map(|ancestor| ancestor.join(FILE_NAME)).find(|path| path.is_file())
}

/// Reads a settings file: its values, not checked, native values turned into the contract's spelling.
///
/// Errors show the line: text that is not TOML, an unknown key, a value of a type that says nothing.
pub(super) fn read(path: &Path, cwd: &Path) -> Result<FromFile, ConfigError> {
    let text = fs_err::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { origin: path.display().to_string(), source })?;
    let file = File { path, cwd, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        file.error(error.span().unwrap_or_default(), error.message(), "correct the line: the file is TOML")
    })?;
    file.whole(table.get_ref())
}

/// Where in the file a key stands: not every key may stand everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Top,
    Profile,
    Override,
}

impl Place {
    /// What `variable` is called in this place; `None` when it cannot be set there.
    ///
    /// One compiler, plugin and directory of headers serve all sources, so an override has no say in them.
    pub(super) fn key(self, variable: &Variable) -> Option<&'static str> {
        let differs =
            variable.reader == Reader::Plugin || [variables::OFF, variables::VALIDATE].contains(&variable.name);
        variable.key.filter(|_| self != Place::Override || differs)
    }

    /// Keys that are no settings.
    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Place::Top => &[PROFILE, OVERRIDE],
            Place::Profile => &[],
            Place::Override => &[FILES],
        }
    }
}

/// A table of settings: where it stands, and what messages put before its keys.
#[derive(Clone, Copy)]
struct Context<'a> {
    place: Place,
    prefix: &'a str,
}

/// A settings file while it is read.
struct File<'a> {
    path: &'a Path,
    cwd: &'a Path,
    text: &'a str,
}

impl File<'_> {
    fn error(&self, span: Range<usize>, problem: &str, advice: &str) -> ConfigError {
        let shown = self.path.strip_prefix(self.cwd).unwrap_or(self.path);
        ConfigError::Text(snippet::render(shown, self.text, span, problem, advice))
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        Origin::file(self.path, self.cwd, snippet::position(self.text, span.start).0)
    }

    fn whole(&self, table: &DeTable<'_>) -> Result<FromFile, ConfigError> {
        let mut file = FromFile::default();
        for (name, value) in table {
            match (name.get_ref().as_ref(), value.get_ref()) {
                (PROFILE, DeValue::Table(profiles)) => file.profiles = self.profiles(profiles)?,
                (PROFILE, _) => {
                    return Err(self.error(
                        value.span(),
                        "`profile` is a table",
                        "write settings below `[profile.NAME]`",
                    ));
                }
                (OVERRIDE, DeValue::Array(overrides)) => file.overrides = self.overrides(overrides)?,
                (OVERRIDE, _) => return Err(self.no_override(value.span())),
                _ => self.entry(Context { place: Place::Top, prefix: "" }, "", name, value, &mut file.top)?,
            }
        }
        Ok(file)
    }

    fn profiles(&self, profiles: &DeTable<'_>) -> Result<BTreeMap<String, Vec<Given>>, ConfigError> {
        let mut read = BTreeMap::new();
        for (name, value) in profiles {
            let DeValue::Table(table) = value.get_ref() else {
                let problem = format!("`profile.{}` is a table, not a value", name.get_ref());
                return Err(self.error(value.span(), &problem, "write settings below `[profile.NAME]`"));
            };
            let prefix = format!("{PROFILE}.{}.", name.get_ref());
            let mut given = Vec::new();
            self.table(Context { place: Place::Profile, prefix: &prefix }, "", table, &mut given)?;
            read.insert(name.get_ref().to_string(), given);
        }
        Ok(read)
    }

    fn no_override(&self, span: Range<usize>) -> ConfigError {
        self.error(span, "`override` is a list of tables", "write `[[override]]`, and below it `files = [...]`")
    }

    fn overrides(&self, overrides: &DeArray<'_>) -> Result<Vec<Override>, ConfigError> {
        let read = |item: &Spanned<DeValue<'_>>| {
            let DeValue::Table(table) = item.get_ref() else { return Err(self.no_override(item.span())) };
            let Some((_, files)) = table.iter().find(|(name, _)| name.get_ref() == FILES) else {
                let advice = "add `files = [\"GLOB\"]`: the sources that it is for";
                return Err(self.error(item.span(), "an override without `files`", advice));
            };
            let context = Context { place: Place::Override, prefix: "override." };
            let mut given = Vec::new();
            for (name, value) in table.iter().filter(|(name, _)| name.get_ref() != FILES) {
                self.entry(context, "", name, value, &mut given)?;
            }
            Ok(Override { files: self.files(files)?, given, origin: self.origin(&item.span()) })
        };
        overrides.iter().map(read).collect()
    }

    fn files(&self, files: &Spanned<DeValue<'_>>) -> Result<Files, ConfigError> {
        let advice = "accepted: a list of globs for source paths, taken from the directory of this file";
        let one = std::slice::from_ref(files);
        let items = match files.get_ref() {
            DeValue::Array(items) if !items.is_empty() => items.iter().collect::<Vec<_>>(),
            DeValue::String(_) => one.iter().collect(),
            _ => return Err(self.error(files.span(), "`files` names no file", advice)),
        };
        let mut globs = Files::default();
        for item in items {
            let Some(glob) = item.get_ref().as_str().filter(|glob| !glob.is_empty()) else {
                return Err(self.error(item.span(), "a glob is text that is not empty", advice));
            };
            globs.add(glob).map_err(|problem| self.error(item.span(), &problem, advice))?;
        }
        Ok(globs)
    }

    /// Reads the keys of `table`; `path` leads to it from the table of settings.
    fn table(
        &self,
        context: Context<'_>,
        path: &str,
        table: &DeTable<'_>,
        given: &mut Vec<Given>,
    ) -> Result<(), ConfigError> {
        table.iter().try_for_each(|(name, value)| self.entry(context, path, name, value, given))
    }

    fn entry(
        &self,
        context: Context<'_>,
        path: &str,
        name: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
        given: &mut Vec<Given>,
    ) -> Result<(), ConfigError> {
        let word = name.get_ref().as_ref();
        let key = if path.is_empty() { word.to_owned() } else { format!("{path}.{word}") };
        let shown = format!("{}{key}", context.prefix);
        if let Some(variable) = variables::find_key(&key) {
            if context.place.key(variable).is_none() {
                let problem = format!("`{key}` cannot differ between sources");
                return Err(self.error(name.span(), &problem, "move it out of the override"));
            }
            given.push(self.value(variable, &shown, value)?);
        } else if !is_section(&key) {
            return Err(self.unknown(context, &key, name.span()));
        } else if let DeValue::Table(table) = value.get_ref() {
            self.table(context, &key, table, given)?;
        } else {
            let problem = format!("`{shown}` is a table, not a value");
            return Err(self.error(value.span(), &problem, &format!("write its keys below `[{shown}]`")));
        }
        Ok(())
    }

    fn unknown(&self, context: Context<'_>, key: &str, span: Range<usize>) -> ConfigError {
        let advice = match nearest(context.place, key) {
            Some(nearest) => format!("did you mean `{}{nearest}`?", context.prefix),
            None => "remove it; sqtt.toml.example lists all keys".to_owned(),
        };
        self.error(span, &format!("unknown key `{}{key}`", context.prefix), &advice)
    }

    fn value(
        &self,
        variable: &'static Variable,
        shown: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Given, ConfigError> {
        let Some(text) = text_of(value.get_ref(), variable.kind) else {
            let problem = format!("`{shown}` cannot be of the type {}", value.get_ref().type_str());
            return Err(self.error(value.span(), &problem, &format!("accepted: {}", variable.accepts)));
        };
        Ok(Given { variable, value: OsString::from(text), origin: self.origin(&value.span()) })
    }
}

/// Whether keys of the table start with `key` and a dot.
fn is_section(key: &str) -> bool {
    sections().any(|section| section == key)
}

/// The tables that settings stand in.
pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter_map(|variable| Some(variable.key?.rsplit_once('.')?.0))
}

/// The key or section that `key` was likely meant to be.
fn nearest(place: Place, key: &str) -> Option<&'static str> {
    let setting = variables::nearest_key(key).and_then(|variable| place.key(variable));
    setting.or_else(|| near::nearest(key, sections().chain(place.own_keys().iter().copied())))
}

/// A native value in the contract's spelling; `None` when no setting can be said in that type.
///
/// Numbers become decimal whatever they are written as, but masks stay hexadecimal, which shows that no index is meant.
/// Lists become comma lists where the setting is a list. Whether the setting takes the text is checked later.
fn text_of(value: &DeValue<'_>, kind: Kind) -> Option<String> {
    match (value, kind) {
        (DeValue::String(text), _) => Some(text.to_string()),
        (_, Kind::Path | Kind::Text) | (DeValue::Boolean(_) | DeValue::Integer(_), Kind::Patterns) => None,
        (DeValue::Boolean(on), _) => Some(on.to_string()),
        (DeValue::Integer(number), _) => {
            let parsed = i64::from_str_radix(number.as_str(), number.radix());
            Some(match parsed {
                Ok(mask) if kind == Kind::Mask && number.radix() != 10 => format!("0x{mask:X}"),
                Ok(decimal) => decimal.to_string(),
                Err(_) => number.as_str().to_owned(),
            })
        }
        (DeValue::Array(items), Kind::Categories | Kind::Patterns) => {
            let names: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            let none = if kind == Kind::Categories { "off" } else { "" };
            names.map(|names| if names.is_empty() { none.to_owned() } else { names.join(",") })
        }
        _ => None,
    }
}
