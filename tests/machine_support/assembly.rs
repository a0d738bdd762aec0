//! Kernels written in assembly that is the same for every GPU but for a few words.
//!
//! | in the text | stands for |
//! |---|---|
//! | `@exec`, `@vcc` | the masks of a wave: `exec` or `exec_lo` |
//! | `@A` to `@D` | scalar registers that hold a mask |
//! | `@b` | `b64` or `b32`, the width of a mask |
//! | `@andn2` | `andn2`, from gfx11 on `and_not1` |
//! | `@cmpx A, B` | a comparison of lanes that writes EXEC |
//! | `@mark N` | a marker of word N, in the shortest form |
//! | `@m0 N` | a marker of word N through M0 |
//! | `@call F` | a call of function F of the same kernel |
//! | `@L`, `@M` | labels of the kernel's own |

use std::path::Path;

use super::llvm::Llvm;
use super::{Machine, clang, output_of};

/// A GPU with what differs in its assembly.
#[derive(Clone, Copy, Debug)]
pub struct Gpu {
    pub name: &'static str,
    pub lanes: u32,
    /// It has `s_ttracedata_imm`.
    pub immediate: bool,
    /// LLVM that knows it first.
    pub since: u32,
}

const fn gpu(name: &'static str, lanes: u32, since: u32) -> Gpu {
    Gpu { name, lanes, immediate: lanes == 32, since }
}

/// One of each generation.
pub const GPUS: [Gpu; 9] = [
    gpu("gfx906", 64, 19),
    gpu("gfx90a", 64, 19),
    gpu("gfx942", 64, 19),
    gpu("gfx1010", 32, 19),
    gpu("gfx1030", 32, 19),
    gpu("gfx1100", 32, 19),
    gpu("gfx1201", 32, 19),
    gpu("gfx950", 64, 22),
    gpu("gfx1250", 32, 22),
];

/// A kernel with its functions.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    pub name: &'a str,
    pub body: &'a str,
    /// Each gets the kernel's name and `_` in front of its own.
    pub functions: &'a [(&'a str, &'a str)],
}

impl Gpu {
    fn is_at_least(self, prefix: &[&str]) -> bool {
        prefix.iter().any(|prefix| self.name.starts_with(prefix))
    }

    fn mask(self, name: &str, first: u32) -> String {
        if self.lanes == 64 { format!("{name}[{first}:{}]", first + 1) } else { format!("{name}{first}") }
    }

    fn through_m0(self, word: &str) -> String {
        format!("s_mov_b32 m0, {word}\n s_nop 0\n s_ttracedata")
    }

    fn call(self, callee: &str) -> String {
        if self.is_at_least(&["gfx125"]) {
            return format!(
                "s_get_pc_i64 s[20:21]\n s_add_nc_u64 s[20:21], s[20:21], {callee}@rel64+4\n s_swap_pc_i64 s[30:31], s[20:21]"
            );
        }
        let sext = if self.is_at_least(&["gfx12"]) { "s_sext_i32_i16 s21, s21\n " } else { "" };
        // Offsets from the additions' literals to the instruction behind the read of the program counter.
        let (low, high) = if sext.is_empty() { (4, 12) } else { (8, 16) };
        format!(
            "s_getpc_b64 s[20:21]\n {sext}s_add_u32 s20, s20, {callee}@rel32@lo+{low}\n \
             s_addc_u32 s21, s21, {callee}@rel32@hi+{high}\n s_swappc_b64 s[30:31], s[20:21]"
        )
    }

    fn line(self, line: &str) -> String {
        let line = line.trim();
        if let Some(word) = line.strip_prefix("@mark ") {
            return if self.immediate { format!("s_ttracedata_imm {word}") } else { self.through_m0(word) };
        }
        if let Some(word) = line.strip_prefix("@m0 ") {
            return self.through_m0(word);
        }
        if let Some(callee) = line.strip_prefix("@call ") {
            return self.call(callee);
        }
        if let Some(operands) = line.strip_prefix("@cmpx ") {
            let result = if self.lanes == 64 { "vcc, " } else { "" };
            return format!("v_cmpx_lt_u32_e32 {result}{operands}");
        }
        let mut line = line.to_owned();
        let (exec, vcc, bits) = if self.lanes == 64 { ("exec", "vcc", "b64") } else { ("exec_lo", "vcc_lo", "b32") };
        let andn2 = if self.is_at_least(&["gfx11", "gfx12"]) { "and_not1" } else { "andn2" };
        for (from, to) in [("@exec", exec), ("@vcc", vcc), ("@andn2", andn2), ("@b", bits)] {
            line = line.replace(from, to);
        }
        for (index, name) in (0..).zip(["@A", "@B", "@C", "@D"]) {
            line = line.replace(name, &self.mask("s", 4 + 2 * index));
        }
        line
    }

    /// The text of a program: `kernels`, and a map of `rows`.
    pub fn program(self, rows: &[&str], kernels: &[Kernel<'_>]) -> String {
        let accum = if self.is_at_least(&["gfx90a", "gfx94", "gfx95"]) { " .amdhsa_accum_offset 64\n" } else { "" };
        let mut text = ".text\n".to_owned();
        for kernel in kernels {
            let (name, body) = (kernel.name, self.lines(kernel, kernel.body));
            text += &format!(".globl {name}\n.p2align 8\n.type {name},@function\n{name}:\n{body} s_endpgm\n");
            text += &format!(".size {name}, .-{name}\n");
            for (function, body) in kernel.functions {
                let (name, body) = (format!("{}_{function}", kernel.name), self.lines(kernel, body));
                text += &format!(".p2align 2\n.type {name},@function\n{name}:\n{body}.size {name}, .-{name}\n");
            }
        }
        text += ".rodata\n.p2align 6\n";
        for kernel in kernels {
            text += &format!(".amdhsa_kernel {}\n .amdhsa_next_free_vgpr 64\n", kernel.name);
            text += &format!(" .amdhsa_next_free_sgpr 40\n{accum}.end_amdhsa_kernel\n");
        }
        text += ".section .sqtt_funcmap,\"aR\",@progbits\n";
        text += &rows.iter().map(|row| format!(" .ascii \"{row}\\n\"\n")).collect::<String>();
        text + " .byte 0\n"
    }

    fn lines(self, kernel: &Kernel<'_>, body: &str) -> String {
        let own = |line: &str| {
            let line = line.replace("@call ", &format!("@call {}_", kernel.name));
            let line = line.replace("@L", &format!(".L{}_1", kernel.name));
            line.replace("@M", &format!(".L{}_2", kernel.name))
        };
        body.lines().map(|line| format!(" {}\n", self.line(&own(line)))).collect()
    }

    /// The machine code of that program.
    pub fn assemble(self, llvm: &Llvm, directory: &Path, text: &str) -> Machine {
        let source = directory.join("program.s");
        fs_err::write(&source, text).unwrap();
        let mut clang = clang(llvm, directory);
        clang.args(["-target", "amdgcn-amd-amdhsa", &format!("-mcpu={}", self.name), "-x", "assembler"]).arg(&source);
        let bytes = output_of(&mut clang, &directory.join("program.co"));
        Machine::read(llvm, &bytes.unwrap_or_else(|| panic!("{} LLVM {}:\n{text}", self.name, llvm.major)))
    }
}
