//! The file of `--repair`: a line for each header, in the order of each wave.
//!
//! ```text
//! {"directory":"ui_...","se":0,"cu":1,"simd":2,"wave":3,"instance":0,"cycles":160,"id":1,"enter":true,"exit":false,"inferred":false}
//! ```

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::check::Repaired;
use crate::export::whole_file::WholeFile;
use crate::trace::{Domain, Wave};

#[derive(Serialize)]
struct Line<'a> {
    directory: &'a str,
    se: u32,
    cu: u8,
    simd: u8,
    wave: u8,
    instance: u32,
    cycles: i64,
    id: u32,
    enter: bool,
    exit: bool,
    inferred: bool,
}

pub(super) struct File(WholeFile);

impl File {
    pub(super) fn create(path: &Path) -> io::Result<File> {
        WholeFile::create(path).map(File)
    }

    pub(super) fn taker(&mut self) -> impl FnMut(&Domain, &Wave, &[Repaired]) -> io::Result<()> {
        |domain, wave, headers| headers.iter().try_for_each(|header| self.write(domain, wave, header))
    }

    fn write(&mut self, domain: &Domain, wave: &Wave, header: &Repaired) -> io::Result<()> {
        let line = Line {
            directory: &domain.path.to_string_lossy(),
            se: wave.slot.engine,
            cu: wave.slot.cu,
            simd: wave.slot.simd,
            wave: wave.slot.wave,
            instance: wave.instance,
            cycles: header.cycles,
            id: header.marker.id,
            enter: header.marker.enter,
            exit: header.marker.exit,
            inferred: header.is_inferred,
        };
        serde_json::to_writer(&mut self.0, &line)?;
        writeln!(self.0)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.0.commit(false).map(drop)
    }
}
