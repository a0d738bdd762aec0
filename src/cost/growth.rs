//! A program with markers beside the same program without.

use std::collections::{BTreeMap, BTreeSet};

use super::{Amount, Costs, attribute};
use crate::machine::{Entry, Program};

/// How a function, or a whole program, grew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Mangled.
    pub name: String,
    /// With markers; `None` when the function is only there without them.
    pub with: Option<Amount>,
    /// Without markers; `None` when the function is only there with them.
    pub without: Option<Amount>,
}

/// Every function of either program, by name, in the order of the program with markers and then of the other.
///
/// Markers can keep a function from being inlined or give it another size: what is not attributed to them is the
/// compiler's answer to them.
pub fn growth(costs: &Costs, plain: &Program) -> Vec<Growth> {
    let mut without: BTreeMap<&str, Amount> = BTreeMap::new();
    let mut order = Vec::new();
    for function in plain.functions.iter().filter(|function| function.entry != Entry::Leftover) {
        let mut amount = Amount::default();
        let padding: BTreeSet<usize> = attribute::padding(function).collect();
        let code = function.instructions.iter().enumerate().filter(|(index, _)| !padding.contains(index));
        code.for_each(|(_, instruction)| amount.add(instruction));
        without.insert(&function.name, amount);
        order.push(function.name.as_str());
    }
    let mut found: Vec<Growth> = costs
        .functions
        .iter()
        .map(|function| Growth {
            name: function.name.clone(),
            with: Some(function.total),
            without: without.remove(function.name.as_str()),
        })
        .collect();
    for name in order {
        if let Some(amount) = without.remove(name) {
            found.push(Growth { name: name.to_owned(), with: None, without: Some(amount) });
        }
    }
    found
}
