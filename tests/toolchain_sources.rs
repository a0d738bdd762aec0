//! What is embedded in the driver, and how it gets to disk.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sqtt_contract::variables;
use sqtt_hipcc::toolchain::sources::{HEADERS, PLUGIN, SourceTree};
use sqtt_hipcc::toolchain::{Cache, Plugin, ensure_headers};
use support::{Sandbox, environment};

fn text(tree: &SourceTree, path: &str) -> &'static str {
    let file = tree.files.iter().find(|file| file.path == path);
    std::str::from_utf8(file.unwrap_or_else(|| panic!("{path} is not embedded")).bytes).unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files that git would list below `directory`.
fn files_below(directory: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let entries = entries.filter(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name != "target" && !name.starts_with('.') && !name.ends_with('~')
    });
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { BTreeSet::from([path]) }).collect()
}

#[test]
fn everything_in_plugin_and_headers_is_embedded_as_it_is() {
    for (tree, from, generated) in [(&PLUGIN, root(), 2), (&HEADERS, root().join("headers"), 0)] {
        let directory = if generated > 0 { from.join("plugin") } else { from.clone() };
        let expected = files_below(&directory);
        assert!(!expected.is_empty());
        assert_eq!(tree.files.len(), expected.len() + generated, "{}", directory.display());
        for path in expected {
            let name = path.strip_prefix(&from).unwrap().to_str().unwrap();
            assert_eq!(text(tree, name), std::fs::read_to_string(&path).unwrap(), "{name}");
        }
    }
    text(&HEADERS, "markers.hpp");
}

#[test]
fn the_embedded_manifest_is_ours_without_the_root_package() {
    let embedded: toml::Table = text(&PLUGIN, "Cargo.toml").parse().unwrap();
    let ours: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(embedded.keys().collect::<Vec<_>>(), ["profile", "workspace"]);
    assert_eq!(embedded["profile"], ours["profile"]);
    for table in ["package", "dependencies", "lints", "resolver"] {
        assert_eq!(embedded["workspace"][table], ours["workspace"][table], "{table}");
    }
    let members: Vec<_> = embedded["workspace"]["members"].as_array().unwrap().iter().collect();
    assert_eq!(members, [&"plugin".into(), &"plugin/contract".into()]);
}

#[test]
fn the_embedded_lock_file_holds_our_versions_of_what_the_plugin_needs() {
    let packages = |lock: &str| -> Vec<toml::Value> {
        let mut lock: toml::Table = lock.parse().unwrap();
        lock.remove("package").unwrap().as_array().unwrap().clone()
    };
    let ours = packages(&std::fs::read_to_string(root().join("Cargo.lock")).unwrap());
    let embedded = packages(text(&PLUGIN, "Cargo.lock"));
    let is_ours = |package: &toml::Value| {
        ours.iter().any(|own| ["name", "version", "checksum"].iter().all(|key| own.get(key) == package.get(key)))
    };
    assert!(embedded.iter().all(is_ours));
    let has = |name: &str| embedded.iter().any(|package| package["name"].as_str() == Some(name));
    for needed in ["sqtt-instrument-pass", "sqtt-contract", "inkwell", "llvm-sys", "cc"] {
        assert!(has(needed), "{needed}");
    }
    for other in ["sqtt-hipcc", "clap", "duct"] {
        assert!(!has(other), "{other}");
    }
}

/// A package that the root alone gives another feature may be locked with a dependency that the plugin has no use for;
/// cargo would not build from such a lock file.
#[test]
fn cargo_takes_the_embedded_lock_file_as_it_is() {
    let sandbox = Sandbox::new();
    let sources = PLUGIN.materialise(&sandbox.path("src")).unwrap();
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1"]).current_dir(sources);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_headers_are_put_into_the_cache_once() {
    let sandbox = Sandbox::new();
    let cache = Cache::at(sandbox.path("cache"));
    let directory = ensure_headers(&cache).unwrap();
    let header = directory.join("markers.hpp");
    assert_eq!(std::fs::read_to_string(&header).unwrap(), text(&HEADERS, "markers.hpp"));
    let written = header.metadata().unwrap().modified().unwrap();
    assert_eq!(ensure_headers(&cache).unwrap(), directory);
    assert_eq!(header.metadata().unwrap().modified().unwrap(), written);
    let entries = std::fs::read_dir(sandbox.path("cache/include")).unwrap();
    assert_eq!(entries.count(), 1, "nothing temporary is left");
}

#[test]
fn headers_that_someone_deleted_or_cut_are_put_back() {
    let sandbox = Sandbox::new();
    let cache = Cache::at(sandbox.path("cache"));
    let header = ensure_headers(&cache).unwrap().join("markers.hpp");
    std::fs::remove_file(&header).unwrap();
    ensure_headers(&cache).unwrap();
    assert_eq!(std::fs::read_to_string(&header).unwrap(), text(&HEADERS, "markers.hpp"));
    std::fs::write(&header, "").unwrap();
    ensure_headers(&cache).unwrap();
    assert_eq!(std::fs::read_to_string(&header).unwrap(), text(&HEADERS, "markers.hpp"));
}

#[test]
fn many_threads_put_the_headers_into_one_place() {
    let sandbox = Sandbox::new();
    let cache = Cache::at(sandbox.path("cache"));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| ensure_headers(&cache).unwrap())).collect();
        for thread in threads {
            let header = thread.join().unwrap().join("markers.hpp");
            assert_eq!(std::fs::read_to_string(header).unwrap(), text(&HEADERS, "markers.hpp"));
        }
    });
    assert_eq!(std::fs::read_dir(sandbox.path("cache/include")).unwrap().count(), 1);
}

#[test]
fn headers_that_cannot_be_put_anywhere_are_an_error_that_names_the_variable() {
    let sandbox = Sandbox::new();
    let cache = Cache::at(sandbox.file("a file", "").join("cache"));
    let message = ensure_headers(&cache).unwrap_err().to_string();
    assert!(message.contains(&format!("set `{}`", variables::CACHE_DIR)), "{message}");
}

#[test]
fn the_cache_is_where_the_user_says_or_in_the_users_cache_directory() {
    let root = |variables: &[(&'static str, &str)]| {
        Cache::locate(&environment(variables.iter().copied())).root().unwrap().to_owned()
    };
    let home = ("HOME", "/home/user");
    assert_eq!(root(&[(variables::CACHE_DIR, "/own"), ("XDG_CACHE_HOME", "/xdg"), home]), Path::new("/own"));
    assert_eq!(root(&[(variables::CACHE_DIR, ""), ("XDG_CACHE_HOME", "/xdg"), home]), Path::new("/xdg/sqtt-hipcc"));
    let in_home = Path::new("/home/user/.cache/sqtt-hipcc");
    assert_eq!(root(&[("XDG_CACHE_HOME", "relative"), home]), in_home);
    assert_eq!(root(&[("XDG_CACHE_HOME", ""), home]), in_home);
}

#[test]
fn a_plugin_of_the_user_is_known_by_its_contents() {
    let sandbox = Sandbox::new();
    let plugin = |name: &str| Plugin::from_path(&sandbox.path(name)).unwrap();
    for (name, contents) in [("a.so", "one"), ("b.so", "one"), ("c.so", "two")] {
        sandbox.file(name, contents);
    }
    assert_eq!(plugin("a.so").path, sandbox.path("a.so"));
    assert_eq!(plugin("a.so").digest, plugin("b.so").digest);
    assert_ne!(plugin("a.so").digest, plugin("c.so").digest);
    assert!(Plugin::from_path(Path::new("Cargo.toml")).unwrap().path.is_absolute());
    for bad in ["missing.so", ""] {
        let message = Plugin::from_path(&sandbox.path(bad)).unwrap_err().to_string();
        assert!(message.contains("cannot read the plugin") && message.contains("sqtt plugin build"), "{message}");
    }
}
