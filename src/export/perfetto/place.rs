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

/// Where the place of the shader engine is in the number of a thread, above all that the other fields have.
const ENGINE_BIT: u32 = 28;

/// So many shader engines have a place in the number of a thread, with room above the last for other numbers: Perfetto takes
/// numbers from 1 << 31 on for negative ones.
const MOST_ENGINES: usize = 7;

/// Numbers for the threads of one file. Viewers sort by them, so they go up by slot, and by instance in a slot.
#[derive(Debug)]
pub(super) struct Tids {
    engines: Vec<u32>,
    pid: u32,
    /// The next number for waves that the formula has none for.
    dense: u32,
}

impl Tids {
    pub(super) fn new(domain: &Domain) -> Tids {
        let engines = domain.engines.clone();
        // Above all that the formula gives when its fields keep to their bits.
        let dense = if engines.len() > MOST_ENGINES { 1 } else { (engines.len().max(1) as u32) << ENGINE_BIT };
        Tids { engines, pid: pid(domain), dense }
    }

    /// `cu << 20 | simd << 16 | wave << 8 | instance` (spec "Exporting traces to Perfetto"), and above that, in traces of
    /// several shader engines, which of these it is. Where that can be another wave's, as a field is too large, the next
    /// free number.
    ///
    /// Two numbers are left out, and the later instances of their slot moved up: Perfetto's import of JSON draws thread 0 in
    /// the main thread of the process, and a thread with the number of the process is the main thread.
    pub(super) fn of(&mut self, wave: &Wave) -> u32 {
        if let Some(first) = self.first(wave)
            && wave.instance < 256
        {
            let mut tid = first | wave.instance;
            for left_out in [0, self.pid] {
                tid += u32::from((first..=tid).contains(&left_out));
            }
            if tid < first + 256 {
                return tid;
            }
        }
        if self.dense == self.pid {
            self.dense = self.dense.wrapping_add(1);
        }
        let tid = self.dense;
        self.dense = self.dense.wrapping_add(1);
        tid
    }

    /// The number of the first instance in the slot of `wave`, with room for 256.
    fn first(&self, wave: &Wave) -> Option<u32> {
        let slot = wave.slot;
        let engine = self.engines.iter().take(MOST_ENGINES + 1).position(|engine| *engine == slot.engine)? as u32;
        let fits = self.engines.len() <= MOST_ENGINES && slot.simd < 16;
        let [cu, simd, number] = [slot.cu, slot.simd, slot.wave].map(u32::from);
        fits.then_some(engine << ENGINE_BIT | cu << 20 | simd << 16 | number << 8)
    }

    /// What the thread of `wave` is called.
    pub(super) fn name(&self, wave: &Wave) -> String {
        let (slot, instance) = (wave.slot, wave.instance);
        let engine = if self.engines.len() > 1 { format!("SE{}/", slot.engine) } else { String::new() };
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

    /// They were drawn as one thread, or in the place of another.
    #[test]
    fn no_thread_has_number_0_or_that_of_the_process() {
        let of = |dispatch, slot, instances: [u32; 3]| {
            let mut tids = Tids::new(&Domain { dispatch: Some(dispatch), ..domain(vec![3]) });
            instances.map(|instance| {
                tids.of(&Wave { slot: Slot { wave: slot, ..wave(0, 0, 0).slot }, ..wave(0, 0, instance) })
            })
        };
        assert_eq!(of(1, 0, [0, 1, 253]), [2, 3, 255]);
        assert_eq!(of(2, 0, [0, 1, 2]), [1, 3, 4]);
        assert_eq!(of(300, 0, [0, 254, 255]), [1, 255, 1 << 28]);
        assert_eq!(of(300, 1, [43, 44, 255]), [299, 301, 1 << 28]);
        assert_eq!(of(1 << 28, 0, [255, 256, 257]), [(1 << 28) + 1, (1 << 28) + 2, (1 << 28) + 3]);
    }

    /// They were in the order of their first events.
    #[test]
    fn waves_of_several_engines_are_in_the_order_of_their_slots() {
        let mut tids = Tids::new(&domain(vec![0, 3]));
        let first = 1 << ENGINE_BIT | 1 << 20 | 2 << 16 | 5 << 8;
        assert_eq!([tids.of(&wave(1, 2, 7)), tids.of(&wave(1, 2, 0))], [first | 7, first]);
        assert_eq!([tids.of(&wave(1, 2, 256)), tids.of(&wave(1, 16, 0))], [2 << 28, (2 << 28) + 1]);
        assert_eq!(tids.name(&wave(1, 2, 7)), "SE3/CU1/SIMD2/W5#7");
        assert_eq!(Tids::new(&domain((0..7).collect())).of(&wave(255, 15, 256)), 7 << 28);
    }

    #[test]
    fn with_more_engines_than_have_a_place_threads_are_counted() {
        let mut tids = Tids::new(&Domain { dispatch: Some(2), ..domain((0..8).collect()) });
        assert_eq!([tids.of(&wave(1, 2, 7)), tids.of(&wave(1, 2, 7))], [1, 3]);
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
