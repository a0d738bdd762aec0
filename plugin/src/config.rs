//! The settings of this compiler process, and whether a module is the pass's business.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use sqtt_contract::settings::Settings;
use sqtt_contract::variables;

use crate::Error;
use crate::llvm::Module;

/// The settings for `module`; `None` when it is not AMDGPU code (the host half of a HIP file, say).
///
/// The environment is read once per process, and only for a module that the pass touches: a host compile prints
/// nothing. An invalid value is a warning on stderr and its default is taken, as in AMD's pass; the driver has
/// refused it before.
pub(crate) fn settings_for(module: Module) -> Result<Option<&'static Settings>, Error> {
    let triple = module.triple();
    if triple.starts_with("spirv") && triple.contains("amd") {
        return Err(Error::Spirv(triple));
    }
    if !triple.starts_with("amdgcn") {
        return Ok(None);
    }
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    let settings = SETTINGS.get_or_init(|| {
        let (settings, invalid) = Settings::read(|name| std::env::var_os(name));
        for problem in invalid {
            eprintln!("{}", problem.plugin_warning());
        }
        settings
    });
    match settings.conflict() {
        // The first phase has said so; the compile fails already.
        Some(_) if CONFLICT_REPORTED.swap(true, Ordering::Relaxed) => Ok(None),
        Some(conflict) => Err(Error::Conflict(conflict.to_string())),
        None => Ok(Some(settings)),
    }
}

/// The point of correctness that a test asks to leave out.
#[cfg(feature = "faults")]
pub(crate) fn fault() -> Option<String> {
    std::env::var(sqtt_contract::variables::FAULT).ok()
}

/// Whether the objects of this compile are linked with others as bitcode (`-fgpu-rdc`, device LTO); the driver says so.
pub(crate) fn links_later() -> bool {
    static LINKS: OnceLock<bool> = OnceLock::new();
    *LINKS.get_or_init(|| std::env::var_os(variables::LINKS_LATER).is_some_and(|value| value == "1"))
}

static CONFLICT_REPORTED: AtomicBool = AtomicBool::new(false);
