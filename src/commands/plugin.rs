//! `sqtt plugin build|path`: the pass plugin for a compiler, built if need be; for build systems that load it
//! themselves (`-fpass-plugin=$(sqtt plugin build)`).

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sqtt_contract::variables;

use crate::config::{Config, OwnFlags, Sources};
use crate::environment::Environment;
use crate::toolchain::{Cache, FindRequest, Llvm, cached_plugin, find_compiler, plugin, probe};

/// The words after `sqtt plugin`.
#[derive(Clone, Debug, clap::Args)]
pub struct PluginArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Action {
    /// Builds the plugin unless it is cached, and prints its path
    Build(Selection),
    /// Prints the path of the cached plugin; never builds
    Path(Selection),
}

/// For which LLVM. Without an option: that of the compiler that `sqtt-hipcc` would find.
#[derive(Clone, Debug, clap::Args)]
struct Selection {
    /// The compiler that will load it
    #[arg(long, value_name = "PATH", conflicts_with = "llvm_prefix")]
    compiler: Option<PathBuf>,
    /// The LLVM that the compiler is built from, such as /usr/lib/llvm-22
    #[arg(long, value_name = "DIR")]
    llvm_prefix: Option<PathBuf>,
}

/// Prints the path as the only line on stdout. Fails as [`crate::toolchain`] does, and `path` when nothing is cached.
pub fn run(args: &PluginArgs, environment: &Environment, own_executable: &Path) -> anyhow::Result<()> {
    let cache = Cache::locate(environment);
    let (Action::Build(selection) | Action::Path(selection)) = &args.action;
    let llvm = selection.llvm(environment, &cache, own_executable)?;
    let plugin = match &args.action {
        Action::Build(_) => plugin::ensure_plugin_as("sqtt", &llvm, environment, &cache)?,
        Action::Path(_) => cached_plugin(&llvm, &cache)?.with_context(|| {
            format!("the plugin for LLVM {} is not built yet\nbuild it with `sqtt plugin build`", llvm.version)
        })?,
    };
    write_line(&plugin.path)
}

impl Selection {
    fn llvm(&self, environment: &Environment, cache: &Cache, own_executable: &Path) -> anyhow::Result<Llvm> {
        if let Some(prefix) = &self.llvm_prefix {
            return Ok(Llvm::in_prefix(prefix)?);
        }
        let explicit = match &self.compiler {
            Some(path) => Some((path.clone(), "--compiler=".to_owned())),
            None => configured(environment)?,
        };
        // The driver stands beside us, perhaps under the name of a compiler; that it is we must not find.
        let driver = own_executable.with_file_name("sqtt-hipcc");
        let own_executable = if driver.is_file() { &driver } else { own_executable };
        let compiler = find_compiler(&FindRequest { explicit, environment, own_executable })?;
        Ok(probe(&compiler, environment, cache)?)
    }
}

/// The compiler that the environment or `sqtt.toml` names, as for `sqtt-hipcc` in this directory.
fn configured(environment: &Environment) -> anyhow::Result<Option<(PathBuf, String)>> {
    let cwd = std::env::current_dir().context("cannot tell which directory this is")?;
    let flags = OwnFlags::default();
    let config = Config::resolve(&Sources { flags: &flags, environment, cwd: &cwd, source_directory: None })?;
    Ok(config.path(variables::HIPCC))
}

/// The bytes of the path, which may be no text, and a newline.
fn write_line(path: &Path) -> anyhow::Result<()> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(path.as_os_str().as_encoded_bytes())?;
    stdout.write_all(b"\n")?;
    Ok(stdout.flush()?)
}
