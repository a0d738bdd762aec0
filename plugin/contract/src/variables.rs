//! The one table of the `SQTT_*` variables.
//!
//! Everything that can be set has one row: the environment variable, its `--sqtt-*` flag, its `sqtt.toml` key, its default
//! and what it accepts. How a value is read is in [`crate::settings`]; nothing is read from the environment here.

mod find;

use std::fmt;

pub use find::{find, find_flag, find_key, nearest, nearest_flag, nearest_key};

/// What all names start with.
pub const PREFIX: &str = "SQTT_";
/// What all flags start with.
pub const FLAG_PREFIX: &str = "--sqtt-";
/// The preprocessor macro that turns the device API of `markers.hpp` on; a macro, not a variable of the environment.
pub const ENABLED_MACRO: &str = "SQTT_ENABLED";

/// Barrier markers.
pub const INSTRUMENT_BARRIERS: &str = "SQTT_INSTRUMENT_BARRIERS";
/// Reorder boundary around markers.
pub const MEM_BARRIER: &str = "SQTT_MEM_BARRIER";
/// Which wave slots emit markers.
pub const SCOPE_WAVE: &str = "SQTT_SCOPE_WAVE";
/// Which SIMDs emit markers.
pub const SCOPE_SIMD: &str = "SQTT_SCOPE_SIMD";
/// Which CUs (WGPs on gfx10 and later) emit markers.
pub const SCOPE_CU: &str = "SQTT_SCOPE_CU";
/// Which workgroup slots emit markers.
pub const SCOPE_WG: &str = "SQTT_SCOPE_WG";
/// Width of the packed shader clock.
pub const SHADER_CLOCK_BITS: &str = "SQTT_SHADER_CLOCK_BITS";
/// Source bit of the packed shader clock.
pub const SHADER_CLOCK_SHIFT: &str = "SQTT_SHADER_CLOCK_SHIFT";
/// Function entry and exit markers.
pub const INSTRUMENT_FUNCTIONS: &str = "SQTT_INSTRUMENT_FUNCTIONS";
/// The functions that may be instrumented.
pub const FUNCTIONS_INCLUDE: &str = "SQTT_FUNCTIONS_INCLUDE";
/// The functions that are not instrumented.
pub const FUNCTIONS_EXCLUDE: &str = "SQTT_FUNCTIONS_EXCLUDE";
/// Memory operation markers.
pub const INSTRUMENT_MEMORY: &str = "SQTT_INSTRUMENT_MEMORY";
/// Per-lane address traces.
pub const TRACE_ADDRESSES: &str = "SQTT_TRACE_ADDRESSES";
/// Wait between the write of M0 and the trace instruction.
pub const M0_NOP: &str = "SQTT_M0_NOP";
/// Warnings of scopes that are not closed as often as they are opened.
pub const BALANCE: &str = "SQTT_BALANCE";
/// The real compiler.
pub const HIPCC: &str = "SQTT_HIPCC";
/// The settings file.
pub const CONFIG: &str = "SQTT_CONFIG";
/// The profile of the settings file.
pub const PROFILE: &str = "SQTT_PROFILE";
/// Device headers of the user's own.
pub const HEADERS: &str = "SQTT_HEADERS";
/// A ready-made pass plugin.
pub const PLUGIN: &str = "SQTT_PLUGIN";
/// What happens when an output has no sound map.
pub const VALIDATE: &str = "SQTT_VALIDATE";
/// No instrumentation at all.
pub const OFF: &str = "SQTT_OFF";
/// Where built plugins are kept.
pub const CACHE_DIR: &str = "SQTT_CACHE_DIR";
/// The driver's own log.
pub const LOG: &str = "SQTT_LOG";
/// Where the log goes.
pub const LOG_FILE: &str = "SQTT_LOG_FILE";
/// A report of each call, for programs.
pub const REPORT: &str = "SQTT_REPORT";
/// What a bug report needs.
pub const SAVE_DIR: &str = "SQTT_SAVE_DIR";
/// The LLVM to build the plugin for.
pub const LLVM_PREFIX: &str = "SQTT_LLVM_PREFIX";
/// Whether that LLVM is linked into the compiler.
pub const LLVM_STATIC: &str = "SQTT_LLVM_STATIC";
/// Set by the driver on its child: a driver that sees it would run itself.
pub const DRIVER_ACTIVE: &str = "SQTT_DRIVER_ACTIVE";
/// Which point of correctness a test build of the plugin leaves out; no other build reads it.
pub const FAULT: &str = "SQTT_FAULT";
/// Set by the driver on its child: device code is linked with other units' as bitcode.
pub const LINKS_LATER: &str = "SQTT_LINKS_LATER";

/// The shape of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// On or off; its flag needs no value.
    Bool,
    /// A function size: `N` or `cost:N`.
    Threshold,
    /// `N:M`.
    Chunks,
    /// A comma list of address categories.
    Categories,
    /// A comma list of function name patterns.
    Patterns,
    /// A reorder boundary.
    Boundary,
    /// A 32-bit mask.
    Mask,
    /// A decimal number of bits.
    Bits,
    /// The operand of `s_nop`, 0 to 15.
    Nops,
    /// What a failed validation does.
    Validation,
    /// A file or directory, in any encoding.
    Path,
    /// Free text.
    Text,
}

/// Who reads a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reader {
    /// The pass plugin, inside the compiler.
    Plugin,
    /// The driver or the reader.
    Driver,
    /// The plugin's build script.
    Build,
    /// Ourselves only: never set by a user, never suggested.
    Internal,
}

/// One row of the table.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Name in the environment.
    pub name: &'static str,
    /// Shape of the value.
    pub kind: Kind,
    /// The value that stands for "not set"; empty when there is none or when it depends on the machine or target.
    pub default: &'static str,
    /// Accepted spellings, as prose.
    pub accepts: &'static str,
    /// One line: when one would set it.
    pub doc: &'static str,
    /// Who reads it.
    pub reader: Reader,
    /// Flag without [`FLAG_PREFIX`] and `=`.
    pub flag: Option<&'static str>,
    /// Path in `sqtt.toml`.
    pub key: Option<&'static str>,
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const ACCEPTS_BOOL: &str = "1, y, yes, true, on or 0, n, no, false, off";
const ACCEPTS_MASK: &str = "-1 (all), a decimal, 0x hexadecimal or 0-prefixed octal number of at most 32 bits";
const ACCEPTS_PATH: &str = "a path";
const ACCEPTS_PATTERNS: &str =
    "a comma list of patterns (* is any text, ? one character) for demangled or mangled names";

/// A row that the plugin reads: all of these have a flag and a key.
const fn plugin(
    name: &'static str,
    (kind, default, accepts): (Kind, &'static str, &'static str),
    (flag, key): (&'static str, &'static str),
    doc: &'static str,
) -> Variable {
    Variable { name, kind, default, accepts, doc, reader: Reader::Plugin, flag: Some(flag), key: Some(key) }
}

/// A row that some other part reads.
const fn other(
    reader: Reader,
    name: &'static str,
    (kind, default, accepts): (Kind, &'static str, &'static str),
    (flag, key): (Option<&'static str>, Option<&'static str>),
    doc: &'static str,
) -> Variable {
    Variable { name, kind, default, accepts, doc, reader, flag, key }
}

/// Every variable. The plugin's come first, in the order in which the reference pass reads (and complains about) them.
pub static TABLE: &[Variable] = &[
    plugin(
        INSTRUMENT_BARRIERS,
        (Kind::Bool, "0", ACCEPTS_BOOL),
        ("barriers", "instrument.barriers"),
        "mark workgroup barriers, to see waves wait for one another",
    ),
    plugin(
        MEM_BARRIER,
        (Kind::Boundary, "fence", "none (0, off), asm (1, compiler, clobber) or fence (2, on, hw)"),
        ("mem-barrier", "instrument.mem_barrier"),
        "lower the reorder boundary around markers, when the fence costs a tight kernel too much",
    ),
    plugin(
        SCOPE_WAVE,
        (Kind::Mask, "0xFFFFFFFF", ACCEPTS_MASK),
        ("scope-wave", "scope.wave"),
        "limit markers to some wave slots, when the trace buffer overflows",
    ),
    plugin(
        SCOPE_SIMD,
        (Kind::Mask, "0xF", ACCEPTS_MASK),
        ("scope-simd", "scope.simd"),
        "limit markers to some SIMDs, when the trace buffer overflows",
    ),
    plugin(
        SCOPE_CU,
        (Kind::Mask, "0x3", ACCEPTS_MASK),
        ("scope-cu", "scope.cu"),
        "choose the CUs (WGPs on gfx10 and later) that emit markers: the ones that are traced; -1 drops the check",
    ),
    plugin(
        SCOPE_WG,
        (Kind::Mask, "0xFFFFFFFF", ACCEPTS_MASK),
        ("scope-wg", "scope.wg"),
        "limit markers to some hardware workgroup slots, when the trace buffer overflows",
    ),
    plugin(
        SHADER_CLOCK_BITS,
        (Kind::Bits, "0", "a decimal number of bits; 0 is no clock, 29 the most that fit a marker"),
        ("clock-bits", "clock.bits"),
        "pack the shader clock into markers on gfx12, to correct the delay of trace records",
    ),
    plugin(
        SHADER_CLOCK_SHIFT,
        (Kind::Bits, "4", "a decimal bit number; the sampled bits must lie within bits 0 to 31"),
        ("clock-shift", "clock.shift"),
        "trade the precision of the packed clock for a longer window",
    ),
    plugin(
        INSTRUMENT_FUNCTIONS,
        (Kind::Threshold, "0", "a decimal instruction count N or a decimal weighted cost cost:N; 0 is off"),
        ("functions", "instrument.functions"),
        "mark entry and exit of every device function larger than this",
    ),
    plugin(
        FUNCTIONS_INCLUDE,
        (Kind::Patterns, "", ACCEPTS_PATTERNS),
        ("functions-include", "instrument.functions_include"),
        "mark only these functions, of those above the threshold",
    ),
    plugin(
        FUNCTIONS_EXCLUDE,
        (Kind::Patterns, "", ACCEPTS_PATTERNS),
        ("functions-exclude", "instrument.functions_exclude"),
        "leave these functions out: `__ockl_*,__ocml_*` are the device libraries'",
    ),
    plugin(
        INSTRUMENT_MEMORY,
        (Kind::Chunks, "off", "N:M (N operations per marker, at least 1; M instructions of gap, 0 or more) or off"),
        ("memory", "instrument.memory"),
        "mark runs of memory operations, to see when a kernel loads and stores",
    ),
    plugin(
        TRACE_ADDRESSES,
        (Kind::Categories, "off", "memory, lds or memory,lds; off for none"),
        ("trace-addresses", "instrument.trace_addresses"),
        "record the address of every lane, to study coalescing and bank conflicts",
    ),
    plugin(
        M0_NOP,
        (Kind::Nops, "", "a decimal number 0 to 15; when not set, the target's own"),
        ("m0-nop", "instrument.m0_nop"),
        "change the wait (the operand of s_nop) after the write of M0, when a target drops payloads",
    ),
    plugin(
        BALANCE,
        (Kind::Bool, "1", ACCEPTS_BOOL),
        ("balance", "instrument.balance"),
        "turn off (`--sqtt-balance=off`) the warnings of scopes that a wave leaves open or closes twice",
    ),
    other(
        Reader::Driver,
        HIPCC,
        (Kind::Path, "", "the path or the name of a compiler"),
        (Some("compiler"), Some("build.compiler")),
        "name the real compiler, when the one that is found is not the one wanted",
    ),
    other(
        Reader::Driver,
        CONFIG,
        (Kind::Path, "", ACCEPTS_PATH),
        (Some("config"), None),
        "name the settings file, when it is not found upwards from the working directory",
    ),
    other(
        Reader::Driver,
        PROFILE,
        (Kind::Text, "", "the name of a table [profile.NAME] of the settings file"),
        (Some("profile"), None),
        "choose one of several sets of settings that the project keeps in its settings file",
    ),
    other(
        Reader::Driver,
        PLUGIN,
        (Kind::Path, "", ACCEPTS_PATH),
        (Some("plugin"), Some("build.plugin")),
        "use a plugin that is already built, instead of building one for the compiler",
    ),
    other(
        Reader::Driver,
        HEADERS,
        (Kind::Path, "", "a directory that holds markers.hpp"),
        (Some("headers"), Some("build.headers")),
        "take markers.hpp from a directory of your own, instead of the one that comes with sqtt-hipcc",
    ),
    other(
        Reader::Driver,
        VALIDATE,
        (Kind::Validation, "error", "error, warn or off"),
        (Some("validate"), Some("build.validate")),
        "keep outputs whose marker map is missing or broken",
    ),
    other(
        Reader::Driver,
        OFF,
        (Kind::Bool, "0", ACCEPTS_BOOL),
        (Some("off"), Some("off")),
        "run the compiler untouched, to compare with an uninstrumented build",
    ),
    other(
        Reader::Driver,
        CACHE_DIR,
        (Kind::Path, "", ACCEPTS_PATH),
        (None, None),
        "keep built plugins elsewhere, when the home directory is read-only or not shared",
    ),
    other(
        Reader::Driver,
        LOG,
        (Kind::Text, "", "a filter of the tracing crate, such as debug"),
        (Some("log"), None),
        "see what the driver does; it says nothing by default",
    ),
    other(
        Reader::Driver,
        LOG_FILE,
        (Kind::Path, "", ACCEPTS_PATH),
        (Some("log-file"), None),
        "have the log of all calls of a build in one file, instead of between the compiler's messages",
    ),
    other(
        Reader::Driver,
        REPORT,
        (Kind::Path, "", ACCEPTS_PATH),
        (Some("report"), None),
        "get a JSON file with the settings, outputs, markers and findings of an instrumented call",
    ),
    other(
        Reader::Driver,
        SAVE_DIR,
        (Kind::Path, "", "a directory, made when it is not there"),
        (Some("save-dir"), None),
        "keep what a bug report needs: command, settings, sources, preprocessed source, plugin and outputs",
    ),
    other(
        Reader::Build,
        LLVM_PREFIX,
        (Kind::Path, "", "a directory that holds include/llvm"),
        (None, None),
        "build the plugin by hand for the LLVM whose headers are there",
    ),
    other(
        Reader::Build,
        LLVM_STATIC,
        (Kind::Bool, "0", ACCEPTS_BOOL),
        (None, None),
        "build the plugin by hand for a compiler that LLVM is linked into, without a libLLVM.so",
    ),
    other(
        Reader::Internal,
        DRIVER_ACTIVE,
        (Kind::Text, "", "anything"),
        (None, None),
        "never: the driver sets it on the compiler, to notice that it would run itself",
    ),
    other(
        Reader::Internal,
        LINKS_LATER,
        (Kind::Bool, "0", "1 or nothing"),
        (None, None),
        "never: the driver sets it on the compiler, where a link will give all units one map",
    ),
];
