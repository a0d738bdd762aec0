//! When a program is balanced, told from its tree and in terms of the wave.
//!
//! A [`Way`] is what some lanes of a wave have done up to a place: the scopes they left open. A way is followed through
//! the tree. Where lanes part (a divergent branch, or a loop that some lanes leave earlier) each side goes on alone until
//! all of them meet again: behind the branch, or further down where one side left early. Until then a side must not
//! close a scope that was open when they parted, for the others would close it as well: unless exits are the last thing
//! that *every* side does before they meet, as those are one exit then. And a side that opens a scope must have closed
//! it where they meet. Everything else is counting.

#[path = "model/walk.rs"]
mod walk;
#[path = "model/way.rs"]
mod way;

use crate::program::{Flow, Program};
use walk::{Change, Walk};

/// Whether the scopes of every wave are closed as often as they are opened, on each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Balanced,
    /// It depends on what the compiler can know or do.
    Either,
    Unbalanced,
}

/// A verdict and what decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) reason: &'static str,
}

impl Judgement {
    const BALANCED: Judgement = Judgement { verdict: Verdict::Balanced, reason: "balanced" };

    /// Keeps the worst of what is found, and the first of these.
    fn found(&mut self, verdict: Verdict, reason: &'static str) {
        if verdict > self.verdict {
            *self = Judgement { verdict, reason };
        }
    }
}

/// Judges `program`. `optimised`: the compiler follows kernel arguments to the branches that depend on them.
pub(crate) fn judge(program: &Program, optimised: bool) -> Judgement {
    // A branch that is uniform and that the compiler may not know to be: both views have to agree.
    let known = judge_as(program, optimised, Flow::Uniform);
    let unknown = judge_as(program, optimised, Flow::Divergent);
    if known.verdict == unknown.verdict {
        return known;
    }
    Judgement { verdict: Verdict::Either, reason: "a branch is uniform, but this cannot be proved" }
}

fn judge_as(program: &Program, optimised: bool, unproven: Flow) -> Judgement {
    let mut judgement = Judgement::BALANCED;
    let mut changes = vec![Change::default(); program.helpers.len()];
    let called = program.called();
    for (index, helper) in program.helpers.iter().enumerate().rev().filter(|(index, _)| called[*index]) {
        let mut walk = Walk::new(&mut judgement, &changes, unproven);
        walk.stores_result = helper.returns && !optimised;
        let change = walk.function(&helper.body);
        changes[index] = change;
    }
    let mut walk = Walk::new(&mut judgement, &changes, unproven);
    walk.followed = optimised;
    let change = walk.function(&program.kernel);
    if change.lowest < 0 {
        judgement.found(Verdict::Unbalanced, "the kernel closes a scope that it did not open");
    } else if change.net != 0 {
        judgement.found(Verdict::Unbalanced, "the kernel ends with a scope open");
    }
    judgement
}
