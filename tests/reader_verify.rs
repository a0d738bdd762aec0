//! `sqtt verify` on what the real compilers write.

#![allow(clippy::unwrap_used)]

mod reader_support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reader_support::{LLVMS, TWO_ARCHS, Workshop, file_of, fixture};
use serde_json::Value;

/// A kernel that opens and closes a scope, without the `s_nop` that GPUs need where BAD is defined (line 23).
const SOURCE: &str = r#"#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#ifndef ROWS
#define ROWS "U:1:load\\nK:k\\n"
#endif
#ifdef BAD
#define NOP
#else
#define NOP "s_nop 0\n"
#endif
#ifdef PLAIN
#define TRACE(word)
#define MAP
#else
#define TRACE(word) __asm__ volatile("s_mov_b32 m0, " #word "\n" NOP "s_ttracedata" ::: "m0")
#define MAP __asm__ volatile(".pushsection .sqtt_funcmap,\"aR\",@progbits\n.ascii \"" ROWS "\\0\"\n.popsection\n")
#endif
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
#if defined(KERNEL)
extern "C" __global__ void k(int *p, int (*f)(int)) {
  MAP;
  TRACE(6);
  p[0] = CALL(p[1]);
  TRACE(1);
}
#else
extern "C" __device__ __attribute__((used)) void keep() { TRACE(6); TRACE(1); }
#endif
int main() { return 0; }
"#;

/// The same compiled to `name`.
fn compile(workshop: &Workshop, name: &str, flags: &str) -> PathBuf {
    workshop.write("k.hip", SOURCE);
    let always = ["-x", "hip", "k.hip", "-nogpuinc", "-nogpulib", "-O1", "-w", "-gline-tables-only", "-o", name];
    let kernel = if flags.contains("-DNO_KERNEL") { "-UKERNEL" } else { "-DKERNEL" };
    let call = if flags.contains("-DCALL") { "-DUNUSED" } else { "-DCALL(x)=x" };
    workshop.tool("clang++", always.into_iter().chain([kernel, call]).chain(flags.split_ascii_whitespace()));
    workshop.path(name)
}

fn sqtt<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sqtt")).arg("verify").args(arguments).output().unwrap()
}

/// With the objdump of that LLVM.
fn verify(llvm: u32, path: &Path, flags: &[&str]) -> (Option<i32>, String) {
    let objdump = format!("--objdump=/usr/lib/llvm-{llvm}/bin/llvm-objdump");
    let output = sqtt([OsStr::new(&objdump), path.as_os_str()].into_iter().chain(flags.iter().map(OsStr::new)));
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

const DEVICE: &str = "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx942";

#[test]
fn what_is_clean_is_said_to_be_in_every_container() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        for (name, flags) in [("a.o", "-c"), ("a.hipfb", "--cuda-device-only"), ("p.o", "-c --offload-compress")] {
            let path = compile(&workshop, name, &format!("{TWO_ARCHS} {flags}"));
            let clean = format!("{}: 2 code objects, 0 errors, 0 warnings\n", path.display());
            assert_eq!(verify(llvm, &path, &["--strict"]), (Some(0), clean), "LLVM {llvm}, {flags}");
        }
    }
}

#[test]
fn a_marker_that_gpus_would_trace_wrongly_is_found_at_its_line() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let flags = format!("{TWO_ARCHS} -DBAD");
        compile(&workshop, "a.o", &format!("{flags} -c --no-offload-new-driver"));
        compile(&workshop, "p.o", &format!("{flags} -c --no-offload-new-driver --offload-compress"));
        workshop.tool("llvm-ar", ["rcs", "liba.a", "a.o", "p.o"]);
        for (name, objects) in [("a.o", 2), ("p.o", 2), ("liba.a", 4)] {
            let (status, text) = verify(llvm, &workshop.path(name), &[]);
            assert_eq!(status, Some(1), "LLVM {llvm}, {name}: {text}");
            // The scope's two markers in each.
            assert_eq!(text.matches("error[m0-sequence]: ").count(), 2 * objects, "{name}: {text}");
            for line in [23, 25] {
                let place = format!("k.hip:{line}\n");
                assert_eq!(text.matches(&place).count(), objects, "{name} line {line}: {text}");
            }
            assert!(text.contains("  function `k` at 0x"), "{text}");
            assert!(text.ends_with(&format!("{objects} code objects, {} errors, 0 warnings\n", 2 * objects)), "{text}");
        }
    }
}

#[test]
fn a_program_is_looked_into() {
    let workshop = Workshop::new(22);
    let path = workshop.hip("a.out", &format!("{TWO_ARCHS} -DMAIN"));
    let (status, text) = verify(22, &path, &[]);
    assert_eq!((status, text.contains(": 2 code objects, 0 errors, 0 warnings")), (Some(0), true), "{text}");
}

#[test]
fn rules_over_maps_are_told_with_their_numbers() {
    let workshop = Workshop::new(22);
    let map = "F:x:f\\nK:_Z6kernelPi\\n\\0";
    let (status, text) = verify(22, &workshop.hip_with_map("a.co", Some(map), DEVICE), &[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with("error[M03 malformed-row]: "), "{text}");
}

#[test]
fn warnings_count_when_it_is_strict() {
    let workshop = Workshop::new(22);
    let map = "P:2:p\\nK:_Z6kernelPi\\nK:gone\\n\\0";
    let path = workshop.hip_with_map("a.co", Some(map), DEVICE);
    let (status, text) = verify(22, &path, &[]);
    assert_eq!((status, text.contains("warning[M14 unknown-kernel]")), (Some(0), true), "{text}");
    assert!(!text.contains("M09"), "{text}");
    let (status, text) = verify(22, &path, &["--strict"]);
    assert_eq!((status, text.contains("warning[M09 id-gap]")), (Some(1), true), "{text}");
}

#[test]
fn code_that_traces_without_a_map_is_told_though_no_kernel_is_there() {
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a.co", &format!("{DEVICE} -DNO_KERNEL"));
    let (status, text) = verify(22, &path, &[]);
    assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{text}");
    assert!(text.contains("error[M01 missing-map]") && text.contains("function `keep` at 0x"), "{text}");
    assert_eq!(sqtt([OsStr::new("--maps-only"), path.as_os_str()]).status.code(), Some(0));
}

#[test]
fn what_the_analysis_cannot_see_is_counted_and_no_finding() {
    let workshop = Workshop::new(22);
    let (status, text) = verify(22, &compile(&workshop, "a.co", &format!("{DEVICE} -DCALL=f")), &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("\n  not seen: 1 calls of unknown functions\n"), "{text}");
}

#[test]
fn text_gets_the_rules_over_maps() {
    let workshop = Workshop::new(22);
    let path = workshop.hip("a.s", &format!("-S {DEVICE}"));
    let (status, text) = verify(22, &path, &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("only the map was looked at: ") && text.contains("it is assembly text"), "{text}");
    let (status, text) = verify(22, &workshop.hip_with_map("a.s", Some("F:x:f\\n\\0"), &format!("-S {DEVICE}")), &[]);
    assert_eq!((status, text.contains("M03")), (Some(1), true), "{text}");
}

#[test]
fn targets_that_are_asked_for_must_be_there_and_others_are_left_out() {
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a.o", &format!("{TWO_ARCHS} -c -DBAD"));
    let (status, text) = verify(22, &path, &["--arch=gfx942"]);
    assert_eq!((status, text.contains("gfx1100"), text.contains("1 code object, 2 errors")), (Some(1), false, true));
    let (status, text) = verify(22, &path, &["--arch=gfx90a"]);
    assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{text}");
    assert!(text.contains("error[M18 missing-target]") && text.contains("`gfx90a`"), "{text}");
}

#[test]
fn what_cannot_be_looked_at_is_no_clean_file() {
    let workshop = Workshop::new(22);
    let unlinked = compile(&workshop, "rdc.o", "--offload-arch=gfx942 -c -fgpu-rdc --no-offload-new-driver");
    let host = compile(&workshop, "host.o", "-c --cuda-host-only");
    for path in [Path::new("no/such/file"), file_of("text").path(), &unlinked, &host] {
        let (status, text) = verify(22, path, &[]);
        assert_eq!((status, text.contains("sqtt: error: ")), (Some(2), true), "{}: {text}", path.display());
    }
    // Others are checked all the same.
    let output = sqtt([Path::new("no/such/file"), &fixture("gfx942.co")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stdout).unwrap().contains("gfx942.co: 1 code object, 0 errors"));
}

/// What reads caches anew behind a marker, as fences of more than LDS do.
#[test]
fn cache_maintenance_is_found_against_the_build_without_markers() {
    for llvm in LLVMS {
        let workshop = Workshop::new(llvm);
        let flush = format!("{TWO_ARCHS} -c -DCALL(x)=(__builtin_amdgcn_fence(__ATOMIC_SEQ_CST,\"agent\"),x)");
        compile(&workshop, "flush.o", &flush);
        compile(&workshop, "clean.o", &format!("{TWO_ARCHS} -c"));
        let plain = compile(&workshop, "plain.o", &format!("{TWO_ARCHS} -c -DPLAIN"));
        let against = format!("--against={}", plain.display());
        let flush = workshop.path("flush.o");
        assert_eq!(verify(llvm, &flush, &[]).0, Some(0), "told by the other build only");
        let (status, text) = verify(llvm, &flush, &[&against]);
        assert_eq!(status, Some(1), "LLVM {llvm}: {text}");
        assert!(text.contains("error[cache-maintenance]: ") && text.contains("function `k` at 0x"), "{text}");
        let (status, text) = verify(llvm, &workshop.path("clean.o"), &[&against, "--mem-barrier=none"]);
        assert_eq!((status, text.contains("cache-maintenance")), (Some(0), false), "{text}");
    }
}

#[test]
fn a_build_that_cannot_be_compared_with_is_an_error() {
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a.o", "--offload-arch=gfx942 -c");
    let other = compile(&workshop, "other.o", "--offload-arch=gfx1100 -c -DPLAIN");
    let host = compile(&workshop, "host.o", "-c --cuda-host-only");
    for (plain, said) in [
        (other, "has no code object for `amdgcn-amd-amdhsa--gfx942` with the same kernels"),
        (host, "there is no code object"),
        (workshop.path("none"), "none"),
    ] {
        let (status, text) = verify(22, &path, &[&format!("--against={}", plain.display())]);
        assert_eq!((status, text.contains(said)), (Some(2), true), "{text}");
        assert_eq!(text.matches("sqtt: error: ").count(), 1, "{text}");
        assert!(text.contains("1 code object, 0 errors"), "what needs no other build is checked: {text}");
    }
}

#[test]
fn the_objdump_is_the_compilers_or_one_in_path_that_knows_the_gpu() {
    use std::os::unix::fs::symlink;
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a.co", "--cuda-device-only --no-gpu-bundle-output --offload-arch=gfx950 -DBAD");
    let run = |bin: &Path, flags: &[&str]| {
        let mut sqtt = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        sqtt.env_clear().env("PATH", bin).env("HOME", workshop.path("home")).arg("verify").arg(&path).args(flags);
        let output = sqtt.output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let bin = workshop.path("bin");
    std::fs::create_dir(&bin).unwrap();
    let (status, text) = run(&bin, &[]);
    assert_eq!((status, text.contains("--maps-only")), (Some(2), true), "{text}");
    assert_eq!(run(&bin, &["--maps-only"]).0, Some(0));
    // LLVM 19 does not know gfx950.
    symlink("/usr/lib/llvm-19/bin/llvm-objdump", bin.join("llvm-objdump")).unwrap();
    let (status, text) = run(&bin, &[]);
    assert_eq!((status, text.contains("`--objdump=PATH`")), (Some(2), true), "{text}");
    assert!(text.lines().count() < 6, "{text}");
    symlink("/usr/lib/llvm-22/bin/llvm-objdump", bin.join("llvm-objdump-22")).unwrap();
    assert_eq!(run(&bin, &[]).0, Some(1));
    // The compiler's own stands in no PATH.
    let own = workshop.path("own");
    std::fs::create_dir(&own).unwrap();
    symlink("/usr/lib/llvm-22/bin/clang++", own.join("clang++")).unwrap();
    let (status, text) = run(&own, &[]);
    assert_eq!((status, text.matches("m0-sequence").count()), (Some(1), 2), "{text}");
}

#[test]
fn names_out_of_a_file_cannot_act_on_the_terminal() {
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a\u{1b}[2J.co", &format!("{DEVICE} -DBAD"));
    let (status, text) = verify(22, &path, &[]);
    assert_eq!((status, text.contains('\u{1b}')), (Some(1), false), "{text:?}");
}

/// The one document that `flag` prints for a file with findings of both kinds.
fn document(flag: &str) -> Value {
    let workshop = Workshop::new(22);
    let path = compile(&workshop, "a.co", &format!("{DEVICE} -DBAD -DROWS=\"U:1:load\\\\nP:x:\\\\nK:k\\\\n\""));
    let objdump = "--objdump=/usr/lib/llvm-22/bin/llvm-objdump";
    let output = sqtt([OsStr::new(flag), OsStr::new(objdump), path.as_os_str(), OsStr::new("none")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_json_document_has_every_field() {
    let document = document("--json");
    let file = &document["files"][0];
    assert_eq!((&document["version"], &file["code_objects"]), (&1.into(), &1.into()));
    let findings = file["findings"].as_array().unwrap();
    assert_eq!(
        findings.iter().map(|one| one["rule"].as_str().unwrap()).collect::<Vec<_>>(),
        ["M03", "m0-sequence", "m0-sequence"]
    );
    assert_eq!((&findings[0]["name"], &findings[0]["source"]), (&"malformed-row".into(), &Value::Null));
    assert_eq!((&findings[1]["severity"], &findings[1]["function"]), (&"error".into(), &"k".into()));
    assert_eq!(findings[1]["source"]["line"], 23);
    assert!(findings[1]["address"].as_u64().unwrap() > 0);
    assert_eq!((&file["unseen"]["calls"], &file["errors"]), (&0.into(), &Value::Array(Vec::new())));
    assert_eq!(document["files"][1]["errors"].as_array().unwrap().len(), 1);
}

#[test]
fn the_sarif_log_names_rules_places_and_what_failed() {
    let log = document("--sarif");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().unwrap().len() > 20, "{rule}");
        assert_eq!(result["level"], "error");
    }
    let place = &results[1]["locations"][0];
    let uri = place["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.ends_with("k.hip"), "{uri}");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 23);
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "k");
    let binary = &results[1]["relatedLocations"][0]["physicalLocation"];
    assert!(binary["artifactLocation"]["uri"].as_str().unwrap().ends_with("/a.co"));
    assert!(binary["address"]["absoluteAddress"].as_u64().unwrap() > 0);
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().len(), 1);
}
