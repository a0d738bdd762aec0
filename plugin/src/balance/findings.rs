//! What is said about scopes: one warning for each cause.

use std::collections::HashSet;

use crate::ledger::Ledger;
use crate::llvm::{Block, Function, Instruction, Severity};
use crate::marks::Mark;

use super::course::Open;

/// Warnings that were given: file and line, and the text.
pub(super) type Said = HashSet<(Option<(Vec<u8>, u32)>, String)>;

/// What was found in a function. A scope or an exit that was blamed once is not blamed again: what follows from a
/// mistake is no other one.
pub(super) struct Findings<'a> {
    function: Function,
    ledger: &'a Ledger,
    said: &'a mut Said,
    blamed: HashSet<Instruction>,
}

impl<'a> Findings<'a> {
    pub(super) fn new(function: Function, ledger: &'a Ledger, said: &'a mut Said) -> Findings<'a> {
        Findings { function, ledger, said, blamed: HashSet::new() }
    }

    /// An exit of a kernel, or a call, that closes a scope where none is open.
    pub(super) fn nothing_is_open(&mut self, closing: Instruction) {
        if !self.blame(closing) {
            return;
        }
        let text = match closing.defined_callee() {
            Some(callee) => {
                format!("no scope is open here for `{}` to close; open one before the call", callee.demangled_name())
            }
            None => "no scope is open here for this exit to close; remove it, or open a scope before it".to_owned(),
        };
        self.warn(Some(closing), &text);
    }

    /// A way to the return that leaves scopes open which other ways close. `place` is where it leaves the others;
    /// `ways` are all that leave the same ones open.
    pub(super) fn left_open(&mut self, place: Option<Instruction>, ways: &[Instruction], open: &[Open]) {
        let open = self.new_of(open);
        let Some(first) = open.first().copied() else { return };
        let (place, scopes) = match place.filter(|place| line_of(*place).is_some()) {
            Some(place) => (place, self.opened(&open, place)),
            None => (first, self.scopes(&open)),
        };
        let others = lines(ways.iter().copied().filter(|way| line_of(*way) != line_of(place)), place);
        let others = if others.is_empty() { others } else { format!(", as at {others},") };
        let them = if open.len() == 1 { "it" } else { "them" };
        self.warn(
            Some(place),
            &format!("this way to the return{others} leaves {scopes} open; close {them} before the return"),
        );
    }

    /// A scope that is open at every return of a kernel.
    pub(super) fn never_closed(&mut self, open: Open) {
        if let [opening] = self.new_of(&[open])[..] {
            let scope = self.scope(opening);
            self.warn(
                Some(opening),
                &format!("{scope} is still open when the kernel ends; close it before the return"),
            );
        }
    }

    /// Scopes that are open on some of the ways that meet at a block.
    pub(super) fn open_at_times(&mut self, open: &[Open], meeting: Block) {
        let open = self.new_of(open);
        let Some(first) = open.first().copied() else { return };
        let scopes = self.scopes(&open);
        let place = meeting.instructions().into_iter().find(|i| line_of(*i).is_some());
        let place = place.map(|place| format!(" at {}", line_words(place, first))).unwrap_or_default();
        let text =
            format!("some ways that meet{place} leave {scopes} open and others do not; close it on each of them");
        self.warn(Some(first), &text);
    }

    /// An exit that closes a scope of the caller on some ways through the function only.
    pub(super) fn closes_at_times(&mut self, exit: Instruction) {
        if self.blame(exit) {
            let text = "this closes a scope of the caller, and other ways through the function do not; close it on each \
                        way, or on none";
            self.warn(Some(exit), text);
        }
    }

    /// Scopes that a turn of a loop leaves open.
    pub(super) fn loop_opens(&mut self, open: &[Open], parts: &[Block]) {
        let open = self.new_of(open);
        let Some(first) = open.first().copied() else { return };
        let (scopes, place) = (self.scopes(&open), loop_words(parts, first));
        self.warn(
            Some(first),
            &format!("each turn of the loop{place} leaves {scopes} open; close it in the same turn"),
        );
    }

    /// Scopes from before a loop that a turn of it closes.
    pub(super) fn loop_closes(&mut self, open: &[Open], exit: Option<Instruction>, parts: &[Block]) {
        if open.iter().any(|open| open.is_unsure) || exit.is_some_and(|exit| self.blamed.contains(&exit)) {
            return;
        }
        let known = self.new_of(open);
        let Some(place) = exit.or(known.first().copied()) else { return };
        self.blame(place);
        let scopes = if known.is_empty() { "a scope".to_owned() } else { self.opened(&known, place) };
        let at = loop_words(parts, place);
        let text = format!("each turn of the loop{at} closes {scopes} from before it; close it behind the loop");
        self.warn(Some(place), &text);
    }

    /// Scopes that are open where some lanes leave a loop, and not where the others do.
    pub(super) fn left_in_loop(&mut self, open: &[Open], place: Option<Instruction>, parts: &[Block]) {
        let open = self.new_of(open);
        let Some(first) = open.first().copied() else { return };
        let place = place.filter(|place| line_of(*place).is_some()).unwrap_or(first);
        let (scopes, at) = (self.opened(&open, place), loop_words(parts, place));
        let text = format!(
            "only a part of the wave leaves the loop{at} with {scopes} open, and the others go on without it; leave the \
             loop where it is closed"
        );
        self.warn(Some(place), &text);
    }

    /// Exits that only a part of the wave runs that opened the scope, each with the scope (none: the caller's).
    pub(super) fn closed_by_part(&mut self, closed: &[(Option<Open>, Instruction)], branch: Option<Instruction>) {
        let mut closed = closed.to_vec();
        closed.sort_by_cached_key(|(_, exit)| line_of(*exit));
        let mut knows_caller = false;
        for (open, exit) in closed {
            let is_new = match open {
                Some(open) => !self.new_of(&[open]).is_empty(),
                // Of a scope that nothing here opened the first exit is enough.
                None => !std::mem::replace(&mut knows_caller, true) && !self.blamed.contains(&exit),
            };
            if !self.blame(exit) || !is_new {
                continue;
            }
            let scope = open.map_or("a scope of the caller".to_owned(), |open| self.opened(&[open.opening], exit));
            let at = branch_words(branch, exit);
            let text = format!(
                "only a part of the wave closes {scope} here: lanes part in the branch{at}, and each part traces its own \
                 exit or none; close it where the lanes are together again"
            );
            self.warn(Some(exit), &text);
        }
    }

    /// Scopes that only a part of the wave opened, and that are open where it meets the others.
    pub(super) fn opened_by_part(&mut self, open: &[Open], branch: Option<Instruction>) {
        let open = self.new_of(open);
        let Some(first) = open.first().copied() else { return };
        let (scopes, at) = (self.scopes(&open), branch_words(branch, first));
        let text = format!(
            "only a part of the wave opens {scopes} here: lanes part in the branch{at}, and it is still open where they \
             are together again; close it before, or open it in front of the branch"
        );
        self.warn(Some(first), &text);
    }

    /// Whether an instruction is blamed for the first time.
    fn blame(&mut self, instruction: Instruction) -> bool {
        self.blamed.insert(instruction)
    }

    /// What opened scopes, by line; all of them are blamed now. Nothing when one of them is unsure or was blamed before,
    /// for the rest comes from the same mistake.
    fn new_of(&mut self, open: &[Open]) -> Vec<Instruction> {
        let is_old = |open: &Open| open.is_unsure || self.blamed.contains(&open.opening);
        if open.iter().any(is_old) {
            self.blamed.extend(open.iter().map(|open| open.opening));
            return Vec::new();
        }
        let mut new: Vec<Instruction> =
            open.iter().map(|open| open.opening).filter(|opening| self.blamed.insert(*opening)).collect();
        new.sort_by_cached_key(|opening| line_of(*opening));
        new
    }

    /// Gives a warning, unless the same was said of the same line.
    fn warn(&mut self, place: Option<Instruction>, text: &str) {
        let line = place.and_then(line_of);
        let text = format!("sqtt: {text}");
        // Without lines a function's own place is shown.
        let key = (line.clone().or_else(|| Some((self.function.name(), 0))), text.clone());
        if !self.said.insert(key) {
            return;
        }
        let place = match (place, line) {
            (Some(place), Some(_)) => place.into(),
            _ => self.function.into(),
        };
        self.function.module().report(Some(place), Severity::Warning, &text);
    }

    /// Names of scopes, with the lines that they were opened at as seen from `place`.
    fn opened(&self, openings: &[Instruction], place: Instruction) -> String {
        let named = openings.iter().map(|opening| match line_of(*opening) {
            Some(_) => format!("{} (opened at {})", self.scope(*opening), line_words(*opening, place)),
            None => self.scope(*opening),
        });
        listed(named)
    }

    fn scopes(&self, openings: &[Instruction]) -> String {
        listed(openings.iter().map(|opening| self.scope(*opening)))
    }

    fn scope(&self, opening: Instruction) -> String {
        let id = match Mark::of(opening) {
            Some(Mark::Enter(id) | Mark::ExitEnter(id) | Mark::FunctionEnter(id)) => Some(id),
            _ => None,
        };
        if let Some(entry) = self.ledger.entries().iter().find(|entry| Some(entry.id) == id) {
            return format!("scope `{}`", String::from_utf8_lossy(&entry.name));
        }
        match (opening.defined_callee(), opening.operand(0).and_then(|word| word.as_constant())) {
            (Some(callee), _) => format!("the scope that `{}` opens", callee.demangled_name()),
            // The word of a numeric marker: the id is in bits 31:2.
            (None, Some(word)) => format!("scope number {}", (word & 0xFFFF_FFFF) >> 2),
            (None, None) => "a scope".to_owned(),
        }
    }
}

/// "a", "a and b", "a and b and c", each once.
fn listed(names: impl Iterator<Item = String>) -> String {
    let mut listed: Vec<String> = Vec::new();
    for name in names {
        if !listed.contains(&name) {
            listed.push(name);
        }
    }
    listed.join(" and ")
}

/// File and line of an instruction, when it has any.
fn line_of(instruction: Instruction) -> Option<(Vec<u8>, u32)> {
    instruction.location().map(|location| location.place()).filter(|(_, line)| *line != 0)
}

/// "line 7", or "`other.h:7`" when that is not the file of `place`.
fn line_words(instruction: Instruction, place: Instruction) -> String {
    match (line_of(instruction), line_of(place)) {
        (Some((file, line)), Some((here, _))) if file == here => format!("line {line}"),
        (Some((file, line)), _) => format!("`{}:{line}`", String::from_utf8_lossy(&file)),
        (None, _) => String::new(),
    }
}

/// The lines of several instructions, as seen from `place`.
fn lines(instructions: impl Iterator<Item = Instruction>, place: Instruction) -> String {
    listed(instructions.filter(|i| line_of(*i).is_some()).map(|i| line_words(i, place)))
}

/// " at line 7", when a branch has a line.
fn branch_words(branch: Option<Instruction>, place: Instruction) -> String {
    match branch.filter(|branch| line_of(*branch).is_some()) {
        Some(branch) => format!(" at {}", line_words(branch, place)),
        None => String::new(),
    }
}

/// " at line 7", where a loop has lines in the file of `place`: `parts` are blocks of it, which an optimizer may have
/// turned around.
fn loop_words(parts: &[Block], place: Instruction) -> String {
    let Some((here, _)) = line_of(place) else { return String::new() };
    let lines = parts.iter().flat_map(|part| {
        let instructions = part.instructions();
        let lines = instructions.into_iter().filter_map(line_of).filter(|(file, _)| *file == here);
        lines.map(|(_, line)| line).collect::<Vec<u32>>()
    });
    lines.min().map(|line| format!(" at line {line}")).unwrap_or_default()
}
