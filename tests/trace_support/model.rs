//! What a trace means, slowly and obviously: everything is in memory, each question is asked anew for every record.
//!
//! Shares no code with the reader beside the record itself. No packed clocks.

use std::collections::BTreeMap;

use sqtt_hipcc::trace::Record;

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Scope(&'static str),
    Point(u32),
}

/// A wave: engine and slot, begin, end if it was seen, and code object.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    pub engine: u32,
    pub slot: [u8; 3],
    pub begin: i64,
    pub end: Option<i64>,
    pub code_object: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// `folded stack -> (cycles, pieces)`, without stacks of no cycles.
    pub stacks: BTreeMap<String, (u64, u64)>,
    pub orphan_exits: u64,
    pub open_scopes: u64,
    pub unknown_ids: u64,
    pub cut_blocks: u64,
    pub no_wave: u64,
    pub points: u64,
}

/// Meanings by code object and id.
pub type Maps = BTreeMap<(u64, u32), Meaning>;

/// Judges `records` by engine in the order of the files.
pub fn judge(records: &[(u32, Record)], launches: &[Launch], maps: &Maps) -> Model {
    let mut model = Model::default();
    let mut slots: Vec<(u32, [u8; 3])> = records.iter().map(|(engine, record)| (*engine, place(record))).collect();
    slots.sort();
    slots.dedup();
    for (engine, slot) in slots {
        let mut own: Vec<Record> = records
            .iter()
            .filter(|(e, record)| *e == engine && place(record) == slot)
            .map(|(_, record)| *record)
            .collect();
        own.sort_by_key(|record| record.cycles);
        let mut waves: Vec<Launch> =
            launches.iter().filter(|launch| launch.engine == engine && launch.slot == slot).copied().collect();
        waves.sort_by_key(|wave| wave.begin);
        let times = records.iter().filter(|(e, _)| *e == engine).map(|(_, record)| record.cycles);
        let ends = launches.iter().filter(|l| l.engine == engine).flat_map(|l| [Some(l.begin), l.end]).flatten();
        let engine_end = times.chain(ends).max().unwrap();
        if waves.is_empty() {
            let real = own.iter().filter(|record| record.flags & 2 == 0).count();
            model.no_wave += real as u64;
            let last = own.last().unwrap().cycles;
            wave(&mut model, &own, last, None, maps);
            continue;
        }
        for number in 0..waves.len() {
            let of_wave: Vec<Record> =
                own.iter().filter(|record| wave_at(&waves, record.cycles) == number).copied().collect();
            let Some(last) = of_wave.last() else { continue };
            let next = waves.get(number + 1).map(|next| next.begin);
            let end = waves[number].end.or(next).unwrap_or(engine_end).max(last.cycles);
            wave(&mut model, &of_wave, end, Some(waves[number].code_object), maps);
        }
    }
    model.stacks.retain(|_, (cycles, _)| *cycles > 0);
    model
}

fn place(record: &Record) -> [u8; 3] {
    [record.cu, record.simd, record.slot]
}

/// The last wave that was launched at or before, or else the first.
fn wave_at(waves: &[Launch], cycles: i64) -> usize {
    (0..waves.len()).rev().find(|number| waves[*number].begin <= cycles).unwrap_or(0)
}

/// Runs one wave whose records these are.
fn wave(model: &mut Model, records: &[Record], end: i64, code_object: Option<u64>, maps: &Maps) {
    let prefix = code_object.map(|id| format!("code_object_{id};{id} / 0x100;")).unwrap_or_default();
    let mut stack: Vec<String> = Vec::new();
    let (mut last, mut payload) = (0, 0);
    let mut spend = |stack: &[String], from: i64, to: i64| {
        if !stack.is_empty() {
            let time = model.stacks.entry(format!("{prefix}{}", stack.join(";"))).or_default();
            time.0 += (to - from) as u64;
            time.1 += u64::from(to != from);
        }
    };
    for record in records.iter().filter(|record| record.flags & 2 == 0) {
        if payload > 0 {
            payload -= 1;
            if payload == 0 {
                model.points += 1;
            }
            continue;
        }
        let (id, enters, exits) = (record.value / 4, record.value & 2 != 0, record.value & 1 != 0);
        if id == 0 && (enters || !exits) {
            continue;
        }
        let (name, words) = meaning(code_object, id, maps);
        if words.is_none() && name.starts_with("unknown") && id != 0 {
            model.unknown_ids += 1;
            if exits && !enters {
                continue;
            }
        }
        if let Some(words) = words {
            payload = words;
            model.points += u64::from(words == 0);
            continue;
        }
        if !enters && !exits {
            model.points += 1;
            continue;
        }
        spend(&stack, last, record.cycles);
        last = record.cycles;
        if exits && stack.pop().is_none() {
            model.orphan_exits += 1;
        }
        if enters {
            stack.push(name);
        }
    }
    if payload > 0 {
        model.cut_blocks += 1;
        model.points += 1;
    }
    model.open_scopes += stack.len() as u64;
    spend(&stack, last, end);
}

/// The name of a marker, and how much payload it has if it is a point.
fn meaning(code_object: Option<u64>, id: u32, maps: &Maps) -> (String, Option<u32>) {
    match code_object.and_then(|code_object| maps.get(&(code_object, id))) {
        Some(Meaning::Point(words)) => (String::new(), Some(*words)),
        Some(Meaning::Scope(name)) => ((*name).to_owned(), None),
        None => (format!("unknown#{id}"), None),
    }
}
