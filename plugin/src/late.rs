//! The late phase, behind the optimizer: marks become code, and the map is written.

use std::collections::{BTreeSet, HashMap};

use sqtt_contract::settings::{Settings, Threshold};

use crate::addresses::{self, Traced};
use crate::barriers::{self, BarrierIds};
use crate::depth::Changes;
use crate::early::may_be_scope;
use crate::emission::Emitted;
use crate::faults::{Point, lacks};
use crate::funcmap::Made;
use crate::ledger::{Entry, Ledger};
use crate::llvm::{Analyses, Function, Module, Severity};
use crate::marked::{Marked, marked};
use crate::marks::Mark;
use crate::memory::{self, MemoryIds};
use crate::named_markers::{self, Unresolved};
use crate::numbering::Numbering;
use crate::report::Untraced;
use crate::target::{self, Lookup, Target, instrumentable};
use crate::units::{Facts, Unit};
use crate::{
    Error, balance, config, effects, emission, exits, filter, funcmap, functions, link, numbering, records, size,
    uniform, wrappers,
};

/// The module table that says that this phase has been here.
const DONE: &str = "sqtt.markers.done";

/// Whether the module already has its final markers and map.
pub(crate) fn is_done(module: Module) -> bool {
    module.rows(DONE).is_some() && !lacks(Point::Idempotence)
}

/// Runs the phase behind an early one. Returns whether the module was changed.
pub(crate) fn run(module: Module, analyses: &Analyses) -> Result<bool, Error> {
    let Some(settings) = config::settings_for(module)? else { return Ok(false) };
    if is_done(module) {
        return again(module);
    }
    let ledger = Ledger::load(module);
    if settings.functions != Threshold::Off {
        functions::prune(module, &ledger, settings.functions);
    }
    let early = ledger.entries().len();
    let mut late = Late::new(settings, ledger);
    let functions = instrumentable(module);
    for (function, target) in &functions {
        named_markers::resolve(*function, &mut late.ledger, Unresolved::Number);
        late.place_events(*function, target);
    }
    late.finish(module, &functions, analyses, early)
}

/// What is left to do for a module that has been through: words that were optimized since are made sound again; several units' bitcode, linked by hand, get one map when
/// this compile is the last one.
fn again(module: Module) -> Result<bool, Error> {
    if config::links_later() {
        return Ok(false);
    }
    Ok(link::run(module)? | uniform::settle(module)?)
}

/// Runs both phases in one, where there is no optimizer between them: -O0.
pub(crate) fn run_o0(module: Module, analyses: &Analyses) -> Result<bool, Error> {
    let Some(settings) = config::settings_for(module)? else { return Ok(false) };
    if is_done(module) {
        return again(module);
    }
    wrappers::inline_all(module);
    if settings.functions != Threshold::Off {
        filter::report_idle(settings, module);
    }
    // Sentinels count like the marks that they become.
    let changes = Changes::of(module);
    let mut late = Late::new(settings, Ledger::default());
    let functions = instrumentable(module);
    for &(function, target) in &functions {
        // The program's own size: memory and address marks are not there yet.
        let size = size::of(function, settings.functions);
        named_markers::resolve(function, &mut late.ledger, Unresolved::Number);
        exits::join(function, &changes);
        late.place_events(function, target);
        if size::exceeds(size, settings.functions) && may_be_scope(function, &changes, settings) {
            functions::instrument(function, size, &mut late.ledger);
        }
    }
    late.finish(module, &functions, analyses, 0)
}

/// The late phase under way.
struct Late<'a> {
    settings: &'a Settings,
    ledger: Ledger,
    barriers: Option<BarrierIds>,
    memory: Option<MemoryIds>,
    traced: Traced,
    /// Lanes of a wave, of the widest function whose addresses are traced.
    lanes: Option<u32>,
    untraced: Untraced,
}

impl<'a> Late<'a> {
    fn new(settings: &'a Settings, mut ledger: Ledger) -> Late<'a> {
        let barriers = settings.barriers.then(|| BarrierIds::add_to(&mut ledger));
        let memory = settings.memory.is_some().then(|| MemoryIds::add_to(&mut ledger));
        let (traced, untraced) = (Traced::new(), Untraced::default());
        Late { settings, ledger, barriers, memory, traced, lanes: None, untraced }
    }

    /// Marks what the program does by itself: barriers, memory operations, addresses.
    fn place_events(&mut self, function: Function, target: &Target) {
        if let Some(ids) = self.barriers {
            barriers::place(function, ids, &mut self.untraced);
        }
        if let (Some(chunks), Some(ids)) = (self.settings.memory, self.memory) {
            memory::place(function, chunks, ids, &mut self.untraced);
        }
        if self.settings.addresses.is_on() {
            let (lanes, before) = (target::lanes(function, target), self.traced.len());
            let wanted = self.settings.addresses;
            addresses::place(function, wanted, lanes, &mut self.ledger, &mut self.traced, &mut self.untraced);
            if self.traced.len() > before {
                self.lanes = self.lanes.max(Some(lanes));
            }
        }
    }

    /// Numbers the marks that are left, turns them into code and writes the map.
    fn finish(
        self,
        module: Module,
        functions: &[(Function, &'static Target)],
        analyses: &Analyses,
        early: usize,
    ) -> Result<bool, Error> {
        report_unknown_targets(module);
        self.untraced.print();
        if self.settings.balance {
            balance::report(functions, &Changes::of(module), analyses, &self.ledger);
        }
        let marked = marked(functions);
        effects::take_back(&marked);
        let numbering = numbering::number(&self.ledger, early, &emissions(&marked));
        let links_later = config::links_later();
        let headers = links_later && records::announce(&marked, &numbering);
        let mut emitted = Emitted::default();
        for marked in &marked {
            let found = emission::emit(marked, self.settings, &numbering, &self.traced)?;
            emitted.traces |= found.traces;
            emitted.packs_clock |= found.packs_clock;
        }
        named_markers::remove_unused_declarations(module);
        let kernels: Vec<Function> =
            functions.iter().map(|(function, _)| *function).filter(|f| f.is_kernel()).collect();
        let layout = emitted.packs_clock.then_some(self.settings.clock);
        let rows = funcmap::rows(&self.ledger, &numbering, &kernels, layout, self.lanes);
        if functions.is_empty() || (rows.is_empty() && !emitted.traces) {
            return Ok(false);
        }
        funcmap::emit(module, &rows, if links_later { Made::ForLink } else { Made::ForAll });
        if links_later {
            self.make_linkable(module, functions, &numbering, headers);
        }
        module.ensure_table(DONE);
        Ok(true)
    }

    /// Leaves in the module what a link needs to make one map of several units'.
    fn make_linkable(
        &self,
        module: Module,
        functions: &[(Function, &'static Target)],
        numbering: &Numbering,
        headers: bool,
    ) {
        let has_clock = |(_, target): &(Function, &Target)| target.clock.is_some();
        let packs = self.settings.clock.bits > 0 && functions.iter().any(has_clock);
        let clock = packs.then_some(self.settings.clock);
        let facts = Facts { clock, lanes: self.lanes, m0_nop: self.settings.m0_nop, headers };
        let numbered = |entry: &Entry| Some(Entry { id: *numbering.get(&entry.id)?, ..entry.clone() });
        let unit = Unit::of(module, facts, self.ledger.entries().iter().filter_map(numbered).collect());
        unit.store(module);
        records::seal(module, unit.key);
        uniform::shield(module);
    }
}

/// How many marks there are of each provisional id.
fn emissions(marked: &[Marked]) -> HashMap<u32, u32> {
    let mut counts = HashMap::new();
    for id in marked.iter().flat_map(|marked| &marked.markers).filter_map(|marker| Mark::of(*marker)?.id()) {
        *counts.entry(id).or_insert(0) += 1;
    }
    counts
}

/// Says once per name that functions for a GPU outside the table get no markers.
fn report_unknown_targets(module: Module) {
    let unknown = module.definitions().into_iter().filter(|f| target::of(*f) == Lookup::Unknown);
    let names: BTreeSet<String> = unknown.filter_map(|f| f.string_attribute("target-cpu")).collect();
    for name in names {
        let text = format!("sqtt: target `{name}` is not known to this version: its functions get no markers");
        module.report(None, Severity::Warning, &text);
    }
}
