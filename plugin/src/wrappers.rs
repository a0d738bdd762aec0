//! Wrappers around the named-marker sentinels are inlined, so that their label becomes a literal.

use crate::labels::{self, Label};
use crate::llvm::{Function, Module};
use crate::named_markers;

/// Inlines every wrapper into its direct callers, at any depth, and removes the ones that nothing needs any more.
///
/// A wrapper is a function that passes its own parameter on as a label. A function that calls the API with a
/// literal is not one: it keeps its `noinline`. Returns whether anything changed.
pub(crate) fn inline_all(module: Module) -> bool {
    let mut done: Vec<Function> = Vec::new();
    let mut changed = false;
    // Inlining a wrapper can turn its caller into one. Each function is taken once, so recursion ends.
    while let Some(wrapper) = next_wrapper(module, &done) {
        done.push(wrapper);
        for call in wrapper.direct_calls() {
            if call.function() != wrapper {
                changed |= call.inline();
            }
        }
    }
    // Backwards: a wrapper of a wrapper holds the last use of the inner one.
    for wrapper in done.into_iter().rev() {
        // LLVM 19 crashes at -O0 on an internal function without callers.
        if wrapper.is_discardable() && wrapper.value().is_unused() {
            wrapper.erase();
            changed = true;
        }
    }
    changed
}

fn next_wrapper(module: Module, done: &[Function]) -> Option<Function> {
    named_markers::calls(module)
        .into_iter()
        .filter(|(call, _)| call.operand(0).is_some_and(|label| labels::resolve(label) == Label::Parameter))
        .map(|(call, _)| call.function())
        .find(|function| !function.is_kernel() && !done.contains(function))
}
