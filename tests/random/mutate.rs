//! Deliberate mistakes: one each of the kinds that people make with scopes.

use crate::program::{Condition, Label, Leave, Program, Stmt, Target, Trips, Work};

/// What is done to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mutation {
    /// A return inside a scope that leaves it open, by all lanes.
    ReturnUniform,
    /// The same by some lanes.
    ReturnDivergent,
    /// A return by some lanes that closes the scope, which the others close later.
    ReturnClosing,
    /// A way out of a loop, or on to its next turn, that leaves a scope open.
    LoopWayOpen,
    /// A scope without its exit.
    MissingExit,
    /// An exit too many.
    ExtraExit,
    /// An enter in one arm of a branch.
    EnterInOneArm,
    /// A scope's exit in one arm of a branch.
    ExitInOneArm,
    /// A loop that opens a scope in every turn.
    OpeningLoop,
}

/// All of them.
pub(crate) const ALL: [Mutation; 9] = [
    Mutation::ReturnUniform,
    Mutation::ReturnDivergent,
    Mutation::ReturnClosing,
    Mutation::LoopWayOpen,
    Mutation::MissingExit,
    Mutation::ExtraExit,
    Mutation::EnterInOneArm,
    Mutation::ExitInOneArm,
    Mutation::OpeningLoop,
];

/// What is around a place in a statement list.
#[derive(Clone, Copy, Default)]
struct Around {
    scope: bool,
    looped: bool,
    /// A scope inside the innermost loop.
    scope_in_loop: bool,
}

/// Mutates `program` at its `place`th place where that can be done, counted round; none: it stays as it is.
pub(crate) fn apply(program: &mut Program, mutation: Mutation, place: usize) {
    let count = each_place(program, mutation, None);
    if count > 0 {
        each_place(program, mutation, Some(place % count));
    }
}

/// Counts the places, up to the one that is mutated.
fn each_place(program: &mut Program, mutation: Mutation, wanted: Option<usize>) -> usize {
    let mut search = Search { mutation, wanted, count: 0 };
    let called = program.called();
    search.list(&mut program.kernel, Around::default());
    for (helper, _) in program.helpers.iter_mut().zip(called).filter(|(_, called)| *called) {
        search.list(&mut helper.body, Around::default());
    }
    search.count
}

struct Search {
    mutation: Mutation,
    wanted: Option<usize>,
    count: usize,
}

impl Search {
    fn list(&mut self, list: &mut Vec<Stmt>, around: Around) {
        for at in 0..=list.len() {
            if self.fits(list, at, around) {
                if self.wanted == Some(self.count) {
                    self.mutate(list, at);
                    self.count += 1;
                    return;
                }
                self.count += 1;
            }
        }
        for stmt in list {
            let inside = match stmt {
                Stmt::Scope(..) | Stmt::Split(..) => Around { scope: true, scope_in_loop: around.looped, ..around },
                Stmt::Loop(..) => Around { looped: true, scope_in_loop: false, ..around },
                _ => around,
            };
            stmt.lists_mut().into_iter().for_each(|inner| self.list(inner, inside));
        }
    }

    fn fits(&self, list: &[Stmt], at: usize, around: Around) -> bool {
        if at > 0 && matches!(list[at - 1], Stmt::Leave(_)) {
            return false;
        }
        match self.mutation {
            Mutation::ReturnUniform | Mutation::ReturnDivergent | Mutation::ReturnClosing => around.scope,
            Mutation::LoopWayOpen => around.scope_in_loop,
            Mutation::MissingExit | Mutation::ExitInOneArm => matches!(list.get(at), Some(Stmt::Scope(..))),
            Mutation::ExtraExit | Mutation::EnterInOneArm | Mutation::OpeningLoop => true,
        }
    }

    fn mutate(&self, list: &mut Vec<Stmt>, at: usize) {
        let odd = self.count % 2 == 1;
        let condition = if odd { Condition::LaneLoad } else { Condition::Proven };
        let label = Label::Text(self.count as u8 % 4);
        let leaving = |condition, to, closing| {
            Stmt::If(condition, vec![Stmt::Work(Work::Store), Stmt::Leave(Leave { to, closing })], Vec::new())
        };
        let new = match self.mutation {
            Mutation::ReturnUniform => vec![leaving(Condition::Group, Target::Return, false)],
            Mutation::ReturnDivergent => vec![leaving(Condition::LaneLoad, Target::Return, false)],
            Mutation::ReturnClosing => {
                vec![leaving(Condition::LaneLoad, Target::Return, true), Stmt::Work(Work::Volatile)]
            }
            Mutation::LoopWayOpen => {
                let to = if self.count % 4 < 2 { Target::Break } else { Target::Continue };
                vec![leaving(condition, to, false)]
            }
            Mutation::ExtraExit => vec![Stmt::Exit(label)],
            Mutation::EnterInOneArm => vec![Stmt::If(condition, vec![Stmt::Enter(label)], Vec::new())],
            Mutation::OpeningLoop => {
                vec![Stmt::Loop(Trips::Argument, vec![Stmt::Enter(label), Stmt::Work(Work::Store)])]
            }
            Mutation::MissingExit | Mutation::ExitInOneArm => {
                let Stmt::Scope(label, body) = list.remove(at) else { return };
                let mut new = vec![Stmt::Enter(label)];
                new.extend(body);
                if self.mutation == Mutation::ExitInOneArm {
                    new.push(Stmt::If(condition, vec![Stmt::Exit(label)], Vec::new()));
                }
                new
            }
        };
        list.splice(at..at, new);
    }
}

impl Program {
    /// Which helpers the kernel reaches.
    pub(crate) fn called(&self) -> Vec<bool> {
        fn mark(list: &[Stmt], called: &mut [bool]) {
            for stmt in list {
                if let Stmt::Call(helper) = stmt {
                    called[usize::from(*helper)] = true;
                }
                stmt.lists().into_iter().for_each(|inner| mark(inner, called));
            }
        }
        let mut called = vec![false; self.helpers.len()];
        mark(&self.kernel, &mut called);
        for index in 0..self.helpers.len() {
            if called[index] {
                mark(&self.helpers[index].body, &mut called);
            }
        }
        called
    }
}
