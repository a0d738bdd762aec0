//! Completions of `sqtt` for shells, and the manual pages of both programs, out of their command lines.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{DRIVER, READER, replaced};
use crate::config::help;

/// Below the prefix: where each shell looks for what completes `sqtt`. The driver's command line is hipcc's.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/sqtt"),
    (Shell::Zsh, "share/zsh/site-functions/_sqtt"),
    (Shell::Fish, "share/fish/vendor_completions.d/sqtt.fish"),
];

/// Below the prefix: where `man` looks beside a `bin` in PATH.
const MANUAL: &str = "share/man/man1";

/// Writes the completions.
pub(super) fn completions(prefix: &Path, reader: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    for (shell, path) in COMPLETIONS {
        let mut text = Vec::new();
        generate(shell, &mut reader.clone(), READER, &mut text);
        put(&prefix.join(path), &text, out)?;
    }
    Ok(())
}

/// Writes a page for each program and each subcommand of `sqtt`.
pub(super) fn manual(prefix: &Path, reader: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    page(prefix, help::for_manual().name(DRIVER), out)?;
    let mut reader = reader.clone().disable_help_subcommand(true);
    reader.build();
    let mut pending = vec![reader];
    while let Some(command) = pending.pop() {
        pending.extend(command.get_subcommands().filter(|command| !command.is_hide_set()).map(|below| {
            let name = format!("{}-{}", command.get_name(), below.get_name());
            below.clone().name(name)
        }));
        page(prefix, command, out)?;
    }
    Ok(())
}

fn page(prefix: &Path, command: Command, out: &mut impl Write) -> anyhow::Result<()> {
    let path = prefix.join(MANUAL).join(format!("{}.1", command.get_name()));
    let mut text = Vec::new();
    let source = format!("{DRIVER} {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).render(&mut text)?;
    put(&path, &text, out)
}

fn put(path: &Path, text: &[u8], out: &mut impl Write) -> anyhow::Result<()> {
    let written: io::Result<()> = replaced(path, |new| fs_err::write(new, text));
    written.with_context(|| format!("cannot install `{}`", path.display()))?;
    Ok(writeln!(out, "{}", path.display())?)
}
