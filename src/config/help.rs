//! The text of `--sqtt-help`.

use std::fmt::Write as _;

use clap::{Arg, Command};
use sqtt_contract::variables::Variable;

use super::flags;

/// What `--sqtt-help` prints, ending with a newline.
pub fn text() -> String {
    let options = flags::command().help_template("{options}").next_line_help(true).render_long_help().to_string();
    format!(
        "sqtt-hipcc: {ABOUT}\n\n\
         usage: sqtt-hipcc [--sqtt-FLAG[=VALUE]]... {ARGUMENTS}...\n\n\
         {DESCRIPTION}\n\n\
         {options}"
    )
}

/// What the program is.
const ABOUT: &str = "hipcc with SQTT markers";
/// What the compiler's words are called.
const ARGUMENTS: &str = "HIPCC-ARGUMENTS";
/// What is said in front of the flags.
const DESCRIPTION: &str = "\
Every other argument is hipcc's. A setting comes from its flag, else from its variable in the environment, else
from sqtt.toml, which is found upwards from the working directory, else from the first source's directory.
Exit status: the compiler's; 125 when sqtt-hipcc itself fails.

In front of the compiler's arguments `--sqtt-launch COMPILER` names the compiler itself, as a launcher does:
sqtt-hipcc --sqtt-launch ccache clang++ -c kernel.hip";

/// The command line as a manual page shows it: with the compiler's words, and a paragraph for each line of a flag's help,
/// as lines are filled there.
pub fn for_manual() -> Command {
    let arguments = Arg::new(ARGUMENTS).num_args(0..).help("handed to the compiler as they are");
    flags::command()
        .no_binary_name(false)
        .about(ABOUT)
        .long_about(format!("{ABOUT}\n\n{DESCRIPTION}"))
        .mut_args(|arg| {
            let help = arg.get_help().map(|help| help.to_string().replace('\n', "\n\n"));
            help.map_or_else(|| arg.clone(), |help| arg.clone().help(help))
        })
        .arg(arguments)
}

/// The help of one flag: when to use it, what it accepts, its other names and its default.
pub(super) fn of(variable: &Variable) -> String {
    let mut help = format!("{}\naccepts {}\n[env: {}]", variable.doc, variable.accepts, variable.name);
    // Writing to a string cannot fail.
    if let Some(key) = variable.key {
        _ = write!(help, " [sqtt.toml: {key}]");
    }
    if !variable.default.is_empty() {
        _ = write!(help, " [default: {}]", variable.default);
    }
    help
}
