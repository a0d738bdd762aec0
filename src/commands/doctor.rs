//! `sqtt doctor`: whether `sqtt-hipcc` would work here, with what, and what to install if not; on one screen.
//!
//! It goes the way of a compile and stops at nothing: what is missing is said, and what can still be looked at is.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sqtt_contract::variables;

use crate::config::{Config, ConfigError, Origin, OwnFlags, Sources};
use crate::environment::Environment;
use crate::toolchain::{
    Cache, Compiler, FindRequest, Llvm, Plugin, ToolchainError, cached_plugin, check_build_tools, device_libraries,
    ensure_headers, find_compiler, own_headers, probe,
};

/// The arguments of `sqtt doctor`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit status: 0 when a compile would work, 1 when something is missing.")]
pub struct DoctorArgs {
    /// The compiler to look at, instead of the one that sqtt-hipcc would find
    #[arg(long, value_name = "PATH")]
    compiler: Option<PathBuf>,
}

/// What is known of the process.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// The working directory.
    pub cwd: &'a Path,
    /// The file of the running program.
    pub own_executable: &'a Path,
}

/// Prints the report; whether a compile would work. Fails when it cannot write.
pub fn run(args: &DoctorArgs, surroundings: &Surroundings<'_>, out: &mut dyn Write) -> io::Result<bool> {
    let mut report = Report { out, is_well: true };
    report.line("sqtt-hipcc", &[env!("CARGO_PKG_VERSION").to_owned()])?;
    let config = report.settings(surroundings)?;
    let cache = report.cache(surroundings)?;
    let llvm = match report.compiler(args, surroundings, &config)? {
        Some(compiler) => {
            let llvm = report.llvm(&compiler, surroundings.environment, &cache)?;
            report.device_libraries(&compiler, surroundings.environment)?;
            llvm
        }
        None => None,
    };
    report.plugin(llvm.as_ref(), &config, surroundings.environment, &cache)?;
    report.headers(&config, &cache)?;
    let verdict = if report.is_well { "it would work" } else { "it would not work: see the lines with `!`" };
    writeln!(report.out, "\n{verdict}")?;
    Ok(report.is_well)
}

struct Report<'a> {
    out: &'a mut dyn Write,
    is_well: bool,
}

impl Report<'_> {
    fn line(&mut self, what: &str, lines: &[String]) -> io::Result<()> {
        self.lines(' ', what, lines)
    }

    /// What keeps a compile from working; the last line of the message says what to do.
    fn missing(&mut self, what: &str, message: &str) -> io::Result<()> {
        self.is_well = false;
        self.lines('!', what, &message.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    fn lines(&mut self, mark: char, what: &str, lines: &[String]) -> io::Result<()> {
        for (index, line) in lines.iter().enumerate() {
            let (mark, what) = if index == 0 { (mark, what) } else { (' ', "") };
            writeln!(self.out, "{mark} {what:<17} {line}")?;
        }
        Ok(())
    }

    /// The settings that differ from their default, or why there are none.
    fn settings(&mut self, surroundings: &Surroundings<'_>) -> io::Result<Config> {
        let flags = OwnFlags::default();
        let Surroundings { environment, cwd, .. } = *surroundings;
        let config = Config::resolve(&Sources { flags: &flags, environment, cwd, source_directory: None });
        let config = match config {
            Ok(config) => config,
            Err(error) => {
                self.missing("settings", &describe(&error))?;
                return Ok(Config::default());
            }
        };
        let file = config.file.as_ref().map_or_else(|| "no sqtt.toml".to_owned(), |file| file.display().to_string());
        let mut lines = vec![file];
        lines.extend(config.profile.iter().map(|profile| format!("profile `{profile}`")));
        for (variable, value, origin) in config.rows().filter(|(.., origin)| *origin != Origin::Default) {
            lines.push(format!("{} = {}  ({origin})", variable.key.unwrap_or(variable.name), value.display()));
        }
        let overrides = config.overrides().count();
        lines.extend((overrides > 0).then(|| format!("{overrides} overrides: see `sqtt config show`")));
        lines.extend(config.warnings.iter().map(|warning| format!("warning: {warning}")));
        lines.extend(config.hints.iter().map(|hint| format!("hint: {hint}")));
        self.line("settings", &lines)?;
        Ok(config)
    }

    fn cache(&mut self, surroundings: &Surroundings<'_>) -> io::Result<Cache> {
        let cache = Cache::locate(surroundings.environment).beside(surroundings.own_executable);
        match cache.root() {
            Ok(root) => self.line("cache", &[root.display().to_string()])?,
            Err(error) => self.missing("cache", &error.to_string())?,
        }
        Ok(cache)
    }

    fn compiler(
        &mut self,
        args: &DoctorArgs,
        surroundings: &Surroundings<'_>,
        config: &Config,
    ) -> io::Result<Option<Compiler>> {
        let explicit = match &args.compiler {
            Some(path) => Some((path.clone(), "--compiler=".to_owned())),
            None => config.path(variables::HIPCC),
        };
        let origin = explicit.as_ref().map_or_else(|| "found".to_owned(), |(_, origin)| format!("by {origin}"));
        // The driver stands beside us, perhaps under the name of a compiler; that one is not the real one.
        let driver = surroundings.own_executable.with_file_name("sqtt-hipcc");
        let own_executable = if driver.is_file() { &driver } else { surroundings.own_executable };
        let request = FindRequest { explicit, environment: surroundings.environment, own_executable };
        let found = find_compiler(&request).map(|found| {
            let line = format!("{} ({origin})", found.path.display());
            (found, vec![line])
        });
        self.found("compiler", found)
    }

    fn llvm(&mut self, compiler: &Compiler, environment: &Environment, cache: &Cache) -> io::Result<Option<Llvm>> {
        let llvm = probe(compiler, environment, cache).map(|llvm| {
            let line = format!("{} ({}) in {}", llvm.version, llvm.host.describe(), llvm.prefix.display());
            (llvm, vec![line])
        });
        self.found("LLVM", llvm)
    }

    fn device_libraries(&mut self, compiler: &Compiler, environment: &Environment) -> io::Result<()> {
        let libraries = device_libraries(compiler, environment);
        self.found("device libraries", libraries.map(|directory| ((), vec![directory.display().to_string()])))?;
        Ok(())
    }

    /// The plugin that a compile would load: the user's, the cached one, or one that can be built.
    fn plugin(
        &mut self,
        llvm: Option<&Llvm>,
        config: &Config,
        environment: &Environment,
        cache: &Cache,
    ) -> io::Result<()> {
        if let Some((path, origin)) = config.path(variables::PLUGIN) {
            let plugin = Plugin::from_path(&path);
            self.found("plugin", plugin.map(|found| ((), vec![format!("{} (by {origin})", found.path.display())])))?;
            return Ok(());
        }
        let Some(llvm) = llvm else {
            return self.line("plugin", &["unknown without a compiler and its LLVM".to_owned()]);
        };
        let cached = match cached_plugin(llvm, cache) {
            Ok(cached) => cached,
            Err(error) => return self.missing("plugin", &error.to_string()),
        };
        self.line("LLVM headers", &[llvm.config_header().display().to_string()])?;
        if let Some(plugin) = cached {
            return self.line("plugin", &[plugin.path.display().to_string()]);
        }
        let tools = check_build_tools(llvm, environment).map(|tools| {
            let tools = tools.iter().map(|tool| tool.display().to_string()).collect::<Vec<_>>().join(", ");
            ((), vec![format!("is built on first use, or by `sqtt plugin build`, with {tools}")])
        });
        self.found("plugin", tools)?;
        Ok(())
    }

    fn headers(&mut self, config: &Config, cache: &Cache) -> io::Result<()> {
        let headers = match config.path(variables::HEADERS) {
            Some((path, origin)) => own_headers(&path, &origin),
            None => ensure_headers(cache),
        };
        self.found("markers.hpp", headers.map(|directory| ((), vec![directory.display().to_string()])))?;
        Ok(())
    }

    /// The lines of what was found, or why it was not.
    fn found<T>(&mut self, what: &str, found: Result<(T, Vec<String>), ToolchainError>) -> io::Result<Option<T>> {
        match found {
            Ok((found, lines)) => {
                self.line(what, &lines)?;
                Ok(Some(found))
            }
            Err(error) => {
                self.missing(what, &error.to_string())?;
                Ok(None)
            }
        }
    }
}

/// A message of the settings, with what it means here.
fn describe(error: &ConfigError) -> String {
    format!("{error}\nevery call of sqtt-hipcc fails until that is corrected; below, no setting is in force")
}
