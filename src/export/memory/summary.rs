//! Operations summed by the line of source that they are of.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::banks::Passes;
use super::lines::Lines;
use super::strides::{Stride, Strides};
use crate::export::access::{self, Access, Space};
use crate::trace::{CodeObjectKey, Marker, MarkerIndex, Markers};

/// Bytes of the cache lines that are counted.
pub const LINE_BYTES: [u64; 2] = [64, 128];

/// Banks of LDS that are counted with.
pub const BANKS: [u64; 2] = [32, 64];

/// Sums by marker.
#[derive(Debug, Default)]
pub(super) struct Summary {
    by_marker: HashMap<MarkerIndex, (Place, Totals)>,
}

/// Where operations are from: one kind of operation in one line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `file:line`, and ` -> file:line` for every call it was inlined through; `None` without debug information.
    pub source: Option<Arc<str>>,
    /// The kind in the marker's name, `lds_load`.
    pub kind: Arc<str>,
    /// Where the addresses are.
    pub space: Space,
    /// Code object and marker id, where the line is not known and nothing else tells places apart.
    pub marker: Option<(CodeObjectKey, u32)>,
}

/// What the operations of one place did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Operations.
    pub operations: u64,
    /// Lanes that took part, in all operations together.
    pub lanes: u64,
    /// Operations with records missing; the lanes that are there count.
    pub cut: u64,
    /// Cache lines of [`LINE_BYTES`], of operations on memory.
    pub lines: [Lines; 2],
    /// Passes through LDS of [`BANKS`], of operations on LDS.
    pub passes: [Passes; 2],
    /// Strides.
    pub strides: Strides,
}

impl Summary {
    /// Adds an operation of elements of `element_bytes`.
    pub(super) fn add(
        &mut self,
        marker: &Marker,
        space: Space,
        access: &Access,
        element_bytes: u64,
        markers: &Markers,
    ) {
        let new = || (Place::of(marker, space, markers), Totals::default());
        let (_, totals) = self.by_marker.entry(marker.index).or_insert_with(new);
        totals.add(space, access, element_bytes);
    }

    /// The places, by line.
    pub(super) fn places(&self) -> Vec<(Place, Totals)> {
        let mut places: BTreeMap<&Place, Totals> = BTreeMap::new();
        for (place, totals) in self.by_marker.values() {
            places.entry(place).or_default().merge(totals);
        }
        places.into_iter().map(|(place, totals)| (place.clone(), totals)).collect()
    }
}

impl Place {
    fn of(marker: &Marker, space: Space, markers: &Markers) -> Place {
        let code_object = marker.code_object.map(|index| markers.code_object(index).key.clone());
        let own = code_object.map(|key| (key, marker.id)).filter(|_| marker.location.is_none());
        Place { source: marker.location.clone(), kind: access::kind(marker).into(), space, marker: own }
    }

    /// The line, or what stands for it.
    pub fn name(&self) -> String {
        match (&self.source, &self.marker) {
            (Some(source), _) => source.to_string(),
            (None, Some((key, id))) => format!("id {id} of {key}"),
            (None, None) => "?".to_owned(),
        }
    }
}

impl Totals {
    fn add(&mut self, space: Space, access: &Access, element_bytes: u64) {
        self.operations += 1;
        self.lanes += access.addresses.len() as u64;
        self.cut += u64::from(access.is_cut);
        self.strides.add(Stride::of(&access.addresses, element_bytes), 1);
        match space {
            Space::Global | Space::Buffer => {
                let mut addresses: Vec<u64> = access.addresses.iter().map(|(_, address)| *address).collect();
                addresses.sort_unstable();
                for (lines, bytes) in self.lines.iter_mut().zip(LINE_BYTES) {
                    *lines += Lines::of(&addresses, element_bytes, bytes);
                }
            }
            Space::Lds => {
                for (passes, banks) in self.passes.iter_mut().zip(BANKS) {
                    *passes += Passes::of(&access.addresses, element_bytes, banks);
                }
            }
            Space::Permute => {}
        }
    }

    fn merge(&mut self, other: &Totals) {
        self.operations += other.operations;
        self.lanes += other.lanes;
        self.cut += other.cut;
        self.lines.iter_mut().zip(other.lines).for_each(|(lines, more)| *lines += more);
        self.passes.iter_mut().zip(other.passes).for_each(|(passes, more)| *passes += more);
        other.strides.iter().for_each(|(stride, count)| self.strides.add(stride, count));
    }

    /// Lines of 128 bytes and passes of 32 banks that better addresses would save.
    pub fn wasted(&self) -> u64 {
        (self.lines[1].touched - self.lines[1].needed) + self.passes[0].conflicts()
    }
}
