//! What the driver says on standard error: every line starts with its name.

use std::fmt::Display;
use std::io::{self, Write};

/// Exit status of our own failures; compilers and shells leave it alone, as `git bisect run` and `env` do.
pub const FAILED: u8 = 125;

/// What every line starts with.
pub(super) const NAME: &str = "sqtt-hipcc: ";

/// Says why `sqtt-hipcc` fails.
pub fn print_error(error: &dyn Display) {
    print("error: ", error);
}

/// Says what is odd and stops nothing.
pub(super) fn print_warning(warning: &dyn Display) {
    print("warning: ", warning);
}

/// Says what may not be meant.
pub(super) fn print_hint(hint: &dyn Display) {
    print("hint: ", hint);
}

/// Says what was done beside compiling, or otherwise than usual.
pub(super) fn print_note(note: &dyn Display) {
    print("note: ", note);
}

/// One write for the whole message: others write to the same standard error under `make -j`.
fn print(severity: &str, message: &dyn Display) {
    let text = format!("{severity}{message}");
    let lines: String = text.lines().map(|line| format!("{NAME}{line}\n")).collect();
    // If standard error is gone, nobody is left to tell.
    let _ = io::stderr().write_all(lines.as_bytes());
}
