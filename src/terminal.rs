//! Text from files, made safe to print.
//!
//! Symbol names, section names and funcmap rows come out of files that anybody can have written. Printed as they are,
//! they could move the cursor, recolour the terminal or reorder what is read.

use std::fmt;

/// Text that is printed with its control and direction characters escaped as `\u{1b}`. Not a quoted form: backslashes
/// and quotes stay as they are, so it cannot be read back.
#[derive(Clone, Copy, Debug)]
pub struct Printable<'a>(&'a str);

/// `text` for a person's eyes.
pub fn printable(text: &str) -> Printable<'_> {
    Printable(text)
}

/// `1 record`, `2 records`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(is_unsafe) {
            let (before, from) = rest.split_at(at);
            f.write_str(before)?;
            let mut characters = from.chars();
            if let Some(character) = characters.next() {
                write!(f, "{}", character.escape_unicode())?;
            }
            rest = characters.as_str();
        }
        f.write_str(rest)
    }
}

/// C0, DEL and C1 controls, line separators, and the characters that change the direction of what follows.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        assert_eq!(printable("_Z6helperi größe 日本").to_string(), "_Z6helperi größe 日本");
    }

    #[test]
    fn what_a_terminal_would_act_on_is_escaped() {
        assert_eq!(printable("a\u{1b}[2Jb\n\u{7f}\u{9b}").to_string(), "a\\u{1b}[2Jb\\u{a}\\u{7f}\\u{9b}");
        assert_eq!(printable("x\u{202e}y\u{2066}").to_string(), "x\\u{202e}y\\u{2066}");
    }
}
