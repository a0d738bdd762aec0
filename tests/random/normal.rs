//! Makes a program that was drawn one that can be compiled and means what the tree says.

use crate::model::{self, Verdict};
use crate::program::{Flow, Label, Program, Stmt, Target, any};
use crate::setup::Setup;

/// The program with calls that lead somewhere, early ways out only where C++ takes them and the scopes between can be
/// closed, barriers only where all lanes of a wave come by, and no marker that the settings of `setup` forbid.
pub(crate) fn legal(program: &Program, setup: &Setup) -> Program {
    let mut program = program.clone();
    let count = program.helpers.len();
    let packed = setup.packs_clock();
    clean(&mut program.kernel, &Place { helpers: 0..count, packed, ..Place::default() });
    // Helpers are called by those before them, so that the callers' flow is known when a helper's turn comes.
    let mut uniform = vec![true; count];
    keep_barriers(&mut program.kernel, &mut true, &mut uniform);
    for index in 0..count {
        clean(&mut program.helpers[index].body, &Place { helpers: index + 1..count, packed, ..Place::default() });
        let mut here = uniform[index];
        keep_barriers(&mut program.helpers[index].body, &mut here, &mut uniform);
    }
    program
}

/// Takes the early ways out away that unbalance the program.
pub(crate) fn balance(program: &mut Program, optimised: bool) {
    if model::judge(program, optimised).verdict != Verdict::Unbalanced {
        return;
    }
    let whole = program.clone();
    let mut kept = vec![false; whole.functions().map(|body| count_leaves(body)).sum()];
    for index in 0..kept.len() {
        kept[index] = true;
        if model::judge(&with_leaves(&whole, &kept), optimised).verdict == Verdict::Unbalanced {
            kept[index] = false;
        }
    }
    *program = with_leaves(&whole, &kept);
}

impl Program {
    /// The bodies of all functions.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &Vec<Stmt>> {
        std::iter::once(&self.kernel).chain(self.helpers.iter().map(|helper| &helper.body))
    }

    /// The bodies of all functions, to change them.
    pub(crate) fn functions_mut(&mut self) -> impl Iterator<Item = &mut Vec<Stmt>> {
        std::iter::once(&mut self.kernel).chain(self.helpers.iter_mut().map(|helper| &mut helper.body))
    }
}

fn count_leaves(list: &[Stmt]) -> usize {
    let here = list.iter().filter(|stmt| matches!(stmt, Stmt::Leave(_))).count();
    here + list.iter().flat_map(Stmt::lists).map(|inner| count_leaves(inner)).sum::<usize>()
}

fn with_leaves(program: &Program, kept: &[bool]) -> Program {
    fn filter(list: &mut Vec<Stmt>, kept: &mut impl Iterator<Item = bool>) {
        list.retain_mut(|stmt| {
            if matches!(stmt, Stmt::Leave(_)) {
                return kept.next().unwrap_or(false);
            }
            stmt.lists_mut().into_iter().for_each(|inner| filter(inner, kept));
            true
        });
    }
    let mut program = program.clone();
    let mut kept = kept.iter().copied();
    program.functions_mut().for_each(|body| filter(body, &mut kept));
    program
}

/// Where a statement list stands.
#[derive(Clone, Default)]
struct Place {
    /// The helpers that may be called.
    helpers: std::ops::Range<usize>,
    /// Headers are packed with the clock: no payloads, and only small ids.
    packed: bool,
    /// The list is an arm of a branch: an early way out may end it.
    arm: bool,
    /// The loops and scopes around, outermost first.
    around: Vec<Around>,
}

#[derive(Clone, Copy, PartialEq)]
enum Around {
    Loop,
    Scope,
    Guarded,
}

impl Place {
    fn inside(&self, around: Around) -> Place {
        let mut place = Place { arm: false, ..self.clone() };
        place.around.push(around);
        place
    }

    /// Whether a way out to `target` leads there, and can close the scopes between: the exits of an object's scope run
    /// after those that are written out.
    fn may_leave(&self, target: Target) -> bool {
        let left: Vec<Around> = match target {
            Target::Return => self.around.iter().rev().copied().filter(|around| *around != Around::Loop).collect(),
            _ => self.around.iter().rev().copied().take_while(|around| *around != Around::Loop).collect(),
        };
        let guarded = left.iter().position(|around| *around == Around::Guarded).unwrap_or(left.len());
        left[guarded..].iter().all(|around| *around == Around::Guarded)
    }
}

fn clean(list: &mut Vec<Stmt>, place: &Place) {
    let place = &Place { arm: false, ..place.clone() };
    clean_arm(list, place);
}

fn clean_arm(list: &mut Vec<Stmt>, place: &Place) {
    if let Some(end) = list.iter().position(|stmt| matches!(stmt, Stmt::Leave(_))) {
        list.truncate(end + 1);
    }
    list.retain_mut(|stmt| clean_stmt(stmt, place));
}

/// Whether the statement stays.
fn clean_stmt(stmt: &mut Stmt, place: &Place) -> bool {
    let inner = Place { arm: false, ..place.clone() };
    match stmt {
        Stmt::Call(helper) => {
            let (first, count) = (place.helpers.start, place.helpers.len());
            let wanted = usize::from(*helper);
            *helper = if place.helpers.contains(&wanted) { wanted } else { first + wanted % count.max(1) } as u8;
            return count > 0;
        }
        Stmt::Data(..) => return !place.packed,
        Stmt::Point(label) | Stmt::Enter(label) | Stmt::Exit(label) => small(label, place),
        Stmt::Scope(label, body) => {
            small(label, place);
            clean(body, &inner.inside(Around::Scope));
        }
        Stmt::Guarded(label, body) => {
            *label = Label::Text(if let Label::Text(text) = *label { text } else { 0 });
            clean(body, &inner.inside(Around::Guarded));
        }
        Stmt::Split(label, body, _, then, other) => {
            small(label, place);
            // An early way out would have to close the scope too: there is none inside.
            let inside = inner.inside(Around::Scope).inside(Around::Guarded).inside(Around::Scope);
            [body, then, other].into_iter().for_each(|list| clean(list, &inside));
        }
        Stmt::Loop(_, body) => clean(body, &inner.inside(Around::Loop)),
        Stmt::If(_, then, other) => {
            let arm = Place { arm: true, ..inner };
            clean_arm(then, &arm);
            let falls = !matches!(then.last(), Some(Stmt::Leave(_)));
            clean_arm(other, &Place { arm: falls, ..arm });
        }
        Stmt::Leave(leave) => {
            if !place.around.contains(&Around::Loop) {
                leave.to = Target::Return;
            }
            return place.arm && (!leave.closing || place.may_leave(leave.to));
        }
        Stmt::Work(_) | Stmt::Barrier => {}
    }
    true
}

fn small(label: &mut Label, place: &Place) {
    if let (Label::Number(number), true) = (*label, place.packed) {
        *label = Label::Text((number % 4) as u8);
    }
}

/// Takes barriers away where some lanes of a wave may be elsewhere, and notes the helpers that are called there.
fn keep_barriers(list: &mut Vec<Stmt>, uniform: &mut bool, helpers: &mut [bool]) {
    let parts = |stmt: &Stmt| match stmt {
        Stmt::If(condition, then, other) => {
            let leaves = |list: &Vec<Stmt>| any(list, &|stmt| matches!(stmt, Stmt::Leave(_)));
            condition.flow(true) == Flow::Divergent && (leaves(then) || leaves(other))
        }
        Stmt::Loop(trips, body) => {
            trips.flow(true) == Flow::Divergent && any(body, &|stmt| matches!(stmt, Stmt::Leave(_)))
        }
        _ => false,
    };
    list.retain_mut(|stmt| {
        if any(std::slice::from_ref(stmt), &parts) {
            *uniform = false;
        }
        match stmt {
            Stmt::Barrier => return *uniform,
            Stmt::Call(helper) => helpers[usize::from(*helper)] &= *uniform,
            Stmt::Loop(trips, body) => {
                let mut inside = *uniform && trips.flow(true) != Flow::Divergent;
                keep_barriers(body, &mut inside, helpers);
            }
            Stmt::If(condition, then, other) => {
                let inside = *uniform && condition.flow(true) != Flow::Divergent;
                keep_barriers(then, &mut inside.clone(), helpers);
                keep_barriers(other, &mut inside.clone(), helpers);
            }
            Stmt::Split(_, body, condition, then, other) => {
                keep_barriers(body, uniform, helpers);
                let inside = *uniform && condition.flow(true) != Flow::Divergent;
                keep_barriers(then, &mut inside.clone(), helpers);
                keep_barriers(other, &mut inside.clone(), helpers);
            }
            _ => stmt.lists_mut().into_iter().for_each(|inner| keep_barriers(inner, uniform, helpers)),
        }
        true
    });
}
