//! JSON objects of which some members are replaced and the others stay as they are written.

use std::fmt;
use std::io::{self, Write};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::trace::Malformed;

/// The members of an object, in the order of the file, with their values as they are written.
#[derive(Debug, Default)]
pub(super) struct Object<'a> {
    members: Vec<(String, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads a file of `bytes`, which holds one object.
    ///
    /// Errors: it is no JSON, or no object.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Object<'a>, Malformed> {
        serde_json::from_slice(bytes).map_err(|error| Malformed::new(bytes, &error))
    }

    /// The value of `name` as it is written.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        // Of several the last one counts, as for most readers.
        self.members.iter().rev().find(|(member, _)| member == name).map(|(_, value)| value.get())
    }

    /// Writes the object with `new` members: each in the place of the one of its name, those of other names at the end.
    pub(super) fn write(&self, new: &[(&str, String)], out: &mut dyn Write) -> io::Result<()> {
        let mut separator = "{";
        let mut member = |name: &str, value: &str| -> io::Result<()> {
            write!(out, "{separator}{}: {value}", serde_json::to_string(name)?)?;
            separator = ",\n";
            Ok(())
        };
        let replaced = |name: &str| new.iter().find(|(member, _)| *member == name);
        for (at, (name, value)) in self.members.iter().enumerate() {
            match replaced(name) {
                None => member(name, value.get())?,
                Some(_) if self.members[..at].iter().any(|(earlier, _)| earlier == name) => {}
                Some((_, value)) => member(name, value)?,
            }
        }
        for (name, value) in new {
            if self.get(name).is_none() {
                member(name, value)?;
            }
        }
        writeln!(out, "{}", if separator == "{" { "{}" } else { "}" })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<'a>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut object = Object::default();
        while let Some(member) = map.next_entry()? {
            object.members.push(member);
        }
        Ok(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, new: &[(&str, String)]) -> String {
        let mut out = Vec::new();
        Object::read(text.as_bytes()).unwrap().write(new, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_not_replaced_stays_as_it_is_written() {
        let text = r#"{"z":1.50 , "a": [ 1,2 ], "\u0062":18446744073709551616}"#;
        let new = [("a", "[]".to_owned()), ("new", "0".to_owned())];
        assert_eq!(written(text, &new), "{\"z\": 1.50,\n\"a\": [],\n\"b\": 18446744073709551616,\n\"new\": 0}\n");
        assert_eq!(written("{}", &[]), "{}\n");
    }

    #[test]
    fn a_member_that_is_there_twice_is_replaced_once() {
        assert_eq!(written(r#"{"a":1,"a":2}"#, &[("a", "3".to_owned())]), "{\"a\": 3}\n");
        assert_eq!(Object::read(br#"{"a":1,"a":2}"#).unwrap().get("a"), Some("2"));
    }

    #[test]
    fn what_is_no_object_is_refused_with_its_place() {
        assert_eq!(Object::read(b"{\"a\": [1,}").unwrap_err().offset, 10);
        assert!(Object::read(b"[]").is_err() && Object::read(b"").is_err() && Object::read(b"{} x").is_err());
    }
}
