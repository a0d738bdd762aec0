//! A value that a variable does not take, and the two ways to say so.

use std::ffi::OsStr;
use std::fmt;

use crate::spelling::{one_line, shown};
use crate::variables::{Kind, Variable};

/// What is wrong with a value, before it is known whose value it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fault {
    /// A phrase that holds the value: "`x` is no ...".
    pub(super) problem: String,
    /// A whole value that was likely meant; dropped later when the variable does not take it.
    pub(super) nearest: Option<String>,
    /// The bad item, when the value is a list.
    pub(super) item: Option<String>,
}

impl Fault {
    /// "`value` is ..." for a one-line message.
    pub(super) fn new(value: &str, what: &str) -> Fault {
        Fault { problem: format!("`{}` {what}", shown(value)), ..Fault::default() }
    }

    pub(super) fn or_rather(self, nearest: Option<impl Into<String>>) -> Fault {
        Fault { nearest: nearest.map(Into::into), ..self }
    }
}

/// A value that a variable does not take.
///
/// `Display` is the driver's rendering, one line: what is wrong, what is accepted, what was likely meant. It does not
/// name the source (flag, variable or file and line): the driver does. [`Invalid::plugin_warning`] is the bare plugin's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Whose value it is.
    pub variable: &'static Variable,
    /// The whole value; what is not UTF-8 in it is replaced.
    pub value: String,
    /// What is wrong, as a phrase that holds the offending part.
    pub problem: String,
    /// A valid value that was likely meant.
    pub nearest: Option<String>,
    /// The bad item of a list.
    item: Option<String>,
}

impl Invalid {
    pub(super) fn new(variable: &'static Variable, value: &OsStr, fault: Fault) -> Invalid {
        let Fault { problem, nearest, item } = fault;
        // A guess is only worth saying when it would be taken.
        let nearest = nearest.filter(|nearest| !nearest.is_empty() && variable.check_value(nearest.as_ref()).is_ok());
        Invalid { variable, value: value.to_string_lossy().into_owned(), problem, nearest, item }
    }

    /// The bare plugin's line, without a newline: the reference's text where it has one, and its general form where it
    /// swallowed the value. Control characters are escaped.
    pub fn plugin_warning(&self) -> String {
        let name = self.variable.name;
        let value = one_line(&self.value);
        match self.variable.kind {
            Kind::Chunks => format!("SQTT: warning: invalid {name} format '{value}', expected N:M"),
            Kind::Categories => {
                let item = one_line(self.item.as_deref().unwrap_or(&self.value));
                format!("SQTT: warning: unknown {name} category '{item}'")
            }
            Kind::Boundary => format!(
                "SQTT: warning: invalid value for {name}='{value}', expected one of {{none|asm|fence|0|1|2}}, using default"
            ),
            _ => format!("SQTT: warning: invalid value for {name}='{value}', using default"),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; accepted: {}", self.problem, self.variable.accepts)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; nearest: `{}`", one_line(nearest)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Invalid {}
