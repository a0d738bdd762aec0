//! `sqtt plugin build|path`: the pass plugin for a compiler, built if need be; for build systems that load it
//! themselves (`-fpass-plugin=$(sqtt plugin build)`). `sqtt plugin list|clean`: what is in the cache.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sqtt_contract::variables;

use crate::config::{Config, OwnFlags, Sources};
use crate::environment::Environment;
use crate::toolchain::inventory::{self, Extent};
use crate::toolchain::{Cache, FindRequest, Llvm, cached_plugin, find_compiler, plugin, probe};

/// The words after `sqtt plugin`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0, or 2 when it cannot be done, as for `path` when the plugin is not built yet.")]
pub struct PluginArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Action {
    /// Build the plugin unless it is cached, and print its path
    Build(Selection),
    /// Print the path of the cached plugin; never build
    Path(Selection),
    /// List the plugins in the cache and those that came with the programs: for which LLVM, how large, whether still of use
    List,
    /// Remove from the cache what this release of sqtt-hipcc does not use
    Clean(CleanArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct CleanArgs {
    /// Everything, also what is in use; it is built again when it is needed
    #[arg(long)]
    all: bool,
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

/// Prints the path as the only line on stdout, or the list, or what was removed. Fails as [`crate::toolchain`] does, and
/// `path` when nothing is cached.
pub fn run(args: &PluginArgs, environment: &Environment, own_executable: &Path) -> anyhow::Result<()> {
    let cache = Cache::locate(environment).beside(own_executable);
    match &args.action {
        Action::Build(selection) => {
            let llvm = selection.llvm(environment, &cache, own_executable)?;
            write_line(&plugin::ensure_plugin_as("sqtt", &llvm, environment, &cache)?.path)
        }
        Action::Path(selection) => {
            let llvm = selection.llvm(environment, &cache, own_executable)?;
            let plugin = cached_plugin(&llvm, &cache)?.with_context(|| {
                format!("the plugin for LLVM {} is not built yet\nbuild it with `sqtt plugin build`", llvm.version)
            })?;
            write_line(&plugin.path)
        }
        Action::List => list(&cache, &mut std::io::stdout().lock()),
        Action::Clean(args) => clean(&cache, args, &mut std::io::stdout().lock()),
    }
}

fn list(cache: &Cache, out: &mut dyn Write) -> anyhow::Result<()> {
    for entry in inventory::installed(cache).into_iter().chain(inventory::list(cache)?) {
        let llvm = entry.llvm.as_ref().map_or_else(
            || "unknown LLVM".to_owned(),
            |llvm| format!("LLVM {} ({}) in {}", llvm.version, llvm.host.describe(), llvm.prefix.display()),
        );
        let bytes = in_units(entry.bytes);
        writeln!(out, "{llvm}: {}, {bytes}\n  {}", entry.state.describe(), entry.path.display())?;
    }
    let root = cache.root()?;
    Ok(writeln!(out, "{}: {}", root.display(), in_units(inventory::bytes_below(root)))?)
}

fn clean(cache: &Cache, args: &CleanArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let removed = inventory::clean(cache, if args.all { Extent::All } else { Extent::Unused })?;
    for path in &removed.paths {
        writeln!(out, "removed {}", path.display())?;
    }
    Ok(writeln!(out, "{} freed", in_units(removed.bytes))?)
}

/// A length as a person reads it.
fn in_units(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
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
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(path.as_os_str().as_encoded_bytes())?;
    stdout.write_all(b"\n")?;
    Ok(stdout.flush()?)
}
