//! Embeds what `sqtt-hipcc` needs at run time beyond its own code: the sources of the pass plugin, as a small cargo
//! workspace of its own, and the device headers.
//!
//! Writes `embedded.rs` to `OUT_DIR` (included by `src/toolchain/sources.rs`): two tables of (relative path, bytes)
//! and the digest of each. It reads nothing but this repository.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toml::{Table, Value};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The packages of the embedded workspace; the first is the one that is built.
const MEMBERS: [(&str, &str); 2] = [("plugin", "sqtt-instrument-pass"), ("plugin/contract", "sqtt-contract")];

/// A file to embed: its path in the embedded tree and where its bytes are now.
type Embedded = (String, PathBuf);

fn main() -> Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    for watched in ["build.rs", "plugin", "headers", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={watched}");
    }

    let manifest = out.join("workspace.toml");
    fs::write(&manifest, workspace_manifest(&fs::read_to_string(root.join("Cargo.toml"))?)?)?;
    let lock = out.join("workspace.lock");
    fs::write(&lock, workspace_lock(&fs::read_to_string(root.join("Cargo.lock"))?)?)?;

    let mut plugin = vec![("Cargo.toml".to_owned(), manifest), ("Cargo.lock".to_owned(), lock)];
    collect(&root, Path::new("plugin"), &mut plugin)?;
    let mut headers = Vec::new();
    collect(&root.join("headers"), Path::new(""), &mut headers)?;

    let mut code = String::new();
    table(&mut code, "PLUGIN", plugin)?;
    table(&mut code, "HEADERS", headers)?;
    fs::write(out.join("embedded.rs"), code)?;
    Ok(())
}

/// The root manifest of the embedded workspace: our `[workspace.*]` and `[profile.*]` tables, without the root package.
fn workspace_manifest(ours: &str) -> Result<String> {
    let mut ours: Table = ours.parse()?;
    let Some(Value::Table(mut workspace)) = ours.remove("workspace") else {
        return Err("Cargo.toml has no [workspace] table".into());
    };
    workspace.remove("default-members");
    workspace.insert("members".to_owned(), MEMBERS.iter().map(|(path, _)| *path).collect::<Vec<_>>().into());
    let mut manifest = Table::new();
    manifest.insert("workspace".to_owned(), Value::Table(workspace));
    if let Some(profile) = ours.remove("profile") {
        manifest.insert("profile".to_owned(), profile);
    }
    Ok(toml::to_string(&manifest)?)
}

/// `Cargo.lock` without the packages that only the root package needs: cargo refuses a superfluous entry under
/// `--locked`.
fn workspace_lock(ours: &str) -> Result<String> {
    let mut lock: Table = ours.parse()?;
    let Some(Value::Array(packages)) = lock.remove("package") else {
        return Err("Cargo.lock lists no packages".into());
    };
    let mut wanted: Vec<String> = MEMBERS.iter().map(|(_, name)| (*name).to_owned()).collect();
    let mut kept = BTreeSet::new();
    while let Some(reference) = wanted.pop() {
        // A reference is `name`, or `name version` (`name version source`) where the name alone is ambiguous.
        let mut words = reference.split(' ');
        let (name, version) = (words.next(), words.next());
        for (index, package) in packages.iter().enumerate() {
            let field = |key| package.get(key).and_then(Value::as_str);
            if field("name") == name && (version.is_none() || field("version") == version) && kept.insert(index) {
                let dependencies = package.get("dependencies").and_then(Value::as_array);
                wanted.extend(dependencies.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
            }
        }
    }
    let mut kept: Vec<Value> = kept.into_iter().map(|index| packages[index].clone()).collect();
    name_briefly(&mut kept);
    lock.insert("package".to_owned(), Value::Array(kept));
    Ok(toml::to_string(&lock)?)
}

/// Takes the versions out of references to packages of which only one version is left: cargo writes a version where the
/// name alone is ambiguous, and takes any other lock file for one that has to be updated.
fn name_briefly(packages: &mut [Value]) {
    let names: Vec<String> =
        packages.iter().filter_map(|package| Some(package.get("name")?.as_str()?.to_owned())).collect();
    let is_one = |name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let dependencies = packages.iter_mut().filter_map(|package| package.get_mut("dependencies")?.as_array_mut());
    for reference in dependencies.flatten() {
        if let Some((name, _)) = reference.as_str().and_then(|reference| reference.split_once(' '))
            && is_one(name)
        {
            *reference = Value::from(name.to_owned());
        }
    }
}

/// Adds the files under `root`/`directory`, but no hidden file, no editor backup and no `target` directory.
fn collect(root: &Path, directory: &Path, files: &mut Vec<Embedded>) -> Result<()> {
    let here = root.join(directory);
    let entries = fs::read_dir(&here).map_err(|error| format!("cannot list {}: {error}", here.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| format!("not UTF-8: {}", name.display()))?;
        if name.starts_with('.') || name.ends_with('~') || name == "target" {
            continue;
        }
        let path = directory.join(&name);
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push((path.to_str().ok_or("not UTF-8")?.to_owned(), entry.path()));
        }
    }
    Ok(())
}

/// Writes one table and its digest, in the order of the paths.
fn table(code: &mut String, name: &str, mut files: Vec<Embedded>) -> Result<()> {
    files.sort();
    let mut digest = Sha256::new();
    writeln!(code, "static {name}_FILES: &[SourceFile] = &[")?;
    for (path, from) in &files {
        let bytes = fs::read(from)?;
        for field in [path.as_bytes(), &bytes] {
            digest.update((field.len() as u64).to_le_bytes());
            digest.update(field);
        }
        let from = from.to_str().ok_or("the path of this repository is not UTF-8")?;
        writeln!(code, "    SourceFile {{ path: {path:?}, bytes: include_bytes!({from:?}) }},")?;
    }
    let digest = digest.finalize().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    writeln!(code, "];\nstatic {name}_DIGEST: &str = {digest:?};")?;
    Ok(())
}
