//! The one table of the `SQTT_*` variables.
