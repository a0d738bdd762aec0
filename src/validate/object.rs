//! Rules over a map and the code object that it is in: kernels, functions, wave size, clock.

use std::collections::{BTreeSet, HashMap, HashSet};

use sqtt_contract::funcmap::{Funcmap, Map, Row, SECTION};

use super::Rule;
use super::findings::Findings;
use crate::code_object::{CodeObject, KernelDescriptor, SymbolKind};

/// Says that a code object without a map should have one: it has a kernel.
pub(super) fn check_needs_none(code_object: &CodeObject<'_>, findings: &mut Findings) {
    match code_object.kernel_descriptors() {
        Err(malformed) => findings.add(Rule::Malformed, malformed.to_string()),
        Ok(kernels) => {
            let Some(first) = kernels.first() else { return };
            let name = shown(first.kernel);
            let others = kernels.len() - 1;
            let kernels = if others == 0 { format!("kernel `{name}`") } else { format!("`{name}` and {others} more") };
            findings.add(Rule::MissingMap, format!("no `{SECTION}` section, but there is code to trace: {kernels}"));
        }
    }
}

/// Checks a map against the code object's symbols, kernels and target.
pub(super) fn check(map: &Funcmap, code_object: &CodeObject<'_>, findings: &mut Findings) {
    check_clock(map, code_object, findings);
    let kernels = match code_object.kernel_descriptors() {
        Ok(kernels) => kernels,
        Err(malformed) => return findings.add(Rule::Malformed, malformed.to_string()),
    };
    for unit in &map.maps {
        check_wave_size(unit, &kernels, findings);
    }
    check_kernels(map, &kernels, findings);
    check_functions(map, code_object, &kernels, findings);
}

fn check_clock(map: &Funcmap, code_object: &CodeObject<'_>, findings: &mut Findings) {
    let processor = &code_object.target().processor;
    for unit in &map.maps {
        let index = unit.index();
        for line in &unit.lines {
            let Row::Layout { clock_bits, .. } = line.row else { continue };
            if clock_bits == 0 {
                continue;
            }
            if !processor.starts_with("gfx12") {
                let message = format!("line {}: headers have a packed clock, but `{processor}` has none", line.number);
                findings.add(Rule::ClockLayout, message);
            }
            if let Some((id, _)) = index.payloads().filter(|(_, count)| *count > 0).min() {
                let message = format!("line {}: headers have a packed clock, but id {id} has a payload", line.number);
                findings.add(Rule::ClockLayout, message);
            }
        }
    }
}

fn check_wave_size(unit: &Map, kernels: &[KernelDescriptor<'_>], findings: &mut Findings) {
    let stated: BTreeSet<u32> =
        unit.rows().filter_map(|row| if let Row::WaveSize(lanes) = row { Some(*lanes) } else { None }).collect();
    if stated.len() > 1 {
        return findings.add(Rule::WaveSize, "the map has rows of two wave sizes");
    }
    let own: BTreeSet<u32> = kernels.iter().filter_map(|kernel| kernel.wave_size).collect();
    if let (Some(stated), false) = (stated.first(), own.is_empty())
        && !own.contains(stated)
    {
        let own: Vec<String> = own.iter().map(u32::to_string).collect();
        let message = format!("the map says {stated} lanes a wave, but its kernels have {}", own.join(" and "));
        findings.add(Rule::WaveSize, message);
    }
}

fn check_kernels(map: &Funcmap, kernels: &[KernelDescriptor<'_>], findings: &mut Findings) {
    let mut rows = HashSet::new();
    let own: HashSet<&[u8]> = kernels.iter().map(|kernel| kernel.kernel).collect();
    for row in map.rows() {
        let Row::Kernel { name, .. } = row else { continue };
        rows.insert(name.as_bytes());
        if !own.contains(name.as_bytes()) {
            let message = format!("a row names kernel `{}`, which is not in it", shown(name.as_bytes()));
            findings.add(Rule::UnknownKernel, message);
        }
    }
    // A row that could not be read may be the one.
    let is_whole = map.problems.is_empty() && !map.is_empty();
    for kernel in kernels.iter().filter(|kernel| is_whole && !rows.contains(kernel.kernel)) {
        let message =
            format!("kernel `{}` has no row: was its unit compiled without the plugin?", shown(kernel.kernel));
        findings.add(Rule::MissingKernel, message);
    }
}

fn check_functions(
    map: &Funcmap,
    code_object: &CodeObject<'_>,
    kernels: &[KernelDescriptor<'_>],
    findings: &mut Findings,
) {
    if !map.rows().any(|row| matches!(row, Row::Function { .. })) {
        return;
    }
    let symbols = match code_object.symbols() {
        Ok(symbols) => symbols,
        Err(malformed) => return findings.add(Rule::Malformed, malformed.to_string()),
    };
    let kinds: HashMap<&[u8], SymbolKind> = symbols.iter().map(|symbol| (symbol.name, symbol.kind)).collect();
    let kernels: HashSet<&[u8]> = kernels.iter().map(|kernel| kernel.kernel).collect();
    for row in map.rows() {
        let Row::Function { id, name, .. } = row else { continue };
        let what = if kernels.contains(name.as_bytes()) {
            "a kernel, which has no scope of its own"
        } else if kinds.get(name.as_bytes()) == Some(&SymbolKind::Object) {
            "data"
        } else {
            continue;
        };
        findings.add(Rule::FunctionSymbol, format!("function `{}` (id {id}) is {what}", shown(name.as_bytes())));
    }
}

fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
