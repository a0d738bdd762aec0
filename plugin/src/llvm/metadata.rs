//! Metadata: module tables and nodes on functions.

use std::ffi::CString;

use super::sys::core::*;
use super::sys::prelude::*;
use super::{Instruction, Module, bytes_of, shim};

/// A piece of metadata that the pass writes and reads back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MetadataValue {
    Integer(u64),
    Text(Vec<u8>),
}

impl MetadataValue {
    fn make(&self, context: LLVMContextRef) -> LLVMMetadataRef {
        match self {
            MetadataValue::Integer(value) => {
                let ty = ffi!(LLVMInt64TypeInContext(context));
                ffi!(LLVMValueAsMetadata(LLVMConstInt(ty, *value, 0)))
            }
            MetadataValue::Text(text) => ffi!(LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len())),
        }
    }

    fn read(operand: LLVMValueRef) -> Option<MetadataValue> {
        if operand.is_null() {
            return None;
        }
        if !ffi!(LLVMIsAConstantInt(operand)).is_null() {
            return Some(MetadataValue::Integer(ffi!(LLVMConstIntGetZExtValue(operand))));
        }
        let mut bytes = 0u32;
        // Null for anything but a string.
        let text = ffi!(LLVMGetMDString(operand, &raw mut bytes));
        (!text.is_null()).then(|| MetadataValue::Text(bytes_of(text, bytes).to_vec()))
    }

    pub(super) fn attach_to_global(&self, global: LLVMValueRef, module: Module, kind: &str) {
        let node = node(module, std::slice::from_ref(self));
        ffi!(LLVMGlobalSetMetadata(global, kind_id(module, kind), node));
    }
}

fn node(module: Module, row: &[MetadataValue]) -> LLVMMetadataRef {
    let context = module.context();
    let mut operands: Vec<LLVMMetadataRef> = row.iter().map(|value| value.make(context)).collect();
    ffi!(LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len()))
}

fn operands(node: LLVMValueRef) -> Vec<Option<MetadataValue>> {
    let count = ffi!(LLVMGetMDNodeNumOperands(node)) as usize;
    let mut found = vec![std::ptr::null_mut(); count];
    ffi!(LLVMGetMDNodeOperands(node, found.as_mut_ptr()));
    found.into_iter().map(MetadataValue::read).collect()
}

fn kind_id(module: Module, kind: &str) -> u32 {
    let bytes = u32::try_from(kind.len()).unwrap_or(0);
    ffi!(LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), bytes))
}

/// The integer that a global's node of this kind holds alone.
pub(super) fn global_integer(global: LLVMValueRef, module: Module, kind: &str) -> Option<u64> {
    let wanted = kind_id(module, kind);
    let mut count = 0usize;
    let entries = ffi!(LLVMGlobalCopyAllMetadata(global, &raw mut count));
    if entries.is_null() {
        return None;
    }
    let index = (0..u32::try_from(count).unwrap_or(0))
        .find(|index| ffi!(LLVMValueMetadataEntriesGetKind(entries, *index)) == wanted);
    let node = index.map(|index| ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index)));
    ffi!(LLVMDisposeValueMetadataEntries(entries));
    let node = ffi!(LLVMMetadataAsValue(module.context(), node?));
    match operands(node).as_slice() {
        [Some(MetadataValue::Integer(value))] => Some(*value),
        _ => None,
    }
}

impl Module {
    /// Appends a row to a module-level table.
    pub(crate) fn append_row(self, table: &str, row: &[MetadataValue]) {
        let Ok(table) = CString::new(table) else { return };
        let value = ffi!(LLVMMetadataAsValue(self.context(), node(self, row)));
        ffi!(LLVMAddNamedMetadataOperand(self.0, table.as_ptr(), value));
    }

    /// The rows of a module-level table; `None` when the module has no such table. An operand of another sort
    /// than the pass writes is `None`.
    pub(crate) fn rows(self, table: &str) -> Option<Vec<Vec<Option<MetadataValue>>>> {
        if ffi!(LLVMGetNamedMetadata(self.0, table.as_ptr().cast(), table.len())).is_null() {
            return None;
        }
        let name = CString::new(table).ok()?;
        let count = ffi!(LLVMGetNamedMetadataNumOperands(self.0, name.as_ptr())) as usize;
        let mut nodes = vec![std::ptr::null_mut(); count];
        ffi!(LLVMGetNamedMetadataOperands(self.0, name.as_ptr(), nodes.as_mut_ptr()));
        Some(nodes.into_iter().map(operands).collect())
    }

    /// Removes a module-level table.
    pub(crate) fn erase_table(self, table: &str) {
        ffi!(shim::sqtt_shim_erase_table(self.0, table.as_ptr().cast(), table.len()));
    }

    /// Makes sure that a module-level table exists, possibly without rows.
    pub(crate) fn ensure_table(self, table: &str) {
        ffi!(LLVMGetOrInsertNamedMetadata(self.0, table.as_ptr().cast(), table.len()));
    }
}

impl Instruction {
    /// Attaches an integer as metadata of one kind, or takes away what there is of that kind.
    pub(crate) fn set_metadata_integer(self, kind: &str, value: Option<u64>) {
        let module = self.function().module();
        let node = value.map_or(std::ptr::null_mut(), |value| {
            ffi!(LLVMMetadataAsValue(module.context(), node(module, &[MetadataValue::Integer(value)])))
        });
        ffi!(LLVMSetMetadata(self.0, kind_id(module, kind), node));
    }

    /// The integer that the instruction's metadata of that kind holds alone.
    pub(crate) fn metadata_integer(self, kind: &str) -> Option<u64> {
        let node = ffi!(LLVMGetMetadata(self.0, kind_id(self.function().module(), kind)));
        match operands_or_none(node)?.as_slice() {
            [Some(MetadataValue::Integer(value))] => Some(*value),
            _ => None,
        }
    }
}

fn operands_or_none(node: LLVMValueRef) -> Option<Vec<Option<MetadataValue>>> {
    (!node.is_null()).then(|| operands(node))
}
