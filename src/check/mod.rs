//! Whether traces are what their programs can have traced (`docs/check.md`).
//!
//! ```text
//! trace::read -> Checker (a Sink) -> per wave: headers -> Automaton::judge -> Report
//! ```
//!
//! | file | its job |
//! |---|---|
//! | `gather.rs` | the headers of each wave, out of what the reader tells |
//! | `programs.rs` | the automata of the kernels in a code object |
//! | `verdict.rs` | which of them a wave is held against |
//! | `report.rs` | what is said of each wave, and in all |
//! | `repair.rs` | what has to be put right in a wave, and its headers as they must have been |
//!
//! Nothing here starts a process: whoever checks passes what reads machine code.

mod gather;
mod programs;
mod repair;
mod report;
mod verdict;

use std::io;

use rustc_hash::FxHashMap;

use crate::beside::ReadProgram;
use crate::machine::automaton::{Automaton, Edges, Judgement};
use crate::trace::{Directory, Domain, Moment, Record, Repairs, Role, Sink, Wave};
use gather::Gathered;
use programs::{Loaded, Programs};
pub use repair::Repaired;
pub use report::{Counts, KernelReport, Kind, Report, Told, WaveReport};
use verdict::Verdict;

/// Takes the headers of a wave as they must have been.
pub type TakeRepaired<'a> = dyn FnMut(&Domain, &Wave, &[Repaired]) -> io::Result<()> + 'a;

/// Checks every wave of the traces that are read into it.
pub struct Checker<'a> {
    programs: Programs<'a>,
    domain: Option<Domain>,
    live: FxHashMap<u32, Gathered>,
    repaired: Option<&'a mut TakeRepaired<'a>>,
    repairs: Repairs,
    report: Report,
    most_listed: usize,
}

impl<'a> Checker<'a> {
    /// For traces in `directories`, which are read with [`Repairs::from_launch`], and the code objects of which are read with
    /// `read`. With `repaired` each wave is also passed on as it must have been. The report lists `most_listed` waves of each
    /// kernel in which something is wrong, and counts all.
    pub fn new(
        directories: &'a [Directory],
        read: &'a mut ReadProgram<'a>,
        repaired: Option<&'a mut TakeRepaired<'a>>,
        most_listed: usize,
    ) -> Checker<'a> {
        let programs = Programs::new(directories, read, Loaded::of);
        Checker {
            programs,
            domain: None,
            live: FxHashMap::default(),
            repaired,
            repairs: Repairs::from_launch(),
            report: Report::default(),
            most_listed,
        }
    }

    /// What was found, and what puts it right when the same traces are read again.
    pub fn finish(self) -> (Report, Repairs) {
        let mut report = self.report;
        report.problems = self.programs.into_problems();
        (report, self.repairs)
    }

    fn judge(&mut self, gathered: &Gathered) -> io::Result<()> {
        let Some(domain) = &self.domain else { return Ok(()) };
        let wave = &gathered.wave;
        let name = wave.kernel.as_ref().map(|kernel| kernel.name.to_string());
        let counts = self.report.kernel(name.as_deref());
        counts.waves += 1;
        counts.early += gathered.early;
        let Some(kernel) = &wave.kernel else {
            counts.unjudged += 1;
            return Ok(());
        };
        let edges = Edges { begin: true, end: wave.end.is_some() };
        counts.cut += u64::from(!edges.end);
        let markers: Vec<_> = gathered.headers.iter().map(|header| header.marker).collect();
        let verdict = Verdict::of(&mut self.programs, &domain.path, kernel, &markers, edges);
        let judged = verdict.as_ref().and_then(|Verdict { key, kernel, judgement }| {
            let loaded = self.programs.load(&domain.path, key)?;
            Some((loaded, loaded.judge(*kernel)?.automaton(), judgement))
        });
        let Some((loaded, automaton, judgement)) = judged else {
            counts.unjudged += 1;
            return Ok(());
        };
        if !automaton.is_certain() {
            counts.partly += 1;
        }
        // What unknown code traced need not be the header with payload that it looks like.
        let is_short = edges.end && gathered.due > 0 && !judgement.ends_in_unknown_code;
        if judgement.conforms() && !is_short {
            counts.conforming += 1;
        } else {
            let told = report::tell(domain, gathered, loaded, automaton, judgement, is_short);
            self.report.add(name.as_deref(), told, self.most_listed);
        }
        let repairs = repair::repairs(automaton, judgement);
        if let Some(take) = &mut self.repaired {
            take(domain, wave, &repair::repaired(gathered, &repairs))?;
        }
        let in_wave = |(at, repair)| (at + gathered.early_headers, repair);
        self.repairs.add(wave.index, repairs.into_iter().map(in_wave).collect());
        Ok(())
    }
}

impl Sink for Checker<'_> {
    fn begin_domain(&mut self, domain: &Domain) -> io::Result<()> {
        self.domain = Some(domain.clone());
        Ok(())
    }

    fn record(&mut self, at: &Moment<'_>, record: &Record, role: Role) -> io::Result<()> {
        self.live.entry(at.wave.index).or_insert_with(|| Gathered::new(at)).take(at, record, role);
        Ok(())
    }

    fn end_wave(&mut self, wave: &Wave, _cycles: i64) -> io::Result<()> {
        match self.live.remove(&wave.index) {
            Some(gathered) => self.judge(&gathered),
            None => Ok(()),
        }
    }
}
