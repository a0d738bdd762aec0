//! A decoded name or location.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// A decoded name or location: bytes that are UTF-8 as a rule, not by promise.
///
/// A symbol or a string literal of device code may hold any byte. `Display` and [`Text::to_str`] show bytes that are not
/// UTF-8 as `%XX`; control characters come through, so escape where a terminal reads.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Vec<u8>);

impl Text {
    /// The exact bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text to show; borrowed when it is UTF-8.
    pub fn to_str(&self) -> Cow<'_, str> {
        match str::from_utf8(&self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.to_string()),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(text) = str::from_utf8(&self.0) {
            return f.pad(text);
        }
        let mut shown = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            shown.push_str(chunk.valid());
            for byte in chunk.invalid() {
                write!(shown, "%{byte:02X}")?;
            }
        }
        f.pad(&shown)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.to_str(), f)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Text {
        Text(bytes.into())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text(bytes)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}
