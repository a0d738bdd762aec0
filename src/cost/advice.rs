//! What to change so that markers cost less, as lines of the settings file where a setting does it.

use std::collections::{BTreeMap, BTreeSet};

use sqtt_contract::funcmap::{Funcmap, Row};
use sqtt_contract::variables::{self, Variable};

use super::scopes::{self, Scope};
use super::{Analysis, Costs, Counts};
use crate::code_object::Target;
use crate::machine::Program;
use crate::terminal::counted;

/// One thing that makes markers dear, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is, in one line, as the file holds the names: escape where a terminal reads.
    pub reason: String,
    /// What would lower it; nothing where no setting does.
    pub setting: Option<Setting>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The row of the contract's table.
    pub variable: &'static Variable,
    /// Its value, as TOML.
    pub value: String,
}

impl Setting {
    fn new(name: &str, value: String) -> Option<Setting> {
        variables::TABLE.iter().find(|row| row.name == name).map(|variable| Setting { variable, value })
    }

    /// Its table in the settings file and its line there: `[instrument]`, `mem_barrier = "asm"`.
    pub fn lines(&self) -> Option<(String, String)> {
        let (table, key) = self.variable.key?.split_once('.')?;
        Some((format!("[{table}]"), format!("{key} = {}", self.value)))
    }
}

/// Things of one kind that are told.
const TOLD: usize = 10;
/// The largest id whose header fits the one-instruction form (spec "Instruction selection").
const LAST_SHORT_ID: u32 = 63;

/// What to change in the instrumentation of `program`, hottest first; `costs` are its own.
pub fn advise(program: &Program, map: &Funcmap, target: &Target, costs: &Costs) -> Vec<Advice> {
    advise_traced(program, map, target, costs, None)
}

/// The same; how hot code is, is taken from the `counts` of a trace, if there are some, and else guessed from loops.
pub fn advise_traced(
    program: &Program,
    map: &Funcmap,
    target: &Target,
    costs: &Costs,
    counts: Option<&Counts>,
) -> Vec<Advice> {
    let analysis = Analysis::new(program, map);
    let mut advice = dominated(&analysis, map, counts);
    advice.extend(long_forms(map, target, costs, counts));
    advice.extend(boundaries(costs));
    advice
}

/// Scopes inside loops of which more is instrumentation than program; where there are counts, scopes that were entered more
/// often than there are waves.
fn dominated(analysis: &Analysis<'_>, map: &Funcmap, counts: Option<&Counts>) -> Vec<Advice> {
    let all = (0..analysis.program.functions.len()).flat_map(|index| scopes::scopes(analysis, index));
    let mut worst: BTreeMap<u32, Scope> = BTreeMap::new();
    let is_hot = |scope: &Scope| counts.map_or(scope.heat > 0, |counts| counts.of(scope.id) > counts.waves);
    for scope in all.filter(|scope| is_hot(scope) && scope.added >= scope.body) {
        let have = worst.entry(scope.id).or_insert(scope);
        if (scope.heat, scope.added) > (have.heat, have.added) {
            *have = scope;
        }
    }
    let mut found: Vec<Scope> = worst.into_values().collect();
    // Instructions that were run for markers; without counts those of the innermost loop first.
    let spent = |scope: &Scope| counts.map(|counts| counts.of(scope.id).saturating_mul(scope.added));
    found.sort_by_key(|scope| (std::cmp::Reverse((spent(scope), scope.heat, scope.added)), scope.id));
    let index = map.index();
    let mut excluded: BTreeSet<String> = BTreeSet::new();
    let mut advice: Vec<Advice> = Vec::new();
    for scope in found {
        let Some(row) = index.find(scope.id) else { continue };
        let name = row.name().map(ToString::to_string).unwrap_or_default();
        let Scope { heat, added, body, .. } = scope;
        let what = match row {
            Row::Function { .. } => "function",
            _ => "scope",
        };
        let advised = if matches!(row, Row::Function { .. }) { "" } else { ": open it outside of the loop" };
        if matches!(row, Row::Function { .. }) {
            excluded.insert(name.clone());
        }
        let how_hot = match counts {
            Some(counts) => {
                format!("entered {} by {}", counted(counts.of(scope.id), "time"), counted(counts.waves, "wave"))
            }
            None => depth(heat),
        };
        let reason =
            format!("{what} `{name}`: {added} instructions of markers for {body} of its own, {how_hot}{advised}");
        advice.push(Advice { reason, setting: None });
    }
    advice.truncate(TOLD);
    let names: Vec<String> = excluded.into_iter().collect();
    if let (Some(last), false) = (advice.last_mut(), names.is_empty()) {
        last.setting = Setting::new(variables::FUNCTIONS_EXCLUDE, quoted(&names.join(",")));
    }
    advice
}

/// Headers that take three instructions where the GPU could do with one; where there are counts, only those that were traced.
fn long_forms(map: &Funcmap, target: &Target, costs: &Costs, counts: Option<&Counts>) -> Vec<Advice> {
    if target.processor.starts_with("gfx9") {
        return Vec::new();
    }
    let traced = |id: u32| counts.map(|counts| counts.of(id));
    let mut sites: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for (id, marker) in costs.functions.iter().flat_map(|function| &function.by_marker) {
        let long = marker.sites - marker.short_sites;
        if let Some(id) = id.filter(|_| long > 0) {
            let entry = sites.entry(id).or_default();
            *entry = (entry.0 + long, entry.1.max(marker.heat));
        }
    }
    if map.encoding().has_clock() {
        let count: usize = sites.values().map(|(count, _)| count).sum();
        let reason = format!("{count} headers carry the shader clock, which the one-instruction form cannot");
        let setting = Setting::new(variables::SHADER_CLOCK_BITS, "0".to_owned());
        return if count > 0 { vec![Advice { reason, setting }] } else { Vec::new() };
    }
    let index = map.index();
    let mut missed: Vec<(u32, usize, u32)> = sites
        .into_iter()
        .filter(|(id, _)| *id > LAST_SHORT_ID && index.contains(*id) && traced(*id) != Some(0))
        .map(|(id, (count, heat))| (id, count, heat))
        .collect();
    missed.sort_by_key(|(id, count, heat)| (std::cmp::Reverse((traced(*id), *heat, *count)), *id));
    let name = |id: u32| index.find(id).and_then(Row::name).map(ToString::to_string).unwrap_or_default();
    let how_hot = |id: u32, heat: u32| {
        traced(id).map_or_else(|| depth(heat), |count| format!("traced {}", counted(count, "time")))
    };
    let functions: Vec<String> = missed
        .iter()
        .filter(|(id, ..)| matches!(index.find(*id), Some(Row::Function { .. })))
        .map(|(id, ..)| name(*id))
        .collect();
    let mut advice: Vec<Advice> = missed
        .iter()
        .take(TOLD)
        .map(|(id, count, heat)| Advice {
            reason: format!(
                "id {id}, `{}`: {count} headers of three instructions, {}; only ids up to {LAST_SHORT_ID} take one",
                name(*id),
                how_hot(*id, *heat)
            ),
            setting: None,
        })
        .collect();
    if let (Some(last), false) = (advice.last_mut(), functions.is_empty()) {
        last.setting = Setting::new(variables::FUNCTIONS_EXCLUDE, quoted(&functions.join(",")));
    }
    advice
}

/// Waits that fences cause.
fn boundaries(costs: &Costs) -> Option<Advice> {
    let waiting: Vec<_> = costs.functions.iter().filter(|function| function.boundaries.instructions > 0).collect();
    let count: usize = waiting.iter().map(|function| function.boundaries.instructions).sum();
    let hottest = waiting.iter().max_by_key(|function| (function.heat, function.boundaries.instructions))?;
    let reason = format!(
        "up to {count} waits for LDS in front of markers, the most in `{}`: `asm` keeps the compiler's order without them, but \
         a marker can then be traced before LDS operations in front of it are done",
        hottest.name
    );
    Some(Advice { reason, setting: Setting::new(variables::MEM_BARRIER, quoted("asm")) })
}

/// How many loops are around.
fn depth(heat: u32) -> String {
    counted(heat.into(), "loop") + " deep"
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
