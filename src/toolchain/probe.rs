//! Which LLVM a compiler is: `COMPILER --version`, asked once and remembered.
//!
//! A Perl hipcc takes most of a second to answer, so the answer is kept in the cache. Its key is everything that can
//! lead to another answer:
//! - the compiler's own file (name, device, inode, length, modification);
//! - the values of the variables that redirect hipcc to another clang (`REDIRECTING`);
//! - for a hipcc, the directories in which it looks for clang, and the clangs in them;
//! - not the value of PATH, which changes too often to be one, but what is found there under the compiler's own name
//!   (a ccache in front of it) and as `clang++` (hipcc guesses its platform from that).
//!
//! An answer is only used while the clang that it came from is still the same file. The prefix is never remembered:
//! headers may be installed later.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde::{Deserialize, Serialize};
use sqtt_contract::variables;

use super::cache::{self, Cache};
use super::error::ToolchainError;
use super::find::{Compiler, CompilerKind, in_path};
use super::host::Host;
use super::identity::{FileIdentity, KeyDigest};
use super::llvm::{self, LLVM_IN_ROCM, Llvm, rocm_root};
use crate::environment::Environment;

/// Variables that make a hipcc call another clang, or any compiler load other libraries.
const REDIRECTING: [&str; 8] = [
    "HIP_CLANG_PATH",
    "HIP_COMPILER",
    "HIP_PATH",
    "HIP_PLATFORM",
    "HIP_ROCCLR_HOME",
    "HIP_RUNTIME",
    "LD_LIBRARY_PATH",
    "ROCM_PATH",
];

/// What a compiler says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    version: String,
    major: u32,
    installed_dir: PathBuf,
    /// The clang in `installed_dir`.
    clang: Option<FileIdentity>,
    /// How LLVM is in that clang.
    host: Host,
}

/// Finds out which LLVM `compiler` is. It runs with `environment`, as it would to compile.
///
/// Fails when the compiler cannot be run or names no version; never because of the cache.
pub fn probe(compiler: &Compiler, environment: &Environment, cache: &Cache) -> Result<Llvm, ToolchainError> {
    let entry = cache.root().ok().map(|root| root.join("probe").join(format!("{}.json", key(compiler, environment))));
    let remembered = entry.as_deref().and_then(recall);
    let answer = match remembered {
        Some(answer) => answer,
        None => {
            let answer = ask(compiler, environment)?;
            if let Some(entry) = &entry {
                remember(entry, &answer);
            }
            answer
        }
    };
    let version = (answer.version.as_str(), answer.major);
    Ok(Llvm::of_compiler(version, &answer.installed_dir, answer.host, environment))
}

fn recall(entry: &Path) -> Option<Answer> {
    let answer: Answer = serde_json::from_slice(&std::fs::read(entry).ok()?).ok()?;
    let is_current = answer.clang == clang_in(&answer.installed_dir, answer.major);
    is_current.then_some(answer)
}

/// Keeps the answer for the next time. Without it the next time is slower, nothing else.
fn remember(entry: &Path, answer: &Answer) {
    let written = serde_json::to_vec(answer).map_err(Into::into).and_then(|json| cache::write_whole(entry, &json));
    if let Err(error) = written {
        tracing::debug!(%error, "the compiler's version is not remembered");
    }
}

fn key(compiler: &Compiler, environment: &Environment) -> String {
    let mut key = KeyDigest::default();
    key.part("probe 2").file(&compiler.path);
    for name in REDIRECTING {
        key.part(name).part(environment.get(name).unwrap_or(OsStr::new("")));
    }
    let own_name = compiler.path.file_name().unwrap_or_default();
    for name in [own_name, OsStr::new("clang++")] {
        key.part(name);
        in_path(environment, name).for_each(|found| {
            key.file(&found);
        });
    }
    if compiler.kind == CompilerKind::Hipcc {
        for directory in clang_directories(&compiler.path, environment) {
            // The directory itself too: distributions patch other names into hipcc, such as `clang++-15`.
            key.file(&directory);
            ["clang++", "clang", "amdclang++"].iter().for_each(|name| {
                key.file(&directory.join(name));
            });
        }
    }
    key.finish()
}

/// Where the hipccs of various releases look for clang.
fn clang_directories(hipcc: &Path, environment: &Environment) -> Vec<PathBuf> {
    let variable = |name| environment.get_non_empty(name).map(PathBuf::from);
    let mut roots = vec![rocm_root(environment)];
    for found in [Some(hipcc.to_owned()), hipcc.canonicalize().ok()].into_iter().flatten() {
        // ROOT/bin/hipcc, or ROOT/hip/bin/hipcc.
        roots.extend(found.ancestors().skip(2).take(2).map(Path::to_owned));
    }
    roots.extend(["HIP_ROCCLR_HOME", "HIP_PATH"].into_iter().filter_map(variable));
    let below = |root: PathBuf| {
        let llvms = LLVM_IN_ROCM.map(|llvm| root.join(llvm).join("bin"));
        llvms.into_iter().chain([root.join("bin")])
    };
    variable("HIP_CLANG_PATH").into_iter().chain(roots.into_iter().flat_map(below)).collect()
}

fn ask(compiler: &Compiler, environment: &Environment) -> Result<Answer, ToolchainError> {
    let output = duct::cmd(&compiler.path, ["--version"])
        // A compiler that is this driver in disguise then tells the loop instead of asking itself for ever.
        .env(variables::DRIVER_ACTIVE, &compiler.path)
        .full_env(environment.iter())
        .stdin_null()
        .stdout_capture()
        .stderr_capture()
        .unchecked()
        .run()
        .map_err(|cause| ToolchainError::CannotRun { compiler: compiler.path.clone(), cause })?;
    let said = String::from_utf8_lossy(&output.stdout);
    let Some((version, major)) = clang_version(&said) else {
        return Err(ToolchainError::NoVersion {
            compiler: compiler.path.clone(),
            status: output.status.to_string(),
            said: last_lines(&output),
        });
    };
    let installed_dir = match said.lines().find_map(|line| line.strip_prefix("InstalledDir: ")) {
        Some(directory) => PathBuf::from(directory.trim_end()),
        None => {
            let file = compiler.path.canonicalize().unwrap_or_else(|_| compiler.path.clone());
            file.parent().unwrap_or(Path::new("/")).to_owned()
        }
    };
    let clang = clang_in(&installed_dir, major);
    let host = clang.as_ref().map(|clang| Host::of(&clang.path)).unwrap_or_default();
    Ok(Answer { version, major, installed_dir, clang, host })
}

/// The version and its first number in `Debian clang version 22.1.8 (1~deb12u1)`,
/// `AMD clang version 19.0.0git (https://...)`.
fn clang_version(said: &str) -> Option<(String, u32)> {
    said.lines().find_map(|line| {
        let version = line.split_once("clang version ")?.1.split_whitespace().next()?;
        Some((version.to_owned(), llvm::major(version)?))
    })
}

fn clang_in(directory: &Path, major: u32) -> Option<FileIdentity> {
    let versioned = format!("clang++-{major}");
    ["clang++", "clang", &versioned].iter().find_map(|name| FileIdentity::of(&directory.join(name)).ok())
}

fn last_lines(output: &Output) -> String {
    let both = [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
    let lines: Vec<&str> = both.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_version_is_read_from_what_compilers_of_all_vendors_print() {
        for (said, version, major) in [
            ("Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu\n", "22.1.8", 22),
            ("clang version 19.1.7\n", "19.1.7", 19),
            ("HIP version: 6.4.1-83ac7b5f3\nAMD clang version 19.0.0git (https://x roc-6.4 25133)\n", "19.0.0git", 19),
            ("clang version 23.0.0git\r\n", "23.0.0git", 23),
        ] {
            assert_eq!(clang_version(said), Some((version.to_owned(), major)), "{said}");
        }
    }

    proptest! {
        #[test]
        fn any_output_is_read_without_a_panic(said: String, major in 0u32..100, rest in "[ -~]*") {
            let _ = clang_version(&said);
            let line = format!("noise\nX clang version {major}.0.0git {rest}\n");
            prop_assert_eq!(clang_version(&line), Some((format!("{major}.0.0git"), major)));
        }
    }

    #[test]
    fn what_names_no_version_has_none() {
        for said in ["", "gcc (Debian 12.2.0) 12.2.0", "clang version ", "clang version unknown", "nvcc: NVIDIA"] {
            assert_eq!(clang_version(said), None, "{said}");
        }
    }
}
