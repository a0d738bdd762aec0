//! Finds the markers in what `llvm-objdump -d --no-show-raw-insn` prints.

use std::collections::BTreeMap;

use crate::facts::{Function, Trace};

/// The functions that hold markers, each with its markers in address order.
pub(crate) fn markers(disassembly: &str) -> BTreeMap<String, Function> {
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    let mut name = String::new();
    let mut before: Vec<&str> = Vec::new();
    for line in disassembly.lines() {
        if let Some(symbol) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            name = symbol.1.to_owned();
            before.clear();
            continue;
        }
        let instruction = line.split("//").next().unwrap_or_default().trim();
        if let Some(trace) = marker(instruction, &before) {
            functions.entry(name.clone()).or_default().traces.push(trace);
        }
        before.push(instruction);
    }
    functions
}

/// The marker that `instruction` is, if it is one; `before` are the instructions of the function up to it.
fn marker(instruction: &str, before: &[&str]) -> Option<Trace> {
    if let Some(operand) = instruction.strip_prefix("s_ttracedata_imm ") {
        return Some(Trace { op: "imm".to_owned(), value: constant(operand), ..Trace::default() });
    }
    if instruction != "s_ttracedata" {
        return None;
    }
    let nop_before = before.last().is_some_and(|previous| previous.starts_with("s_nop "));
    let mut earlier = before.iter().rev().skip_while(|previous| previous.starts_with("s_nop "));
    let written = earlier.next().and_then(|write| write.strip_prefix("s_mov_b32 m0, "));
    let value = written.and_then(constant);
    let src = match written {
        Some(exec @ ("exec_lo" | "exec_hi")) => Some(exec.to_owned()),
        Some(register) if value.is_none() && is_scalar(register) => Some("sgpr".to_owned()),
        Some(other) if value.is_none() => Some(other.to_owned()),
        Some(_) => None,
        None => Some("unknown".to_owned()),
    };
    Some(Trace { op: "m0".to_owned(), value, src, nop_before: Some(nop_before) })
}

fn is_scalar(register: &str) -> bool {
    register.starts_with("vcc_") || register.strip_prefix('s').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
}

/// A constant operand: decimal, negative or hexadecimal, as the 32 bits that it stands for.
fn constant(operand: &str) -> Option<u32> {
    match operand.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => operand.parse::<i64>().ok().map(|value| value as u32),
    }
}
