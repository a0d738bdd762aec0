//! What belongs to one `ui_` directory beside its records: code objects, occupancy, clock rate.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use sqtt_contract::funcmap::{self, Row, Text};

use super::code_json;
use super::codebook::Codebook;
use super::diagnostics::{Diagnostics, Kind};
use super::directory::{CodeObjectFile, Directory};
use super::marker::{CodeObjectIndex, CodeObjectKey};
use super::occupancy::{self, Occupancy};
use super::realtime;
use super::wave::{self, Kernel};
use crate::code_object::{self, CodeObject, FileBytes, Limits, SymbolKind};

/// What a directory's files say, in the terms of a [`Codebook`].
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) occupancy: Occupancy,
    pub(super) clock_rate_ghz: Option<f64>,
    pub(super) kernels: BTreeMap<u64, Arc<Kernel>>,
    /// The code object of waves whose kernel is not known: the only one that has a map.
    pub(super) fallback: Option<CodeObjectIndex>,
    /// Its code objects.
    code_objects: Vec<(u64, CodeObjectIndex)>,
}

impl Context {
    /// Reads the files of `directory`.
    pub(super) fn read(directory: &Directory, book: &mut Codebook, diagnostics: &mut Diagnostics) -> Context {
        let mut context = Context {
            occupancy: occupancy_of(&directory.path, diagnostics),
            clock_rate_ghz: clock_rate(&directory.path, diagnostics),
            ..Context::default()
        };
        for file in &directory.code_objects {
            if let Some(index) = load(file, book, diagnostics) {
                context.code_objects.push((file.id, index));
            }
        }
        context.tables(&directory.path, book, diagnostics);
        let mut mapped = context.code_objects.iter().map(|(_, index)| *index);
        let mut mapped = mapped.by_ref().filter(|index| book.map(Some(*index)).is_mapped);
        context.fallback = match (mapped.next(), mapped.next()) {
            (Some(only), None) => Some(only),
            (Some(_), Some(_)) if context.occupancy.kernels.is_empty() => {
                let path = directory.path.display();
                diagnostics.message(format_args!(
                    "`{path}`: several code objects have maps and no `occupancy.json` says which a wave ran; ids stay unknown"
                ));
                None
            }
            _ => None,
        };
        let names = std::mem::take(&mut context.occupancy.kernels);
        for (id, name) in names {
            let kernel = context.kernel(id, &name, directory, book, diagnostics);
            context.kernels.insert(id, Arc::new(kernel));
        }
        context
    }

    /// Whether any of its code objects has a map.
    pub(super) fn has_map(&self, book: &Codebook) -> bool {
        self.code_objects.iter().any(|(_, index)| book.map(Some(*index)).is_mapped)
    }

    /// Whether any of them packs the clock into headers.
    pub(super) fn packs_clock(&self, book: &Codebook) -> bool {
        self.code_objects.iter().any(|(_, index)| book.map(Some(*index)).encoding.has_clock())
    }

    /// The tables of `code.json`, of the code objects that have no map in a file.
    fn tables(&mut self, path: &Path, book: &mut Codebook, diagnostics: &mut Diagnostics) {
        let Some(file) = open(&path.join("code.json"), diagnostics) else { return };
        let tables = match code_json::read(file.bytes()) {
            Ok(tables) => tables,
            Err(malformed) => {
                diagnostics.message(format_args!("`{}`: {malformed}", path.join("code.json").display()));
                return;
            }
        };
        diagnostics.add(Kind::MalformedRow, tables.malformed_rows);
        for (id, rows) in tables.rows {
            if self.code_objects.iter().any(|(known, index)| *known == id && book.map(Some(*index)).is_mapped) {
                continue;
            }
            let name = format!("{}: code object {id}", path.join("code.json").display());
            let map = funcmap::parse(&funcmap::write(rows.iter().collect::<Vec<&Row>>()));
            let key = CodeObjectKey { prefix: Arc::from(""), id };
            let index = book.add(key, Some(&map), &HashMap::new(), Vec::new(), &name, diagnostics);
            self.code_objects.retain(|(known, _)| *known != id);
            self.code_objects.push((id, index));
        }
    }

    fn kernel(
        &self,
        id: u64,
        name: &str,
        directory: &Directory,
        book: &mut Codebook,
        diagnostics: &mut Diagnostics,
    ) -> Kernel {
        let candidates: Vec<CodeObjectIndex> = match unnamed(name) {
            Some(code_object) => {
                self.code_objects.iter().filter(|(id, _)| *id == code_object).map(|(_, index)| *index).collect()
            }
            None => {
                let all = self.code_objects.iter().map(|(_, index)| *index);
                all.filter(|index| {
                    book.map(Some(*index)).kernels.iter().any(|kernel| wave::names(name, kernel.as_bytes()))
                })
                .collect()
            }
        };
        let same = |index: &CodeObjectIndex| book.map(Some(*index)).rows == book.map(candidates.first().copied()).rows;
        let code_object = match candidates.as_slice() {
            [] => {
                if self.fallback.is_some() && unnamed(name).is_none() {
                    let path = directory.path.display();
                    diagnostics.message(format_args!(
                        "`{path}`: kernel `{name}` is in no code object; the only map is taken for it"
                    ));
                }
                let is_mapped = |(_, index): &(u64, CodeObjectIndex)| book.map(Some(*index)).is_mapped;
                if self.fallback.is_none() && self.code_objects.iter().any(is_mapped) {
                    let path = directory.path.display();
                    diagnostics.message(format_args!(
                        "`{path}`: kernel `{name}` is in none of several code objects; its ids stay unknown"
                    ));
                }
                self.fallback
            }
            [first, rest @ ..] if rest.iter().all(same) => Some(*first),
            _ => {
                let path = directory.path.display();
                let count = candidates.len();
                diagnostics.message(format_args!(
                    "`{path}`: kernel `{name}` is in {count} code objects with different maps; its ids stay unknown"
                ));
                None
            }
        };
        let names = book.names.get(&Text::from(name));
        let key = |index: CodeObjectIndex| book.markers.code_object(index).key.clone();
        Kernel {
            id,
            name: names.shown,
            symbol: names.symbol,
            code_object,
            code_object_key: code_object.map(key),
            alternatives: candidates.iter().skip(1).map(|index| key(*index)).collect(),
            is_guessed: candidates.is_empty(),
        }
    }
}

/// The code object in `<code object> / 0x<address>`, which stands for a kernel whose name nobody knew.
fn unnamed(name: &str) -> Option<u64> {
    let (code_object, address) = name.split_once(" / 0x")?;
    u64::from_str_radix(address, 16).ok()?;
    code_object.parse().ok()
}

/// Opens a file that need not be there.
fn open(path: &Path, diagnostics: &mut Diagnostics) -> Option<FileBytes> {
    if !path.exists() {
        return None;
    }
    FileBytes::open(path).map_err(|error| diagnostics.message(error)).ok()
}

fn occupancy_of(path: &Path, diagnostics: &mut Diagnostics) -> Occupancy {
    let path = path.join("occupancy.json");
    let Some(file) = open(&path, diagnostics) else { return Occupancy::default() };
    let occupancy = occupancy::read(file.bytes());
    if let Some(malformed) = &occupancy.malformed {
        diagnostics.message(format_args!("`{}`: {malformed}; what stands before is used", path.display()));
    }
    diagnostics.add(Kind::MalformedRow, occupancy.malformed_rows);
    occupancy
}

fn clock_rate(path: &Path, diagnostics: &mut Diagnostics) -> Option<f64> {
    let path = path.join("realtime.json");
    let file = open(&path, diagnostics)?;
    realtime::read(file.bytes()).unwrap_or_else(|malformed| {
        diagnostics.message(format_args!("`{}`: {malformed}; the clock rate is not known", path.display()));
        None
    })
}

/// The code object in `file`, which is read once for all directories that it belongs to.
fn load(file: &CodeObjectFile, book: &mut Codebook, diagnostics: &mut Diagnostics) -> Option<CodeObjectIndex> {
    if let Some(known) = book.files.get(&file.path) {
        return Some(*known);
    }
    let bytes = FileBytes::open(&file.path).map_err(|error| diagnostics.message(error)).ok()?;
    let name = file.path.display().to_string();
    let contents = code_object::read_with(bytes.bytes(), &Limits::default());
    for problem in &contents.problems {
        diagnostics.message(format_args!("`{name}`: {}", problem.malformed));
    }
    let Some(code_object) = contents.code_objects.first() else {
        if contents.problems.is_empty() {
            diagnostics.message(format_args!("`{name}` holds no code object"));
        }
        return None;
    };
    let (addresses, kernels) = symbols(code_object);
    let key = CodeObjectKey { prefix: file.prefix.as_str().into(), id: file.id };
    let index = book.add(key, code_object.funcmap().as_ref(), &addresses, kernels, &name, diagnostics);
    book.files.insert(file.path.clone(), index);
    Some(index)
}

/// Addresses of the functions, and the kernels; empty where the symbol table cannot be read, as they only add to the map.
fn symbols(code_object: &CodeObject<'_>) -> (HashMap<Text, u64>, Vec<Text>) {
    let symbols = code_object.symbols().unwrap_or_default();
    let functions = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
    let addresses = functions.map(|function| (Text::from(function.name), function.address)).collect();
    let kernels = code_object.kernel_descriptors().unwrap_or_default();
    (addresses, kernels.iter().map(|kernel| Text::from(kernel.kernel)).collect())
}
