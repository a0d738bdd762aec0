//! What was found about one object, bounded.

use std::collections::HashMap;

use super::{Finding, Rule};
use crate::terminal::printable;

/// Findings of one rule that are told for one object; the rest is counted.
const TOLD: usize = 20;

/// The findings about one object, at most [`TOLD`] of each rule.
pub(super) struct Findings {
    object: String,
    list: Vec<Finding>,
    counts: HashMap<Rule, usize>,
}

impl Findings {
    pub(super) fn new(object: String) -> Findings {
        Findings { object, list: Vec::new(), counts: HashMap::new() }
    }

    pub(super) fn add(&mut self, rule: Rule, message: impl Into<String>) {
        let count = self.counts.entry(rule).or_insert(0);
        *count += 1;
        if *count <= TOLD {
            let object = self.object.clone();
            self.list.push(Finding { severity: rule.severity(), rule, object, message: message.into() });
        }
    }

    pub(super) fn finish(mut self) -> Vec<Finding> {
        for finding in &mut self.list {
            // Names out of the file are in most messages.
            finding.message = printable(&finding.message).to_string();
        }
        for at in (0..self.list.len()).rev() {
            let rule = self.list[at].rule;
            // Told at the last one of its rule, found first from behind.
            if let Some(count) = self.counts.remove(&rule).filter(|count| *count > TOLD) {
                self.list[at].message += &format!(" (and {} more of the kind)", count - TOLD);
            }
        }
        self.list
    }
}
