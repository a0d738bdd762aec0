//! The `--sqtt-*` words, read by clap. It never sees a word of the compiler's.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use sqtt_contract::variables::{self, FLAG_PREFIX, Kind, TABLE, Variable};

use super::error::ConfigError;
use super::origin::Origin;
use super::{Given, near};

/// Something to print instead of compiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The flags, variables and keys.
    Help,
    /// The version of the driver, not of the compiler.
    Version,
    /// What would be run.
    PrintPlan,
}

impl Action {
    /// All, strongest first.
    pub const ALL: [Action; 3] = [Action::Help, Action::Version, Action::PrintPlan];

    /// The flag without its prefix.
    pub const fn flag(self) -> &'static str {
        match self {
            Action::Help => "help",
            Action::Version => "version",
            Action::PrintPlan => "print-plan",
        }
    }

    /// What `--sqtt-help` says about it.
    const fn doc(self) -> &'static str {
        match self {
            Action::Help => "print this and compile nothing",
            Action::Version => "print the version of sqtt-hipcc and compile nothing; --version asks the compiler",
            Action::PrintPlan => "print what would be run and why, and compile nothing",
        }
    }
}

/// What our own words say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnFlags {
    /// Values in the order of the table, and of the words for one flag: the last one counts.
    pub given: Vec<Given>,
    /// What to print.
    pub action: Option<Action>,
}

impl OwnFlags {
    /// Reads the words that start with [`FLAG_PREFIX`].
    ///
    /// Errors on an unknown flag and on a value that is missing or not wanted; values themselves are not checked.
    pub fn parse(words: &[OsString]) -> Result<OwnFlags, ConfigError> {
        if words.is_empty() {
            return Ok(OwnFlags::default());
        }
        let matches = command().try_get_matches_from(words).map_err(|error| describe(&error))?;
        Ok(OwnFlags {
            given: rows().flat_map(|(variable, flag)| values(&matches, variable, flag)).collect(),
            action: Action::ALL.into_iter().find(|action| matches.get_flag(action.flag())),
        })
    }
}

/// The rows of the table that have a flag.
fn rows() -> impl Iterator<Item = (&'static Variable, &'static str)> {
    TABLE.iter().filter_map(|variable| Some((variable, variable.flag?)))
}

fn values(matches: &ArgMatches, variable: &'static Variable, flag: &'static str) -> Vec<Given> {
    let values = matches.get_many::<OsString>(flag).into_iter().flatten();
    values.map(|value| Given { variable, value: value.clone(), origin: Origin::flag(variable) }).collect()
}

/// The clap command: one argument per row of the contract's table, and the actions.
pub fn command() -> Command {
    let settings = rows().map(|(variable, flag)| {
        let arg = Arg::new(flag)
            .long(format!("{}{flag}", &FLAG_PREFIX[2..]))
            .action(ArgAction::Append)
            .value_parser(clap::value_parser!(OsString))
            .require_equals(true)
            .value_name(value_name(variable.kind))
            .help(super::help::of(variable));
        match variable.kind {
            Kind::Bool => arg.num_args(0..=1).default_missing_value("1"),
            _ => arg.num_args(1),
        }
    });
    let actions = Action::ALL.into_iter().map(|action| {
        let long = format!("{}{}", &FLAG_PREFIX[2..], action.flag());
        Arg::new(action.flag()).long(long).action(ArgAction::SetTrue).help(action.doc()).overrides_with(action.flag())
    });
    Command::new("sqtt-hipcc")
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(settings)
        .args(actions)
}

const fn value_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "BOOL",
        Kind::Threshold => "N|cost:N",
        Kind::Chunks => "N:M",
        Kind::Categories | Kind::Patterns => "LIST",
        Kind::Boundary => "KIND",
        Kind::Mask => "MASK",
        Kind::Bits | Kind::Nops => "N",
        Kind::Validation => "error|warn|off",
        Kind::Path => "PATH",
        Kind::Text => "TEXT",
    }
}

/// The flag, without prefix, that the unknown `flag` was likely meant to be.
fn nearest(flag: &str) -> Option<&'static str> {
    let name = flag.strip_prefix(FLAG_PREFIX)?;
    let setting = || variables::nearest_flag(name).and_then(|variable| variable.flag);
    near::nearest(name, Action::ALL.into_iter().map(Action::flag)).or_else(setting)
}

/// clap's error as one line of ours.
fn describe(error: &clap::Error) -> ConfigError {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let shown = context(ContextKind::InvalidArg).unwrap_or_default();
    let flag = shown.split(['=', '[', ' ']).next().unwrap_or_default();
    let problem = match (error.kind(), nearest(flag)) {
        (ErrorKind::UnknownArgument, Some(nearest)) => {
            format!("unknown flag `{flag}`; did you mean `{FLAG_PREFIX}{nearest}`?")
        }
        (ErrorKind::UnknownArgument, None) => format!("unknown flag `{flag}`; see `{FLAG_PREFIX}help`"),
        (ErrorKind::NoEquals | ErrorKind::InvalidValue, _) => format!("`{flag}` needs a value: write `{flag}=VALUE`"),
        (ErrorKind::TooManyValues | ErrorKind::WrongNumberOfValues, _) => format!("`{flag}` takes no value"),
        (kind, _) => format!("`{flag}`: {}; see `{FLAG_PREFIX}help`", kind.as_str().unwrap_or("cannot be used")),
    };
    ConfigError::Flag { problem }
}
