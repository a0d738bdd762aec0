//! Signals between whoever runs us and the compiler.
//!
//! The compiler stays in our process group. A group of its own would make it reachable as a whole, but would also take
//! it out of the terminal's foreground (reading from the terminal would stop it) and out of reach of whoever signals our
//! group: a terminal, `ninja`, `timeout`, a batch system's kill. What is sent to us alone (`kill PID`, make when it is
//! told to stop) is instead passed on to every process in the group that descends from us: hipcc is a script whose shell
//! and clang would otherwise go on. What the terminal sends has reached them already.
//!
//! The compiler decides what a signal means: we end when it ends, and as it ended.

use std::collections::HashSet;
use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, getpid, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::raw::WithRawSiginfo;

use super::family;

/// What is passed on.
const RELAYED: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
/// `si_code` of a signal that the kernel sent, such as the terminal's ^C (Linux, `asm-generic/siginfo.h`).
const SI_KERNEL: i32 = 0x80;
/// How long a process may take to end of a signal before it is told by us. `kill -- -GROUP` reaches all of them at once and
/// looks no different from `kill PID` to us: those whom it reached are removing their files then.
const GRACE: Duration = Duration::from_millis(100);
/// How long what the compiler started may take to end after the compiler, before we end too.
const PATIENCE: Duration = Duration::from_secs(2);

/// Catches signals from its making on; passes them on once started.
#[derive(Debug)]
pub struct Relay {
    signals: SignalsInfo<WithRawSiginfo>,
}

/// A relay at work.
#[derive(Debug)]
pub struct Relaying {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    passed_on: Mutex<PassedOn>,
    compiler_ended: AtomicBool,
}

/// The last signal that was passed on, and who has been told.
#[derive(Debug, Default)]
struct PassedOn {
    signal: Option<(Signal, Instant)>,
    told: HashSet<Pid>,
}

impl PassedOn {
    /// Tells the members that have not been told and have not ended by themselves meanwhile; returns how many members
    /// there are. Nobody is told twice: clang removes its files on the first signal and is killed by the second.
    fn tell(&mut self) -> usize {
        let members = family::members();
        if let Some((signal, _)) = self.signal.filter(|(_, since)| since.elapsed() >= GRACE) {
            members.iter().filter(|member| self.told.insert(**member)).for_each(|member| family::send(*member, signal));
        }
        members.len()
    }
}

impl Relay {
    /// Starts to catch the signals, except those that we were started to ignore (`nohup`): the compiler ignores them
    /// too then.
    pub fn new() -> io::Result<Relay> {
        let ignored = ignored_signals();
        let caught = RELAYED.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        // What hipcc leaves behind when it dies becomes our child, so that it can still be found.
        if let Err(error) = rustix::process::set_child_subreaper(Some(getpid())) {
            tracing::debug!(%error, "orphans of the compiler will not be found");
        }
        Ok(Relay { signals: SignalsInfo::new(caught)? })
    }

    /// Passes on what has come meanwhile and what comes.
    pub fn start(mut self) -> io::Result<Relaying> {
        let state = Arc::new(State::default());
        let relaying = Relaying { state: Arc::clone(&state) };
        let relay = move || {
            for info in self.signals.forever() {
                relay_one(&state, info.si_signo, info.si_code);
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(relay)?;
        Ok(relaying)
    }
}

fn relay_one(state: &State, signal: i32, code: i32) {
    if state.compiler_ended.load(Ordering::SeqCst) {
        die(signal);
    }
    let (false, Some(named)) = (code == SI_KERNEL, Signal::from_named_raw(signal)) else { return };
    let new = PassedOn { signal: Some((named, Instant::now())), told: HashSet::new() };
    *state.passed_on.lock().unwrap_or_else(PoisonError::into_inner) = new;
    thread::sleep(GRACE);
    let members = state.passed_on.lock().unwrap_or_else(PoisonError::into_inner).tell();
    tracing::debug!(signal, members, "signal passed on");
}

impl Relaying {
    /// The compiler has ended: from here on a signal ends us too. When one was passed on, waits a little for what the
    /// compiler started, which may be about to remove its files, and tells it too if it is new.
    pub fn compiler_ended(self) {
        self.state.compiler_ended.store(true, Ordering::SeqCst);
        let mut passed_on = self.state.passed_on.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + PATIENCE;
        while passed_on.signal.is_some() && passed_on.tell() > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The signals that this process was started to ignore: bit n-1 for signal n. None where there is no `/proc`.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Ends this process by `signal`, without a core file of its own. Returns the status that shells give to such an end,
/// for a signal that does not end a process.
pub fn die(signal: i32) -> ExitCode {
    // One core file, the compiler's, is enough. If the limit cannot be set there will be two.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), ..getrlimit(Resource::Core) });
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX))
}
