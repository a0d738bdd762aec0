//! What a bug report needs, one directory a call: `SAVE_DIR/SOURCE-XXXXXX/`.
//!
//! | file | what |
//! |---|---|
//! | `reproduce.sh` | runs the compiler as the driver did, with the plugin that is saved here |
//! | `plan.txt` | what `--sqtt-print-plan` prints |
//! | `environment.txt` | the variables that compilers and the driver read; no others, as those may be secret |
//! | `compiler.txt` | what the compiler says of its version |
//! | `sqtt.toml` | the settings file |
//! | `plugin.so` | the plugin |
//! | `inputs/` | the sources |
//! | `preprocessed` | the source with all that it includes, when there is one source |
//! | `outputs/`, `report.json` | what came out, before it was judged, and what was found |

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sqtt_contract::variables;

use super::report::print_note;
use super::{Call, DriverError};
use crate::config::Config;
use crate::invocation::{Answer, Output};
use crate::plan::{Plan, PluginSource, show};
use crate::toolchain::ask;

/// Starts of the variables that are saved.
const SAVED: [&str; 8] =
    [variables::PREFIX, "HIP", "HSA_", "HCC_", "ROCM_", "CPATH", "CPLUS_INCLUDE_PATH", "LD_LIBRARY_PATH"];

/// The directory of one call.
#[derive(Debug)]
pub(super) struct Saved {
    directory: PathBuf,
}

impl Saved {
    /// Saves what is known before the compiler runs; says where.
    pub(super) fn begin(parent: &Path, plan: &Plan, config: &Config, call: &Call) -> Result<Saved, DriverError> {
        let failed = |source| DriverError::NotWritten { path: parent.to_owned(), source };
        let directory = make_directory(parent, plan).map_err(failed)?;
        let saved = Saved { directory };
        saved.before(plan, config, call).map_err(failed)?;
        print_note(&format!("saved to `{}`", saved.directory.display()));
        Ok(saved)
    }

    /// Where the record goes.
    pub(super) fn report(&self) -> PathBuf {
        self.directory.join("report.json")
    }

    /// Copies what the compiler wrote.
    pub(super) fn keep_outputs(&self, written: &[&Output]) -> Result<(), DriverError> {
        let keep = || -> io::Result<()> {
            written.iter().enumerate().try_for_each(|(index, output)| self.copy_into("outputs", index, &output.path))
        };
        keep().map_err(|source| DriverError::NotWritten { path: self.directory.clone(), source })
    }

    fn before(&self, plan: &Plan, config: &Config, call: &Call) -> io::Result<()> {
        let put = |name: &str, bytes: &[u8]| fs_err::write(self.directory.join(name), bytes);
        put("plan.txt", &show(plan, config))?;
        put("environment.txt", &environment(call))?;
        put("compiler.txt", &ask(&plan.program, &["--version".into()], &plan.environment, &call.cwd)?)?;
        if let Some(file) = &config.file {
            fs_err::copy(file, self.directory.join("sqtt.toml"))?;
        }
        if let Some(PluginSource::Given { path, .. } | PluginSource::Cached { path, .. }) = &plan.plugin {
            fs_err::copy(path, self.directory.join("plugin.so"))?;
        }
        put("reproduce.sh", &script(plan, call, &self.directory.join("plugin.so")))?;
        if let Answer::Instrument(work) = &plan.answer {
            for (index, input) in work.inputs.iter().enumerate() {
                self.copy_into("inputs", index, &call.cwd.join(input))?;
            }
            if let [_] = work.inputs.as_slice() {
                self.preprocess(plan, call)?;
            }
        }
        Ok(())
    }

    /// The compiler itself preprocesses, with the same words: of two `-o` the last counts. It comes before the compile, so
    /// that what else the words make it write is written anew. That it fails hinders nothing.
    fn preprocess(&self, plan: &Plan, call: &Call) -> io::Result<()> {
        let mut words: Vec<OsString> = plan.arguments.clone();
        words.extend(["-E".into(), "-o".into(), self.directory.join("preprocessed").into_os_string()]);
        let said = ask(&plan.program, &words, &plan.environment, &call.cwd)?;
        if !self.directory.join("preprocessed").exists() {
            fs_err::write(self.directory.join("preprocessed.failed"), said)?;
        }
        Ok(())
    }

    /// Copies a file under its own name; a number goes before it, as two may have one name.
    fn copy_into(&self, below: &str, index: usize, path: &Path) -> io::Result<()> {
        let Some(name) = path.file_name().filter(|_| path.is_file()) else { return Ok(()) };
        let directory = self.directory.join(below);
        fs_err::create_dir_all(&directory)?;
        let mut numbered = OsString::from(format!("{index}-"));
        numbered.push(name);
        fs_err::copy(path, directory.join(numbered)).map(drop)
    }
}

fn make_directory(parent: &Path, plan: &Plan) -> io::Result<PathBuf> {
    fs_err::create_dir_all(parent)?;
    let source = match &plan.answer {
        Answer::Instrument(work) => work.inputs.first().and_then(|input| Path::new(input).file_name()),
        _ => None,
    };
    let mut name = source.unwrap_or(OsStr::new("call")).to_owned();
    name.push("-");
    let directory = tempfile::Builder::new().prefix(&name).tempdir_in(parent)?.keep();
    // The working directory of a rerun is another one.
    std::path::absolute(directory)
}

fn is_saved(name: &OsStr) -> bool {
    name == "PATH" || SAVED.iter().any(|start| name.as_bytes().starts_with(start.as_bytes()))
}

fn environment(call: &Call) -> Vec<u8> {
    let lines = call.environment.iter().filter(|(name, _)| is_saved(name));
    lines.flat_map(|(name, value)| [name.as_bytes(), b"=", &quoted(value), b"\n"].concat()).collect()
}

/// A shell script that does what the driver does.
fn script(plan: &Plan, call: &Call, plugin: &Path) -> Vec<u8> {
    let mut script = [b"#!/bin/sh\ncd ", quoted(call.cwd.as_os_str()).as_slice(), b" || exit\n"].concat();
    for (name, value) in call.environment.iter().filter(|(name, _)| is_saved(name)) {
        script.extend([b"export ", name.as_bytes(), b"=", &quoted(value), b"\n"].concat());
    }
    for (name, value) in plan.environment.iter().filter(|(name, _)| name != variables::DRIVER_ACTIVE) {
        script.extend(match value {
            Some(value) => [b"export ", name.as_bytes(), b"=", &quoted(value), b"\n"].concat(),
            None => [b"unset ", name.as_bytes(), b"\n"].concat(),
        });
    }
    script.extend(quoted(plan.program.as_os_str()));
    for word in &plan.arguments {
        script.push(b' ');
        script.extend(match word.as_bytes().strip_prefix(b"-fpass-plugin=") {
            Some(_) if plan.block.contains(word) => [b"-fpass-plugin=", quoted(plugin.as_os_str()).as_slice()].concat(),
            _ => quoted(word),
        });
    }
    script.push(b'\n');
    script
}

/// `word` as a shell reads it back.
fn quoted(word: &OsStr) -> Vec<u8> {
    shlex::bytes::try_quote(word.as_bytes()).map_or_else(|_| word.as_bytes().to_vec(), |quoted| quoted.into_owned())
}
