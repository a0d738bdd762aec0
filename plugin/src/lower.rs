//! One trace record as machine instructions.

use sqtt_contract::marker::{Encoding, MAX_IMMEDIATE, Marker};

use crate::Error;
use crate::clock::Packing;
use crate::effects;
use crate::faults::{Point, lacks};
use crate::llvm::{AsmCall, Builder, Instruction, Module, Value};
use crate::target::Target;

/// The 32 bits of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// A marker of the pass: with the clock where that is packed.
    Header(Marker),
    /// A bare exit by number: like the pass's where the clock is packed, since nothing tells them apart.
    Exit,
    /// A user's number, or data.
    Constant(u32),
    /// Known at run time; may differ between lanes, then the first active lane's value is traced.
    Value(Value),
}

impl Word {
    /// The word that an integer value is.
    pub(crate) fn of(value: Value) -> Word {
        match value.as_constant().and_then(|word| u32::try_from(word).ok()) {
            Some(word) => Word::Constant(word),
            None => Word::Value(value),
        }
    }

    /// The word of a marker that the user wrote as a number.
    pub(crate) fn of_numeric(value: Value) -> Word {
        match Word::of(value) {
            Word::Constant(EXIT) => Word::Exit,
            word => word,
        }
    }
}

/// How records are emitted in one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowering {
    pub(crate) module: Module,
    immediate: bool,
    m0_nop: u8,
    /// The function uses convergence tokens: calls of ours must not be `convergent` there.
    controlled: bool,
    pub(crate) packing: Option<Packing>,
}

/// The word of a bare exit.
const EXIT: u32 = 1;

const THROUGH_CONSTANT: &str = "={m0},i";
const THROUGH_SGPR: &str = "={m0},s";

impl Lowering {
    pub(crate) fn new(
        module: Module,
        target: &Target,
        m0_nop: Option<u8>,
        controlled: bool,
        packing: Option<Packing>,
    ) -> Lowering {
        let m0_nop = m0_nop.unwrap_or(target.m0_nop);
        Lowering { module, immediate: target.immediate, m0_nop, controlled, packing }
    }

    /// Emits the record through M0, except for a header that fits `s_ttracedata_imm`.
    ///
    /// It is always inline assembly: in a cheap divergent block the backend drops the branch around plain
    /// `s_ttracedata` intrinsics, and a wave without an active lane would trace a marker that never happened.
    pub(crate) fn emit(self, builder: &Builder, word: Word) -> Result<Instruction, Error> {
        Ok(match word {
            Word::Header(marker) => self.emit_header(builder, marker)?,
            Word::Exit if self.packing.is_some() => self.emit_header(builder, Marker::EXIT)?,
            Word::Exit => self.through_m0(builder, builder.i32(EXIT), THROUGH_CONSTANT),
            Word::Constant(word) => self.through_m0(builder, builder.i32(word), THROUGH_CONSTANT),
            Word::Value(value) => {
                const UNIFORM: &str = "llvm.amdgcn.readfirstlane";
                if lacks(Point::UniformValues) {
                    return Ok(self.through_m0(builder, builder.as_i32(value), THROUGH_SGPR));
                }
                let first = self.module.intrinsic(UNIFORM).ok_or(Error::Intrinsic(UNIFORM))?;
                let uniform = builder.call(first, &[builder.as_i32(value)]).value();
                self.through_m0(builder, uniform, THROUGH_SGPR)
            }
        })
    }

    fn emit_header(self, builder: &Builder, marker: Marker) -> Result<Instruction, Error> {
        let Some(packing) = self.packing else {
            return Ok(self.emit_short(builder, Encoding::PLAIN.encode(marker, 0)?));
        };
        let word = packing.pack(builder, self.module, packing.encoding.encode(marker, 0)?)?;
        Ok(self.through_m0(builder, word, THROUGH_SGPR))
    }

    /// Emits a constant in the shortest form that the target has for it.
    pub(crate) fn emit_short(self, builder: &Builder, word: u32) -> Instruction {
        if !self.immediate || word > MAX_IMMEDIATE || lacks(Point::PhantomMarkers) {
            return self.through_m0(builder, builder.i32(word), THROUGH_CONSTANT);
        }
        let text = format!("s_ttracedata_imm {word}");
        self.finish(builder.asm(AsmCall { text: &text, constraints: "", result: false, arguments: &[] }))
    }

    /// Emits the two halves of EXEC, low first.
    pub(crate) fn emit_exec(self, builder: &Builder) -> Instruction {
        let text = format!("{}\n\t{}", self.sequence("exec_lo"), self.sequence("exec_hi"));
        self.finish(builder.asm(AsmCall { text: &text, constraints: "={m0}", result: true, arguments: &[] }))
    }

    /// Emits what a lane has in `value`.
    pub(crate) fn emit_lane(self, builder: &Builder, value: Value, lane: Value) -> Result<(), Error> {
        const READLANE: &str = "llvm.amdgcn.readlane";
        let readlane = self.module.intrinsic(READLANE).ok_or(Error::Intrinsic(READLANE))?;
        let word = builder.call(readlane, &[value, lane]).value();
        self.through_m0(builder, word, THROUGH_SGPR);
        Ok(())
    }

    /// M0 is modelled as the result: clang warns about a clobber of it, and without either a later user of M0
    /// would find the marker's value there.
    fn through_m0(self, builder: &Builder, word: Value, constraints: &str) -> Instruction {
        if lacks(Point::PhantomMarkers)
            && let Some(plain) = self.module.intrinsic("llvm.amdgcn.s.ttracedata")
        {
            return builder.call(plain, &[word]);
        }
        if lacks(Point::M0Output) {
            let text = self.sequence("$0");
            let constraints = constraints.trim_start_matches("={m0},");
            return self.finish(builder.asm(AsmCall { text: &text, constraints, result: false, arguments: &[word] }));
        }
        let text = self.sequence("$1");
        self.finish(builder.asm(AsmCall { text: &text, constraints, result: true, arguments: &[word] }))
    }

    fn sequence(self, source: &str) -> String {
        format!("s_mov_b32 m0, {source}\n\ts_nop {}\n\ts_ttracedata", self.m0_nop)
    }

    fn finish(self, call: Instruction) -> Instruction {
        effects::seal(call, self.controlled);
        call
    }
}
