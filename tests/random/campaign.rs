//! Draws programs, checks them, and shrinks those that fail.

use std::path::{Path, PathBuf};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::case::Case;
use crate::check::{self, Failure};
use crate::llvm::{self, Llvm};
use crate::model;
use crate::source;
use crate::strategy::{self, Draft};

/// One program in so many goes through the checks that are thorough.
const THOROUGH: u64 = 4;

/// Program `index` of the run `seed`, as it is drawn: independent of all others.
pub(crate) fn draw(seed: u64, index: u64) -> Result<impl ValueTree<Value = Draft>, String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&index.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    strategy::draft().new_tree(&mut runner).map_err(|reason| reason.to_string())
}

/// What is compiled for a draft.
pub(crate) fn case(draft: &Draft) -> Case {
    let program = draft.program();
    let judgement = model::judge(&program, draft.setup.optimises());
    let mutation = draft.mutation().map(|mutation| format!(", {mutation:?}")).unwrap_or_default();
    Case {
        llvm: draft.setup.llvm,
        flags: draft.setup.flags(),
        settings: draft.setup.settings(),
        balance: judgement.verdict,
        reason: format!("{}{mutation}", judgement.reason),
        source: source::print(&program),
    }
}

/// Writes the first programs of the run `seed` as files into `directory`.
pub(crate) fn keep(seed: u64, programs: u64, directory: &Path) -> Result<(), String> {
    for index in 0..programs {
        let case = case(&draw(seed, index)?.current());
        let path = directory.join(format!("{seed}-{index:05}.hip"));
        fs_err::write(path, case.to_file()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Checks program `index` of the run `seed`. One that fails is shrunk by at most `steps` steps, each a few compiles, then
/// written as a file under `target/`, and described.
pub(crate) fn run(seed: u64, index: u64, steps: u64, llvms: &[Llvm]) -> Result<(), String> {
    let mut tree = draw(seed, index)?;
    let name = format!("{seed}-{index}");
    let attempt = |draft: &Draft| {
        let case = case(draft);
        let result = check_case(&case, llvms, &name, index.is_multiple_of(THOROUGH));
        result.map_err(|failure| Box::new((case, failure)))
    };
    let Err(mut worst) = attempt(&tree.current()) else { return Ok(()) };
    let mut left = steps;
    let mut smaller = left > 0 && tree.simplify();
    while smaller && left > 0 {
        left -= 1;
        smaller = match attempt(&tree.current()) {
            Err(found) if found.1.what == worst.1.what => {
                worst = found;
                tree.simplify()
            }
            _ => tree.complicate(),
        };
    }
    let (case, failure) = *worst;
    Err(describe(&case, &failure, llvms, &name).unwrap_or_else(|error| format!("{error}\n{failure:?}")))
}

/// Checks a case with the compiler that it names.
pub(crate) fn check_case(case: &Case, llvms: &[Llvm], name: &str, thorough: bool) -> Result<(), Failure> {
    let files = |error: std::io::Error| Failure { what: "files".to_owned(), text: error.to_string() };
    let unknown = || Failure { what: "compiler".to_owned(), text: format!("there is no LLVM {}", case.llvm) };
    let llvm = llvms.iter().find(|llvm| llvm.major == case.llvm).ok_or_else(unknown)?;
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random programs").join(name);
    if directory.exists() {
        fs_err::remove_dir_all(&directory).map_err(files)?;
    }
    fs_err::create_dir_all(&directory).map_err(files)?;
    check::check(case, llvm, &directory, thorough)?;
    fs_err::remove_dir_all(&directory).map_err(files)
}

/// Writes a failing case as a file, and says what is wrong with it and how to see that again.
pub(crate) fn describe(case: &Case, failure: &Failure, llvms: &[Llvm], name: &str) -> std::io::Result<String> {
    let directory = failures();
    fs_err::create_dir_all(&directory)?;
    let path = directory.join(format!("{name}.hip"));
    fs_err::write(&path, case.to_file())?;
    let llvm = llvms.iter().find(|llvm| llvm.major == case.llvm);
    let command = llvm.map(|llvm| check::command_line(case, llvm, &path).unwrap_or_else(|failure| failure.text));
    Ok(format!(
        "{}\n{}\nprogram: {}\ncommand: {}",
        failure.what,
        failure.text.trim_end(),
        path.display(),
        command.unwrap_or_default()
    ))
}

/// Where failing programs are written.
fn failures() -> PathBuf {
    llvm::root().join("target").join("random-failures")
}
