//! Address traces: the kinds of operation, their names in the map, and the records behind a header (spec "Framing
//! protocol").

use crate::funcmap::ADDRESS_PREFIX;

/// What stands behind the header of an address trace. Every form begins with the two halves of EXEC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A 64-bit address of each lane, low half first.
    Pointer,
    /// A 32-bit LDS address, or the index of a permutation, of each lane.
    Word,
    /// Two descriptor words and the wave's offset, then the offset of each lane, in bytes.
    Buffer,
    /// The same, then the index of each lane.
    StructBuffer,
}

impl Form {
    /// Records behind the header in a wave of `lanes` lanes.
    pub const fn payload_count(self, lanes: u32) -> u32 {
        match self {
            Form::Pointer => 2 + 2 * lanes,
            Form::Word => 2 + lanes,
            Form::Buffer => 5 + lanes,
            Form::StructBuffer => 5 + 2 * lanes,
        }
    }
}

/// Names behind [`ADDRESS_PREFIX`] and their forms (spec "Per-op unique IDs and source locations").
const FORMS: &[(&str, Form)] = &[
    ("load", Form::Pointer),
    ("store", Form::Pointer),
    ("atomic", Form::Pointer),
    ("lds_load", Form::Word),
    ("lds_store", Form::Word),
    ("lds_atomic", Form::Word),
    ("buffer_load", Form::Buffer),
    ("buffer_store", Form::Buffer),
    ("buffer_atomic", Form::Buffer),
    ("struct_buffer_load", Form::StructBuffer),
    ("struct_buffer_store", Form::StructBuffer),
    ("struct_buffer_atomic", Form::StructBuffer),
    ("ds_permute", Form::Word),
    ("ds_bpermute", Form::Word),
];

/// Whether a row's name is that of an address trace, of a known kind or not.
pub fn is_address_trace(name: &[u8]) -> bool {
    name.starts_with(ADDRESS_PREFIX.as_bytes())
}

/// The form of the address trace with that name in the map, `addr_trace_lds_load`; `None` for every other name.
pub fn form_of(name: &[u8]) -> Option<Form> {
    let kind = name.strip_prefix(ADDRESS_PREFIX.as_bytes())?;
    FORMS.iter().find(|(known, _)| known.as_bytes() == kind).map(|(_, form)| *form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_specification() {
        let count = |name: &[u8], lanes| form_of(name).map(|form| form.payload_count(lanes));
        assert_eq!(count(b"addr_trace_lds_store", 64), Some(66));
        assert_eq!(count(b"addr_trace_store", 64), Some(130));
        assert_eq!(count(b"addr_trace_buffer_load", 64), Some(69));
        assert_eq!(count(b"addr_trace_struct_buffer_atomic", 32), Some(69));
        assert_eq!(count(b"addr_trace_ds_bpermute", 32), Some(34));
    }

    #[test]
    fn other_names_have_no_form() {
        for name in [&b"load"[..], b"addr_trace_", b"addr_trace_loads", b"vmem_load", b""] {
            assert_eq!(form_of(name), None);
        }
        assert!(is_address_trace(b"addr_trace_of_the_future"));
    }
}
