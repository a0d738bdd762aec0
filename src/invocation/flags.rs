//! The options of clang and hipcc that matter for reading a command line: one table, sorted by spelling.
//!
//! It is not a list of all options: what is not here is forwarded unread, and taken for an option without a value when
//! it starts with `-`. A row is here because the option takes its value from the next word (which must not be taken for
//! an input), or because it says what the call does. The shapes are those of clang 19 and 22, asked for one by one
//! (`argument to '-x' is missing`); a test asks again.

/// How an option carries its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The word is the whole option: `-c`.
    Alone,
    /// The value is in the same word, after the spelling: `--offload-arch=gfx942`.
    Joined,
    /// The value is the next word: `-Xlinker -s`.
    Separate,
    /// The value is in the same word or is the next one: `-ofile`, `-o file`.
    Either,
    /// The value follows `=` or is the next word: `--output=file`, `--output file`.
    SeparateOrEquals,
    /// One value in the same word and one more in the next: `-Xarch_device -O1`.
    JoinedAndSeparate,
    /// So many words follow: `-sectcreate a b c`.
    Values(u8),
}

/// Where clang stops; the earliest that is asked for wins, whatever the order of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Preprocessed text or dependencies.
    Preprocess,
    /// Checks, or formats that hold no machine code.
    Check,
    /// Assembly text.
    Assembly,
    /// An object.
    Object,
    /// An executable, a shared library, or a relocatable or static one.
    Link,
}

/// For which sides of a HIP source clang compiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Host and device.
    Both,
    /// The device only: `--genco`.
    Device,
    /// The host only.
    Host,
}

/// What an option says about the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Nothing that is needed here; the row is in the table for its shape.
    Plain,
    /// Its value is the output.
    Output,
    /// Its value is the language of the inputs that follow.
    Language,
    /// The call goes no further than this.
    Stop(Stage),
    /// The compiler answers a question about itself and compiles nothing.
    Query,
    /// The compiler shows what it would do and does nothing.
    DryRun,
    /// As the first word: clang's inner command line, which is not the driver's.
    Frontend,
    /// Which sides are compiled.
    Sides(Sides),
    /// Whether a device-only compile puts its code objects in a bundle.
    Bundle(bool),
    /// Its value adds GPU architectures.
    Arch,
    /// Its value takes GPU architectures away.
    NoArch,
    /// The output is LLVM IR.
    EmitLlvm,
    /// Whether device code is linked across units.
    Rdc(bool),
    /// Whether objects hold LLVM IR, for an optimising link.
    Lto(bool),
    /// OpenMP offloading: hipcc then takes C++ files for C++, not for HIP.
    OpenMpTargets,
}

/// One option.
#[derive(Debug, PartialEq, Eq)]
pub struct Flag {
    /// The option as typed, up to its value.
    pub spelling: &'static str,
    /// How it carries its values.
    pub shape: Shape,
    /// What it says.
    pub meaning: Meaning,
}

impl Flag {
    /// The value inside `word`, if `word` is this option in a joined form; `None` when the value is not in this word.
    fn joined<'a>(&self, word: &'a [u8]) -> Option<&'a [u8]> {
        let rest = word.strip_prefix(self.spelling.as_bytes())?;
        match self.shape {
            Shape::Alone | Shape::Separate | Shape::Values(_) => None,
            Shape::Joined | Shape::JoinedAndSeparate => Some(rest),
            Shape::Either => (!rest.is_empty()).then_some(rest),
            Shape::SeparateOrEquals => rest.strip_prefix(b"="),
        }
    }

    /// Whether `word` and nothing more is this option, values (if any) in the words that follow.
    fn bare(&self, word: &[u8]) -> bool {
        word == self.spelling.as_bytes() && self.shape != Shape::Joined
    }
}

/// An option recognised in a word.
#[derive(Debug, PartialEq, Eq)]
pub struct Match<'a> {
    /// The row.
    pub flag: &'static Flag,
    /// The value inside the word.
    pub joined: Option<&'a [u8]>,
    /// How many of the following words belong to the option.
    pub following: usize,
}

/// The row for `word`: the longest spelling that fits, as in clang. `None` for an unknown option and for an input.
pub fn find(word: &[u8]) -> Option<Match<'_>> {
    (1..=word.len().min(longest_spelling())).rev().find_map(|length| {
        let index = TABLE.binary_search_by(|flag| flag.spelling.as_bytes().cmp(&word[..length])).ok()?;
        let flag = &TABLE[index];
        let joined = flag.joined(word);
        if joined.is_none() && !flag.bare(word) {
            return None;
        }
        let following = match flag.shape {
            Shape::Alone | Shape::Joined => 0,
            Shape::Separate | Shape::JoinedAndSeparate => 1,
            Shape::Either | Shape::SeparateOrEquals => usize::from(joined.is_none()),
            Shape::Values(count) => usize::from(count),
        };
        Some(Match { flag, joined, following })
    })
}

/// Length of the longest spelling, in bytes.
const fn longest_spelling() -> usize {
    let (mut longest, mut index) = (0, 0);
    while index < TABLE.len() {
        if TABLE[index].spelling.len() > longest {
            longest = TABLE[index].spelling.len();
        }
        index += 1;
    }
    longest
}

const fn row(spelling: &'static str, shape: Shape, meaning: Meaning) -> Flag {
    Flag { spelling, shape, meaning }
}

use Meaning::*;
use Shape::*;

/// All rows, sorted by spelling (bytes).
pub static TABLE: &[Flag] = &[
    row("-###", Alone, DryRun),
    row("--CLASSPATH", SeparateOrEquals, Plain),
    row("--amdgpu-target=", Joined, Arch),
    row("--analyze", Alone, Stop(Stage::Check)),
    row("--analyzer-output", Either, Plain),
    row("--assemble", Alone, Stop(Stage::Assembly)),
    row("--assert", SeparateOrEquals, Plain),
    row("--autocomplete=", Joined, Query),
    row("--bootclasspath", SeparateOrEquals, Plain),
    row("--classpath", SeparateOrEquals, Plain),
    row("--compile", Alone, Stop(Stage::Object)),
    row("--config", SeparateOrEquals, Plain),
    row("--cuda-compile-host-device", Alone, Sides(Sides::Both)),
    row("--cuda-device-only", Alone, Sides(Sides::Device)),
    row("--cuda-gpu-arch=", Joined, Arch),
    row("--cuda-host-only", Alone, Sides(Sides::Host)),
    row("--cxxflags", Alone, Query),
    row("--define-macro", SeparateOrEquals, Plain),
    row("--dependencies", Alone, Stop(Stage::Preprocess)),
    row("--encoding", SeparateOrEquals, Plain),
    row("--extdirs", SeparateOrEquals, Plain),
    row("--for-linker", SeparateOrEquals, Plain),
    row("--force-link", SeparateOrEquals, Plain),
    row("--genco", Alone, Sides(Sides::Device)),
    row("--gpu-bundle-output", Alone, Bundle(true)),
    row("--help", Alone, Query),
    row("--help-hidden", Alone, Query),
    row("--imacros", Either, Plain),
    row("--include", Either, Plain),
    row("--include-directory", Either, Plain),
    row("--include-directory-after", Either, Plain),
    row("--include-prefix", Either, Plain),
    row("--include-with-prefix", Either, Plain),
    row("--include-with-prefix-after", Either, Plain),
    row("--include-with-prefix-before", Either, Plain),
    row("--language", SeparateOrEquals, Language),
    row("--ldflags", Alone, Query),
    row("--library-directory", SeparateOrEquals, Plain),
    row("--mhwdiv", SeparateOrEquals, Plain),
    row("--migrate", Alone, Stop(Stage::Check)),
    row("--no-cuda-gpu-arch=", Joined, NoArch),
    row("--no-gpu-bundle-output", Alone, Bundle(false)),
    row("--no-offload-arch=", Joined, NoArch),
    row("--no-system-header-prefix", SeparateOrEquals, Plain),
    row("--offload-arch=", Joined, Arch),
    row("--offload-device-only", Alone, Sides(Sides::Device)),
    row("--offload-host-device", Alone, Sides(Sides::Both)),
    row("--offload-host-only", Alone, Sides(Sides::Host)),
    row("--output", SeparateOrEquals, Output),
    row("--output-class-directory", SeparateOrEquals, Plain),
    row("--param", SeparateOrEquals, Plain),
    row("--precompile", Alone, Stop(Stage::Check)),
    row("--prefix", SeparateOrEquals, Plain),
    row("--preprocess", Alone, Stop(Stage::Preprocess)),
    row("--print-", Joined, Query),
    row("--print-file-name", SeparateOrEquals, Query),
    row("--print-prog-name", SeparateOrEquals, Query),
    row("--resource", SeparateOrEquals, Plain),
    row("--rtlib", SeparateOrEquals, Plain),
    row("--serialize-diagnostics", Separate, Plain),
    row("--short-version", Alone, Query),
    row("--specs", SeparateOrEquals, Plain),
    row("--std", SeparateOrEquals, Plain),
    row("--stdlib", SeparateOrEquals, Plain),
    row("--sysroot", SeparateOrEquals, Plain),
    row("--system-header-prefix", SeparateOrEquals, Plain),
    row("--undefine-macro", SeparateOrEquals, Plain),
    row("--user-dependencies", Alone, Stop(Stage::Preprocess)),
    row("--version", Alone, Query),
    row("--vfsoverlay", Either, Plain),
    row("-A", Either, Plain),
    row("-B", Either, Plain),
    row("-D", Either, Plain),
    row("-E", Alone, Stop(Stage::Preprocess)),
    row("-F", Either, Plain),
    row("-G", Either, Plain),
    row("-I", Either, Plain),
    row("-L", Either, Plain),
    row("-M", Alone, Stop(Stage::Preprocess)),
    row("-MF", Either, Plain),
    row("-MJ", Either, Plain),
    row("-MM", Alone, Stop(Stage::Preprocess)),
    row("-MQ", Either, Plain),
    row("-MT", Either, Plain),
    row("-S", Alone, Stop(Stage::Assembly)),
    row("-T", Either, Plain),
    row("-U", Either, Plain),
    row("-V", Either, Plain),
    row("-Xanalyzer", Separate, Plain),
    row("-Xarch_", JoinedAndSeparate, Plain),
    row("-Xassembler", Separate, Plain),
    row("-Xclang", SeparateOrEquals, Plain),
    row("-Xclangas", SeparateOrEquals, Plain),
    row("-Xcuda-fatbinary", Separate, Plain),
    row("-Xcuda-ptxas", Separate, Plain),
    row("-Xlinker", Separate, Plain),
    row("-Xoffload-linker", JoinedAndSeparate, Plain),
    row("-Xopenmp-target", Separate, Plain),
    row("-Xopenmp-target=", JoinedAndSeparate, Plain),
    row("-Xpreprocessor", Separate, Plain),
    row("-allowable_client", Separate, Plain),
    row("-arch", Separate, Plain),
    row("-arcmt-migrate-report-output", Separate, Plain),
    row("-b", Either, Plain),
    row("-bundle_loader", Separate, Plain),
    row("-c", Alone, Stop(Stage::Object)),
    row("-cc1", Alone, Frontend),
    row("-cc1as", Alone, Frontend),
    row("-cc1gen-reproducer", Alone, Frontend),
    row("-ccc-arcmt-migrate", Separate, Plain),
    row("-ccc-gcc-name", Separate, Plain),
    row("-ccc-install-dir", Separate, Plain),
    row("-ccc-objcmt-migrate", Separate, Plain),
    row("-ccc-print-bindings", Alone, DryRun),
    row("-ccc-print-phases", Alone, DryRun),
    row("-client_name", Separate, Plain),
    row("-compatibility_version", Separate, Plain),
    row("-current_version", Separate, Plain),
    row("-cxx-isystem", Either, Plain),
    row("-darwin-target-variant", Separate, Plain),
    row("-darwin-target-variant-triple", Separate, Plain),
    row("-dependency-dot", Separate, Plain),
    row("-dependency-file", Separate, Plain),
    row("-dsym-dir", Separate, Plain),
    row("-dumpdir", Separate, Plain),
    row("-dumpmachine", Alone, Query),
    row("-dumpversion", Alone, Query),
    row("-dylib_file", Separate, Plain),
    row("-e", Separate, Plain),
    row("-emit-ast", Alone, Stop(Stage::Check)),
    row("-emit-cir", Alone, Stop(Stage::Check)),
    row("-emit-interface-stubs", Alone, Stop(Stage::Check)),
    row("-emit-llvm", Alone, EmitLlvm),
    row("-emit-merged-ifs", Alone, Stop(Stage::Check)),
    row("-emit-symbol-graph", Alone, Stop(Stage::Check)),
    row("-exported_symbols_list", Separate, Plain),
    row("-extract-api", Alone, Stop(Stage::Check)),
    row("-fdebug-compilation-dir", SeparateOrEquals, Plain),
    row("-fdriver-only", Alone, DryRun),
    row("-fexperimental-openacc-macro-override", SeparateOrEquals, Plain),
    row("-fgpu-rdc", Alone, Rdc(true)),
    row("-filelist", Separate, Plain),
    row("-flto", Alone, Lto(true)),
    row("-flto=", Joined, Lto(true)),
    row("-fmodules-user-build-path", Separate, Plain),
    row("-fno-gpu-rdc", Alone, Rdc(false)),
    row("-fno-lto", Alone, Lto(false)),
    row("-fopenmp-targets=", Joined, OpenMpTargets),
    row("-force_load", Separate, Plain),
    row("-framework", Separate, Plain),
    row("-fsyntax-only", Alone, Stop(Stage::Check)),
    row("-ftrapv-handler", SeparateOrEquals, Plain),
    row("-gen-cdb-fragment-path", Separate, Plain),
    row("-help", Alone, Query),
    row("-hlsl-entry", Separate, Plain),
    row("-iapinotes-modules", Either, Plain),
    row("-idirafter", Either, Plain),
    row("-iframework", Either, Plain),
    row("-iframeworkwithsysroot", Either, Plain),
    row("-imacros", Either, Plain),
    row("-image_base", Separate, Plain),
    row("-imultilib", Separate, Plain),
    row("-include", Either, Plain),
    row("-include-pch", Either, Plain),
    row("-init", Separate, Plain),
    row("-install_name", Separate, Plain),
    row("-iprefix", Either, Plain),
    row("-iquote", Either, Plain),
    row("-isysroot", Either, Plain),
    row("-isystem", Either, Plain),
    row("-isystem-after", Either, Plain),
    row("-ivfsoverlay", Either, Plain),
    row("-iwithprefix", Either, Plain),
    row("-iwithprefixbefore", Either, Plain),
    row("-iwithsysroot", Either, Plain),
    row("-l", Either, Plain),
    row("-lazy_framework", Separate, Plain),
    row("-lazy_library", Separate, Plain),
    row("-mcpu=?", Alone, Query),
    row("-mcpu=help", Alone, Query),
    row("-meabi", Separate, Plain),
    row("-mllvm", SeparateOrEquals, Plain),
    row("-mmlir", Separate, Plain),
    row("-module-dependency-dir", Separate, Plain),
    row("-module-file-info", Alone, Stop(Stage::Check)),
    row("-mthread-model", Separate, Plain),
    row("-mtune=?", Alone, Query),
    row("-mtune=help", Alone, Query),
    row("-multiply_defined", Separate, Plain),
    row("-multiply_defined_unused", Separate, Plain),
    row("-o", Either, Output),
    row("-pagezero_size", Separate, Plain),
    row("-print-", Joined, Query),
    row("-print-ivar-layout", Alone, Stop(Stage::Check)),
    row("-read_only_relocs", Separate, Plain),
    row("-reexport_framework", Separate, Plain),
    row("-reexport_library", Separate, Plain),
    row("-resource-dir", SeparateOrEquals, Plain),
    row("-rewrite-legacy-objc", Alone, Stop(Stage::Check)),
    row("-rewrite-objc", Alone, Stop(Stage::Check)),
    row("-rpath", Separate, Plain),
    row("-sectalign", Values(3), Plain),
    row("-sectcreate", Values(3), Plain),
    row("-sectobjectsymbols", Values(2), Plain),
    row("-sectorder", Values(3), Plain),
    row("-seg1addr", Separate, Plain),
    row("-seg_addr_table", Separate, Plain),
    row("-seg_addr_table_filename", Separate, Plain),
    row("-segaddr", Values(2), Plain),
    row("-segcreate", Values(3), Plain),
    row("-segprot", Values(3), Plain),
    row("-segs_read_only_addr", Separate, Plain),
    row("-segs_read_write_addr", Separate, Plain),
    row("-serialize-diagnostics", Separate, Plain),
    row("-stdlib++-isystem", Either, Plain),
    row("-sub_library", Separate, Plain),
    row("-sub_umbrella", Separate, Plain),
    row("-target", Separate, Plain),
    row("-u", Either, Plain),
    row("-umbrella", Separate, Plain),
    row("-undefined", Separate, Plain),
    row("-unexported_symbols_list", Separate, Plain),
    row("-validator-version", Separate, Plain),
    row("-verify-pch", Alone, Stop(Stage::Check)),
    row("-vfsoverlay", Either, Plain),
    row("-weak_framework", Separate, Plain),
    row("-weak_library", Separate, Plain),
    row("-weak_reference_mismatches", Separate, Plain),
    row("-working-directory", SeparateOrEquals, Plain),
    row("-x", Either, Language),
    row("-z", Separate, Plain),
];
