//! The model of machine code: functions, blocks, calls and markers of real code objects; and text of any kind, which is
//! read without a panic and without end.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::path::Path;
use std::time::{Duration, Instant};

use machine_support::assembly::{GPUS, Kernel};
use machine_support::llvm::{Llvm, MAJORS};
use machine_support::{Machine, hip, output_of, process};
use proptest::prelude::*;
use sqtt_hipcc::code_object;
use sqtt_hipcc::machine::{self, Entry, Exit, Function, Program, ProgramError, Source};
use sqtt_hipcc::toolchain::{self, Objdump};

const SOURCE: &str = "#include \"device.h\"\n\
    static NOINLINE u32 local(volatile u32 *p, u32 n) { for (u32 i = 0; i < n; ++i) p[i] += n; return p[n]; }\n\
    KERNEL void first(volatile u32 *p, u32 n) { p[lane()] = local(p, n); }\n\
    KERNEL void second(volatile u32 *p) { if (p[lane()] > 4) p[5] = local(p, 3); }\n";

fn compiled(llvm: &Llvm, gpu: &str, directory: &Path) -> Vec<u8> {
    let source = directory.join("program.hip");
    fs_err::write(&source, SOURCE).unwrap();
    output_of(hip(llvm, gpu, directory).arg("-O1").arg(source), &directory.join("program.co")).unwrap()
}

fn named<'a>(program: &'a Program, name: &str) -> &'a Function {
    program.functions.iter().find(|function| function.name == name).unwrap()
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

#[test]
fn functions_are_found_with_symbols_and_without() {
    let directory = tempfile::tempdir().unwrap();
    for llvm in MAJORS.map(Llvm::new) {
        for gpu in ["gfx906", "gfx1030", "gfx1201"] {
            let bytes = compiled(&llvm, gpu, directory.path());
            let whole = Machine::read(&llvm, &bytes).program;
            let entries: Vec<(&str, Entry)> =
                whole.functions.iter().map(|function| (function.name.as_str(), function.entry)).collect();
            let (kernel, function) = (Entry::Kernel, Entry::Function);
            let expected = [("_Z5firstPVjj", kernel), ("_Z6secondPVj", kernel), ("_ZL5localPVjj", function)];
            assert_eq!(sorted(entries), expected, "{gpu} LLVM {}", llvm.major);
            // The local function has no symbol any more, but its address is taken.
            let stripped = directory.path().join("stripped.co");
            let mut strip = process::command(&llvm.program("llvm-strip"), &llvm.prefix.join("bin"), directory.path());
            strip.args(["-s", "program.co", "-o"]).arg(&stripped);
            assert!(strip.status().unwrap().success());
            let stripped = Machine::read(&llvm, &fs_err::read(stripped).unwrap()).program;
            assert_eq!(stripped.functions.len(), 3);
            let entries = stripped.functions.iter().map(|function| function.entry).collect();
            assert_eq!(sorted(entries), [Entry::Referenced, Entry::Kernel, Entry::Kernel]);
            for (one, other) in whole.functions.iter().zip(&stripped.functions) {
                assert_eq!((one.address, &one.instructions), (other.address, &other.instructions), "{gpu}");
                assert_eq!(one.wave_size, if gpu == "gfx906" { 64 } else { 32 });
                assert_eq!(one.wave_size, other.wave_size);
            }
        }
    }
}

#[test]
fn blocks_cover_a_function_and_lead_to_one_another() {
    let directory = tempfile::tempdir().unwrap();
    for llvm in MAJORS.map(Llvm::new) {
        let program = Machine::read(&llvm, &compiled(&llvm, "gfx1100", directory.path())).program;
        for function in &program.functions {
            let mut next = 0;
            for block in &function.blocks {
                assert_eq!(block.instructions.start, next);
                next = block.instructions.end;
                assert!(block.edges.iter().all(|edge| edge.to < function.blocks.len()));
                assert!(!block.edges.is_empty() || block.exit.is_some());
            }
            assert_eq!(next, function.instructions.len());
        }
        let exits =
            |name: &str| -> Vec<Exit> { named(&program, name).blocks.iter().filter_map(|block| block.exit).collect() };
        assert_eq!(exits("_ZL5localPVjj"), [Exit::Indirect]);
        assert_eq!(exits("_Z5firstPVjj"), [Exit::End]);
        // A loop and a branch around it.
        let taken =
            named(&program, "_ZL5localPVjj").blocks.iter().flat_map(|block| &block.edges).filter(|one| one.taken);
        assert!(taken.count() >= 2);
    }
}

#[test]
fn markers_tell_where_their_word_comes_from() {
    let directory = tempfile::tempdir().unwrap();
    let body = "@m0 12\n @m0 s7\n s_mov_b32 m0, exec_lo\n s_nop 0\n s_ttracedata\n s_nop 0\n s_ttracedata\n \
                v_readlane_b32 s4, v0, 3\n s_add_u32 m0, s4, 1\n s_ttracedata";
    for llvm in MAJORS.map(Llvm::new) {
        for gpu in GPUS.into_iter().filter(|gpu| gpu.since <= llvm.major) {
            let kernel = Kernel { name: "k", body, functions: &[] };
            let program = gpu.assemble(&llvm, directory.path(), &gpu.program(&["P:3:p"], &[kernel])).program;
            let markers = named(&program, "k").markers();
            let shown: Vec<String> = markers
                .iter()
                .map(|marker| match marker.source {
                    Source::Scalar(register) | Source::Exec(register) => format!("{register}"),
                    other => format!("{other:?}"),
                })
                .collect();
            assert_eq!(shown, ["Constant(12)", "s7", "exec_lo", "Stale", "Computed"], "{}", gpu.name);
            let waits: Vec<Option<bool>> = markers.iter().map(|marker| marker.setup.map(|setup| setup.waits)).collect();
            assert_eq!(waits, [Some(true), Some(true), Some(true), None, Some(false)]);
        }
    }
}

#[test]
fn an_object_file_is_no_program() {
    let directory = tempfile::tempdir().unwrap();
    let llvm = Llvm::new(22);
    fs_err::write(directory.path().join("k.s"), "s_endpgm\n").unwrap();
    let mut clang = machine_support::clang(&llvm, directory.path());
    clang.args(["-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-c", "-x", "assembler", "k.s"]);
    let bytes = output_of(&mut clang, &directory.path().join("k.o")).unwrap();
    let contents = code_object::read(&bytes);
    let parsed = Program::parse("", &contents.code_objects[0]);
    assert_eq!(parsed.unwrap_err(), ProgramError::Relocatable);
}

#[test]
fn the_disassembler_of_the_compilers_own_llvm_comes_first() {
    let directory = tempfile::tempdir().unwrap();
    let programs = directory.path().join("programs");
    fs_err::create_dir_all(&programs).unwrap();
    let llvm = |prefix: &Path| toolchain::Llvm {
        version: "22.1.8".to_owned(),
        major: 22,
        prefix: prefix.to_owned(),
        host: toolchain::host::Host::default(),
    };
    let found = |prefix: &Path| {
        let environment = [("PATH".into(), programs.clone().into_os_string())].into_iter().collect();
        Objdump::of(&llvm(prefix), &environment).map(|objdump| objdump.path().to_owned())
    };
    let own = Llvm::new(22).prefix;
    assert_eq!(found(&own).unwrap(), own.join("bin/llvm-objdump"));
    let error = found(directory.path()).unwrap_err().to_string();
    assert!(error.starts_with("no `llvm-objdump` in") && error.contains("install `llvm-22`"), "{error}");
    for name in ["llvm-objdump", "llvm-objdump-22"] {
        std::os::unix::fs::symlink(own.join("bin/llvm-objdump"), programs.join(name)).unwrap();
        assert_eq!(found(directory.path()).unwrap(), programs.join(name));
    }
}

#[test]
fn what_objdump_says_of_a_file_that_is_no_object_is_an_error() {
    let objdump = Objdump::at(&Llvm::new(22).program("llvm-objdump"));
    let error = objdump.disassemble(b"no object").unwrap_err().to_string();
    assert!(error.contains("cannot disassemble a code object"), "{error}");
}

/// A real code object to read made-up text with.
fn some_code_object() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    compiled(&Llvm::new(22), "gfx1100", directory.path())
}

/// Reads `text` and runs the whole lint on it.
fn lint(bytes: &[u8], text: &str) -> usize {
    let contents = code_object::read(bytes);
    let code_object = &contents.code_objects[0];
    let program = Program::parse(text, code_object).unwrap();
    let report = machine::lint(&program, &code_object.funcmap().unwrap_or_default(), code_object.target());
    report.findings.len()
}

/// Lines such as a disassembler writes, with anything in any place.
fn line() -> impl Strategy<Value = String> {
    const NAMES: [&str; 24] = [
        "s_mov_b32",
        "s_mov_b64",
        "s_and_saveexec_b64",
        "s_or_b32",
        "s_xor_b64",
        "s_cbranch_execz",
        "s_cbranch_scc1",
        "s_branch",
        "s_ttracedata",
        "s_ttracedata_imm",
        "s_nop",
        "s_swappc_b64",
        "s_setpc_b64",
        "s_getpc_b64",
        "s_add_u32",
        "s_addc_u32",
        "s_endpgm",
        "v_writelane_b32",
        "v_readlane_b32",
        "v_cmpx_lt_u32_e64",
        "v_cmp_eq_u32_e32",
        "scratch_store_b64",
        "s_cmp_lg_u32",
        "s_getreg_b32",
    ];
    const OPERANDS: [&str; 16] = [
        "s4",
        "s[4:5]",
        "exec",
        "exec_lo",
        "vcc",
        "m0",
        "v1",
        "v[1:2]",
        "0",
        "-1",
        "0x12345678",
        "off",
        "s33 offset:4",
        "null",
        "scc",
        "hwreg(HW_REG_HW_ID, 8, 4)",
    ];
    let operands = prop::collection::vec(prop::sample::select(&OPERANDS[..]), 0..5);
    (prop::sample::select(&NAMES[..]), operands, 0..64_u64, any::<u32>(), "[ -~]{0,12}").prop_map(
        |(name, operands, at, word, junk)| {
            // Branches that stay near, among others.
            let word = if word.is_multiple_of(3) { word } else { word & 0xFFFF_001F };
            format!("\t{name} {}{junk} // {:012X}: {word:08X}", operands.join(", "), 0x1600 + at * 4)
        },
    )
}

#[test]
fn any_text_is_read_without_a_panic() {
    let bytes = some_code_object();
    proptest!(ProptestConfig::with_cases(200), |(lines in prop::collection::vec(line(), 0..120), junk: String)| {
        let started = Instant::now();
        lint(&bytes, &format!("0000000000001600 <_Z5firstPVjj>:\n{}\n{junk}", lines.join("\n")));
        prop_assert!(started.elapsed() < Duration::from_secs(20));
    });
}

#[test]
fn a_real_disassembly_cut_anywhere_is_read_without_a_panic() {
    let bytes = some_code_object();
    let objdump = Objdump::at(&Llvm::new(22).program("llvm-objdump"));
    let text = objdump.disassemble(&bytes).unwrap();
    for at in (0..text.len()).step_by(97) {
        lint(&bytes, &text[..at]);
        lint(&bytes, &text[at..]);
    }
}

/// Texts that make the analysis work hard: it gives a function up rather than run for ever.
#[test]
fn the_work_for_a_function_is_bounded() {
    let bytes = some_code_object();
    let at = |index: usize| 0x1600 + 4 * index;
    let branch = |index: usize, back: u16| {
        format!("\ts_cbranch_scc1 0 // {:012X}: BFA2{:04X}\n", at(index), 0_u16.wrapping_sub(back))
    };
    let enter = |index: usize| format!("\ts_ttracedata_imm 0xa // {:012X}: BFBB000A\n", at(index));
    let label = "0000000000001600 <_Z5firstPVjj>:\n";
    let nested: String = (0..4000).map(|index| branch(index, u16::try_from(index % 900).unwrap())).collect();
    let opening: String = (0..4000).map(|index| if index % 2 == 0 { enter(index) } else { branch(index, 2) }).collect();
    for text in [nested, opening] {
        let started = Instant::now();
        lint(&bytes, &format!("{label}{text}"));
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    }
}
