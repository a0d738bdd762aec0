//! What a command line says, order and spelling forgotten.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use sqtt_contract::variables::FLAG_PREFIX;

use super::flags::{self, DeviceLto, Flag, Meaning, Sides, Stage};
use super::language::{Language, LanguageState, Rules};
use super::words::{CommandLine, Item};

/// An input with its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file as typed; `-` is standard input.
    pub text: OsString,
    /// What it is compiled as.
    pub language: Language,
}

/// The meaning of a whole command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Where the compiler stops.
    pub stage: Stage,
    /// The option that made it stop there; `None` for a link.
    pub stop: Option<&'static str>,
    /// The option that makes the compiler answer and compile nothing.
    pub query: Option<OsString>,
    /// The option that makes the compiler show what it would do.
    pub dry_run: Option<&'static str>,
    /// The first word starts clang's inner command line.
    pub frontend: Option<&'static str>,
    /// Inputs in order.
    pub inputs: Vec<Input>,
    /// The last output option's value.
    pub output: Option<OsString>,
    /// Host, device or both.
    pub sides: Sides,
    /// Bundle of a device-only compile, when said.
    pub bundle: Option<bool>,
    /// GPU architectures, their features in clang's order; empty when none is said, or all are taken back.
    pub archs: BTreeSet<OsString>,
    /// The linker is told of libraries or files of its own.
    pub libraries: bool,
    /// IR instead of machine code.
    pub emit_llvm: bool,
    /// Device code is linked across units: an object holds it as IR.
    pub rdc: bool,
    /// Objects hold IR.
    pub lto: bool,
    /// How the device code of this call is optimised across units.
    pub device_lto: DeviceLto,
    /// clang's new offload driver, when said.
    pub new_driver: Option<bool>,
    /// Intermediate files stay.
    pub save_temps: bool,
    /// The link makes an archive.
    pub static_library: bool,
    /// Pass plugins that the command line loads itself, in order.
    pub plugins: Vec<OsString>,
}

impl Reading {
    /// Reads `line` with the compiler's rules for file extensions.
    pub fn new(line: &CommandLine, rules: Rules) -> Reading {
        let mut reading = Reading {
            stage: Stage::Link,
            stop: None,
            query: None,
            dry_run: None,
            frontend: None,
            inputs: Vec::new(),
            output: None,
            sides: Sides::Both,
            bundle: None,
            archs: BTreeSet::new(),
            libraries: false,
            emit_llvm: false,
            rdc: false,
            lto: false,
            device_lto: DeviceLto::Off,
            new_driver: None,
            save_temps: false,
            static_library: false,
            plugins: Vec::new(),
        };
        let mut languages = LanguageState::new(rules);
        let mut taken_back = Vec::new();
        for (index, item) in line.items.iter().enumerate() {
            match item {
                Item::Input { text, visible } => {
                    let language = languages.of_input(text, *visible);
                    reading.inputs.push(Input { text: text.clone(), language });
                }
                Item::Option { flag, word, value } => match flag.meaning {
                    Meaning::Language => languages.explicit(value),
                    Meaning::OpenMpTargets => languages.openmp(),
                    Meaning::Frontend if index == 0 => reading.frontend = Some(flag.spelling),
                    Meaning::Query => _ = reading.query.get_or_insert_with(|| word.clone()),
                    // hipcc collects the architectures and puts them in front of everything else.
                    Meaning::NoArch if matches!(rules, Rules::Hipcc { .. }) => taken_back.push(value),
                    _ => reading.option(flag, value),
                },
                Item::Unknown(_) => {}
            }
        }
        taken_back.into_iter().for_each(|value| reading.take_back(value));
        reading
    }

    fn option(&mut self, flag: &'static Flag, value: &OsStr) {
        match flag.meaning {
            Meaning::Output => self.output = Some(value.to_owned()),
            Meaning::Stop(stage) if stage < self.stage => {
                self.stage = stage;
                self.stop = Some(flag.spelling);
            }
            Meaning::DryRun => self.dry_run = Some(flag.spelling),
            Meaning::Sides(sides) => self.sides = sides,
            Meaning::Bundle(bundle) => self.bundle = Some(bundle),
            Meaning::Arch => self.archs.extend(listed(value)),
            Meaning::NoArch => self.take_back(value),
            Meaning::ForLinker => self.libraries = true,
            Meaning::EmitLlvm => self.emit_llvm = true,
            Meaning::Rdc(rdc) => self.rdc = rdc,
            Meaning::Lto(lto) => self.lto = lto,
            Meaning::DeviceLto(lto) => self.device_lto = lto,
            Meaning::DeviceLtoKind if value == "thin" => self.device_lto = DeviceLto::Thin,
            Meaning::DeviceLtoKind => self.device_lto = DeviceLto::Full,
            Meaning::NewDriver(new) => self.new_driver = Some(new),
            Meaning::SaveTemps => self.save_temps = true,
            Meaning::StaticLibrary => self.static_library = true,
            Meaning::PassPlugin => self.plugins.push(value.to_owned()),
            Meaning::Inner => self.plugins.extend(inner_plugin(value)),
            Meaning::Plain | Meaning::Stop(_) => {}
            Meaning::Query | Meaning::Language | Meaning::Frontend | Meaning::OpenMpTargets => {}
        }
    }

    /// `--no-offload-arch=`: these architectures, or `all` so far.
    fn take_back(&mut self, value: &OsStr) {
        for arch in listed(value) {
            match arch == "all" {
                true => self.archs.clear(),
                false => _ = self.archs.remove(&arch),
            }
        }
    }

    /// Whether device code of this call is bitcode that a link (of this call or a later one) makes a code object of.
    pub fn device_code_is_linked(&self) -> bool {
        self.rdc || self.device_lto != DeviceLto::Off
    }

    /// Whether this call does such a link.
    ///
    /// The units of a program are linked with it; a unit's own device LTO is a part of its compile. The new offload
    /// driver links what it finds in the objects, asked or not, and nothing for the device alone. (Seen in clang 19 and
    /// 22: elsewhere an option for that link is unused, which is a warning.)
    pub fn links_device_code(&self) -> bool {
        let (new, compiles) = (self.new_driver == Some(true), self.hip_inputs().next().is_some());
        let of_units = compiles && !self.rdc && self.device_lto != DeviceLto::Off && self.stage >= Stage::Object;
        let of_program = self.stage == Stage::Link
            && !self.static_library
            && match self.sides {
                Sides::Host => false,
                Sides::Device => self.rdc && !new,
                Sides::Both => self.rdc || (new && !compiles),
            };
        !self.emit_llvm && (of_program || (of_units && self.sides != Sides::Host))
    }

    /// The pass plugins that `words` load, for words that are not a whole command line.
    pub fn plugins_in(words: &[OsString]) -> Vec<OsString> {
        let line = CommandLine::read(words, Path::new("/"), FLAG_PREFIX);
        Reading::new(&line, Rules::Clang).plugins
    }

    /// Whether `words`, which are not a whole command line, take GPU architectures back.
    pub fn takes_targets_back(words: &[OsString]) -> bool {
        let line = CommandLine::read(words, Path::new("/"), FLAG_PREFIX);
        line.items.iter().any(|item| matches!(item, Item::Option { flag, .. } if flag.meaning == Meaning::NoArch))
    }

    /// The inputs that are compiled as HIP.
    pub fn hip_inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| input.language.is_hip())
    }
}

/// The pass plugin in an option that is passed on with `-Xclang` or its like.
fn inner_plugin(option: &OsStr) -> Option<OsString> {
    let of_the_link = option.as_bytes().strip_prefix(b"--load-pass-plugin=");
    let of_a_compile =
        || flags::find(option.as_bytes()).filter(|found| found.flag.meaning == Meaning::PassPlugin)?.joined;
    of_the_link.or_else(of_a_compile).map(|path| OsStr::from_bytes(path).to_owned())
}

/// The architectures of a comma list, in the spelling that clang gives them: features by name.
fn listed(value: &OsStr) -> impl Iterator<Item = OsString> {
    let parts = value.as_bytes().split(|byte| *byte == b',').filter(|part| !part.is_empty());
    parts.map(|part| {
        let mut features: Vec<&[u8]> = part.split(|byte| *byte == b':').collect();
        features[1..].sort_unstable();
        OsString::from_vec(features.join(&b':'))
    })
}
