//! The code objects that lie beside traces, read when a wave first needs one.
//!
//! Nothing here starts a process: whoever asks passes what reads machine code.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use sqtt_contract::funcmap::Funcmap;

use crate::code_object::{self, CodeObject, FileBytes, Target};
use crate::machine::Program;
use crate::trace::{CodeObjectKey, Directory};

/// Reads the machine code of a code object; the error says why that cannot be.
pub type ReadProgram<'a> = dyn FnMut(&CodeObject<'_>) -> Result<Program, String> + 'a;

/// What is made of a code object: from its machine code, its map and its GPU.
pub type Make<T> = fn(Program, Funcmap, &Target) -> T;

/// The code objects of traces, each read once, as a `T` each.
pub struct Programs<'a, T> {
    directories: &'a [Directory],
    read: &'a mut ReadProgram<'a>,
    make: Make<T>,
    loaded: HashMap<PathBuf, Option<T>>,
    problems: BTreeSet<String>,
}

impl<'a, T> Programs<'a, T> {
    /// Those of the traces in `directories`.
    pub fn new(directories: &'a [Directory], read: &'a mut ReadProgram<'a>, make: Make<T>) -> Programs<'a, T> {
        Programs { directories, read, make, loaded: HashMap::new(), problems: BTreeSet::new() }
    }

    /// Why code objects could not be looked at, each once: lines, the last of which says what to do.
    pub fn into_problems(self) -> Vec<String> {
        self.problems.into_iter().collect()
    }

    /// The code object `key` of the trace in `directory`; nothing, and a problem told, where it cannot be looked at.
    pub fn load(&mut self, directory: &Path, key: &CodeObjectKey) -> Option<&T> {
        let Some(path) = find(self.directories, directory, key) else {
            self.problems.insert(format!(
                "`{}`: there is no file of code object {}\nkeep the `*_code_object_id_*.out` files beside the trace",
                directory.display(),
                key.id
            ));
            return None;
        };
        if !self.loaded.contains_key(path) {
            let loaded = match load(path, self.read, self.make) {
                Ok(loaded) => Some(loaded),
                Err(problem) => {
                    self.problems.insert(problem);
                    None
                }
            };
            self.loaded.insert(path.to_owned(), loaded);
        }
        self.loaded.get(path)?.as_ref()
    }
}

/// The file of the code object `key` of the trace in `directory`.
pub fn find<'a>(directories: &'a [Directory], directory: &Path, key: &CodeObjectKey) -> Option<&'a Path> {
    let files = directories.iter().filter(|one| one.path == directory).flat_map(|one| &one.code_objects);
    let file = files.into_iter().find(|file| file.id == key.id && *file.prefix == *key.prefix)?;
    Some(&file.path)
}

fn load<T>(path: &Path, read: &mut ReadProgram<'_>, make: Make<T>) -> Result<T, String> {
    let bytes = FileBytes::open(path).map_err(|error| error.to_string())?;
    let contents = code_object::read(bytes.bytes());
    let [code_object] = contents.code_objects.as_slice() else {
        return Err(format!(
            "`{}` holds {} code objects, not one\ngive the file that the profiler wrote",
            path.display(),
            contents.code_objects.len()
        ));
    };
    let Some(map) = code_object.funcmap() else {
        return Err(format!("`{}` has no marker map\ncompile it with `sqtt-hipcc`", path.display()));
    };
    let program = read(code_object).map_err(|problem| format!("`{}`: {problem}", path.display()))?;
    Ok(make(program, map, code_object.target()))
}
