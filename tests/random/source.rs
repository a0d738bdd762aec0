//! A program as HIP source.

use std::fmt::Write;

use crate::program::{Condition, Inlining, Label, Payload, Program, Stmt, TEXTS, Target, Trips, Work};

const HEAD: &str = r#"#include "markers.hpp"

typedef unsigned u32;
#define DEVICE __attribute__((device))
#define LANE __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define UNIFORM(value) ((u32)__builtin_amdgcn_readfirstlane((int)(value)))
#define BARRIER() \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier(); \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

struct Scoped {
  DEVICE inline explicit Scoped(const char *name) { sqtt_marker_enter(name); }
  DEVICE inline ~Scoped() { sqtt_marker_exit("scoped"); }
};
"#;

/// The whole source file.
pub(crate) fn print(program: &Program) -> String {
    let mut printer = Printer { text: HEAD.to_owned(), ..Printer::default() };
    let called = program.called();
    for (index, helper) in program.helpers.iter().enumerate().rev().filter(|(index, _)| called[*index]) {
        let inlining = match helper.inlining {
            Inlining::Never => " __attribute__((noinline))",
            Inlining::Always => " __attribute__((always_inline)) inline",
            Inlining::Compiler => "",
        };
        let result = if helper.returns { "u32" } else { "void" };
        let parameters = "u32 *p, const u32 *q, u32 acc, u32 n, u32 m";
        let _ = writeln!(printer.text, "\nstatic DEVICE{inlining} {result} helper{index}({parameters}) {{");
        printer.function(program, &helper.body, helper.returns);
    }
    printer.text.push_str("\nextern \"C\" __attribute__((global)) void kernel(u32 *p, const u32 *q, u32 n, u32 m) {\n");
    printer.line("u32 acc = n;");
    printer.function(program, &program.kernel, false);
    printer.text
}

/// What an early way out has to get out of.
#[derive(Clone)]
enum Around {
    Loop,
    Scope(Label),
    Guarded,
}

#[derive(Default)]
struct Printer {
    text: String,
    depth: usize,
    around: Vec<Around>,
    /// The function returns `acc`.
    returns: bool,
    /// Tells everything apart.
    number: usize,
    /// Bits of the thread's id, the workgroup's id and the arguments that branches have tested.
    lane_bits: usize,
    group_bits: usize,
    argument_bits: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        let indent = 2 * (self.depth + 1);
        let _ = writeln!(self.text, "{:indent$}{text}", "");
    }

    fn number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    fn function(&mut self, program: &Program, body: &[Stmt], returns: bool) {
        self.returns = returns;
        let uses = |wanted: &dyn Fn(Work) -> bool| {
            crate::program::any(body, &|stmt| matches!(stmt, Stmt::Work(work) if wanted(*work)))
        };
        if uses(&|work| matches!(work, Work::LdsAtomic | Work::LdsStore | Work::LdsLoad)) {
            self.line("__attribute__((shared)) static u32 tile[64];");
            // Somebody may have written it: what reads memory that nothing ever writes does not have to do anything.
            self.line("asm volatile(\"\" : : \"v\"(tile) : \"memory\");");
        }
        if uses(&|work| work == Work::Private) {
            self.line("u32 own[8] = {n, m, 3, 4, 5, 6, 7, 8};");
        }
        self.list(program, body);
        if returns {
            self.line("return acc;");
        }
        self.text.push_str("}\n");
    }

    fn list(&mut self, program: &Program, list: &[Stmt]) {
        for stmt in list {
            self.stmt(program, stmt);
        }
    }

    fn block(&mut self, program: &Program, list: &[Stmt]) {
        self.depth += 1;
        self.list(program, list);
        self.depth -= 1;
    }

    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::Work(work) => self.work(*work),
            Stmt::Point(label) => self.line(&format!("sqtt_marker_point({});", written(*label))),
            Stmt::Data(name, payload) => {
                let value = match payload {
                    Payload::Argument => "n",
                    Payload::Lane => "LANE",
                    Payload::Running => "acc",
                };
                self.line(&format!("sqtt_marker_data(\"{}\", {value});", text(*name)));
            }
            Stmt::Barrier => self.line("BARRIER();"),
            Stmt::Call(helper) => {
                let result = if program.helpers[usize::from(*helper)].returns { "acc += " } else { "" };
                let number = self.number();
                self.line(&format!("{result}helper{helper}(p, q, acc + {number}, n, m);"));
            }
            Stmt::Enter(label) => self.enter(*label),
            Stmt::Exit(label) => self.exit(*label),
            Stmt::Scope(label, body) => {
                self.enter(*label);
                self.around.push(Around::Scope(*label));
                self.list(program, body);
                self.around.pop();
                self.exit(*label);
            }
            Stmt::Guarded(label, body) => {
                let number = self.number();
                self.line("{");
                self.around.push(Around::Guarded);
                self.line(&format!("  Scoped scope{number}({});", written(*label)));
                self.block(program, body);
                self.around.pop();
                self.line("}");
            }
            Stmt::Split(label, body, condition, then, other) => {
                self.enter(*label);
                self.list(program, body);
                let closed = |arm: &Vec<Stmt>| arm.iter().cloned().chain([Stmt::Exit(*label)]).collect::<Vec<_>>();
                self.branch(program, *condition, [&closed(then), &closed(other)]);
            }
            Stmt::If(condition, then, other) => self.branch(program, *condition, [then, other]),
            Stmt::Loop(trips, body) => self.turns(program, *trips, body),
            Stmt::Leave(leave) => self.leave(leave.to, leave.closing),
        }
    }

    fn branch(&mut self, program: &Program, condition: Condition, [then, other]: [&[Stmt]; 2]) {
        let condition = self.condition(condition);
        self.line(&format!("if ({condition}) {{"));
        self.block(program, then);
        if !other.is_empty() {
            self.line("} else {");
            self.block(program, other);
        }
        self.line("}");
    }

    fn turns(&mut self, program: &Program, trips: Trips, body: &[Stmt]) {
        let number = self.number();
        let count = match trips {
            Trips::Constant(count) => count.to_string(),
            Trips::Proven => format!("(UNIFORM(q[{number}]) & 3)"),
            Trips::Argument => format!("((n ^ q[{number}]) & 3)"),
            Trips::Lane => format!("(q[LANE + 64 * {number}] & 3)"),
        };
        self.line(&format!(
            "for (u32 i{number} = 0, count{number} = {count}; i{number} < count{number}; ++i{number}) {{"
        ));
        self.around.push(Around::Loop);
        self.block(program, body);
        self.around.pop();
        self.line("}");
    }

    fn enter(&mut self, label: Label) {
        self.line(&format!("sqtt_marker_enter({});", written(label)));
    }

    fn exit(&mut self, label: Label) {
        self.line(&format!("sqtt_marker_exit({});", written(label)));
    }

    fn leave(&mut self, to: Target, closing: bool) {
        for around in self.around.clone().into_iter().rev() {
            match around {
                Around::Scope(label) if closing => self.exit(label),
                Around::Loop if to != Target::Return => break,
                _ => {}
            }
        }
        self.line(match to {
            Target::Break => "break;",
            Target::Continue => "continue;",
            Target::Return if self.returns => "return acc;",
            Target::Return => "return;",
        });
    }

    fn condition(&mut self, condition: Condition) -> String {
        let number = self.number();
        let mut bit = |count: usize, next: fn(&mut Printer) -> &mut usize| {
            let next = next(self);
            *next += 1;
            (*next <= count).then_some(*next - 1)
        };
        match condition {
            Condition::Lane => {
                // A workgroup has at most 1024 threads.
                let bit = bit(10, |printer| &mut printer.lane_bits);
                bit.map_or(format!("q[LANE + 64 * {number}] & 1"), |bit| format!("LANE >> {bit} & 1"))
            }
            Condition::LaneLoad => format!("q[LANE + 64 * {number}] & 1"),
            Condition::Proven => format!("UNIFORM(q[{number}]) & 1"),
            Condition::Group => {
                let bit = bit(20, |printer| &mut printer.group_bits);
                bit.map_or(format!("UNIFORM(q[{number}]) & 1"), |bit| format!("GROUP >> {bit} & 1"))
            }
            Condition::Argument => match bit(64, |printer| &mut printer.argument_bits) {
                Some(bit @ 0..32) => format!("n >> {bit} & 1"),
                Some(bit) => format!("m >> {} & 1", bit - 32),
                None => format!("UNIFORM(q[{number}]) & 1"),
            },
        }
    }

    fn work(&mut self, work: Work) {
        let number = self.number();
        let line = match work {
            Work::Store => format!("p[LANE + 64 * {number}] = acc + {number};"),
            Work::Volatile => format!("((volatile u32 *)p)[n + {number}] = acc;"),
            Work::GlobalAtomic => {
                format!("__hip_atomic_fetch_add(&p[{number}], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);")
            }
            Work::LdsAtomic => format!(
                "__hip_atomic_fetch_add(&tile[{}], acc, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);",
                number % 64
            ),
            Work::Load => format!("acc += q[LANE * 3 + {number}];"),
            Work::LdsStore => format!("tile[(LANE + {number}) & 63] = acc;"),
            Work::LdsLoad => format!("acc ^= tile[(LANE * 5 + {number}) & 63];"),
            Work::Private => format!("own[(acc + {number}) & 7] += acc;"),
            Work::Arithmetic => format!("acc = acc * 1664525u + (acc >> {}) + {number};", number % 31 + 1),
        };
        self.line(&line);
    }
}

fn text(name: u8) -> &'static str {
    TEXTS[usize::from(name) % TEXTS.len()]
}

fn written(label: Label) -> String {
    match label {
        Label::Text(name) => format!("\"{}\"", text(name)),
        Label::Number(number) => format!("{number}u"),
    }
}
