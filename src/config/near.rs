//! What a mistyped word was likely meant to be.

/// The candidate nearest to `word`; `None` when none is near enough to be a typing mistake: one edit per three letters,
/// as in the contract's own suggestions.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |candidate: &str| strsim::damerau_levenshtein(candidate, word);
    let near = |candidate: &&str| distance(candidate) <= candidate.len().max(word.len()) / 3;
    candidates.filter(near).min_by_key(|candidate| distance(candidate))
}
