//! Which functions are instrumented, by name.

use sqtt_contract::settings::Settings;
use sqtt_contract::variables;

use crate::generated::is_generated;
use crate::llvm::{Function, Module};

/// The names of a function that a pattern may match: as linked, as its source has it, and its qualified name alone.
fn names_of(function: Function) -> [String; 3] {
    let mangled = String::from_utf8_lossy(&function.name()).into_owned();
    let demangled = function.demangled_name();
    let short = sqtt_contract::filter::qualified_name(&demangled).to_owned();
    [mangled, demangled, short]
}

/// Whether the include and exclude lists let a function be instrumented.
pub(crate) fn admits(settings: &Settings, function: Function) -> bool {
    if settings.include.is_empty() && settings.exclude.is_empty() {
        return true;
    }
    let names = names_of(function);
    let matches = |name: &String| settings.include.matches(name);
    let is_excluded = names.iter().any(|name| settings.exclude.matches(name));
    !is_excluded && (settings.include.is_empty() || names.iter().any(matches))
}

/// Says which patterns match no function of the module, with the names that come nearest.
pub(crate) fn report_idle(settings: &Settings, module: Module) {
    let lists = [(variables::FUNCTIONS_INCLUDE, &settings.include), (variables::FUNCTIONS_EXCLUDE, &settings.exclude)];
    let names: Vec<[String; 3]> =
        if lists.iter().all(|(_, list)| list.is_empty()) { Vec::new() } else { candidates(module) };
    for (variable, list) in lists {
        for pattern in list.idle(names.iter().flatten().map(String::as_str)) {
            let nearest = pattern.nearest(names.iter().map(|[_, _, short]| short.as_str()));
            let hint = if nearest.is_empty() { String::new() } else { format!("; nearest: {}", nearest.join(", ")) };
            eprintln!("SQTT: warning: {variable}: `{pattern}` matches no function of this module{hint}");
        }
    }
}

fn candidates(module: Module) -> Vec<[String; 3]> {
    let is_candidate = |function: &Function| !function.is_kernel() && !is_generated(*function);
    module.definitions().into_iter().filter(is_candidate).map(names_of).collect()
}
