//! Compiles a case and checks what comes out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sqtt_contract::variables;
use sqtt_hipcc::validate;

use crate::case::Case;
use crate::llvm::{self, Llvm};
use crate::machine;
use crate::model::Verdict;
use crate::process;

/// What a program fails by. Two failures with the same `what` are taken for the same, however a program shrinks.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) what: String,
    pub(crate) text: String,
}

impl Failure {
    fn new(what: impl Into<String>, text: impl Into<String>) -> Failure {
        Failure { what: what.into(), text: text.into() }
    }
}

/// Checks `case` in the empty directory `directory`. `thorough`: what not every program of a run has to go through.
pub(crate) fn check(case: &Case, llvm: &Llvm, directory: &Path, thorough: bool) -> Result<(), Failure> {
    let bench = Bench { case, llvm, directory };
    bench.write_source()?;
    let object = bench.path("marked.co");
    let output = run(&mut bench.marked(&object)?)?;
    bench.messages(&output)?;
    bench.map(&object)?;
    let plain = bench.path("plain.co");
    succeed("compile without markers", &run(&mut bench.plain(&plain))?)?;
    machine::check(case, &object, &plain, &llvm.program("llvm-objdump"))?;
    if thorough {
        bench.off_is_off()?;
    }
    Ok(())
}

/// The command line that compiles `case` from `source` to `object`, as one types it into a shell.
pub(crate) fn command_line(case: &Case, llvm: &Llvm, source: &Path) -> Result<String, Failure> {
    let bench = Bench { case, llvm, directory: Path::new("/") };
    let mut words: Vec<String> = case.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut command = bench.marked(Path::new("/dev/null"))?;
    command.arg(source);
    words.push(command.get_program().to_string_lossy().into_owned());
    let named = |argument: &&std::ffi::OsStr| *argument != SOURCE;
    words.extend(command.get_args().filter(named).map(|argument| argument.to_string_lossy().into_owned()));
    shlex::try_join(words.iter().map(String::as_str)).map_err(|error| Failure::new("command", error.to_string()))
}

const SOURCE: &str = "program.hip";

struct Bench<'a> {
    case: &'a Case,
    llvm: &'a Llvm,
    directory: &'a Path,
}

impl Bench<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn write_source(&self) -> Result<(), Failure> {
        fs_err::write(self.path(SOURCE), &self.case.source).map_err(|error| Failure::new("files", error.to_string()))
    }

    /// clang for device code, without the plugin and with no marker.
    fn plain(&self, output: &Path) -> Command {
        let bin = self.llvm.prefix.join("bin");
        let mut clang = process::command(&self.llvm.program("clang"), &bin, self.directory);
        clang.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-cuid=0"]);
        clang.arg("-I").arg(llvm::root().join("headers")).args(&self.case.flags);
        clang.arg(SOURCE).arg("-o").arg(output);
        clang
    }

    fn with_plugin(&self, output: &Path) -> Result<Command, Failure> {
        let plugin = self.llvm.plugin().map_err(|error| Failure::new("plugin", format!("{error:#}")))?;
        let mut option = OsString::from("-fpass-plugin=");
        option.push(plugin);
        let mut clang = self.plain(output);
        clang.arg(option);
        Ok(clang)
    }

    /// clang with the plugin, the markers and the settings; the machine code is verified behind every pass.
    fn marked(&self, output: &Path) -> Result<Command, Failure> {
        let mut clang = self.with_plugin(output)?;
        clang.arg(format!("-D{}=1", variables::ENABLED_MACRO)).args(["-mllvm", "-verify-machineinstrs"]);
        clang.envs(self.case.settings.iter().map(|(name, value)| (name, value)));
        Ok(clang)
    }

    /// The compile succeeds, warns of scopes when it should, and says nothing else.
    fn messages(&self, output: &Output) -> Result<(), Failure> {
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(Failure::new("compile", format!("{}\n{said}", output.status)));
        }
        let mut warned = false;
        for line in said.lines().filter(|line| line.contains("warning: ") || line.contains("error: ")) {
            match line {
                _ if is_balance_warning(line) => warned = true,
                _ if line.starts_with("SQTT: warning: ") && line.contains(" of kinds that are not traced: ") => {}
                _ => return Err(Failure::new("message", said)),
            }
        }
        let reason = &self.case.reason;
        match self.case.balance {
            Verdict::Balanced if warned => Err(Failure::new("balance: false alarm", said)),
            Verdict::Unbalanced if !warned => Err(Failure::new("balance: no warning", format!("{reason}\n{said}"))),
            _ => Ok(()),
        }
    }

    fn map(&self, object: &Path) -> Result<(), Failure> {
        let report = validate::validate_file(object, &validate::Expected { strict: true, ..Default::default() })
            .map_err(|error| Failure::new("map", error.to_string()))?;
        if report.code_objects != 1 || report.unverified != 0 {
            return Err(Failure::new("map", format!("{report:?}")));
        }
        match report.findings.first() {
            Some(finding) => Err(Failure::new("map", finding.to_string())),
            None => Ok(()),
        }
    }

    /// Without markers and settings the assembly is that of a compile without the plugin, but for the map.
    fn off_is_off(&self) -> Result<(), Failure> {
        let (plain, off) = (self.path("plain.s"), self.path("off.s"));
        for mut clang in [self.plain(&plain), self.with_plugin(&off)?] {
            succeed("off", &run(clang.arg("-S"))?)?;
        }
        let read = |path: &Path| fs_err::read_to_string(path).map_err(|error| Failure::new("off", error.to_string()));
        let (plain, off) = (read(&plain)?, read(&off)?);
        let (plain, off) = (without_map(&plain), without_map(&off));
        let different = plain.iter().zip(&off).position(|(plain, off)| plain != off);
        match different.or_else(|| (plain.len() != off.len()).then_some(plain.len().min(off.len()))) {
            Some(at) => {
                Err(Failure::new("off", format!("{:?}\nbut with the plugin\n{:?}", plain.get(at), off.get(at))))
            }
            None => Ok(()),
        }
    }
}

/// A warning of the plugin about scopes.
fn is_balance_warning(line: &str) -> bool {
    line.contains("warning: sqtt: ") && line.contains("scope")
}

/// The lines of `assembly` without those that hold the map.
fn without_map(assembly: &str) -> Vec<&str> {
    let mut inside = false;
    let mut kept = Vec::new();
    for line in assembly.lines() {
        if line.contains(".pushsection") && line.contains(sqtt_contract::funcmap::SECTION) {
            inside = true;
        }
        if !inside && !line.trim().is_empty() && !line.contains("file scope inline assembly") {
            kept.push(line);
        }
        inside &= !line.contains(".popsection");
    }
    kept
}

/// The compile was silent and went well.
fn succeed(what: &str, output: &Output) -> Result<(), Failure> {
    if output.status.success() && output.stderr.is_empty() {
        return Ok(());
    }
    Err(Failure::new(what, String::from_utf8_lossy(&output.stderr)))
}

fn run(command: &mut Command) -> Result<Output, Failure> {
    command.output().map_err(|error| Failure::new("process", format!("{command:?}: {error}")))
}
