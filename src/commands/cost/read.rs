//! Files -> what instrumentation costs in each of their code objects.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use sqtt_contract::funcmap::Funcmap;

use super::super::disassembler::{Code, CodeArgs, Disassembler};
use super::super::doctor::Surroundings;
use super::super::trace_args::{Messages, TraceArgs};
use super::CostArgs;
use crate::code_object::{self, CodeObject, FileBytes, Limits, Resources, Target};
use crate::cost::{self, Advice, Costs, Counter, Counts, Growth};
use crate::machine::Program;
use crate::trace::{self, Diagnostics, Directory};

/// One code object.
pub(super) struct Object {
    /// The file and the containers in it.
    pub(super) name: String,
    pub(super) costs: Costs,
    pub(super) map: Funcmap,
    /// What each kernel takes.
    pub(super) resources: Vec<(String, Resources)>,
    pub(super) plain: Option<Beside>,
    pub(super) advice: Vec<Advice>,
}

/// The same code object without instrumentation.
pub(super) struct Beside {
    pub(super) growth: Vec<Growth>,
    pub(super) resources: Vec<(String, Resources)>,
}

/// The machine code of an uninstrumented code object.
struct Plain {
    target: String,
    program: Program,
    resources: Vec<(String, Resources)>,
}

/// Reads files; gathers what went wrong.
pub(super) struct Reading<'a> {
    args: &'a CostArgs,
    disassembler: Disassembler<'a>,
    plain: Option<Vec<Plain>>,
    traced: Option<(Vec<Directory>, Counter)>,
    pub(super) errors: Vec<String>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(args: &'a CostArgs, code: &'a CodeArgs, surroundings: Surroundings<'a>) -> Reading<'a> {
        let disassembler = Disassembler::new(code, surroundings);
        Reading { args, disassembler, plain: None, traced: None, errors: Vec::new() }
    }

    /// Counts the markers of the traces in `directory`; tells `messages` what is wrong with these.
    pub(super) fn trace(&mut self, directory: &Path, messages: &mut dyn Write) {
        let args = TraceArgs { dirs: vec![directory.to_owned()], ..TraceArgs::default() };
        let mut counter = Counter::default();
        let read = args.read(&mut counter, &mut Messages { out: messages, is_terminal: false });
        match (read, trace::discover(&args.dirs, &mut Diagnostics::default())) {
            (Ok(_), Ok(directories)) => self.traced = Some((directories, counter)),
            (Err(error), _) => self.errors.push(format!("{error:#}")),
            (_, Err(error)) => self.errors.push(error.to_string()),
        }
    }

    /// How often the markers of a code object were traced; says so when a trace has none of it.
    fn counts(&mut self, name: &str, map: &Funcmap, target: &Target) -> Option<Counts> {
        let (directories, counter) = self.traced.as_ref()?;
        let counts = counter.counts(directories, map, target);
        if counts.is_none() {
            self.errors.push(format!(
                "{name}: no wave of the trace ran this code object, so advice goes by loops\ngive a trace of this build, with its `*_code_object_id_*.out` files"
            ));
        }
        counts
    }

    /// The code objects of a file.
    pub(super) fn file(&mut self, path: &Path) -> Vec<Object> {
        if self.plain.is_none()
            && let Some(against) = self.args.against.clone()
        {
            let mut plain = Vec::new();
            self.programs(&against, &mut |code_object, program| {
                let (target, resources) = (code_object.target().to_string(), code_object.kernel_resources());
                plain.push(Plain { target, program, resources });
            });
            self.plain = Some(plain);
        }
        let mut found = Vec::new();
        self.programs(path, &mut |code_object, program| {
            found.push((
                code_object.place().in_file(path),
                code_object.target().clone(),
                program,
                code_object.funcmap().unwrap_or_default(),
                code_object.kernel_resources(),
            ));
        });
        let mut objects = Vec::new();
        for (name, target, program, map, resources) in found {
            let costs = Costs::of(&program, &map);
            let plain = self.beside(&name, &target.to_string(), &costs);
            let counts = self.counts(&name, &map, &target);
            let advice = if self.args.advise {
                cost::advise_traced(&program, &map, &target, &costs, counts.as_ref())
            } else {
                Vec::new()
            };
            objects.push(Object { name, costs, map, resources, plain, advice });
        }
        objects
    }

    /// The uninstrumented code object for the same target; the first, where there are several.
    fn beside(&mut self, name: &str, target: &str, costs: &Costs) -> Option<Beside> {
        let against = self.args.against.as_ref()?;
        let Some(plain) = self.plain.iter().flatten().find(|plain| plain.target == target) else {
            self.errors.push(format!(
                "{name}: `{}` has no code object for `{target}`\ncompile both for the same targets",
                against.display()
            ));
            return None;
        };
        Some(Beside { growth: cost::growth(costs, &plain.program), resources: plain.resources.clone() })
    }

    /// Passes each code object of a file with its machine code to `found`.
    fn programs(&mut self, path: &Path, found: &mut dyn FnMut(&CodeObject<'_>, Program)) {
        let bytes = match FileBytes::open(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.errors.push(error.to_string()),
        };
        let mut count = 0;
        let notes = code_object::visit(bytes.bytes(), &Limits::default(), |code_object| {
            let arch = &self.args.arch;
            if arch.is_empty() || arch.iter().any(|arch| code_object.target().serves(arch)) {
                count += 1;
                let name = code_object.place().in_file(path);
                match self.disassembler.read(&code_object) {
                    Ok(Code::Program(program)) => found(&code_object, program),
                    Ok(Code::Unseen(reason)) => self.errors.push(format!(
                        "{name}: there is no machine code to look at: {reason}\ngive the linked code object"
                    )),
                    Err(error) => self.errors.push(format!("{name}: {error:#}")),
                }
            }
            ControlFlow::Continue(())
        });
        for (place, what) in &notes.unverified {
            self.errors.push(format!("{}: {what}\ngive the file that holds linked device code", place.in_file(path)));
        }
        for problem in &notes.problems {
            self.errors.push(format!("{}: {}", problem.place.in_file(path), problem.malformed));
        }
        if count == 0 && notes.unverified.is_empty() && notes.problems.is_empty() {
            let path = path.display();
            self.errors.push(format!("no code object in `{path}`\ngive the file that holds linked device code"));
        }
    }
}
