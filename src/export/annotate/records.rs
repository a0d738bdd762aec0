//! Records of a directory with their clocks corrected, in files that hold as many as those that they stand for.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::object::Object;
use super::{Error, Names};
use crate::code_object::FileBytes;
use crate::export::whole_file::WholeFile;
use crate::trace::{Directory, Moment, Record, Role, Sink, shaderdata};

/// The columns that are written; what else a file has is no record that anybody here knows.
const SCHEMA: [&str; 6] = ["time", "value", "cu", "simd", "wave_id", "flags"];

/// Takes all records of one directory, engine by engine, and writes them to its files.
pub(super) struct Records<'a> {
    names: &'a Names,
    /// By engine, the files that are to come and how many records each holds.
    files: BTreeMap<u32, Vec<(&'a Path, u64)>>,
    engine: Option<u32>,
    rows: Vec<Record>,
    /// Files that are written, with the cycles of their first and last record.
    written: Vec<Written>,
    /// Why a file could not be written, if one could not.
    failure: Option<Error>,
}

/// A file that is complete and not yet in its place.
pub(super) struct Written {
    pub(super) engine: u32,
    pub(super) original: PathBuf,
    pub(super) file: WholeFile,
    pub(super) first_cycles: i64,
    pub(super) last_cycles: i64,
}

impl<'a> Records<'a> {
    /// For the files of `directory`, called as `names` says.
    ///
    /// Errors: a file that is to be replaced has something that would be lost.
    pub(super) fn new(directory: &'a Directory, names: &'a Names) -> Result<Records<'a>, Error> {
        let mut files = BTreeMap::new();
        for (engine, paths) in &directory.shaderdata {
            let mut counted = Vec::new();
            for path in paths {
                counted.push((path.as_path(), count(path, names)?));
            }
            // They are taken from the end.
            counted.reverse();
            files.insert(*engine, counted);
        }
        Ok(Records { names, files, engine: None, rows: Vec::new(), written: Vec::new(), failure: None })
    }

    /// All files, each complete.
    ///
    /// Errors: one could not be read or written.
    pub(super) fn finish(mut self) -> Result<Vec<Written>, Error> {
        self.end_engine();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.written),
        }
    }

    /// Writes what is left of the engine that is under way.
    fn end_engine(&mut self) {
        if !self.rows.is_empty() {
            self.write();
        }
    }

    /// Whether the file that is under way has all its records.
    fn is_full(&self) -> bool {
        let files = self.engine.and_then(|engine| self.files.get(&engine));
        // The last one takes all that come.
        files.is_some_and(|files| {
            files.len() > 1 && files.last().is_some_and(|(_, count)| self.rows.len() as u64 >= *count)
        })
    }

    /// Writes the file that is under way.
    fn write(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let Some(engine) = self.engine else { return };
        let Some((original, _)) = self.files.get_mut(&engine).and_then(Vec::pop) else { return };
        let outcome = write_file(original, &self.names.of(original), &rows);
        let (first, last) = (rows.first(), rows.last());
        match (outcome, first.zip(last)) {
            (Ok(file), Some((first, last))) => self.written.push(Written {
                engine,
                original: original.to_owned(),
                file,
                first_cycles: first.cycles,
                last_cycles: last.cycles,
            }),
            (Ok(_), None) => {}
            (Err(error), _) => self.failure = self.failure.take().or(Some(error)),
        }
    }
}

impl Sink for Records<'_> {
    fn record(&mut self, at: &Moment<'_>, record: &Record, _: Role) -> io::Result<()> {
        let engine = at.wave.slot.engine;
        if self.engine != Some(engine) {
            self.end_engine();
            self.engine = Some(engine);
            // Files without a record stay as they are.
            if let Some(files) = self.files.get_mut(&engine) {
                files.retain(|(_, count)| *count > 0);
            }
        }
        self.rows.push(*record);
        if self.is_full() {
            self.write();
        }
        if self.failure.is_some() { Err(io::Error::other("a file could not be written")) } else { Ok(()) }
    }
}

/// How many records `path` holds.
///
/// Errors: it is to be replaced, and has something that is no record that can be read.
fn count(path: &Path, names: &Names) -> Result<u64, Error> {
    let file = FileBytes::open(path).map_err(Error::Io)?;
    let summary = shaderdata::read(file.bytes(), |_| ControlFlow::Continue(()));
    let records = summary.records;
    if !names.is_in_place() {
        return Ok(records);
    }
    let is_unread = summary.malformed.is_some() || summary.missing_column.is_some();
    let is_changed = summary.malformed_rows > 0 || summary.saturated > 0;
    if is_unread || is_changed || summary.declared.is_some_and(|declared| declared != records) {
        return Err(Error::Damaged(path.to_owned()));
    }
    let object = Object::read(file.bytes()).unwrap_or_default();
    let columns: Vec<String> =
        object.get("records_schema").and_then(|schema| serde_json::from_str(schema).ok()).unwrap_or_default();
    match columns.into_iter().find(|column| !SCHEMA.contains(&column.as_str())) {
        Some(column) => Err(Error::Column { path: path.to_owned(), column }),
        None => Ok(records),
    }
}

/// Writes `rows` as `original` is written, with the same members beside them.
fn write_file(original: &Path, path: &Path, rows: &[Record]) -> Result<WholeFile, Error> {
    let bytes = FileBytes::open(original).map_err(Error::Io)?;
    // Of a file that is damaged only the records are taken.
    let object = Object::read(bytes.bytes()).unwrap_or_default();
    let cycles = |record: Option<&Record>| record.map_or(0, |record| record.cycles).to_string();
    let text: Vec<String> = rows.iter().map(row).collect();
    let members = [
        ("type", "\"shaderdata\"".to_owned()),
        ("begin_time", cycles(rows.first())),
        ("end_time", cycles(rows.last())),
        ("records_schema", serde_json::to_string(&SCHEMA).map_err(|error| Error::Io(error.into()))?),
        ("records_count", rows.len().to_string()),
        ("records", format!("[{}]", text.join(","))),
    ];
    let mut file = WholeFile::create(path).map_err(Error::Io)?;
    object.write(&members, &mut file).and_then(|()| file.flush()).map_err(Error::Io)?;
    Ok(file)
}

fn row(record: &Record) -> String {
    let Record { cycles, value, cu, simd, slot, flags } = record;
    format!("[{cycles},{value},{cu},{simd},{slot},{flags}]")
}
