//! Memory operations of traces with addresses: each with the addresses of its lanes, and sums by line of source.

pub mod banks;
mod document;
pub mod lines;
pub mod strides;
pub mod summary;

use std::io::{self, Write};

use sqtt_contract::addresses::is_address_trace;

use self::document::{Operation, Sum};
use self::summary::{Place, Summary, Totals};
use super::access::{self, Access};
use crate::trace::{Domain, Marker, Moment, Payload, Sink};

/// Takes the address traces of a trace; everything else passes by.
///
/// Writes each operation as it comes, so only the sums are held.
pub struct Memory<'a> {
    out: Option<&'a mut dyn Write>,
    element_bytes: u64,
    domain: Option<Domain>,
    summary: Summary,
    operations: u64,
    unreadable: u64,
    line: Vec<u8>,
}

impl<'a> Memory<'a> {
    /// Writes a document of all operations to `out`, if there is one. An operation moves `element_bytes` a lane, which no
    /// trace says; at least 1.
    ///
    /// Errors: those of `out`.
    pub fn begin(mut out: Option<&'a mut dyn Write>, element_bytes: u64) -> io::Result<Memory<'a>> {
        if let Some(out) = &mut out {
            write!(out, "{{\"version\":1,\"element_bytes\":{element_bytes},\"operations\":[")?;
        }
        let (summary, line) = (Summary::default(), Vec::new());
        Ok(Memory { out, element_bytes, domain: None, summary, operations: 0, unreadable: 0, line })
    }

    /// Operations so far.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Address traces of which not even one lane can be read: their kind is not known, their number of records fits none,
    /// or they were cut before the first lane.
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    /// Ends the document, with the sums in it, and returns these, by line of source.
    ///
    /// Errors: those of the output.
    pub fn finish(self) -> io::Result<Vec<(Place, Totals)>> {
        let places = self.summary.places();
        if let Some(out) = self.out {
            let sums: Vec<Sum<'_>> = places.iter().map(|(place, totals)| Sum::new(place, totals)).collect();
            out.write_all(b"\n],\"lines\":[")?;
            for (at, sum) in sums.iter().enumerate() {
                out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
                serde_json::to_writer(&mut *out, sum)?;
            }
            out.write_all(b"\n]}\n")?;
            out.flush()?;
        }
        Ok(places)
    }
}

impl Sink for Memory<'_> {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.domain = Some(domain.clone());
        Ok(())
    }

    fn point(&mut self, at: &Moment<'_>, marker: &Marker, payload: Payload<'_>) -> io::Result<()> {
        if payload.declared == 0 || !is_address_trace(marker.symbol.as_bytes()) {
            return Ok(());
        }
        let readable = marker.form.and_then(|form| Some((form, Access::read(form, payload)?)));
        let Some((form, access)) = readable else {
            self.unreadable += 1;
            return Ok(());
        };
        let space = access::space(form, marker);
        self.summary.add(marker, space, &access, self.element_bytes, at.markers);
        if let Some(out) = &mut self.out {
            let operation = Operation::new(self.domain.as_ref(), at, marker, (access::kind(marker), space), &access);
            self.line.clear();
            self.line.extend_from_slice(if self.operations == 0 { b"\n" } else { b",\n" });
            serde_json::to_writer(&mut self.line, &operation)?;
            out.write_all(&self.line)?;
        }
        self.operations += 1;
        Ok(())
    }
}
