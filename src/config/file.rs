//! Settings from `sqtt.toml`: which file, and what it says.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sqtt_contract::variables::{self, Kind, TABLE, Variable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::ConfigError;
use super::origin::Origin;
use super::{Given, Sources, near, snippet};

/// The name that is looked for.
pub const FILE_NAME: &str = "sqtt.toml";

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
pub(super) fn read(path: &Path, cwd: &Path) -> Result<Vec<Given>, ConfigError> {
    let text = fs_err::read_to_string(path)
        .map_err(|source| ConfigError::Unreadable { origin: path.display().to_string(), source })?;
    let file = File { path, cwd, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        file.error(error.span().unwrap_or_default(), error.message(), "correct the line: the file is TOML")
    })?;
    let mut given = Vec::new();
    file.table(table.get_ref(), "", &mut given)?;
    Ok(given)
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

    fn table(&self, table: &DeTable<'_>, prefix: &str, given: &mut Vec<Given>) -> Result<(), ConfigError> {
        for (name, value) in table {
            let key =
                if prefix.is_empty() { name.get_ref().to_string() } else { format!("{prefix}.{}", name.get_ref()) };
            if let Some(variable) = variables::find_key(&key) {
                given.push(self.value(variable, &key, value)?);
            } else if !is_section(&key) {
                return Err(self.unknown(&key, name.span()));
            } else if let DeValue::Table(table) = value.get_ref() {
                self.table(table, &key, given)?;
            } else {
                let problem = format!("`{key}` is a table, not a value");
                return Err(self.error(value.span(), &problem, &format!("write its keys below `[{key}]`")));
            }
        }
        Ok(())
    }

    fn unknown(&self, key: &str, span: Range<usize>) -> ConfigError {
        let advice = match nearest(key) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "remove it; sqtt.toml.example lists all keys".to_owned(),
        };
        self.error(span, &format!("unknown key `{key}`"), &advice)
    }

    fn value(
        &self,
        variable: &'static Variable,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Given, ConfigError> {
        let Some(text) = text_of(value.get_ref(), variable.kind) else {
            let problem = format!("`{key}` cannot be of the type {}", value.get_ref().type_str());
            return Err(self.error(value.span(), &problem, &format!("accepted: {}", variable.accepts)));
        };
        let (line, _) = snippet::position(self.text, value.span().start);
        let origin = Origin::file(self.path, self.cwd, line);
        Ok(Given { variable, value: OsString::from(text), origin })
    }
}

/// Whether keys of the table start with `key` and a dot.
fn is_section(key: &str) -> bool {
    sections().any(|section| section == key)
}

fn sections() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter_map(|variable| Some(variable.key?.rsplit_once('.')?.0))
}

/// The key or section that `key` was likely meant to be.
fn nearest(key: &str) -> Option<&'static str> {
    variables::nearest_key(key).and_then(|variable| variable.key).or_else(|| near::nearest(key, sections()))
}

/// A native value in the contract's spelling; `None` when no setting can be said in that type.
///
/// Numbers become decimal whatever they are written as, lists become comma lists where the setting is a list. Whether
/// the setting takes the text is checked later.
fn text_of(value: &DeValue<'_>, kind: Kind) -> Option<String> {
    match (value, kind) {
        (DeValue::String(text), _) => Some(text.to_string()),
        (_, Kind::Path | Kind::Text) | (DeValue::Boolean(_) | DeValue::Integer(_), Kind::Patterns) => None,
        (DeValue::Boolean(on), _) => Some(on.to_string()),
        (DeValue::Integer(number), _) => {
            let decimal = i64::from_str_radix(number.as_str(), number.radix()).map(|number| number.to_string());
            Some(decimal.unwrap_or_else(|_| number.as_str().to_owned()))
        }
        (DeValue::Array(items), Kind::Categories | Kind::Patterns) => {
            let names: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            let none = if kind == Kind::Categories { "off" } else { "" };
            names.map(|names| if names.is_empty() { none.to_owned() } else { names.join(",") })
        }
        _ => None,
    }
}
