//! Why there is no compiler, no LLVM or no plugin; each message ends with what to do.
//!
//! A message is whole: an underlying error is part of its text and no `source()` that a printer would add again.

use std::io;
use std::path::PathBuf;

use sqtt_contract::variables;

use super::llvm::SUPPORTED;

/// What goes wrong between a command line and a plugin for its compiler.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// The compiler that was asked for is not there.
    #[error("there is no compiler `{}` ({origin}): {reason}\ngive the path of hipcc, amdclang++ or clang++", value.display())]
    NoSuchCompiler {
        /// What was asked for, as typed.
        value: PathBuf,
        /// Who asked: a flag, a variable, or a line of `sqtt.toml`.
        origin: String,
        /// What was tried.
        reason: String,
    },
    /// The compiler that was asked for is this driver.
    #[error(
        "the compiler `{}` ({origin}) is sqtt-hipcc itself\ngive the path of the real hipcc, amdclang++ or clang++",
        value.display()
    )]
    CompilerIsOurselves {
        /// What was asked for, as typed.
        value: PathBuf,
        /// Who asked.
        origin: String,
    },
    /// Nobody asked for a compiler and none was found.
    #[error(
        "no HIP compiler found: no hipcc, amdclang++ or clang++ {tried}{}\n\
         install one (Debian: `hipcc`; ROCm: `hipcc` or `rocm-llvm`) or name it with `--sqtt-compiler=PATH` or `{}=PATH`",
        skipped_note(skipped),
        variables::HIPCC
    )]
    NoCompiler {
        /// Where was looked.
        tried: String,
        /// Candidates that are this driver.
        skipped: Vec<PathBuf>,
    },
    /// The compiler does not start.
    #[error("cannot run `{} --version`: {cause}\ncheck the compiler, or name another with `--sqtt-compiler=PATH`", compiler.display())]
    CannotRun {
        /// The compiler.
        compiler: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The compiler does not say which clang it is.
    #[error(
        "`{} --version` ({status}) names no clang version{}\n\
         check that it runs, or name another compiler with `--sqtt-compiler=PATH`",
        compiler.display(),
        indented(said)
    )]
    NoVersion {
        /// The compiler.
        compiler: PathBuf,
        /// How it ended.
        status: String,
        /// The last lines of what it printed.
        said: String,
    },
    /// The compiler finds no device libraries.
    #[error(
        "`{}` finds no device libraries\n{errors}install `rocm-device-libs`, or set \
         `ROCM_PATH` or `HIP_DEVICE_LIB_PATH` to where they are",
        compiler.display()
    )]
    NoDeviceLibraries {
        /// The compiler.
        compiler: PathBuf,
        /// What it says, a line each, with a newline.
        errors: String,
    },
    /// There is no plugin for that LLVM.
    #[error(
        "LLVM {version} has no plugin\n\
         use a compiler that is built from LLVM {} to {}: name it with `--sqtt-compiler=PATH` or `{}=PATH`",
        SUPPORTED.start(), SUPPORTED.end(), variables::HIPCC
    )]
    UnsupportedLlvm {
        /// Its version.
        version: String,
    },
    /// The plugin cannot be built for want of headers.
    #[error("the headers of LLVM {version} are not in `{}`\ninstall `{package}`", prefix.display())]
    NoHeaders {
        /// Version of the compiler.
        version: String,
        /// Where they should be.
        prefix: PathBuf,
        /// The package that has them.
        package: String,
    },
    /// The compiler was built without support for plugins.
    #[error(
        "the compiler of LLVM {version} in `{}` takes no plugins: LLVM is linked into it and not exported\n\
         use a compiler whose LLVM was built with `LLVM_ENABLE_PLUGINS=ON` or as a shared library",
        prefix.display()
    )]
    TakesNoPlugins {
        /// Version of the compiler.
        version: String,
        /// Where it is.
        prefix: PathBuf,
    },
    /// The plugin cannot be linked for want of an archive.
    #[error(
        "LLVM {version} is linked into its compiler, which exports no C interface; a plugin for it needs `{}`\n\
         install `{package}`, or the archives of that LLVM",
        archive.display()
    )]
    NoCInterface {
        /// Version of the compiler.
        version: String,
        /// The archive that is missed.
        archive: PathBuf,
        /// The package that has it.
        package: String,
    },
    /// The prefix that was asked for is none.
    #[error("`{}` has no `include/llvm/Config/llvm-config.h`\ngive the prefix of an LLVM with its headers, such as `/usr/lib/llvm-22`", prefix.display())]
    NotAPrefix {
        /// What was asked for.
        prefix: PathBuf,
    },
    /// The plugin cannot be built for want of a program.
    #[error("cannot build the plugin: {problem}\n{advice}")]
    NoBuildTool {
        /// What is missing or too old.
        problem: String,
        /// How to get it.
        advice: String,
    },
    /// The crates of the plugin cannot be put together.
    #[error(
        "cannot collect the crates that the plugin is built from: {problem}{}\n\
         see that cargo reaches its registry, or leave the crates out with `--no-crates`",
        indented(said)
    )]
    CratesNotCollected {
        /// How it failed.
        problem: String,
        /// What cargo says.
        said: String,
    },
    /// The build of the plugin failed.
    #[error(
        "cannot build the plugin for LLVM {version}: {problem}{}\n\
         the whole log is `{}`; repair what it says and try again, or give a built plugin with `--sqtt-plugin=PATH`",
        indented(last_lines),
        log.display()
    )]
    BuildFailed {
        /// The LLVM it was for.
        version: String,
        /// How it failed.
        problem: String,
        /// The end of the log.
        last_lines: String,
        /// The log.
        log: PathBuf,
    },
    /// The build of the plugin failed in another process while this one waited for it.
    #[error("{message}")]
    BuildFailedElsewhere {
        /// That process's message.
        message: String,
    },
    /// The plugin that was asked for is not there.
    #[error("cannot read the plugin `{}`: {cause}\ngive the path of a plugin; `sqtt plugin build` prints one", path.display())]
    NoSuchPlugin {
        /// What was asked for.
        path: PathBuf,
        /// Why it cannot be read.
        cause: io::Error,
    },
    /// The user's own headers are not there.
    #[error("there is no `{header}` in `{}` ({origin})\ngive a directory that holds it, or leave the setting out", directory.display())]
    NoOwnHeaders {
        /// What was asked for.
        directory: PathBuf,
        /// The header that is missed.
        header: &'static str,
        /// Who asked.
        origin: String,
    },
    /// The cache cannot be written, and something has to be put there.
    #[error(
        "cannot write to the cache: {cause}\nmake it writable, or set `{}` to a directory that can be written and has room",
        variables::CACHE_DIR
    )]
    CacheNotWritable {
        /// Why.
        cause: io::Error,
    },
    /// There is no disassembler.
    #[error("no `llvm-objdump` in `{}` or in PATH\ninstall `llvm-{major}`, or the llvm package of the ROCm that the compiler is from", bin.display())]
    NoObjdump {
        /// The directory of the compiler's LLVM.
        bin: PathBuf,
        /// Its version.
        major: u32,
    },
    /// The disassembler failed.
    #[error("`{}` cannot disassemble a code object: {said}\ncheck that it is of the compiler's own LLVM", objdump.display())]
    Objdump {
        /// The disassembler.
        objdump: PathBuf,
        /// What it said.
        said: String,
    },
    /// A plugin is being built.
    #[error("a plugin is being built in `{}`\ntry again when that is done", path.display())]
    CacheInUse {
        /// The cache.
        path: PathBuf,
    },
    /// The only place for a cache is not safe to use.
    #[error("`{}` is not safe as a cache: {reason}\nset `HOME`, or `{}` to a directory of yours", path.display(), variables::CACHE_DIR)]
    CacheNotTrusted {
        /// The directory.
        path: PathBuf,
        /// Whose it is.
        reason: String,
    },
}

fn skipped_note(skipped: &[PathBuf]) -> String {
    skipped.iter().map(|path| format!("\nskipped `{}`: it is sqtt-hipcc itself", path.display())).collect()
}

/// Each line of `text` on a line of its own, set off from the message.
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("\n  {line}")).collect()
}
