//! What is put right in the records of waves while they are read.
//!
//! Whoever knows the program says what (`crate::check`); the reader does it, so that all that is made from a trace is made
//! from the same stream. An event for which there is no record says so ([`Moment::inferred_since`](super::Moment)).

use std::collections::{HashMap, VecDeque};

use sqtt_contract::marker::Marker;

/// What is done at a header of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// A marker is put in front of it: the wave traced it, and its record is lost.
    Insert(Marker),
    /// It was another marker, and its value is wrong. It is left out with its payload.
    Replace(Marker),
    /// It is left out with its payload: the wave did not trace it.
    Drop,
}

/// A repair and where in the wave it is done: the number of the header, from 0, that it is done at; of one behind the last
/// header the count of headers.
///
/// Payload records and those of the trap handler are no headers.
pub type Placed = (usize, Repair);

/// The repairs of waves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Waves begin at their launch.
    is_from_launch: bool,
    /// By the index of the wave.
    waves: HashMap<u32, Vec<Placed>>,
}

impl Repairs {
    /// Only what all waves need to be held against their program: what records from before the launch of a slot's first
    /// wave leave open, scopes and a payload block, is none of that wave's.
    pub fn from_launch() -> Repairs {
        Repairs { is_from_launch: true, ..Repairs::default() }
    }

    /// Adds the repairs of the wave with index `wave` in a reading with the same directories, the same selection and the same
    /// begin of waves as the one in which they are done. `repairs` are in the order of their headers.
    pub fn add(&mut self, wave: u32, repairs: Vec<Placed>) {
        if !repairs.is_empty() {
            self.waves.insert(wave, repairs);
        }
    }

    /// What is done in one wave.
    pub(super) fn of(&self, wave: u32) -> Pending {
        let placed = self.waves.get(&wave).cloned().unwrap_or_default().into();
        Pending { placed, is_from_launch: self.is_from_launch }
    }
}

/// The repairs of a wave that are still to be done.
#[derive(Default)]
pub(super) struct Pending {
    placed: VecDeque<Placed>,
    /// It begins at its launch.
    pub(super) is_from_launch: bool,
}

impl Pending {
    /// The next one at header `number` or before it.
    pub(super) fn next_at(&mut self, number: usize) -> Option<Repair> {
        self.placed.pop_front_if(|(at, _)| *at <= number).map(|(_, repair)| repair)
    }
}
