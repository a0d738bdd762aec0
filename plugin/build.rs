//! Builds the C++ shim against the headers of exactly one LLVM. No LLVM library and no llvm-config is needed.

use std::path::{Path, PathBuf};
use std::{env, fs};

use sqtt_contract::variables;

const FEATURES: [(&str, u32); 5] = [("LLVM19", 19), ("LLVM20", 20), ("LLVM21", 21), ("LLVM22", 22), ("LLVM23", 23)];

type Outcome<T> = Result<T, String>;

fn main() {
    if let Err(problem) = build() {
        eprintln!("error: {problem}");
        std::process::exit(1);
    }
}

fn build() -> Outcome<()> {
    println!("cargo:rustc-check-cfg=cfg(sqtt_plugin_api_v2)");
    println!("cargo:rerun-if-env-changed={}", variables::LLVM_PREFIX);
    println!("cargo:rerun-if-env-changed={}", variables::LLVM_STATIC);
    let major = selected_major()?;
    if env::var_os("CARGO_FEATURE_CHECK_ONLY").is_some() {
        if major >= 22 {
            println!("cargo:rustc-cfg=sqtt_plugin_api_v2");
        }
        return Ok(());
    }
    let prefix = env::var_os(variables::LLVM_PREFIX)
        .map_or_else(|| PathBuf::from(format!("/usr/lib/llvm-{major}")), PathBuf::from);
    let include = prefix.join("include");
    check_headers(&include, major)?;
    declare_plugin_api(&include)?;
    compile_shim(&prefix, &include)?;
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,now,-z,relro");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsqttinstrumentpass.so");
    Ok(())
}

fn selected_major() -> Outcome<u32> {
    let on = |feature: &str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let majors: Vec<u32> = FEATURES.iter().filter(|(feature, _)| on(feature)).map(|(_, major)| *major).collect();
    match majors[..] {
        [major] => Ok(major),
        _ => Err(format!("enable exactly one of the features llvm19 to llvm23, not {majors:?}")),
    }
}

/// The headers must be those of the LLVM that the feature names: the C API types are compiled in.
fn check_headers(include: &Path, major: u32) -> Outcome<()> {
    let config = include.join("llvm/Config/llvm-config.h");
    println!("cargo:rerun-if-changed={}", config.display());
    let text = fs::read_to_string(&config).map_err(|error| {
        format!(
            "no LLVM headers: cannot read {}: {error}\ninstall them (Debian: llvm-{major}-dev, ROCm: rocm-llvm-dev) \
             or set {} to the LLVM they belong to",
            config.display(),
            variables::LLVM_PREFIX
        )
    })?;
    let found = defined(&text, "LLVM_VERSION_MAJOR").and_then(|value| value.parse::<u32>().ok());
    if found == Some(major) {
        return Ok(());
    }
    Err(format!("the headers in {} are of LLVM {found:?}, the feature says {major}", include.display()))
}

/// The struct that the entry point returns grew in API version 2: ask the header, not the version.
fn declare_plugin_api(include: &Path) -> Outcome<()> {
    let header = ["llvm/Plugins/PassPlugin.h", "llvm/Passes/PassPlugin.h"]
        .iter()
        .find_map(|name| fs::read_to_string(include.join(name)).ok())
        .ok_or_else(|| format!("no PassPlugin.h in {}", include.display()))?;
    match defined(&header, "LLVM_PLUGIN_API_VERSION").as_deref() {
        Some("1") => Ok(()),
        Some("2") => {
            println!("cargo:rustc-cfg=sqtt_plugin_api_v2");
            Ok(())
        }
        other => Err(format!("LLVM_PLUGIN_API_VERSION {other:?} is unknown: this version builds for 1 and 2")),
    }
}

fn defined(text: &str, name: &str) -> Option<String> {
    let prefix = format!("#define {name} ");
    text.lines().find_map(|line| line.strip_prefix(prefix.as_str())).map(|value| value.trim().to_owned())
}

fn compile_shim(prefix: &Path, include: &Path) -> Outcome<()> {
    println!("cargo:rerun-if-changed=cpp/shim.cc");
    let version = format!("\"{}\"", env::var("CARGO_PKG_VERSION").map_err(|error| error.to_string())?);
    let mut shim = cc::Build::new();
    shim.cpp(true)
        .file("cpp/shim.cc")
        .flag(format!("-isystem{}", include.display()))
        .flag("-std=c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag("-ffunction-sections")
        .flag("-fdata-sections")
        .define("PLUGIN_VERSION", version.as_str())
        .define("_GNU_SOURCE", None)
        // Released compilers are built without assertions; their headers must agree.
        .define("NDEBUG", None);
    for macro_name in ["__STDC_CONSTANT_MACROS", "__STDC_FORMAT_MACROS", "__STDC_LIMIT_MACROS"] {
        shim.define(macro_name, None);
    }
    if env::var(variables::LLVM_STATIC).is_ok_and(|value| value == "1") {
        c_interface(prefix)?.iter().for_each(|object| _ = shim.object(object));
    }
    if host_uses_libcxx(prefix) {
        shim.flag("-stdlib=libc++").cpp_link_stdlib("c++");
    }
    shim.try_compile("sqttshim").map_err(|error| format!("cannot compile the C++ shim: {error}"))
}

/// The objects of LLVM's C interface, taken out of its archive: a compiler that LLVM is linked into exports the C++
/// interface to plugins and has no use for the C one. The archive as a whole would bring a second LLVM.
fn c_interface(prefix: &Path) -> Outcome<Vec<PathBuf>> {
    let archive = prefix.join("lib/libLLVMCore.a");
    println!("cargo:rerun-if-changed={}", archive.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let members = ["Core.cpp.o", "DebugInfo.cpp.o"].map(|member| {
        let extracted = cc::Build::new().get_archiver().arg("p").arg(&archive).arg(member).output();
        let extracted = extracted.map_err(|error| format!("cannot run `ar`: {error}"))?;
        if !extracted.status.success() || extracted.stdout.is_empty() {
            let why = String::from_utf8_lossy(&extracted.stderr);
            return Err(format!("no {member} in {}: {}", archive.display(), why.trim()));
        }
        let object = out.join(member);
        fs::write(&object, extracted.stdout).map_err(|error| format!("{}: {error}", object.display()))?;
        Ok(object)
    });
    members.into_iter().collect()
}

/// Whether that LLVM's shared library was linked with libc++: the shim's std types must be the host's.
fn host_uses_libcxx(prefix: &Path) -> bool {
    const LIBCXX_NAMESPACE: &[u8] = b"_ZNSt3__1";
    let Ok(entries) = fs::read_dir(prefix.join("lib")) else { return false };
    let library = entries.flatten().find(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libLLVM.so") || name.starts_with("libLLVM-")
    });
    let Some(library) = library else { return false };
    let Ok(bytes) = fs::read(library.path()) else { return false };
    memchr::memmem::find(&bytes, LIBCXX_NAMESPACE).is_some()
}
