//! `phantom-marker`: no marker runs in a wave without an active lane.

use super::{Findings, Rule};
use crate::machine::flow::{Event, Exec, FunctionFlow};
use crate::machine::program::{Function, Program};

const ADVICE: &str = "keep the branch around it, as the pass plugin does for its own markers";

pub(super) fn check(program: &Program, function: &Function, found: &FunctionFlow, findings: &mut Findings) {
    for observation in &found.observations {
        let how = match observation.exec {
            Exec::Zero => "is zero",
            Exec::MaybeZero => "can be zero",
            Exec::NonZero | Exec::Unknown => continue,
        };
        findings.add(Rule::PhantomMarker, function, observation.address, || {
            format!("EXEC {how} here: the wave traces what none of its lanes does\n{ADVICE}")
        });
    }
    for event in &found.events {
        let Event::PhantomCall { address, callee } = event else { continue };
        findings.add(Rule::PhantomMarker, function, *address, || {
            let name = program.functions.get(*callee).map_or("a function", |callee| &callee.name);
            format!("EXEC can be zero at this call of `{name}`, which traces\n{ADVICE}")
        });
    }
}
