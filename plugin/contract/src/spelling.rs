//! The nearest valid spelling of a mistyped word, and how a foreign value is shown in a message.

/// The candidate nearest to `word`, ignoring case; `None` when nothing is near enough to be a likely typing mistake.
///
/// One edit (an adjacent swap counts as one) is allowed per three characters, so that words of one or two letters
/// never match another word and a suggestion is never a guess.
pub(crate) fn nearest<T: Copy>(word: &str, candidates: impl IntoIterator<Item = (T, impl AsRef<str>)>) -> Option<T> {
    let word = word.trim().to_lowercase();
    let length = word.chars().count();
    candidates
        .into_iter()
        .filter_map(|(candidate, spelling)| {
            let spelling = spelling.as_ref().to_lowercase();
            let allowed = length.max(spelling.chars().count()) / 3;
            // Longer words cannot be near: spares the quadratic comparison on hostile lengths.
            if length.abs_diff(spelling.chars().count()) > allowed {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&word, &spelling);
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// [`nearest`] among plain words.
pub(crate) fn nearest_word<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    nearest(word, words.iter().map(|candidate| (*candidate, candidate)))
}

/// `text` with control characters escaped, so that a value cannot break a one-line message.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut line, character| {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
        line
    })
}

/// At most this many characters of a foreign value are repeated in a message.
const SHOWN_CHARACTERS: usize = 120;

/// [`one_line`], shortened: no mistake is easier to see in a longer line.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => one_line(&text[..end]) + "...",
        None => one_line(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_typing_mistake_and_ignores_case() {
        assert_eq!(nearest_word("fenc", &["none", "asm", "fence"]), Some("fence"));
        assert_eq!(nearest_word("memroy", &["memory", "lds"]), Some("memory"));
        assert_eq!(nearest_word("FENCE", &["none", "asm", "fence"]), Some("fence"));
    }

    #[test]
    fn suggests_nothing_for_short_or_foreign_words() {
        assert_eq!(nearest_word("2", &["0", "1"]), None);
        assert_eq!(nearest_word("no", &["on", "hw"]), None);
        assert_eq!(nearest_word("strong", &["none", "asm", "fence"]), None);
        assert_eq!(nearest_word("", &["none"]), None);
    }

    #[test]
    fn one_line_escapes_controls_only() {
        assert_eq!(one_line("a\nb\0c\u{1b}é"), "a\\nb\\u{0}c\\u{1b}é");
    }

    #[test]
    fn shown_text_is_cut_between_characters() {
        assert_eq!(shown(&"é".repeat(120)), "é".repeat(120));
        assert_eq!(shown(&"é".repeat(121)), "é".repeat(120) + "...");
    }
}
