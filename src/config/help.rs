//! The text of `--sqtt-help`.

use std::fmt::Write as _;

use sqtt_contract::variables::Variable;

use super::flags;

/// What `--sqtt-help` prints, ending with a newline.
pub fn text() -> String {
    let options = flags::command().help_template("{options}").next_line_help(true).render_long_help().to_string();
    format!(
        "sqtt-hipcc: hipcc with SQTT markers\n\n\
         usage: sqtt-hipcc [--sqtt-FLAG[=VALUE]]... HIPCC-ARGUMENTS...\n\n\
         Every other argument is hipcc's. A setting comes from its flag, else from its variable in the environment, else\n\
         from sqtt.toml, which is found upwards from the working directory, else from the first source's directory.\n\
         Exit status: the compiler's; 125 when sqtt-hipcc itself fails.\n\n\
         In front of the compiler's arguments `--sqtt-launch COMPILER` names the compiler itself, as a launcher does:\n\
         sqtt-hipcc --sqtt-launch ccache clang++ -c kernel.hip\n\n\
         {options}"
    )
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
