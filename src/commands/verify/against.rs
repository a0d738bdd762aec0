//! The uninstrumented build that `sqtt verify --against=FILE` compares with.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;
use sqtt_contract::settings::Boundary;

use super::super::disassembler::{Code, Disassembler};
use super::super::pairing::{Candidates, Identity};
use crate::code_object::{self, CodeObject, FileBytes, Limits};
use crate::machine::Program;
use crate::terminal::printable;

/// What there is to compare with.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct AgainstArgs {
    /// The same program compiled without markers: also say what markers cost beyond themselves
    #[arg(long, value_name = "FILE", conflicts_with = "maps_only")]
    against: Option<PathBuf>,
    /// The boundary of the markers (`SQTT_MEM_BARRIER`), for the waits that it may cost
    #[arg(long, value_name = "WORD", value_enum, default_value = "fence", requires = "against")]
    mem_barrier: Word,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Word {
    None,
    Asm,
    Fence,
}

impl AgainstArgs {
    /// The programs of the file that was named, if one was.
    ///
    /// Errors: the file cannot be read, holds no code object, or one that cannot be disassembled.
    pub(super) fn read(&self, disassembler: &mut Disassembler<'_>) -> anyhow::Result<Option<Plain>> {
        let Some(path) = &self.against else { return Ok(None) };
        let boundary = match self.mem_barrier {
            Word::None => Boundary::None,
            Word::Asm => Boundary::Asm,
            Word::Fence => Boundary::Fence,
        };
        Ok(Some(Plain { boundary, path: path.clone(), programs: programs(path, disassembler)? }))
    }
}

/// The programs of the uninstrumented build.
#[derive(Debug)]
pub(super) struct Plain {
    /// That of the instrumented build's markers.
    pub(super) boundary: Boundary,
    path: PathBuf,
    programs: Candidates<Program>,
}

impl Plain {
    /// The program that `code_object` is without markers; each is given once.
    ///
    /// Errors: there is none for its target with one of its kernels.
    pub(super) fn take(&mut self, code_object: &CodeObject<'_>) -> anyhow::Result<Program> {
        self.programs.take(&Identity::of(code_object)).ok_or_else(|| {
            anyhow!(
                "`{}` has no code object for `{}` with the same kernels\n\
                 give the same program, compiled with `--sqtt-off`",
                printable(&self.path.to_string_lossy()),
                printable(&code_object.target().to_string())
            )
        })
    }
}

fn programs(path: &Path, disassembler: &mut Disassembler<'_>) -> anyhow::Result<Candidates<Program>> {
    let file = FileBytes::open(path)?;
    let mut programs = Candidates::new();
    let (mut failure, mut count) = (None, 0);
    let notes = code_object::visit(file.bytes(), &Limits::default(), |code_object| {
        count += 1;
        match disassembler.read(&code_object) {
            Ok(Code::Program(program)) => programs.add(Identity::of(&code_object), program),
            Ok(Code::Unseen(reason)) => failure = Some(anyhow!("{reason}")),
            Err(error) => failure = Some(error),
        }
        if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let failure = failure.or_else(|| notes.problems.first().map(|problem| anyhow!("{}", problem.malformed)));
    let named = || format!("cannot compare with `{}`", printable(&path.to_string_lossy()));
    match failure {
        Some(error) => Err(error).with_context(named),
        None if count == 0 => {
            bail!("{}: there is no code object\ngive the file that holds linked device code", named())
        }
        None => Ok(programs),
    }
}
