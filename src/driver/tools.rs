//! What an instrumented call is given: plugin, headers, stamp; and whether the plugin is the user's own.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sqtt_contract::{funcmap, variables};

use super::Call;
use super::stamp::{Cause, Stamp};
use crate::config::{Config, Origin};
use crate::environment::Environment;
use crate::invocation::flags::Stage;
use crate::invocation::{Reading, Work, response};
use crate::plan::{INCLUDE_PATH, Off, PluginSource, Tools};
use crate::toolchain::cache::{Cache, write_whole};
use crate::toolchain::identity::KeyDigest;
use crate::toolchain::{
    Compiler, CompilerKind, Plugin, ToolchainError, cached_plugin, ensure_headers, ensure_plugin, own_headers, probe,
};

/// How hipcc is given flags that are not on its command line.
const COMPILE_FLAGS: &str = "HIPCC_COMPILE_FLAGS_APPEND";
/// The same for the link.
const LINK_FLAGS: &str = "HIPCC_LINK_FLAGS_APPEND";

/// What the call is given. Builds the plugin and writes the stamp if it must, unless the plan is only printed.
pub(super) fn tools(
    call: &Call,
    config: &Config,
    compiler: &Compiler,
    reading: &Reading,
    work: &Work,
    only_print: bool,
) -> Result<Tools, ToolchainError> {
    if let Some(plugin) = users_plugin(call, compiler, reading) {
        return Ok(Tools { plugin, headers: None, stamp: None });
    }
    let cache = Cache::locate(&call.environment).beside(&call.own_executable);
    let (plugin, digest) = match work.only_reads() {
        // What lists dependencies or checks a file must not wait for a build, nor fail with it.
        true => (PluginSource::Unneeded, None),
        false => our_plugin(call, config, compiler, &cache, only_print)?,
    };
    let headers = match config.path(variables::HEADERS) {
        Some((path, origin)) => own_headers(&path, &origin)?,
        None => ensure_headers(&cache)?,
    };
    let stamp = match &digest {
        Some(plugin) => {
            let cause = Cause::Instrumented { plugin, headers: headers.as_os_str() };
            let stamp = Stamp::of(&cause, compiler, config, &cache)?;
            if !only_print {
                stamp.write()?;
            }
            Some(stamp.path)
        }
        None => None,
    };
    Ok(Tools { plugin, headers: Some(headers), stamp })
}

/// What a call gets that is switched off and would do `work`. Nothing in it can fail: a call is also switched off because
/// something fails.
pub(super) fn off(call: &Call, config: &Config, compiler: &Compiler, work: &Work) -> Off {
    let include_path = if work.preprocesses { include_path_of_off(call, config) } else { None };
    let stamp = if work.cacheable { stamp_of_off(call, config, compiler) } else { None };
    Off { include_path, stamp }
}

fn include_path_of_off(call: &Call, config: &Config) -> Option<OsString> {
    let headers = match config.path(variables::HEADERS) {
        Some((path, origin)) => own_headers(&path, &origin),
        None => ensure_headers(&Cache::locate(&call.environment).beside(&call.own_executable)),
    };
    let headers = headers.inspect_err(|error| tracing::debug!(%error, "the headers are not found")).ok()?;
    let before = call.environment.get_non_empty(INCLUDE_PATH).map(std::env::split_paths).into_iter().flatten();
    std::env::join_paths(before.chain([headers])).ok()
}

/// The stamp of a HIP compile that is switched off where a cache in front of us cannot see it; `None` for one that is
/// switched off by a flag, and where there is no cache to write it to.
fn stamp_of_off(call: &Call, config: &Config, compiler: &Compiler) -> Option<PathBuf> {
    if matches!(config.off()?, Origin::Flag(_)) {
        return None;
    }
    let stamp = Stamp::of(&Cause::Off, compiler, config, &Cache::locate(&call.environment)).ok()?;
    match stamp.write() {
        Ok(()) => Some(stamp.path),
        Err(error) => {
            tracing::debug!(%error, "a compiler cache may keep what is compiled now");
            None
        }
    }
}

/// Our plugin, and its digest unless it is not built yet.
fn our_plugin(
    call: &Call,
    config: &Config,
    compiler: &Compiler,
    cache: &Cache,
    only_print: bool,
) -> Result<(PluginSource, Option<String>), ToolchainError> {
    if let Some((path, origin)) = config.path(variables::PLUGIN) {
        let plugin = given_plugin(&path, cache)?;
        return Ok((PluginSource::Given { path: plugin.path, origin }, Some(plugin.digest)));
    }
    let llvm = probe(compiler, &call.environment, cache)?;
    let plugin = match cached_plugin(&llvm, cache)? {
        None if !only_print => Some(ensure_plugin(&llvm, &call.environment, cache)?),
        plugin => plugin,
    };
    Ok(match plugin {
        Some(plugin) => (PluginSource::Cached { path: plugin.path, llvm: llvm.version }, Some(plugin.digest)),
        None => (PluginSource::ToBuild { llvm: llvm.version }, None),
    })
}

/// The plugin that a setting names. Its digest, which takes longer than all else that is done here, is remembered for
/// the file in the state that it is in.
fn given_plugin(path: &Path, cache: &Cache) -> Result<Plugin, ToolchainError> {
    let entry = path.metadata().ok().zip(cache.root().ok()).map(|(file, root)| {
        let mut key = KeyDigest::default();
        key.part("digest 1").file(path).bytes(&file.ctime().to_le_bytes()).bytes(&file.ctime_nsec().to_le_bytes());
        root.join("digest").join(key.finish())
    });
    let remembered = entry.as_deref().and_then(|entry| std::fs::read_to_string(entry).ok());
    if let (Some(digest), Ok(path)) = (remembered.filter(|digest| !digest.is_empty()), std::path::absolute(path)) {
        return Ok(Plugin { path, digest });
    }
    let plugin = Plugin::from_path(path)?;
    if let Some(Err(error)) = entry.map(|entry| write_whole(&entry, plugin.digest.as_bytes())) {
        tracing::debug!(%error, "the plugin's digest is not remembered");
    }
    Ok(plugin)
}

/// The marker plugin, ours or another maker's, that the user has the compiler load: two of them would mark twice.
fn users_plugin(call: &Call, compiler: &Compiler, reading: &Reading) -> Option<PluginSource> {
    let typed = reading.plugins.iter().map(|path| (path.clone(), "-fpass-plugin=".to_owned()));
    let appended = appended_to_hipcc(&call.environment, compiler, reading);
    let mut plugins = typed.chain(appended).map(|(path, origin)| (call.cwd.join(path), origin));
    plugins.find(|(path, _)| is_marker_plugin(path)).map(|(path, origin)| PluginSource::Users { path, origin })
}

/// The pass plugins in the variables that hipcc adds to its command line.
fn appended_to_hipcc(
    environment: &Environment,
    compiler: &Compiler,
    reading: &Reading,
) -> impl Iterator<Item = (OsString, String)> {
    appended_words(environment, compiler, reading)
        .flat_map(|(name, words)| Reading::plugins_in(&words).into_iter().map(move |path| (path, name.to_owned())))
}

/// Whether those variables take architectures back that the command line names.
pub(super) fn appended_takes_targets_back(environment: &Environment, compiler: &Compiler, reading: &Reading) -> bool {
    appended_words(environment, compiler, reading).any(|(_, words)| Reading::takes_targets_back(&words))
}

/// The variables that hipcc adds to its command line, and their words.
fn appended_words(
    environment: &Environment,
    compiler: &Compiler,
    reading: &Reading,
) -> impl Iterator<Item = (&'static str, Vec<OsString>)> {
    let is_read =
        |name: &&str| compiler.kind == CompilerKind::Hipcc && (*name == COMPILE_FLAGS || reading.stage == Stage::Link);
    [COMPILE_FLAGS, LINK_FLAGS].into_iter().filter(is_read).map(|name| {
        let value = environment.get_non_empty(name).unwrap_or_default();
        (name, response::split(value.as_encoded_bytes()))
    })
}

/// Whether a pass plugin is one for markers: by its name, else because it names the section of the map.
fn is_marker_plugin(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let section = funcmap::SECTION.as_bytes();
    name.contains("sqtt")
        || std::fs::read(path).is_ok_and(|bytes| bytes.windows(section.len()).any(|window| window == section))
}
