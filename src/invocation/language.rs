//! Which language an input is compiled as.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The language of an input, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// HIP source.
    Hip,
    /// HIP, already preprocessed.
    HipPreprocessed,
    /// LLVM IR; it may be device code.
    Ir,
    /// A source in any other language.
    Other,
    /// Not compiled: an object, an archive, a linker script; also what does not exist.
    Linker,
}

impl Language {
    /// Whether a pass of the device compile sees this input.
    pub fn is_hip(self) -> bool {
        matches!(self, Language::Hip | Language::HipPreprocessed)
    }

    /// The language that `-x name` asks for; `None` for `none`, which goes back to file extensions.
    fn named(name: &OsStr) -> Option<Language> {
        match name.as_bytes() {
            b"none" => None,
            b"hip" => Some(Language::Hip),
            b"hip-cpp-output" => Some(Language::HipPreprocessed),
            b"ir" => Some(Language::Ir),
            _ => Some(Language::Other),
        }
    }

    /// The language that clang takes from a file's extension.
    fn of_extension(extension: &[u8]) -> Language {
        match extension {
            b"hip" => Language::Hip,
            b"hipi" => Language::HipPreprocessed,
            b"bc" | b"ll" => Language::Ir,
            _ if OTHER_EXTENSIONS.contains(&extension) => Language::Other,
            _ => Language::Linker,
        }
    }
}

/// Extensions that clang compiles or assembles and that are neither HIP nor IR.
const OTHER_EXTENSIONS: &[&[u8]] = &[
    b"C", b"CC", b"CPP", b"CXX", b"F", b"F90", b"F95", b"FOR", b"FPP", b"H", b"M", b"S", b"asm", b"ast", b"c", b"c++",
    b"c++m", b"cc", b"ccm", b"cl", b"clcpp", b"cp", b"cpp", b"cppm", b"cu", b"cui", b"cxx", b"cxxm", b"f", b"f90",
    b"f95", b"for", b"fpp", b"h", b"h++", b"hh", b"hlsl", b"hpp", b"hxx", b"i", b"ii", b"iim", b"ixx", b"m", b"mi",
    b"mii", b"mm", b"pcm", b"rs", b"s",
];

/// Who looks at the file extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// clang's own table.
    Clang,
    /// hipcc puts `-x hip` or `-x c` in front of the inputs that it knows, until the user says `-x`; clang's table
    /// for the rest. (Seen in hipcc 5.2.3: `.c`, `.cpp .cxx .cc .C .cu .cuh .hip`.)
    Hipcc {
        /// C++ and CUDA files are HIP: true unless `HIP_COMPILE_CXX_AS_HIP=0`.
        cxx_is_hip: bool,
    },
}

/// Follows a command line from left to right and says what each input is.
#[derive(Clone, Debug)]
pub struct LanguageState {
    rules: Rules,
    /// The language of the last `-x`, the user's or hipcc's.
    current: Option<Language>,
    /// The user has said `-x`: hipcc then adds no more of its own.
    explicit: bool,
    openmp: bool,
}

impl LanguageState {
    /// The state before the first word.
    pub fn new(rules: Rules) -> LanguageState {
        LanguageState { rules, current: None, explicit: false, openmp: false }
    }

    /// The user's `-x name`.
    pub fn explicit(&mut self, name: &OsStr) {
        self.current = Language::named(name);
        self.explicit = true;
    }

    /// OpenMP offloading was asked for.
    pub fn openmp(&mut self) {
        self.openmp = true;
    }

    /// The language of the input `text`; `visible` says that hipcc sees it (it does not look into response files).
    pub fn of_input(&mut self, text: &OsStr, visible: bool) -> Language {
        let extension = Path::new(text).extension().map_or(b"".as_slice(), OsStr::as_bytes);
        if let (Rules::Hipcc { cxx_is_hip }, true, false) = (self.rules, visible, self.explicit) {
            match extension {
                b"c" => self.current = Some(Language::Other),
                b"hip" => self.current = Some(Language::Hip),
                b"cu" | b"cuh" if cxx_is_hip => self.current = Some(Language::Hip),
                b"cpp" | b"cxx" | b"cc" | b"C" if cxx_is_hip && !self.openmp => self.current = Some(Language::Hip),
                _ => {}
            }
        }
        self.current.unwrap_or_else(|| Language::of_extension(extension))
    }
}

/// Whether `text` looks like a source by its name alone, whoever compiles it.
pub fn looks_like_source(text: &OsStr) -> bool {
    let extension = Path::new(text).extension().map_or(b"".as_slice(), OsStr::as_bytes);
    extension == b"cuh" || Language::of_extension(extension) != Language::Linker
}
