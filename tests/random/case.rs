//! One program to check, and its form as a file: HIP source that begins with comments on how it is compiled.

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use sqtt_contract::settings::{Boundary, Settings};

use crate::model::Verdict;

/// A source with all that is needed to check it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// The compiler.
    pub(crate) llvm: u32,
    pub(crate) flags: Vec<String>,
    /// Variables of the plugin.
    pub(crate) settings: Vec<(String, String)>,
    /// What the balance check has to say.
    pub(crate) balance: Verdict,
    /// Why, for the reader.
    pub(crate) reason: String,
    pub(crate) source: String,
}

const WORDS: [(&str, Verdict); 3] =
    [("balanced", Verdict::Balanced), ("unbalanced", Verdict::Unbalanced), ("either", Verdict::Either)];

impl Case {
    /// The boundary around markers.
    pub(crate) fn boundary(&self) -> Boundary {
        let given = |name: &str| self.settings.iter().find(|(given, _)| given == name).map(|(_, value)| value.into());
        Settings::read(given).0.boundary
    }

    /// The case as a file.
    pub(crate) fn to_file(&self) -> String {
        let word = WORDS.iter().find(|(_, verdict)| *verdict == self.balance).map_or("", |(word, _)| word);
        let mut text = format!("// llvm: {}\n// flags: {}\n", self.llvm, self.flags.join(" "));
        for (name, value) in &self.settings {
            let _ = writeln!(text, "// setting: {name}={value}");
        }
        let _ = writeln!(text, "// balance: {word}\n// reason: {}\n", self.reason);
        text.push_str(&self.source);
        text
    }

    /// Reads a file back. Other comments may stand between.
    pub(crate) fn from_file(text: &str) -> Result<Case> {
        let values = |key: &str| {
            let prefix = format!("// {key}: ");
            text.lines().filter_map(move |line| line.strip_prefix(&prefix).map(str::to_owned)).collect::<Vec<_>>()
        };
        let one = |key: &str| values(key).into_iter().next().with_context(|| format!("no line `// {key}: `"));
        let balance = one("balance")?;
        let Some((_, balance)) = WORDS.iter().find(|(word, _)| *word == balance) else {
            bail!("`{balance}` is not balanced, unbalanced or either");
        };
        let setting = |line: String| {
            let (name, value) = line.split_once('=').with_context(|| format!("`{line}` is no NAME=VALUE"))?;
            Ok((name.to_owned(), value.to_owned()))
        };
        Ok(Case {
            llvm: one("llvm")?.parse().context("`// llvm: ` takes a number")?,
            flags: one("flags")?.split_whitespace().map(str::to_owned).collect(),
            settings: values("setting").into_iter().map(setting).collect::<Result<_>>()?,
            balance: *balance,
            reason: values("reason").into_iter().next().unwrap_or_default(),
            source: text.to_owned(),
        })
    }
}
