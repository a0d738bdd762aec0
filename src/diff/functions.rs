//! What differs in where the markers of two programs stand.
//!
//! The steps of a function (markers and landmarks) are matched as a longest common sequence. What is left of a marker on
//! both sides has moved; so has a marker that is matched where a landmark of one kind is left on the one side of it in
//! the one build and on the other side in the other.

use std::collections::{BTreeMap, BTreeSet};

use super::Change;
use super::pairs::{in_order, take_equal};
use crate::machine::{FunctionPlacement, Label, Landmark, PlacedMarker, Step, Subject};

/// A function whose markers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDiff {
    /// Its symbol, mangled.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// By place in the second build, then in the first.
    pub changes: Vec<MarkerChange>,
}

/// A marker that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerChange {
    /// Added, lost or moved.
    pub change: Change,
    /// The marker.
    pub label: Label,
    /// In the first build.
    pub a: Option<Spot>,
    /// In the second build.
    pub b: Option<Spot>,
}

/// Where a marker stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The function's symbol, mangled.
    pub function: String,
    /// Of the instruction, when the code object is loaded at 0.
    pub address: u64,
    /// Its basic block, from 0 by address.
    pub block: usize,
    /// How many blocks the function has.
    pub blocks: usize,
    /// What stands in front of it; nothing at the start of the function.
    pub after: Option<Landmark>,
    /// What stands behind it; nothing at the end of the function.
    pub before: Option<Landmark>,
}

/// A marker that the other build does not have at this place.
struct Left<'a> {
    label: &'a Label,
    spot: Spot,
}

pub(super) fn compare(a: &[FunctionPlacement], b: &[FunctionPlacement]) -> Vec<FunctionDiff> {
    let (a_by_name, b_by_name) = (by_name(a), by_name(b));
    let names: BTreeSet<&str> = a_by_name.keys().chain(b_by_name.keys()).copied().collect();
    let (mut lost, mut added, mut moved) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let (a, b) = (markers(a_by_name.get(name).copied()), markers(b_by_name.get(name).copied()));
        let mut found = of_one_function(a, b);
        moved.append(&mut take_equal(&mut found.lost, &mut found.added, |left| left.label));
        moved.append(&mut found.moved);
        lost.append(&mut found.lost);
        added.append(&mut found.added);
    }
    // What is inlined elsewhere than before has another function; markers without a name can be any other.
    let is_named = |left: &Left<'_>| left.label.subject != Subject::Unknown;
    let (mut named_lost, nameless_lost): (Vec<_>, Vec<_>) = lost.into_iter().partition(is_named);
    let (mut named_added, nameless_added): (Vec<_>, Vec<_>) = added.into_iter().partition(is_named);
    moved.append(&mut take_equal(&mut named_lost, &mut named_added, |left| left.label));

    let mut changes = Vec::new();
    let mut add = |change, label: &Label, a: Option<Spot>, b: Option<Spot>| {
        changes.push(MarkerChange { change, label: label.clone(), a, b });
    };
    moved.into_iter().for_each(|(a, b)| add(Change::Moved, a.label, Some(a.spot), Some(b.spot)));
    named_lost.into_iter().chain(nameless_lost).for_each(|left| add(Change::Lost, left.label, Some(left.spot), None));
    named_added
        .into_iter()
        .chain(nameless_added)
        .for_each(|left| add(Change::Added, left.label, None, Some(left.spot)));
    by_function(changes, a, b)
}

fn by_name(functions: &[FunctionPlacement]) -> BTreeMap<&str, &FunctionPlacement> {
    functions.iter().map(|function| (function.name.as_str(), function)).collect()
}

/// The changes under the function of the second build, else of the first.
fn by_function(changes: Vec<MarkerChange>, a: &[FunctionPlacement], b: &[FunctionPlacement]) -> Vec<FunctionDiff> {
    let kernels: BTreeSet<&str> =
        a.iter().chain(b).filter(|function| function.is_kernel).map(|function| function.name.as_str()).collect();
    let mut functions: BTreeMap<(bool, String), Vec<MarkerChange>> = BTreeMap::new();
    for change in changes {
        let Some(spot) = change.b.as_ref().or(change.a.as_ref()) else { continue };
        let is_kernel = kernels.contains(spot.function.as_str());
        functions.entry((!is_kernel, spot.function.clone())).or_default().push(change);
    }
    let sorted = |mut changes: Vec<MarkerChange>| {
        let address = |spot: &Option<Spot>| spot.as_ref().map(|spot| spot.address);
        changes.sort_by_key(|change| (change.b.is_none(), address(&change.b), address(&change.a)));
        changes
    };
    let functions = functions.into_iter();
    functions
        .map(|((is_other, name), changes)| FunctionDiff { name, is_kernel: !is_other, changes: sorted(changes) })
        .collect()
}

/// A step of a function as it is matched.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token<'a> {
    Marker(&'a Label),
    Landmark(Landmark),
}

/// The steps of a function, and where each marker among them stands.
#[derive(Default)]
struct Steps<'a> {
    tokens: Vec<Token<'a>>,
    markers: BTreeMap<usize, Left<'a>>,
}

fn markers(function: Option<&FunctionPlacement>) -> Steps<'_> {
    let Some(function) = function else { return Steps::default() };
    let token = |step| match step {
        &Step::Landmark(landmark) => Token::Landmark(landmark),
        Step::Marker(marker) => Token::Marker(&marker.label),
    };
    let tokens: Vec<Token<'_>> = function.steps.iter().map(token).collect();
    let landmark = |token: Token<'_>| if let Token::Landmark(landmark) = token { Some(landmark) } else { None };
    let before: Vec<Option<Landmark>> = {
        let mut next = None;
        let mut seen = |token: &Token<'_>| {
            next = landmark(*token).or(next);
            next
        };
        let mut before: Vec<_> = tokens.iter().rev().map(&mut seen).collect();
        before.reverse();
        before
    };
    let mut after = None;
    let mut markers = BTreeMap::new();
    for (at, step) in function.steps.iter().enumerate() {
        match step {
            Step::Landmark(landmark) => after = Some(*landmark),
            Step::Marker(PlacedMarker { label, address, block }) => {
                let spot = Spot {
                    function: function.name.clone(),
                    address: *address,
                    block: *block,
                    blocks: function.blocks,
                    after,
                    before: before[at],
                };
                markers.insert(at, Left { label, spot });
            }
        }
    }
    Steps { tokens, markers }
}

#[derive(Default)]
struct Found<'a> {
    lost: Vec<Left<'a>>,
    added: Vec<Left<'a>>,
    /// In both, on the other side of a landmark.
    moved: Vec<(Left<'a>, Left<'a>)>,
}

/// What has no counterpart in the longest common sequence of steps, and what has one but was passed by a landmark that
/// has none.
fn of_one_function<'a>(mut a: Steps<'a>, mut b: Steps<'a>) -> Found<'a> {
    let pairs = in_order(&a.tokens, &b.tokens);
    let (a_matched, b_matched): (BTreeSet<usize>, BTreeSet<usize>) = pairs.iter().copied().unzip();
    let landmarks = |steps: &Steps<'_>, matched: &BTreeSet<usize>| -> Vec<(usize, Landmark)> {
        let left = steps.tokens.iter().enumerate().filter(|(at, _)| !matched.contains(at));
        left.filter_map(|(at, token)| if let Token::Landmark(one) = token { Some((at, *one)) } else { None }).collect()
    };
    let passing = take_equal(&mut landmarks(&a, &a_matched), &mut landmarks(&b, &b_matched), |(_, landmark)| *landmark);
    // The pairs between the places of a landmark that moved: one more and one less where they begin and end.
    let mut passed = vec![0_isize; pairs.len() + 1];
    for ((in_a, _), (in_b, _)) in passing {
        let from = pairs.partition_point(|(at, _)| *at < in_a);
        let to = pairs.partition_point(|(_, at)| *at < in_b);
        passed[from.min(to)] += 1;
        passed[from.max(to)] -= 1;
    }
    let mut found = Found::default();
    let mut landmarks_passed = 0;
    for (number, (in_a, in_b)) in pairs.into_iter().enumerate() {
        landmarks_passed += passed[number];
        if let (Some(a), Some(b)) = (a.markers.remove(&in_a), b.markers.remove(&in_b))
            && landmarks_passed > 0
        {
            found.moved.push((a, b));
        }
    }
    found.lost.extend(a.markers.into_values());
    found.added.extend(b.markers.into_values());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Action;

    /// `f: >load Load <load`: a scope around a load. `*x` is a point, `<` an exit without a name.
    fn function(text: &str) -> FunctionPlacement {
        let (name, steps) = text.split_once(": ").unwrap_or((text, ""));
        let step = |(at, word): (usize, &str)| {
            let (action, name) = match word.split_at(1) {
                (">", name) => (Action::Enter, name),
                ("<", name) => (Action::Exit, name),
                ("*", name) => (Action::Point, name),
                ("B", _) => return Step::Landmark(Landmark::Barrier),
                _ => return Step::Landmark(Landmark::Load),
            };
            let subject = if name.is_empty() { Subject::Unknown } else { Subject::Row('U', name.to_owned()) };
            Step::Marker(PlacedMarker { label: Label { action, subject }, address: at as u64, block: 0 })
        };
        let steps = steps.split_whitespace().enumerate().map(step).collect();
        FunctionPlacement { name: name.to_owned(), is_kernel: name == "k", blocks: 1, steps }
    }

    fn changes(a: &[&str], b: &[&str]) -> Vec<String> {
        let build = |texts: &[&str]| texts.iter().map(|text| function(text)).collect::<Vec<_>>();
        let functions = compare(&build(a), &build(b));
        let shown = |function: &FunctionDiff, change: &MarkerChange| {
            let name = if let Subject::Row(_, name) = &change.label.subject { name } else { "" };
            let from = change.a.as_ref().filter(|spot| spot.function != function.name);
            let from = from.map_or_else(String::new, |spot| format!(" from {}", spot.function));
            format!("{} {} {:?} {name}{from}", function.name, change.change, change.label.action)
        };
        let all = functions.iter();
        all.flat_map(|function| function.changes.iter().map(|change| shown(function, change))).collect()
    }

    #[test]
    fn the_same_is_no_change_wherever_its_addresses_are() {
        let a = ["k: >x L <x *p", "f: >f B <f"];
        assert_eq!(changes(&a, &a), [""; 0]);
        // More code around a marker does not move it.
        assert_eq!(changes(&["k: >x L <x *p"], &["k: L L >x L L <x *p L"]), [""; 0]);
    }

    #[test]
    fn what_comes_and_goes_is_told_by_its_name() {
        assert_eq!(changes(&["k: >x L <x"], &["k: >y >x L <x <y"]), ["k added Enter y", "k added Exit y"]);
        assert_eq!(changes(&["k: >x L <x", "f: *p"], &["k: L"]), ["k lost Enter x", "k lost Exit x", "f lost Point p"]);
    }

    #[test]
    fn crossing_a_landmark_or_another_marker_is_a_move() {
        assert_eq!(changes(&["k: >x L <x B"], &["k: L >x B <x"]), ["k moved Enter x", "k moved Exit x"]);
        assert_eq!(changes(&["k: *p *q"], &["k: *q *p"]).len(), 1);
        assert_eq!(changes(&["k: *p *q B"], &["k: B *p *q"]), ["k moved Point p", "k moved Point q"]);
        assert_eq!(changes(&["k: *p B *q"], &["k: *p *q B"]), ["k moved Point q"]);
    }

    #[test]
    fn what_is_inlined_elsewhere_moves_to_another_function() {
        assert_eq!(
            changes(&["k: L", "f: >f <f"], &["k: >f <f L"]),
            ["k moved Enter f from f", "k moved Exit f from f"]
        );
        assert_eq!(changes(&["k: L", "f: <"], &["k: < L"]), ["k added Exit ", "f lost Exit "], "it may be any exit");
    }
}
