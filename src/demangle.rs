//! C++ names as a person writes them.

use std::fmt;

use cpp_demangle::{DemangleOptions, Symbol};

/// The demangled form of `name`; `None` when it is no mangled C++ name.
///
/// Mangled names of a few hundred bytes can stand for text of any length, so one that comes out longer than
/// [`LONGEST`] is left mangled.
pub fn demangle(name: &[u8]) -> Option<String> {
    if !name.starts_with(b"_Z") {
        return None;
    }
    let symbol = Symbol::new(name).ok()?;
    let mut text = Limited(String::new());
    symbol.structured_demangle(&mut text, &DemangleOptions::new()).ok()?;
    Some(text.0)
}

/// Longest demangled name, in bytes.
pub const LONGEST: usize = 64 << 10;

/// A string that refuses to grow beyond [`LONGEST`].
struct Limited(String);

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_demangled_and_others_left_alone() {
        assert_eq!(demangle(b"_Z6kernelPKfi").as_deref(), Some("kernel(float const*, int)"));
        assert_eq!(demangle(b"_ZN2ns6kernelIiEEvPT_").as_deref(), Some("void ns::kernel<int>(int*)"));
        assert_eq!(demangle(b"load"), None);
        assert_eq!(demangle(b"_Znonsense"), None);
        assert_eq!(demangle(b"_Z\xff\xfe"), None);
    }

    /// A function whose `steps`th parameter is a pair of two of the one before: its text doubles with every step.
    fn doubling_name(steps: usize) -> String {
        let mut name = String::from("_Z1f4pairIiiE");
        for step in 0..steps {
            let id = char::from_digit(step as u32, 36).unwrap().to_ascii_uppercase();
            name += &format!("S_IS{id}_S{id}_E");
        }
        name
    }

    #[test]
    fn a_name_that_would_fill_the_memory_is_left_mangled() {
        let short = demangle(doubling_name(2).as_bytes()).unwrap();
        assert_eq!(short.matches("int").count(), 2 + 4 + 8);
        assert_eq!(demangle(doubling_name(35).as_bytes()), None);
    }
}
