//! Which programs a wave can have run, and what the best of them says of it.

use std::path::Path;

use sqtt_contract::funcmap::Funcmap;
use sqtt_contract::marker::Marker;

use super::programs::Programs;
use crate::machine::automaton::{Edges, Judgement};
use crate::trace::{CodeObjectKey, Kernel};

/// What is said of a wave.
pub(super) struct Verdict {
    /// The code object that it ran.
    pub(super) key: CodeObjectKey,
    /// The kernel's index in its program.
    pub(super) kernel: usize,
    pub(super) judgement: Judgement,
}

impl Verdict {
    /// What the program says that a wave of `kernel` fits best. `None` when none could be looked at; and when it fits none
    /// of those that could, but it can have run another (one that is too large, not there, or in no file), or the order of
    /// its headers is not certain.
    pub(super) fn of(
        programs: &mut Programs<'_>,
        directory: &Path,
        kernel: &Kernel,
        headers: &[Marker],
        edges: Edges,
    ) -> Option<Verdict> {
        let mut is_sure = !kernel.is_guessed;
        let mut best: Option<Verdict> = None;
        for key in std::iter::once(kernel.code_object_key.as_ref()?).chain(kernel.alternatives.iter()) {
            let Some(loaded) = programs.load(directory, key) else {
                is_sure = false;
                continue;
            };
            for index in loaded.kernels(kernel).iter() {
                let Some(judge) = loaded.judge(*index) else {
                    is_sure = false;
                    continue;
                };
                let judgement = judge.judge(headers, edges);
                is_sure &= judgement.conforms() || is_in_order(headers, &loaded.map);
                if best.as_ref().is_none_or(|best| judgement.at_least < best.judgement.at_least) {
                    best = Some(Verdict { key: key.clone(), kernel: *index, judgement });
                }
            }
        }
        best.filter(|best| is_sure || best.judgement.conforms())
    }
}

/// Whether the headers are in the order in which the wave traced them. Where headers carry the clock their times are
/// corrected, and those that have none stay: they can come to stand behind some that the wave traced later.
fn is_in_order(headers: &[Marker], map: &Funcmap) -> bool {
    if !map.encoding().has_clock() {
        return true;
    }
    let index = map.index();
    headers.iter().all(|marker| marker.is_bare_exit() || index.contains(marker.id))
}
