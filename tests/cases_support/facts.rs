//! What a case states about a compile, as it is recorded and as it is observed, and the text both are compared as.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

/// A recorded case: how a source is compiled and what comes out (`NN_name.expected.json`).
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) source: String,
    pub(crate) arch: String,
    pub(crate) flags: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    #[serde(flatten)]
    pub(crate) facts: Facts,
}

/// The result of a compile.
#[derive(Deserialize)]
pub(crate) struct Facts {
    /// The compiler's exit status is 0.
    pub(crate) exit_ok: bool,
    /// The plugin's own messages, in order.
    #[serde(default, rename = "stderr_sqtt")]
    pub(crate) messages: Vec<String>,
    /// The section ends in one NUL.
    #[serde(default)]
    pub(crate) funcmap_trailing_nul: bool,
    /// The rows of the map, in order.
    #[serde(default)]
    pub(crate) funcmap: Vec<String>,
    /// The markers of every function that has some, in address order.
    #[serde(default)]
    pub(crate) functions: BTreeMap<String, Function>,
}

/// One function of the code object.
#[derive(Default, Deserialize)]
pub(crate) struct Function {
    pub(crate) traces: Vec<Trace>,
}

/// One `s_ttracedata` (`m0`) or `s_ttracedata_imm` (`imm`).
#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) op: String,
    /// Of the immediate or of the constant in M0.
    pub(crate) value: Option<u32>,
    /// What M0 was written from, when no constant: `sgpr`, `exec_lo`, `exec_hi`.
    pub(crate) src: Option<String>,
    /// An `s_nop` stands between the write of M0 and the marker.
    pub(crate) nop_before: Option<bool>,
}

/// Where this project differs from a recorded case on purpose (`NN_name.override.json`): each field that is there
/// replaces the recorded one; a function's markers replace that function's only.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Override {
    /// Why, for the reader.
    pub(crate) reason: String,
    pub(crate) exit_ok: Option<bool>,
    pub(crate) stderr_sqtt: Option<Vec<String>>,
    pub(crate) funcmap: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) functions: BTreeMap<String, Function>,
}

impl Facts {
    /// The facts with those of `change` in place of the recorded ones.
    pub(crate) fn overridden(mut self, change: Override) -> Self {
        self.exit_ok = change.exit_ok.unwrap_or(self.exit_ok);
        self.messages = change.stderr_sqtt.unwrap_or(self.messages);
        self.funcmap = change.funcmap.unwrap_or(self.funcmap);
        self.functions.extend(change.functions);
        self
    }

    /// One fact a line, so that a difference shows as a line.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("compiles: {}\n", self.exit_ok);
        for message in &self.messages {
            let _ = writeln!(text, "message: {message}");
        }
        if !self.funcmap.is_empty() {
            let _ = writeln!(text, "final NUL: {}", self.funcmap_trailing_nul);
        }
        for row in &self.funcmap {
            let _ = writeln!(text, "row: {row}");
        }
        for (name, function) in self.functions.iter().filter(|(_, function)| !function.traces.is_empty()) {
            for trace in &function.traces {
                let _ = writeln!(text, "{name}: {trace}");
            }
        }
        text
    }
}

impl std::fmt::Display for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.op)?;
        if let Some(value) = self.value {
            write!(f, " {value}")?;
        }
        if let Some(source) = &self.src {
            write!(f, " {source}")?;
        }
        if self.op == "m0" && self.nop_before != Some(true) {
            f.write_str(" without s_nop")?;
        }
        Ok(())
    }
}
