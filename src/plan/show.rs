//! The text of `--sqtt-print-plan`.

use std::ffi::OsStr;
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use sqtt_contract::settings::Validation;
use sqtt_contract::variables::{HIPCC, TABLE};

use super::{Plan, PluginSource};
use crate::config::{Config, Origin};
use crate::invocation::launch::FLAG;

/// The plan as text, bytes of paths as they are. Words are quoted as a shell wants them.
pub fn show(plan: &Plan, config: &Config) -> Vec<u8> {
    let mut page = Page::default();
    page.heading("compiler");
    page.line([plan.program.as_os_str().as_bytes(), b" (", chosen_by(plan, config).as_bytes(), b")"].concat());
    page.heading("answer");
    page.line(plan.answer.to_string());
    if let Some(plugin) = &plan.plugin {
        page.heading("plugin");
        page.line(source(plugin));
    }
    page.heading("settings file");
    page.line(config.file.as_ref().map_or_else(|| "none".to_owned(), |file| file.display().to_string()));
    page.heading("settings");
    settings(&mut page, config);
    page.heading("inserted after argv[0]");
    page.lines(plan.block.iter().map(|word| quoted(word)));
    page.heading("changes to the environment");
    page.lines(plan.environment.iter().map(|(name, value)| match value {
        Some(value) => [name.as_bytes(), b"=", &quoted(value)].concat(),
        None => [b"unset ", name.as_bytes()].concat(),
    }));
    page.heading(match plan.validation {
        Validation::Error => "outputs to validate (a failure removes them)",
        Validation::Warn => "outputs to validate (a failure is a warning)",
        Validation::Off => "outputs to validate (switched off)",
    });
    page.lines(plan.outputs.iter().map(|output| quoted(output.path.as_os_str())));
    page.heading("command");
    let words = std::iter::once(plan.program.as_os_str()).chain(plan.arguments.iter().map(AsRef::as_ref));
    page.line(words.map(quoted).collect::<Vec<_>>().join(&b' '));
    page.0
}

/// Text with headings and indented lines.
#[derive(Default)]
struct Page(Vec<u8>);

impl Page {
    fn heading(&mut self, heading: &str) {
        self.0.extend([heading.as_bytes(), b":\n"].concat());
    }

    fn line(&mut self, line: impl AsRef<[u8]>) {
        self.0.extend([b"  ", line.as_ref(), b"\n"].concat());
    }

    fn lines<L: AsRef<[u8]>>(&mut self, lines: impl IntoIterator<Item = L>) {
        let mut any = false;
        for line in lines {
            any = true;
            self.line(line);
        }
        if !any {
            self.line("nothing");
        }
    }
}

fn chosen_by(plan: &Plan, config: &Config) -> String {
    match config.origin(HIPCC) {
        _ if plan.launched => by(&FLAG),
        Origin::Default => "found".to_owned(),
        origin => by(&origin),
    }
}

fn by(origin: &dyn Display) -> String {
    format!("by `{origin}`")
}

fn source(plugin: &PluginSource) -> Vec<u8> {
    let with = |path: &PathBuf, note: String| [path.as_os_str().as_bytes(), b" (", note.as_bytes(), b")"].concat();
    match plugin {
        PluginSource::Given { path, origin } => with(path, by(origin)),
        PluginSource::Cached { path, llvm } => with(path, format!("for LLVM {llvm}, cached")),
        PluginSource::Users { path, origin } => with(path, format!("loaded by `{origin}`, so nothing is inserted")),
        PluginSource::Unneeded => b"none, as no code is made".to_vec(),
        PluginSource::ToBuild { llvm } => format!("for LLVM {llvm}, not built yet: built on first use").into_bytes(),
    }
}

/// One line for each setting: its variable, its value and where that comes from.
fn settings(page: &mut Page, config: &Config) {
    for variable in TABLE.iter().filter(|variable| variable.flag.is_some()) {
        let value = config.get(variable.name).unwrap_or(OsStr::new(variable.default));
        let shown = if value.is_empty() { b"-".to_vec() } else { quoted(value) };
        let name = format!("{:<26}", variable.name);
        page.line(
            [name.as_bytes(), &shown, b"  (", config.origin(variable.name).to_string().as_bytes(), b")"].concat(),
        );
    }
}

/// `word` as a shell reads it back. A NUL, which no argument can hold, is left as it is.
fn quoted(word: &OsStr) -> Vec<u8> {
    shlex::bytes::try_quote(word.as_bytes()).map_or_else(|_| word.as_bytes().to_vec(), |quoted| quoted.into_owned())
}
