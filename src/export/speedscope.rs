//! Stacks as a file for speedscope.app: one sampled profile whose weights are cycles.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use super::stacks::Stacks;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    exporter: &'a str,
    name: &'a str,
    shared: Shared<'a>,
    profiles: [Profile<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile<'a> {
    r#type: &'a str,
    name: &'a str,
    unit: &'a str,
    start_value: u64,
    end_value: u64,
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

/// Writes the document to `out`: a sample for each stack, in the order of the folded lines, so that equal stacks stand
/// together.
///
/// Errors: those of `out`.
pub fn write(stacks: &Stacks, out: &mut dyn Write) -> io::Result<()> {
    let mut all: Vec<_> = stacks.iter().collect();
    all.sort_by(|one, other| one.frames.cmp(&other.frames));
    let (mut frames, mut known) = (Vec::new(), HashMap::new());
    let mut frame = |name| {
        *known.entry(name).or_insert_with(|| {
            frames.push(Frame { name });
            frames.len() - 1
        })
    };
    let samples = all.iter().map(|stack| stack.frames.iter().map(|name| frame(*name)).collect()).collect();
    let weights: Vec<u64> = all.iter().map(|stack| stack.cycles).collect();
    let end_value = weights.iter().fold(0, |sum: u64, weight| sum.saturating_add(*weight));
    let name = "Cycles by scope";
    let document = Document {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: concat!("sqtt ", env!("CARGO_PKG_VERSION")),
        name,
        shared: Shared { frames },
        profiles: [Profile { r#type: "sampled", name, unit: "none", start_value: 0, end_value, samples, weights }],
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}
