//! Runs the commands of one pass test, each in a shell of its own, and says what the first failing one printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use anyhow::{Context, Result, bail};

use crate::llvm::{Llvm, root};
use crate::script::{self, Command};
use crate::shell;

/// A pass test on disk.
#[derive(Clone)]
pub(crate) struct TestFile {
    pub(crate) path: PathBuf,
    /// From the directory of the pass tests, with `/`: the test's name.
    pub(crate) name: String,
}

/// Every `.ll` and `.hip` file under `directory`, sorted, but those in directories named `inputs`.
pub(crate) fn find(directory: &Path) -> Result<Vec<TestFile>> {
    let mut found = Vec::new();
    collect(directory, "", &mut found)?;
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// What tests are written in: IR, HIP, OpenCL, C++ with OpenMP.
const EXTENSIONS: [&str; 4] = ["ll", "hip", "cl", "cpp"];

fn collect(directory: &Path, prefix: &str, found: &mut Vec<TestFile>) -> Result<()> {
    for entry in fs_err::read_dir(directory)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            bail!("`{}`: a test's name must be UTF-8", path.display())
        };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            if !path.ends_with("inputs") {
                collect(&path, &format!("{name}/"), found)?;
            }
        } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
            found.push(TestFile { path, name });
        }
    }
    Ok(())
}

/// Runs `commands` of `test` one after the other, with `settings` in their environment; the first that fails ends the
/// test.
pub(crate) fn run(test: &TestFile, commands: &[Command], llvm: &Llvm, settings: &[(&str, &str)]) -> Result<()> {
    let directory = scratch(test, llvm, settings)?;
    let table = table(test, llvm, llvm.plugin()?, &directory)?;
    for command in commands {
        let text = script::expand(&command.text, &table).with_context(|| format!("line {}", command.line))?;
        let output =
            shell::run(&text, &llvm.prefix.join("bin"), &directory, settings).context("cannot start the shell")?;
        if !output.status.success() {
            bail!("{}", failure(test, command.line, &text, &output));
        }
    }
    Ok(())
}

fn failure(test: &TestFile, line: usize, text: &str, output: &Output) -> String {
    format!(
        "{}:{line}: {}\ncommand: {text}\n--- stdout ---\n{}--- stderr ---\n{}",
        test.path.display(),
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// An empty directory of the test's own, the working directory of its commands. Its path has blanks, so that a RUN line
/// that forgets to quote fails everywhere, and not only where the repository's path has some.
fn scratch(test: &TestFile, llvm: &Llvm, settings: &[(&str, &str)]) -> Result<PathBuf> {
    let settings: String = settings.iter().map(|(_, value)| format!(", {value}")).collect();
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pass tests, LLVM {}{settings}", llvm.major));
    let directory = base.join(&test.name);
    if directory.exists() {
        fs_err::remove_dir_all(&directory)?;
    }
    fs_err::create_dir_all(&directory)?;
    Ok(directory)
}

/// What each `%name` of a RUN line stands for, in shell words.
fn table(test: &TestFile, llvm: &Llvm, plugin: &Path, directory: &Path) -> Result<BTreeMap<&'static str, String>> {
    let program = |name: &str| quoted(&llvm.program(name));
    let clang = program("clang")?;
    let inputs = root().join("tests/pass/inputs");
    let hip =
        format!("{clang} -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -I{}", quoted(&inputs)?);
    let disassemble = format!("{} -d --no-show-raw-insn --no-leading-addr", program("llvm-objdump")?);
    Ok(BTreeMap::from([
        ("s", quoted(&test.path)?),
        ("S", quoted(test.path.parent().unwrap_or(root()))?),
        ("t", quoted(&directory.join("t"))?),
        ("llvm", llvm.major.to_string()),
        ("plugin", quoted(plugin)?),
        ("headers", quoted(&root().join("headers"))?),
        ("ir", format!("{clang} -target amdgcn-amd-amdhsa -nogpulib -Wno-unused-command-line-argument -x ir")),
        ("hip", hip),
        ("rows", format!("/bin/bash {} {}", quoted(&inputs.join("rows.sh"))?, program("llvm-objcopy")?)),
        ("disassemble", disassemble),
        ("FileCheck", format!("{} --dump-input=fail --dump-input-context=6", program("FileCheck")?)),
        ("opt", program("opt")?),
        ("llc", program("llc")?),
        ("lld", program("ld.lld")?),
        ("objcopy", program("llvm-objcopy")?),
        ("objdump", program("llvm-objdump")?),
        ("readelf", program("llvm-readelf")?),
        ("strip", program("llvm-strip")?),
        ("as", program("llvm-as")?),
        ("link", program("llvm-link")?),
        ("clang", clang.clone()),
    ]))
}

fn quoted(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("`{}` is not UTF-8", path.display()))?;
    Ok(shlex::try_quote(text)?.into_owned())
}
