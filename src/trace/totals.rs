//! What a run saw, and why there is nothing to show if there is nothing.

use std::collections::BTreeMap;

use sqtt_contract::variables::SCOPE_CU;

/// What to do where no code object has a map.
pub const NO_MAP_HINT: &str =
    "put the `*_code_object_id_*.out` files that the profiler wrote beside the `ui_` directory";

/// Counts over all domains of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Domains that were read.
    pub domains: u64,
    /// Domains that the selection left out.
    pub deselected_domains: u64,
    /// Shader engines that the selection left out of the domains that were read.
    pub deselected_engines: u64,
    /// Files of records that were read.
    pub files: u64,
    /// Records in them.
    pub records: u64,
    /// Records that the selection left out.
    pub deselected: u64,
    /// Records of the trap handler.
    pub privileged: u64,
    /// Records of the reserved id 0.
    pub no_ops: u64,
    /// Records that are payload of a marker.
    pub payload_words: u64,
    /// Markers that were put in by [`Repairs`](super::Repairs).
    pub inferred: u64,
    /// Records that these left out.
    pub dropped: u64,
    /// Headers whose time was corrected by their packed clock.
    pub corrected: u64,
    /// Waves that have records.
    pub waves: u32,
    /// Scopes that were entered.
    pub enters: u64,
    /// Points.
    pub points: u64,
    /// Domains that have no map, neither in a code object nor in `code.json`.
    pub unmapped_domains: u64,
    /// Waves by compute unit, as the occupancy has them.
    pub launched: BTreeMap<u8, u64>,
}

impl Totals {
    /// Whether scopes were entered, and no domain has a map that could name them.
    pub fn has_scopes_without_maps(&self) -> bool {
        self.enters > 0 && self.unmapped_domains == self.domains
    }

    /// Why no scope was entered, in one line, and what to do in another; `None` when one was.
    pub fn why_no_scopes(&self) -> Option<(String, String)> {
        if self.enters > 0 {
            return None;
        }
        let (why, hint) = if self.domains == 0 && self.deselected_domains > 0 {
            ("no directory is of a dispatch that was asked for".to_owned(), "leave `--dispatch` out".to_owned())
        } else if self.files == 0 && self.deselected_engines > 0 {
            ("no record is of a shader engine that was asked for".to_owned(), "leave `--se` out".to_owned())
        } else if self.files == 0 {
            let hint = "`shaderdata_*.json` is written by the `rocprofv3 --att` of ROCm 7.13 and later";
            ("no file of records could be read".to_owned(), hint.to_owned())
        } else if self.records == 0 {
            self.why_no_records()
        } else if self.deselected == self.records {
            ("every record is of a wave that was not asked for".to_owned(), "leave the filters out".to_owned())
        } else if self.deselected + self.privileged == self.records {
            let hint = "the program was not compiled with markers, or they are filtered out where it ran".to_owned();
            ("all records are those of the trap handler".to_owned(), hint)
        } else if self.unmapped_domains == self.domains {
            ("no code object has a map".to_owned(), NO_MAP_HINT.to_owned())
        } else {
            let points = self.points;
            let hint = "name scopes or instrument functions".to_owned();
            (format!("no scope was entered; there are {points} points"), hint)
        };
        Some((why, hint))
    }

    fn why_no_records(&self) -> (String, String) {
        if self.launched.is_empty() {
            let why = "the files hold no records, and no wave was seen".to_owned();
            return (why, "trace a dispatch that runs long enough, on the compute unit that is traced".to_owned());
        }
        let cus: Vec<String> = self.launched.keys().map(ToString::to_string).collect();
        let why = format!("the files hold no records; waves ran on compute unit {}", cus.join(", "));
        (why, format!("compile with markers, and with one of these in the mask `{SCOPE_CU}`"))
    }
}
