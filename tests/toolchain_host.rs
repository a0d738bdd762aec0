//! Compilers that LLVM is linked into, and compilers that use libc++.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod llvm;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use llvm::{Llvm, releases, success};
use support::Sandbox;
use support::fake_cargo::{Machine, message, printed};

/// Source of a small compiler with LLVM in it.
const HOST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/static_host/host.cc");

/// A device function that gets markers.
const FUNCTION: &str = r#"target triple = "amdgcn-amd-amdhsa"
define void @device(ptr addrspace(1) %p) #0 {
  %value = load volatile i32, ptr addrspace(1) %p
  %sum = add i32 %value, 1
  store volatile i32 %sum, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx942" }
"#;

/// A prefix with that LLVM's headers and archives, and in `bin` the small compiler as its clang++.
fn static_prefix(sandbox: &Sandbox, llvm: &Llvm) -> PathBuf {
    let real = Path::new("/usr/lib").join(format!("llvm-{}", llvm.major));
    let config = |words: &[&str]| {
        let said = success(llvm.tool("llvm-config").args(words)).stdout;
        String::from_utf8(said).unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    for directory in ["include", "lib"] {
        sandbox.link(config(&[&format!("--{directory}dir")]).join(" "), format!("static/{directory}"));
    }
    let prefix = sandbox.path("static");
    std::fs::create_dir(prefix.join("bin")).unwrap();
    let mut components = vec!["--link-static", "--libs", "passes", "irreader"];
    if config(&["--components"]).iter().any(|component| component == "plugins") {
        components.push("plugins");
    }
    // The shared library is there wherever LLVM's own is; the link to it is of a package that nobody else needs.
    let system = config(&["--link-static", "--system-libs"]).into_iter();
    let system = system.map(|word| if word == "-lzstd" { "-l:libzstd.so.1".to_owned() } else { word });
    let mut link = Command::new("g++");
    link.args(["-std=c++17", "-O0", "-fno-rtti", "-fno-exceptions", "-D_GNU_SOURCE", "-rdynamic", "-fuse-ld=lld"]);
    link.arg(format!("-B{}/bin", real.display())).arg(format!("-isystem{}/include", real.display()));
    link.arg(format!("-DINSTALLED_DIR=\"{}\"", prefix.join("bin").display()));
    link.arg(HOST).arg("-o").arg(prefix.join("bin/clang++"));
    success(link.args(config(&["--link-static", "--ldflags"])).args(config(&components)).args(system));
    prefix
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("real build").join("a cache")
}

/// The plugin of the small compiler has the C interface in it, and serves clang with its shared LLVM as well; the one for
/// clang does not load into the small compiler.
#[test]
fn a_compiler_with_llvm_in_it_gets_a_plugin_that_it_loads() {
    let sandbox = Sandbox::new();
    let llvm = &releases()[1];
    let prefix = static_prefix(&sandbox, llvm);
    let compiler = prefix.join("bin/clang++");
    let build = |compiler: &Path| {
        let mut build = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        build.args(["plugin", "build", "--compiler"]).arg(compiler);
        printed(&build.env(sqtt_contract::variables::CACHE_DIR, cache()).output().unwrap())
    };
    let plugin = build(&compiler);
    let source = sandbox.file("function.ll", FUNCTION);
    let run = |plugin: &Path| {
        let mut option = std::ffi::OsString::from("-fpass-plugin=");
        option.push(plugin);
        let mut run = Command::new(&compiler);
        run.arg(option).arg(&source).env_clear().env(sqtt_contract::variables::INSTRUMENT_FUNCTIONS, "1");
        run.output().unwrap()
    };
    let optimized = run(&plugin);
    let text = String::from_utf8_lossy(&optimized.stdout);
    assert!(optimized.status.success() && text.contains("F:1:device"), "{optimized:?}");
    let mut clang = llvm.tool("clang");
    clang.args(["-x", "c", "/dev/null", "-S", "-O1", "-o", "/dev/null"]);
    clang.arg(format!("-fpass-plugin={}", plugin.display()));
    success(&mut clang);

    let shared = build(Path::new(llvm.tool("clang++").get_program()));
    assert_ne!(shared, plugin);
    let refused = run(&shared);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("undefined symbol: LLVM"));
    std::fs::remove_dir_all(plugin.parent().unwrap()).unwrap();
}

/// A shared object that stands for a clang: it needs, exports and imports what `source` says.
fn fake_clang(machine: &Machine, source: &str, words: &[&str]) {
    let source = machine.sandbox.file("clang.cc", source);
    let clang = machine.sandbox.path("llvm/bin/clang++");
    std::fs::create_dir_all(clang.parent().unwrap()).unwrap();
    success(Command::new("g++").args(["-shared", "-fPIC", "-o"]).arg(clang).arg(source).args(words));
}

const EXPORTS_CXX: &str = "namespace llvm { struct Module { void dump(); }; void Module::dump() {} }\n";

#[test]
fn a_static_llvm_without_its_archive_names_the_package() {
    let machine = Machine::new();
    fake_clang(&machine, EXPORTS_CXX, &[]);
    let said = message(&machine.build());
    assert!(said.contains("exports no C interface") && said.contains("/lib/libLLVMCore.a`"), "{said}");
    assert!(said.ends_with("install `llvm-22-dev`, or the archives of that LLVM\n"), "{said}");
    machine.sandbox.file("llvm/lib/libLLVMCore.a", "");
    let plugin = printed(&machine.build());
    assert!(machine.environment().contains(&format!("{}=1", sqtt_contract::variables::LLVM_STATIC)));
    // Another host is another plugin.
    fake_clang(&machine, "extern \"C\" void LLVMGetFirstBasicBlock() {}\n", &[]);
    assert_ne!(printed(&machine.build()), plugin);
    assert!(machine.environment().contains(&format!("{}=", sqtt_contract::variables::LLVM_STATIC)));
}

#[test]
fn a_compiler_that_exports_nothing_is_refused() {
    let machine = Machine::new();
    let large = "extern char large[]; char large[20 << 20] = {1};\n";
    fake_clang(&machine, &format!("__attribute__((visibility(\"hidden\"))) {large}"), &[]);
    let said = message(&machine.build());
    assert!(said.contains("takes no plugins") && said.contains("`LLVM_ENABLE_PLUGINS=ON`"), "{said}");
    // A small program may start another one: nothing is known of that.
    fake_clang(&machine, "", &[]);
    printed(&machine.build());
}

#[test]
fn a_libcxx_compiler_gets_a_libcxx_plugin_or_the_reason_why_not() {
    let machine = Machine::new();
    let libcxx = "namespace std { namespace __1 { struct string {}; } }\n\
                  namespace llvm { struct Module { void name(std::__1::string); }; void Module::name(std::__1::string) {} }\n\
                  extern \"C\" void LLVMGetFirstBasicBlock() {}\n";
    fake_clang(&machine, libcxx, &[]);
    machine.sandbox.script("bin/clang++", "exit 1");
    let said = message(&machine.build());
    assert!(said.contains("uses libc++, and no clang++ here has its headers\n"), "{said}");
    assert!(said.ends_with("install them (Debian: `libc++-22-dev`)\n"), "{said}");
    assert!(machine.runs().is_empty());
    let clang = machine.sandbox.script("bin/clang++", "case \" $* \" in *' -stdlib=libc++ '*) exit 0;; esac; exit 1");
    printed(&machine.build());
    let environment = machine.environment();
    for expected in [format!("CXX={}", clang.display()), "CXXFLAGS=-stdlib=libc++".into(), "CXXSTDLIB=c++".into()] {
        assert!(environment.contains(&expected), "{expected}: {environment:?}");
    }
}

/// The entry refers to what the host must have with the same types, so a plugin of another LLVM or another C++ library is
/// refused when it is loaded, with a name, instead of crashing later.
#[test]
fn a_plugin_of_another_llvm_is_refused_by_name() {
    let plugins = releases().map(|llvm| {
        let mut build = Command::new(env!("CARGO_BIN_EXE_sqtt"));
        build.args(["plugin", "build", "--compiler"]).arg(llvm.tool("clang++").get_program());
        printed(&build.env(sqtt_contract::variables::CACHE_DIR, cache()).output().unwrap())
    });
    for (llvm, plugin) in releases().iter().zip(plugins.iter().rev()) {
        let mut clang = llvm.tool("clang");
        clang.args(["-x", "c", "/dev/null", "-S", "-O1", "-o", "/dev/null"]);
        let output = clang.arg(format!("-fpass-plugin={}", plugin.display())).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("unable to load plugin") && said.contains("undefined symbol: _ZN4llvm"), "{said}");
    }
}
