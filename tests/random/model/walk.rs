//! Follows the ways through a function.

use crate::program::{Flow, Leave, Stmt, Target};

use super::way::{self, Meeting, Opening, Way};
use super::{Judgement, Verdict};

/// How many scopes of its callers a helper may find open.
const CALLER_SCOPES: usize = 16;

/// What a call does to the depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) net: i32,
    /// Below 0 where the caller's scopes are closed.
    pub(crate) lowest: i32,
}

/// What an early way out leaves, innermost last.
enum Frame {
    /// A loop: where its ways out and on are kept.
    Loop { breaks: Vec<Way>, continues: Vec<Way> },
    /// A scope that ways out have to close themselves.
    Scope,
    /// A scope that an object closes: the ways that leave it, and where to.
    Guarded(Vec<(Way, Leave)>),
}

pub(crate) struct Walk<'a> {
    judgement: &'a mut Judgement,
    changes: &'a [Change],
    /// How unproven flow counts.
    unproven: Flow,
    /// The compiler follows arguments to branches.
    pub(crate) followed: bool,
    /// A return writes the result to memory.
    pub(crate) stores_result: bool,
    numbers: usize,
    lowest: usize,
    frames: Vec<Frame>,
    returns: Vec<Way>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(judgement: &'a mut Judgement, changes: &'a [Change], unproven: Flow) -> Walk<'a> {
        Walk {
            judgement,
            changes,
            unproven,
            followed: false,
            stores_result: false,
            numbers: 0,
            lowest: CALLER_SCOPES,
            frames: Vec::new(),
            returns: Vec::new(),
        }
    }

    /// Follows a whole function.
    pub(crate) fn function(mut self, body: &[Stmt]) -> Change {
        let start = Way { open: vec![Opening::Caller; CALLER_SCOPES], ..Way::default() };
        let end = self.list(body, start);
        let mut ways = std::mem::take(&mut self.returns);
        ways.insert(0, end);
        self.meet(&ways);
        if self.stores_result && ways.iter().any(Way::is_pending) {
            self.unclear("a result is written behind exits");
        }
        let difference = |depth: usize| depth as i32 - CALLER_SCOPES as i32;
        Change { net: difference(ways[0].open.len()), lowest: difference(self.lowest) }
    }

    fn wrong(&mut self, reason: &'static str) {
        self.judgement.found(Verdict::Unbalanced, reason);
    }

    fn unclear(&mut self, reason: &'static str) {
        self.judgement.found(Verdict::Either, reason);
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    fn parts(&self, flow: Flow) -> bool {
        let flow = if flow == Flow::Unproven { self.unproven } else { flow };
        flow == Flow::Divergent
    }

    fn meet(&mut self, ways: &[Way]) {
        match way::meet(ways) {
            Meeting::Good => {}
            Meeting::Unclear(reason) => self.unclear(reason),
            Meeting::Bad(reason) => self.wrong(reason),
        }
    }

    /// Something is done: what was closed before is closed by these lanes alone.
    fn commit(&mut self, way: &mut Way) {
        if way.is_pending() {
            self.wrong("some lanes close a scope that others close too");
        }
        way.tail.clear();
        way.soft = false;
    }

    fn enter(&mut self, way: &mut Way) {
        self.commit(way);
        let number = self.number();
        way.open.push(Opening::Enter(number));
    }

    fn exit(&mut self, way: &mut Way) {
        // Deeper than any caller could be: wrong in any case.
        let Some(opening) = way.open.pop() else { return self.wrong("more exits than a caller has scopes") };
        way.tail.push(opening);
        self.lowest = self.lowest.min(way.open.len());
    }

    fn list(&mut self, list: &[Stmt], start: Way) -> Way {
        list.iter().fold(start, |way, stmt| self.stmt(stmt, way))
    }

    /// The way behind a statement. Behind an early way out it is the way up to there, and not used.
    fn stmt(&mut self, stmt: &Stmt, mut way: Way) -> Way {
        match stmt {
            Stmt::Work(work) if !work.is_solid() => way.soft |= !way.tail.is_empty(),
            Stmt::Work(_) | Stmt::Point(_) | Stmt::Data(..) | Stmt::Barrier => self.commit(&mut way),
            Stmt::Call(helper) => self.call(self.changes[usize::from(*helper)], &mut way),
            Stmt::Enter(_) => self.enter(&mut way),
            Stmt::Exit(_) => self.exit(&mut way),
            Stmt::Scope(_, body) => {
                self.enter(&mut way);
                self.frames.push(Frame::Scope);
                way = self.list(body, way);
                self.frames.pop();
                self.exit(&mut way);
            }
            Stmt::Guarded(_, body) => return self.guarded(body, way),
            Stmt::Split(_, body, condition, then, other) => {
                self.enter(&mut way);
                self.frames.push(Frame::Scope);
                way = self.list(body, way);
                way = self.branch(condition.flow(self.followed), [then, other], true, way);
                self.frames.pop();
            }
            Stmt::If(condition, then, other) => {
                return self.branch(condition.flow(self.followed), [then, other], false, way);
            }
            Stmt::Loop(trips, body) => return self.turns(trips.flow(self.followed), body, way),
            Stmt::Leave(leave) => {
                let mut leaving = way.clone();
                self.leave(*leave, self.frames.len(), &mut leaving);
            }
        }
        way
    }

    fn call(&mut self, change: Change, way: &mut Way) {
        self.commit(way);
        (change.lowest..0).for_each(|_| self.exit(way));
        way.soft |= change.lowest < 0;
        (change.lowest..change.net).for_each(|_| self.enter(way));
    }

    /// A branch; `closing`: an exit ends both arms.
    fn branch(&mut self, flow: Flow, arms: [&Vec<Stmt>; 2], closing: bool, mut way: Way) -> Way {
        self.commit(&mut way);
        let id = self.number();
        let parts = self.parts(flow);
        let mut ends = Vec::new();
        for (arm, side) in arms.into_iter().zip([1, 2]) {
            let start = if parts { way.parted(id, side) } else { way.clone() };
            let mut end = self.list(arm, start);
            if closing {
                self.exit(&mut end);
            }
            if !matches!(arm.last(), Some(Stmt::Leave(_))) {
                ends.push(end);
            }
        }
        self.meet(&ends);
        let left = self.has_left(id);
        way::merge(&ends, |parting| parting == id && !left).unwrap_or(way)
    }

    /// Whether a way with the parting `id` left early and is still on its own.
    fn has_left(&self, id: usize) -> bool {
        let kept = self.frames.iter().flat_map(|frame| match frame {
            Frame::Loop { breaks, continues } => breaks.iter().chain(continues).collect(),
            Frame::Guarded(ways) => ways.iter().map(|(way, _)| way).collect(),
            Frame::Scope => Vec::new(),
        });
        kept.chain(&self.returns).any(|way| way.has_parting(id))
    }

    fn turns(&mut self, flow: Flow, body: &[Stmt], mut way: Way) -> Way {
        self.commit(&mut way);
        let id = self.number();
        let parts = self.parts(flow);
        let start = if parts { way.parted(id, 1) } else { way };
        self.frames.push(Frame::Loop { breaks: Vec::new(), continues: Vec::new() });
        let end = self.list(body, start.clone());
        let Some(Frame::Loop { breaks, continues }) = self.frames.pop() else { return end };
        // Those that go on to the next turn meet; those that left the loop in between are elsewhere.
        let mut turning = continues;
        turning.insert(0, end);
        self.meet(&turning);
        self.frames.push(Frame::Loop { breaks, continues: Vec::new() });
        let merged = way::merge(&turning, |parting| !start.has_parting(parting) && !self.has_left(parting));
        let Some(Frame::Loop { mut breaks, .. }) = self.frames.pop() else { return start };
        let mut turned = merged.unwrap_or_else(|| start.clone());
        self.commit(&mut turned);
        if turned.open.len() != start.open.len() {
            self.wrong("a turn of a loop changes the depth");
        }
        turned.open.clone_from(&start.open);
        // Those that leave by the condition are others than those that leave inside.
        turned.partings.iter_mut().filter(|parting| parting.id == id).for_each(|parting| parting.sides = 2);
        breaks.insert(0, turned);
        self.meet(&breaks);
        let inside = |parting: usize| parting >= id;
        let out = way::merge(&breaks, |parting| inside(parting) && !self.has_left(parting));
        out.unwrap_or(start)
    }

    fn guarded(&mut self, body: &[Stmt], mut way: Way) -> Way {
        self.enter(&mut way);
        self.frames.push(Frame::Guarded(Vec::new()));
        let depth = way.open.len();
        let first = self.numbers;
        let end = self.list(body, way);
        let Some(Frame::Guarded(left)) = self.frames.pop() else { return end };
        // All ways out of the block meet in the destructor, and part again behind it.
        let mut ways: Vec<Way> = left.iter().map(|(way, _)| way.clone()).collect();
        ways.insert(0, end);
        self.meet(&ways);
        if ways[0].open.len() != depth {
            self.wrong("an object closes another scope than its own");
        }
        let closed: Vec<Way> = ways.into_iter().map(|way| self.behind_destructor(way, first)).collect();
        for (way, (_, leave)) in closed.iter().skip(1).zip(&left) {
            self.leave(*leave, self.frames.len(), &mut way.clone());
        }
        closed[0].clone()
    }

    /// The way behind the destructor; where lanes parted inside the block, `first` being the last number before it, they
    /// part there again.
    fn behind_destructor(&mut self, mut way: Way, first: usize) -> Way {
        self.exit(&mut way);
        let depth = way.open.len();
        for parting in way.partings.iter_mut().filter(|parting| parting.id > first) {
            parting.floor = parting.floor.min(depth);
        }
        self.commit(&mut way);
        way
    }

    /// Goes out of the innermost `frames` frames, up to where `leave` leads or the destructor on the way.
    fn leave(&mut self, leave: Leave, frames: usize, way: &mut Way) {
        let is_loop = |frame: &Frame| matches!(frame, Frame::Loop { .. });
        for index in (0..frames).rev() {
            if is_loop(&self.frames[index]) && leave.to == Target::Return {
                continue;
            }
            if matches!(self.frames[index], Frame::Scope) {
                if leave.closing {
                    self.exit(way);
                }
                continue;
            }
            match &mut self.frames[index] {
                Frame::Guarded(ways) => ways.push((way.clone(), leave)),
                Frame::Loop { breaks, .. } if leave.to == Target::Break => breaks.push(way.clone()),
                Frame::Loop { continues, .. } => continues.push(way.clone()),
                Frame::Scope => {}
            }
            return;
        }
        self.returns.push(way.clone());
    }
}
