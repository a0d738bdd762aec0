//! The plugin's entry point, and the barrier between Rust panics and the C++ host.

use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::faults::{Point, lacks};

use super::analyses::Analyses;
use super::module::{Module, Severity};
use super::shim;
use super::sys::prelude::LLVMModuleRef;

/// `llvm::PassPluginLibraryInfo`. API version 2 (LLVM 22) has one pointer more; `build.rs` reads it from the header.
#[repr(C)]
pub(super) struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<unsafe extern "C" fn(*mut c_void)>,
    #[cfg(sqtt_plugin_api_v2)]
    pre_codegen: Option<unsafe extern "C" fn()>,
}

/// What `-fpass-plugin=` looks up.
///
/// # Safety
/// Called by LLVM's plugin loader. The returned struct is larger than 16 bytes, so both languages return it
/// through the same hidden pointer; its size is checked against the C++ side's.
#[unsafe(no_mangle)]
pub(super) unsafe extern "C" fn llvmGetPassPluginInfo() -> PassPluginLibraryInfo {
    if ffi!(shim::sqtt_shim_plugin_info_bytes()) != size_of::<PassPluginLibraryInfo>() {
        eprintln!("SQTT: error: this plugin was built with headers of another LLVM");
        std::process::abort();
    }
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        PANIC_PLACE.with(|slot| *slot.borrow_mut() = place);
    }));
    ffi!(shim::sqtt_shim_plugin_info(early, late, o0, link))
}

thread_local! {
    /// Where the last panic happened: the hook knows, `catch_unwind` does not.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

extern "C" fn early(module: LLVMModuleRef, analyses: *mut c_void) -> bool {
    guarded(module, analyses, "early", crate::early::run)
}

extern "C" fn late(module: LLVMModuleRef, analyses: *mut c_void) -> bool {
    guarded(module, analyses, "late", crate::late::run)
}

extern "C" fn o0(module: LLVMModuleRef, analyses: *mut c_void) -> bool {
    guarded(module, analyses, "-O0", crate::late::run_o0)
}

extern "C" fn link(module: LLVMModuleRef, analyses: *mut c_void) -> bool {
    guarded(module, analyses, "link", |module, _| crate::link::run(module))
}

/// Runs a phase. An error or a panic becomes an error diagnostic: the compiler exits with 1 and writes no output.
/// The pipeline goes on until then, so the module counts as changed.
fn guarded(
    module: LLVMModuleRef,
    analyses: *mut c_void,
    phase: &str,
    run: fn(Module, &Analyses) -> Result<bool, crate::Error>,
) -> bool {
    let module = Module::from_host(module);
    let analyses = Analyses::from_host(analyses);
    let problem = match catch_unwind(AssertUnwindSafe(|| run(module, &analyses))) {
        Ok(Ok(changed)) => return changed,
        Ok(Err(error)) => format!("sqtt: {error}"),
        Err(panic) => {
            let what = panic.downcast_ref::<String>().map(String::as_str);
            let what = what.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            let place = PANIC_PLACE.with(|slot| slot.borrow().clone());
            format!("sqtt: internal error in the {phase} phase at {place}: {what}")
        }
    };
    if lacks(Point::Diagnostics) {
        eprintln!("{problem}");
        return true;
    }
    module.report(None, Severity::Error, &problem);
    true
}
