//! Trees whose verdict anyone can tell, for the model to be held to.

use libtest_mimic::Trial;

use crate::model::{self, Verdict};
use crate::program::{Condition, Helper, Inlining, Label, Leave, Program, Stmt, Target, Trips, Work};

use Verdict::{Balanced, Either, Unbalanced};

const A: Label = Label::Text(0);
const LANE: Condition = Condition::Lane;
const ALL: Condition = Condition::Proven;

fn work() -> Stmt {
    Stmt::Work(Work::Store)
}

fn scope(body: Vec<Stmt>) -> Stmt {
    Stmt::Scope(A, body)
}

fn when(condition: Condition, arm: Vec<Stmt>) -> Stmt {
    Stmt::If(condition, arm, Vec::new())
}

/// `if (condition) { close what is open; leave; }`
fn closing(condition: Condition, to: Target) -> Stmt {
    when(condition, vec![work(), Stmt::Leave(Leave { to, closing: true })])
}

/// `if (condition) { leave; }`
fn open(condition: Condition, to: Target) -> Stmt {
    when(condition, vec![Stmt::Leave(Leave { to, closing: false })])
}

/// The name, the kernel's body, and what it is.
fn examples() -> Vec<(&'static str, Vec<Stmt>, Verdict)> {
    let turns = |body| Stmt::Loop(Trips::Proven, body);
    let mut examples = vec![
        ("a scope in a scope", vec![scope(vec![scope(vec![work()])])], Balanced),
        ("an exit too many", vec![scope(vec![work()]), Stmt::Exit(A)], Unbalanced),
        ("an exit missing", vec![Stmt::Enter(A), work()], Unbalanced),
        ("a scope in an arm", vec![when(LANE, vec![scope(vec![work()])])], Balanced),
        ("an enter in an arm", vec![when(LANE, vec![Stmt::Enter(A)]), Stmt::Exit(A)], Unbalanced),
        ("an enter in an arm, uniform", vec![when(ALL, vec![Stmt::Enter(A)]), Stmt::Exit(A)], Unbalanced),
        (
            "an enter in each arm",
            vec![Stmt::If(LANE, vec![Stmt::Enter(A)], vec![Stmt::Enter(A)]), Stmt::Exit(A)],
            Unbalanced,
        ),
        (
            "an enter in each arm, uniform",
            vec![Stmt::If(ALL, vec![Stmt::Enter(A)], vec![Stmt::Enter(A)]), Stmt::Exit(A)],
            Balanced,
        ),
        ("an exit in each arm", vec![Stmt::Split(A, vec![work()], LANE, vec![work()], vec![])], Balanced),
        ("an exit in an arm", vec![Stmt::Enter(A), when(LANE, vec![Stmt::Exit(A)])], Unbalanced),
        (
            "work behind the exits of arms",
            vec![Stmt::Enter(A), Stmt::If(LANE, vec![Stmt::Exit(A), work()], vec![Stmt::Exit(A)])],
            Unbalanced,
        ),
        (
            "work behind the exits of arms, uniform",
            vec![Stmt::Enter(A), Stmt::If(ALL, vec![Stmt::Exit(A), work()], vec![Stmt::Exit(A)])],
            Balanced,
        ),
        ("a turn that opens", vec![turns(vec![Stmt::Enter(A), work()])], Unbalanced),
        ("turns of some lanes", vec![Stmt::Loop(Trips::Lane, vec![scope(vec![work()])])], Balanced),
        (
            "a scope beside a branch on an argument",
            vec![Stmt::Enter(A), Stmt::If(Condition::Argument, vec![Stmt::Exit(A), work()], vec![Stmt::Exit(A)])],
            Balanced,
        ),
        ("a call that opens nothing", vec![scope(vec![Stmt::Call(0)])], Balanced),
        ("a branch on an argument of a helper", vec![Stmt::Call(1)], Either),
    ];
    for (name, first, rest, uniform, divergent) in [
        ("a return before anything", open as fn(Condition, Target) -> Stmt, scope(vec![work()]), Balanced, Balanced),
        ("a return behind the exit of its arm", closing, work(), Balanced, Balanced),
    ] {
        examples.push((name, vec![first(ALL, Target::Return), rest.clone()], uniform));
        examples.push((name, vec![first(LANE, Target::Return), rest], divergent));
    }
    examples.extend(ways_out());
    examples
}

fn ways_out() -> Vec<(&'static str, Vec<Stmt>, Verdict)> {
    let turns = |body| Stmt::Loop(Trips::Proven, body);
    let (back, out, on) = (Target::Return, Target::Break, Target::Continue);
    vec![
        ("a return that leaves a scope open", vec![scope(vec![open(ALL, back), work()])], Unbalanced),
        ("the same of some lanes", vec![scope(vec![open(LANE, back), work()])], Unbalanced),
        ("a return that closes", vec![scope(vec![closing(ALL, back), work()]), work()], Balanced),
        ("the same of some lanes", vec![scope(vec![closing(LANE, back), work()]), work()], Unbalanced),
        ("the same where exits can be joined", vec![scope(vec![closing(LANE, back), work()])], Balanced),
        ("two that can be joined", vec![scope(vec![closing(LANE, back), closing(LANE, back), work()])], Balanced),
        ("an outer scope goes on", vec![scope(vec![scope(vec![closing(LANE, back), work()]), work()])], Unbalanced),
        ("both scopes end there", vec![scope(vec![scope(vec![closing(LANE, back), work()])])], Balanced),
        ("a return out of a loop", vec![scope(vec![turns(vec![closing(LANE, back), work()])])], Balanced),
        (
            "a return out of a loop, work behind it",
            vec![scope(vec![turns(vec![closing(LANE, back)])]), work()],
            Unbalanced,
        ),
        ("a break that closes", vec![turns(vec![scope(vec![closing(ALL, out), work()])])], Balanced),
        ("the same of some lanes", vec![turns(vec![scope(vec![closing(LANE, out), work()])])], Unbalanced),
        (
            "a break with nothing open",
            vec![turns(vec![closing(LANE, out), scope(vec![work()])]), scope(vec![])],
            Balanced,
        ),
        ("a break that leaves a scope open", vec![turns(vec![scope(vec![open(ALL, out), work()])])], Unbalanced),
        ("on to the next turn", vec![turns(vec![scope(vec![closing(LANE, on), work()])])], Balanced),
        ("on to the next turn, work behind it", vec![turns(vec![scope(vec![closing(LANE, on)]), work()])], Unbalanced),
        ("a return through an object", vec![Stmt::Guarded(A, vec![open(LANE, back), work()]), work()], Balanced),
        (
            "a break through an object",
            vec![turns(vec![Stmt::Guarded(A, vec![open(LANE, out), work()])]), work()],
            Balanced,
        ),
        ("a scope left open in an object", vec![Stmt::Guarded(A, vec![scope(vec![open(LANE, back)])])], Unbalanced),
        (
            "a return of all lanes elsewhere",
            vec![
                when(ALL, vec![work(), Stmt::Leave(Leave { to: back, closing: true })]),
                scope(vec![closing(LANE, back), work()]),
            ],
            Either,
        ),
    ]
}

/// The model says of each what is written beside it.
pub(crate) fn trials() -> Vec<Trial> {
    let helpers = vec![
        Helper { inlining: Inlining::Never, returns: true, body: vec![scope(vec![work()])] },
        Helper {
            inlining: Inlining::Never,
            returns: false,
            body: vec![Stmt::Enter(A), Stmt::If(Condition::Argument, vec![Stmt::Exit(A), work()], vec![Stmt::Exit(A)])],
        },
    ];
    vec![Trial::test("model::examples", move || {
        let mut wrong = Vec::new();
        for (name, kernel, verdict) in examples() {
            let program = Program { kernel, helpers: helpers.clone() };
            let judgement = model::judge(&program, true);
            if judgement.verdict != verdict {
                wrong.push(format!("{name}: {judgement:?}, not {verdict:?}\n{:?}", program.kernel));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
    })]
}
