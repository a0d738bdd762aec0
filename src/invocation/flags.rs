//! The options of clang and hipcc that matter for reading a command line, and how one is found in a word.
//!
//! It is not a list of all options: what is not here is forwarded unread, and taken for an option without a value when
//! it starts with `-`. A row is here because the option takes its value from the next word (which must not be taken for
//! an input), or because it says what the call does. The shapes are those of clang 19 and 22, asked for one by one
//! (`argument to '-x' is missing`); a test asks again.

pub use super::flag_table::TABLE;

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
    /// The names of the files that are included.
    Dependencies,
    /// Preprocessed text.
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

/// How device code is optimised across units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeviceLto {
    /// Not said.
    #[default]
    Off,
    /// All units in one module.
    Full,
    /// Every unit for itself, with pieces of others.
    Thin,
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
    /// Whether each device compile ends in an optimising link, and which (clang's new offload driver).
    DeviceLto(DeviceLto),
    /// As [`Meaning::DeviceLto`], the kind being the value.
    DeviceLtoKind,
    /// Whether clang's new offload driver is used.
    NewDriver(bool),
    /// Intermediate files stay.
    SaveTemps,
    /// The link makes an archive of objects; no device code is linked.
    StaticLibrary,
    /// Its value is for the linker, which may find code of other calls by it.
    ForLinker,
    /// Its value is a pass plugin.
    PassPlugin,
    /// Its value is an option of another command line, which may be the one that loads a pass plugin.
    Inner,
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
