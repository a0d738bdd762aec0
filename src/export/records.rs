//! Decoded records as JSON lines: what a trace says, one record after the other.

use std::io::{self, Write};

use serde::Serialize;

use crate::trace::{Domain, Moment, Record, Role, Sink};

/// Writes a line each record, in the order in which the reader takes them: engine after engine, and in each the order of
/// the files, or of time where that is not the order of the files.
pub struct Records<'a> {
    out: &'a mut dyn Write,
    dispatch: Option<u64>,
}

/// One line. Members that do not apply are left out.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatch: Option<u64>,
    cycles: i64,
    se: u32,
    cu: u8,
    simd: u8,
    wave: u8,
    instance: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<&'a str>,
    value: u32,
    flags: u8,
    /// `marker`, `exit`, `payload`, `none` or `privileged`.
    role: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enter: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<&'a str>,
    /// Which word of the payload.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u32>,
    /// Open scopes of the wave before the record.
    depth: usize,
}

impl<'a> Records<'a> {
    /// Writes to `out`.
    pub fn new(out: &'a mut dyn Write) -> Records<'a> {
        Records { out, dispatch: None }
    }
}

impl Sink for Records<'_> {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.dispatch = domain.dispatch;
        Ok(())
    }

    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        let (word, marker) = match role {
            Role::Marker(index) => ("marker", Some(index)),
            Role::Payload { marker, .. } => ("payload", Some(marker)),
            Role::Exit => ("exit", None),
            Role::NoOp => ("none", None),
            Role::Privileged => ("privileged", None),
        };
        let is_header = matches!(role, Role::Marker(_));
        let marker = marker.map(|index| at.markers.get(index));
        let slot = at.wave.slot;
        let line = Line {
            dispatch: self.dispatch,
            cycles: at.cycles,
            se: slot.engine,
            cu: slot.cu,
            simd: slot.simd,
            wave: slot.wave,
            instance: at.wave.instance,
            kernel: at.wave.kernel.as_ref().map(|kernel| &*kernel.name),
            value: record.value,
            flags: record.flags,
            role: word,
            id: marker.map(|marker| marker.id),
            enter: is_header.then_some(record.value & 2 != 0),
            exit: is_header.then_some(record.value & 1 != 0),
            kind: marker.map(|marker| marker.kind.word()),
            name: marker.map(|marker| &*marker.name),
            location: marker.and_then(|marker| marker.location.as_deref()),
            word: if let Role::Payload { word, .. } = role { Some(word) } else { None },
            depth: at.scopes.len(),
        };
        serde_json::to_writer(&mut *self.out, &line)?;
        self.out.write_all(b"\n")
    }
}
