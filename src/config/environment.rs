//! Settings from the environment.

use sqtt_contract::variables::{self, PREFIX, TABLE};

use super::Given;
use super::origin::Origin;
use crate::environment::Environment;

/// What the environment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FromEnvironment {
    /// Values in the order of the table; a variable set to nothing counts as not set.
    pub given: Vec<Given>,
    /// One line for each variable that looks like ours and is not.
    pub warnings: Vec<String>,
}

/// Reads the variables that have a flag or a key, and looks for names that nobody reads.
pub fn read(environment: &Environment) -> FromEnvironment {
    let rows = TABLE.iter().filter(|variable| variable.flag.is_some() || variable.key.is_some());
    let given = rows.filter_map(|variable| {
        let value = environment.get_non_empty(variable.name)?.to_owned();
        Some(Given { variable, value, origin: Origin::Environment(variable.name) })
    });
    let names = environment.iter().map(|(name, _)| name.to_string_lossy());
    let unknown = names.filter(|name| name.starts_with(PREFIX) && variables::find(name).is_none());
    let warnings = unknown.map(|name| match variables::nearest(&name) {
        Some(nearest) => format!("nothing reads the variable `{name}`; did you mean `{nearest}`?"),
        None => format!("nothing reads the variable `{name}`; unset it"),
    });
    FromEnvironment { given: given.collect(), warnings: warnings.collect() }
}
