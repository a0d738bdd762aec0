//! What the documentation says of each rule.

use crate::machine;
use crate::validate::{self, Severity};

const OF_MAPS: &str = include_str!("../../../docs/validation.md");
const OF_CODE: &str = include_str!("../../../docs/lint.md");

/// A rule as CI shows it.
#[derive(Clone, Debug)]
pub(super) struct RuleHelp {
    pub(super) id: String,
    pub(super) name: &'static str,
    pub(super) severity: Severity,
    /// Its section of the documentation, Markdown, without the heading.
    pub(super) text: String,
}

/// Every rule over maps by number, then those over machine code.
pub(super) fn rules() -> Vec<RuleHelp> {
    let of_maps = validate::Rule::all().map(|rule| {
        let (id, name, severity) = (rule.code(), rule.name(), rule.severity());
        let text = section(OF_MAPS, &format!("### {id} `{name}`"));
        RuleHelp { id, name, severity, text }
    });
    let of_code = machine::Rule::ALL.into_iter().map(|rule| {
        let severity = match rule.severity() {
            machine::lint::Severity::Error => Severity::Error,
            machine::lint::Severity::Warning => Severity::Warning,
        };
        let name = rule.name();
        RuleHelp { id: name.to_owned(), name, severity, text: section(OF_CODE, &format!("## {name}")) }
    });
    of_maps.chain(of_code).collect()
}

impl RuleHelp {
    /// The first paragraph, in one line.
    pub(super) fn summary(&self) -> String {
        self.text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// The text below the heading that begins with `heading`, up to the next heading of any level.
fn section(page: &str, heading: &str) -> String {
    let is_it = |line: &str| line.strip_prefix(heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let mut fenced = false;
    let below = page.lines().skip_while(|line| !is_it(line)).skip(1);
    let lines = below.take_while(|line| {
        fenced ^= line.starts_with("```");
        fenced || !line.starts_with('#')
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_text_and_an_id_of_its_own() {
        let rules = rules();
        for (index, rule) in rules.iter().enumerate() {
            assert!(!rule.text.is_empty() && !rule.summary().is_empty(), "{rule:?}");
            assert!(!rule.text.contains("\n## "), "{rule:?}");
            assert!(rules[..index].iter().all(|other| other.id != rule.id), "{rule:?}");
        }
    }
}
