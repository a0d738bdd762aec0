//! Lanes of a wave that part: at divergent branches, and where they leave a loop in different turns.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use crate::llvm::{Block, BlockFlow, Instruction};

use super::course::{Course, Event, Open, Top};
use super::findings::Findings;

/// Where lanes meet that came to the end of a turn, or of the function: behind all spots.
const END: usize = usize::MAX;

/// How many spots are visited per function before the search gives up: a limit for generated code.
const MAX_VISITS: usize = 1 << 20;

/// Looks at all places of a function where lanes part.
pub(super) fn judge(course: &Course, flows: &[BlockFlow], findings: &mut Findings<'_>) {
    let loops = Loops::of(course, flows);
    let mut search = Search { course, loops, early: BTreeMap::new(), visits: 0, findings };
    let parting = flows.iter().filter(|flow| flow.parts).filter_map(|flow| course.number(flow.block));
    let mut parting: Vec<usize> = parting.filter(|at| course.spots[*at].next.len() > 1).collect();
    parting.sort_unstable();
    for at in parting {
        search.branch(at);
    }
    // An inner loop that some lanes leave for good makes the outer one such a loop too.
    let mut headers: Vec<usize> = search.loops.outer.keys().copied().collect();
    headers.sort_by_key(|header| Reverse((search.loops.around(Some(*header)).count(), *header)));
    for header in headers {
        search.exits_of(header);
    }
}

/// The loops of a function, each named by the spot that is its header.
struct Loops {
    /// The innermost loop around each spot.
    innermost: Vec<Option<usize>>,
    /// The loop around each loop.
    outer: HashMap<usize, Option<usize>>,
}

impl Loops {
    fn of(course: &Course, flows: &[BlockFlow]) -> Loops {
        let mut loops = Loops { innermost: vec![None; course.spots.len()], outer: HashMap::new() };
        for flow in flows {
            let header = flow.cycle.and_then(|header| course.number(header));
            if let (Some(at), Some(header)) = (course.number(flow.block), header) {
                loops.innermost[at] = Some(header);
                loops.outer.insert(header, flow.outer_cycle.and_then(|header| course.number(header)));
            }
        }
        loops
    }

    /// A loop and those around it.
    fn around(&self, innermost: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(innermost, |header| self.outer.get(header).copied().flatten())
    }

    fn is_within(&self, at: usize, container: Option<usize>) -> bool {
        container.is_none_or(|container| self.around(self.innermost[at]).any(|header| header == container))
    }
}

struct Search<'a, 'b> {
    course: &'a Course,
    loops: Loops,
    /// Ways out of each loop that some lanes take while others stay.
    early: BTreeMap<usize, HashSet<(usize, usize)>>,
    visits: usize,
    findings: &'a mut Findings<'b>,
}

/// A place where lanes part, and what they share there.
#[derive(Clone, Copy)]
struct Parting {
    branch: Option<Instruction>,
    /// All lanes share the scopes up to here.
    floor: i32,
    /// The loop of which one turn is looked at.
    container: Option<usize>,
}

impl<'a> Search<'a, '_> {
    /// A divergent branch.
    fn branch(&mut self, at: usize) {
        let container = self.loops.innermost[at];
        let spot = &self.course.spots[at];
        let parting = Parting { branch: spot.block.terminator(), floor: spot.end.depth, container };
        let starts = self.starts(at, &spot.next, container);
        self.follow(parting, &starts);
    }

    /// Where lanes that part at the spot `at` go on within the turn; those that leave the loop are noted.
    fn starts(&mut self, at: usize, next: &[usize], container: Option<usize>) -> Vec<(usize, usize)> {
        let mut starts = Vec::new();
        for next in next.iter().copied() {
            if container == Some(next) {
                starts.push((at, END));
            } else if self.loops.is_within(next, container) {
                starts.push((at, next));
            } else {
                self.leave(at, next, container);
            }
        }
        starts
    }

    /// Some lanes leave the loop `container` while others may stay.
    fn leave(&mut self, at: usize, next: usize, container: Option<usize>) {
        let left: Vec<usize> =
            self.loops.around(container).take_while(|header| !self.loops.is_within(next, Some(*header))).collect();
        for header in left {
            self.early.entry(header).or_default().insert((at, next));
        }
    }

    /// The ways out of a loop that lanes leave in different turns.
    ///
    /// Those that leave early wait for the last ones, and the wave is where these were then. What it runs behind the
    /// loop for lanes that left early must not touch the scopes that are open there.
    fn exits_of(&mut self, header: usize) {
        let Some(early) = self.early.get(&header).cloned() else { return };
        let course = self.course;
        let mut ways: Vec<(usize, usize)> = Vec::new();
        for (at, spot) in course.spots.iter().enumerate().filter(|(at, _)| self.loops.is_within(*at, Some(header))) {
            let left = spot.next.iter().filter(|next| !self.loops.is_within(**next, Some(header)));
            ways.extend(left.map(|next| (at, *next)));
        }
        let depth = |(at, _): &(usize, usize)| course.spots[*at].end.depth;
        let (Some(floor), Some(deepest)) = (ways.iter().map(depth).min(), early.iter().map(depth).max()) else {
            return;
        };
        if deepest > floor {
            let way = ways.iter().find(|way| early.contains(way) && depth(way) > floor);
            if let Some(spot) = way.map(|(at, _)| &course.spots[*at]) {
                let open: Vec<Open> = course.open_above(spot.end, floor).collect();
                let turns = course.spots[header].ways.iter().filter(|way| self.loops.is_within(**way, Some(header)));
                let parts: Vec<Block> = turns.chain([&header]).map(|at| course.spots[*at].block).collect();
                self.findings.left_in_loop(&open, spot.block.terminator(), &parts);
            }
            return;
        }
        let container = self.loops.outer.get(&header).copied().flatten();
        let branch =
            ways.iter().find(|way| early.contains(way)).and_then(|(at, _)| course.spots[*at].block.terminator());
        let starts: Vec<(usize, usize)> =
            ways.into_iter().flat_map(|(at, next)| self.starts(at, &[next], container)).collect();
        self.follow(Parting { branch, floor, container }, &starts);
    }

    /// Follows lanes from where they part to where all of them are together again. Every spot gets a label, the start
    /// that all lanes there came by; a spot where lanes of two labels meet gets a label of its own.
    fn follow(&mut self, parting: Parting, starts: &[(usize, usize)]) {
        let mut region = Region::default();
        for (from, start) in starts {
            region.come(*from, *start, *start);
        }
        if region.waiting.len() < 2 {
            return;
        }
        let mut closed: Vec<(Option<Open>, Instruction)> = Vec::new();
        while let Some(Reverse(at)) = region.waiting.pop() {
            self.visits += 1;
            let Some(arrival) = region.arrivals.get(&at).cloned() else { continue };
            if arrival.meets {
                self.meeting(parting, &arrival.from);
            }
            if at == END || region.waiting.is_empty() || self.visits > MAX_VISITS {
                break;
            }
            closed.extend(self.closed_by_part(parting, at));
            let label = if arrival.meets { at } else { arrival.label };
            let spot = &self.course.spots[at];
            if spot.ret.is_some() {
                region.come(at, END, label);
            }
            for (from, next) in self.starts(at, &spot.next, parting.container) {
                // An inner loop's turn has been here.
                if next > at {
                    region.come(from, next, label);
                }
            }
        }
        self.findings.closed_by_part(&closed, parting.branch);
    }

    /// Lanes that parted meet: no scope may be open that only some of them have opened.
    fn meeting(&mut self, parting: Parting, from: &[usize]) {
        let tops: Vec<Top> = from.iter().map(|from| self.course.spots[*from].end).collect();
        let open: Vec<Open> = tops.iter().flat_map(|top| self.course.open_above(*top, parting.floor)).collect();
        if !open.is_empty() {
            self.findings.opened_by_part(&open, parting.branch);
        }
    }

    /// Exits at a spot, run by a part of the wave, that close what all of it has open.
    fn closed_by_part(
        &self,
        parting: Parting,
        at: usize,
    ) -> impl Iterator<Item = (Option<Open>, Instruction)> + use<'a> {
        let course = self.course;
        let closes = move |event: &&Event| event.before.depth >= parting.floor && event.lowest.depth < parting.floor;
        course.spots[at]
            .events
            .iter()
            .filter(closes)
            .map(move |event| (course.open_above(event.before, parting.floor - 1).last(), event.instruction))
    }
}

/// How lanes came to a spot.
#[derive(Clone)]
struct Arrival {
    label: usize,
    /// Lanes of different labels come here.
    meets: bool,
    from: Vec<usize>,
}

/// The spots between a parting and the meeting.
#[derive(Default)]
struct Region {
    waiting: BinaryHeap<Reverse<usize>>,
    arrivals: HashMap<usize, Arrival>,
}

impl Region {
    fn come(&mut self, from: usize, at: usize, label: usize) {
        match self.arrivals.get_mut(&at) {
            Some(arrival) => {
                arrival.meets |= arrival.label != label;
                arrival.from.push(from);
            }
            None => {
                self.arrivals.insert(at, Arrival { label, meets: false, from: vec![from] });
                self.waiting.push(Reverse(at));
            }
        }
    }
}
