//! What `code.json` and the files of records lack, written from the code objects: the marker maps as tables, and records
//! whose packed clocks are taken out and made good for.

mod object;
mod records;
mod tables;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use self::object::Object;
use self::records::{Records, Written};
use self::tables::Tables;
use super::whole_file::WholeFile;
use crate::code_object::{self, FileBytes, Limits};
use crate::trace::{self, Diagnostics, Directory, Malformed};

/// What is written, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Replace the originals; beside them by default, `code.annotated.json`.
    pub is_in_place: bool,
    /// Leave records as they are: packed values, and the times at which they arrived.
    pub is_raw: bool,
}

/// Why a directory is not annotated. Nothing of it was changed then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No code object has a map.
    #[error(
        "no code object beside it has a map\nput the `*_code_object_id_*.out` files that the profiler wrote beside the `ui_` directory"
    )]
    NoMap,
    /// Two code objects have one number.
    #[error(
        "`{}` and `{}` have the same number, and `code.json` cannot tell them apart\nput each run into a directory of its own",
        .0.display(), .1.display()
    )]
    Ambiguous(PathBuf, PathBuf),
    /// A file is no JSON object.
    #[error("`{}`: {malformed}\nput a whole file there, or remove it", .path.display())]
    Malformed {
        /// Which.
        path: PathBuf,
        /// Where and why.
        malformed: Malformed,
    },
    /// A file of records would lose something.
    #[error(
        "`{}` has a column `{column}`, which would be lost\nleave `--in-place` out, or use `--raw`",
        .path.display()
    )]
    Column {
        /// Which.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A file of records is damaged.
    #[error(
        "`{}` is damaged, and what cannot be read of it would be lost\nleave `--in-place` out, or use `--raw`",
        .0.display()
    )]
    Damaged(PathBuf),
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[source] io::Error),
}

/// What the files that are written are called.
struct Names {
    is_in_place: bool,
}

impl Names {
    fn is_in_place(&self) -> bool {
        self.is_in_place
    }

    /// The file that is written for `original`.
    fn of(&self, original: &Path) -> PathBuf {
        if self.is_in_place { original.to_owned() } else { original.with_extension("annotated.json") }
    }
}

/// Annotates `directory` and returns the files, all of which are in their places then. What is wrong with its records goes
/// to `diagnostics`.
///
/// Errors: see [`Error`]. Files are complete before the first takes its place, so originals are replaced all or, short of a
/// disk that fails between two of them, not at all.
pub fn annotate(directory: &Directory, options: Options, diagnostics: &mut Diagnostics) -> Result<Vec<PathBuf>, Error> {
    let names = Names { is_in_place: options.is_in_place };
    let mut unread = Diagnostics::default();
    let tables = tables(directory, &mut unread)?;
    let mut files = Vec::new();
    if options.is_raw || !tables.has_clock() {
        diagnostics.merge(unread);
    } else {
        // Who reads the records reads the code objects, too, and says what is wrong with them.
        let records = correct(directory, &names, diagnostics)?;
        if options.is_in_place {
            files.extend(listing(directory, &records)?);
        }
        files.extend(records.into_iter().map(|written| written.file));
    }
    // The tables last: a directory that has them is complete.
    files.push(code(directory, &names, &tables)?);
    files.into_iter().map(|file| file.commit(options.is_in_place).map_err(Error::Io)).collect()
}

/// The maps of the directory's code objects; those that cannot be read go to `diagnostics`.
fn tables(directory: &Directory, diagnostics: &mut Diagnostics) -> Result<Tables, Error> {
    let (mut tables, mut known, mut has_map) = (Tables::default(), BTreeMap::new(), false);
    for file in &directory.code_objects {
        let bytes = FileBytes::open(&file.path).map_err(Error::Io)?;
        let contents = code_object::read_with(bytes.bytes(), &Limits::default());
        for problem in &contents.problems {
            diagnostics.message(format_args!("`{}`: {}", file.path.display(), problem.malformed));
        }
        let Some(code_object) = contents.code_objects.first() else { continue };
        if let Some(other) = known.insert(file.id, &file.path) {
            return Err(Error::Ambiguous(other.clone(), file.path.clone()));
        }
        has_map |= tables.add(file.id, code_object);
    }
    if has_map { Ok(tables) } else { Err(Error::NoMap) }
}

/// The records with their clocks corrected.
fn correct(directory: &Directory, names: &Names, diagnostics: &mut Diagnostics) -> Result<Vec<Written>, Error> {
    let mut records = Records::new(directory, names)?;
    let only = std::slice::from_ref(directory);
    let outcome = trace::read(only, &trace::Options::default(), &mut records, diagnostics, &mut |_, _| {});
    let written = records.finish()?;
    outcome.map_err(Error::Io)?;
    Ok(written)
}

/// `code.json` with the tables; one with nothing else where there is none.
fn code(directory: &Directory, names: &Names, tables: &Tables) -> Result<WholeFile, Error> {
    let path = directory.path.join("code.json");
    let bytes = if path.exists() { Some(FileBytes::open(&path).map_err(Error::Io)?) } else { None };
    let text = bytes.as_ref().map_or(&b"{\"code\":null}"[..], |bytes| bytes.bytes());
    let object = Object::read(text).map_err(|malformed| Error::Malformed { path: path.clone(), malformed })?;
    let members = tables.members().map_err(|error| Error::Io(error.into()))?;
    let mut file = WholeFile::create(&names.of(&path)).map_err(Error::Io)?;
    object.write(&members, &mut file).map_err(Error::Io)?;
    Ok(file)
}

/// `filenames.json` with the times that the files begin and end at now; `None` where there is none.
fn listing(directory: &Directory, records: &[Written]) -> Result<Option<WholeFile>, Error> {
    let path = directory.path.join("filenames.json");
    if !path.exists() || records.is_empty() {
        return Ok(None);
    }
    let bytes = FileBytes::open(&path).map_err(Error::Io)?;
    let malformed = |malformed| Error::Malformed { path: path.clone(), malformed };
    let object = Object::read(bytes.bytes()).map_err(malformed)?;
    let Some(text) = object.get("shaderdata_filenames") else { return Ok(None) };
    let mut listed: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    for written in records {
        let files = listed.get_mut(written.engine.to_string()).and_then(serde_json::Value::as_array_mut);
        let name = written.original.file_name().and_then(|name| name.to_str());
        // One that is listed twice is read once.
        for entry in files.into_iter().flatten().filter(|file| file[0].as_str().is_some_and(|file| Some(file) == name))
        {
            *entry = serde_json::json!([name, written.first_cycles, written.last_cycles]);
        }
    }
    let mut file = WholeFile::create(&path).map_err(Error::Io)?;
    object.write(&[("shaderdata_filenames", listed.to_string())], &mut file).map_err(Error::Io)?;
    Ok(Some(file))
}
