//! Cycles by stack of scopes, over all waves and domains: what flame graphs are drawn from.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cost::{Bounds, Metered};
use crate::trace::{Close, Marker, Moment, Sink, Wave};

/// Frames that a stack has at most, code object and kernel included. Deeper scopes, which a program that never leaves its
/// scopes opens without end, are counted as their ancestor at this depth.
pub const DEEPEST: u32 = 256;

/// The frame of time up to an event that is inferred: when in it that happened is not known.
pub const INFERRED: &str = "[inferred]";

/// The frame of time in which markers issued, and that of time in which they can have.
pub const MARKERS: &str = "[markers]";
/// See [`MARKERS`].
pub const PERHAPS_MARKERS: &str = "[markers?]";

/// A tree of frames with the cycles that were spent in each. Time outside of any scope is not in it.
///
/// The frames of a wave are `code_object_<id>`, its kernel, both as far as they are known, and its scopes. Frames with the
/// same text are the same, whichever code object they are of. The time in front of an event that is inferred is in a frame
/// of its own, [`INFERRED`], in the scope that was open: some of it can be of the scopes around or inside.
#[derive(Debug, Default)]
pub struct Stacks {
    nodes: Vec<Node>,
    /// Every event asks; the keys count from 0, so a hash that can be attacked serves.
    children: FxHashMap<(Option<NodeIndex>, Frame), NodeIndex>,
    frames: Vec<Arc<str>>,
    frames_by_text: HashMap<Arc<str>, Frame>,
    /// Frames of markers, by the index of the marker.
    of_markers: Vec<Option<Frame>>,
    /// Waves by their index, from `first` up.
    waves: Vec<WaveState>,
    first: u32,
    live: usize,
}

type NodeIndex = u32;
type Frame = u32;

#[derive(Debug)]
struct Node {
    parent: Option<NodeIndex>,
    frame: Frame,
    depth: u32,
    cycles: u64,
    /// Of these, those in which markers issued.
    spent: Bounds,
    pieces: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct WaveState {
    /// The frame that its scopes stand on.
    node: Option<NodeIndex>,
    /// How many scopes are open.
    open: u32,
    /// How many of these are too deep for a frame.
    beyond: u32,
    /// Up to when its cycles are counted.
    until: i64,
}

/// One stack that had time of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack<'a> {
    /// Frames, outermost first.
    pub frames: Vec<&'a str>,
    /// Cycles in which the last frame was the innermost one.
    pub cycles: u64,
    /// Pieces of time that these are made of.
    pub pieces: u64,
}

impl Stacks {
    /// The stacks with cycles, in the order in which they were first seen.
    pub fn iter(&self) -> impl Iterator<Item = Stack<'_>> {
        self.nodes.iter().filter(|node| node.cycles > 0).map(|node| {
            let mut frames = vec![&*self.frames[node.frame as usize]];
            let mut above = node.parent;
            while let Some(parent) = above {
                let node = &self.nodes[parent as usize];
                frames.push(&*self.frames[node.frame as usize]);
                above = node.parent;
            }
            frames.reverse();
            Stack { frames, cycles: node.cycles, pieces: node.pieces }
        })
    }

    /// Whether no stack has cycles.
    pub fn is_empty(&self) -> bool {
        self.nodes.iter().all(|node| node.cycles == 0)
    }

    /// Sets the cycles in which markers issued apart, in two frames in the scope that they were measured in: [`MARKERS`] has
    /// those of the least that they can have issued, [`PERHAPS_MARKERS`] those that they have beside it at most. What stays with
    /// the scope is the program's own for certain; in all, frames are as wide as they were.
    pub fn set_markers_apart(&mut self) {
        for index in 0..self.nodes.len() as NodeIndex {
            let node = &mut self.nodes[index as usize];
            let (measured, own) = (node.cycles, std::mem::take(&mut node.spent).left_of(node.cycles));
            node.cycles = own.least;
            self.set_apart(index, MARKERS, measured - own.most);
            self.set_apart(index, PERHAPS_MARKERS, own.most - own.least);
        }
    }

    /// Counts `cycles` in a frame of its own in `node`.
    fn set_apart(&mut self, node: NodeIndex, text: &str, cycles: u64) {
        if cycles > 0 {
            let frame = self.frame(&Arc::from(text));
            let apart = self.child(Some(node), frame);
            self.add(apart, cycles);
        }
    }

    fn frame(&mut self, text: &Arc<str>) -> Frame {
        if let Some(known) = self.frames_by_text.get(text) {
            return *known;
        }
        let frame = self.frames.len() as Frame;
        self.frames.push(Arc::clone(text));
        self.frames_by_text.insert(Arc::clone(text), frame);
        frame
    }

    fn frame_of(&mut self, marker: &Marker) -> Frame {
        let at = marker.index.get();
        if let Some(Some(known)) = self.of_markers.get(at) {
            return *known;
        }
        let frame = self.frame(&marker.name);
        self.of_markers.resize(self.of_markers.len().max(at + 1), None);
        self.of_markers[at] = Some(frame);
        frame
    }

    fn child(&mut self, parent: Option<NodeIndex>, frame: Frame) -> NodeIndex {
        let depth = parent.map_or(1, |parent| self.nodes[parent as usize].depth + 1);
        let nodes = &mut self.nodes;
        *self.children.entry((parent, frame)).or_insert_with(|| {
            nodes.push(Node { parent, frame, depth, cycles: 0, spent: Bounds::default(), pieces: 0 });
            (nodes.len() - 1) as NodeIndex
        })
    }

    fn add(&mut self, node: NodeIndex, cycles: u64) {
        let node = &mut self.nodes[node as usize];
        node.cycles = node.cycles.saturating_add(cycles);
        node.pieces += u64::from(cycles > 0);
    }

    fn wave(&mut self, wave: &Wave) -> &mut WaveState {
        let at = wave.index.wrapping_sub(self.first) as usize;
        if self.waves.len() <= at {
            self.waves.resize(at + 1, WaveState::default());
        }
        &mut self.waves[at]
    }

    /// Gives the time up to the event to the innermost frame.
    fn count(&mut self, at: &Moment<'_>) -> WaveState {
        let state = self.wave(at.wave);
        let before = *state;
        state.until = at.cycles;
        if let (Some(node), true) = (before.node, before.open > 0 && at.cycles != before.until) {
            // The last record of the wave can be behind its last event: its payload, or a point.
            let certain = at.inferred_since.map_or(at.cycles, |since| since.clamp(before.until, at.cycles));
            self.add(node, certain.abs_diff(before.until));
            self.set_apart(node, INFERRED, at.cycles.abs_diff(certain));
        }
        before
    }
}

impl Sink for Stacks {
    fn begin_wave(&mut self, wave: &Wave) -> io::Result<()> {
        if self.live == 0 {
            self.waves.clear();
            self.first = wave.index;
        }
        self.live += 1;
        let mut node = None;
        if let Some(kernel) = &wave.kernel {
            if let Some(key) = &kernel.code_object_key {
                let frame = self.frame(&Arc::from(key.to_string()));
                node = Some(self.child(node, frame));
            }
            let frame = self.frame(&kernel.name);
            node = Some(self.child(node, frame));
        }
        *self.wave(wave) = WaveState { node, ..WaveState::default() };
        Ok(())
    }

    fn enter(&mut self, at: &Moment<'_>, scope: &Marker) -> io::Result<()> {
        let before = self.count(at);
        let is_beyond = before.node.is_some_and(|node| self.nodes[node as usize].depth >= DEEPEST);
        let node = if is_beyond {
            before.node
        } else {
            let frame = self.frame_of(scope);
            Some(self.child(before.node, frame))
        };
        let state = self.wave(at.wave);
        state.node = node;
        state.open += 1;
        state.beyond += u32::from(is_beyond);
        Ok(())
    }

    fn exit(&mut self, at: &Moment<'_>, _: &Marker, _: Close) -> io::Result<()> {
        let before = self.count(at);
        let parent = before.node.and_then(|node| self.nodes[node as usize].parent);
        let state = self.wave(at.wave);
        state.open = state.open.saturating_sub(1);
        if state.beyond > 0 {
            state.beyond -= 1;
        } else {
            state.node = parent;
        }
        Ok(())
    }

    fn end_wave(&mut self, _: &Wave, _: i64) -> io::Result<()> {
        self.live = self.live.saturating_sub(1);
        Ok(())
    }
}

impl Metered for Stacks {
    fn spend(&mut self, wave: &Wave, cycles: Bounds) {
        let state = *self.wave(wave);
        if let (Some(node), true) = (state.node, state.open > 0) {
            self.nodes[node as usize].spent += cycles;
        }
    }
}
