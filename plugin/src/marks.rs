//! A marker between the two phases.
//!
//! It is a call of inline assembly whose text says what it is and whose operand is its provisional id: optimizers
//! may drop metadata or merge calls of one intrinsic, but they cannot take this apart. If the late phase never ran,
//! it would be a comment in the assembly.

use crate::llvm::{AsmCall, Builder, Instruction, Value, asm_text};

/// What a marker does, with the provisional id of its ledger entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Entry of an instrumented function.
    FunctionEnter(u32),
    /// Its exit. The id is not traced; it says which function's exit this is, so that pruning finds it.
    FunctionExit(u32),
    /// Opens a user's scope.
    Enter(u32),
    /// Closes the top scope.
    Exit,
    /// Closes the top scope and opens another one, in one word.
    ExitEnter(u32),
    /// A user's point.
    Point(u32),
    /// A user's point with a word of data behind it: the mark's second operand.
    Data(u32),
    /// A barrier, or a half of one.
    Barrier(u32),
    /// A group of memory operations.
    Memory(u32),
    /// The addresses of the memory operation behind it.
    Addresses(u32),
}

const TEXTS: [&str; 10] = [
    "; sqtt.function.enter $0",
    "; sqtt.function.exit $0",
    "; sqtt.enter $0",
    "; sqtt.exit $0",
    "; sqtt.exit.enter $0",
    "; sqtt.point $0",
    "; sqtt.data $0 $1",
    "; sqtt.barrier $0",
    "; sqtt.memory $0",
    "; sqtt.addresses $0",
];

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Mark::FunctionEnter(_) => TEXTS[0],
            Mark::FunctionExit(_) => TEXTS[1],
            Mark::Enter(_) => TEXTS[2],
            Mark::Exit => TEXTS[3],
            Mark::ExitEnter(_) => TEXTS[4],
            Mark::Point(_) => TEXTS[5],
            Mark::Data(_) => TEXTS[6],
            Mark::Barrier(_) => TEXTS[7],
            Mark::Memory(_) => TEXTS[8],
            Mark::Addresses(_) => TEXTS[9],
        }
    }

    /// The ledger entry that this mark belongs to.
    pub(crate) fn id(self) -> Option<u32> {
        match self {
            Mark::FunctionEnter(id)
            | Mark::FunctionExit(id)
            | Mark::Enter(id)
            | Mark::ExitEnter(id)
            | Mark::Point(id)
            | Mark::Data(id)
            | Mark::Barrier(id)
            | Mark::Memory(id)
            | Mark::Addresses(id) => Some(id),
            Mark::Exit => None,
        }
    }

    /// Whether it times a synchronization that directly follows: the user's own markers and barriers do, entries,
    /// exits and memory markers do not (spec "Exception - sync-adjacent markers").
    pub(crate) fn pins_sync(self) -> bool {
        match self {
            Mark::Enter(_) | Mark::Exit | Mark::ExitEnter(_) | Mark::Point(_) | Mark::Data(_) | Mark::Barrier(_) => {
                true
            }
            Mark::FunctionEnter(_) | Mark::FunctionExit(_) | Mark::Memory(_) | Mark::Addresses(_) => false,
        }
    }

    /// Puts the mark at the builder's place.
    pub(crate) fn place(self, builder: &Builder) -> Instruction {
        let id = builder.i32(self.id().unwrap_or(0));
        builder.asm(AsmCall { text: self.text(), constraints: "i", result: false, arguments: &[id] })
    }

    /// Puts a mark with its data, an i32, at the builder's place.
    pub(crate) fn place_with_data(self, builder: &Builder, data: Value) -> Instruction {
        let id = builder.i32(self.id().unwrap_or(0));
        builder.asm(AsmCall { text: self.text(), constraints: "i,v", result: false, arguments: &[id, data] })
    }

    /// The mark that an instruction is, if it is one.
    pub(crate) fn of(instruction: Instruction) -> Option<Mark> {
        let text = asm_text(instruction)?;
        let kind = TEXTS.iter().position(|known| known.as_bytes() == text)?;
        let id = u32::try_from(instruction.operand(0)?.as_constant()?).ok()?;
        Some(match kind {
            0 => Mark::FunctionEnter(id),
            1 => Mark::FunctionExit(id),
            2 => Mark::Enter(id),
            3 => Mark::Exit,
            4 => Mark::ExitEnter(id),
            5 => Mark::Point(id),
            6 => Mark::Data(id),
            7 => Mark::Barrier(id),
            8 => Mark::Memory(id),
            _ => Mark::Addresses(id),
        })
    }
}

/// Whether an instruction is a trace that somebody else put there: the header's numeric markers, or a builtin.
pub(crate) fn is_foreign_trace(instruction: Instruction) -> bool {
    // Both forms: `.imm` has the same prefix.
    instruction.calls_intrinsic("llvm.amdgcn.s.ttracedata")
}

/// Whether an instruction is a bare exit that somebody else put there.
pub(crate) fn is_foreign_exit(instruction: Instruction) -> bool {
    is_foreign_trace(instruction) && instruction.argument(0).and_then(Value::as_constant) == Some(1)
}
