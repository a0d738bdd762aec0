//! What the generator makes, counted: a test that draws only easy programs tests nothing.

use std::collections::BTreeMap;

use libtest_mimic::Trial;
use proptest::strategy::ValueTree;

use crate::campaign;
use crate::model::{self, Verdict};
use crate::mutate::{ALL, Mutation};

/// Programs that are drawn, none of them compiled.
const DRAWN: u64 = 2000;

/// Most programs are balanced, few are unclear, and every mutation makes some unbalanced.
pub(crate) fn trials(seed: u64) -> Vec<Trial> {
    vec![Trial::test("shares::of_each_kind", move || {
        let counts = count(seed)?;
        let of =
            |verdict: Verdict| counts.iter().filter(|(key, _)| key.1 == verdict).map(|(_, count)| count).sum::<u64>();
        let said = format!("{counts:#?}");
        let mut wrong = Vec::new();
        if of(Verdict::Balanced) * 100 < DRAWN * 60 {
            wrong.push("fewer than 60% are balanced".to_owned());
        }
        if of(Verdict::Either) * 100 > DRAWN * 12 {
            wrong.push("more than 12% are unclear".to_owned());
        }
        let made = |mutation: Mutation| counts.get(&(Some(mutation), Verdict::Unbalanced)).copied().unwrap_or(0);
        let idle = ALL.into_iter().filter(|mutation| made(*mutation) * 1000 < DRAWN * 4);
        wrong.extend(idle.map(|mutation| format!("{mutation:?} makes fewer than 0.4% unbalanced")));
        if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{said}", wrong.join("\n")).into()) }
    })]
}

fn count(seed: u64) -> Result<BTreeMap<(Option<Mutation>, Verdict), u64>, String> {
    let mut counts = BTreeMap::new();
    for index in 0..DRAWN {
        let draft = campaign::draw(seed, index)?.current();
        let verdict = model::judge(&draft.program(), draft.setup.optimises()).verdict;
        *counts.entry((draft.mutation(), verdict)).or_insert(0) += 1;
    }
    Ok(counts)
}
