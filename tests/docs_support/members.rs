//! Members of the JSON that commands print. Not a test itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::llvm;

/// The traces that come with the repository, which an emulator made.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/trace");

/// What `sqtt` prints as JSON in the directory of each trace, a document or lines. `{map}` in `arguments` stands for the
/// trace's code object.
pub(crate) fn printed(arguments: &[&str]) -> Vec<Value> {
    let mut values = Vec::new();
    for trace in ["e2e_gfx942", "e2e_gfx1100", "e2e_gfx1201"] {
        let directory = Path::new(TRACES).join(trace);
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.current_dir(&directory).args(arguments.iter().map(|argument| match *argument {
            "{map}" => format!("4242_{}_code_object_id_2.out", trace.trim_start_matches("e2e_")),
            plain => plain.to_owned(),
        }));
        let output = llvm::success(&mut sqtt);
        let documents = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
        values.extend(documents.map(|document| document.expect("it prints JSON")));
    }
    values
}

/// The names of the members of every object at `pointer`, in which `*` stands for each element of an array.
pub(crate) fn names(values: &[Value], pointer: &[&str]) -> BTreeSet<String> {
    let mut here: Vec<&Value> = values.iter().collect();
    for step in pointer {
        here = here
            .into_iter()
            .flat_map(|value| match (*step, value) {
                ("*", Value::Array(elements)) => elements.iter().collect(),
                (name, value) => value.get(name).into_iter().collect::<Vec<_>>(),
            })
            .collect();
    }
    here.iter().filter_map(|value| value.as_object()).flat_map(|object| object.keys().cloned()).collect()
}
