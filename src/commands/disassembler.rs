//! The machine code of code objects for the subcommands that look at it, with the compiler's llvm-objdump.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use sqtt_contract::variables;

use super::doctor::Surroundings;
use crate::code_object::{CodeObject, SymbolKind};
use crate::config::{Config, OwnFlags, Sources};
use crate::machine::Program;
use crate::toolchain::{Cache, FindRequest, Objdump, find_compiler, probe};

/// How machine code is to be read.
#[derive(Clone, Debug, clap::Args)]
pub struct CodeArgs {
    /// The llvm-objdump to read machine code with; without it that of the compiler that sqtt-hipcc finds, else one in PATH
    #[arg(long, value_name = "PATH", conflicts_with = "maps_only")]
    objdump: Option<PathBuf>,
    /// Look at the maps only, not at the machine code
    #[arg(long)]
    maps_only: bool,
}

impl CodeArgs {
    /// Those of a command that always looks at machine code.
    pub(super) fn machine_code(objdump: Option<PathBuf>) -> CodeArgs {
        CodeArgs { objdump, maps_only: false }
    }
}

/// The machine code of a code object.
pub(super) enum Code {
    /// As instructions.
    Program(Program),
    /// It is not looked at, because of this.
    Unseen(&'static str),
}

/// Reads machine code; looks for objdumps when it first needs one.
pub(super) struct Disassembler<'a> {
    args: &'a CodeArgs,
    surroundings: Surroundings<'a>,
    /// Best first; `None` before they were looked for.
    objdumps: Option<Vec<Objdump>>,
}

impl<'a> Disassembler<'a> {
    pub(super) fn new(args: &'a CodeArgs, surroundings: Surroundings<'a>) -> Disassembler<'a> {
        Disassembler { args, surroundings, objdumps: None }
    }

    /// The program in `code_object`. That there is no objdump is an error once, and a reason afterwards.
    ///
    /// An old objdump does not know a new GPU, so those in PATH are asked where the compiler's own fails.
    ///
    /// Errors: sections that are not in the file; no objdump; all fail, or show no code where there must be some.
    pub(super) fn read(&mut self, code_object: &CodeObject<'_>) -> anyhow::Result<Code> {
        if self.args.maps_only {
            return Ok(Code::Unseen("only maps were asked for"));
        }
        if code_object.is_text() {
            return Ok(Code::Unseen("it is assembly text"));
        }
        if code_object.is_relocatable() {
            return Ok(Code::Unseen("it is not linked"));
        }
        // An objdump believes in the size of a symbol table that is not there, and prints a line for each of its symbols.
        code_object.check_sections().map_err(|malformed| anyhow!("{malformed}\ngive the whole file"))?;
        let (surroundings, args, is_first) = (self.surroundings, self.args, self.objdumps.is_none());
        let objdumps = self.objdumps.get_or_insert_with(|| find(args, surroundings));
        let mut failure = None;
        for objdump in &*objdumps {
            match disassemble(objdump, code_object) {
                Ok(program) => return Ok(Code::Program(program)),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        match failure {
            Some(error) => Err(error),
            None if is_first => bail!(
                "no llvm-objdump, neither of a compiler nor in PATH\n\
                 name one with `--objdump=PATH`, or look at the maps alone with `--maps-only`"
            ),
            None => Ok(Code::Unseen("there is no llvm-objdump")),
        }
    }
}

fn disassemble(objdump: &Objdump, code_object: &CodeObject<'_>) -> anyhow::Result<Program> {
    const ADVICE: &str = "name the llvm-objdump of the compiler with `--objdump=PATH`";
    let text = objdump.disassemble(code_object.bytes()).map_err(|error| {
        // An objdump that crashes says so in many lines.
        let said = error.to_string();
        anyhow!("{}\n{ADVICE}", said.lines().next().unwrap_or_default())
    })?;
    let program = Program::parse(&text, code_object)?;
    if program.functions.is_empty() && has_functions(code_object) {
        bail!("`{}` shows no code for `{}`\n{ADVICE}", objdump.path().display(), code_object.target().processor);
    }
    Ok(program)
}

fn has_functions(code_object: &CodeObject<'_>) -> bool {
    let symbols = code_object.symbols().unwrap_or_default();
    symbols.iter().any(|symbol| symbol.kind == SymbolKind::Function)
}

/// The one that was named; else the compiler's and those in PATH.
fn find(args: &CodeArgs, surroundings: Surroundings<'_>) -> Vec<Objdump> {
    if let Some(path) = &args.objdump {
        return vec![Objdump::at(path)];
    }
    let of_compiler = of_compiler(surroundings);
    if let Err(error) = &of_compiler {
        tracing::debug!(%error, "no objdump of a compiler");
    }
    let mut found: Vec<Objdump> = of_compiler.into_iter().chain(Objdump::in_path(surroundings.environment)).collect();
    let mut seen = HashSet::new();
    found.retain(|objdump| seen.insert(objdump.path().to_owned()));
    found
}

fn of_compiler(surroundings: Surroundings<'_>) -> anyhow::Result<Objdump> {
    let Surroundings { environment, cwd, own_executable } = surroundings;
    let flags = OwnFlags::default();
    let config = Config::resolve(&Sources { flags: &flags, environment, cwd, source_directory: None })?;
    // The driver stands beside us, perhaps under the name of a compiler; that one is not the real one.
    let driver = own_executable.with_file_name("sqtt-hipcc");
    let own_executable = if driver.is_file() { &driver } else { own_executable };
    let request = FindRequest { explicit: config.path(variables::HIPCC), environment, own_executable };
    let compiler = find_compiler(&request)?;
    let llvm = probe(&compiler, environment, &Cache::locate(environment))?;
    Objdump::of(&llvm, environment).context("no objdump beside the compiler")
}
