//! One trace record as machine instructions.

use sqtt_contract::marker::MAX_IMMEDIATE;

use crate::Error;
use crate::effects;
use crate::llvm::{AsmCall, Builder, EnumAttribute, Instruction, Module, Value};
use crate::target::Target;

/// The 32 bits of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Constant(u32),
    /// Known at run time; may differ between lanes, then the first active lane's value is traced.
    Value(Value),
}

/// Which instruction a constant may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `s_ttracedata_imm` where it exists and the word fits its 8 bits.
    Short,
    /// `s_ttracedata` through M0: what the source asked for.
    Full,
}

/// How records are emitted in one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowering {
    pub(crate) immediate: bool,
    pub(crate) m0_nop: u8,
    /// The function uses convergence tokens: calls of ours must not be `convergent` there.
    pub(crate) controlled: bool,
}

impl Lowering {
    pub(crate) fn new(target: &Target, m0_nop: Option<u8>, controlled: bool) -> Lowering {
        Lowering { immediate: target.immediate, m0_nop: m0_nop.unwrap_or(target.m0_nop), controlled }
    }

    /// Emits the record.
    ///
    /// It is always inline assembly: in a cheap divergent block the backend drops the branch around plain
    /// `s_ttracedata` intrinsics, and a wave without an active lane would trace a marker that never happened.
    pub(crate) fn emit(self, builder: &Builder, module: Module, word: Word, form: Form) -> Result<Instruction, Error> {
        let call = match word {
            Word::Constant(word) if form == Form::Short && self.immediate && word <= MAX_IMMEDIATE => {
                let text = format!("s_ttracedata_imm {word}");
                builder.asm(AsmCall { text: &text, constraints: "", result: false, arguments: &[] })
            }
            Word::Constant(word) => self.through_m0(builder, builder.i32(word), "={m0},i"),
            Word::Value(value) => {
                const UNIFORM: &str = "llvm.amdgcn.readfirstlane";
                let first = module.intrinsic(UNIFORM).ok_or(Error::Intrinsic(UNIFORM))?;
                let uniform = builder.call(first, &[builder.as_i32(value)]).value();
                self.through_m0(builder, uniform, "={m0},s")
            }
        };
        effects::harmless(call);
        call.set_call_attribute(EnumAttribute::NoMerge, 0);
        if !self.controlled {
            call.set_call_attribute(EnumAttribute::Convergent, 0);
        }
        Ok(call)
    }

    /// M0 is modelled as the result: clang warns about a clobber of it, and without either a later user of M0
    /// would find the marker's value there.
    fn through_m0(self, builder: &Builder, word: Value, constraints: &str) -> Instruction {
        let text = format!("s_mov_b32 m0, $1\n\ts_nop {}\n\ts_ttracedata", self.m0_nop);
        builder.asm(AsmCall { text: &text, constraints, result: true, arguments: &[word] })
    }
}
