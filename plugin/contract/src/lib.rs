//! What the pass plugin, the driver and the readers agree on.
//!
//! A few things and nothing else: the table of `SQTT_*` variables ([`variables`]) and their meaning
//! ([`settings`]), the 32-bit marker encoding ([`marker`]), the `.sqtt_funcmap` grammar ([`funcmap`]),
//! and what an address trace records ([`addresses`]).
//! It reads no environment and does no I/O.

pub mod addresses;
pub mod filter;
pub mod funcmap;
pub mod marker;
pub mod settings;
mod spelling;
pub mod variables;
