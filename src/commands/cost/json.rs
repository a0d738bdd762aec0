//! The JSON document of `sqtt cost --json`; `docs/cost.md` describes it.

use std::io::{self, Write};

use serde::Serialize;

use super::read::Object;
use crate::code_object::Resources;
use crate::cost::{Amount, FunctionCost, MarkerCost};

#[derive(Serialize)]
struct Document {
    version: u32,
    code_objects: Vec<CodeObject>,
}

#[derive(Serialize)]
struct CodeObject {
    object: String,
    functions: Vec<Function>,
    /// Functions that are there without instrumentation only.
    only_without: Vec<Without>,
    advice: Vec<Advice>,
}

#[derive(Serialize)]
struct Without {
    name: String,
    amount: Amount,
}

#[derive(Serialize)]
struct Function {
    name: String,
    kernel: bool,
    loops: u32,
    total: Amount,
    markers: Amount,
    scope_check: Amount,
    boundaries: Amount,
    without: Option<Amount>,
    resources: Option<Taken>,
    resources_without: Option<Taken>,
    by_marker: Vec<Marker>,
}

#[derive(Serialize)]
struct Marker {
    /// 0 for exits, null for what is known at run time only.
    id: Option<u32>,
    kind: Option<char>,
    name: Option<String>,
    sites: usize,
    short_sites: usize,
    loops: u32,
    amount: Amount,
}

#[derive(Serialize)]
struct Taken {
    vgprs: u32,
    agprs: u32,
    sgprs: u32,
    spilled_vgprs: u32,
    spilled_sgprs: u32,
    scratch_bytes: u32,
    lds_bytes: u32,
    dynamic_stack: bool,
}

#[derive(Serialize)]
struct Advice {
    reason: String,
    /// Path in sqtt.toml.
    key: Option<&'static str>,
    /// As TOML.
    value: Option<String>,
}

pub(super) fn print(objects: &[Object], out: &mut dyn Write) -> io::Result<()> {
    let document = Document { version: 1, code_objects: objects.iter().map(code_object).collect() };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn code_object(object: &Object) -> CodeObject {
    let growth = || object.plain.iter().flat_map(|plain| &plain.growth);
    let only = growth().filter(|growth| growth.with.is_none());
    CodeObject {
        object: object.name.clone(),
        functions: object.costs.functions.iter().map(|cost| function(object, cost)).collect(),
        only_without: only
            .map(|growth| Without { name: growth.name.clone(), amount: growth.without.unwrap_or_default() })
            .collect(),
        advice: object
            .advice
            .iter()
            .map(|advice| Advice {
                reason: advice.reason.clone(),
                key: advice.setting.as_ref().and_then(|setting| setting.variable.key),
                value: advice.setting.as_ref().map(|setting| setting.value.clone()),
            })
            .collect(),
    }
}

fn function(object: &Object, cost: &FunctionCost) -> Function {
    let of = |resources: &[(String, Resources)]| {
        resources.iter().find(|(name, _)| *name == cost.name).map(|(_, resources)| taken(resources))
    };
    let growth = object.plain.iter().flat_map(|plain| &plain.growth).find(|growth| growth.name == cost.name);
    Function {
        name: cost.name.clone(),
        kernel: cost.is_kernel,
        loops: cost.heat,
        total: cost.total,
        markers: cost.markers,
        scope_check: cost.checks,
        boundaries: cost.boundaries,
        without: growth.and_then(|growth| growth.without),
        resources: of(&object.resources),
        resources_without: object.plain.as_ref().and_then(|plain| of(&plain.resources)),
        by_marker: cost.by_marker.iter().map(|(id, cost)| marker(object, *id, cost)).collect(),
    }
}

fn marker(object: &Object, id: Option<u32>, cost: &MarkerCost) -> Marker {
    let row = id.and_then(|id| object.map.find(id));
    Marker {
        id,
        kind: row.map(|row| row.letter()),
        name: row.and_then(|row| row.name()).map(ToString::to_string),
        sites: cost.sites,
        short_sites: cost.short_sites,
        loops: cost.heat,
        amount: cost.amount,
    }
}

fn taken(resources: &Resources) -> Taken {
    Taken {
        vgprs: resources.vgprs,
        agprs: resources.agprs,
        sgprs: resources.sgprs,
        spilled_vgprs: resources.spilled_vgprs,
        spilled_sgprs: resources.spilled_sgprs,
        scratch_bytes: resources.scratch_bytes,
        lds_bytes: resources.lds_bytes,
        dynamic_stack: resources.has_dynamic_stack,
    }
}
