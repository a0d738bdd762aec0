//! Where things go: the file of a directory, the numbers of a process and its threads.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::trace::{Domain, Wave};

/// Files of a run: no two directories get the same.
#[derive(Debug, Default)]
pub(super) struct Files(HashSet<PathBuf>);

impl Files {
    /// `NAME.EXTENSION` in `output`, or else beside the directory of that name; `NAME-2.EXTENSION` when that is taken.
    pub(super) fn of(&mut self, directory: &Path, output: Option<&Path>, extension: &str) -> PathBuf {
        let beside = || match directory.file_name() {
            Some(_) => directory.parent().map(Path::to_owned),
            // `.` or `..`
            None => fs_err::canonicalize(directory).ok().and_then(|resolved| resolved.parent().map(Path::to_owned)),
        };
        let parent = output.map(Path::to_owned).or_else(beside).unwrap_or_default();
        let name = name(directory);
        let mut path = parent.join(format!("{name}.{extension}"));
        let mut number = 1;
        while !self.0.insert(path.clone()) {
            number += 1;
            path = parent.join(format!("{name}-{number}.{extension}"));
        }
        path
    }
}

/// The last part of a path, also of one such as `.`.
pub(super) fn name(directory: &Path) -> String {
    let resolved = fs_err::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let own = directory.file_name().or_else(|| resolved.file_name());
    own.map_or_else(|| "trace".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The process of a domain: its dispatch; where the directory's name has none, or one that no process can have, its
/// number among the directories, from 1.
pub(super) fn pid(domain: &Domain) -> u32 {
    let dispatch = domain.dispatch.and_then(|dispatch| i32::try_from(dispatch).ok());
    dispatch.map_or_else(|| domain.index.saturating_add(1), i32::unsigned_abs)
}

/// Numbers for the threads of one file.
#[derive(Debug)]
pub(super) struct Tids {
    has_engines: bool,
    /// The next number for waves that the formula has none for.
    dense: u32,
}

impl Tids {
    pub(super) fn new(domain: &Domain) -> Tids {
        let has_engines = domain.engines.len() > 1;
        // Above all that the formula gives when its fields keep to their bits.
        Tids { has_engines, dense: if has_engines { 1 } else { 1 << 28 } }
    }

    /// `cu << 20 | simd << 16 | wave << 8 | instance` (spec "Exporting traces to Perfetto") where that is no other wave's,
    /// which it can be with several shader engines and with a field that is too large; then the next free number.
    pub(super) fn of(&mut self, wave: &Wave) -> u32 {
        let slot = wave.slot;
        if !self.has_engines && slot.simd < 16 && wave.instance < 256 {
            return u32::from(slot.cu) << 20 | u32::from(slot.simd) << 16 | u32::from(slot.wave) << 8 | wave.instance;
        }
        let tid = self.dense;
        self.dense = self.dense.wrapping_add(1);
        tid
    }

    /// What the thread of `wave` is called.
    pub(super) fn name(&self, wave: &Wave) -> String {
        let (slot, instance) = (wave.slot, wave.instance);
        let engine = if self.has_engines { format!("SE{}/", slot.engine) } else { String::new() };
        format!("{engine}CU{}/SIMD{}/W{}#{instance}", slot.cu, slot.simd, slot.wave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Slot;

    fn domain(engines: Vec<u32>) -> Domain {
        Domain {
            index: 4,
            path: PathBuf::from("ui_output_agent_1_dispatch_9"),
            agent: Some(1),
            dispatch: Some(9),
            clock_rate_ghz: None,
            engines,
            kernels: Vec::new(),
        }
    }

    fn wave(cu: u8, simd: u8, instance: u32) -> Wave {
        let slot = Slot { engine: 3, cu, simd, wave: 5 };
        Wave { index: 0, slot, instance, begin: 0, end: None, kernel: None }
    }

    #[test]
    fn threads_have_the_number_of_the_formula_where_it_is_one_waves_only() {
        let mut tids = Tids::new(&domain(vec![3]));
        assert_eq!(tids.of(&wave(1, 2, 7)), 1 << 20 | 2 << 16 | 5 << 8 | 7);
        assert_eq!(tids.of(&wave(255, 15, 255)), 0x0FFF_05FF);
        assert_eq!([tids.of(&wave(1, 2, 256)), tids.of(&wave(1, 16, 0))], [1 << 28, (1 << 28) + 1]);
        assert_eq!(tids.name(&wave(1, 2, 7)), "CU1/SIMD2/W5#7");
    }

    #[test]
    fn with_several_engines_threads_are_counted() {
        let mut tids = Tids::new(&domain(vec![0, 3]));
        assert_eq!([tids.of(&wave(1, 2, 7)), tids.of(&wave(1, 2, 7))], [1, 2]);
        assert_eq!(tids.name(&wave(1, 2, 7)), "SE3/CU1/SIMD2/W5#7");
    }

    #[test]
    fn a_process_is_its_dispatch() {
        assert_eq!(pid(&domain(Vec::new())), 9);
        assert_eq!(pid(&Domain { dispatch: Some(u64::MAX), ..domain(Vec::new()) }), 5);
        assert_eq!(pid(&Domain { dispatch: None, ..domain(Vec::new()) }), 5);
    }

    #[test]
    fn directories_of_one_name_get_files_of_their_own() {
        let mut files = Files::default();
        let mut of = |directory: &str, output| files.of(Path::new(directory), output, "perfetto.json");
        let out = Some(Path::new("/out"));
        assert_eq!(of("/a/ui_1", None), Path::new("/a/ui_1.perfetto.json"));
        assert_eq!(of("/a/ui_1", out), Path::new("/out/ui_1.perfetto.json"));
        assert_eq!(of("/b/ui_1/", out), Path::new("/out/ui_1-2.perfetto.json"));
    }
}
