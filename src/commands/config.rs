//! `sqtt config show|schema`: the settings in force here and where each comes from; what `sqtt.toml` may say.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sqtt_contract::variables::{self, FLAG_PREFIX, Variable};

use crate::config::{Config, OwnFlags, Sources, schema};
use crate::environment::Environment;

/// The words after `sqtt config`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0, or 2 when a setting is wrong or a file cannot be read.")]
pub struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Action {
    /// Print every setting with its value and where that comes from
    Show(ShowArgs),
    /// Print the JSON schema of sqtt.toml, for editors
    Schema,
}

#[derive(Clone, Debug, clap::Args)]
struct ShowArgs {
    /// The settings for this source: with the overrides that match it
    #[arg(value_name = "SOURCE")]
    source: Option<PathBuf>,
    /// A profile of the settings file
    #[arg(long, value_name = "NAME")]
    profile: Option<OsString>,
    /// The settings file, instead of the one that is found
    #[arg(long, value_name = "FILE")]
    config: Option<OsString>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints to `out`, and warnings to `messages`. Fails as [`Config::resolve`] does, and when it cannot write.
pub fn run(
    args: &ConfigArgs,
    environment: &Environment,
    cwd: &Path,
    out: &mut dyn Write,
    messages: &mut dyn Write,
) -> anyhow::Result<()> {
    match &args.action {
        Action::Schema => writeln!(out, "{}", serde_json::to_string_pretty(&schema::schema())?)?,
        Action::Show(args) => {
            let config = resolve(args, environment, cwd)?;
            for (severity, texts) in [("warning", &config.warnings), ("hint", &config.hints)] {
                texts.iter().try_for_each(|text| writeln!(messages, "sqtt: {severity}: {text}"))?;
            }
            if args.json {
                writeln!(out, "{}", serde_json::to_string_pretty(&document(&config))?)?;
            } else {
                out.write_all(&page(&config))?;
            }
        }
    }
    Ok(())
}

fn resolve(args: &ShowArgs, environment: &Environment, cwd: &Path) -> anyhow::Result<Config> {
    let flags = [(variables::PROFILE, &args.profile), (variables::CONFIG, &args.config)];
    let words: Vec<OsString> = flags.iter().filter_map(|(name, value)| flag(name, value.as_deref()?)).collect();
    let flags = OwnFlags::parse(&words)?;
    let directory = args.source.as_ref().and_then(|source| Some(cwd.join(source).parent()?.to_owned()));
    let config = Config::resolve(&Sources { flags: &flags, environment, cwd, source_directory: directory.as_deref() })?;
    Ok(config.for_sources(args.source.as_deref(), cwd)?)
}

fn flag(name: &str, value: &OsStr) -> Option<OsString> {
    let mut word = OsString::from(format!("{FLAG_PREFIX}{}=", variables::find(name)?.flag?));
    word.push(value);
    Some(word)
}

/// The settings as a table. What the file is not asked for one source of is listed below it.
fn page(config: &Config) -> Vec<u8> {
    let file = config.file.as_ref().map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    let mut page = format!("settings file: {file}\n").into_bytes();
    page.extend(format!("profile: {}\n\n", config.profile.as_deref().unwrap_or("none")).bytes());
    let rows: Vec<[Vec<u8>; 3]> = config
        .rows()
        .map(|(variable, value, origin)| {
            let value = if value.is_empty() { b"-" } else { value.as_bytes() };
            [name(variable).into_bytes(), value.to_owned(), origin.to_string().into_bytes()]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default() + 2;
    let (names, values) = (width(0), width(1));
    for [name, value, origin] in rows {
        page.extend(padded(name, names).into_iter().chain(padded(value, values)).chain(origin).chain(*b"\n"));
    }
    for (files, origin, given) in config.overrides() {
        page.extend(format!("\noverride {origin} for {}:\n", files.join(", ")).bytes());
        for one in given {
            let name = one.variable.key.unwrap_or_default();
            page.extend(format!("  {name} = {}\n", one.value.display()).bytes());
        }
    }
    page
}

fn padded(mut text: Vec<u8>, width: usize) -> Vec<u8> {
    text.resize(text.len().max(width), b' ');
    text
}

/// The key in the file; what has none goes by its variable.
fn name(variable: &Variable) -> String {
    variable.key.unwrap_or(variable.name).to_owned()
}

fn document(config: &Config) -> Value {
    let settings = config.rows().map(|(variable, value, origin)| {
        json!({
            "variable": variable.name,
            "flag": variable.flag.map(|flag| format!("{FLAG_PREFIX}{flag}")),
            "key": variable.key,
            "value": value.to_string_lossy(),
            "origin": origin.to_string(),
        })
    });
    let overrides = config.overrides().map(|(files, origin, given)| {
        let values = given
            .iter()
            .map(|one| (one.variable.key.unwrap_or_default().to_owned(), Value::from(one.value.to_string_lossy())));
        json!({ "origin": origin.to_string(), "files": files, "settings": Value::Object(values.collect()) })
    });
    json!({
        "file": config.file.as_ref().map(|file| file.to_string_lossy()),
        "profile": config.profile,
        "settings": settings.collect::<Vec<_>>(),
        "overrides": overrides.collect::<Vec<_>>(),
        "warnings": config.warnings,
        "hints": config.hints,
    })
}
