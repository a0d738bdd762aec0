//! Directories -> events: one shader engine after the other, with one thread that reads files ahead.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::clock;
use super::codebook::Codebook;
use super::context::Context;
use super::diagnostics::Diagnostics;
use super::directory::Directory;
use super::domain::Domain;
use super::engine::{Engine, Shared};
use super::load::{self, Memory, Report};
use super::record::Record;
use super::repair::Repairs;
use super::select::Selection;
use super::sink::Sink;
use super::totals::Totals;

/// How traces are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is told of.
    pub selection: Selection,
    /// Show names as a person writes them.
    pub demangle: bool,
    /// What is put right.
    pub repairs: Repairs,
}

/// Told how many bytes of how many are read.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// Reads `directories` and tells `sink` of everything in them that is selected.
///
/// Holds 2^22 records of 16 bytes at most, and all of one shader engine where a map packs the clock or a file is not in
/// order. What is wrong with the traces goes to `diagnostics`, and reading goes on. Errors: those of the sink.
pub fn read(
    directories: &[Directory],
    options: &Options,
    sink: &mut dyn Sink,
    diagnostics: &mut Diagnostics,
    progress: Progress<'_>,
) -> io::Result<Totals> {
    let mut totals = Totals::default();
    let mut book = Codebook::new(options.demangle);
    let selection = &options.selection;
    let is_wanted = |directory: &&Directory| selection.has_dispatch(directory.dispatch);
    let wanted: Vec<&Directory> = directories.iter().filter(is_wanted).collect();
    totals.deselected_domains = (directories.len() - wanted.len()) as u64;
    let size = |file: &PathBuf| fs_err::metadata(file).map_or(0, |metadata| metadata.len());
    let engines = wanted.iter().flat_map(|directory| &directory.shaderdata);
    let files = engines.filter(|(engine, _)| selection.has_engine(**engine)).flat_map(|(_, files)| files);
    let (done, all) = (AtomicU64::new(0), files.map(size).sum());
    let mut report = || progress(done.load(Ordering::Relaxed), all);
    for (index, directory) in wanted.into_iter().enumerate() {
        let context = Context::read(directory, &mut book, diagnostics);
        totals.domains += 1;
        totals.unmapped_domains += u64::from(!context.has_map(&book));
        for (_, engine) in context.occupancy.engines.iter().filter(|(engine, _)| selection.has_engine(**engine)) {
            for (cu, waves) in engine.waves_by_cu() {
                *totals.launched.entry(cu).or_default() += waves;
            }
        }
        let shared = Shared {
            book: &mut book,
            sink: &mut *sink,
            selection,
            repairs: &options.repairs,
            diagnostics,
            totals: &mut totals,
        };
        domain(index as u32, directory, &context, shared, &mut Watch { done: &done, report: &mut report })?;
    }
    Ok(totals)
}

fn domain(
    index: u32,
    directory: &Directory,
    context: &Context,
    mut shared: Shared<'_>,
    watch: &mut Watch<'_>,
) -> io::Result<()> {
    let engines: BTreeMap<u32, &[PathBuf]> = directory
        .shaderdata
        .iter()
        .filter(|(engine, _)| shared.selection.has_engine(**engine))
        .map(|(engine, files)| (*engine, files.as_slice()))
        .collect();
    shared.totals.deselected_engines += (directory.shaderdata.len() - engines.len()) as u64;
    let domain = Domain {
        index,
        path: directory.path.clone(),
        agent: directory.agent,
        dispatch: directory.dispatch,
        clock_rate_ghz: context.clock_rate_ghz,
        engines: engines.keys().copied().collect(),
        kernels: context.kernels.values().cloned().collect(),
    };
    shared.sink.begin_domain(&domain)?;
    let packs = context.packs_clock(shared.book);
    thread::scope(|scope| {
        // One batch waits while one is worked on.
        let (sender, receiver) = sync_channel(1);
        let files = engines.values().copied().collect::<Vec<_>>();
        let memory = if packs { Memory::WHOLE } else { Memory::USUAL };
        let done = watch.done;
        scope.spawn(move || load_all(&files, memory, done, &sender));
        engines.keys().try_for_each(|number| engine(*number, packs, context, &receiver, &mut shared, watch))
    })?;
    shared.sink.end_domain(&domain)
}

/// How far reading is, and who wants to know.
struct Watch<'a> {
    /// Bytes that are read.
    done: &'a AtomicU64,
    report: &'a mut dyn FnMut(),
}

/// How long nobody is told how far reading is.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the thread that reads sends: for each engine its batches, and then what is to be known of its files.
enum Item {
    Batch(Vec<Record>),
    End(Box<Report>),
}

fn load_all(engines: &[&[PathBuf]], memory: Memory, done: &AtomicU64, sender: &SyncSender<Item>) {
    for files in engines {
        let mut send = |batch| match sender.send(Item::Batch(batch)) {
            Ok(()) => ControlFlow::Continue(()),
            // The sink failed, and nobody wants more.
            Err(_) => ControlFlow::Break(()),
        };
        let report = load::load(files, memory, done, &mut send);
        if sender.send(Item::End(Box::new(report))).is_err() {
            return;
        }
    }
}

fn engine(
    number: u32,
    packs: bool,
    context: &Context,
    receiver: &Receiver<Item>,
    shared: &mut Shared<'_>,
    watch: &mut Watch<'_>,
) -> io::Result<()> {
    let mut engine = Engine::new(number, context);
    loop {
        (watch.report)();
        match receiver.recv_timeout(PATIENCE) {
            Ok(Item::Batch(mut batch)) => {
                if packs {
                    shared.totals.corrected += clock::correct(&mut batch, number, context, shared.book);
                }
                engine.take(&batch, shared)?;
            }
            Ok(Item::End(report)) => {
                shared.totals.files += report.files;
                shared.diagnostics.merge(report.diagnostics);
                break;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    (watch.report)();
    engine.finish(shared)
}

/// The directories below `path` and what is in each, read with default options.
///
/// Errors: the path cannot be read, or the sink fails.
pub fn read_path(path: &Path, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) -> io::Result<Totals> {
    let directories = super::directory::discover(&[path.to_owned()], diagnostics)?;
    read(&directories, &Options::default(), sink, diagnostics, &mut |_, _| {})
}
