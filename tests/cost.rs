//! `sqtt cost`: what is told from a program's own code is what instrumentation added.
#![allow(clippy::unwrap_used, reason = "a test whose preparation fails has failed")]

mod machine_support;

use std::path::PathBuf;
use std::process::Command;

use machine_support::llvm::{self, Llvm};
use machine_support::{Machine, hip, output_of};
use serde_json::Value;
use sqtt_hipcc::cost::{Amount, Costs, advise, growth};

/// Calls of the marker API that do nothing, for the same program without markers.
const NO_MARKERS: &str = "extern \"C\" {\n\
    __attribute__((device)) inline void __sqtt_named_marker_enter(const char *) {}\n\
    __attribute__((device)) inline void __sqtt_named_marker_exit(const char *) {}\n\
    __attribute__((device)) inline void __sqtt_named_marker_point(const char *) {}\n\
    __attribute__((device)) inline void __sqtt_named_marker_data(const char *, unsigned) {}\n\
    }\n";

/// Scopes in loops and branches, a call, LDS, a payload.
const SOURCE: &str = "#include \"device.h\"\n\
    NOINLINE u32 helper(volatile u32 *p, u32 x, u32 n) {\n\
      for (u32 i = 0; i < n; i++) { enter(\"step\"); x = x * 5u + p[i]; leave(\"step\"); }\n\
      return x;\n\
    }\n\
    KERNEL void tile(volatile u32 *p, u32 n) {\n\
      SHARED u32 tile[64];\n\
      enter(\"all\");\n\
      u32 v = p[lane()];\n\
      if (v > 3) { enter(\"then\"); v = helper(p, v, n); leave(\"then\"); }\n\
      else { enter(\"else\"); v += p[lane() + 4]; leave(\"else\"); }\n\
      tile[lane()] = v;\n\
      __builtin_amdgcn_s_barrier();\n\
      point(\"met\");\n\
      DATA\n\
      p[lane()] = tile[lane() ^ 1];\n\
      leave(\"all\");\n\
    }\n";

type Settings<'a> = &'a [(&'a str, &'a str)];

struct Workshop {
    llvm: Llvm,
    directory: tempfile::TempDir,
}

impl Workshop {
    fn new(major: u32, source: &str) -> Workshop {
        let directory = tempfile::tempdir().unwrap();
        fs_err::write(directory.path().join("none.h"), NO_MARKERS).unwrap();
        fs_err::write(directory.path().join("source.hip"), source).unwrap();
        Workshop { llvm: Llvm::new(major), directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Compiled with markers to `name`.
    fn marked(&self, name: &str, gpu: &str, arguments: &[&str], settings: Settings<'_>) -> Vec<u8> {
        let plugin = format!("-fpass-plugin={}", self.llvm.plugin().unwrap().display());
        let mut clang = hip(&self.llvm, gpu, self.directory.path());
        clang.args(arguments).arg(plugin).envs(settings.iter().copied()).arg(self.path("source.hip"));
        output_of(&mut clang, &self.path(name)).unwrap()
    }

    /// Compiled without to `name`.
    fn plain(&self, name: &str, gpu: &str, arguments: &[&str]) -> Vec<u8> {
        let mut clang = hip(&self.llvm, gpu, self.directory.path());
        clang.args(arguments).args(["-include", "none.h"]).arg(self.path("source.hip"));
        output_of(&mut clang, &self.path(name)).unwrap()
    }

    fn machine(&self, bytes: &[u8]) -> Machine {
        Machine::read(&self.llvm, bytes)
    }

    fn sqtt(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.arg("cost").arg("--objdump").arg(self.llvm.program("llvm-objdump")).args(arguments);
        let output = sqtt.current_dir(self.directory.path()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}

fn source(payload: bool) -> String {
    SOURCE.replace("DATA", if payload { "__sqtt_named_marker_data(\"word\", v);" } else { "" })
}

fn added(costs: &Costs) -> usize {
    costs.functions.iter().map(|function| function.added().instructions).sum()
}

/// Instructions that a program grew by.
fn grown(costs: &Costs, plain: &Machine) -> usize {
    let sum = |of: fn(&sqtt_hipcc::cost::Growth) -> Option<Amount>| -> usize {
        growth(costs, &plain.program).iter().filter_map(of).map(|amount| amount.instructions).sum()
    };
    sum(|growth| growth.with) - sum(|growth| growth.without)
}

/// Settings, whether payloads are possible, and the level.
const CONFIGURATIONS: [(Settings<'static>, bool, &str); 5] = [
    (&[("SQTT_SCOPE_CU", "0x3")], true, "-O2"),
    (&[("SQTT_SCOPE_CU", "0x3"), ("SQTT_SCOPE_WAVE", "0x5"), ("SQTT_INSTRUMENT_BARRIERS", "1")], true, "-O1"),
    (&[("SQTT_SCOPE_CU", "-1"), ("SQTT_MEM_BARRIER", "asm")], true, "-O3"),
    (&[("SQTT_SCOPE_CU", "0x3"), ("SQTT_INSTRUMENT_FUNCTIONS", "1")], true, "-O2"),
    (&[("SQTT_SCOPE_CU", "0x3"), ("SQTT_SHADER_CLOCK_BITS", "12")], false, "-O2"),
];

/// What is told from the program is seven eighths of what it grew by, or more: the rest the compiler made otherwise, which is never
/// taken for instrumentation. Where there is nothing to tell, nothing is told.
#[test]
fn what_is_told_from_the_program_is_what_it_grew_by() {
    let (mut told, mut all) = (0, 0);
    for major in llvm::MAJORS {
        for gpu in ["gfx90a", "gfx1030", "gfx1100", "gfx1201"] {
            for (settings, payload, level) in CONFIGURATIONS {
                let workshop = Workshop::new(major, &source(payload));
                let marked = workshop.machine(&workshop.marked("marked.co", gpu, &[level], settings));
                let plain = workshop.machine(&workshop.plain("plain.co", gpu, &[level]));
                let costs = Costs::of(&marked.program, &marked.map);
                let (added, grown) = (added(&costs), grown(&costs, &plain));
                let case = format!("{gpu} {level} LLVM {major} {settings:?}: told {added}, grown by {grown}");
                assert!(added <= grown + 5 && grown <= added + 14, "{case}");
                assert_eq!(added_without(&plain), 0, "{case}");
                told += added;
                all += grown;
            }
        }
    }
    eprintln!("told {told} of {all} instructions");
    assert!(told <= all && told * 8 >= all * 7, "told {told}, grown by {all}");
}

fn added_without(plain: &Machine) -> usize {
    added(&Costs::of(&plain.program, &plain.map))
}

/// The parts of one kernel that anyone can count.
#[test]
fn each_part_is_what_it_is_called() {
    let text = "#include \"device.h\"\nKERNEL void k(volatile u32 *p) { enter(\"a\"); p[lane()] = 1; leave(\"a\"); }\n";
    for major in llvm::MAJORS {
        let workshop = Workshop::new(major, text);
        // Marker, scope check, sites in the one-instruction form: with and without that form.
        for (gpu, mask, markers, checks, short) in [
            ("gfx1030", "0x3", 2, 7, 1),
            ("gfx1030", "-1", 2, 0, 1),
            ("gfx942", "0x3", 6, 7, 0),
            ("gfx942", "-1", 6, 0, 0),
        ] {
            let bytes =
                workshop.marked("k.co", gpu, &["-O2"], &[("SQTT_SCOPE_CU", mask), ("SQTT_MEM_BARRIER", "none")]);
            let marked = workshop.machine(&bytes);
            let costs = Costs::of(&marked.program, &marked.map);
            let [kernel] = costs.functions.as_slice() else { panic!("{costs:?}") };
            let case = format!("{gpu} {mask} LLVM {major}: {kernel:?}");
            assert!(kernel.is_kernel && kernel.boundaries.instructions == 0, "{case}");
            assert_eq!((kernel.markers.instructions, kernel.checks.instructions), (markers, checks), "{case}");
            assert_eq!(kernel.markers.bytes + kernel.checks.bytes, kernel.added().bytes, "{case}");
            let opened = kernel.by_marker[&Some(1)];
            assert_eq!((opened.sites, opened.short_sites, opened.heat), (1, short, 0), "{case}");
            assert_eq!(kernel.by_marker[&Some(0)].sites, 1, "{case}");
        }
    }
}

#[test]
fn a_payload_with_its_loops_belongs_to_its_header() {
    let text = "#include \"device.h\"\nKERNEL void k(volatile u32 *p) { p[lane()] = 1; }\n";
    for major in llvm::MAJORS {
        let workshop = Workshop::new(major, text);
        for gpu in ["gfx942", "gfx1100"] {
            let settings = [("SQTT_SCOPE_CU", "-1"), ("SQTT_TRACE_ADDRESSES", "memory")];
            let marked = workshop.machine(&workshop.marked("k.co", gpu, &["-O2"], &settings));
            let costs = Costs::of(&marked.program, &marked.map);
            let kernel = &costs.functions[0];
            let traced = kernel.by_marker[&Some(1)];
            assert_eq!((traced.sites, kernel.by_marker.len()), (1, 1), "{gpu} LLVM {major}: {kernel:?}");
            // EXEC is six instructions; the loop reads two lanes, traces two words, and counts.
            assert!(traced.amount.instructions >= 18, "{gpu} LLVM {major}: {kernel:?}");
        }
    }
}

/// What is dear is found, and only that; the settings that are named exist.
#[test]
fn advice_names_what_is_dear() {
    let text = "#include \"device.h\"\n\
        NOINLINE u32 tiny(u32 x) { return x * 3 + 1; }\n\
        KERNEL void hot(volatile u32 *p, u32 n) {\n\
          for (u32 i = 0; i < n; i++) p[i] = tiny(p[i]);\n\
        }\n";
    for major in llvm::MAJORS {
        let workshop = Workshop::new(major, text);
        let settings = [("SQTT_SCOPE_CU", "0x3"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_MEM_BARRIER", "none")];
        let marked = workshop.machine(&workshop.marked("k.co", "gfx1100", &["-O2"], &settings));
        let costs = Costs::of(&marked.program, &marked.map);
        let advice = advise(&marked.program, &marked.map, &marked.target, &costs);
        let [only] = advice.as_slice() else { panic!("{advice:?}") };
        assert!(only.reason.starts_with("function `_Z4tinyj`: ") && only.reason.ends_with(", 1 loop deep"), "{only:?}");
        let lines = only.setting.as_ref().unwrap().lines().unwrap();
        assert_eq!(lines, ("[instrument]".to_owned(), "functions_exclude = \"_Z4tinyj\"".to_owned()));
        // With that setting nothing is left to say.
        let settings = [settings[0], settings[1], settings[2], ("SQTT_FUNCTIONS_EXCLUDE", "_Z4tinyj")];
        let quiet = workshop.machine(&workshop.marked("k.co", "gfx1100", &["-O2"], &settings));
        let costs = Costs::of(&quiet.program, &quiet.map);
        assert_eq!(advise(&quiet.program, &quiet.map, &quiet.target, &costs), []);
        assert_eq!(added(&costs), 0);
    }
}

#[test]
fn ids_beyond_the_short_form_are_named() {
    let mut text = "#include \"device.h\"\nKERNEL void many(volatile u32 *p) {\n".to_owned();
    for point in 0..70 {
        text += &format!("point(\"p{point}\"); p[{point}] = 1;\n");
    }
    text += "}\n";
    let workshop = Workshop::new(22, &text);
    let settings = [("SQTT_SCOPE_CU", "-1"), ("SQTT_MEM_BARRIER", "none")];
    for (gpu, expected) in [("gfx1100", 7), ("gfx942", 0)] {
        let marked = workshop.machine(&workshop.marked("k.co", gpu, &["-O2"], &settings));
        let costs = Costs::of(&marked.program, &marked.map);
        let advice = advise(&marked.program, &marked.map, &marked.target, &costs);
        let missed = advice.iter().filter(|advice| advice.reason.contains("three instructions")).count();
        assert_eq!(missed, expected, "{gpu}: {advice:?}");
    }
}

/// The block of `docs/cost.md` that begins with three backticks and `kind`.
fn block(kind: &str) -> String {
    let page = fs_err::read_to_string(llvm::root().join("docs/cost.md")).unwrap();
    let after = page.split_once(&format!("```{kind}\n")).unwrap().1;
    after.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_example_of_the_documentation_prints_what_it_says() {
    let example = block("cpp").replace("#include \"markers.hpp\"", "");
    let text =
        format!("#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n{example}");
    let names = ["enter", "exit", "point"]
        .map(|name| format!("#define sqtt_marker_{name}(name) __sqtt_named_marker_{name}(name)\n"));
    let text = format!("#include \"device.h\"\n{}{text}", names.concat());
    let workshop = Workshop::new(22, &text);
    let marked = workshop.marked("scale.co", "gfx1100", &["-O2"], &[]);
    let plain = workshop.plain("plain.co", "gfx1100", &["-O2"]);
    assert!(marked.len() > plain.len());
    let (status, out, messages) = workshop.sqtt(&["scale.co", "--against=plain.co", "--advise"]);
    assert_eq!((status, messages.as_str()), (Some(0), ""));
    snapbox::assert_data_eq!(out, snapbox::IntoData::raw(snapbox::Data::text(block("text"))));
}

#[test]
fn json_has_every_function_and_its_resources() {
    let workshop = Workshop::new(22, &source(true));
    workshop.marked("marked.co", "gfx942", &["-O2"], &[("SQTT_SCOPE_CU", "0x3")]);
    workshop.plain("plain.co", "gfx942", &["-O2"]);
    let (status, out, _) = workshop.sqtt(&["marked.co", "--against", "plain.co", "--json"]);
    assert_eq!(status, Some(0));
    let document: Value = serde_json::from_str(&out).unwrap();
    let functions = document["code_objects"][0]["functions"].as_array().unwrap();
    assert_eq!((document["version"].as_u64(), functions.len()), (Some(1), 2));
    let kernel = functions.iter().find(|function| function["kernel"] == true).unwrap();
    assert_eq!(kernel["resources"]["lds_bytes"], 256);
    assert!(kernel["resources_without"]["sgprs"].as_u64().unwrap() > 0);
    let sum = |part: &str| kernel[part]["instructions"].as_u64().unwrap();
    assert!(sum("total") >= sum("markers") + sum("scope_check") + sum("boundaries"));
    let markers = kernel["by_marker"].as_array().unwrap();
    assert!(markers.iter().any(|marker| marker["name"] == "all" && marker["kind"] == "U"));
}

#[test]
fn what_cannot_be_looked_at_is_said() {
    let workshop = Workshop::new(22, &source(false));
    workshop.marked("marked.co", "gfx942", &["-O2"], &[]);
    workshop.marked("object.s", "gfx942", &["-O2", "-S"], &[]);
    workshop.plain("other.co", "gfx1100", &["-O2"]);
    fs_err::write(workshop.path("text"), "no code").unwrap();
    let said = |arguments: &[&str], expected: &str| {
        let (status, _, messages) = workshop.sqtt(arguments);
        assert_eq!(status, Some(2), "{arguments:?}: {messages}");
        assert!(messages.starts_with("sqtt: error: ") && messages.contains(expected), "{arguments:?}: {messages}");
    };
    said(&["text"], "no code object in `text`\nsqtt: give the file");
    said(&["nothing"], "nothing");
    said(&["object.s"], "it is assembly text\nsqtt: give the linked code object");
    said(&["marked.co", "--against=other.co"], "compile both for the same targets");
    said(&["marked.co", "--arch=gfx90a"], "no code object");
    assert_eq!(workshop.sqtt(&["marked.co", "--arch=gfx942"]).0, Some(0));
}
