//! The code objects that lie beside traces, read when a wave first needs one.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use sqtt_contract::funcmap::Funcmap;

use super::{Automaton, ReadProgram};
use crate::code_object::{self, FileBytes};
use crate::demangle::demangle;
use crate::machine::flow::{self, Flow};
use crate::machine::{Entry, Program};
use crate::trace::{CodeObjectKey, Directory, Kernel};

/// A code object with what is known of its kernels.
pub(super) struct Loaded {
    pub(super) program: Program,
    pub(super) map: Funcmap,
    /// By the kernel's index in the program; nothing where the kernel is too large.
    automata: HashMap<usize, Option<Automaton>>,
}

pub(super) struct Programs<'a> {
    directories: &'a [Directory],
    read: &'a mut ReadProgram<'a>,
    loaded: HashMap<PathBuf, Option<Loaded>>,
    problems: BTreeSet<String>,
}

impl<'a> Programs<'a> {
    pub(super) fn new(directories: &'a [Directory], read: &'a mut ReadProgram<'a>) -> Programs<'a> {
        Programs { directories, read, loaded: HashMap::new(), problems: BTreeSet::new() }
    }

    /// Why code objects could not be looked at, each once.
    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems.into_iter().collect()
    }

    /// The code object `key` of the trace in `directory`; nothing, and a problem told, where it cannot be looked at.
    pub(super) fn load(&mut self, directory: &Path, key: &CodeObjectKey) -> Option<&Loaded> {
        let files = self.directories.iter().filter(|one| one.path == directory).flat_map(|one| &one.code_objects);
        let file = files.into_iter().find(|file| file.id == key.id && *file.prefix == *key.prefix);
        let Some(file) = file else {
            self.problems.insert(format!(
                "`{}`: there is no file of code object {}\nkeep the `*_code_object_id_*.out` files beside the trace",
                directory.display(),
                key.id
            ));
            return None;
        };
        let path = file.path.clone();
        if !self.loaded.contains_key(&path) {
            let loaded = match load(&path, self.read) {
                Ok(loaded) => Some(loaded),
                Err(problem) => {
                    self.problems.insert(problem);
                    None
                }
            };
            self.loaded.insert(path.clone(), loaded);
        }
        self.loaded.get(&path)?.as_ref()
    }
}

fn load(path: &Path, read: &mut ReadProgram<'_>) -> Result<Loaded, String> {
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
    let flow = flow::analyse(&program, &map);
    let automata = automata(&program, &map, &flow);
    Ok(Loaded { program, map, automata })
}

fn automata(program: &Program, map: &Funcmap, flow: &Flow) -> HashMap<usize, Option<Automaton>> {
    let kernels = program.functions.iter().enumerate().filter(|(_, function)| function.entry == Entry::Kernel);
    kernels.map(|(index, _)| (index, Automaton::build(program, map, flow, index))).collect()
}

impl Loaded {
    /// The kernels that the trace can mean: the one of that name; all, when no kernel has it.
    pub(super) fn kernels(&self, kernel: &Kernel) -> Vec<usize> {
        let is_it = |index: &usize| {
            let name = &self.program.functions[*index].name;
            **name == *kernel.symbol || demangle(name.as_bytes()).is_some_and(|name| *name == *kernel.symbol)
        };
        let mut all: Vec<usize> = self.automata.keys().copied().collect();
        all.sort_unstable();
        let named: Vec<usize> = all.iter().copied().filter(is_it).collect();
        if named.is_empty() { all } else { named }
    }

    pub(super) fn automaton(&self, kernel: usize) -> Option<&Automaton> {
        self.automata.get(&kernel)?.as_ref()
    }
}
