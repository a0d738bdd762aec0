//! How a program is compiled: compiler, target, level and settings.

use proptest::prelude::*;
use proptest::sample::select;
use sqtt_contract::variables;

/// Compiler, target, level and settings.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) llvm: u32,
    pub(crate) target: &'static str,
    level: &'static str,
    /// 64 lanes in a wave where 32 are the default.
    wave64: bool,
    debug: &'static str,
    features: Features,
    scope: Vec<(&'static str, &'static str)>,
    boundary: &'static str,
    /// Bits and shift; 0 bits: off.
    clock: (u32, u32),
    m0_nop: Option<u32>,
}

#[derive(Clone, Debug)]
struct Features {
    functions: Option<&'static str>,
    barriers: bool,
    accesses: Accesses,
}

#[derive(Clone, Debug)]
enum Accesses {
    Untraced,
    Runs(u32, u32),
    Addresses(&'static str),
}

/// Targets of every generation.
const TARGETS: [&str; 12] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1201",
    "gfx1250",
];
/// Those that LLVM 19 cannot compile for.
const SINCE_20: [&str; 2] = ["gfx950", "gfx1250"];

impl Setup {
    /// Anything but -O0.
    pub(crate) fn optimises(&self) -> bool {
        self.level != "-O0"
    }

    /// Headers carry the clock: there can be no payload.
    pub(crate) fn packs_clock(&self) -> bool {
        self.clock.0 != 0 && self.target.starts_with("gfx12")
    }

    /// What the compiler is told beside the source.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = vec![format!("--offload-arch={}", self.target), self.level.to_owned()];
        if self.wave64 && self.target.starts_with("gfx1") && self.target != "gfx1250" {
            flags.push("-mwavefrontsize64".to_owned());
        }
        if !self.debug.is_empty() {
            flags.push(self.debug.to_owned());
        }
        flags
    }

    /// Settings of the plugin that differ from the defaults.
    pub(crate) fn settings(&self) -> Vec<(String, String)> {
        let mut settings: Vec<(&str, String)> = Vec::new();
        settings.extend(self.features.functions.map(|size| (variables::INSTRUMENT_FUNCTIONS, size.to_owned())));
        if self.features.barriers {
            settings.push((variables::INSTRUMENT_BARRIERS, "1".to_owned()));
        }
        match self.features.accesses {
            Accesses::Runs(operations, gap) => {
                settings.push((variables::INSTRUMENT_MEMORY, format!("{operations}:{gap}")));
            }
            // Payloads, as those of data markers.
            Accesses::Addresses(what) if !self.packs_clock() => {
                settings.push((variables::TRACE_ADDRESSES, what.to_owned()));
            }
            Accesses::Addresses(_) | Accesses::Untraced => {}
        }
        settings.extend(self.scope.iter().map(|(name, mask)| (*name, (*mask).to_owned())));
        if !self.boundary.is_empty() {
            settings.push((variables::MEM_BARRIER, self.boundary.to_owned()));
        }
        if self.clock.0 != 0 {
            settings.push((variables::SHADER_CLOCK_BITS, self.clock.0.to_string()));
            settings.push((variables::SHADER_CLOCK_SHIFT, self.clock.1.to_string()));
        }
        settings.extend(self.m0_nop.map(|nops| (variables::M0_NOP, nops.to_string())));
        settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Every setup; it shrinks to the newest compiler, the first target and no settings.
pub(crate) fn strategy() -> impl Strategy<Value = Setup> {
    let compiler = (select(vec![22, 19]), select(&TARGETS[..]), select(vec!["-O2", "-O0", "-O1", "-O3", "-Os"]));
    let code = (any::<bool>(), select(vec!["", "", "-g", "-gline-tables-only"]));
    let boundary = select(vec!["", "", "none", "asm"]);
    let clock = prop_oneof![3 => Just((0, 0)), 1 => (1..13u32, 0..20u32)];
    let nop = prop_oneof![3 => Just(None), 1 => (0..16u32).prop_map(Some)];
    (compiler, code, features(), scope(), boundary, clock, nop).prop_map(
        |((llvm, target, level), (wave64, debug), features, scope, boundary, clock, m0_nop)| {
            let llvm = if SINCE_20.contains(&target) { 22 } else { llvm };
            Setup { llvm, target, level, wave64, debug, features, scope, boundary, clock, m0_nop }
        },
    )
}

fn features() -> impl Strategy<Value = Features> {
    let functions = prop_oneof![
        1 => Just(None),
        1 => select(vec!["1", "5", "20", "100", "cost:1", "cost:50"]).prop_map(Some),
    ];
    let accesses = prop_oneof![
        2 => Just(Accesses::Untraced),
        1 => (1..4u32, 0..12u32).prop_map(|(operations, gap)| Accesses::Runs(operations, gap)),
        1 => select(vec!["memory", "lds", "memory,lds"]).prop_map(Accesses::Addresses),
    ];
    (functions, any::<bool>(), accesses).prop_map(|(functions, barriers, accesses)| Features {
        functions,
        barriers,
        accesses,
    })
}

/// Nothing is filtered, the default filter, or several fields are.
fn scope() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let mask = || select(vec!["1", "0x3", "6"]);
    let several = (mask(), mask(), mask(), mask()).prop_map(|(cu, wave, simd, wg)| {
        let values = [cu, wave, simd, wg];
        let names = [variables::SCOPE_CU, variables::SCOPE_WAVE, variables::SCOPE_SIMD, variables::SCOPE_WG];
        names.into_iter().zip(values).collect()
    });
    prop_oneof![
        3 => Just(vec![(variables::SCOPE_CU, "-1")]),
        2 => Just(Vec::new()),
        1 => several,
        1 => mask().prop_map(|mask| vec![(variables::SCOPE_CU, "-1"), (variables::SCOPE_SIMD, mask)]),
    ]
}
