//! The module of the current callback.

use std::ffi::CStr;

use super::sys::core::*;
use super::sys::prelude::*;
use super::{Function, Instruction, Value, bytes_of, shim};

/// The intrinsic of [`super::Builder::annotated`].
pub(crate) const ANNOTATION: &str = "llvm.annotation";

/// How bad a diagnostic is. An error makes the compiler fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    Error = 0,
    Warning = 1,
}

/// What a diagnostic points at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Instruction(Instruction),
    Function(Function),
}

impl From<Instruction> for Place {
    fn from(instruction: Instruction) -> Place {
        Place::Instruction(instruction)
    }
}

impl From<Function> for Place {
    fn from(function: Function) -> Place {
        Place::Function(function)
    }
}

/// An LLVM module. It belongs to the host: it is never disposed of here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Module(pub(super) LLVMModuleRef);

impl Module {
    pub(super) fn from_host(module: LLVMModuleRef) -> Module {
        Module(module)
    }

    pub(super) fn context(self) -> LLVMContextRef {
        ffi!(LLVMGetModuleContext(self.0))
    }

    /// The target triple.
    pub(crate) fn triple(self) -> String {
        // SAFETY: LLVM returns a NUL-terminated string that the module owns.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.0)) }.to_string_lossy().into_owned()
    }

    /// All functions, declarations included, in module order. A snapshot: the module may be changed while iterating.
    pub(crate) fn functions(self) -> Vec<Function> {
        let first = ffi!(LLVMGetFirstFunction(self.0));
        std::iter::successors(Function::from_pointer(first), |f| Function::from_pointer(ffi!(LLVMGetNextFunction(f.0))))
            .collect()
    }

    /// All functions that have a body.
    pub(crate) fn definitions(self) -> Vec<Function> {
        self.functions().into_iter().filter(|f| !f.is_declaration()).collect()
    }

    /// The function of that name.
    pub(crate) fn function(self, name: &str) -> Option<Function> {
        let name = std::ffi::CString::new(name).ok()?;
        Function::from_pointer(ffi!(LLVMGetNamedFunction(self.0, name.as_ptr())))
    }

    /// The declaration of a named intrinsic; `None` when this LLVM has none of that name. An overloaded one is
    /// declared for i32.
    pub(crate) fn intrinsic(self, name: &str) -> Option<Function> {
        self.overloaded_intrinsic(name, &[ffi!(LLVMInt32TypeInContext(self.context()))])
    }

    /// The declaration of [`ANNOTATION`] for an i32; `None` when this LLVM has none.
    pub(crate) fn annotation(self) -> Option<Function> {
        let context = self.context();
        let types = [ffi!(LLVMInt32TypeInContext(context)), ffi!(LLVMPointerTypeInContext(context, 0))];
        self.overloaded_intrinsic(ANNOTATION, &types)
    }

    /// The declaration of a named intrinsic for these types, should it be overloaded.
    fn overloaded_intrinsic(self, name: &str, types: &[LLVMTypeRef]) -> Option<Function> {
        let id = ffi!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        if id == 0 {
            return None;
        }
        // readlane and readfirstlane are overloaded from LLVM 19 on: ask, do not assume.
        let mut types = types.to_vec();
        let count = if ffi!(LLVMIntrinsicIsOverloaded(id)) != 0 { types.len() } else { 0 };
        Function::from_pointer(ffi!(LLVMGetIntrinsicDeclaration(self.0, id, types.as_mut_ptr(), count)))
    }

    /// An i32 constant.
    pub(crate) fn i32(self, value: u32) -> Value {
        let ty = ffi!(LLVMInt32TypeInContext(self.context()));
        Value(ffi!(LLVMConstInt(ty, u64::from(value), 0)))
    }

    /// Adds file-scope assembly behind what is there.
    pub(crate) fn append_assembly(self, text: &str) {
        ffi!(LLVMAppendModuleInlineAsm(self.0, text.as_ptr().cast(), text.len()));
    }

    /// The file-scope assembly.
    pub(crate) fn assembly(self) -> Vec<u8> {
        let mut bytes = 0usize;
        let text = ffi!(LLVMGetModuleInlineAsm(self.0, &raw mut bytes));
        bytes_of(text, bytes).to_vec()
    }

    /// Whether it was compiled for thin LTO: clang leaves one flag in every unit for LTO, and another in those for full LTO.
    pub(crate) fn is_for_thin_lto(self) -> bool {
        let has = |flag: &str| !ffi!(LLVMGetModuleFlag(self.0, flag.as_ptr().cast(), flag.len())).is_null();
        has("EnableSplitLTOUnit") && !has("ThinLTO")
    }

    /// The name of the source that it was made from.
    pub(crate) fn source_name(self) -> Vec<u8> {
        let mut bytes = 0usize;
        let text = ffi!(LLVMGetSourceFileName(self.0, &raw mut bytes));
        bytes_of(text, bytes).to_vec()
    }

    /// Hands a diagnostic to the compiler, which prints it with the place's file and line when it knows them.
    pub(crate) fn report(self, place: Option<Place>, severity: Severity, text: &str) {
        let place = match place {
            None => std::ptr::null_mut(),
            Some(Place::Instruction(instruction)) => instruction.0,
            Some(Place::Function(function)) => function.0,
        };
        ffi!(shim::sqtt_shim_report(self.0, place, severity as i32, text.as_ptr().cast(), text.len()));
    }
}

/// The name of a value, as bytes turned into text (names of functions need not be UTF-8).
pub(super) fn value_name(value: LLVMValueRef) -> Vec<u8> {
    name_bytes(value).to_vec()
}

/// The name of a value, for as long as it keeps it.
pub(super) fn name_bytes<'a>(value: LLVMValueRef) -> &'a [u8] {
    let mut bytes = 0usize;
    let text = ffi!(LLVMGetValueName2(value, &raw mut bytes));
    bytes_of(text, bytes)
}
