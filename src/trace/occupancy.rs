//! `occupancy.json`: when which wave began and ended in which slot, and what it ran.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::json::{Cell, Malformed};

/// What the file says. Empty without a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Occupancy {
    /// The launches of each shader engine.
    pub(super) engines: BTreeMap<u32, EngineOccupancy>,
    /// Names of kernels by the file's own numbers for them.
    pub(super) kernels: BTreeMap<u64, String>,
    /// Rows that are no events, and left out.
    pub(super) malformed_rows: u64,
    /// Where the file is no longer JSON; what stands before is read.
    pub(super) malformed: Option<Malformed>,
}

/// The launches of one shader engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EngineOccupancy {
    /// By [place](Launches), in the order of their begins.
    pub(super) launches: HashMap<u32, Launches>,
    /// The latest time in the rows.
    pub(super) last: Option<i64>,
}

/// The launches in one wave slot: compute unit, SIMD and slot are in the key as `Record::place` has them.
pub(super) type Launches = Vec<Launch>;

/// One wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) begin: i64,
    pub(super) end: Option<i64>,
    pub(super) kernel: u64,
}

impl EngineOccupancy {
    /// How many waves were launched on each compute unit.
    pub(super) fn waves_by_cu(&self) -> BTreeMap<u8, u64> {
        let mut waves = BTreeMap::new();
        for (place, launches) in &self.launches {
            *waves.entry((place >> 16) as u8).or_default() += launches.len() as u64;
        }
        waves
    }
}

/// Reads a file of `bytes`. Never fails; what is wrong is in the result.
///
/// Rows have time, cu, simd, slot, start and kernel in that order, 6 columns in version 3.0.0 and 11 in 3.1.0, of which
/// none of the others is needed.
pub(super) fn read(bytes: &[u8]) -> Occupancy {
    let mut reader = Reader::default();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let outcome = json.deserialize_map(&mut reader).and_then(|()| json.end());
    let malformed = outcome.err().map(|error| Malformed::new(bytes, &error));
    let engines = reader.engines.into_iter().map(|(engine, events)| (engine, launches(events))).collect();
    Occupancy { engines, kernels: reader.kernels, malformed_rows: reader.malformed_rows, malformed }
}

struct Event {
    cycles: i64,
    place: u32,
    starts: bool,
    kernel: u64,
}

fn launches(mut events: Vec<Event>) -> EngineOccupancy {
    events.sort_by_key(|event| event.cycles);
    let mut engine = EngineOccupancy { last: events.last().map(|event| event.cycles), ..EngineOccupancy::default() };
    for event in events {
        let launches = engine.launches.entry(event.place).or_default();
        if event.starts {
            launches.push(Launch { begin: event.cycles, end: None, kernel: event.kernel });
            continue;
        }
        match launches.as_mut_slice() {
            // A row of the end that stands behind the row of the next begin at the same time.
            [.., before @ Launch { end: None, .. }, last] if last.begin == event.cycles => {
                before.end = Some(event.cycles);
            }
            [.., last @ Launch { end: None, .. }] => last.end = Some(event.cycles),
            _ => {}
        }
    }
    engine
}

#[derive(Default)]
struct Reader {
    engines: BTreeMap<u32, Vec<Event>>,
    kernels: BTreeMap<u64, String>,
    malformed_rows: u64,
}

impl<'de> Visitor<'de> for &mut Reader {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of shader engines")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "dispatches" {
                map.next_value_seed(Kernels(&mut self.kernels))?;
            } else if let Ok(engine) = key.parse() {
                let events = self.engines.entry(engine).or_default();
                map.next_value_seed(Events { events, malformed_rows: &mut self.malformed_rows })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The value of `dispatches`.
struct Kernels<'a>(&'a mut BTreeMap<u64, String>);

impl<'de> serde::de::DeserializeSeed<'de> for Kernels<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Kernels<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of kernel names")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((id, name)) = map.next_entry::<String, String>()? {
            if let Ok(id) = id.parse() {
                self.0.insert(id, name);
            }
        }
        Ok(())
    }
}

/// The rows of one shader engine.
struct Events<'a> {
    events: &'a mut Vec<Event>,
    malformed_rows: &'a mut u64,
}

impl<'de> serde::de::DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of events")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(row) = seq.next_element::<Vec<Cell>>()? {
            match event(&row) {
                Some(event) => self.events.push(event),
                None => *self.malformed_rows += 1,
            }
        }
        Ok(())
    }
}

fn event(row: &[Cell]) -> Option<Event> {
    let [cycles, cu, simd, slot, start, kernel, ..] = row else { return None };
    let (cycles, _) = cycles.cycles()?;
    let (cu, simd, slot): (u8, u8, u8) = (cu.to()?, simd.to()?, slot.to()?);
    let place = u32::from(cu) << 16 | u32::from(simd) << 8 | u32::from(slot);
    Some(Event { cycles, place, starts: start.to::<u64>()? != 0, kernel: kernel.to()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(begin: i64, end: Option<i64>) -> Launch {
        Launch { begin, end, kernel: 1 }
    }

    #[test]
    fn both_versions_give_launches_and_names() {
        let six = r#"{"0": [[100,2,1,3,1,1],[240,2,1,3,0,1]], "dispatches": {"1": "k"}, "version": "3.0.0"}"#;
        let eleven = r#"{"0": [[100,2,1,3,1,1,0,0,"a",0,0],[240,2,1,3,0,1,0,0,0,0,0]], "events": [[1]],
            "dispatches": {"1": "k"}, "version": "3.1.0"}"#;
        for text in [six, eleven] {
            let found = read(text.as_bytes());
            assert_eq!(found.engines[&0].launches[&0x0002_0103], [launch(100, Some(240))], "{text}");
            assert_eq!((found.kernels[&1].as_str(), found.malformed_rows, found.malformed), ("k", 0, None));
        }
    }

    #[test]
    fn an_end_belongs_to_the_wave_that_ran() {
        // End and next begin at one time, in both orders; a launch whose end was lost; an end without a launch.
        let rows =
            "[5,0,0,0,0,1],[10,0,0,0,1,1],[20,0,0,0,1,1],[20,0,0,0,0,1],[30,0,0,0,0,1],[30,0,0,0,1,1],[40,0,0,0,1,1]";
        let found = read(format!("{{\"0\": [{rows}]}}").as_bytes());
        let expected = [launch(10, Some(20)), launch(20, Some(30)), launch(30, None), launch(40, None)];
        assert_eq!(found.engines[&0].launches[&0], expected);
        assert_eq!(found.engines[&0].waves_by_cu(), BTreeMap::from([(0, 4)]));
    }

    #[test]
    fn what_is_cut_off_or_malformed_leaves_the_rest() {
        let found = read(br#"{"0": null, "1": [[1,0,0],[10,0,0,0,1,1],[2"#);
        assert_eq!((found.engines[&1].launches[&0].len(), found.malformed_rows), (1, 1));
        assert_eq!(found.malformed.map(|malformed| malformed.offset), Some(43));
    }
}
