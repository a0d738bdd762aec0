//! The headers of one wave.

use sqtt_contract::marker::Marker;

use crate::trace::{Moment, Record, Role, Wave};

/// A header in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) cycles: i64,
    pub(super) marker: Marker,
}

/// What a wave traced so far.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    pub(super) wave: Wave,
    pub(super) headers: Vec<Header>,
    /// Payload records that the last header still has to get.
    pub(super) due: u32,
    /// Records from before the launch of the slot's first wave: they are of a wave that ran when the trace began.
    pub(super) early: u64,
    /// Headers of these.
    pub(super) early_headers: usize,
}

impl Gathered {
    pub(super) fn new(at: &Moment<'_>) -> Gathered {
        Gathered { wave: at.wave.clone(), headers: Vec::new(), due: 0, early: 0, early_headers: 0 }
    }

    pub(super) fn take(&mut self, at: &Moment<'_>, record: &Record, role: Role) {
        const EXIT: u32 = 1;
        const ENTER: u32 = 2;
        if role == Role::Privileged {
            return;
        }
        if at.wave.instance == 0 && self.headers.is_empty() && record.cycles < at.wave.begin {
            self.early += 1;
            self.early_headers += usize::from(!matches!(role, Role::Payload { .. }));
            return;
        }
        let flags = |id: u32| Marker { id, enter: record.value & ENTER != 0, exit: record.value & EXIT != 0 };
        let marker = match role {
            Role::Marker(index) => {
                let marker = at.markers.get(index);
                self.due = marker.payload_count;
                flags(marker.id)
            }
            Role::Exit => Marker::EXIT,
            Role::NoOp => flags(0),
            Role::Payload { .. } => {
                self.due = self.due.saturating_sub(1);
                return;
            }
            Role::Privileged => return,
        };
        self.headers.push(Header { cycles: at.cycles, marker });
    }
}
