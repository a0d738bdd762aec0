//! Lists of function name patterns.

use std::fmt;

use wildmatch::WildMatch;

/// One pattern: `*` stands for any text, `?` for one character, everything else for itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(String);

impl Pattern {
    /// Whether the whole name fits.
    pub fn matches(&self, name: &str) -> bool {
        WildMatch::new(&self.0).matches(name)
    }

    /// Up to three of `names` that come nearest, each once, the nearest first; names that are far off are left out.
    pub fn nearest<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        const NEAR: f64 = 0.6;
        let plain = self.0.replace(['*', '?'], "");
        let mut near: Vec<(f64, &str)> = names
            .into_iter()
            .map(|name| (strsim::jaro_winkler(&plain, name), name))
            .filter(|(s, _)| *s >= NEAR)
            .collect();
        near.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
        near.dedup_by(|(_, a), (_, b)| a == b);
        near.into_iter().take(3).map(|(_, name)| name).collect()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A comma-separated list of patterns. Commas inside brackets belong to a pattern (`f(int, float)`, `g<int, 4>`), and
/// blanks around a pattern do not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Reads a list. Empty pieces are left out; an empty list matches nothing.
    pub fn parse(text: &str) -> Patterns {
        let mut depth = 0usize;
        let pieces = text.split(|c: char| {
            match c {
                '(' | '<' | '[' | '{' => depth += 1,
                ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        Patterns(pieces.map(str::trim).filter(|piece| !piece.is_empty()).map(|piece| Pattern(piece.into())).collect())
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any pattern fits the whole name.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern.matches(name))
    }

    /// The patterns that fit none of `names`.
    pub fn idle<'a>(&self, names: impl IntoIterator<Item = &'a str> + Clone) -> impl Iterator<Item = &Pattern> {
        self.0.iter().filter(move |pattern| !names.clone().into_iter().any(|name| pattern.matches(name)))
    }
}

/// The qualified name in a demangled function name: `ns::f<int>` of `void ns::f<int>(float) const`.
///
/// `operator()` keeps its own parentheses, and so does `(anonymous namespace)`.
pub fn qualified_name(name: &str) -> &str {
    let (mut depth, mut start) = (0usize, 0);
    for (index, c) in name.char_indices() {
        let is_operator = name[..index].ends_with("operator");
        match c {
            '(' if depth == 0 && !is_operator && !is_name_part(&name[index..]) => return &name[start..index],
            // The return type of a template stands in front.
            ' ' if depth == 0 && !is_operator => start = index + 1,
            '(' => depth += 1,
            '<' if !is_operator => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    &name[start..]
}

/// Whether a parenthesis opens a part of a qualified name, and not the parameters.
fn is_name_part(rest: &str) -> bool {
    rest.starts_with("(anonymous namespace)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_brackets_do_not_split() {
        let list = Patterns::parse(" f(int, float) , g<int, 4>*,, h ");
        assert_eq!(list.0.iter().map(ToString::to_string).collect::<Vec<_>>(), ["f(int, float)", "g<int, 4>*", "h"]);
    }

    #[test]
    fn patterns_match_whole_names() {
        let list = Patterns::parse("block_*,?x");
        assert!(list.matches("block_sum") && list.matches("ax"));
        assert!(!list.matches("my_block_sum") && !list.matches("aax"));
        assert!(!Patterns::default().matches(""));
    }

    #[test]
    fn idle_patterns_are_found_with_the_nearest_names() {
        let list = Patterns::parse("block_smu,tile*");
        let names = ["block_sum", "tile_load", "zzz"];
        let idle: Vec<&Pattern> = list.idle(names).collect();
        assert_eq!(idle.len(), 1);
        assert_eq!(idle[0].nearest(names), ["block_sum"]);
    }

    #[test]
    fn only_the_qualified_name_is_left() {
        for (full, short) in [
            ("f(int)", "f"),
            ("ns::f<(A)1, int>(float) const", "ns::f<(A)1, int>"),
            ("X::operator()(int)", "X::operator()"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("operator<(A, B)", "operator<"),
            ("void ns::f<int>(int)", "ns::f<int>"),
            ("A<B, C>::type g<4>(int)", "g<4>"),
            ("operator new(unsigned long)", "operator new"),
            ("plain_c_name", "plain_c_name"),
        ] {
            assert_eq!(qualified_name(full), short);
        }
    }
}
