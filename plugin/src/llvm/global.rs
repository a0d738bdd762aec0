//! Global data.

use std::ffi::{CStr, CString};

use super::sys::LLVMLinkage;
use super::sys::core::*;
use super::{Module, shim};

/// AMDGPU's address space for constants.
const CONSTANT: u32 = 4;

impl Module {
    /// Adds constant bytes in a section of their own, which stay whether or not anything uses them.
    pub(crate) fn add_section(self, name: &str, section: &str, bytes: &[u8]) {
        let (Ok(name), Ok(section)) = (CString::new(name), CString::new(section)) else { return };
        let data = ffi!(LLVMConstStringInContext2(self.context(), bytes.as_ptr().cast(), bytes.len(), 1));
        let global = ffi!(LLVMAddGlobalInAddressSpace(self.0, LLVMTypeOf(data), name.as_ptr(), CONSTANT));
        ffi!(LLVMSetInitializer(global, data));
        ffi!(LLVMSetGlobalConstant(global, 1));
        ffi!(LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage));
        ffi!(LLVMSetSection(global, section.as_ptr()));
        ffi!(LLVMSetAlignment(global, 1));
        ffi!(shim::sqtt_shim_keep_global(global));
    }

    /// Removes everything that [`Module::add_section`] put into this section.
    pub(crate) fn remove_sections(self, section: &str) {
        let first = ffi!(LLVMGetFirstGlobal(self.0));
        let next = |global: &_| Some(ffi!(LLVMGetNextGlobal(*global))).filter(|next| !next.is_null());
        let globals: Vec<_> = std::iter::successors((!first.is_null()).then_some(first), next).collect();
        for global in globals {
            let name = ffi!(LLVMGetSection(global));
            // SAFETY: LLVM returns a NUL-terminated string that lives as long as the global, or null.
            if !name.is_null() && unsafe { CStr::from_ptr(name) }.to_bytes() == section.as_bytes() {
                ffi!(shim::sqtt_shim_erase_kept_global(global));
            }
        }
    }
}
