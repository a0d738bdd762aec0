//! The crates that the plugin is built from: collected below one directory, and used from there without a network.

use std::ffi::OsString;
use std::path::Path;

use super::cargo;
use super::error::ToolchainError;
use crate::environment::Environment;

/// What cargo calls the directory of crates.
const SOURCE: &str = "sqtt-installed";

/// Puts all crates that the lock file in `sources` names below `into`, from cargo's own cache or the registry.
///
/// Fails when there is no cargo, and when it cannot get a crate.
pub fn vendor(sources: &Path, into: &Path, environment: &Environment) -> Result<(), ToolchainError> {
    let cargo = cargo::find(environment)?;
    let failed = |problem: String, said: String| ToolchainError::CratesNotCollected { problem, said };
    let arguments = ["vendor", "--locked", "--versioned-dirs"].map(OsString::from);
    let output = duct::cmd(&cargo, arguments.into_iter().chain([into.as_os_str().to_owned()]))
        .dir(sources)
        .full_env(environment.iter().filter(|(name, _)| cargo::is_passed(name)))
        .stdin_null()
        .stdout_null()
        .stderr_capture()
        .unchecked()
        .run()
        .map_err(|error| failed(format!("cannot run `{}`: {error}", cargo.display()), String::new()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let errors: Vec<&str> = said.lines().filter(|line| !line.trim_start().starts_with("Vendoring")).collect();
    Err(failed(format!("cargo failed ({})", output.status), errors.join("\n")))
}

/// The arguments that make a cargo take the crates below `directory`, and nothing from a network. They outrank the user's
/// own configuration. None for a path that is no text, which they cannot name.
pub(super) fn offline(directory: &Path) -> Option<Vec<OsString>> {
    let directory = toml::Value::from(directory.to_str()?);
    let replaced = format!("source.crates-io.replace-with={}", toml::Value::from(SOURCE));
    let place = format!("source.{SOURCE}.directory={directory}");
    Some(["--offline", "--config", &replaced, "--config", &place].map(OsString::from).into())
}

/// What `.cargo/config.toml` beside the sources says, for builds by hand: the same, relative to it.
pub fn configuration(directory: &str) -> String {
    format!(
        "# Builds take the crates that are here, and need no network.\n\n\
         [source.crates-io]\nreplace-with = \"{SOURCE}\"\n\n[source.{SOURCE}]\ndirectory = \"{directory}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_quotes_stays_one_value() {
        let words = offline(Path::new("/a \"b\"/it's\\c")).unwrap();
        let place = words[4].to_str().unwrap().parse::<toml::Table>().unwrap();
        assert_eq!(place["source"][SOURCE]["directory"].as_str(), Some("/a \"b\"/it's\\c"));
    }
}
