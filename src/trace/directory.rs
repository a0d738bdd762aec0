//! Finding traces: `ui_` directories below those that were named, and the files that belong to each.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::diagnostics::Diagnostics;
use super::filenames;
use crate::code_object::FileBytes;

/// How deep below a named directory `ui_` directories are looked for: profilers put host and process between.
const DEPTH: usize = 4;

/// The files of one `ui_` directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directory {
    /// The directory itself.
    pub path: PathBuf,
    /// The agent in its name.
    pub agent: Option<u64>,
    /// The dispatch in its name.
    pub dispatch: Option<u64>,
    /// Files of records by shader engine, in the order of the trace.
    pub shaderdata: BTreeMap<u32, Vec<PathBuf>>,
    /// Files of code objects that belong to it.
    pub code_objects: Vec<CodeObjectFile>,
}

/// `<pid>_<gfx>_code_object_id_<id>.out`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeObjectFile {
    /// The process's number for it.
    pub id: u64,
    /// What stands before `_code_object_id_`.
    pub prefix: String,
    /// The file.
    pub path: PathBuf,
}

/// The `ui_` directories that `named` are or hold, in the order of agents and dispatches, each once.
///
/// What is missing or cannot be read goes to `diagnostics`. Errors: a named directory cannot be read.
pub fn discover(named: &[PathBuf], diagnostics: &mut Diagnostics) -> io::Result<Vec<Directory>> {
    let mut found = Vec::new();
    for path in named {
        let entries = entries(path)?;
        search(path, &entries, DEPTH, &mut found, diagnostics);
    }
    let mut seen = HashSet::new();
    found.retain(|directory: &Directory| {
        seen.insert(fs_err::canonicalize(&directory.path).unwrap_or_else(|_| directory.path.clone()))
    });
    Ok(found)
}

fn search(path: &Path, names: &[OsString], depth: usize, found: &mut Vec<Directory>, diagnostics: &mut Diagnostics) {
    if names.iter().any(|name| shaderdata_name(name).is_some()) || is_listed(path, names) {
        found.push(directory(path, names, diagnostics));
        return;
    }
    if depth == 0 {
        return;
    }
    let mut below: Vec<&OsString> = names.iter().filter(|name| path.join(name).is_dir()).collect();
    below.sort_by_key(|name| natural(&name.to_string_lossy()));
    for name in below {
        let path = path.join(name);
        match entries(&path) {
            Ok(names) => search(&path, &names, depth - 1, found, diagnostics),
            Err(error) => diagnostics.message(error),
        }
    }
}

/// Whether `filenames.json` names files of records, even if none of them is there.
fn is_listed(path: &Path, names: &[OsString]) -> bool {
    names.iter().any(|name| name == "filenames.json")
        && FileBytes::open(&path.join("filenames.json"))
            .is_ok_and(|file| filenames::read(file.bytes()).is_ok_and(|listed| listed.shaderdata.is_some()))
}

/// Names in a directory, sorted.
fn entries(path: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs_err::read_dir(path)? {
        names.push(entry?.file_name());
    }
    names.sort();
    Ok(names)
}

fn directory(path: &Path, names: &[OsString], diagnostics: &mut Diagnostics) -> Directory {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut directory = Directory {
        path: path.to_owned(),
        agent: number_after(&name, "agent_"),
        dispatch: number_after(&name, "dispatch_"),
        shaderdata: shaderdata(path, names, diagnostics),
        code_objects: code_objects(path, names),
    };
    // A relative path is written as it was, so that messages are. Behind a link they lie beside what it leads to.
    let written = path.parent().filter(|parent| !parent.as_os_str().is_empty()).or_else(|| absolute.parent());
    let resolved = fs_err::canonicalize(path).unwrap_or_default();
    for parent in [written, resolved.parent()].into_iter().flatten() {
        if !directory.code_objects.is_empty() {
            break;
        }
        match entries(parent) {
            Ok(names) => {
                directory.code_objects = code_objects(parent, &names);
                of_one_process(&mut directory, &names, diagnostics);
            }
            Err(error) => {
                diagnostics.message(format_args!("{error}; code objects in it are not found"));
                break;
            }
        }
    }
    directory
}

/// The files that `filenames.json` lists, or those that are there.
fn shaderdata(path: &Path, names: &[OsString], diagnostics: &mut Diagnostics) -> BTreeMap<u32, Vec<PathBuf>> {
    let list = path.join("filenames.json");
    let listed = names.iter().any(|name| name == "filenames.json").then(|| FileBytes::open(&list));
    let listed = match listed {
        None => None,
        Some(Err(error)) => {
            diagnostics.message(error);
            None
        }
        Some(Ok(file)) => match filenames::read(file.bytes()) {
            Ok(filenames) => filenames.shaderdata,
            Err(malformed) => {
                diagnostics.message(format_args!("`{}`: {malformed}; files are found by their names", list.display()));
                None
            }
        },
    };
    let Some(listed) = listed else { return by_name(path, names, diagnostics) };
    let (mut engines, mut known) = (BTreeMap::new(), HashSet::new());
    for (engine, files) in listed {
        // A name is one of this directory: what else it could say is nobody's business.
        let paths = files.iter().filter_map(|name| Some(path.join(Path::new(name).file_name()?)));
        engines.insert(engine, paths.filter(|file| is_usable(file, &mut known, diagnostics)).collect());
    }
    for unlisted in names.iter().filter(|name| shaderdata_name(name).is_some()).map(|name| path.join(name)) {
        if !known.contains(&unlisted) {
            let file = unlisted.display();
            diagnostics.message(format_args!(
                "`{file}` is there and not listed in `filenames.json`; its records are left out"
            ));
        }
    }
    engines
}

/// Whether a listed file is there, and not one of those that are `known`, of which it is then.
fn is_usable(file: &Path, known: &mut HashSet<PathBuf>, diagnostics: &mut Diagnostics) -> bool {
    let name = file.display();
    if !known.insert(file.to_owned()) {
        diagnostics.message(format_args!("`{name}` is listed twice in `filenames.json`; it is read once"));
        return false;
    }
    if !file.is_file() {
        diagnostics
            .message(format_args!("`{name}` is listed in `filenames.json` and is not there; its records are missing"));
        return false;
    }
    true
}

/// The files that are there; a gap in their numbers is one that is missing.
fn by_name(path: &Path, names: &[OsString], diagnostics: &mut Diagnostics) -> BTreeMap<u32, Vec<PathBuf>> {
    let mut numbered: Vec<(u32, u64, &OsString)> =
        names.iter().filter_map(|name| shaderdata_name(name).map(|(engine, part)| (engine, part, name))).collect();
    numbered.sort();
    let mut engines: BTreeMap<u32, Vec<PathBuf>> = BTreeMap::new();
    let mut last = None;
    for (engine, part, name) in numbered {
        let next = last.filter(|(of, _)| *of == engine).map_or(0, |(_, part): (u32, u64)| part.saturating_add(1));
        if part > next {
            let file = path.join(format!("shaderdata_{engine}_{next}.json"));
            diagnostics
                .message(format_args!("`{}` is not there and later ones are; records are missing", file.display()));
        }
        last = Some((engine, part));
        engines.entry(engine).or_default().push(path.join(name));
    }
    engines
}

/// Engine and part in `shaderdata_<SE>_<i>.json`.
fn shaderdata_name(name: &OsStr) -> Option<(u32, u64)> {
    let (engine, part) = name.to_str()?.strip_prefix("shaderdata_")?.strip_suffix(".json")?.split_once('_')?;
    Some((engine.parse().ok()?, part.parse().ok()?))
}

fn code_objects(path: &Path, names: &[OsString]) -> Vec<CodeObjectFile> {
    let file = |name: &OsString| {
        let text = name.to_string_lossy();
        let (prefix, id) = text.strip_suffix(".out")?.rsplit_once("_code_object_id_")?;
        Some(CodeObjectFile { id: id.parse().ok()?, prefix: prefix.to_owned(), path: path.join(name) })
    };
    let mut files: Vec<CodeObjectFile> = names.iter().filter_map(file).collect();
    files.sort();
    files
}

/// Leaves the code objects of the process that the trace is of, when several left theirs beside it: the raw trace of the
/// same agent and dispatch, `<pid>_<agent>_shader_engine_<SE>_<dispatch>.att`, has its number.
fn of_one_process(directory: &mut Directory, names: &[OsString], diagnostics: &mut Diagnostics) {
    let process = |prefix: &str| prefix.split('_').next().unwrap_or_default().to_owned();
    let mut processes: Vec<String> = directory.code_objects.iter().map(|file| process(&file.prefix)).collect();
    processes.dedup();
    processes.sort();
    processes.dedup();
    if processes.len() < 2 {
        return;
    }
    let raw = |name: &OsString| {
        let (before, after) = name.to_str()?.strip_suffix(".att")?.rsplit_once("_shader_engine_")?;
        let (owner, agent) = before.rsplit_once('_')?;
        let (_, dispatch) = after.split_once('_')?;
        let same = agent.parse().ok() == directory.agent && dispatch.parse().ok() == directory.dispatch;
        same.then(|| process(owner))
    };
    let mut owners: Vec<String> = names.iter().filter_map(raw).collect();
    owners.sort();
    owners.dedup();
    if let [owner] = owners.as_slice()
        && processes.contains(owner)
    {
        directory.code_objects.retain(|file| process(&file.prefix) == *owner);
        return;
    }
    diagnostics.message(format_args!(
        "`{}`: code objects of {} processes lie beside it and nothing says which it is of; put each run into a directory of its own",
        directory.path.display(),
        processes.len()
    ));
}

/// The number behind `word` in `name`, as in `ui_output_agent_1_dispatch_2`.
fn number_after(name: &str, word: &str) -> Option<u64> {
    let (_, rest) = name.split_once(word)?;
    let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// A key by which `dispatch_10` comes behind `dispatch_9`.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|character: char| character.is_ascii_digit()).unwrap_or(rest.len());
        let (before, from) = rest.split_at(text);
        let digits = from.find(|character: char| !character.is_ascii_digit()).unwrap_or(from.len());
        let (number, after) = from.split_at(digits);
        key.push((0, before.to_owned()));
        key.push((number.parse().unwrap_or(u64::MAX), String::new()));
        rest = after;
    }
    key
}
