//! `scope-balance`: what a wave opens it closes, on every path that it can take.

use std::collections::{BTreeMap, BTreeSet};

use super::{Findings, Rule};
use crate::machine::flow::{Event, FunctionFlow, World};
use crate::machine::program::{Entry, Function};

const ADVICE: &str = "close each scope once, where the lanes of the wave are together again";

pub(super) fn check(function: &Function, found: &FunctionFlow, findings: &mut Findings) {
    for event in &found.events {
        match event {
            Event::Underflow { address } => findings.add(Rule::ScopeBalance, function, *address, || {
                format!("on some path this closes a scope where none is open\n{ADVICE}")
            }),
            Event::TooDeep { address } => findings.add(Rule::ScopeBalance, function, *address, || {
                format!("on some path this opens one scope after the other without an end\n{ADVICE}")
            }),
            Event::PayloadInterrupted { .. } | Event::PhantomCall { .. } => {}
        }
    }
    match function.entry {
        Entry::Kernel => check_kernel(function, found, findings),
        Entry::Function | Entry::Referenced => check_returns(function, found, findings),
        Entry::Leftover => {}
    }
}

fn check_kernel(function: &Function, found: &FunctionFlow, findings: &mut Findings) {
    for end in found.ends.iter().filter(|end| !end.returns) {
        if let Some(depth) = end.depth.filter(|depth| *depth > 0) {
            findings.add(Rule::ScopeBalance, function, end.address, || {
                let scopes = if depth == 1 { "a scope".to_owned() } else { format!("{depth} scopes") };
                format!("on some path the wave ends with {scopes} open\n{ADVICE}")
            });
        }
    }
}

/// A function may open a scope for its caller to close, but not on some paths only.
fn check_returns(function: &Function, found: &FunctionFlow, findings: &mut Findings) {
    for world in [World::Inside, World::Outside] {
        let mut depths: BTreeMap<i32, BTreeSet<u64>> = BTreeMap::new();
        for end in found.ends.iter().filter(|end| end.returns && end.world == world) {
            if let Some(depth) = end.depth {
                depths.entry(depth).or_default().insert(end.address);
            }
        }
        if depths.len() < 2 {
            continue;
        }
        let usual = if depths.contains_key(&0) { Some(0) } else { depths.keys().next().copied() };
        for (depth, addresses) in depths.iter().filter(|(depth, _)| Some(**depth) != usual) {
            for address in addresses {
                findings.add(Rule::ScopeBalance, function, *address, || {
                    let (does, count) = if *depth > 0 { ("leaves", *depth) } else { ("closes", -*depth) };
                    let whose = if *depth > 0 { "open" } else { "of its caller" };
                    format!("on some path the function {does} {count} scopes {whose}, on others it does not\n{ADVICE}")
                });
            }
        }
    }
}
