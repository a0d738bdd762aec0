//! What a timeline shows, whatever its format: a process, its threads, and the events of a thread.

use std::io;

use super::clock::Clock;
use crate::export::whole_file::WholeFile;
use crate::trace::{Close, Domain, Marker, Moment, Payload, Wave};

/// Writes a timeline in one format, one call an item, in the order of the methods; `enter` to `point` come as the events of
/// the threads do. All errors are those of `out`.
pub(super) trait Timeline {
    /// The dispatch; once, before all else.
    fn process(&mut self, out: &mut WholeFile, process: &Process<'_>) -> io::Result<()>;

    /// A wave, before its events.
    fn thread(&mut self, out: &mut WholeFile, thread: &Thread) -> io::Result<()>;

    /// A scope opens.
    fn enter(&mut self, out: &mut WholeFile, event: &Event<'_>, scope: &Marker) -> io::Result<()>;

    /// The innermost scope of the thread closes.
    fn exit(&mut self, out: &mut WholeFile, event: &Event<'_>, close: Close) -> io::Result<()>;

    /// Something without a duration.
    fn point(
        &mut self,
        out: &mut WholeFile,
        event: &Event<'_>,
        marker: &Marker,
        payload: Payload<'_>,
    ) -> io::Result<()>;

    /// A wave is over: no event of it follows.
    fn leave(&mut self, thread: &Thread);

    /// The end; once. `early` events were before the start of the trace and are drawn at it.
    fn finish(&mut self, out: &mut WholeFile, early: u64) -> io::Result<()>;
}

/// The dispatch of a `ui_` directory.
pub(super) struct Process<'a> {
    pub(super) pid: u32,
    pub(super) domain: &'a Domain,
    pub(super) clock: Clock,
}

/// A wave.
pub(super) struct Thread {
    pub(super) pid: u32,
    pub(super) tid: u32,
    /// Counts the threads of a file from 0.
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) wave: Wave,
}

/// Where and when.
pub(super) struct Event<'a> {
    pub(super) thread: &'a Thread,
    /// From the start of the trace.
    pub(super) ns: u64,
    pub(super) moment: &'a Moment<'a>,
}

impl Process<'_> {
    /// `dispatch 1`, and its kernel if there is one only.
    pub(super) fn name(&self) -> String {
        let mut name = match self.domain.dispatch {
            Some(dispatch) => format!("dispatch {dispatch}"),
            None => self.directory(),
        };
        // Kernel 0 stands for what was not recognized.
        let mut kernels = self.domain.kernels.iter().filter(|kernel| kernel.id != 0);
        if let (Some(only), None) = (kernels.next(), kernels.next()) {
            name = format!("{name}: {}", only.name);
        }
        name
    }

    /// The name of the `ui_` directory.
    pub(super) fn directory(&self) -> String {
        super::place::name(&self.domain.path)
    }
}

/// The numbers of the wave that are arguments of each of its events, and what they are called.
pub(super) fn fields(wave: &Wave) -> [(&'static str, u32); 5] {
    let slot = wave.slot;
    [
        ("se", slot.engine),
        ("cu", slot.cu.into()),
        ("simd", slot.simd.into()),
        ("wave", slot.wave.into()),
        ("instance", wave.instance),
    ]
}
