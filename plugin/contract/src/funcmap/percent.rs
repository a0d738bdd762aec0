//! Percent-encoding of names and locations, so that no byte of them can break a row or be trimmed away.
//!
//! Encoded are control bytes (NUL, tab, newline, DEL, ...), leading and trailing blanks, bytes that are not UTF-8, a `%`
//! that would otherwise be read back as an escape, and `@` in names, where it would begin the location. All other text,
//! UTF-8 included, passes through: the names of ordinary programs are written as they are.

/// `name` as a row has it; an empty one becomes [`UNNAMED`](super::UNNAMED).
pub fn encode_name(name: &[u8]) -> String {
    if name.is_empty() {
        return super::UNNAMED.to_owned();
    }
    encode(name, |byte| byte == b'@')
}

/// `location` as a row has it.
pub fn encode_location(location: &[u8]) -> String {
    encode(location, |_| false)
}

/// The bytes that `encoded` stands for; a `%` without two hexadecimal digits stands for itself.
pub fn decode(encoded: impl AsRef<[u8]>) -> Vec<u8> {
    let mut rest = encoded.as_ref();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((&first, tail)) = rest.split_first() {
        match (first, escape(tail)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    bytes
}

/// The byte that two leading hexadecimal digits stand for.
fn escape(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| (*digits.get(at)? as char).to_digit(16);
    u8::try_from(digit(0)? << 4 | digit(1)?).ok()
}

fn encode(text: &[u8], is_special: impl Fn(u8) -> bool) -> String {
    let is_blank = |byte: &u8| *byte == b' ';
    let first = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let last = text.iter().rposition(|byte| !is_blank(byte)).map_or(0, |at| at + 1);
    let mut encoded = String::with_capacity(text.len());
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            let is_outer_blank = character == ' ' && (at < first || at >= last);
            let is_escape = character == '%' && escape(&text[at + 1..]).is_some();
            match u8::try_from(character) {
                Ok(byte) if byte.is_ascii_control() || is_special(byte) || is_outer_blank || is_escape => {
                    push_escape(&mut encoded, byte);
                }
                _ => encoded.push(character),
            }
            at += character.len_utf8();
        }
        for byte in chunk.invalid() {
            push_escape(&mut encoded, *byte);
            at += 1;
        }
    }
    encoded
}

fn push_escape(encoded: &mut String, byte: u8) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    encoded.push('%');
    encoded.push(DIGITS[usize::from(byte >> 4)] as char);
    encoded.push(DIGITS[usize::from(byte & 0xF)] as char);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_breaks_a_row_is_encoded() {
        let name = |text: &str| encode_name(text.as_bytes());
        assert_eq!(name("_Z8kernelAi"), "_Z8kernelAi");
        assert_eq!(name("with:colon"), "with:colon");
        assert_eq!(name("with@at"), "with%40at");
        assert_eq!(name("tab\there \"quoted\" \\ back"), "tab%09here \"quoted\" \\ back");
        assert_eq!(name("  spaces around "), "%20%20spaces around%20");
        assert_eq!(name("   "), "%20%20%20");
        assert_eq!(name("utf8-é€"), "utf8-é€");
        assert_eq!(name("a\r\n\0\u{7f}b"), "a%0D%0A%00%7Fb");
        assert_eq!(name("100% 5%x %4 %"), "100% 5%x %4 %");
        assert_eq!(name("%41 %aF"), "%2541 %25aF");
        assert_eq!(name("\u{ff}\u{80}"), "\u{ff}\u{80}");
        assert_eq!(encode_name(b"\xff\xc3(\xe2\x82"), "%FF%C3(%E2%82");
    }

    #[test]
    fn an_empty_name_gets_a_placeholder_and_a_location_keeps_its_at() {
        assert_eq!(encode_name(b""), "<unnamed>");
        assert_eq!(encode_location(b""), "");
        assert_eq!(encode_location(b"a@b.hip:3 -> c d.hip:4\n"), "a@b.hip:3 -> c d.hip:4%0A");
    }

    #[test]
    fn decoding_takes_either_case_and_leaves_other_percent_signs() {
        assert_eq!(decode("%0a%4A%"), b"\nJ%");
        assert_eq!(decode("100%, %4 %zz %%41"), b"100%, %4 %zz %A");
        assert_eq!(decode([b'%', 0xFF, b'1']), [b'%', 0xFF, b'1']);
    }
}
