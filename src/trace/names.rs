//! Names, each kept and demangled once, however many maps have it.

use std::collections::HashMap;
use std::sync::Arc;

use sqtt_contract::funcmap::Text;

use crate::demangle::demangle;

/// Keeps names.
#[derive(Clone, Debug)]
pub(super) struct Names {
    demangle: bool,
    known: HashMap<Text, Name>,
}

/// One name in its two forms, which may be the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// To show.
    pub(super) shown: Arc<str>,
    /// As the map has it.
    pub(super) symbol: Arc<str>,
}

impl Names {
    /// Shows names as a person writes them if `demangle` is set.
    pub(super) fn new(demangle: bool) -> Names {
        Names { demangle, known: HashMap::new() }
    }

    /// The forms of `name`.
    pub(super) fn get(&mut self, name: &Text) -> Name {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let symbol: Arc<str> = name.to_str().into();
        let demangled = if self.demangle { demangle(name.as_bytes()) } else { None };
        let shown = demangled.map_or_else(|| Arc::clone(&symbol), Arc::from);
        let new = Name { shown, symbol };
        self.known.insert(name.clone(), new.clone());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once() {
        let mut names = Names::new(true);
        let first = names.get(&"_Z6helperi".into());
        assert_eq!((&*first.shown, &*first.symbol), ("helper(int)", "_Z6helperi"));
        assert!(Arc::ptr_eq(&first.shown, &names.get(&"_Z6helperi".into()).shown));
        assert_eq!(&*Names::new(false).get(&"_Z6helperi".into()).shown, "_Z6helperi");
    }
}
