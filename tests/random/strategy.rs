//! What programs are drawn from, as proptest strategies, so that one that fails shrinks.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::mutate::{self, Mutation};
use crate::normal;
use crate::program::{
    Condition, Helper, Inlining, Label, Leave, NUMBERS, Payload, Program, Stmt, TEXTS, Target, Trips, Work,
};
use crate::setup::{self, Setup};

/// A program with its mutation, if any, and how it is compiled; as it was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    program: Program,
    mutation: Option<(Mutation, u16)>,
    pub(crate) setup: Setup,
}

impl Draft {
    /// The program that is compiled: legal, balanced unless it is a mutant, and then with the mutation.
    pub(crate) fn program(&self) -> Program {
        let mut program = normal::legal(&self.program, &self.setup);
        normal::balance(&mut program, self.setup.optimises());
        if let Some((mutation, place)) = self.mutation {
            mutate::apply(&mut program, mutation, place.into());
            program = normal::legal(&program, &self.setup);
        }
        program
    }

    /// What was done to the program, if anything.
    pub(crate) fn mutation(&self) -> Option<Mutation> {
        self.mutation.map(|(mutation, _)| mutation)
    }
}

/// Every kind of program.
pub(crate) fn draft() -> impl Strategy<Value = Draft> {
    let mutation = prop_oneof![
        7 => Just(None),
        3 => (select(&mutate::ALL[..]), any::<u16>()).prop_map(Some),
    ];
    (program(), mutation, setup::strategy()).prop_map(|(program, mutation, setup)| Draft { program, mutation, setup })
}

fn program() -> impl Strategy<Value = Program> {
    (body(8), vec(helper(), 0..4)).prop_map(|(kernel, helpers)| Program { kernel, helpers })
}

fn helper() -> impl Strategy<Value = Helper> {
    let inlining = select(vec![Inlining::Never, Inlining::Always, Inlining::Compiler]);
    (inlining, any::<bool>(), body(4)).prop_map(|(inlining, returns, body)| Helper { inlining, returns, body })
}

/// A function's body. Some end in a scope that a part of the wave leaves by a return: the exits can be joined.
fn body(length: usize) -> impl Strategy<Value = Vec<Stmt>> {
    let tail = (label(), condition(), list(3), list(2)).prop_map(|(label, condition, mut inside, mut arm)| {
        arm.push(Stmt::Leave(Leave { to: Target::Return, closing: true }));
        inside.insert(0, Stmt::If(condition, arm, Vec::new()));
        Stmt::Scope(label, inside)
    });
    (vec(statement(), 1..length), prop_oneof![3 => Just(None), 1 => tail.prop_map(Some)]).prop_map(
        |(mut list, tail)| {
            list.extend(tail);
            list
        },
    )
}

fn list(length: usize) -> impl Strategy<Value = Vec<Stmt>> {
    vec(leaf(), 0..length)
}

fn statement() -> impl Strategy<Value = Stmt> {
    leaf().prop_recursive(4, 20, 4, |inner| {
        let list = || vec(inner.clone(), 0..4);
        let leaving = (list(), leave()).prop_map(|(mut arm, leave)| {
            arm.push(Stmt::Leave(leave));
            arm
        });
        let arm = prop_oneof![3 => list(), 1 => leaving];
        prop_oneof![
            6 => (label(), list()).prop_map(|(label, body)| Stmt::Scope(label, body)),
            2 => (label(), list()).prop_map(|(label, body)| Stmt::Guarded(label, body)),
            1 => (label(), list(), condition(), list(), list())
                .prop_map(|(label, body, condition, then, other)| Stmt::Split(label, body, condition, then, other)),
            4 => (condition(), arm, list()).prop_map(|(condition, then, other)| Stmt::If(condition, then, other)),
            3 => (trips(), list()).prop_map(|(trips, body)| Stmt::Loop(trips, body)),
        ]
    })
}

fn leaf() -> impl Strategy<Value = Stmt> {
    let text = 0..TEXTS.len() as u8;
    prop_oneof![
        6 => work().prop_map(Stmt::Work),
        2 => label().prop_map(Stmt::Point),
        2 => (text, payload()).prop_map(|(name, value)| Stmt::Data(name, value)),
        1 => Just(Stmt::Barrier),
        3 => any::<u8>().prop_map(Stmt::Call),
    ]
}

fn work() -> impl Strategy<Value = Work> {
    select(vec![
        Work::Store,
        Work::Volatile,
        Work::GlobalAtomic,
        Work::LdsAtomic,
        Work::Load,
        Work::LdsStore,
        Work::LdsLoad,
        Work::Private,
        Work::Arithmetic,
    ])
}

fn payload() -> impl Strategy<Value = Payload> {
    select(vec![Payload::Argument, Payload::Lane, Payload::Running])
}

fn label() -> impl Strategy<Value = Label> {
    prop_oneof![9 => (0..TEXTS.len() as u8).prop_map(Label::Text), 1 => NUMBERS.prop_map(Label::Number)]
}

fn condition() -> impl Strategy<Value = Condition> {
    select(vec![Condition::Lane, Condition::LaneLoad, Condition::Proven, Condition::Group, Condition::Argument])
}

fn trips() -> impl Strategy<Value = Trips> {
    prop_oneof![
        1 => (1..5u8).prop_map(Trips::Constant),
        1 => Just(Trips::Proven),
        2 => Just(Trips::Argument),
        2 => Just(Trips::Lane),
    ]
}

fn leave() -> impl Strategy<Value = Leave> {
    select(vec![Target::Return, Target::Break, Target::Continue]).prop_map(|to| Leave { to, closing: true })
}
