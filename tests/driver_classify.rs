//! The three-way answer, and the wrapper mistakes that it must not make.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::ffi::OsString;
use std::path::Path;

use sqtt_hipcc::invocation::{Answer, Circumstances, CommandLine, Purpose, Reading, Reason, Rules, Work, classify};

const HIPCC: Rules = Rules::Hipcc { cxx_is_hip: true };

fn reading(line: &str, rules: Rules) -> Reading {
    let arguments: Vec<OsString> = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
    Reading::new(&CommandLine::read(&arguments, Path::new("/nowhere"), "--sqtt-"), rules)
}

fn answer(line: &str, rules: Rules) -> Answer {
    classify(&reading(line, rules), &Circumstances::default())
}

fn instruments(line: &str, rules: Rules) -> Vec<OsString> {
    match answer(line, rules) {
        Answer::Instrument(work) => work.inputs,
        _ => Vec::new(),
    }
}

#[test]
fn hipcc_compiles_these_as_hip() {
    for file in ["a.hip", "a.cpp", "a.cc", "a.cxx", "a.C", "a.cu", "a.cuh", "dir/a.b.hip", "a b.hip"] {
        assert_eq!(instruments(&format!("-c '{file}' -o x.o"), HIPCC), [file], "{file}");
    }
    for line in
        ["-x hip -", "-xhip a.txt -c", "--language=hip a", "-c -- a.hip", "a.hip b.o", "-shared a.hip", "-S a.hip"]
    {
        assert_ne!(instruments(line, HIPCC), Vec::<OsString>::new(), "{line}");
    }
}

#[test]
fn hipcc_does_not_compile_these_as_hip() {
    for line in
        ["-c a.c", "-c a.s", "-c a.S", "-c -x c++ a.cpp", "-xc a.hip", "-c a.ii", "-fopenmp-targets=x86_64 a.cpp"]
    {
        assert_eq!(answer(line, HIPCC), Answer::PassThrough(Reason::NoHipInput), "{line}");
    }
    let cxx = Rules::Hipcc { cxx_is_hip: false };
    assert_eq!(answer("-c a.cpp", cxx), Answer::PassThrough(Reason::NoHipInput));
    assert_eq!(instruments("-c a.hip", cxx), ["a.hip"]);
}

#[test]
fn clang_goes_by_its_own_extensions() {
    for line in ["-c a.cpp", "-c a.cu", "-c a.cuda -x cuda", "-c a.c"] {
        assert_eq!(instruments(line, Rules::Clang), Vec::<OsString>::new(), "{line}");
    }
    assert_eq!(instruments("-c a.hip -x hip b.cpp", Rules::Clang), ["a.hip", "b.cpp"]);
}

#[test]
fn language_option_holds_for_the_inputs_after_it() {
    assert_eq!(instruments("-c -x hip a.cpp -x none b.cpp c.hip", HIPCC), ["a.cpp", "c.hip"]);
    assert_eq!(instruments("-c a.c -x hip b.c", HIPCC), ["b.c"]);
}

/// hipcc's own `-x hip` in front of a file holds for what follows too: `a.hip b.o` compiles `b.o` as HIP (and fails).
#[test]
fn language_that_hipcc_adds_holds_for_the_inputs_after_it() {
    assert_eq!(instruments("a.hip b.o", HIPCC), ["a.hip", "b.o"]);
    assert_eq!(instruments("b.o a.hip", HIPCC), ["a.hip"]);
}

#[test]
fn hipcc_does_not_look_into_response_files() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("r"), "-c a.cpp b.hip").unwrap();
    let line = CommandLine::read(&["@r".into()], dir.path(), "--sqtt-");
    let Answer::Instrument(work) = classify(&Reading::new(&line, HIPCC), &Circumstances::default()) else {
        panic!("not instrumented");
    };
    assert_eq!(work.inputs, ["b.hip"]);
}

#[test]
fn values_are_not_inputs() {
    for option in [
        "-Xclang",
        "-Xarch_device",
        "-Xarch_host",
        "-mllvm",
        "-MF",
        "-MT",
        "-MQ",
        "-o",
        "-D",
        "-U",
        "-I",
        "-include",
        "-isystem",
        "-Xlinker",
        "-Xassembler",
        "-Xpreprocessor",
        "--param",
        "-target",
        "-L",
        "-T",
        "-u",
        "-z",
        "-Xoffload-linker",
        "-Xopenmp-target=amdgcn",
        "-serialize-diagnostics",
        "-idirafter",
        "-rpath",
    ] {
        let line = format!("{option} x.hip");
        assert_eq!(answer(&line, HIPCC), Answer::NotACompilation(Purpose::NoInput), "{line}");
        let joined = format!("{option}x.hip");
        assert_eq!(answer(&joined, HIPCC), Answer::NotACompilation(Purpose::NoInput), "{joined}");
    }
}

#[test]
fn unknown_options_take_no_value() {
    assert_eq!(instruments("-c --no-such-option a.hip", HIPCC), ["a.hip"]);
}

#[test]
fn options_after_the_double_dash_are_inputs() {
    assert_eq!(instruments("-- a.hip -c", HIPCC), ["a.hip", "-c"]);
    assert_eq!(reading("-- a.hip -o", HIPCC).output, None);
}

#[test]
fn calls_that_stop_before_machine_code_get_what_the_compile_of_a_hip_file_gets() {
    for flag in ["-E", "-M", "-MM", "-fsyntax-only", "--preprocess", "--analyze", "-emit-ast", "-verify-pch"] {
        for line in [format!("{flag} a.hip"), format!("-c a.hip {flag}"), format!("{flag} -S a.hip -o x")] {
            assert_eq!(instruments(&line, HIPCC), ["a.hip"], "{line}");
        }
        for line in [format!("{flag} a.c"), format!("{flag} -x hip -"), format!("{flag} -dM -x c /dev/null")] {
            assert_eq!(answer(&line, HIPCC), Answer::PassThrough(Reason::Stops(flag)), "{line}");
        }
    }
    for line in ["-c -MD a.hip", "-c -MMD -MF a.d a.hip", "-S a.hip", "-c -Xclang -E a.hip"] {
        assert_eq!(instruments(line, HIPCC), ["a.hip"], "{line}");
    }
}

#[test]
fn questions_are_no_compilations() {
    for flag in [
        "--version",
        "--help",
        "-dumpversion",
        "-dumpmachine",
        "-print-search-dirs",
        "--print-file-name=libc.a",
        "-print-prog-name=ld",
        "--short-version",
        "--cxxflags",
        "--ldflags",
        "--autocomplete=-f",
        "-mcpu=help",
    ] {
        let line = format!("{flag} a.hip");
        assert_eq!(answer(&line, HIPCC), Answer::NotACompilation(Purpose::Query(flag.into())), "{line}");
    }
    for flag in ["-###", "-ccc-print-phases", "-fdriver-only"] {
        assert_eq!(answer(&format!("-c a.hip {flag}"), HIPCC), Answer::NotACompilation(Purpose::DryRun(flag)));
    }
    for line in ["", "-v", "-V", "-qversion", "-Wl,--version", "-O2 -g"] {
        assert_eq!(answer(line, HIPCC), Answer::NotACompilation(Purpose::NoInput), "{line}");
    }
}

#[test]
fn links_pass_through() {
    let lines = [
        "a.o b.o -o x",
        "a.o libb.a -lm",
        "-shared a.o -o x.so",
        "--hip-link a.o --no-offload-new-driver",
        "-fgpu-rdc --emit-static-lib a.o -o b.a",
        "-fgpu-rdc -fno-gpu-rdc a.o",
        "-fgpu-rdc --offload-host-only a.o",
    ];
    for line in lines {
        assert_eq!(answer(line, HIPCC), Answer::PassThrough(Reason::OnlyLinks), "{line}");
    }
}

/// Of a call: whether its device code is linked in it, and whether it is linked at all.
fn device_links(line: &str) -> (bool, bool) {
    match answer(line, HIPCC) {
        Answer::Instrument(work) => (work.links, work.is_linked),
        other => panic!("{line}: {other}"),
    }
}

#[test]
fn links_of_device_code_are_instrumented() {
    for line in [
        "-fgpu-rdc --hip-link a.o",
        "-fgpu-rdc -shared a.o libb.a -o x.so",
        "-fgpu-rdc a.o b.hip",
        "-fgpu-rdc --genco a.hip",
    ] {
        assert_eq!(device_links(line), (true, true), "{line}");
    }
    // The new offload driver links what is in the objects, whatever this call says.
    assert_eq!(device_links("--offload-new-driver a.o b.o"), (true, false));
    for line in [
        "-fgpu-rdc -c a.hip",
        "-fgpu-rdc -S a.hip",
        "-fgpu-rdc --emit-static-lib a.hip -o a.a",
        "-fgpu-rdc --offload-new-driver --genco a.hip",
    ] {
        assert_eq!(device_links(line), (false, true), "{line}");
    }
    for line in [
        "-c a.hip",
        "a.hip b.o",
        "--offload-new-driver a.hip",
        "-flto -c a.hip",
        "-foffload-lto -fno-offload-lto a.hip",
    ] {
        assert_eq!(device_links(line), (false, false), "{line}");
    }
    // Device LTO without -fgpu-rdc is a part of each compile.
    for line in ["-foffload-lto -c a.hip", "-foffload-lto=full a.hip", "-foffload-lto --genco a.hip"] {
        assert_eq!(device_links(line), (true, true), "{line}");
    }
    assert_eq!(device_links("-foffload-lto -emit-llvm -c --offload-device-only a.hip"), (false, true));
}

#[test]
fn inner_command_line_is_one_only_as_the_first_word() {
    assert_eq!(answer("-cc1 -emit-obj a.hip", HIPCC), Answer::PassThrough(Reason::Frontend("-cc1")));
    assert_eq!(instruments("-c -cc1 a.hip", HIPCC), ["a.hip"]);
}

#[test]
fn preprocessed_hip_uses_no_preprocessor_options() {
    let work = |preprocesses, inputs: &[&str]| {
        let inputs = inputs.iter().map(OsString::from).collect();
        Answer::Instrument(Work { inputs, preprocesses, links: false, is_linked: false, cacheable: preprocesses })
    };
    assert_eq!(answer("-c a.hipi", HIPCC), work(false, &["a.hipi"]));
    assert_eq!(answer("-c a.hipi b.hip", HIPCC), work(true, &["a.hipi", "b.hip"]));
}

#[test]
fn circumstances_come_before_the_inputs_and_after_the_questions() {
    let off = Circumstances { off: Some("--sqtt-off".into()), nested: false };
    let nested = Circumstances { off: None, nested: true };
    let compile = reading("-c a.hip", HIPCC);
    assert_eq!(classify(&compile, &off), Answer::PassThrough(Reason::Off("--sqtt-off".into())));
    assert_eq!(classify(&compile, &nested), Answer::PassThrough(Reason::Nested));
    let question = reading("--version", HIPCC);
    assert_eq!(classify(&question, &off), Answer::NotACompilation(Purpose::Query("--version".into())));
}

#[test]
fn flags_of_ours_in_a_response_file_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    fs_err::write(dir.path().join("r"), "-c --sqtt-functions=10 a.hip").unwrap();
    let line = CommandLine::read(&["@r".into()], dir.path(), "--sqtt-");
    assert_eq!(line.misplaced, Some(("--sqtt-functions=10".into(), dir.path().join("r"))));
}

#[test]
fn answers_say_why() {
    assert_eq!(answer("-c a.hip b.hip", HIPCC).to_string(), "instrument: `a.hip`, `b.hip` are read as HIP");
    assert_eq!(answer("-E a.c", HIPCC).to_string(), "pass through: `-E` stops before machine code");
    assert_eq!(answer("--version", HIPCC).to_string(), "not a compilation: `--version` asks the compiler about itself");
}
