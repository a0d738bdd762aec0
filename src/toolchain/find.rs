//! Which compiler is the real one: the one that was asked for, else the first that is found; never ourselves.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::error::ToolchainError;
use super::identity::FileIdentity;
use super::llvm::{LLVM_IN_ROCM, SUPPORTED, rocm_root};
use super::ourselves::is_ourselves;
use crate::environment::Environment;

/// A compiler that is there and is not this driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// Absolute, under the name it was found: clang and hipcc look at their own name, so links are not resolved.
    pub path: PathBuf,
    /// How it reads its command line.
    pub kind: CompilerKind,
    /// The file that the path leads to.
    pub identity: FileIdentity,
}

/// How a compiler reads its command line, by its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompilerKind {
    /// `hipcc`, its Perl and binary forms, and anything of an unknown name: it stands where hipcc would.
    Hipcc,
    /// `amdclang++`: clang with ROCm's defaults.
    Amdclang,
    /// `clang++`, with or without a version.
    Clang,
}

impl CompilerKind {
    /// The kind of a compiler of that file name.
    pub fn of_name(path: &Path) -> CompilerKind {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("amdclang") {
            CompilerKind::Amdclang
        } else if name.contains("clang") {
            CompilerKind::Clang
        } else {
            CompilerKind::Hipcc
        }
    }
}

/// What to look for.
#[derive(Clone, Debug)]
pub struct FindRequest<'a> {
    /// The compiler that the user asks for, and where: `--sqtt-compiler=`, a variable, `sqtt.toml:3`. A name without
    /// a slash is looked up in PATH; a relative path is taken from the working directory.
    pub explicit: Option<(PathBuf, String)>,
    /// Has PATH and ROCM_PATH.
    pub environment: &'a Environment,
    /// The file of the running program.
    pub own_executable: &'a Path,
}

/// Finds the compiler: the explicit one, else hipcc in PATH and in the ROCm (`$ROCM_PATH`, else `/opt/rocm`), then amdclang++ and
/// then clang++ in PATH and in the same ROCm, and last the newest `clang++-NN` in PATH that the plugin supports.
///
/// Fails when the explicit one is missing, cannot be executed or is ourselves; an implicit one that is ourselves is
/// passed over.
pub fn find_compiler(request: &FindRequest<'_>) -> Result<Compiler, ToolchainError> {
    match &request.explicit {
        Some((value, origin)) => explicit(request, value, origin),
        None => first(request, hipccs(request.environment).chain(clangs(request.environment))),
    }
}

/// Finds a clang for HIP where hipcc is not wanted: the explicit compiler unless it is a hipcc, else amdclang++ and then
/// clang++ of the ROCm of that hipcc, in PATH and in the ROCm, and last the newest `clang++-NN` in PATH.
///
/// Fails as [`find_compiler`] does.
pub fn find_clang(request: &FindRequest<'_>) -> Result<Compiler, ToolchainError> {
    let named = match &request.explicit {
        Some((value, origin)) => Some(explicit(request, value, origin)?),
        None => None,
    };
    match named {
        Some(compiler) if compiler.kind != CompilerKind::Hipcc => Ok(compiler),
        Some(hipcc) => {
            let beside = hipcc.path.parent().and_then(Path::parent).map(clangs_in).unwrap_or_default();
            first(request, beside.into_iter().chain(clangs(request.environment)))
        }
        None => first(request, clangs(request.environment)),
    }
}

fn explicit(request: &FindRequest<'_>, value: &Path, origin: &str) -> Result<Compiler, ToolchainError> {
    let missing =
        |reason: String| ToolchainError::NoSuchCompiler { value: value.to_owned(), origin: origin.to_owned(), reason };
    let ourselves = || ToolchainError::CompilerIsOurselves { value: value.to_owned(), origin: origin.to_owned() };
    if value.as_os_str().is_empty() {
        return Err(missing("it is empty".to_owned()));
    }
    if is_bare_name(value) {
        let found: Vec<PathBuf> = in_path(request.environment, value.as_os_str()).collect();
        return match found.iter().find(|path| !is_ourselves(path, request.own_executable)) {
            Some(path) => compiler(path).map_err(|error| missing(error.to_string())),
            None if found.is_empty() => Err(missing(format!("no such program in PATH{}", command_line_note(value)))),
            None => Err(ourselves()),
        };
    }
    let path = std::path::absolute(value).map_err(|error| missing(error.to_string()))?;
    let found = compiler(&path).map_err(|error| missing(format!("{error}{}", command_line_note(value))))?;
    if !path.is_file() {
        return Err(missing("it is not a file".to_owned()));
    }
    if rustix::fs::access(&path, rustix::fs::Access::EXEC_OK).is_err() {
        return Err(missing("it is not executable".to_owned()));
    }
    if is_ourselves(&path, request.own_executable) { Err(ourselves()) } else { Ok(found) }
}

/// The first of the candidates that is not ourselves.
fn first(request: &FindRequest<'_>, candidates: impl Iterator<Item = PathBuf>) -> Result<Compiler, ToolchainError> {
    let mut skipped = Vec::new();
    for path in candidates {
        if is_ourselves(&path, request.own_executable) {
            skipped.push(path);
        } else if let Ok(found) = compiler(&path) {
            return Ok(found);
        }
    }
    let rocm = rocm_root(request.environment);
    Err(ToolchainError::NoCompiler { tried: format!("in PATH or in `{}`", rocm.display()), skipped })
}

/// Programs of that name in the directories of a ROCm that have compilers.
fn in_rocm(rocm: &Path, name: &str) -> Vec<PathBuf> {
    let [llvm, old_llvm] = LLVM_IN_ROCM.map(|llvm| rocm.join(llvm).join("bin"));
    let directories = [rocm.join("bin"), llvm, old_llvm];
    directories.map(|directory| directory.join(name)).into_iter().filter(|path| is_program(path)).collect()
}

/// Every clang for HIP in a ROCm, best first.
fn clangs_in(rocm: &Path) -> Vec<PathBuf> {
    ["amdclang++", "clang++"].iter().flat_map(|name| in_rocm(rocm, name)).collect()
}

/// Every hipcc, best first; found one by one, since the first usually is the one.
fn hipccs(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let in_rocm = rocm_root(environment).join("bin/hipcc");
    in_path(environment, OsStr::new("hipcc")).chain(Some(in_rocm).filter(|path| is_program(path)))
}

/// Every clang for HIP, best first.
fn clangs(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let rocm = rocm_root(environment);
    let everywhere =
        |name: &str| in_path(environment, OsStr::new(name)).chain(in_rocm(&rocm, name)).collect::<Vec<_>>();
    let last = std::iter::once(()).flat_map(|()| versioned_clangs(environment));
    everywhere("amdclang++").into_iter().chain(everywhere("clang++")).chain(last)
}

/// `clang++-NN` in PATH: those that the plugin supports before others, newest first.
fn versioned_clangs(environment: &Environment) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = path_directories(environment)
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .flat_map(|entries| entries.flatten())
        .filter_map(|entry| Some((entry.file_name().to_str()?.strip_prefix("clang++-")?.parse().ok()?, entry.path())))
        .filter(|(_, path)| is_program(path))
        .collect();
    // Stable: of two with one version the first in PATH stays first.
    found.sort_by_key(|(version, _)| std::cmp::Reverse((SUPPORTED.contains(version), *version)));
    found.into_iter().map(|(_, path)| path).collect()
}

fn compiler(path: &Path) -> std::io::Result<Compiler> {
    let path = std::path::absolute(path)?;
    Ok(Compiler { kind: CompilerKind::of_name(&path), identity: FileIdentity::of(&path)?, path })
}

/// Programs of that name in PATH, in its order; absolute.
pub(super) fn in_path(environment: &Environment, name: &OsStr) -> impl Iterator<Item = PathBuf> {
    let path: Option<OsString> = environment.get_non_empty("PATH").map(OsStr::to_owned);
    which::which_in_all(name, path, ".").into_iter().flatten().filter_map(|found| std::path::absolute(found).ok())
}

fn path_directories(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    environment
        .get("PATH")
        .into_iter()
        .flat_map(std::env::split_paths)
        .filter_map(|path| std::path::absolute(path).ok())
}

/// Whether `path` leads to a file that may be executed.
fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

fn is_bare_name(path: &Path) -> bool {
    !path.as_os_str().as_encoded_bytes().contains(&b'/')
}

/// `ccache hipcc` is what people write into `CXX`; here it is one file name with a blank in it.
fn command_line_note(value: &Path) -> &'static str {
    if value.to_string_lossy().contains(' ') { " (it is one path, not a command line)" } else { "" }
}
