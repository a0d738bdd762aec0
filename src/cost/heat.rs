//! How often code runs, as far as its loops say: nothing is known of trip counts.

use std::collections::BTreeSet;

use crate::machine::flow::{Flow, World};
use crate::machine::{Loops, Program};

/// Loops around the calls of each function.
#[derive(Clone, Debug, Default)]
pub struct Heat(Vec<u32>);

/// Nesting beyond which nothing gets hotter; also what ends recursion.
const MOST: u32 = 8;

impl Heat {
    /// Goes from callers to callees until nothing changes.
    pub fn of(program: &Program, flow: &Flow) -> Heat {
        let mut heat = vec![0; program.functions.len()];
        let mut calls: BTreeSet<(usize, usize, u32)> = BTreeSet::new();
        for (caller, function) in program.functions.iter().enumerate() {
            let Some(found) = flow.functions.get(caller) else { continue };
            let mut loops = None;
            for call in found.calls.iter().filter(|call| call.world == World::Inside) {
                let at = function.instructions.binary_search_by_key(&call.address, |one| one.address).ok();
                let block = at.and_then(|at| function.block_of(at));
                if let (Some(callee), Some(block)) = (call.callee, block) {
                    let loops = loops.get_or_insert_with(|| Loops::of(function));
                    calls.insert((caller, callee, loops.depth(block)));
                }
            }
        }
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for (caller, callee, depth) in &calls {
                let hotter = (heat[*caller] + depth).min(MOST);
                if heat.get(*callee).is_some_and(|have| *have < hotter) {
                    heat[*callee] = hotter;
                    is_settled = false;
                }
            }
        }
        Heat(heat)
    }

    /// Loops around the calls of a function, the most of all its callers.
    pub fn of_function(&self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }
}
