//! How often the markers of code objects were traced: what advice goes by where there is a trace.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use sqtt_contract::funcmap::Funcmap;

use crate::beside;
use crate::code_object::{self, FileBytes, Target};
use crate::trace::{CodeObjectKey, Directory, Domain, Moment, Record, Role, Sink, Wave};

/// How often the markers of one code object were traced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Waves that traced any.
    pub waves: u64,
    /// Headers by id; exits, which have no id of their own, are not among them.
    pub headers: BTreeMap<u32, u64>,
}

impl Counts {
    /// How often `id` was traced.
    pub fn of(&self, id: u32) -> u64 {
        self.headers.get(&id).copied().unwrap_or(0)
    }

    fn add(&mut self, other: &Counts) {
        self.waves += other.waves;
        other.headers.iter().for_each(|(id, count)| *self.headers.entry(*id).or_default() += count);
    }
}

/// Counts what traces hold, each code object for itself.
#[derive(Debug, Default)]
pub struct Counter {
    directory: PathBuf,
    /// The code object of each live wave that traced a marker of it.
    live: BTreeMap<u32, (PathBuf, CodeObjectKey)>,
    found: BTreeMap<(PathBuf, CodeObjectKey), Counts>,
}

impl Counter {
    /// The counts of the code object with `map` for `target`, over all of the traces in `directories` whose file of it has
    /// the same; nothing when no wave ran it.
    pub fn counts(&self, directories: &[Directory], map: &Funcmap, target: &Target) -> Option<Counts> {
        let mut sum = Counts::default();
        for ((directory, key), counts) in &self.found {
            let Some(path) = beside::find(directories, directory, key) else { continue };
            // The reader of the trace has told why it cannot be opened.
            let Ok(bytes) = FileBytes::open(path) else { continue };
            let contents = code_object::read(bytes.bytes());
            let is_same = |other: &code_object::CodeObject<'_>| {
                other.target().processor == target.processor && other.funcmap().as_ref() == Some(map)
            };
            if contents.code_objects.iter().any(is_same) {
                sum.add(counts);
            }
        }
        (sum.waves > 0).then_some(sum)
    }
}

impl Sink for Counter {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.directory.clone_from(&domain.path);
        Ok(())
    }

    fn record(&mut self, at: &Moment<'_>, _: &Record, role: Role) -> io::Result<()> {
        let Role::Marker(index) = role else { return Ok(()) };
        let marker = at.markers.get(index);
        let Some(code_object) = marker.code_object else { return Ok(()) };
        let is_first = !self.live.contains_key(&at.wave.index);
        let object = self
            .live
            .entry(at.wave.index)
            .or_insert_with(|| (self.directory.clone(), at.markers.code_object(code_object).key.clone()));
        let counts = match self.found.get_mut(object) {
            Some(counts) => counts,
            None => self.found.entry(object.clone()).or_default(),
        };
        counts.waves += u64::from(is_first);
        *counts.headers.entry(marker.id).or_default() += 1;
        Ok(())
    }

    fn end_wave(&mut self, wave: &Wave, _: i64) -> io::Result<()> {
        self.live.remove(&wave.index);
        Ok(())
    }
}
